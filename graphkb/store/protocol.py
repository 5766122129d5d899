"""What the application sees of a store."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from graphkb.queries import Library

T = TypeVar("T")
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Counters:
    """What a write changed, as the server counted it (summed over batches)."""

    nodes_created: int = 0
    nodes_deleted: int = 0
    relationships_created: int = 0
    relationships_deleted: int = 0
    properties_set: int = 0

    def __add__(self, other: Counters) -> Counters:
        return Counters(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))


@dataclass(frozen=True, slots=True)
class Table:
    """The result of free Cypher: columns, rows, and whether a limit cut it."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    truncated: bool


class Tx(Protocol):
    """An open transaction."""

    def read(self, name: str, /, **params: Any) -> list[Row]:
        """Run a named query inside the transaction and return its rows."""
        ...

    def write(self, name: str, /, *, expect: Mapping[str, int] | None = None, **params: Any) -> Counters:
        """Run a named write. A ``rows`` list is cut into batches by rows and bytes.

        ``expect`` gives the counters that must come out (``{"nodes_created": 3}``); any difference raises
        `StoreError` GKB-211 and rolls the transaction back: a missing end of an edge drops a row silently otherwise.
        """
        ...


class Store(Protocol):
    """A graph database behind Bolt. One writer at a time; reads are free."""

    dialect: str
    library: Library

    def read(self, name: str, /, **params: Any) -> list[Row]:
        """Run a named read query in a read session, retried on passing errors."""
        ...

    def stream(self, name: str, /, **params: Any) -> Iterator[Row]:
        """Run a named read query and yield rows as they come, with flat memory."""
        ...

    def transaction(self, work: Callable[[Tx], T]) -> T:
        """Run ``work`` in one write transaction under the writer's lock, and again on a retryable error.

        ``work`` may run more than once, so it changes nothing outside the transaction.
        """
        ...

    def write(self, name: str, /, *, expect: Mapping[str, int] | None = None, **params: Any) -> Counters:
        """Run one named write as a transaction of its own."""
        ...

    def free_read(self, text: str, params: Mapping[str, Any], *, limit: int, timeout_s: float) -> Table:
        """Run free Cypher that the guard has passed, read-only, with row and time limits."""
        ...

    def explain(self, text: str, params: Mapping[str, Any]) -> str:
        """Return the server's plan of free Cypher that the guard has passed; nothing of it is run."""
        ...

    def migrate(self) -> list[str]:
        """Bring the schema up to date; return the names of the migrations that ran now."""
        ...

    def info(self) -> dict[str, Any]:
        """Return kind, version, address (no secret) and sizes."""
        ...

    def close(self) -> None:
        """Give back the connections (the embedded server goes on until it is idle)."""
        ...
