"""What differs between the graph and a new release, on disk: a full release does not fit into memory.

One row per source, code, concept and relation that is to change, with all that writing it needs. What has not changed
has no row. The database is anonymous and vanishes with the process: after a kill the difference is taken again, and
holds then what is left to do.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from typing import Any

from graphkb.store.protocol import Row

MOST_ROWS = 500
MOST_CHARACTERS = 1_000_000
_TABLES = """
PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = FILE; PRAGMA cache_size = -32768;
CREATE TABLE sources (key TEXT PRIMARY KEY, op TEXT, row TEXT) WITHOUT ROWID;
CREATE TABLE codes (key TEXT PRIMARY KEY, op TEXT, row TEXT) WITHOUT ROWID;
CREATE TABLE concepts (key TEXT PRIMARY KEY, op TEXT, row TEXT) WITHOUT ROWID;
CREATE TABLE relations (key TEXT PRIMARY KEY, op TEXT, type TEXT, row TEXT) WITHOUT ROWID;
CREATE TABLE missing (key TEXT PRIMARY KEY, row TEXT) WITHOUT ROWID;
CREATE TABLE met (key TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE facts (what TEXT, key TEXT, PRIMARY KEY (what, key)) WITHOUT ROWID;
CREATE TABLE tallies (what TEXT PRIMARY KEY, n INTEGER) WITHOUT ROWID;
CREATE TABLE gone (key TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE touched (kind TEXT, key TEXT, scope TEXT, PRIMARY KEY (kind, key)) WITHOUT ROWID;
"""


class Plan:
    """The difference, by kind of thing and by what is to be done; a context manager."""

    def __init__(self) -> None:
        # "": an unnamed file in SQLite's temporary folder, unlinked once it is open
        self._db = sqlite3.connect("", isolation_level=None)
        self._db.executescript(_TABLES)

    def __enter__(self) -> Plan:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    # -- filling --------------------------------------------------------------------------------------------------

    def add(self, table: str, key: str, op: str, row: Row) -> None:
        """Plan one thing; the same thing met again (a code of several concepts) is one row."""
        self._db.execute(f"INSERT OR IGNORE INTO {table} VALUES (?, ?, ?)", (key, op, json.dumps(row)))  # noqa: S608

    def meet_codes(self, keys: Iterable[str]) -> None:
        """Take codes that the new release has."""
        self._db.executemany("INSERT OR IGNORE INTO met VALUES (?)", ((key,) for key in keys))

    def miss_code(self, key: str, row: Row) -> None:
        """Take a live code that was not met with its concept; it may be another concept's by now."""
        self._db.execute("INSERT OR IGNORE INTO missing VALUES (?, ?)", (key, json.dumps(row)))

    def end_codes(self) -> None:
        """Plan the end of live codes that the new release has nowhere, once all of it was met."""
        self._db.execute("INSERT INTO codes SELECT key, 'ended', row FROM missing"
                         " WHERE key NOT IN (SELECT key FROM met)")

    def note(self, what: str, keys: Iterable[str]) -> None:
        """Keep keys under a heading of the report."""
        self._db.executemany("INSERT OR IGNORE INTO facts VALUES (?, ?)", ((what, key) for key in keys))

    def tally(self, what: str, n: int) -> None:
        """Add to a count of the report."""
        if n:
            self._db.execute("INSERT INTO tallies VALUES (?, ?)"
                             " ON CONFLICT (what) DO UPDATE SET (n) = (n + excluded.n)",
                             (what, n))

    def expect_relations(self, type_: str, rows: Iterable[Row]) -> None:
        """Take the new release's relations; `meet_relation` then says what the graph has of them."""
        self._db.execute("BEGIN")
        self._db.executemany("INSERT OR IGNORE INTO relations VALUES (?, 'added', ?, ?)",
                             ((row["key"], type_, json.dumps(row)) for row in rows))
        self._db.execute("COMMIT")

    def meet_relation(self, type_: str, row: Row) -> None:
        """Compare one relation of the graph, live or ended, with the expected ones."""
        live = not row["to_release"]
        if live:
            if not self._db.execute("DELETE FROM relations WHERE key = ?", (row["key"],)).rowcount:
                self._db.execute("INSERT INTO relations VALUES (?, 'ended', ?, ?)",
                                 (row["key"], type_, json.dumps(row)))
        else:
            self._db.execute("UPDATE relations SET (op, row) = ('returned', json_set(row, '$.ended', ?)) WHERE key = ?",
                             (row["to_release"], row["key"]))

    def lacks(self, keys: Iterable[str]) -> None:
        """Take the graph's concepts that the new release has not."""
        self._db.executemany("INSERT OR IGNORE INTO gone VALUES (?)", ((key,) for key in keys))

    def touch(self, kind: str, rows: Iterable[Row]) -> None:
        """Take mentions, statements or facts that hang on concepts which change."""
        self._db.executemany("INSERT OR IGNORE INTO touched VALUES (?, ?, ?)",
                             ((kind, row["key"], row["scope"]) for row in rows))

    # -- reading --------------------------------------------------------------------------------------------------

    def batches(self, table: str, op: str) -> Iterator[list[Row]]:
        """Yield what is to be done in one way, in the order of keys, cut by rows and size; relations by type."""
        order = "type, key" if table == "relations" else "key"
        extra = ", type" if table == "relations" else ", ''"
        batch: list[Row] = []
        size, last = 0, ""
        for text, type_ in self._db.cursor().execute(
                f"SELECT row{extra} FROM {table} WHERE op = ? ORDER BY {order}", (op,)):  # noqa: S608 - names of ours
            if batch and (type_ != last or len(batch) == MOST_ROWS or size + len(text) > MOST_CHARACTERS):
                yield batch
                batch, size = [], 0
            batch.append(json.loads(text) | ({"type": type_} if type_ else {}))
            size, last = size + len(text), type_
        if batch:
            yield batch

    def lacking(self, size: int) -> Iterator[list[str]]:
        """Yield the keys given to `lacks`."""
        rows = self._db.cursor().execute("SELECT key FROM gone ORDER BY key")
        while block := rows.fetchmany(size):
            yield [key for (key,) in block]

    def changed_concepts(self, size: int) -> Iterator[list[str]]:
        """Yield the concepts that are there and change."""
        rows = self._db.cursor().execute("SELECT key FROM concepts WHERE op <> 'added' ORDER BY key")
        while block := rows.fetchmany(size):
            yield [key for (key,) in block]

    def count(self, table: str) -> dict[str, int]:
        """Return how many things of a kind are done in which way."""
        return dict(self._db.execute(f"SELECT op, count(*) FROM {table} GROUP BY op ORDER BY op"))  # noqa: S608

    def report(self, most_keys: int) -> dict[str, Any]:
        """Return the counts, and the keys behind them, at most so many of each."""
        noted = self._db.execute("SELECT what, count(*) FROM facts GROUP BY what").fetchall()
        keys = {what: [key for (key,) in self._db.execute(
            "SELECT key FROM facts WHERE what = ? ORDER BY key LIMIT ?", (what, most_keys))] for what, _ in noted}
        by_type: dict[str, dict[str, int]] = {}
        for type_, op, n in self._db.execute("SELECT type, op, count(*) FROM relations GROUP BY type, op"):
            by_type.setdefault(type_, {})[op] = n
        touched: dict[str, dict[str, int]] = {"facts": {}, "mentions": {}, "statements": {}}
        for kind, scope, n in self._db.execute(
                "SELECT kind, scope, count(*) FROM touched GROUP BY kind, scope ORDER BY kind, scope"):
            touched[kind][scope] = n
            keys[f"{kind} of {scope}"] = [key for (key,) in self._db.execute(
                "SELECT key FROM touched WHERE kind = ? AND scope = ? ORDER BY key LIMIT ?", (kind, scope, most_keys))]
        return {"concepts": {what: n for what, n in sorted([*noted, *self._db.execute("SELECT * FROM tallies")])},
                "codes": self.count("codes"), "relations": self.count("relations"),
                "relations_by_type": dict(sorted(by_type.items())), "sources": self.count("sources"),
                "touches": touched, "keys": keys}

    @property
    def empty(self) -> bool:
        """Whether graph and release are the same."""
        return not any(self.count(table) for table in ("sources", "codes", "concepts", "relations"))
