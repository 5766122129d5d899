"""The queue of vectors: drained in groups; a group's vectors and its entries go together or not at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from graphkb.errors import EncoderError
from ingestion.vectors import GROUP, embed_pending


class Queue:
    """A store of documents with chunks that wait for vectors, and which transactions were made."""

    def __init__(self, documents: int) -> None:
        self.dirty = {f"dty:{n}": f"doc:{n}" for n in range(documents)}
        self.vectors: dict[str, list[float]] = {}
        self.commits: list[list[str]] = []
        self._names: list[str] = []

    def read(self, name: str, **given: Any) -> list[dict[str, Any]]:
        if name == "count_dirty":
            return [{"kind": "vectors", "n": len(self.dirty)}, {"kind": "other", "n": 99}]
        if name == "list_dirty":
            return [{"key": k, "target": v} for k, v in list(self.dirty.items())[:given["limit"]]]
        assert name == "list_document_chunks"
        return [{"key": f"{key}/{n}", "text": f"{key} {n}"} for key in given["documents"] for n in (0, 1)]

    def transaction(self, work: Callable[[Any], None]) -> None:
        self._names = []
        work(self)
        self.commits.append(self._names)

    def write(self, name: str, **given: Any) -> None:
        self._names.append(name)
        if name == "set_chunk_embeddings":
            self.vectors.update({row["key"]: row["embedding"] for row in given["rows"]})
        elif name == "delete_dirty":
            for key in given["keys"]:
                del self.dirty[key]


class Encoder:
    def __init__(self, fails_at: int = 10**9) -> None:
        self.calls = 0
        self.fails_at = fails_at

    def encode(self, texts: list[str]) -> Any:
        self.calls += 1
        if self.calls == self.fails_at:
            raise EncoderError("GKB-501")
        return np.eye(len(texts), 4, dtype=np.float32) + 0.5


def test_everything_that_waits_gets_a_vector() -> None:
    queue, seen = Queue(GROUP + 3), []
    encoded = embed_pending(queue, Encoder(), lambda what, done, total: seen.append((what, done, total)))  # type: ignore[arg-type]
    assert encoded == 2 * (GROUP + 3) == len(queue.vectors)
    assert queue.dirty == {}
    assert queue.commits == [["set_chunk_embeddings", "delete_dirty", "bump_generation"]] * 2
    assert seen == [("vectors", GROUP, GROUP + 3), ("vectors", GROUP + 3, GROUP + 3)]
    assert embed_pending(queue, Encoder()) == 0  # type: ignore[arg-type]
    assert len(queue.commits) == 2, "nothing waits: nothing is written"


def test_what_could_not_be_encoded_goes_on_waiting() -> None:
    queue = Queue(2 * GROUP)
    with pytest.raises(EncoderError):
        embed_pending(queue, Encoder(fails_at=2))  # type: ignore[arg-type]
    assert len(queue.dirty) == GROUP
    assert len(queue.commits) == 1
    assert embed_pending(queue, Encoder()) == 2 * GROUP  # type: ignore[arg-type]


def test_a_document_that_is_gone_leaves_the_queue() -> None:
    queue = Queue(1)
    queue.read = lambda name, **given: [] if name == "list_document_chunks" else Queue.read(queue, name, **given)  # type: ignore[method-assign]
    assert embed_pending(queue, Encoder()) == 0  # type: ignore[arg-type]
    assert queue.commits == [["delete_dirty", "bump_generation"]]
