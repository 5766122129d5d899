"""The named reads of retrieval on every server: evidence, concept cards, patient records, filters, reading again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from graphkb import ids
from graphkb.store import Store, open_store
from retrieval.concepts import concept_card
from retrieval.evidence import reread
from retrieval.index import Filter
from retrieval.patients import has_patient, patient_facts, patient_mentions
from retrieval.spans import read_spans
from retrieval.store_search import StoreSearch
from tests.servers import KINDS, Servers, wipe

SCOPES = ("public", "local")
TEXT = "Metformin was continued. Denies chest pain."


def _document(store: Store, key: str, scope: str, tier: str, text: str, **properties: Any) -> str:
    chunk = f"chk:{key}"
    store.write("create_document", rows=[{"key": key, "scope": scope, "properties": {"tier": tier, **properties}}])
    store.write("create_chunks", rows=[{
        "key": chunk, "scope": scope, "document": key, "start": 100, "end": 100 + len(text), "ordinal": 0,
        "section": "Hospital course", "text": text, "tokens": 9, "tier": tier}])
    store.write("set_chunk_embeddings", rows=[{"key": chunk, "embedding": [0.6, 0.8] + [0.0] * 382}])
    return chunk


def _patient(store: Store, subject_id: str, hadm_id: str, scope: str, concept: str) -> None:
    patient, document = ids.patient(subject_id, scope), f"tables-{subject_id}"
    encounter = ids.encounter(hadm_id, subject_id, scope)
    store.write("create_patients", rows=[{"key": patient, "scope": scope, "subject_id": subject_id}])
    store.write("create_encounters", rows=[{"key": encounter, "scope": scope, "hadm_id": hadm_id,
                                            "subject_id": subject_id, "patient": patient}])
    store.write("set_encounter_values", rows=[{"key": encounter, "properties": {
        "admitted": "2157-11-18T22:56:00", "discharged": "2157-11-25T18:00:00"}}])
    note = _document(store, f"note-{subject_id}", scope, "user", TEXT, title=f"{subject_id}-DS-1")
    _document(store, document, scope, "user", "Tables.", title="tables")
    store.write("link_document_patient", rows=[{"document": one, "patient": patient, "properties": {}}
                                               for one in (f"note-{subject_id}", document)])
    store.write("link_document_encounter", rows=[{"document": f"note-{subject_id}", "encounter": encounter,
                                                   "properties": {}}])
    shared = {"document": document}
    store.write("create_encounter_facts_has_diagnosis", rows=[{
        "key": f"f1-{subject_id}", "owner": encounter, "concept": concept,
        "properties": {**shared, "row": "diagnoses_icd:1", "name": "Intracranial abscess", "code": "ICD9CM:324.0",
                       "seq_num": 1}}])
    store.write("create_encounter_facts_prescribed", rows=[
        {"key": f"f2-{subject_id}", "owner": encounter, "concept": concept, "properties": {
            **shared, "row": "prescriptions:1", "name": "Metformin", "code": "", "dose": "500", "dose_unit": "mg",
            "route": "PO", "start": "2157-11-19T01:00:00", "stop": "2157-11-20T01:00:00", "drug_type": "MAIN"}},
        {"key": f"f3-{subject_id}", "owner": encounter, "concept": concept, "properties": {
            **shared, "row": "prescriptions:2", "name": "0.9% Sodium Chloride", "code": "", "drug_type": "BASE",
            "start": "2157-11-20T01:00:00", "stop": "2157-11-19T01:00:00", "stop_before_start": True}}])
    store.write("create_patient_facts_has_lab", rows=[{
        "key": f"f4-{subject_id}", "owner": patient, "concept": concept, "properties": {
            **shared, "row": "labevents:1", "name": "Creatinine", "code": "", "value": "1.4", "unit": "mg/dL",
            "flag": "abnormal"}}])
    men = {"scope": scope, "document": f"note-{subject_id}", "chunk": note, "context": "", "method": "dictionary",
           "experiencer": "patient", "temporality": "current"}
    store.write("create_mentions", rows=[
        {**men, "key": f"m1-{subject_id}", "name": "metformin", "type": "T121", "assertion": "present",
         "spans": [100, 109]},
        {**men, "key": f"m2-{subject_id}", "name": "chest pain", "type": "T184", "assertion": "absent",
         "spans": [132, 142]}])
    store.write("link_mentions", rows=[{"mention": f"m1-{subject_id}", "concept": concept, "score": 1.0,
                                        "method": "exact"}])


@pytest.fixture(scope="module", params=KINDS)
def store(request: pytest.FixtureRequest, servers: Servers) -> Iterator[Store]:
    opened = open_store(servers.settings(request.param))
    opened.migrate()
    wipe(opened)
    concept = {"semantic_types": ["T121"], "definition": "", "search_text": ""}
    opened.write("create_sources", rows=[{"key": "src:msh", "scope": "public", "properties": {"name": "MSH"}}])
    opened.write("create_concepts", scope="public", rows=[
        {**concept, "key": "C0025598", "name": "metformin", "definition": "A biguanide."},
        {**concept, "key": "C0011860", "name": "diabetes mellitus type 2"}])
    opened.write("create_codes", scope="public", rows=[{
        "key": "MSH:D008687@1", "concept": "C0025598", "source": "src:msh", "vocabulary": "MSH", "code": "D008687",
        "curie": "MSH:D008687", "version": "1", "from_release": "2026", "names": ["Metformin", "Glucophage"],
        "ttys": ["MH", "ET"], "languages": ["ENG", "ENG"], "suppress": ["N", "N"], "ranks": [1, 2], "cuis": [],
        "definition": "A biguanide.", "definitions": ["A biguanide."], "definition_cuis": ["C0025598"],
        "semantic_types": ["T121"], "type_cuis": ["C0025598"]}])
    opened.write("create_relations_treats", rows=[{
        "key": "rel:1", "subject": "C0025598", "object": "C0011860", "predicate": "may_treat", "sab": "MED-RT",
        "from_release": "2026"}])
    opened.write("create_concepts", scope="other", rows=[{**concept, "key": "LOCAL:x", "name": "secret"}])
    opened.write("create_relations_treats", rows=[{"key": "rel:2", "subject": "LOCAL:x", "object": "C0025598",
                                                   "predicate": "may_treat", "sab": "X", "from_release": ""}])
    _patient(opened, "10001", "24597018", "local", "C0025598")
    _patient(opened, "10002", "20000002", "local", "C0025598")
    _document(opened, "doc-other", "other", "literature", "A secret of another scope.")
    _document(opened, "doc-gone", "public", "literature", "A retracted claim.", retracted_at="2026-01-01")
    _document(opened, "doc-new", "public", "literature", "A later finding.", published="2027-05-01", title="Later")
    # a scope of 300 nearer to any question than the others' few chunks
    opened.write("create_document", rows=[{"key": "doc-big", "scope": "big", "properties": {"tier": "user"}}])
    opened.write("create_chunks", rows=[{
        "key": f"chk:big{n}", "scope": "big", "document": "doc-big", "start": n, "end": n + 1, "ordinal": n,
        "section": "", "text": "metformin", "tokens": 1, "tier": "user"} for n in range(300)])
    opened.write("set_chunk_embeddings", rows=[{"key": f"chk:big{n}", "embedding": [0.999] + [0.0] * n + [0.04] + [0.0]
                                                * (382 - n)} for n in range(300)])
    yield opened
    wipe(opened)
    opened.close()


def test_spans_carry_their_place(store: Store) -> None:
    found = read_spans(store, ["chk:note-10001", "chk:doc-other", "chk:doc-gone", "chk:absent"], SCOPES)
    assert [one.id for one in found] == ["chk:note-10001"]
    span = found[0]
    assert (span.text, span.location, span.document) == (TEXT, {"start": 100, "end": 143}, "note-10001")
    assert (span.patient, span.tier, span.scope, span.section) == ("10001", "user", "local", "Hospital course")
    assert span.sha256 == ids.text_sha256(TEXT)
    assert span.concepts == ("C0025598",)


def test_a_concept_card_names_defines_and_relates(store: Store) -> None:
    card = concept_card(store, "C0025598", SCOPES)
    assert [one.text for one in card] == [
        "metformin (C0025598); also called Metformin, Glucophage; codes MSH:D008687.", "metformin: A biguanide. [MSH]",
        "metformin may treat diabetes mellitus type 2 [MED-RT]"]
    assert [one.id for one in card] == ["C0025598", "MSH:D008687@1", "rel:1"]
    assert concept_card(store, "C0011860", SCOPES)[-1].text == "metformin may treat diabetes mellitus type 2 [MED-RT]"
    assert concept_card(store, "LOCAL:x", SCOPES) == []
    assert "secret may treat metformin [X]" in [one.text for one in concept_card(store, "C0025598", (*SCOPES, "other"))]


def test_a_patients_facts_read_as_orders_not_intake(store: Store) -> None:
    facts = patient_facts(store, "10001", SCOPES)
    stay = "Admission 24597018 (2157-11-18 to 2157-11-25)"
    assert [one.text for one in facts] == [
        "laboratory Creatinine: 1.4 mg/dL (abnormal)",
        "diagnosis Intracranial abscess (ICD9CM:324.0)",
        "ordered Metformin 500 mg PO (2157-11-19 to 2157-11-20)",
        "ordered as diluent 0.9% Sodium Chloride (start 2157-11-20, stop 2157-11-19 recorded before it)"]
    assert [one.title for one in facts] == ["Outside an admission", stay, stay, stay]
    assert {one.patient for one in facts} == {"10001"}
    assert [one.id for one in patient_facts(store, "10001", SCOPES, ["HAS_DIAGNOSIS"])] == ["f1-10001"]
    assert patient_facts(store, "10001", ("public", "other")) == []
    assert has_patient(store, "10001", SCOPES)
    assert not has_patient(store, "10001", ("other",))


def test_mentions_keep_their_assertion(store: Store) -> None:
    found = patient_mentions(store, "10001", SCOPES)
    assert [(one.name, one.state["assertion"], one.spans, one.hadm_id) for one in found] == [
        ("metformin", "present", ((100, 109),), "24597018"), ("chest pain", "absent", ((132, 142),), "24597018")]
    assert found[0].concepts == (("C0025598", "metformin", 1.0),)
    assert [one.name for one in patient_mentions(store, "10001", SCOPES, types=["T184"])] == ["chest pain"]
    assert [one.name for one in patient_mentions(store, "10001", SCOPES, concepts=["C0025598"])] == ["metformin"]


def test_reading_again_sees_every_change(store: Store) -> None:
    span = read_spans(store, ["chk:note-10001"], SCOPES)[0]
    text = "Denies chest pain."
    part = replace(span, text=text, location={"start": 125, "end": 143}, sha256=ids.text_sha256(text))
    fact = patient_facts(store, "10001", SCOPES)[1]
    relation = concept_card(store, "C0025598", SCOPES)[-1]
    assert reread(store, [span, part, fact, relation], SCOPES) == [True] * 4
    assert reread(store, [span, part, fact, relation], ("public",)) == [False, False, False, True]
    wrong = [replace(part, location={"start": 124, "end": 142}), replace(span, text=TEXT + " "),
             replace(fact, text=fact.text + " now"), replace(relation, id="rel:9"),
             replace(part, document="note-10002")]
    assert reread(store, wrong, SCOPES) == [False] * 5


@pytest.mark.parametrize(("where", "expected"), [
    (Filter(("public",)), {"doc-new"}),
    (Filter(SCOPES, patient="10001"), {"note-10001", "tables-10001", "doc-new"}),
    (Filter(SCOPES, tiers=("literature",)), {"doc-new"}),
    (Filter(SCOPES, as_of="2026-11-30"), {"note-10001", "tables-10001", "note-10002", "tables-10002"}),
    (Filter(("public",), as_of="2027"), {"doc-new"}),
    (Filter(("public",), as_of="2027-04"), set()),
    (Filter(("other",)), {"doc-other"}),
])
def test_the_store_filters_like_the_index(store: Store, where: Filter, expected: set[str],
                                          monkeypatch: pytest.MonkeyPatch) -> None:
    vector = np.eye(1, 384, dtype=np.float32)
    for selective in (2_000, 0):
        monkeypatch.setattr("retrieval.store_search.SELECTIVE", selective)
        found = StoreSearch(store, 384).search_vectors_many(vector, 50, where)[0]
        assert {hit.key.removeprefix("chk:") for hit in found} == expected


@pytest.mark.parametrize("text", ["/b testing", "causes/solutions", "BRCA1 AND", "C++ (x)", '"unclosed', "a:b", "~",
                                  "*", "NOT", "\\", "the of", "word " * 2000])
def test_any_text_is_data(store: Store, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("retrieval.store_search.SELECTIVE", 0)
    assert StoreSearch(store, 384).search_texts([text], 5, Filter(SCOPES)) == [[]]
    assert StoreSearch(store, 384).search_texts([text + " metformin"], 5, Filter(SCOPES))[0][0].key == "chk:note-10001"
