"""What a release has beyond names and relations: ranks, attributes, earlier CUIs, documentation, layout."""

from __future__ import annotations

import gzip
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphkb.config import Settings
from graphkb.errors import InputError
from graphkb.model.predicates import contradictions
from graphkb.model.records import ReadReport
from graphkb.model.semantic_types import SEMANTIC_TYPES, parent_of
from ingestion.sources.rrf import COLUMNS, _split
from ingestion.sources.umls import Filter, RrfReader
from ingestion.sources.umls_spool import Spool, ndc11
from ingestion.vocabulary import VocabularyCounts, load_vocabulary, taken

A, B, C = "C9000001", "C9000002", "C9000003"


def load(graph: object, folder: Path, **ingest: object) -> tuple[VocabularyCounts, ReadReport]:
    report = ReadReport()
    settings = Settings.model_validate({"ingest": ingest})
    counts = load_vocabulary(graph, folder, settings=settings, report=report)  # type: ignore[arg-type]
    assert report.balanced()
    return counts, report


def attribute(cui: str, aui: str, name: str, value: str, sab: str = "RXNORM", suppress: str = "N") -> str:
    return f"{cui}|||{aui}|AUI|1|AT1||{name}|{sab}|{value}|{suppress}||"


def test_the_name_is_chosen_by_the_release_s_own_ranks(tmp_path: Path, helper: ModuleType) -> None:
    h = helper
    atoms = [h.atom(A, "A1", "LOW", "1", "aaa", tty="PT"), h.atom(A, "A2", "HIGH", "2", "zzz", tty="SY", ts="S"),
             h.atom(A, "A3", "NOWHERE", "3", "aa", tty="PT")]
    graph = h.MemoryGraph()
    load(graph, h.write_meta(tmp_path / "without", MRCONSO=atoms))
    assert graph.nodes["Concept"][A]["name"] == "aa", "the documented order: preferred forms first, then the text"
    graph = h.MemoryGraph()
    _, report = load(graph, h.write_meta(tmp_path / "with", MRCONSO=atoms, MRRANK=[
        "0300|LOW|PT|N|", "0900|HIGH|SY|N|", "0950|HIGH|SY|Y|", "x|LOW|SY|N|"]))
    assert graph.nodes["Concept"][A]["name"] == "zzz"
    assert graph.nodes["Concept"][A]["search_text"] == "zzz | aaa | aa"
    assert (report.kept["MRRANK.RRF"], report.rejected["MRRANK.RRF"]) == (3, 1)


def test_attributes_and_drug_codes(tmp_path: Path, helper: ModuleType) -> None:
    h = helper
    folder = h.write_meta(
        tmp_path, MRCONSO=[h.atom(A, "A1", "RXNORM", "1", "aspirin 81 MG"), h.atom(B, "A2", "MTHSPL", "2", "ASA")],
        MRSAB=[h.vocabulary("RXNORM", sver="26"), h.vocabulary("MTHSPL")],
        MRSAT=[attribute(A, "A1", "NDC", "00071015523"), attribute(A, "A1", "NDC", "71-1"),
               attribute(B, "A2", "NDC", "0071-0155-23", "MTHSPL"), attribute(A, "A1", "RXN_HUMAN_DRUG", "US"),
               attribute(A, "A1", "OTHER", "x"), attribute(A, "A1", "NDC", "00071015524", suppress="O"),
               attribute(A, "A9", "NDC", "00071015525"), attribute(A, "R1", "NDC", "00071015525")])
    graph = h.MemoryGraph()
    counts, report = load(graph, folder)
    codes = graph.nodes["Code"]
    assert codes["RXNORM:1@26"]["attributes"] == ["RXN_HUMAN_DRUG=US"]
    assert {key for key in codes if key.startswith("NDC:")} == {
        "NDC:00071015523@RXNORM 26", "NDC:00071015523@MTHSPL MTHSPL"}
    assert {(b, codes[a]["curie"]) for (type_, a, b, _) in graph.edges if type_ == "CODE_OF" and a[:4] == "NDC:"} == {
        (A, "NDC:00071015523"), (B, "NDC:00071015523")}
    sources = {key: row["name"] for key, row in graph.nodes["Source"].items()}
    assert {(a, sources[b]) for (type_, a, b, _) in graph.edges if type_ == "FROM" and a[:4] == "NDC:"} == {
        ("NDC:00071015523@RXNORM 26", "RXNORM"), ("NDC:00071015523@MTHSPL MTHSPL", "MTHSPL")}
    assert counts.attributes == 3
    assert {code for (file, code, _), n in report.reasons.items() if file == "MRSAT.RRF"} == {"GKB-407", "GKB-409"}
    assert report.rejected["MRSAT.RRF"] == 3
    assert sum(report.left_out.values()) == 2
    assert load(graph, folder)[0].changed == 0
    assert graph.nodes["Concept"][A]["search_text"] == "aspirin 81 MG", "a code without a name names nothing"


