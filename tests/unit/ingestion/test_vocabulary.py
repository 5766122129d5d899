"""Loading a vocabulary: what is created, that again changes nothing, that order and interruption leave no trace."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import ingestion.vocabulary
from graphkb.config import Settings
from graphkb.errors import InputError, StoreError
from graphkb.model.records import ReadReport
from ingestion.vocabulary import VocabularyCounts, load_vocabulary

A, B, C, D = "C9000001", "C9000002", "C9000003", "C9000004"


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ingestion.vocabulary, "CONCEPTS_PER_TRANSACTION", 2)
    monkeypatch.setattr(ingestion.vocabulary, "RELATIONS_PER_TRANSACTION", 2)


def load(graph: Any, folder: Path, **more: Any) -> VocabularyCounts:
    report = ReadReport()
    counts = load_vocabulary(graph, folder, settings=Settings(), report=report, **more)
    assert report.balanced()
    return counts


@pytest.fixture
def meta(tmp_path: Path, helper: ModuleType) -> Path:
    h = helper
    folder: Path = h.write_meta(
        tmp_path / "META",
        MRCONSO=[h.atom(A, "A1", "S1", "1", "Hypertension"),
                 h.atom(A, "A2", "S1", "1", "High blood pressure", tty="SY"),
                 h.atom(A, "A3", "S1", "1", "Hipertensión", lat="SPA"), h.atom(A, "A4", "S2", "I10", "hypertension"),
                 h.atom(B, "A5", "S2", "D1", "lisinopril"), h.atom(C, "A6", "S1", "2", "Vascular disease"),
                 # one code of two concepts, in two batches
                 h.atom(A, "A7", "S3", "X", "pressure, high"), h.atom(D, "A8", "S3", "X", "pressure, low")],
        MRSTY=[h.semantic_type(A, "T047"), h.semantic_type(B, "T121"), h.semantic_type(D, "T033")],
        MRDEF=[h.definition(A, "A1", "Raised arterial pressure.", "S1"), h.definition(D, "A8", "Too low.", "S3")],
        MRREL=[h.relation(A, "RO", B, "may_treat", "S2"), h.relation(B, "RO", A, "may_be_treated_by", "S2"),
               h.relation(A, "PAR", C, "inverse_isa", "S1"), h.relation(C, "CHD", A, "isa", "S1"),
               h.relation(D, "PAR", C, "", "S1")],
        MRSAB=[h.vocabulary("S1", sver="2026", srl="3", imeta="2026AA"), h.vocabulary("S2", vsab="S2_26"),
               h.vocabulary("S1", sver="2025", curver="N", imeta="2025AB")])
    return folder


def test_what_a_folder_becomes(meta: Path, helper: ModuleType) -> None:
    graph = helper.MemoryGraph()
    counts = load(graph, meta)
    assert counts.created == {"sources": 3, "concepts": 4, "codes": 5, "code_links": 6, "relations": 3}
    assert counts.changed == 21
    assert (counts.concepts, counts.codes, counts.atoms, counts.definitions, counts.semantic_types) == (4, 5, 8, 2, 3)
    assert (counts.relation_rows, counts.relations, counts.vocabularies, counts.cycles) == (5, 3, 3, 0)
    assert counts.relations_by_type == {"ISA": 2, "TREATS": 1}
    assert counts.release == "2026AA"
    assert graph.nodes["Concept"][A] == {
        "key": A, "scope": "public", "name": "Hypertension", "semantic_types": ["T047"],
        "definition": "Raised arterial pressure.",
        "search_text": "Hypertension | hypertension | pressure, high | High blood pressure"}
    assert graph.nodes["Concept"][D]["definition"] == "Too low."
    assert graph.nodes["Concept"][D]["search_text"] == "pressure, low"
    code = graph.nodes["Code"]["S1:1@2026"]
    assert (code["curie"], code["version"], code["from_release"]) == ("S1:1", "2026", "2026AA")
    assert code["names"] == ["Hipertensión", "Hypertension", "High blood pressure"]
    assert code["languages"] == ["SPA", "ENG", "ENG"]
    assert graph.nodes["Code"]["S3:X@"]["cuis"] == [A, D]
    assert not graph.nodes["Code"]["S2:I10@S2_26"].get("cuis")
    assert graph.relations() == {(B, "TREATS", "may_treat", A), (A, "ISA", "isa", C), (D, "ISA", "isa", C)}
    source = next(s for s in graph.nodes["Source"].values() if s["name"] == "S1")
    assert source == {"scope": "public", "name": "S1", "version": "2026", "title": "S1 title", "restriction": 3,
                      "citation": "S1 citation"}


def test_again_changes_nothing(meta: Path, helper: ModuleType) -> None:
    graph = helper.MemoryGraph()
    load(graph, meta)
    before, generations = graph.content(), dict(graph.nodes["Meta"]["meta:lexicon:public"])
    graph.writes.clear()
    counts = load(graph, meta)
    assert graph.writes == []
    assert counts.changed == 0
    assert graph.content() == before
    assert graph.nodes["Meta"]["meta:lexicon:public"] == generations


def test_a_dry_run_counts_and_writes_nothing(meta: Path, helper: ModuleType) -> None:
    graph = helper.MemoryGraph()
    dry = load(graph, meta, dry_run=True)
    assert (graph.writes, graph.transactions) == ([], 0)
    assert dry.created == load(graph, meta).created
    assert load(graph, meta, dry_run=True).changed == 0


def test_folders_in_any_order_give_one_graph(tmp_path: Path, meta: Path, helper: ModuleType) -> None:
    h = helper
    more = h.write_meta(
        tmp_path / "MORE",
        MRCONSO=[h.atom(A, "B1", "S0", "9", "arterial hypertension", ts="S"),
                 h.atom(A, "B2", "S2", "I10", "HTN", tty="AB"),
                 h.atom(C, "B3", "S3", "X", "pressure"), h.atom(B, "B4", "S2", "D1", "lisinopril")],
        MRSTY=[h.semantic_type(A, "T033"), h.semantic_type(C, "T047")],
        MRREL=[h.relation(A, "RO", B, "may_treat", "S2"), h.relation(C, "RO", B, "may_treat", "S2")],
        MRSAB=[h.vocabulary("S2", vsab="S2_26"), h.vocabulary("S0", sver="1", imeta="2025AB")])
    graphs = []
    for order in ([meta, more], [more, meta], [more, meta, more]):
        graph = h.MemoryGraph()
        counts = [load(graph, folder) for folder in order]
        graphs.append(graph)
    assert counts[-1].changed == 0
    assert graphs[0].content() == graphs[1].content() == graphs[2].content()
    concept = graphs[0].nodes["Concept"][A]
    assert concept["semantic_types"] == ["T033", "T047"]
    assert "arterial hypertension" in concept["search_text"]
    assert graphs[0].nodes["Code"]["S3:X@"]["cuis"] == [C, A, D]
    relations = {e["predicate"]: e["from_release"] for (_, a, b, _), e in graphs[0].edges.items() if (a, b) == (B, A)}
    assert relations == {"may_treat": "2025AB"}, "the earliest release that has it"


@pytest.mark.parametrize("at", range(1, 8))
def test_a_load_that_dies_is_finished_by_the_next(meta: Path, helper: ModuleType, at: int) -> None:
    whole = helper.MemoryGraph()
    load(whole, meta)
    assert whole.transactions == 6
    graph = helper.MemoryGraph()
    graph.fail_at = at
    if at <= 6:
        with pytest.raises(StoreError, match="GKB-201"):
            load(graph, meta)
    load(graph, meta)
    assert graph.content() == whole.content()
    assert graph.nodes["Meta"]["meta:lexicon:public"]["generation"] >= 1


def test_a_broken_file_leaves_the_graph_as_it_was(meta: Path, helper: ModuleType) -> None:
    graph = helper.MemoryGraph()
    load(graph, meta)
    before = graph.content()
    (meta / "MRREL.RRF").unlink()
    helper.write_meta(meta, gz=True, MRREL=[helper.relation(A, "RO", B, f"may_{n}") for n in range(500)])
    packed = meta / "MRREL.RRF.gz"
    packed.write_bytes(packed.read_bytes()[:-30])
    with pytest.raises(InputError, match="GKB-404"):
        load(graph, meta)
    assert graph.content() == before


def test_an_error_while_batches_are_made_ready_is_raised(meta: Path, helper: ModuleType,
                                                         monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise InputError("GKB-405", where="here")

    monkeypatch.setattr(ingestion.vocabulary, "derive", broken)
    with pytest.raises(InputError, match="GKB-405"):
        load(helper.MemoryGraph(), meta)


def test_the_release_can_be_given(meta: Path, helper: ModuleType) -> None:
    graph = helper.MemoryGraph()
    assert load(graph, meta, release="2026AB").release == "2026AB"
    assert {c["from_release"] for c in graph.nodes["Code"].values()} == {"2026AB"}
    assert {e["from_release"] for e in graph.edges.values() if "predicate" in e} == {"2026AB"}
    assert graph.nodes["Meta"]["meta:release:2026AB"] == {
        "key": "meta:release:2026AB", "release": "2026AB", "date": "2026-11-01", "scope": "public"}


def test_a_relation_that_a_release_has_again_is_live(meta: Path, helper: ModuleType) -> None:
    graph = helper.MemoryGraph()
    load(graph, meta)
    for edge in graph.edges.values():
        if "predicate" in edge:
            edge["to_release"] = "2026AB"
    before = graph.content()
    assert load(graph, meta).changed == 0
    assert graph.content() == before
    assert load(graph, meta, release="2026AB").updated == {"codes": 0, "concepts": 0, "relations": 3}
    assert not any(edge.get("to_release") for edge in graph.edges.values())
