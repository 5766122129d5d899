"""Segments made in memory: from chunks, or from the living chunks of other segments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphkb.errors import EncoderError
from retrieval.index.filters import ChunkRow
from retrieval.index.segment import COLUMNS, Segment, term_id
from retrieval.text import terms


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
    return _compress(ids, rows, counts)


def _compress(ids: NDArray[np.uint64], rows: NDArray[np.uint32], counts: NDArray[np.uint32]) -> dict[str, NDArray[Any]]:
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
              **_compress(np.concatenate(ids), np.concatenate(rows), np.concatenate(counts))}
    return Segment(name, arrays, names, np.zeros(len(order), np.bool_))
