"""A transaction that answers reads from a script and keeps what was written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from graphkb.store.protocol import Counters, Row


class ScriptedTx:
    """Stands for a store and for its transactions: reads answer by name, else with nothing."""

    def __init__(self, reads: Mapping[str, list[Row] | Callable[..., list[Row]]] | None = None) -> None:
        self.reads = dict(reads or {})
        self.asked: list[str] = []
        self.written: list[tuple[str, dict[str, Any], dict[str, int] | None]] = []

    def read(self, name: str, /, **params: Any) -> list[Row]:
        self.asked.append(name)
        answer = self.reads.get(name, [])
        return answer(**params) if callable(answer) else answer

    def write(self, name: str, /, *, expect: Mapping[str, int] | None = None, **params: Any) -> Counters:
        self.written.append((name, params, dict(expect) if expect is not None else None))
        return Counters()

    def transaction(self, work: Callable[[Any], Any]) -> Any:
        return work(self)

    @property
    def names(self) -> list[str]:
        return [name for name, _, _ in self.written]

    def rows(self, name: str) -> list[Row]:
        (found,) = [params["rows"] for written, params, _ in self.written if written == name]
        return list(found)

    def expected(self, name: str) -> dict[str, int] | None:
        (found,) = [expect for written, _, expect in self.written if written == name]
        return found
