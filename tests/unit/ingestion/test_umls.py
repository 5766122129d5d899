"""Reading RRF: what is kept, what is rejected and why, and what a broken file does."""

from __future__ import annotations

import gzip
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkb.errors import InputError
from graphkb.model.predicates import RELATION_TYPES, read_mrrel, relation_type, verbalise
from graphkb.model.records import ReadReport
from ingestion.sources.umls import RrfReader
from ingestion.sources.umls_spool import Spool

A, B, C = "C9000001", "C9000002", "C9000003"


def quiet(_what: str, _done: int, _total: int | None) -> None:
    pass


def spooled(folder: Path) -> tuple[Spool, ReadReport]:
    report = ReadReport()
    spool = Spool()
    spool.fill(RrfReader(folder, report), quiet)
    assert report.balanced()
    return spool, report


def reasons(report: ReadReport) -> dict[tuple[str, str, str], int]:
    return dict(report.reasons)


def test_every_row_is_kept_or_rejected_with_its_reason(tmp_path: Path, helper: ModuleType) -> None:
    h = helper
    folder = h.write_meta(
        tmp_path,
        MRCONSO=[h.atom(A, "A1", "SRC", "1", "fever"), h.atom(A, "A2", "SRC", "1", "pyrexia", tty="SY", ts="S"),
                 h.atom(B, "A3", "SRC", "2", "cough"), h.atom(B, "A3", "SRC", "2", "coughing"),
                 "C9000001|ENG|too few|", h.atom(A, "A4", "SRC", "1", "x") + "more|",
                 h.atom("X12", "A5", "SRC", "1", "x"),
                 h.atom(A, "A6", "SRC", "1", "  "), h.atom(A, "A7", "", "1", "x"), h.atom(A, "A8", "SRC", "1", "a\0b")],
        MRSTY=[h.semantic_type(A, "T184"), h.semantic_type(A, "T184"), h.semantic_type(C, "T184"),
               h.semantic_type(A, "184")],
        MRDEF=[h.definition(A, "A1", "Raised temperature."), h.definition(B, "A1", "of another"),
               h.definition(A, "A99", "of none"), h.definition(A, "A1", "old", suppress="O"),
               h.definition(A, "A1", "")],
        MRREL=[h.relation(A, "PAR", B), h.relation(B, "CHD", A), h.relation(A, "RO", A, "may_treat"),
               h.relation(A, "RO", C, "may_treat"), h.relation(A, "RO", B, "may_treat", suppress="O"),
               h.relation(A, "XR", B), h.relation("", "PAR", B), "C9000001|"],
        MRSAB=[h.vocabulary("SRC", sver="2026", imeta="2026AA"), h.vocabulary("", sver="1"),
               h.vocabulary("BAD", srl="x")])
    spool, report = spooled(folder)
    with spool:
        assert spool.counts == {"atoms": 3, "concepts": 2, "codes": 2, "types": 1, "definitions": 1,
                                "relation_rows": 2, "relations": 1}
        assert spool.release == "2026AA"
        assert spool.version("SRC") == "2026"
    assert dict(report.rows_in) == {"MRCONSO.RRF": 10, "MRSTY.RRF": 4, "MRDEF.RRF": 5, "MRREL.RRF": 8, "MRSAB.RRF": 3}
    width = "fields, 18 are needed, each ended by a bar"
    assert {k: n for k, n in reasons(report).items() if k[0] == "MRCONSO.RRF"} == {
        ("MRCONSO.RRF", "GKB-411", "the AUI occurs twice"): 1,
        ("MRCONSO.RRF", "GKB-406", f"too few {width}"): 1, ("MRCONSO.RRF", "GKB-406", f"too many {width}"): 1,
        ("MRCONSO.RRF", "GKB-407", "CUI is not C and seven digits"): 1,
        ("MRCONSO.RRF", "GKB-407", "the name is blank"): 1,
        ("MRCONSO.RRF", "GKB-407", "AUI, SAB or CODE is blank"): 1, ("MRCONSO.RRF", "GKB-407", "a NUL character"): 1}
    assert reasons(report)["MRSTY.RRF", "GKB-409", "no atom has this CUI"] == 1
    assert reasons(report)["MRSTY.RRF", "GKB-411", "the type occurs twice"] == 1
    assert reasons(report)["MRDEF.RRF", "GKB-409", "no atom has this CUI and AUI"] == 2
    assert reasons(report)["MRREL.RRF", "GKB-409", "no atom has CUI1 or CUI2"] == 1
    assert report.left_out == {
        ("MRDEF.RRF", "the definition is suppressed"): 1, ("MRREL.RRF", "a relation of a concept to itself"): 1,
        ("MRREL.RRF", "the relation is suppressed"): 1, ("MRREL.RRF", "REL asserts no relation"): 1}
    twice = next(r for r in report.examples if r.code == "GKB-411" and r.file == "MRCONSO.RRF")
    assert twice.row == 4


