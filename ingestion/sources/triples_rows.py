"""Rows of fact bases: which column is what, which file holds nodes, and what makes a row a triple."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from graphkb import ids
from graphkb.errors import ConfigError, InputError
from graphkb.model.records import Polarity, ReadReport
from ingestion.sources.marks import Seen, curie, first, lines, text_of

# what we need -> names that a header may have for it, the best first
ALIASES: dict[str, tuple[str, ...]] = {
    "subject": ("subject_name", "subject_label", "head_name", "subject", "head", "x_name", "source_name", "from"),
    "predicate": ("predicate", "relation", "rel", "rela", "relationship", "edge_label", "display_relation", "type"),
    "object": ("object_name", "object_label", "tail_name", "object", "tail", "y_name", "target_name", "to"),
    "subject_id": ("subject_id", "subject_code", "head_id", "x_id", "source_id", "subject_curie"),
    "object_id": ("object_id", "object_code", "tail_id", "y_id", "target_id", "object_curie"),
    "subject_type": ("subject_type", "subject_category", "head_type", "x_type"),
    "object_type": ("object_type", "object_category", "tail_type", "y_type"),
    "negated": ("negated", "negation"),
    "reference": ("reference", "source", "publications", "pmid", "primary_knowledge_source", "provenance"),
    "score": ("score", "confidence", "certainty", "weight"),
    "text": ("text", "sentence", "supporting_text", "description"),
}
_KGX_ID = re.compile(r"[A-Za-z][\w.-]*:\S+")
_YES = frozenset(("true", "1", "yes", "y", "t", "not", "negated"))
_NO = frozenset(("", "false", "0", "no", "n", "f", "affirmed"))
MOST_NAME = 1000


@dataclass(frozen=True)
class Mapping:
    """Which column is what, and what a predicate's word means, where the file does not say it as we would.

    Attributes
    ----------
    columns
        One of the keys of `ALIASES` -> the column's name; ``=WORDS`` gives every row the same value.
    predicates
        A word of the file -> the predicate; ``!treats`` is its denial, ``-`` leaves such rows out.
    vocabularies
        ``subject`` or ``object`` -> the vocabulary of codes that are bare.
    """

    columns: dict[str, str] = field(default_factory=dict)
    predicates: dict[str, str] = field(default_factory=dict)
    vocabularies: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in self.columns:
            if name not in ALIASES:
                raise ConfigError("GKB-103", where="--column", detail=f"none of {', '.join(ALIASES)}")
        for name in self.vocabularies:
            if name not in ("subject", "object"):
                raise ConfigError("GKB-103", where="--vocabulary", detail="subject or object")

    @cached_property
    def fixed(self) -> dict[str, str]:
        """Values that every row has."""
        return {name: column[1:] for name, column in self.columns.items() if column.startswith("=")}

    def places(self, header: list[str]) -> dict[str, str]:
        """Return which column of a header is what; GKB-405 where a needed one is missing."""
        folded = {re.sub(r"[^a-z0-9]+", "_", name.strip().lower()).strip("_"): name for name in header}
        found: dict[str, str] = {}
        for name, aliases in ALIASES.items():
            wanted = self.columns.get(name)
            if wanted is None:
                column = next((folded[alias] for alias in aliases if alias in folded), None)
            elif wanted.startswith("="):
                continue
            elif wanted in header:
                column = wanted
            else:
                raise InputError("GKB-405", detail=f"there is no column {wanted}")
            if column is not None:
                found[name] = column
        have = found.keys() | self.fixed.keys()
        missing = [name for name in ("subject", "predicate", "object") if name not in have
                   and not (name != "predicate" and f"{name}_id" in have)]
        if missing:
            raise InputError("GKB-405", detail=f"missing columns: {', '.join(missing)}")
        return found


@dataclass(frozen=True, slots=True)
class Triple:
    """One row. The codes are CURIEs; ``digest`` is the row's own hash."""

    subject: str
    predicate: str
    object: str
    subject_code: str = ""
    object_code: str = ""
    subject_type: str = ""
    object_type: str = ""
    polarity: Polarity = "affirmed"
    certainty: float = 1.0
    reference: str = ""
    text: str = ""

    @property
    def digest(self) -> str:
        """32 hex digits of all that the row says."""
        return ids.digest("triple", self.subject, self.predicate, self.object, self.subject_code, self.object_code,
                          self.polarity, self.reference, self.text)


def rows(path: Path, max_bytes: int) -> Iterator[tuple[int, dict[str, Any] | None, str]]:
    """Yield (1-based data row, its fields, "") of a TSV, CSV or JSON Lines file; or (row, None, why it is broken).

    Lines before the header that begin with ``#`` are comments; a first field ``#subject`` is a header.
    """
    source = lines(path, max_bytes)
    opening = next(((number, line) for number, line in source if line.strip() and not _is_comment(line)), None)
    if opening is None:
        raise InputError("GKB-402", where=str(path))
    if opening[1].lstrip().startswith("{"):
        yield from _json_rows(opening[1], source)
        return
    head = opening[1]
    tab = "\t" in head
    header = head.lstrip("#").split("\t") if tab else _cells(head.lstrip("#")) or []
    if len(set(header)) != len(header):
        raise InputError("GKB-405", where=str(path), detail="a column occurs twice in the header")
    number = 0
    yield 0, dict.fromkeys(header, ""), ""
    for _, line in source:
        if not line.strip():
            continue
        number += 1
        cells = line.split("\t") if tab else _cells(line)
        if cells is None:
            yield number, None, "a quoted field is malformed"
        elif len(cells) != len(header):
            yield number, None, f"{len(cells)} fields instead of {len(header)}"
        else:
            yield number, dict(zip(header, cells, strict=True)), ""


