"""The local exact index of chunks."""

from __future__ import annotations

from retrieval.index.chunk_index import ChunkIndex, SyncCounts
from retrieval.index.filters import ChunkRow, Filter, Hit, Life

__all__ = ["ChunkIndex", "ChunkRow", "Filter", "Hit", "Life", "SyncCounts"]