def test_a_row_that_is_not_utf8_is_named_and_the_rest_goes_on(tmp_path: Path, helper: ModuleType) -> None:
    good = helper.atom(A, "A1", "SRC", "1", "Ménière's disease").encode()
    bad = helper.atom(B, "A2", "SRC", "2", "Ménière").encode("latin-1")
    (tmp_path / "MRCONSO.RRF").write_bytes(b"\xef\xbb\xbf" + good + b"\r\n" + bad + b"\n")
    report = ReadReport()
    atoms = list(RrfReader(tmp_path, report).atoms())
    assert [(a.cui, a.name) for a in atoms] == [(A, "Ménière's disease")]
    assert [(r.file, r.row, r.code) for r in report.examples] == [("MRCONSO.RRF", 2, "GKB-403")]


def test_a_line_break_of_unicode_does_not_split_a_row(tmp_path: Path, helper: ModuleType) -> None:
    helper.write_meta(tmp_path, MRCONSO=[helper.atom(A, "A1", "SRC", "1", "a\u2028b\x85c\x0bd")])
    assert [a.name for a in RrfReader(tmp_path, ReadReport()).atoms()] == ["a\u2028b\x85c\x0bd"]


def test_missing_and_empty_files(tmp_path: Path, helper: ModuleType) -> None:
    with pytest.raises(InputError, match="GKB-401"):
        RrfReader(tmp_path / "nowhere", ReadReport())
    with pytest.raises(InputError, match="GKB-401"):
        RrfReader(tmp_path, ReadReport())
    (tmp_path / "MRCONSO.RRF").touch()
    with pytest.raises(InputError, match="GKB-402"):
        spooled(tmp_path)
    (tmp_path / "MRCONSO.RRF").write_text("not an RRF row\n", encoding="utf-8")
    with pytest.raises(InputError, match="GKB-405"):
        spooled(tmp_path)
    helper.write_meta(tmp_path, MRCONSO=[helper.atom(A, "A1", "SRC", "1", "fever")], MRREL=[])
    spool, report = spooled(tmp_path)
    with spool:
        assert spool.counts["relations"] == 0
        assert spool.version("SRC") == ""
        assert spool.release == ""
    assert sorted(report.notes) == [
        "[GKB-401] MRDEF is not there: no definitions",
        "[GKB-401] MRSAB is not there: no versions or licences of vocabularies",
        "[GKB-401] MRSTY is not there: no semantic types", "[GKB-402] MRREL.RRF is empty: no relations"]


def test_gzip_reads_the_same_and_one_that_is_cut_off_is_refused(tmp_path: Path, helper: ModuleType) -> None:
    rows = [helper.atom(f"C{9000000 + n}", f"A{n}", "SRC", str(n), f"name {n * 7919}") for n in range(500)]
    plain = helper.write_meta(tmp_path / "plain", MRCONSO=rows)
    packed = helper.write_meta(tmp_path / "gz", gz=True, MRCONSO=rows)
    assert list(RrfReader(plain, ReadReport()).atoms()) == list(RrfReader(packed, ReadReport()).atoms())
    file = packed / "MRCONSO.RRF.gz"
    file.write_bytes(file.read_bytes()[:-40])
    with pytest.raises(InputError, match=r"GKB-404.*MRCONSO\.RRF\.gz, after row \d+"):
        spooled(packed)
    file.write_bytes(gzip.compress(b"x" * 1000)[:20] + b"\0" * 40)
    with pytest.raises(InputError, match="GKB-404"):
        spooled(packed)


