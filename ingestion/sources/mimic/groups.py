"""Aggregation of many rows about one thing of one owner, in any number of parts that are merged exactly.

A group is the same whatever else the folder holds and wherever it was cut for the staging database: sums are kept as
whole millionths, and ties of time are broken by the row's number.
"""

from __future__ import annotations

from typing import Any, NamedTuple

MILLION = 1_000_000
_LATE = "\uffff"
Point = tuple[str, int, str, float | None, float | None, float | None]


class Sample(NamedTuple):
    """What one row adds to a group: a value shown at a time, and what to count."""

    group: str
    time: str = ""
    shown: str = ""
    value: float | None = None
    low: float | None = None
    high: float | None = None
    flag: bool = False
    masked: bool = False
    event: str = ""
    counts: bool = True
    rate: float | None = None
    rate_unit: str = ""
    until: str = ""


class Measure:
    """Count, sum, least and greatest of some numbers."""

    __slots__ = ("high", "low", "n", "total")

    def __init__(self, n: int = 0, total: int = 0, low: float = float("inf"), high: float = float("-inf")) -> None:
        self.n, self.total, self.low, self.high = n, total, low, high

    def add(self, value: float) -> None:
        """Take a number."""
        self.n += 1
        self.total += round(value * MILLION)
        self.low = min(self.low, value)
        self.high = max(self.high, value)

    def merge(self, other: Measure) -> None:
        """Take another measure's numbers."""
        self.n += other.n
        self.total += other.total
        self.low = min(self.low, other.low)
        self.high = max(self.high, other.high)

    @property
    def sum(self) -> float:
        """The sum, to the millionth."""
        return self.total / MILLION

    def state(self) -> list[Any]:
        """Return what JSON keeps."""
        return [self.n, self.total, self.low, self.high] if self.n else []


class Group:
    """Rows about one thing of one owner."""

    __slots__ = ("counted", "events", "first", "flags", "last", "masked", "measures", "n")

    def __init__(self) -> None:
        self.n = self.counted = self.flags = self.masked = 0
        # (time, row number, value as shown, number, low, high) of the first and the last row that counts
        self.first: Point | None = None
        self.last: Point | None = None
        self.events: dict[str, int] = {}
        self.measures: dict[str, Measure] = {}

    def add(self, number: int, sample: Sample) -> None:
        """Take a row."""
        self.n += 1
        self.flags += sample.flag
        self.masked += sample.masked
        if sample.event:
            self.events[sample.event] = self.events.get(sample.event, 0) + 1
        if not sample.counts:
            return
        self.counted += 1
        point = (sample.time, number, sample.shown, sample.value, sample.low, sample.high)
        self._take_first(point)
        self._take_last((sample.until, *point[1:]) if sample.until else point)
        if sample.value is not None:
            self.measure("", sample.value)
        if sample.rate is not None:
            self.measure(f"rate:{sample.rate_unit}", sample.rate)

    def measure(self, name: str, value: float) -> None:
        """Take a number under a name."""
        if name not in self.measures:
            self.measures[name] = Measure()
        self.measures[name].add(value)

    def _take_first(self, point: Point) -> None:
        if self.first is None or (point[0] or _LATE, point[1]) < (self.first[0] or _LATE, self.first[1]):
            self.first = point

    def _take_last(self, point: Point) -> None:
        if self.last is None or point[:2] > self.last[:2]:
            self.last = point

    def merge(self, other: Group) -> None:
        """Take another part of the same group."""
        self.n += other.n
        self.counted += other.counted
        self.flags += other.flags
        self.masked += other.masked
        if other.first is not None and other.last is not None:
            self._take_first(other.first)
            self._take_last(other.last)
        for event, n in other.events.items():
            self.events[event] = self.events.get(event, 0) + n
        for name, measure in other.measures.items():
            self.measures.setdefault(name, Measure()).merge(measure)

    def state(self) -> list[Any]:
        """Return what JSON keeps."""
        return [self.n, self.counted, self.flags, self.masked, self.first, self.last, self.events,
                {name: measure.state() for name, measure in self.measures.items()}]

    @classmethod
    def restore(cls, state: list[Any]) -> Group:
        """Return the group that `state` described."""
        group = cls()
        group.n, group.counted, group.flags, group.masked, first, last, group.events, measures = state
        group.first = tuple(first) if first else None
        group.last = tuple(last) if last else None
        group.measures = {name: Measure(*parts) for name, parts in measures.items()}
        return group


class Bits:
    """A set of whole numbers as bits, by pages: about one byte for eight neighbouring ids."""

    _PAGE = 1 << 15

    def __init__(self) -> None:
        self._pages: dict[int, bytearray] = {}

    def add(self, number: int) -> bool:
        """Add a number; False where it is there already."""
        page, bit = divmod(number, self._PAGE)
        if page not in self._pages:
            self._pages[page] = bytearray(self._PAGE // 8)
        byte, mask = bit >> 3, 1 << (bit & 7)
        if self._pages[page][byte] & mask:
            return False
        self._pages[page][byte] |= mask
        return True
