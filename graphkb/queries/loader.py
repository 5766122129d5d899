"""Load the query files and refuse what is not well formed.

A file holds one statement below a header of comment lines::

    // name: list_chunks_of_document
    // what: The chunks of one document in reading order.
    // mode: read
    // params: document, scopes
    // scope: bound

``mode`` is ``read``, ``write`` or ``schema``. A read query filters by ``$scopes`` or ``$scope`` (``scope: bound``), or
says why it need not (``scope: free - only counts``). The name is the file's name. A file under ``dialect/<store>/``
replaces the common one of the same name on that store.

A relationship type cannot be a parameter. A file with ``// each: relation_type`` stands for one query per member of
that closed set: the word ``EACH_TYPE`` becomes the member, and ``create_relations`` the name
``create_relations_treats`` for ``TREATS``. Nothing from outside ever reaches the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Literal, cast

from graphkb.errors import QueryError
from graphkb.model.predicates import CLOSED_SETS

Mode = Literal["read", "write", "schema"]
FOLDERS = ("read", "write", "retrieve", "maintain")
DIALECTS = ("arcadedb", "neo4j")
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_HEADER = re.compile(r"//\s*(name|what|mode|params|as_of|scope|each):\s*(.*)")
_STRIP = re.compile(r"//[^\n]*|/\*.*?\*/|'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|`[^`]*`", re.DOTALL)
_PARAM = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*)")
_WRITES = re.compile(r"\b(CREATE|MERGE|SET|DELETE|REMOVE|DETACH|DROP|LOAD|FOREACH)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Query:
    """One named statement."""

    name: str
    what: str
    mode: Mode
    params: tuple[str, ...]
    scope: str
    text: str
    path: Path
    dialect: str | None

    @property
    def scope_bound(self) -> bool:
        """Whether the statement filters by ``$scopes``."""
        return self.scope == "bound"

    def check(self, given: dict[str, object]) -> None:
        """Raise `QueryError` GKB-303 unless exactly the declared parameters are given."""
        if set(given) != set(self.params):
            missing = sorted(set(self.params) - set(given))
            extra = sorted(set(given) - set(self.params))
            raise QueryError("GKB-303", where=self.name, detail=f"missing {missing}, not declared {extra}")


@dataclass(frozen=True, slots=True)
class Library:
    """All named statements of one dialect."""

    dialect: str
    queries: MappingProxyType[str, Query]

    def __getitem__(self, name: str) -> Query:
        try:
            return self.queries[name]
        except KeyError:
            raise QueryError("GKB-302", where=name) from None

    def __iter__(self) -> Iterator[Query]:
        return iter(self.queries.values())

    def __len__(self) -> int:
        return len(self.queries)


def root() -> Path:
    """Return the folder of query files: the repository's where there is one, else the installed copy."""
    package = Path(__file__).resolve().parents[1]
    for folder in (package.parent / "cypher", package / "_cypher"):
        if (folder / "read").is_dir():
            return folder
    raise QueryError("GKB-302", where="cypher/", detail="the query files are not installed")


def parse(path: Path, dialect: str | None = None) -> list[Query]:
    """Read one file (several queries where it has `each`); raise `QueryError` where it is not well formed."""
    where = path.name
    content = path.read_text(encoding="utf-8")
    lines = content.splitlines()
    fields: dict[str, str] = {}
    body_start = 0
    for number, line in enumerate(lines):
        if not line.startswith("//"):
            body_start = number
            break
        match = _HEADER.fullmatch(line.strip())
        if match:
            if match[1] in fields:
                raise QueryError("GKB-301", where=where, detail=f"`{match[1]}` twice")
            fields[match[1]] = match[2].strip()
        elif line[2:].strip() and "what" in fields and len(fields) == 2:
            fields["what"] += " " + line[2:].strip()
        else:
            raise QueryError("GKB-301", where=f"{where}:{number + 1}", detail="not a header line")
    text = "\n".join(lines[body_start:]).strip()
    query = _checked(path, dialect, fields, text)
    if "each" not in fields:
        return [query]
    members = CLOSED_SETS.get(fields["each"])
    if members is None or "EACH_TYPE" not in text:
        raise QueryError("GKB-301", where=where, detail="`each` names no closed set, or EACH_TYPE is not used")
    return [replace(query, name=f"{query.name}_{member.lower()}", text=re.sub(r"\bEACH_TYPE\b", member, text))
            for member in members]


def _checked(path: Path, dialect: str | None, fields: dict[str, str], text: str) -> Query:
    where = path.name
    for field in ("name", "what", "mode", "params", "scope"):
        if field not in fields:
            raise QueryError("GKB-301", where=where, detail=f"`{field}` is missing")
    name = fields["name"]
    if name != path.stem or not _NAME.fullmatch(name):
        raise QueryError("GKB-301", where=where, detail="the name is not the file's name")
    if not text or text.rstrip().endswith(";"):
        raise QueryError("GKB-301", where=where, detail="one statement, without a semicolon")
    mode = fields["mode"]
    if mode not in ("read", "write", "schema"):
        raise QueryError("GKB-301", where=where, detail="mode is read, write or schema")
    bare = _STRIP.sub(" ", text)
    if mode == "read" and _WRITES.search(bare):
        raise QueryError("GKB-301", where=where, detail="a read query writes")
    declared = tuple(part.strip() for part in fields["params"].split(",") if part.strip() not in ("", "-"))
    used = set(_PARAM.findall(bare))
    if used != set(declared) or len(set(declared)) != len(declared):
        raise QueryError("GKB-303", where=where,
                         detail=f"declared {sorted(declared)}, used {sorted(used)}")
    scope = fields["scope"]
    if scope == "bound":
        if "scopes" not in used and "scope" not in used:
            raise QueryError("GKB-305", where=where)
    elif not re.fullmatch(r"free - \S.{5,}", scope):
        raise QueryError("GKB-305", where=where)
    return Query(name, fields["what"], cast("Mode", mode), declared, scope, text, path, dialect)


def load(dialect: str, folder: Path | None = None) -> Library:
    """Load every query of a dialect, in a fixed order.

    Raises
    ------
    QueryError
        GKB-301, 303, 304 or 305; the message names the file.
    """
    folder = folder or root()
    found: dict[str, Query] = {}
    for part in FOLDERS:
        for path in sorted((folder / part).rglob("*.cypher")):
            for query in parse(path):
                if query.name in found:
                    raise QueryError("GKB-304", where=query.name)
                found[query.name] = query
    overrides: set[str] = set()
    for path in sorted((folder / "dialect" / dialect).rglob("*.cypher")):
        for query in parse(path, dialect):
            if query.name in overrides:
                raise QueryError("GKB-304", where=query.name)
            overrides.add(query.name)
            common = found.get(query.name)
            if common is not None and (common.params, common.mode) != (query.params, query.mode):
                raise QueryError("GKB-303", where=query.name, detail="a dialect's file differs in mode or parameters")
            found[query.name] = query
    return Library(dialect, MappingProxyType(dict(sorted(found.items()))))
