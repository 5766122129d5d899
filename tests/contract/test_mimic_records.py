"""Records on every server: a fact is cited by its line, which verification reads again; nothing searches the lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from graphkb.config import Settings
from graphkb.kb import KnowledgeBase
from graphkb.store import Store
from ingestion.sources import MimicSource
from retrieval.evidence import reread
from retrieval.patients import patient_facts
from tests.helpers import corpus as c
from tests.helpers import vocabulary as v
from tests.servers import raw, wipe

SCOPES = ("public", "local")
LABS = ("labevent_id,subject_id,hadm_id,itemid,charttime,value,valuenum,valueuom,flag\n"
        "1,99000001,88000001,50912,2180-01-03 05:00:00,1.0,1.0,mg/dL,\n"
        "2,99000001,88000001,50912,2180-01-03 09:00:00,2.5,2.5,mg/dL,abnormal\n"
        "3,99000001,,50912,2180-03-03 09:00:00,1.1,1.1,mg/dL,\n")
LAST_AND_FIRST = ("laboratory Creatinine: last 2.5 mg/dL at 2180-01-03 09:00:00, first 1 at 2180-01-03 05:00:00, "
                  "min 1, max 2.5, n 2, abnormal 1")


@pytest.fixture
def kb(store: Store, store_settings: Settings, tmp_path: Path) -> Iterator[KnowledgeBase]:
    wipe(store)
    opened = KnowledgeBase(c.fast(store_settings))
    corpus = c.write(tmp_path)
    hosp = corpus.mimic / "hosp"
    (hosp / "labevents.csv").write_text(LABS)
    (hosp / "d_labitems.csv").write_text("itemid,label\n50912,Creatinine\n")
    v.write_meta(corpus.meta, MRCONSO=[v.atom(c.HTN, "A1", "ICD10CM", "Z79.4", "Use of insulin")],
                 MRSTY=[v.semantic_type(c.HTN, "T047")], MRSAB=[v.vocabulary("ICD10CM", sver="2026")])
    opened.ingest_vocabulary(corpus.meta, vectors=False)
    report = opened.ingest(MimicSource(corpus.mimic), scope="local")
    assert report.state == "done"
    yield opened
    opened.close()


def test_a_lab_is_cited_by_its_line_and_read_again(kb: KnowledgeBase) -> None:
    labs = patient_facts(kb.store, "99000001", SCOPES, ["HAS_LAB"])
    assert [(one.title, one.text) for one in labs] == [
        ("Outside an admission", "laboratory Creatinine: last 1.1 mg/dL at 2180-03-03 09:00:00, n 1"),
        ("Admission 88000001 (2180-01-03 to 2180-01-04)",
         LAST_AND_FIRST)]
    assert all(one.chunk and one.location["end"] - one.location["start"] == len(one.text) for one in labs)
    assert reread(kb.store, labs, SCOPES) == [True, True]
    assert reread(kb.store, labs, ("public",)) == [False, False]
    false = replace(labs[1], text=labs[1].text.replace("2.5", "9.5"))
    assert reread(kb.store, [false], SCOPES) == [False]
    moved = replace(labs[1], location={"start": 0, "end": len(labs[1].text)})
    assert reread(kb.store, [moved], SCOPES) == [False]


def test_records_are_neither_linked_nor_encoded_and_the_check_is_clean(kb: KnowledgeBase) -> None:
    assert kb.check() == []
    tables = "MATCH (c:Chunk)-[:PART_OF]->(d:Document {kind: 'table'}) "
    assert raw(kb.store, tables + "RETURN count(c) AS n")[0]["n"] >= 3
    assert raw(kb.store, tables + "WHERE c.embedding IS NOT NULL RETURN count(c) AS n")[0]["n"] == 0
    assert raw(kb.store, tables + "MATCH (c)-[:HAS_MENTION]->(m) RETURN count(m) AS n")[0]["n"] == 0
    found = kb.retrieve("creatinine laboratory", patient="99000001")
    assert all(one.section not in ("Laboratory", "Diagnoses") for one in found)


def test_a_code_of_another_edition_says_how_it_was_found(kb: KnowledgeBase) -> None:
    rows = raw(kb.store, "MATCH (:Encounter)-[f:HAS_DIAGNOSIS]->(c:Concept) "
                         "RETURN f.code AS code, f.method AS method, c.key AS key ORDER BY code")
    assert [(row["code"], row["method"]) for row in rows] == [
        ("ICD9CM:401.9", "local"), ("ICD9CM:401.9", "local"), ("ICD9CM:V58.67", "gem")]
    assert rows[2]["key"] == c.HTN


def test_taking_them_again_changes_nothing(kb: KnowledgeBase, tmp_path: Path) -> None:
    again = kb.ingest(MimicSource(tmp_path / "mimic"), scope="local")
    assert set(again.documents) == {"unchanged"}
