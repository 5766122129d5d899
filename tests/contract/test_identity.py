"""Proposals and decisions about local concepts, on every server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from graphkb.config import Settings
from graphkb.errors import IngestError
from graphkb.kb import KnowledgeBase
from graphkb.store import Store
from graphkb.store.fingerprint import fingerprint
from ingestion.retract import remove_documents
from ingestion.sources import MimicSource
from retrieval.concepts import same_concepts
from tests.helpers import corpus as c
from tests.helpers import vocabulary as v
from tests.servers import raw, wipe

HTN, GOUT, PLAIN = "C9200001", "C9200002", "C9200003"


@pytest.fixture
def kb(store: Store, store_settings: Settings, tmp_path: Path) -> Iterator[KnowledgeBase]:
    wipe(store)
    meta = v.write_meta(
        tmp_path / "META",
        MRCONSO=[v.atom(HTN, "A1", "SRC", "X1", "Essential hypertension, unspecified"),
                 v.atom(GOUT, "A2", "SRC", "X2", "Long-term current use of insulins"),
                 # the same words, another group: no candidate
                 v.atom(PLAIN, "A3", "SRC", "X3", "Unspecified essential hypertension")],
        MRSTY=[v.semantic_type(HTN, "T047"), v.semantic_type(GOUT, "T033"), v.semantic_type(PLAIN, "T061")],
        MRSAB=[v.vocabulary("SRC")])
    tables = tmp_path / "mimic" / "hosp"
    tables.mkdir(parents=True)
    for name, text in c.TABLES.items():
        (tables / f"{name}.csv").write_text(text)
    with KnowledgeBase(c.fast(store_settings)) as opened:
        opened.ingest_vocabulary(meta)
        opened.ingest(MimicSource(tables.parent), scope="local")
        yield opened


def test_find_accept_undo(kb: KnowledgeBase) -> None:
    before = fingerprint(kb.store)
    dry = kb.find_merges(dry_run=True)
    assert kb.merges() == []
    found = kb.find_merges()
    assert [m.key for m in dry.proposals] == [m.key for m in found.proposals]
    pairs = {(m.local_name, m.concept, m.method) for m in kb.merges()}
    assert pairs == {("Unspecified essential hypertension", HTN, "lexical"),
                     ("Long-term (current) use of insulin", GOUT, "lexical")}, "never across groups"
    assert kb.find_merges().counts["new"] == 0
    wanted = next(m for m in kb.merges() if m.concept == HTN)

    accepted = kb.decide_merges([wanted.key], "accepted", reviewer="dr. a")
    assert [(m.status, m.reviewer) for m in accepted] == [("accepted", "dr. a")]
    assert same_concepts(kb.store, [HTN], ("public", "local")) == {HTN, wanted.local}
    assert same_concepts(kb.store, [wanted.local], ("public", "local")) == {HTN, wanted.local}
    assert same_concepts(kb.store, [HTN], ("public", "other")) == {HTN}, "not seen from another scope"
    assert kb.check() == []

    kb.decide_merges([wanted.key], "proposed")
    assert same_concepts(kb.store, [HTN], ("public", "local")) == {HTN}
    kb.decide_merges([wanted.key], "rejected")
    assert kb.find_merges().counts["new"] == 0, "what was rejected is not proposed again"
    assert {m.status for m in kb.merges(status="rejected")} == {"rejected"}
    assert fingerprint(kb.store) == before, "decisions are no content"


def test_one_concept_at_most(kb: KnowledgeBase) -> None:
    kb.find_merges()
    first, second = kb.merges()
    raw(kb.store, "MATCH (a:Concept {key: $a}) MATCH (b:Concept {key: $b}) "
                  "CREATE (a)-[:SAME_AS {key: 'mrg:x', status: 'proposed', score: 1.0, method: 'alias'}]->(b)",
        a=first.local, b=second.concept)
    kb.decide_merges([first.key], "accepted")
    with pytest.raises(IngestError) as caught:
        kb.decide_merges(["mrg:x"], "accepted")
    assert caught.value.code == "GKB-608"
    with pytest.raises(IngestError) as caught:
        kb.decide_merges(["mrg:none"], "accepted")
    assert caught.value.code == "GKB-607"


def test_a_merge_is_no_support(kb: KnowledgeBase) -> None:
    """When its rows go, the local concept goes with its merge."""
    kb.find_merges()
    kb.decide_merges([m.key for m in kb.merges()], "accepted")
    documents = [row["key"] for row in raw(kb.store, "MATCH (d:Document) RETURN d.key AS key")]
    kb.store.transaction(lambda tx: remove_documents(tx, documents))
    assert raw(kb.store, "MATCH (c:Concept) WHERE c.local = true RETURN count(c) AS n") == [{"n": 0}]
    assert kb.merges() == []
    assert same_concepts(kb.store, [HTN], ("public", "local")) == {HTN}
