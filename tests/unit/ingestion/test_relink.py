"""Linking again: what is stale, in which order, what happened meanwhile. (Equality with a fresh link: contract.)"""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ingestion import linking
from ingestion.lexicon import Lexicon, Name, build
from ingestion.relink import relink
from tests.helpers.graph import ScriptedTx

CHUNK = {"key": "chk:0", "document": "doc:n", "start": 0, "end": 7, "ordinal": 0, "text": "Asthma.", "section": "",
         "tokens": 2}
FACT = {"kind": "PRESCRIBED", "key": "fct:1", "owner": "enc:1", "concept": "LOCAL:1", "local": True,
        "properties": {"key": "fct:1", "row": "prescriptions:1", "name": "Zorvex", "code": "", "document": "doc:t"}}


@pytest.fixture(scope="module")
def lexicon(tmp_path_factory: pytest.TempPathFactory) -> Lexicon:
    names = [Name("Asthma", "C1", ("T047",), "DISO"), Name("Zorvex", "C2", ("T121",), "CHEM")]
    return build(names, tmp_path_factory.mktemp("relink") / "lexicon")


def run(lexicon: Lexicon, **reads: Any) -> tuple[Any, Any]:
    store: Any = ScriptedTx({"list_document_scopes": [{"scope": "local"}], **reads})
    lexicons: Any = SimpleNamespace(get=lambda scope: lexicon)
    return store, relink(store, lexicons)


def test_nothing_stale_nothing_written(lexicon: Lexicon) -> None:
    store, done = run(lexicon)
    assert (done.facts, done.texts, store.written) == (0, 0, [])


def test_tables_first_then_text(lexicon: Lexicon) -> None:
    stale = [{"key": "doc:n", "kind": "note"}, {"key": "doc:t", "kind": "table"}]
    store, done = run(lexicon, list_stale_documents=stale, list_document_chunks=[CHUNK],
                      list_document_states=[{"key": "doc:n"}],
                      list_document_owners=[{"encounter": "enc:1", "patient": None}],
                      list_encounter_facts=[FACT], list_unsupported_concepts=[{"key": "LOCAL:1"}])
    assert (done.facts, done.texts) == (1, 1)
    assert store.rows("create_encounter_facts_prescribed") == [{
        "key": "fct:1", "owner": "enc:1", "concept": "C2",
        "properties": {"row": "prescriptions:1", "name": "Zorvex", "code": "", "document": "doc:t",
                       "method": "name"}}]
    assert store.rows("create_mentions")[0]["name"] == "asthma"
    assert store.names.index("delete_concepts") < store.names.index("create_mentions")
    stamps = [params["rows"][0] for name, params, _ in store.written if name == "set_document_lexicon"]
    assert stamps == [{"key": key, "lexicon": linking.stamp(lexicon)} for key in ("doc:t", "doc:n")]


def test_facts_that_stay_where_they_are_get_a_stamp_only(lexicon: Lexicon) -> None:
    store, _ = run(lexicon, list_stale_documents=[{"key": "doc:t", "kind": "table"}],
                   list_document_owners=[{"encounter": "enc:1", "patient": None}],
                   list_encounter_facts=[{**FACT, "concept": "C2", "local": None,
                                          "properties": FACT["properties"] | {"method": "name"}}])
    assert store.names == ["set_document_lexicon"]


def test_a_document_that_went_meanwhile_is_let_go(lexicon: Lexicon) -> None:
    store, _ = run(lexicon, list_stale_documents=[{"key": "doc:n", "kind": "note"}], list_document_chunks=[CHUNK])
    assert store.written == []


def test_the_stamp_is_what_is_compared(lexicon: Lexicon, tmp_path: Path) -> None:
    asked: list[str] = []

    def stale(scope: str, lexicon: str) -> list[dict[str, Any]]:
        asked.append(lexicon)
        return []

    run(lexicon, list_stale_documents=stale)
    assert set(asked) == {linking.stamp(lexicon)}
