"""Cutting rows into batches that every server takes.

ArcadeDB's Bolt refuses a message over 16 MiB in a way that leaves the driver waiting for ever, so no
larger message is ever sent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from graphkb.errors import BatchTooLarge

_OVERHEAD = 9
_NUMBERS = frozenset((float, int, bool))


def packed_size(value: Any) -> int:
    """Return at least the bytes that a value takes in a Bolt message (never fewer, up to about twice as many).

    A list of numbers is counted from its length, which makes vectors cheap to measure.
    """
    if isinstance(value, str):
        return 5 + (len(value) if value.isascii() else len(value.encode("utf-8", "surrogatepass")))
    if isinstance(value, dict):
        return 5 + sum(5 + len(name.encode()) + packed_size(item) for name, item in value.items())
    if isinstance(value, list | tuple):
        if _NUMBERS.issuperset(map(type, value)):
            return 5 + _OVERHEAD * len(value)
        return 5 + sum(map(packed_size, value))
    if isinstance(value, bytes | bytearray):
        return 5 + len(value)
    return _OVERHEAD


def check_size(name: str, text: str, params: Mapping[str, Any], limit: int) -> int:
    """Return the size of a statement without its rows; raise `BatchTooLarge` GKB-206 over the limit."""
    size = len(text) + packed_size(dict(params))
    if size > limit:
        raise BatchTooLarge("GKB-206", where=name, detail=f"about {size} bytes, the limit is {limit}")
    return size


class CutRows(list[Any]):
    """Rows that know their batches already: measured by a thread that prepares while another one writes."""

    def __init__(self, name: str, rows: Sequence[Any], *, most_rows: int, most_bytes: int,
                 weights: Sequence[int] | None = None) -> None:
        super().__init__(rows)
        self.batches: list[list[Any]] = []
        for batch in cut(name, rows, fixed=0, most_rows=most_rows, most_bytes=most_bytes // 2):
            self.batches += [batch] if weights is None else self._weighed(batch, weights, most_rows)

    def _weighed(self, batch: list[Any], weights: Sequence[int], most: int) -> list[list[Any]]:
        """Cut a batch further where its rows stand for several each."""
        at = sum(map(len, self.batches))
        parts: list[list[Any]] = [[]]
        held = 0
        for row, weight in zip(batch, weights[at:at + len(batch)], strict=True):
            if parts[-1] and held + weight > most:
                parts.append([])
                held = 0
            parts[-1].append(row)
            held += weight
        return parts


def cut(name: str, rows: Sequence[Any], *, fixed: int, most_rows: int, most_bytes: int) -> Iterator[list[Any]]:
    """Yield the rows in order, in lists of at most ``most_rows`` rows and ``most_bytes - fixed`` bytes.

    Raises
    ------
    BatchTooLarge
        GKB-206: one row alone is over the limit; the message has its number, never its content.
    """
    batch: list[Any] = []
    size = fixed
    for number, row in enumerate(rows):
        row_size = packed_size(row)
        if fixed + row_size > most_bytes:
            raise BatchTooLarge("GKB-206", where=f"{name}, row {number}",
                                detail=f"about {row_size} bytes in one row, the limit is {most_bytes}")
        if batch and (len(batch) == most_rows or size + row_size > most_bytes):
            yield batch
            batch, size = [], fixed
        batch.append(row)
        size += row_size
    if batch:
        yield batch
