"""What the graph holds, and whether it keeps its promises: `status` and `check`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from graphkb import ids
from graphkb.model.predicates import CONTENT_LABELS, CONTENT_RELATIONSHIPS, NODE_LABELS, RELATION_TYPES
from graphkb.store.fingerprint import fingerprint as content_fingerprint
from graphkb.store.protocol import Store


def status(store: Store, *, fingerprint: bool = False) -> dict[str, Any]:
    """Return counts per label and relationship type, waiting work, and the fingerprint where asked for."""
    nodes = {label: store.read(f"count_nodes_{label.lower()}")[0]["n"] for label in NODE_LABELS}
    edges = {type_: store.read(f"count_edges_{type_.lower()}")[0]["n"] for type_ in CONTENT_RELATIONSHIPS}
    result: dict[str, Any] = {
        "nodes": nodes,
        "relationships": edges,
        "waiting": {row["kind"]: row["n"] for row in store.read("count_dirty")},
        "scopes": [row["scope"] for row in store.read("list_document_scopes")],
    }
    works, near = store.read("count_same_works")[0], store.read("count_near_duplicates")[0]
    result["likes"] = {"works of several documents": works["groups"], "documents of these": works["documents"] or 0,
                       "near-duplicates": near["documents"], "groups of these": near["groups"]}
    if fingerprint:
        result["fingerprint"] = content_fingerprint(store)
    return result


def check(store: Store, dimension: int) -> list[dict[str, Any]]:
    """Return every broken invariant with the keys concerned.

    Parameters
    ----------
    dimension : int
        Length that every vector must have.
    """
    return [*_counted(store), *_spans(store), *_vectors(store, dimension)]


def _problem(name: str, what: str, keys: list[str], *, derived: bool = False) -> Iterator[dict[str, Any]]:
    if keys:
        yield {"check": name, "what": what, "keys": keys, "found": len(keys), "repairable": derived}


def _counted(store: Store) -> Iterator[dict[str, Any]]:
    simple = ("check_statements_backed", "check_chunks_owned", "check_mentions_owned", "check_local_concepts")
    names = [*simple,
             *(f"check_keys_{label.lower()}" for label in CONTENT_LABELS),
             *(f"check_scopes_{type_.lower()}" for type_ in CONTENT_RELATIONSHIPS),
             *(f"check_text_relations_{type_.lower()}" for type_ in RELATION_TYPES)]
    for name in names:
        keys = [row["key"] for row in store.read(name, limit=1000)]
        yield from _problem(name, store.library[name].what, keys)


def _spans(store: Store) -> Iterator[dict[str, Any]]:
    wrong: list[str] = []
    for row in store.stream("stream_mention_spans"):
        start, end = row["start"], row["start"] + len(row["text"])
        pairs = list(zip(row["spans"][::2], row["spans"][1::2], strict=True))
        if not pairs or any(not (start <= s < e <= end and row["text"][s - start:e - start].strip()) for s, e in pairs):
            wrong.append(row["key"])
    yield from _problem("check_mention_spans", "Mentions whose spans are not in their chunk's text.", wrong)


def _vectors(store: Store, dimension: int) -> Iterator[dict[str, Any]]:
    waiting = {row["target"] for row in store.read("list_dirty", kind="vectors", limit=10_000_000)}
    # the lines of a table's rows have no vectors
    waiting |= {row["key"] for row in store.read("list_documents_of_kind", kind="table")}
    absent: list[str] = []
    broken: list[str] = []
    for row in store.stream("stream_chunk_vectors"):
        if row["embedding"] is None:
            if row["document"] not in waiting:
                absent.append(row["document"])
            continue
        vector = np.asarray(row["embedding"], dtype=np.float64)
        if vector.shape != (dimension,) or not np.isfinite(vector).all() or not vector.any():
            broken.append(row["document"])
    yield from _problem("check_vectors_there", "Documents with chunks that have no vector and are not in the queue.",
                        sorted(set(absent)), derived=True)
    yield from _problem("check_vectors_sound", "Documents with vectors of a wrong length, not finite or all zeros.",
                        sorted(set(broken)), derived=True)


def documents_with_vectors(store: Store) -> list[str]:
    """Return the documents whose chunks have vectors."""
    return sorted({row["document"] for row in store.stream("stream_chunk_vectors") if row["embedding"] is not None})


def queue_vectors(store: Store, documents: list[str]) -> None:
    """Put documents into the queue of vectors again."""
    store.write("create_dirty", rows=[{"key": ids.dirty("vectors", key), "kind": "vectors", "target": key,
                                       "scope": ids.PUBLIC} for key in documents])


def isa_cycles(store: Store) -> int:
    """Return how many groups of concepts are each other's ancestors: a fact about the vocabulary, not a fault."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    numbers: dict[str, int] = {}
    pairs = [(numbers.setdefault(row["a"], len(numbers)), numbers.setdefault(row["b"], len(numbers)))
             for row in store.stream("stream_isa_edges")]
    if not pairs:
        return 0
    heads, tails = np.array(pairs).T
    graph = coo_array((np.ones(len(pairs), dtype=bool), (heads, tails)), shape=(len(numbers), len(numbers)))
    _, component = connected_components(graph, directed=True, connection="strong")
    return int((np.bincount(component) > 1).sum())
