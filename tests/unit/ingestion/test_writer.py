"""The writer: what a document's transaction holds, what it expects, and when it does nothing."""

from __future__ import annotations

from typing import Any

import pytest

from graphkb import ids
from graphkb.errors import IngestError
from graphkb.model import (
    Chunk,
    Encounter,
    Fact,
    Link,
    LinkedFact,
    LocalConcept,
    Mention,
    Patient,
    Prepared,
    SourceDocument,
    SourceInfo,
    Statement,
    StatementEvidence,
)
from ingestion.writer import create_statements, missing, write_document
from tests.helpers.graph import ScriptedTx

SOURCE = SourceInfo("files", "")


def prepared(**given: Any) -> Prepared:
    document = SourceDocument(SOURCE, "r1", "A title", "One. Two.", "literature", "text", **given.pop("document", {}))
    return Prepared(document, "doc:1", given.pop("scope", "public"), "v1", "2/x", "2:lex", **given)


def write(tx: Any, document: Prepared) -> str:
    return write_document(tx, document, "run:1")


def statement(**given: Any) -> Statement:
    evidence = (StatementEvidence("chk:0", 0, 4, 0.9, "trigger:treats"),)
    return Statement(given.pop("key", "stm:1"), "C1", "treats", "C2", given.pop("polarity", "affirmed"),
                     "a treats b", evidence)


def test_what_is_there_with_the_same_pipeline_is_left_alone() -> None:
    tx = ScriptedTx({"list_document_states": [
        {"key": "doc:1", "pipeline": "2/x", "paths": None, "superseded_by": None}]})
    assert write(tx, prepared()) == "unchanged"
    assert tx.written == []


def test_another_pipeline_or_an_earlier_version_is_replaced_in_the_same_transaction() -> None:
    state = {"key": "doc:1", "pipeline": "1/x", "paths": None, "superseded_by": None}
    for reads in ({"list_document_states": [state]},
                  {"list_earlier_versions": [{"key": "doc:0", "record": "r", "kind": "text", "paths": None}]}):
        tx = ScriptedTx(reads)
        assert write(tx, prepared()) == "superseded"
        assert tx.names.index("delete_documents") < tx.names.index("create_document")
        assert tx.names[-1] == "bump_generation"


def test_every_created_item_is_expected() -> None:
    chunks = [Chunk("chk:0", "doc:1", 0, 4, 0, "One."), Chunk("chk:1", "doc:1", 5, 9, 1, "Two.")]
    mentions = [Mention("men:1", "chk:0", "one", "T1", ((0, 3),), links=(Link("C1", 1.0, "d"), Link("C2", 0.5, "d")))]
    tx = ScriptedTx()
    assert write(tx, prepared(chunks=chunks, mentions=mentions, statements=[statement()])) == "created"
    assert tx.expected("create_sources") == {"nodes_created": 1}
    assert tx.expected("create_document") == {"nodes_created": 1}
    assert tx.expected("create_chunks") == {"nodes_created": 2, "relationships_created": 2}
    assert tx.expected("link_next_chunks") == {"relationships_created": 1}
    assert tx.expected("create_mentions") == {"nodes_created": 1, "relationships_created": 1}
    assert tx.expected("link_mentions") == {"relationships_created": 2}
    assert tx.expected("create_statements") == {"nodes_created": 1, "relationships_created": 2}
    assert tx.expected("create_statement_relations_treats") == {"relationships_created": 1}
    assert tx.expected("link_statement_evidence") == {"relationships_created": 1}
    offsets = [(row["start"], row["end"], row["text"]) for row in tx.rows("create_chunks")]
    assert offsets == [(0, 4, "One."), (5, 9, "Two.")]
    assert tx.rows("create_mentions")[0]["spans"] == [0, 3]
    assert tx.rows("create_dirty") == [{"key": ids.dirty("vectors", "doc:1"), "kind": "vectors", "target": "doc:1",
                                        "scope": "public"}]


