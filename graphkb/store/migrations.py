"""The schema, forward only.

A migration is ``V0001__name``: one file in ``cypher/migrations`` for all servers, or one per dialect in
``cypher/dialect/migrations`` (``V0002__name.neo4j.cypher``, ``V0002__name.arcadedb.sql``). It holds
statements that end with a semicolon at the end of a line; each may run again without harm (``IF NOT EXISTS``), because
schema statements are transactions of their own and a crash may come between two of them. What ran is recorded as
``Meta`` nodes ``meta:migration:V0001`` with the SHA-256 of the file.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from neo4j import WRITE_ACCESS

from graphkb.errors import StoreError, StoreUnavailable
from graphkb.ids import meta
from graphkb.queries.loader import root
from graphkb.store.connection import Connection
from graphkb.store.writer_lock import WriterLock

if TYPE_CHECKING:
    from graphkb.store.bolt import BoltStore

_FILE = re.compile(r"(V\d{4})__([a-z][a-z0-9_]*)(?:\.(neo4j|arcadedb))?\.(cypher|sql)")
_COMMENT = re.compile(r"^\s*(//|--).*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the schema for one dialect."""

    version: str
    name: str
    language: str
    statements: tuple[str, ...]
    checksum: str


def find(dialect: str, folder: Path | None = None) -> list[Migration]:
    """Return a dialect's migrations in order.

    Raises
    ------
    StoreError
        GKB-209: a version is missing, occurs twice, or a file has another name than the format above.
    """
    folder = folder or root()
    found: dict[str, Migration] = {}
    paths = sorted((folder / "migrations").iterdir()) + sorted((folder / "dialect" / "migrations").iterdir())
    for path in paths:
        match = _FILE.fullmatch(path.name)
        if match is None:
            raise StoreError("GKB-209", where=path.name, detail="not a migration's file name")
        if match[3] not in (None, dialect):
            continue
        if match[1] in found:
            raise StoreError("GKB-209", where=path.name, detail="a version occurs twice")
        text = path.read_text(encoding="utf-8")
        parts = re.split(r";\s*$", _COMMENT.sub("", text), flags=re.MULTILINE)
        found[match[1]] = Migration(match[1], f"{match[1]}__{match[2]}", match[4],
                                    tuple(part.strip() for part in parts if part.strip()),
                                    hashlib.sha256(text.encode()).hexdigest())
    ordered = [found[version] for version in sorted(found)]
    if [migration.version for migration in ordered] != [f"V{number:04}" for number in range(1, len(ordered) + 1)]:
        raise StoreError("GKB-209", where="migrations", detail="a version is missing")
    return ordered


def migrate(store: BoltStore, connection: Connection, writer: WriterLock, folder: Path | None = None) -> list[str]:
    """Run the migrations that this graph lacks; return their names.

    Raises
    ------
    StoreError
        GKB-209: a migration that ran has changed. GKB-210: the graph knows a migration that this version does not.
    """
    known = find(store.dialect, folder)
    ran = {row["name"]: row["checksum"] for row in store.read("list_migrations")}
    names = {migration.name for migration in known}
    if unknown := sorted(set(ran) - names):
        raise StoreError("GKB-210", where=unknown[-1])
    new = []
    for migration in known:
        if migration.name in ran:
            if ran[migration.name] != migration.checksum:
                raise StoreError("GKB-209", where=migration.name)
            continue
        with writer.hold():
            for statement in migration.statements:
                if migration.language == "sql":
                    _over_http(connection, migration.name, statement)
                else:
                    with connection.session(WRITE_ACCESS, migration.name, limit_s=600.0) as (session, _):
                        session.run(statement).consume()
        store.write("record_migration", key=meta(f"migration:{migration.version}"), name=migration.name,
                    checksum=migration.checksum)
        new.append(migration.name)
    return new


def _over_http(connection: Connection, where: str, statement: str) -> None:
    """Run one SQL statement of ArcadeDB, whose Cypher cannot make vector and full-text indexes."""
    import httpx

    endpoint = connection.endpoint
    if endpoint.http is None or endpoint.auth is None:
        raise StoreError("GKB-207", where=where, detail="an ArcadeDB that is not the embedded one is not supported")
    try:
        answer = httpx.post(f"{endpoint.http}/api/v1/command/{endpoint.database}", auth=endpoint.auth, timeout=600.0,
                            json={"language": "sql", "command": statement}, trust_env=False)
    except httpx.HTTPError as error:
        raise StoreUnavailable("GKB-201", where=where, detail=type(error).__name__) from None
    if answer.status_code != 200:
        raise StoreError("GKB-207", where=where, detail=f"HTTP {answer.status_code}")