def test_rows_in_any_order_give_the_same_batches(tmp_path: Path, helper: ModuleType) -> None:
    h = helper
    rows = [h.atom(cui, f"A{n}{m}", sab, code, f"{cui} {sab} {m}", tty="SY" if m else "PT")
            for n, (cui, sab, code) in enumerate([(A, "S1", "1"), (B, "S1", "2"), (C, "S1", "3"), (A, "S2", "1"),
                                                  (B, "S1", "1")]) for m in range(3)]
    results = []
    for name, order in (("up", rows), ("down", rows[::-1])):
        spool, _ = spooled(h.write_meta(tmp_path / name, MRCONSO=order))
        with spool:
            results.append([(b.concepts, b.codes) for b in spool.concept_batches(1, "")])
    assert results[0] == results[1]
    (first, second, third) = results[0]
    assert first[0] == [A]
    assert first[1]["S1:1@"] == second[1]["S1:1@"], "a shared code is whole in every batch"
    assert first[1]["S1:1@"].concepts == (A, B)
    assert list(third[1]) == ["S1:3@"]


def test_a_source_without_codes_makes_no_hub(tmp_path: Path, helper: ModuleType) -> None:
    helper.write_meta(tmp_path, MRCONSO=[helper.atom(A, "A1", "MTH", "NOCODE", "x"),
                                         helper.atom(B, "A2", "MTH", "NOCODE", "y")])
    assert [a.code for a in RrfReader(tmp_path, ReadReport()).atoms()] == [f"NOCODE-{A}", f"NOCODE-{B}"]


def test_what_became_of_earlier_concepts(tmp_path: Path, helper: ModuleType) -> None:
    helper.write_meta(
        tmp_path, MRCONSO=[helper.atom(A, "A1", "SRC", "1", "x")],
        MRCUI=[f"C0000001|2025AA|SY|||{A}|Y|", "C0000002|2024AB|DEL|||||", f"C0000003|2025AA|RB|isa|why|{A}|N|",
               "C0000004|2025AA|SY||||Y|", f"C0000005|2025AA|XX|||{A}|Y|", f"X|2025AA|SY|||{A}|Y|"])
    report = ReadReport()
    assert [tuple(change) for change in RrfReader(tmp_path, report).changes()] == [
        (1, "C0000001", "2025AA", "SY", "", "", A, True), (2, "C0000002", "2024AB", "DEL", "", "", "", False),
        (3, "C0000003", "2025AA", "RB", "isa", "why", A, False)]
    assert report.rejected["MRCUI.RRF"] == 3


def test_the_release_and_its_date(tmp_path: Path, helper: ModuleType) -> None:
    h = helper
    folder = h.write_meta(tmp_path, MRCONSO=[h.atom(A, "A1", "SRC", "1", "x")],
                          MRSAB=[h.vocabulary("SRC", imeta="2025AB")])
    spool, _ = spooled(folder)
    assert (spool.release, spool.date_of("2025AB"), spool.date_of("2026AA"), spool.date_of("mine")) == (
        "2025AB", "2025-11-01", "2026-05-01", "")
    (folder / "release.dat").write_text("umls.release.name=2026AA\numls.release.date=20260504\n", encoding="utf-8")
    spool, _ = spooled(folder)
    assert (spool.release, spool.date_of("2026AA"), spool.date_of("2025AB")) == ("2026AA", "2026-05-04", "2025-11-01")


