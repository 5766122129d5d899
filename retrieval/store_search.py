"""Search through the database's own full-text and vector indexes, ranked again exactly.

A server's indexes are approximate, filter after a global top-k, and score each in its own way. So a filter that
leaves few chunks is scanned exactly through a named query, a vector search that came back short is repeated as a
scan, and every list is ranked by the same arithmetic as the local index. What stays approximate: which chunks a
large collection's vector index brings, and document frequencies where more than `MOST_HITS` chunks share a word.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphkb.store import lucene
from graphkb.store.protocol import Row, Store
from retrieval.index import ChunkRow, Filter, Hit
from retrieval.index.build import build
from retrieval.index.search import search_texts, search_vectors
from retrieval.index.segment import Segment
from retrieval.index.writer import chunk_row
from retrieval.text import STOP_WORDS, fold

SELECTIVE = 2_000
OVER_FETCH = 200
MOST_HITS = 2_000
_SCAN_ROWS = 5_000


class StoreSearch:
    """The search half of `ChunkIndex` over a store, without any local file."""

    def __init__(self, store: Store, dimension: int) -> None:
        self._store = store
        self._dimension = dimension

    def search_vectors_many(self, vectors: NDArray[np.float32], k: int, where: Filter) -> list[list[Hit]]:
        """Return, for each unit vector of [m, d], the nearest chunks within the filter."""
        size = self._count(where)
        if size <= SELECTIVE:
            return self._scan(where, lambda segments: search_vectors(segments, vectors, k, where))
        out = []
        for vector in vectors:
            rows = self._store.read("search_chunk_vectors", vector=[float(x) for x in vector],
                                    fetch=max(OVER_FETCH, 4 * k), **_parameters(where))
            if len(rows) < min(k, size):
                return self._scan(where, lambda segments: search_vectors(segments, vectors, k, where))
            out.append(search_vectors([self._segment(rows)], vector[None, :], k, where)[0])
        return out

    def search_texts(self, texts: Sequence[str], k: int, where: Filter) -> list[list[Hit]]:
        """Return, for each text, the best chunks by BM25 within the filter."""
        size = self._count(where)
        if size <= SELECTIVE:
            return self._scan(where, lambda segments: search_texts(segments, texts, k, where))
        out: list[list[Hit]] = []
        for text in texts:
            words = [word for word in fold(text).split() if word not in STOP_WORDS]
            query = lucene.escape(" ".join(words))
            rows = self._store.read("search_chunk_text", query=query, limit=max(MOST_HITS, k),
                                    **_parameters(where)) if query else []
            out.append(search_texts([self._segment(rows)], [text], k, where, size)[0] if rows else [])
        return out

    def _count(self, where: Filter) -> int:
        return int(self._store.read("count_filtered_chunks", **_parameters(where))[0]["n"])

    def _segment(self, rows: Sequence[Row]) -> Segment:
        return self._built({row["key"]: chunk_row(row) for row in rows})

    def _built(self, rows: dict[str, ChunkRow]) -> Segment:
        return build("rows", list(rows.values()), self._dimension)

    def _scan(self, where: Filter, search: Callable[[Sequence[Segment]], list[list[Hit]]]) -> list[list[Hit]]:
        segments: list[Segment] = []
        rows: dict[str, ChunkRow] = {}
        for row in self._store.stream("list_filtered_chunks", **_parameters(where)):
            rows[row["key"]] = chunk_row(row)
            if len(rows) == _SCAN_ROWS:
                segments.append(self._built(rows))
                rows = {}
        if rows:
            segments.append(self._built(rows))
        return search(segments)


def _parameters(where: Filter) -> dict[str, Any]:
    # "*" is anybody, "" nobody: text that is about some patient stays out
    return {"scopes": list(where.scopes), "tiers": list(where.tiers),
            "patient": "*" if where.patient is None else where.patient,
            "as_of": where.as_of}