def test_a_statement_that_is_there_gets_evidence_and_its_current_words() -> None:
    tx: Any = ScriptedTx({"list_statement_texts": [{"key": "stm:1", "text": "old words"}]})
    create_statements(tx, "public", [statement(), statement(key="stm:2", polarity="negated")], "run:1")
    assert tx.rows("set_statement_texts") == [{"key": "stm:1", "text": "a treats b"}]
    assert [row["key"] for row in tx.rows("create_statements")] == ["stm:2"]
    assert not [name for name in tx.names if name.startswith("create_statement_relations")], "a denial is no relation"
    assert tx.expected("link_statement_evidence") == {"relationships_created": 2}
    same: Any = ScriptedTx({"list_statement_texts": [{"key": "stm:1", "text": "a treats b"}]})
    create_statements(same, "local", [statement()], "run:1")
    assert same.names == ["link_statement_evidence"]


def test_facts_hang_on_the_encounter_else_on_the_patient() -> None:
    facts = [LinkedFact(Fact("PRESCRIBED", "prescriptions:2", "b", properties={"route": "PO"}), "C1"),
             LinkedFact(Fact("PRESCRIBED", "prescriptions:1", "a"), "C1"),
             LinkedFact(Fact("HAS_DIAGNOSIS", "diagnoses_icd:1", "t", "ICD9CM", "401.9", start=4, end=9,
                             also=("ICD10CM:I10",)), "C2", "gem")]
    person = Patient("7", gender="F")
    tx = ScriptedTx()
    write(tx, prepared(document={"patient": person, "encounter": Encounter("8", "7")}, scope="local", facts=facts))
    owner = ids.encounter("8", "7", "local")
    assert tx.expected("create_encounter_facts_prescribed") == {"relationships_created": 2}
    assert tx.rows("create_encounter_facts_has_diagnosis") == [{
        "key": ids.fact(owner, "HAS_DIAGNOSIS", "diagnoses_icd:1"), "owner": owner, "concept": "C2",
        "properties": {"document": "doc:1", "row": "diagnoses_icd:1", "name": "t", "code": "ICD9CM:401.9",
                       "method": "gem", "also": ["ICD10CM:I10"], "text_start": 4, "text_end": 9}}]
    assert tx.rows("set_patient_values") == [{"key": ids.patient("7", "local"), "properties": {"gender": "F"}}]
    assert [params["key"] for name, params, _ in tx.written if name == "bump_generation"] == [
        "meta:lexicon:local", "meta:graph"]
    loose = ScriptedTx()
    write(loose, prepared(document={"patient": person}, scope="local", facts=facts[:1]))
    assert loose.rows("create_patient_facts_prescribed")[0]["owner"] == ids.patient("7", "local")
    with pytest.raises(IngestError, match="GKB-602"):
        write(ScriptedTx(), prepared(facts=facts[:1]))


def test_shared_things_are_created_once() -> None:
    concept = LocalConcept("LOCAL:1", "local", "zorvex")
    tx = ScriptedTx({"list_node_properties_source": lambda keys: [{"key": key, "properties": {}} for key in keys],
                     "list_existing_concept": lambda keys: [{"key": key} for key in keys]})
    write(tx, prepared(concepts=[concept]))
    assert not {"create_sources", "create_local_concepts"} & set(tx.names)
    fresh = ScriptedTx()
    write(fresh, prepared(concepts=[concept, concept]))
    assert fresh.rows("create_local_concepts") == [{"key": "LOCAL:1", "scope": "local", "properties": {
        "name": "zorvex", "search_text": "zorvex", "local": True}}]


def test_missing_asks_once_for_distinct_keys() -> None:
    tx: Any = ScriptedTx({"list_existing_concept": lambda keys: [{"key": key} for key in keys if key != "b"]})
    assert missing(tx, "Concept", ["b", "a", "b"]) == {"b"}
    assert missing(tx, "Concept", []) == set()
    assert tx.asked == ["list_existing_concept"]
