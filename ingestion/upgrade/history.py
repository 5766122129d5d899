"""A concept as a release had it: derived from the codes that were live then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from graphkb.store.protocol import Row, Store, Tx
from ingestion.concepts import CodeContent, derive


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


def concept_at(store: Store, key: str, release: str, languages: Sequence[str]) -> dict[str, Any] | None:
    """Return a concept as a release had it: name, types, definition and names; None where it had no code of it."""
    codes = [code for code in map(content, codes_of(store, [key])[key].values())
             if code.from_release <= release and (code.live or code.to_release > release)]
    if not codes:
        return None
    derived = derive(key, [replace(code, to_release="") for code in codes], languages)
    return derived.to_row(key) | {"release": release,
                                  "codes": sorted(f"{code.vocabulary}:{code.code}" for code in codes)}
