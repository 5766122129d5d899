"""Drain the queue of vectors: encode the chunks of waiting documents and put the vectors into the graph.

One document's vectors and the removal of its queue entry are one transaction, so a kill leaves the entry or the
vectors, never neither.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from graphkb import ids
from graphkb.store.protocol import Row, Store, Tx
from ingestion.pipeline import Progress, quiet

if TYPE_CHECKING:
    from graphkb.embed import Encoder

GROUP = 16
KIND = "vectors"


def embed_pending(store: Store, encoder: Encoder, progress: Progress = quiet) -> int:
    """Encode what waits; return how many chunks got a vector."""
    waiting = sum(row["n"] for row in store.read("count_dirty") if row["kind"] == KIND)
    encoded = done = 0
    while group := store.read("list_dirty", kind=KIND, limit=GROUP):
        documents = [row["target"] for row in group]
        chunks = store.read("list_document_chunks", documents=documents)
        rows = list(_vectors(chunks, encoder))
        _commit(store, rows, [row["key"] for row in group])
        encoded += len(rows)
        done += len(group)
        progress("vectors", done, waiting)
    return encoded


def _vectors(chunks: list[Row], encoder: Encoder) -> Iterator[Row]:
    if not chunks:
        return
    vectors = encoder.encode([chunk["text"] for chunk in chunks])
    for chunk, vector in zip(chunks, vectors, strict=True):
        yield {"key": chunk["key"], "embedding": vector.tolist()}


def _commit(store: Store, rows: list[Row], queued: list[str]) -> None:
    def work(tx: Tx) -> None:
        if rows:
            tx.write("set_chunk_embeddings", rows=rows)
        tx.write("delete_dirty", keys=queued)
        tx.write("bump_generation", key=ids.meta("graph"))

    store.transaction(work)
