"""A store of chunks in memory, that answers the named queries of the index."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from graphkb.embed import ModelStamp

DIMENSION = 8


@dataclass
class MemoryStore:
    """Chunks as dictionaries, and the graph's generation."""

    chunks: dict[str, dict[str, Any]] = field(default_factory=dict)
    generation: int = 0
    reads: list[str] = field(default_factory=list)
    lives: list[dict[str, Any]] = field(default_factory=list)

    def put(self, key: str, text: str, vector: Any, scope: str = "public", tier: str = "literature",
            **more: Any) -> None:
        self.chunks[key] = {"key": key, "text": text, "embedding": [float(x) for x in vector], "scope": scope,
                            "tier": tier, "document": more.pop("document", f"doc-{key}"), "patient": None,
                            "title": None, "published": None, **more}
        self.generation += 1

    def drop(self, key: str) -> None:
        del self.chunks[key]
        self.generation += 1

    def read(self, name: str, **params: Any) -> list[dict[str, Any]]:
        self.reads.append(name)
        if name == "get_meta":
            return [{"properties": {"generation": self.generation}}]
        if name == "list_chunks_to_index":
            return [dict(self.chunks[key]) for key in params["keys"] if key in self.chunks]
        if name == "list_document_lives":
            return list(self.lives)
        if name == "list_chunk_evidence":
            rows = [self.chunks[key] for key in params["keys"] if key in self.chunks]
            return [{**row, "start": 0, "end": len(row["text"]), "section": "", "effective_from": None, "concepts": []}
                    for row in rows if row["scope"] in params["scopes"]]
        raise AssertionError(name)

    def stream(self, name: str, **params: Any) -> Iterator[dict[str, Any]]:
        self.reads.append(name)
        assert name == "list_live_chunk_keys"
        yield from ({"key": key} for key in self.chunks)


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def stamp() -> ModelStamp:
    return ModelStamp("tiny", "0123456789abcdef", DIMENSION)


def unit(rng: np.random.Generator, n: int) -> np.ndarray:
    vectors = rng.normal(size=(n, DIMENSION)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@pytest.fixture
def vectors() -> Any:
    rng = np.random.default_rng(7)
    return lambda n: unit(rng, n)
