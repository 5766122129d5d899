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
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphkb.errors import EncoderError
from retrieval.index.filters import ChunkRow, Filter
from retrieval.text import terms

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
        if where.as_of is not None:
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


def _checked_vectors(rows: Sequence[ChunkRow], dimension: int) -> NDArray[np.float32]:
    vectors = np.zeros((len(rows), dimension), np.float32)
    for number, row in enumerate(rows):
        if len(row.vector) != dimension:
            raise EncoderError("GKB-506", where=row.key, detail=f"{len(row.vector)} instead of {dimension}")
        vectors[number] = row.vector
    norms = np.linalg.norm(vectors, axis=1)
    bad = np.flatnonzero(~np.isfinite(norms) | (norms < 1e-6))
    if len(bad):
        raise EncoderError("GKB-501", where=rows[int(bad[0])].key)
    vectors /= norms[:, None]
    return vectors


def _postings(found: Sequence[Mapping[str, int]]) -> dict[str, NDArray[Any]]:
    sizes = [len(one) for one in found]
    ids = np.fromiter((term_id(term) for one in found for term in one), np.uint64, sum(sizes))
    counts = np.fromiter((n for one in found for n in one.values()), np.uint32, sum(sizes))
    rows = np.repeat(np.arange(len(found), dtype=np.uint32), sizes)
    return compress(ids, rows, counts)


def compress(ids: NDArray[np.uint64], rows: NDArray[np.uint32], counts: NDArray[np.uint32]) -> dict[str, NDArray[Any]]:
    """Sort postings by term and row into compressed sparse rows."""
    order = np.lexsort((rows, ids))
    unique, starts = np.unique(ids[order], return_index=True)
    return {"term_ids": unique, "term_starts": np.append(starts, len(ids)).astype(np.int64),
            "term_rows": rows[order], "term_counts": counts[order]}


def build(name: str, rows: Sequence[ChunkRow], dimension: int) -> Segment:
    """Build a segment in memory.

    Raises
    ------
    EncoderError
        GKB-506 (a vector's length) or GKB-501 (not finite, or zero); the message names the chunk's key.
    """
    rows = sorted(rows, key=lambda row: row.key)
    found = [Counter(terms(row.searched)) for row in rows]
    names: dict[str, tuple[str, ...]] = {}
    codes = np.zeros((len(COLUMNS), len(rows)), np.int32)
    for number, column in enumerate(COLUMNS):
        values = [getattr(row, column) for row in rows]
        names[column] = tuple(sorted(set(values)))
        code = {value: i for i, value in enumerate(names[column])}
        codes[number] = [code[value] for value in values]
    arrays: dict[str, NDArray[Any]] = {
        "keys": np.array([row.key.encode() for row in rows], dtype=np.bytes_),
        "vectors": _checked_vectors(rows, dimension),
        "lengths": np.array([sum(one.values()) for one in found], np.uint32),
        "columns": codes,
        **_postings(found),
    }
    return Segment(name, arrays, names, np.zeros(len(rows), np.bool_))


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


def merge(name: str, segments: Sequence[Segment]) -> Segment:
    """Return one segment with the living chunks of several, in memory."""
    keys = np.concatenate([segment.arrays["keys"][~segment.dead] for segment in segments])
    order = np.argsort(keys, kind="stable")
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    names: dict[str, tuple[str, ...]] = {}
    columns = np.zeros((len(COLUMNS), len(order)), np.int32)
    for number, column in enumerate(COLUMNS):
        values = [[segment.names[column][code] for code in segment.arrays["columns"][number][~segment.dead]]
                  for segment in segments]
        flat = [value for some in values for value in some]
        names[column] = tuple(sorted(set(flat)))
        code = {value: i for i, value in enumerate(names[column])}
        columns[number, place] = [code[value] for value in flat]
    ids, rows, counts, start = [], [], [], 0
    for segment in segments:
        alive = ~segment.dead
        new = np.full(segment.rows, -1, np.int64)
        new[alive] = place[start : start + segment.alive]
        start += segment.alive
        moved = new[segment.arrays["term_rows"]]
        kept = moved >= 0
        ids.append(np.repeat(segment.arrays["term_ids"], np.diff(segment.arrays["term_starts"]))[kept])
        rows.append(moved[kept].astype(np.uint32))
        counts.append(segment.arrays["term_counts"][kept])

    def gathered(part: str) -> NDArray[Any]:
        joined: NDArray[Any] = np.concatenate([s.arrays[part][~s.dead] for s in segments])
        return joined[order]

    arrays = {"keys": keys[order], "vectors": gathered("vectors"), "lengths": gathered("lengths"), "columns": columns,
              **compress(np.concatenate(ids), np.concatenate(rows), np.concatenate(counts))}
    return Segment(name, arrays, names, np.zeros(len(order), np.bool_))
