"""A segment: an immutable set of chunks as arrays, in memory or memory-mapped from a folder.

======================  =====================================================================
``keys``                bytes of fixed width [n], ascending
``vectors``             float32 [n, d], unit rows
``lengths``             uint32 [n], terms per chunk
``columns``             int32 [5, n]: codes of scope, tier, document, patient, published
``term_ids``            uint64 [t], ascending: 64-bit hashes of the terms
``term_starts``         int64 [t + 1] into the two that follow (compressed sparse rows)
``term_rows``           uint32 [p]: the chunks that have the term, ascending
``term_counts``         uint32 [p]: how often
======================  =====================================================================

The words themselves are not stored; the names that the columns' codes stand for are in the segment's JSON.
"""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrieval.index.filters import Filter

COLUMNS = ("scope", "tier", "document", "patient", "published")
ARRAYS = ("keys", "vectors", "lengths", "columns", "term_ids", "term_starts", "term_rows", "term_counts")
Mask = NDArray[np.bool_]


@lru_cache(maxsize=200_000)
def term_id(term: str) -> int:
    """Return the 64-bit hash that stands for a term."""
    return int.from_bytes(hashlib.blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


@dataclass(frozen=True, slots=True)
class Segment:
    """Immutable arrays and the names behind the column codes; `dead` marks rows that are gone."""

    name: str
    arrays: Mapping[str, NDArray[Any]]
    names: Mapping[str, tuple[str, ...]]
    dead: Mask

    @property
    def rows(self) -> int:
        """Chunks in it, the dead included."""
        return len(self.arrays["keys"])

    @property
    def alive(self) -> int:
        """Chunks in it that are not dead."""
        return self.rows - int(np.count_nonzero(self.dead))

    def with_dead(self, dead: Mask) -> Segment:
        """Return the same segment with other tombstones."""
        return Segment(self.name, self.arrays, self.names, dead)

    def key(self, row: int) -> str:
        """Return the key of a row."""
        return bytes(self.arrays["keys"][row]).decode("utf-8")

    def _allowed(self, column: str, wanted: Sequence[str]) -> Mask:
        names = self.names[column]
        table = np.zeros(len(names), np.bool_)
        for value in wanted:
            at = bisect_left(names, value)
            if at < len(names) and names[at] == value:
                table[at] = True
        chosen: Mask = table[self.arrays["columns"][COLUMNS.index(column)]]
        return chosen

    def readable(self, where: Filter) -> Mask:
        """Return the rows that belong to the question's collection: scope, patient, date, not dead."""
        mask = self._allowed("scope", where.scopes) & ~self.dead
        if where.patient is not None:
            mask &= self._allowed("patient", [where.patient]) | (
                self._allowed("patient", [""]) & ~self._allowed("tier", ["user"]))
        if where.hidden:
            mask &= ~self._allowed("document", where.hidden)
        if where.as_of:
            day = where.as_of
            early = [p for p in self.names["published"] if p[: len(day)] <= day]
            mask &= self._allowed("published", early) | self._allowed("tier", ["user"])
        return mask

    def narrowed(self, mask: Mask, where: Filter) -> Mask:
        """Return the rows of `mask` that also have the tiers and documents asked for."""
        if where.tiers:
            mask = mask & self._allowed("tier", where.tiers)
        if where.documents:
            mask = mask & self._allowed("document", where.documents)
        return mask

    def postings(self, identifier: int) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
        """Return the rows that have the term, and how often."""
        ids = self.arrays["term_ids"]
        at = int(np.searchsorted(ids, np.uint64(identifier)))
        if at == len(ids) or int(ids[at]) != identifier:
            return np.empty(0, np.uint32), np.empty(0, np.uint32)
        start, end = self.arrays["term_starts"][at : at + 2]
        return self.arrays["term_rows"][start:end], self.arrays["term_counts"][start:end]


def contents(segment: Segment) -> dict[str, NDArray[Any] | bytes]:
    """Return the files of a segment by name."""
    files: dict[str, NDArray[Any] | bytes] = {f"{part}.npy": segment.arrays[part] for part in ARRAYS}
    files["names.json"] = json.dumps(segment.names, ensure_ascii=False, sort_keys=True).encode("utf-8", "surrogatepass")
    return files


def load(folder: Path) -> Segment:
    """Memory-map a saved segment, without tombstones (its files were checked before)."""
    arrays = {part: np.load(folder / f"{part}.npy", mmap_mode="r", allow_pickle=False) for part in ARRAYS}
    names = json.loads((folder / "names.json").read_bytes().decode("utf-8", "surrogatepass"))
    return Segment(folder.name, arrays, {k: tuple(v) for k, v in names.items()},
                   np.zeros(len(arrays["keys"]), np.bool_))