def test_an_earlier_cui_is_a_code_of_the_concept_it_was_merged_into(tmp_path: Path, helper: ModuleType) -> None:
    h = helper
    folder = h.write_meta(
        tmp_path, MRCONSO=[h.atom(A, "A1", "S", "1", "x"), h.atom(B, "A2", "S", "2", "y")],
        MRCUI=[f"C0000001|2024AA|SY|||{A}|Y|", "C0000002|2020AA|SY|||C0000001|Y|", "C0000003|2019AA|SY|||C0000002|N|",
               "C0000004|2024AA|DEL|||||", f"C0000005|2024AA|RB|||{A}|Y|", "C0000006|2024AA|SY|||C0000007|Y|",
               "C0000007|2024AA|SY|||C0000006|Y|", f"{B}|2024AA|SY|||{A}|Y|"])
    graph = h.MemoryGraph()
    counts, _ = load(graph, folder)
    assert {key: graph.nodes["Code"][key]["curie"] for key in graph.nodes["Code"] if key.startswith("UMLS:")} == {
        f"UMLS:C000000{n}@": f"UMLS:C000000{n}" for n in (1, 2, 3)}, "chains are followed, circles end, RB is no merger"
    assert {b for (type_, a, b, _) in graph.edges if type_ == "CODE_OF" and a.startswith("UMLS:")} == {A}
    assert counts.former_concepts == 3
    assert load(graph, folder)[0].changed == 0


def test_what_mrdoc_says_pairs_unknown_words(tmp_path: Path, helper: ModuleType) -> None:
    h = helper
    relations = [h.relation(A, "RO", B, "draws"), h.relation(B, "RO", A, "is_moved"),
                 h.relation(A, "RO", B, "sees"), h.relation(B, "RO", A, "watched")]
    folder = h.write_meta(tmp_path, MRCONSO=[h.atom(c, f"A{c}", "S", c, c, tty="ZZ") for c in (A, B)],
                          MRREL=relations, MRDOC=["RELA|draws|rela_inverse|is_moved|",
                                                  "RELA|sees|rela_inverse|watched|", "TTY|PT|expanded_form|Preferred|"])
    graph = h.MemoryGraph()
    _, report = load(graph, folder)
    assert graph.relations() == {(B, "RELATED", "draws", A), (B, "RELATED", "sees", A)}
    assert report.notes[-1] == "1 term types are not in MRDOC: ZZ"
    assert contradictions({"isa": "inverse_isa", "inverse_isa": "isa", "may_treat": "treated_by"}) == [
        ("may_treat", "treated_by")]


def test_semantic_types_beyond_the_network_are_named_and_taken(tmp_path: Path, helper: ModuleType) -> None:
    h = helper
    folder = h.write_meta(tmp_path / "META", MRCONSO=[h.atom(A, "A1", "S", "1", "x")],
                          MRSTY=[h.semantic_type(A, "T998"), h.semantic_type(A, "T999"), h.semantic_type(A, "T047")])
    (tmp_path / "NET").mkdir()
    (tmp_path / "NET" / "SRDEF").write_text("STY|T998|New Type|A9|||||nt||\nRL|T999|rel|R1|||||r||\n", encoding="utf-8")
    graph = h.MemoryGraph()
    _, report = load(graph, folder)
    assert graph.nodes["Concept"][A]["semantic_types"] == ["T047", "T998", "T999"]
    assert "1 semantic types are not in the Semantic Network: T999" in report.notes
    assert len(SEMANTIC_TYPES) == 127
    assert [parent_of(t) for t in ("T047", "T191", "T046", "T071", "T051")] == ["T046", "T047", "T038", "", ""]


def test_columns_stand_as_mrfiles_orders_them(tmp_path: Path, helper: ModuleType) -> None:
    h = helper
    plain = h.write_meta(tmp_path / "plain", MRCONSO=[h.atom(A, "A1", "S", "1", "x")])
    order = [*reversed(COLUMNS["MRCONSO"]), "NEW"]
    fields = dict(zip(COLUMNS["MRCONSO"], h.atom(A, "A1", "S", "1", "x").split("|"), strict=False)) | {"NEW": "?"}
    turned = h.write_meta(tmp_path / "turned", MRCONSO=["|".join(fields[c] for c in order) + "|"],
                          MRFILES=[f"MRCONSO.RRF|Names|{','.join(order)}|19|7|1|"])
    report = ReadReport()
    with Spool() as spool:
        spool.fill(RrfReader(turned, report), lambda *_: None)
    assert list(RrfReader(turned, ReadReport()).atoms()) == list(RrfReader(plain, ReadReport()).atoms())
    assert "[GKB-405] MRCONSO.RRF has 1 rows, MRFILES says 7" in report.notes
    h.write_meta(turned, MRFILES=["MRCONSO.RRF|Names|CUI,LAT|2|1|1|"])
    with pytest.raises(InputError, match=r"GKB-405.*no column TS"):
        RrfReader(turned, ReadReport())