@pytest.mark.parametrize(("rel", "rela", "expected"), [
    ("PAR", "", ("ISA", "isa", A, B)), ("PAR", "inverse_isa", ("ISA", "isa", A, B)),
    ("CHD", "", ("ISA", "isa", B, A)), ("CHD", "isa", ("ISA", "isa", B, A)),
    ("PAR", "unheard_of", ("ISA", "isa", A, B)), ("PAR", "has_part", ("HAS_PART", "has_part", B, A)),
    ("RO", "may_treat", ("TREATS", "may_treat", B, A)), ("RO", "may_be_treated_by", ("TREATS", "may_treat", A, B)),
    ("RO", "may_be_palliated_by", ("TREATS", "may_palliate", A, B)),
    ("RO", "manifestation_of", ("HAS_PHENOTYPE", "has_manifestation", A, B)),
    ("RO", "has_finding_site", ("LOCATED_IN", "has_finding_site", B, A)),
    ("RO", "causative_agent_of", ("CAUSES", "causative_agent_of", B, A)),
    ("RO", "due_to", ("CAUSES", "cause_of", A, B)),
    ("RO", "has_contraindicated_drug", ("CONTRAINDICATED_FOR", "contraindicated_with_disease", A, B)),
    ("RO", "part_of", ("HAS_PART", "has_part", A, B)),
    ("RO", "interacts_with", ("INTERACTS_WITH", "interacts_with", A, B)),
    ("RN", "", ("RELATED", "has_broader", B, A)), ("RB", "", ("RELATED", "has_broader", A, B)),
    ("SIB", "", ("RELATED", "sibling_of", A, B)), ("RO", "tickles", ("RELATED", "tickles", B, A)),
])
def test_the_direction_of_a_row(rel: str, rela: str, expected: tuple[str, str, str, str]) -> None:
    found = read_mrrel(rel, rela, A, B)
    assert found is not None
    assert (found.type, found.predicate, found.subject, found.object) == expected
    assert relation_type(found.predicate) == found.type


def test_the_closed_list_and_the_sentences() -> None:
    assert len(RELATION_TYPES) <= 16
    assert verbalise("may_treat", "lisinopril", "hypertension") == "lisinopril may treat hypertension"
    assert verbalise("isa", "fever", "sign") == "fever is a kind of sign"
    assert verbalise("has_part", "{o}", "{s}") == "{o} has {s} as a part"
    assert verbalise("unheard_of", "a", "b") == "a unheard of b"


def test_unknown_words_are_stored_once_for_each_pair(tmp_path: Path, helper: ModuleType) -> None:
    h = helper
    folder = h.write_meta(
        tmp_path, MRCONSO=[h.atom(c, f"A{c}", "SRC", c, c) for c in (A, B, C)],
        MRREL=[
            # B tickles A, A tickled_by B: the active word stands; so do B has_glow C, C glow_of B beside another pair
            h.relation(A, "RO", B, "tickles"), h.relation(B, "RO", A, "tickled_by"),
            h.relation(C, "RO", B, "has_glow"), h.relation(B, "RO", C, "glow_of"),
            h.relation(C, "RO", B, "sees"), h.relation(B, "RO", C, "watched"),
            # the source asserts the passive direction
            h.relation(A, "RO", C, "drawn_by", direction="Y"), h.relation(C, "RO", A, "draws", direction="N"),
            # another vocabulary, one row only; and a symmetric one
            h.relation(A, "RO", B, "tickled_by", "S2"), h.relation(A, "RO", B, "nears", "S3"),
            h.relation(B, "RO", A, "nears", "S3")])
    spool, _ = spooled(folder)
    with spool:
        edges = {(e.subject, e.predicate, e.object, e.sab) for batch in spool.edge_batches(2) for e in batch}
    assert edges == {(B, "tickles", A, "SRC"), (B, "has_glow", C, "SRC"), (B, "sees", C, "SRC"),
                     (C, "drawn_by", A, "SRC"), (B, "tickled_by", A, "S2"), (A, "nears", B, "S3")}


@settings(max_examples=60, deadline=None)
@given(st.lists(st.binary(max_size=60), max_size=12))
def test_any_bytes_are_counted(tmp_path_factory: pytest.TempPathFactory, lines: list[bytes]) -> None:
    folder = tmp_path_factory.mktemp("meta")
    whole = f"{A}|ENG|P|L1|PF|S1|Y|A1||||SRC|PT|1|fever|0|N|256|".encode()
    data = b"\n".join([whole, *(line.replace(b"\n", b"|") for line in lines)]) + b"\n"
    (folder / "MRCONSO.RRF").write_bytes(data)
    spool, report = spooled(folder)
    with spool:
        assert report.rows_in["MRCONSO.RRF"] == 1 + len(lines)
        assert report.kept["MRCONSO.RRF"] == spool.counts["atoms"] == 1
