"""Chunks of the graph as evidence."""

from __future__ import annotations

from collections.abc import Sequence

from graphkb import ids
from graphkb.model import Evidence
from graphkb.store.protocol import Row, Store
from retrieval.fusion import Fused
from retrieval.index import Filter

_DATES = ("published", "effective_from", "effective_to", "retracted_at")


def _span(row: Row, found: Fused) -> Evidence:
    valid = {name: row[name] for name in _DATES if row.get(name)}
    return Evidence(
        id=row["key"], kind="span", text=row["text"], score=found.score, why=found.why, tier=row["tier"],
        scope=row["scope"], document=row["document"], title=row["title"] or "", section=row["section"] or "",
        location={"start": row["start"], "end": row["end"]}, sha256=ids.text_sha256(row["text"]),
        concepts=tuple(sorted(row["concepts"])), chunk=row["key"], patient=row["patient"], valid=valid)


def _may_see(row: Row, where: Filter) -> bool:
    """Whether the store, too, says that the question may see the chunk (the index was asked the same)."""
    if row["scope"] not in where.scopes or (where.tiers and row["tier"] not in where.tiers):
        return False
    of = row["patient"] or ""  # as the index has it: text of no patient's is found by questions about none
    return where.patient is None or of == where.patient or (not of and row["tier"] != "user")


def _same(evidence: Evidence) -> str | tuple[str, str]:
    """Return what tells pieces of evidence apart: in a patient's records the place, else tier and words."""
    if evidence.patient:
        return evidence.id
    return evidence.tier, ids.text_sha256(" ".join(evidence.text.split()).casefold())


def hydrate(store: Store, found: Sequence[Fused], where: Filter, k: int, *, distinct: bool = True) -> list[Evidence]:
    """Read the k best that the store still has; one query where none of them is gone meanwhile.

    Of several that say the same in the same words (one work from two sources, a text taken in twice) the best is
    kept; ``distinct=False`` keeps all.
    """
    out: dict[str | tuple[str, str], Evidence] = {}
    for start in range(0, len(found), max(k, 1)):
        some = found[start : start + max(k, 1)]
        rows = store.read("list_chunk_evidence", keys=[one.key for one in some], scopes=list(where.scopes),
                          as_of=where.as_of)
        by_key = {row["key"]: row for row in rows if _may_see(row, where)}
        for one in some:
            if one.key in by_key:
                span = _span(by_key[one.key], one)
                out.setdefault(_same(span) if distinct else span.id, span)
        if len(out) >= k:
            break
    return list(out.values())[:k]


def read_spans(store: Store, chunks: Sequence[str], scopes: Sequence[str], why: str = "named", *,
               as_of: str = "") -> list[Evidence]:
    """Return chunks by key as evidence, in the order asked; those out of scope or gone are left out."""
    found = [Fused(key, 1.0, why) for key in dict.fromkeys(chunks)]
    return hydrate(store, found, Filter(tuple(scopes), as_of=as_of), len(found), distinct=False)
