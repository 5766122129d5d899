"""Hybrid retrieval: BM25 and vectors, fused, within what the question may read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from graphkb.config import RetrievalSettings
from graphkb.embed import Encoder, encode_pooled
from graphkb.errors import AnswerError
from graphkb.model import Evidence, Query
from graphkb.store.protocol import Store
from retrieval.fusion import Lane, fuse
from retrieval.index import Filter, Hit
from retrieval.spans import hydrate


class Searcher(Protocol):
    """Two ways to search chunks: `ChunkIndex` (this machine's index) and `StoreSearch` (the database's own)."""

    def search_vectors_many(self, vectors: NDArray[np.float32], k: int, where: Filter) -> list[list[Hit]]:
        """Return, for each unit vector of [m, d], the nearest chunks within the filter."""
        ...

    def search_texts(self, texts: Sequence[str], k: int, where: Filter) -> list[list[Hit]]:
        """Return, for each text, the best chunks by BM25 within the filter."""
        ...


class HybridRetriever:
    """Retrieve chunks by words and by meaning.

    A question with options is asked once by itself and once with each option; the options together weigh as much as
    the question.
    """

    name = "hybrid"

    def __init__(self, searcher: Searcher, store: Store, encoder: Encoder, settings: RetrievalSettings) -> None:
        self._searcher = searcher
        self._store = store
        self._encoder = encoder
        self._settings = settings

    def retrieve(self, query: Query) -> list[Evidence]:
        """Return at most ``query.k`` pieces of evidence, the best first.

        Raises
        ------
        AnswerError
            GKB-701: the question is empty.
        """
        if not query.question.strip():
            raise AnswerError("GKB-701")
        where = Filter.of(query)
        lanes = self.lanes(query, where)
        found = fuse(lanes, self._settings.fusion, self._settings.rrf_k)
        return hydrate(self._store, found, where, query.k)

    def lanes(self, query: Query, where: Filter) -> list[Lane]:
        """Return the ranked lists that the fusion takes."""
        texts = [query.question, *(f"{query.question} {option}" for option in query.options)]
        weights = [0.5, *(0.5 / len(query.options) for _ in query.options)] if query.options else [1.0]
        vectors = np.stack([encode_pooled(self._encoder, text)[0] for text in texts])
        k = max(self._settings.candidates, query.k)
        near = self._searcher.search_vectors_many(vectors, k, where)
        lexical = self._searcher.search_texts(texts, k, where)
        return ([Lane("bm25", weight / 2, hits, floor=0.0) for weight, hits in zip(weights, lexical, strict=True)]
                + [Lane("vector", weight / 2, hits) for weight, hits in zip(weights, near, strict=True)])
