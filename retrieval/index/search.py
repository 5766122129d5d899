"""Exact search over segments: vectors by scalar product, text by BM25.

Both answer the same for the same chunks, however they came to lie in segments: statistics are sums of integers,
final scores are computed per chunk in double precision, and equal scores are ordered by key.

BM25 (Robertson and Zaragoza 2009, eq. 3.15; idf as in Lucene): ``sum over the question's terms of
ln(1 + (N - df + 0.5) / (df + 0.5)) * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / mean length))``.
N, df and the mean length are those of the collection that the question may read (scope, patient, date): text
outside it has no influence on the order, so nothing of it shows through.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrieval.index.filters import Filter, Hit
from retrieval.index.segment import Mask, Segment, term_id
from retrieval.text import terms

K1 = 0.9
B = 0.4
_BLOCK = 16_384
# More than any difference between a float32 product in some order and the exact one, for unit vectors.
_SLACK = 1e-5

Scores = NDArray[np.float64]
Found = tuple[int, NDArray[np.intp], Scores]  # segment, rows, scores


def _best(segments: Sequence[Segment], found: Sequence[Found], k: int) -> list[Hit]:
    """Return the k best by score, then key."""
    if not found:
        return []
    scores = np.concatenate([one[2] for one in found])
    if len(scores) > k:
        floor = np.partition(scores, len(scores) - k)[len(scores) - k]
        found = [(number, rows[kept], some[kept]) for number, rows, some in found for kept in [some >= floor]]
    hits = [Hit(segments[number].key(int(row)), float(score))
            for number, rows, some in found for row, score in zip(rows, some, strict=True)]
    return sorted(hits, key=lambda hit: (-hit.score, hit.key))[:k]


def _scan(segment: Segment, mask: Mask, queries: NDArray[np.float32], k: int) -> list[NDArray[np.intp]]:
    """Return, for each query, the rows of one segment that can be among the k best."""
    chosen = np.flatnonzero(mask)
    whole = len(chosen) * 2 > len(mask)
    rows_of: list[list[NDArray[np.intp]]] = [[] for _ in queries]
    scores_of: list[list[NDArray[np.float32]]] = [[] for _ in queries]
    vectors = segment.arrays["vectors"]
    for start in range(0, len(mask) if whole else len(chosen), _BLOCK):
        rows = np.arange(start, min(start + _BLOCK, len(mask))) if whole else chosen[start : start + _BLOCK]
        scores = (vectors[start : start + _BLOCK] if whole else vectors[rows]) @ queries.T
        if whole:
            keep = mask[rows]
            rows, scores = rows[keep], scores[keep]
        for number in range(len(queries)):
            some = scores[:, number]
            if len(some) > k:
                close = some >= np.partition(some, len(some) - k)[len(some) - k] - _SLACK
                rows_of[number].append(rows[close])
                scores_of[number].append(some[close])
            else:
                rows_of[number].append(rows)
                scores_of[number].append(some)
    out = []
    for blocks, values in zip(rows_of, scores_of, strict=True):
        rows, some = np.concatenate(blocks), np.concatenate(values)
        if len(some) > k:
            rows = rows[some >= np.partition(some, len(some) - k)[len(some) - k] - _SLACK]
        out.append(rows)
    return out


def search_vectors(segments: Sequence[Segment], queries: NDArray[np.float32], k: int, where: Filter) -> list[list[Hit]]:
    """Return, for each query vector [m, d], the k chunks of the greatest scalar product."""
    queries = np.ascontiguousarray(queries, np.float32)
    found: list[list[Found]] = [[] for _ in queries]
    for number, segment in enumerate(segments):
        mask = segment.narrowed(segment.readable(where), where)
        if not mask.any():
            continue
        for query, rows, mine in zip(queries, _scan(segment, mask, queries, k), found, strict=True):
            # row by row in double precision: the same value wherever the chunk lies
            exact = np.sum(segment.arrays["vectors"][rows].astype(np.float64) * query.astype(np.float64), axis=1)
            mine.append((number, rows, exact))
    return [_best(segments, one, k) for one in found]


@dataclass(frozen=True, slots=True)
class _Collection:
    """What the question may read: a mask per segment, its size, its mean length."""

    masks: list[Mask]
    size: int
    mean: float

    @classmethod
    def of(cls, segments: Sequence[Segment], where: Filter) -> _Collection:
        masks = [segment.readable(where) for segment in segments]
        size = sum(int(np.count_nonzero(mask)) for mask in masks)
        total = sum(int(segment.arrays["lengths"][mask].sum(dtype=np.int64))
                    for segment, mask in zip(segments, masks, strict=True))
        return cls(masks, size, max(total / size, 1.0) if size else 1.0)


def _bm25(segments: Sequence[Segment], text: str, collection: _Collection, k: int, wanted: Sequence[Mask],
          size: int) -> list[Hit]:
    totals: list[Any] = [None] * len(segments)
    for term in sorted(set(terms(text))):
        lists = []
        for number, segment in enumerate(segments):
            rows, counts = segment.postings(term_id(term))
            readable = collection.masks[number][rows]
            lists.append((rows[readable], counts[readable]))
        df = sum(len(rows) for rows, _ in lists)
        if not df:
            continue
        idf = math.log(1 + (size - df + 0.5) / (df + 0.5))
        for number, (rows, counts) in enumerate(lists):
            if not len(rows):
                continue
            if totals[number] is None:
                totals[number] = np.zeros(segments[number].rows, np.float64)
            tf = counts.astype(np.float64)
            length = segments[number].arrays["lengths"][rows].astype(np.float64)
            totals[number][rows] += idf * tf * (K1 + 1) / (tf + K1 * (1 - B + B * length / collection.mean))
    found: list[Found] = []
    for number, total in enumerate(totals):
        if total is not None:
            matching = np.flatnonzero((total > 0) & wanted[number])
            found.append((number, matching, total[matching]))
    return _best(segments, found, k)


def search_texts(segments: Sequence[Segment], queries: Sequence[str], k: int, where: Filter,
                 size: int | None = None) -> list[list[Hit]]:
    """Return, for each text, the k chunks of the greatest BM25 score (above zero).

    ``size`` replaces N where the segments hold only the chunks that have some of the terms.
    """
    collection = _Collection.of(segments, where)
    wanted = [segment.narrowed(mask, where) for segment, mask in zip(segments, collection.masks, strict=True)]
    return [_bm25(segments, text, collection, k, wanted, max(size or 0, collection.size)) for text in queries]


def rarity(segments: Sequence[Segment], wanted: Sequence[str], where: Filter) -> dict[str, float]:
    """Return the idf of each term in the collection that the question may read; the greatest where it has none."""
    collection = _Collection.of(segments, where)
    out: dict[str, float] = {}
    for term in wanted:
        df = sum(int(np.count_nonzero(mask[segment.postings(term_id(term))[0]]))
                 for segment, mask in zip(segments, collection.masks, strict=True))
        out[term] = math.log(1 + (collection.size - df + 0.5) / (df + 0.5))
    return out
