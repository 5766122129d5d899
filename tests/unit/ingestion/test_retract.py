"""Removal: what is found before it is cut, and what goes only where nothing else supports it."""

from __future__ import annotations

from typing import Any

from graphkb import ids
from ingestion.retract import Touched, remove_documents, remove_facts, remove_unsupported
from tests.helpers.graph import ScriptedTx


def test_only_what_lost_its_support_goes() -> None:
    tx: Any = ScriptedTx({
        "list_unbacked_statements": [{"key": "stm:1", "subject": "C1", "object": "C2"}],
        "list_unsupported_concepts": [{"key": "LOCAL:1"}],
    })
    remove_unsupported(tx, Touched(["stm:2", "stm:1", "stm:1"], ["LOCAL:2", "LOCAL:1"]))
    assert [(name, params) for name, params, _ in tx.written] == [
        ("delete_statement_relations", {"rows": [{"key": "stm:1", "subject": "C1", "object": "C2"}]}),
        ("delete_statements", {"keys": ["stm:1"]}), ("delete_concepts", {"keys": ["LOCAL:1"]})]
    untouched: Any = ScriptedTx()
    remove_unsupported(untouched, Touched())
    assert (untouched.asked, untouched.written) == ([], [])


def test_facts_are_counted_and_their_local_concepts_told() -> None:
    tx: Any = ScriptedTx({
        "list_document_owners": [{"encounter": "enc:1", "patient": "pat:1"}, {"encounter": None, "patient": "pat:1"}],
        "list_encounter_facts": [{"concept": "LOCAL:1", "local": True}, {"concept": "C1", "local": None}],
    })
    gone = remove_facts(tx, ["doc:1"])
    assert (gone.removed, gone.concepts) == (2, ["LOCAL:1"])
    assert tx.expected("delete_encounter_facts") == {"relationships_deleted": 2}
    assert "delete_patient_facts" not in tx.names


def test_a_document_goes_with_queue_owners_and_source() -> None:
    tx: Any = ScriptedTx({
        "list_document_owners": [{"encounter": "enc:1", "patient": "pat:1"}],
        "list_document_sources": [{"source": "src:1", "values": None}, {"source": "src:2", "values": {"licence": "x"}}],
        "list_document_statements": [{"key": "stm:1"}],
        "list_orphan_encounters": [{"key": "enc:1"}], "list_orphan_patients": [],
        "list_orphan_sources": [{"key": "src:2"}],
    })
    assert remove_documents(tx, ["doc:1"]).names_gone is False, "no facts: the scope's names are what they were"
    assert tx.names == ["delete_evidence", "delete_mentions", "delete_chunks", "delete_dirty", "delete_files",
                        "delete_documents",
                        "delete_encounters", "delete_sources"]
    assert tx.written[3][1] == {"keys": [ids.dirty("vectors", "doc:1")]}
    assert tx.written[-1][1] == {"keys": ["src:2"]}
    assert tx.asked.index("list_document_statements") < tx.asked.index("list_unbacked_statements")
