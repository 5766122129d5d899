"""What the graph holds of releases: their names, and codes live and ended."""

from __future__ import annotations

from collections.abc import Sequence

from graphkb.store.protocol import Row, Store, Tx
from ingestion.concepts import CodeContent


def releases(store: Store) -> list[str]:
    """Return the releases that the graph holds, the newest first."""
    return [row["release"] for row in store.read("list_releases")]


def codes_of(store: Store | Tx, concepts: Sequence[str]) -> dict[str, dict[str, Row]]:
    """Return the codes, live and ended, of each concept: their properties by key, and what they are linked to."""
    links: dict[str, list[str]] = {concept: [] for concept in concepts}
    for row in store.read("list_codes_of_concepts", keys=list(concepts)):
        links[row["concept"]].append(row["code"])
    keys = sorted({key for own in links.values() for key in own})
    stored = {row["properties"]["key"]: row for row in store.read("list_codes_by_key", keys=keys)} if keys else {}
    return {concept: {key: stored[key] for key in own} for concept, own in links.items()}


def content(row: Row) -> CodeContent:
    """Read a row of `list_codes_by_key`."""
    return CodeContent.from_row(row["properties"], row["concepts"])
