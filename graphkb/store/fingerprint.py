"""Fingerprints: one value for the content of a graph, the same on every store and for every order of loading.

Every node becomes the SHA-256 of the canonical JSON of its label, key and properties, every relationship that of its
type, the keys of its ends and its properties; the sum modulo 2^256 does not depend on the order of reading. Vectors,
runs, paths, decisions of reviewers and stamps of derivation are left out: they say how and when, not what.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from graphkb import ids
from graphkb.model.predicates import CONTENT_LABELS, CONTENT_RELATIONSHIPS
from graphkb.store.protocol import Row, Store

_canonical = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode
_LEFT_OUT = frozenset({"key", "embedding", "run", "path", "lexicon", "pipeline", "generation", "canonical", "paths",
                       "files", "since", "effective_to"})


def _digest(kind: str, keys: list[str], properties: dict[str, Any]) -> str:
    content = {name: value for name, value in properties.items()
               if name not in _LEFT_OUT and not name.startswith("@") and value is not None and value != []}
    return hashlib.sha256(_canonical([kind, *keys, content]).encode("utf-8", "surrogatepass")).hexdigest()


def _items(store: Store) -> Iterator[str]:
    for label in CONTENT_LABELS:
        for row in store.stream(f"fingerprint_nodes_{label.lower()}"):
            yield _digest(label, [row["key"]], row["properties"])
    for row in store.stream("fingerprint_chunks"):
        yield _digest("Chunk", [row["key"]], row)
    for type_ in CONTENT_RELATIONSHIPS:
        for row in store.stream(f"fingerprint_edges_{type_.lower()}"):
            keys = [row["a"], row["b"], _edge_key(row)]
            yield _digest(type_, keys, row["properties"])


def _edge_key(row: Row) -> str:
    return str(row["properties"].get("key", ""))


def fingerprint(store: Store) -> str:
    """Return the content fingerprint: 64 hex digits."""
    return ids.combine(_items(store))
