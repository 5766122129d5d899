"""The store over Bolt: named statements, one writer, errors of our own."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from neo4j import READ_ACCESS, WRITE_ACCESS, Result, Transaction
from neo4j import Query as Statement

from graphkb.config import Settings
from graphkb.errors import QueryError, StoreError
from graphkb.queries import Library, Query, load
from graphkb.store import migrations
from graphkb.store.batches import CutRows, check_size, cut
from graphkb.store.connection import Connection
from graphkb.store.embedded import Heartbeat
from graphkb.store.endpoint import Endpoint
from graphkb.store.protocol import Counters, Row, Table, Tx
from graphkb.store.retry import retrying
from graphkb.store.values import plain
from graphkb.store.watchdog import Guard
from graphkb.store.writer_lock import WriterLock

T = TypeVar("T")
_WRITER_WAITS = 10


class _OpenTx:
    """An open transaction."""

    def __init__(self, store: BoltStore, tx: Transaction, guard: Guard) -> None:
        self._store = store
        self._tx = tx
        self._guard = guard

    def read(self, name: str, /, **params: Any) -> list[Row]:
        """Run a named query inside the transaction and return its rows."""
        query = self._store.named(name, "read", params)
        check_size(name, query.text, params, self._store.most_bytes)
        result = self._run(query, params)
        rows = [dict(record) for record in result]
        self._guard.disarm()
        return rows

    def write(self, name: str, /, *, expect: Mapping[str, int] | None = None, **params: Any) -> Counters:
        """Run a named write in batches; see `graphkb.store.protocol.Tx.write`."""
        query = self._store.named(name, "write", params)
        total = Counters()
        for batch in self._store.batches(query, params):
            found = self._run(query, batch).consume().counters
            self._guard.disarm()
            total += Counters(found.nodes_created, found.nodes_deleted, found.relationships_created,
                              found.relationships_deleted, found.properties_set)
        for counter, wanted in (expect or {}).items():
            if getattr(total, counter) != wanted:
                raise StoreError("GKB-211", where=name,
                                 detail=f"{counter} is {getattr(total, counter)}, expected {wanted}")
        return total

    def _run(self, query: Query, params: Mapping[str, Any]) -> Result:
        self._guard.arm()
        return self._tx.run(query.text, dict(params))


class BoltStore:
    """A store for every server behind Bolt; see `graphkb.store.protocol.Store`."""

    def __init__(self, settings: Settings, opener: Callable[[], Endpoint]) -> None:
        self._settings = settings.store
        self.most_bytes = settings.store.max_batch_bytes
        self._connection = Connection(opener, settings.store.timeout_s)
        self._heartbeat = Heartbeat(settings) if self._connection.endpoint.embedded else None
        self._writer = WriterLock(self._connection.endpoint, _WRITER_WAITS * settings.store.timeout_s)
        self.dialect = self._connection.dialect
        self.library: Library = load(self.dialect)

    def named(self, name: str, mode: str, params: dict[str, Any]) -> Query:
        """Return the named query after checking its mode and its parameters' names."""
        query = self.library[name]
        if query.mode != mode:
            raise QueryError("GKB-303", where=name, detail=f"a {query.mode} query was used to {mode}")
        query.check(params)
        return query

    def batches(self, query: Query, params: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
        """Yield the parameters, with ``rows`` cut by number and bytes (nothing for no rows)."""
        if "rows" not in params:
            check_size(query.name, query.text, params, self.most_bytes)
            yield params
            return
        rest = {name: value for name, value in params.items() if name != "rows"}
        if isinstance(params["rows"], CutRows):
            for rows in params["rows"].batches:
                yield {**rest, "rows": rows}
            return
        fixed = check_size(query.name, query.text, rest, self.most_bytes)
        for rows in cut(query.name, params["rows"], fixed=fixed, most_rows=self._settings.batch_rows,
                        most_bytes=self.most_bytes):
            yield {**rest, "rows": rows}

    def read(self, name: str, /, **params: Any) -> list[Row]:
        """Run a named read query in a read session, retried on passing errors."""
        query = self.named(name, "read", params)
        check_size(name, query.text, params, self.most_bytes)

        def once() -> list[Row]:
            with self._connection.session(READ_ACCESS, name) as (session, _):
                statement = Statement(query.text, timeout=self._settings.timeout_s)
                return [dict(record) for record in session.run(statement, params)]

        return retrying(once, on_break=self._connection.renew)

    def stream(self, name: str, /, **params: Any) -> Iterator[Row]:
        """Run a named read query and yield rows as they come. A break in the middle is not retried."""
        query = self.named(name, "read", params)
        check_size(name, query.text, params, self.most_bytes)
        with self._connection.session(READ_ACCESS, name) as (session, guard):
            result = session.run(query.text, params)
            while True:
                guard.arm()
                record = next(result, None)
                guard.disarm()
                if record is None:
                    return
                yield dict(record)

    def transaction(self, work: Callable[[Tx], T]) -> T:
        """Run ``work`` in one write transaction under the writer's lock, and again on a retryable error."""

        def once() -> T:
            with (self._writer.hold(), self._connection.session(WRITE_ACCESS, "transaction") as (session, guard),
                  session.begin_transaction(timeout=self._settings.timeout_s) as tx):
                open_tx = _OpenTx(self, tx, guard)
                open_tx.write("take_writer_lock")
                done = work(open_tx)
                guard.arm()
                tx.commit()
                return done

        try:
            return retrying(once, on_break=self._connection.renew)
        except StoreError as error:
            if error.code == "GKB-207" and self._disk_is_full():
                raise StoreError("GKB-212", where=error.where, detail="ENOSPC") from None
            raise

    def _disk_is_full(self) -> bool:
        """Whether the embedded server has no room: it tells a lost transaction then, and not why."""
        folder = self._connection.endpoint.folder
        return folder is not None and shutil.disk_usage(folder).free < self._settings.max_batch_bytes

    def write(self, name: str, /, *, expect: Mapping[str, int] | None = None, **params: Any) -> Counters:
        """Run one named write as a transaction of its own."""
        self.named(name, "write", params)
        return self.transaction(lambda tx: tx.write(name, expect=expect, **params))

    def free_read(self, text: str, params: Mapping[str, Any], *, limit: int, timeout_s: float) -> Table:
        """Run free Cypher that the guard has passed; the server refuses any write in it."""
        where = "free cypher"
        check_size(where, text, params, self.most_bytes)
        connection = self._connection
        with (connection.session(READ_ACCESS, where, reader=True, free=True, limit_s=timeout_s) as (session, _),
              session.begin_transaction(timeout=timeout_s) as tx):
            result = tx.run(text, dict(params))
            records = result.fetch(limit + 1)
            columns = tuple(result.keys())
            result.consume()
        rows = [tuple(plain(value) for value in record.values()) for record in records[:limit]]
        return Table(columns, rows, truncated=len(records) > limit)

    def explain(self, text: str, params: Mapping[str, Any]) -> str:
        """Return the server's plan of free Cypher that the guard has passed; nothing of it is run."""
        with self._connection.session(READ_ACCESS, "free cypher", reader=True, free=True) as (session, _):
            plan = session.run(f"EXPLAIN {text}", dict(params)).consume().plan or {}
        return str(plan.get("args", {}).get("string-representation", "the server gave no plan"))

    def migrate(self) -> list[str]:
        """Bring the schema up to date; return the names of the migrations that ran now."""
        return migrations.migrate(self, self._connection, self._writer)

    def info(self) -> dict[str, Any]:
        """Return kind, version, address (no secret) and sizes."""
        endpoint = self._connection.endpoint
        counts = {row["label"]: row["n"] for row in self.read("count_labels") if row["n"]}
        return {"kind": "embedded" if endpoint.embedded else "bolt", "dialect": self.dialect,
                "version": self._connection.version, "agent": self._connection.agent,
                "protocol": self._connection.protocol, "uri": endpoint.uri, "database": endpoint.database,
                "migrations": [row["name"] for row in self.read("list_migrations")], "nodes": counts}

    def close(self) -> None:
        """Give back the connections (the embedded server goes on until it is idle)."""
        if self._heartbeat is not None:
            self._heartbeat.close()
        self._connection.close()
