"""Evidence read again, for verification."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from graphkb import ids
from graphkb.model import Evidence
from graphkb.store.protocol import Store
from retrieval.concepts import concept_card
from retrieval.patients import patient_facts


def _unchanged_spans(store: Store, spans: Sequence[Evidence], scopes: Sequence[str], as_of: str) -> set[str]:
    keys = sorted({one.chunk for one in spans if one.chunk})
    rows = store.read("list_chunk_evidence", keys=keys, scopes=list(scopes), as_of=as_of) if keys else []
    chunks = {row["key"]: row for row in rows}

    def holds(one: Evidence) -> bool:
        row = chunks.get(one.chunk or "")
        if row is None or row["document"] != one.document:
            return False
        start, end = one.location["start"] - row["start"], one.location["end"] - row["start"]
        text: str = row["text"][max(start, 0) : end]
        return start >= 0 and text == one.text and ids.text_sha256(text) == one.sha256

    return {_identity(one) for one in spans if holds(one)}


def _identity(one: Evidence) -> str:
    return f"{one.id}:{one.sha256}:{sorted(one.location.items())}"


def _facts_now(store: Store, facts: Sequence[Evidence], scopes: Sequence[str], as_of: str,
               release: str) -> Iterator[Evidence]:
    patients = {one.patient for one in facts if one.patient}
    concepts = {one.concepts[0] for one in facts if not one.patient and one.concepts}
    for subject_id in sorted(patients):
        kinds = sorted({one.section for one in facts if one.patient == subject_id})
        yield from patient_facts(store, subject_id, scopes, kinds)
    for key in sorted(concepts):
        yield from concept_card(store, key, scopes, as_of=as_of, release=release)


def reread(store: Store, evidence: Sequence[Evidence], scopes: Sequence[str], *, as_of: str = "",
           release: str = "") -> list[bool]:
    """Read evidence again: whether each piece's text stands unchanged at its place, and each fact still exists.

    A span may be part of its chunk. Scopes are bound: what the reader may not see counts as gone.
    """
    spans = [one for one in evidence if one.kind == "span"]
    facts = [one for one in evidence if one.kind == "fact"]
    good = _unchanged_spans(store, spans, scopes, as_of)
    now = {_identity(one) for one in _facts_now(store, facts, scopes, as_of, release)} if facts else set()
    good |= {_identity(one) for one in facts if one.sha256 == ids.text_sha256(one.text)} & now
    return [_identity(one) in good for one in evidence]
