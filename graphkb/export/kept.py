"""Sets of keys on disk, so that a selection takes no memory that grows with the graph."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from itertools import islice

_BATCH = 10_000


class Keys:
    """One set of keys in an unnamed database that the system deletes when it is closed."""

    def __init__(self, db: sqlite3.Connection, table: str) -> None:
        self._db = db
        self._insert = f"INSERT OR IGNORE INTO {table} VALUES (?)"  # noqa: S608 - a name of ours
        self._select = f"SELECT 1 FROM {table} WHERE key = ?"  # noqa: S608 - a name of ours
        db.execute(f"CREATE TABLE {table} (key TEXT PRIMARY KEY) WITHOUT ROWID")

    def update(self, keys: Iterable[str]) -> None:
        """Add keys."""
        source = iter(keys)
        while block := [(key,) for key in islice(source, _BATCH)]:
            self._db.executemany(self._insert, block)

    def __contains__(self, key: object) -> bool:
        return self._db.execute(self._select, (key,)).fetchone() is not None


class Kept:
    """The keys of the nodes that leave, and of those that something that leaves speaks of."""

    def __init__(self) -> None:
        self._db = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self._db.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -32768;")
        self._nodes = Keys(self._db, "nodes")
        self.wanted = Keys(self._db, "wanted")

    def add(self, keys: Iterable[str]) -> None:
        """Add nodes that leave."""
        self._nodes.update(keys)

    def __contains__(self, key: object) -> bool:
        return key in self._nodes

    def close(self) -> None:
        """Delete the database."""
        self._db.close()