def _is_comment(line: str) -> bool:
    return line.startswith("#") and "\t" not in line and not line.lower().startswith(("#subject", "#id,"))


def _cells(line: str) -> list[str] | None:
    try:
        return next(csv.reader([line], strict=True), [])
    except csv.Error:
        return None


def _json_rows(opening: str, source: Iterator[tuple[int, str]]) -> Iterator[tuple[int, dict[str, Any] | None, str]]:
    number = 1
    yield number, *_json(opening)
    for _, line in source:
        if line.strip():
            number += 1
            yield number, *_json(line)


def _json(line: str) -> tuple[dict[str, Any] | None, str]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None, "a line is not JSON"
    return (value, "") if isinstance(value, dict) else (None, "a line is not a JSON object")


def is_nodes(path: Path, mapping: Mapping, max_bytes: int) -> bool:
    """Whether a file holds KGX nodes: it has an id and a name or category, and no predicate."""
    for _, fields, _ in rows(path, max_bytes):
        if fields is not None:
            names = {name.strip().lower() for name in fields}
            return "id" in names and bool(names & {"name", "category"}) and not names & {"predicate", "subject"} \
                and not mapping.columns
    return False


def nodes(path: Path, seen: Seen, report: ReadReport, mapping: Mapping, max_bytes: int) -> None:
    """Remember the names of a file of nodes."""
    del mapping
    for number, fields, problem in rows(path, max_bytes):
        if number == 0:
            continue
        if fields is None:
            report.reject(str(path), number, "GKB-406", problem)
            continue
        folded = {name.strip().lower(): value for name, value in fields.items()}
        identifier, name = text_of(folded.get("id")), " ".join(text_of(folded.get("name")).split())
        if not identifier or not name or len(name) > MOST_NAME or "\0" in name:
            report.reject(str(path), number, "GKB-407", "a node without an id or a usable name")
        elif not seen.name(identifier, name, text_of(folded.get("category")).partition("|")[0]):
            report.reject(str(path), number, "GKB-411", "a node of this id came before")
        else:
            report.keep(str(path))


def triples(path: Path, seen: Seen, report: ReadReport, mapping: Mapping, max_bytes: int) -> Iterator[Triple]:
    """Yield the triples of a file; rows that are none, and repeated ones, are rejected.

    Raises
    ------
    InputError
        The file as a whole: GKB-401 to 405, 410.
    """
    places: dict[str, str] | None = None
    for number, fields, problem in rows(path, max_bytes):
        if fields is None:
            report.reject(str(path), number, "GKB-406", problem)
            continue
        try:
            if number == 0 or places is None or not set(places.values()) <= fields.keys():
                places = mapping.places(list(fields))
            if number == 0:
                continue
            triple = _triple(fields, places, mapping, seen)
        except InputError as error:
            if number == 0:
                raise InputError(error.code, where=str(path), detail=error.detail) from None
            report.reject(str(path), number, error.code, error.detail)
            continue
        if triple is None:
            report.reject(str(path), number, "GKB-407", "left out, as the mapping of predicates says")
        elif not seen.add("triple", triple.digest):
            report.reject(str(path), number, "GKB-411", "the triple occurs twice")
        else:
            report.keep(str(path))
            yield triple


def _triple(fields: dict[str, Any], places: dict[str, str], mapping: Mapping, seen: Seen) -> Triple | None:
    said = {name: first(fields, (column,)) for name, column in places.items()} | mapping.fixed
    meant = mapping.predicates.get(said["predicate"], "")
    if meant == "-":
        return None
    word = meant.removeprefix("!") or said["predicate"]
    negated = _negated(said.get("negated", "")) != meant.startswith("!")
    ends = [_end(said, side, mapping, seen) for side in ("subject", "object")]
    (subject, subject_code, subject_type), (object_, object_code, object_type) = ends
    predicate = " ".join(word.split())
    if not (subject and predicate and object_):
        raise InputError("GKB-407", detail="subject, predicate or object is empty")
    if "\0" in subject + predicate + object_ or max(map(len, (subject, predicate, object_))) > MOST_NAME:
        raise InputError("GKB-407", detail="a name has a NUL character or is too long")
    if (subject_code or subject.casefold()) == (object_code or object_.casefold()):
        raise InputError("GKB-407", detail="subject and object are the same")
    return Triple(subject, predicate, object_, subject_code, object_code, subject_type, object_type,
                  "negated" if negated else "affirmed", _certainty(said.get("score", "")),
                  " ".join(said.get("reference", "").split())[:MOST_NAME],
                  " ".join(said.get("text", "").replace("\0", "").split()))


def _end(said: dict[str, str], side: str, mapping: Mapping, seen: Seen) -> tuple[str, str, str]:
    """Return name, CURIE and type of one end; a KGX edge has the identifier in the place of the name."""
    name, identifier = " ".join(said.get(side, "").split()), said.get(f"{side}_id", "")
    type_ = said.get(f"{side}_type", "")
    if not identifier and _KGX_ID.fullmatch(name):
        identifier, name = name, ""
    known, category = seen.named(identifier) if identifier else ("", "")
    code = curie(identifier, type_ or category, mapping.vocabularies.get(side, "")) if identifier else ""
    return name or known or identifier, code, (type_ or category).rpartition(":")[2]


def _negated(value: str) -> bool:
    folded = value.strip().casefold()
    if folded in _YES:
        return True
    if folded not in _NO:
        raise InputError("GKB-407", detail="negated is neither true nor false")
    return False


def _certainty(value: str) -> float:
    """Return a score as a certainty; one that is no number between 0 and 1 says nothing of it."""
    try:
        number = float(value)
    except ValueError:
        return 1.0
    return number if 0.0 <= number <= 1.0 else 1.0