def test_a_table_of_another_shape_leaves_the_graph_as_it_was(tmp_path: Path, helper: ModuleType) -> None:
    h = helper
    folder = h.write_meta(tmp_path, MRCONSO=[h.atom(A, "A1", "S", "1", "x"), h.atom(B, "A2", "S", "2", "y")],
                          MRREL=[f"{A}|PAR|{B}|", f"{B}|CHD|{A}|"])
    graph = h.MemoryGraph()
    with pytest.raises(InputError, match=r"GKB-405.*not one of 2 rows has the fields of MRREL"):
        load(graph, folder)
    assert graph.writes == []
    (folder / "MRREL.RRF").unlink()
    (folder / "release.dat").write_text("umls.release.name=2026AA\n", encoding="utf-8")
    with pytest.raises(InputError, match="GKB-405"):
        load_vocabulary(graph, folder, settings=Settings(), report=ReadReport(), release="2026AB")
    assert graph.writes == []


@pytest.mark.parametrize("packed", [False, True])
def test_a_table_in_parts(tmp_path: Path, helper: ModuleType, packed: bool) -> None:
    rows = "".join(helper.atom(f"C{9000000 + n}", f"A{n}", "S", str(n), f"name {n}") + "\n"
                   for n in range(300)).encode()
    for part, data in (("aa", rows[:5001]), ("ab", rows[5001:9000]), ("ac", rows[9000:])):
        name = f"MRCONSO.RRF.{part}" + ".gz" * packed
        (tmp_path / name).write_bytes(gzip.compress(data) if packed else data)
    assert [atom.name for atom in RrfReader(tmp_path, ReadReport()).atoms()] == [f"name {n}" for n in range(300)]
    (tmp_path / ("MRCONSO.RRF.ab" + ".gz" * packed)).unlink()
    with pytest.raises(InputError, match="GKB-401"):
        RrfReader(tmp_path, ReadReport())


def test_filters_by_source_and_restriction(tmp_path: Path, helper: ModuleType) -> None:
    h = helper
    folder = h.write_meta(
        tmp_path, MRCONSO=[h.atom(A, "A1", "FREE", "1", "x"), h.atom(B, "A2", "SHUT", "2", "y"),
                           h.atom(A, "A3", "SHUT", "3", "z")],
        MRSAB=[h.vocabulary("FREE"), h.vocabulary("SHUT", srl="3")], MRSTY=[h.semantic_type(B, "T047")],
        MRREL=[h.relation(A, "PAR", B, sab="FREE"), h.relation(A, "PAR", B, sab="SHUT")])
    results = []
    for ingest in ({"umls_restriction": 0}, {"umls_sources": ["FREE"]}, {"umls_exclude_sources": ["SHUT"]}):
        graph = h.MemoryGraph()
        counts, report = load(graph, folder, **ingest)
        assert report.rejected.total() == 0
        assert sum(counts.left_out.values()) == 5
        results.append(graph.content())
    assert results[0] == results[1] == results[2]
    assert set(results[0][0]["Concept"]) == {A}
    graph = h.MemoryGraph()
    load(graph, folder)
    assert {(row["name"], row["restriction"]) for row in graph.nodes["Source"].values()} == {("FREE", 0), ("SHUT", 3)}
    assert taken(Settings()) == Filter(attributes=frozenset(Settings().ingest.umls_attributes))


@given(st.lists(st.lists(st.text(st.characters(exclude_characters="|\n\r\0", exclude_categories=["Cs"]), max_size=4),
                         min_size=2, max_size=4), min_size=1, max_size=5))
def test_a_block_is_split_as_its_rows_are(rows: list[list[str]]) -> None:
    block = "".join("|".join(row) + "|\n" for row in rows).encode()
    fields = _split(block, 3, first=False)
    if all(len(row) == 3 for row in rows):
        assert fields == [field for row in rows for field in row]
    else:
        assert fields is None


def test_national_drug_codes() -> None:
    assert [ndc11(t) for t in ("0002-3227-30", "50242-040-62", "60575-4112-1", "00000000000", "1", "1234567890",
                               "\u0660" * 11, " 00071015523 ")] == [
        "00002322730", "50242004062", "60575411201", "", "", "", "", "00071015523"]
