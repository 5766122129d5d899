"""Linking: the text back from its chunks, headings, names of concepts, structured facts."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from graphkb import ids
from graphkb.model import Chunk, Fact, LocalConcept, Section
from ingestion.lexicon import Lexicon, Name, build
from ingestion.linking import ConceptNames, curies_of, heading_end, link_facts, link_text, sections_of, stamp, text_of


@pytest.fixture(scope="module")
def lexicon(tmp_path_factory: pytest.TempPathFactory) -> Lexicon:
    names = [Name("Asthma", "C1", ("T047",), "DISO"), Name("Lisinopril", "C2", ("T121",), "CHEM"),
             Name("Hypertension", "C3", ("T047",), "DISO"), Name("family history", "C4", ("T033",), "DISO")]
    return build(names, tmp_path_factory.mktemp("linking") / "lexicon")


def chunk(start: int, text: str, section: str = "", ordinal: int = 0) -> Chunk:
    return Chunk(f"chk:{start}", "doc:1", start, start + len(text), ordinal, text, section)


def test_text_is_rebuilt_at_its_offsets() -> None:
    chunks = [chunk(3, "One."), chunk(9, "Two."), chunk(13, " Three.")]
    text = text_of(chunks)
    assert text == "\n\n\nOne.\n\nTwo. Three."
    assert [text[c.start:c.end] for c in chunks] == ["One.", "Two.", " Three."]
    assert text_of([]) == ""


def test_sections_are_runs_of_chunks_under_one_heading() -> None:
    chunks = [chunk(0, "aa"), chunk(2, "bb", "Plan"), chunk(5, "cc", "Plan"), chunk(8, "dd", "Labs"),
              chunk(11, "ee", "Plan")]
    assert sections_of(chunks) == (Section("Plan", 2, 7), Section("Labs", 8, 10), Section("Plan", 11, 13))


@pytest.mark.parametrize(("text", "section", "end"), [
    ("## Family History\nnone", "Notes > Family History", 18), ("Family History: none", "Family History", 16),
    ("none", "Family History", 0), ("none", "", 0), ("A (b) c", "A (b)", 6),
])
def test_heading_end(text: str, section: str, end: int) -> None:
    assert heading_end(text, section) == end


def test_a_heading_is_no_finding(lexicon: Lexicon) -> None:
    found = link_text([chunk(0, "Family History\nAsthma.", "Family History")], lexicon, scope="local")
    assert [(m.name, m.experiencer, m.spans) for m in found.mentions] == [("asthma", "family", ((15, 21),))]
    assert link_text([], lexicon, scope="local").mentions == []


def test_statements_are_worded_with_the_names_that_are_asked_for(lexicon: Lexicon) -> None:
    reads: list[list[str]] = []

    def read(name: str, *, keys: list[str]) -> list[dict[str, Any]]:
        reads.append(keys)
        return [{"key": "C2", "name": "Lisinopril (drug)"}] if keys == ["C2"] else []

    store: Any = SimpleNamespace(read=read)
    names = ConceptNames(store)
    chunks = [chunk(0, "Lisinopril treats hypertension.")]
    (statement,) = link_text(chunks, lexicon, scope="public", names=names).statements
    assert statement.text == "Lisinopril (drug) treats hypertension", "the text's own word where there is no name"
    assert statement.key == ids.statement("C2", "treats", "C3", "affirmed", "public")
    assert sorted(reads) == [["C2"], ["C3"]]
    link_text(chunks, lexicon, scope="public", names=names)
    assert len(reads) == 2, "a name is read once"
    assert dict(names) == {"C2": "Lisinopril (drug)", "C3": ""}


def test_facts_are_linked_by_code_by_drug_or_to_a_local_concept(lexicon: Lexicon) -> None:
    facts = [Fact("HAS_DIAGNOSIS", "diagnoses_icd:1", "Unspecified essential hypertension", "ICD9CM", "401.9"),
             Fact("HAS_DIAGNOSIS", "diagnoses_icd:2", "Use of insulin", "ICD9CM", "V58.67"),
             Fact("HAS_DIAGNOSIS", "diagnoses_icd:3", "", "ICD9CM", "999"),
             Fact("PRESCRIBED", "prescriptions:1", "Lisinopril"), Fact("PRESCRIBED", "prescriptions:2", "Zorvex"),
             Fact("PRESCRIBED", "prescriptions:3", "zorvex")]
    linked, local = link_facts(facts, {"ICD9CM:401.9": "C3"}, lexicon, "mine")
    insulin, unknown = ids.concept("ICD9CM:V58.67", "mine"), ids.concept("ICD9CM:999", "mine")
    drug = ids.local_concept("zorvex", "drug", "mine")
    assert [fact.concept for fact in linked] == ["C3", insulin, unknown, "C2", drug, drug]
    assert local == sorted([LocalConcept(insulin, "mine", "Use of insulin", (), "ICD9CM:V58.67"),
                            LocalConcept(unknown, "mine", "ICD9CM:999", (), "ICD9CM:999"),
                            LocalConcept(drug, "mine", "zorvex")], key=lambda concept: concept.key)
    assert [fact.method for fact in linked] == ["code", "local", "local", "name", "local", "local"]
    other, _ = link_facts(facts[4:5], {}, lexicon, "theirs")
    assert other[0].concept != drug, "a name of one scope is not another's"


def test_the_stamp_holds_the_lexicon_and_the_rules(lexicon: Lexicon, tmp_path: Path) -> None:
    same = build([Name("Asthma", "C1", ("T047",), "DISO")], tmp_path / "other")
    assert stamp(lexicon) != stamp(same)
    assert stamp(lexicon).endswith(f":{lexicon.stamp}")


def test_other_codes_of_a_fact_are_tried_in_order_and_the_method_is_told(lexicon: Lexicon) -> None:
    facts = [Fact("HAS_DIAGNOSIS", "d:1", "x", "ICD9CM", "401.9", also=("ICD10CM:I10",)),
             Fact("HAS_LAB", "l:1", "Creatinine", "MIMICLAB", "50912", also=("LNC:2160-0",)),
             Fact("PRESCRIBED", "p:1", "Lisinopril", also=("NDC:00000111122",)),
             Fact("ADMINISTERED", "e:1", "Zorvex", also=("MIMICITEM:1",)),
             Fact("GREW", "m:1", "ESCHERICHIA COLI", "MIMICMICRO", "80002")]
    assert curies_of(facts) == ["ICD10CM:I10", "ICD9CM:401.9", "LNC:2160-0", "MIMICITEM:1", "MIMICLAB:50912",
                                "MIMICMICRO:80002", "NDC:00000111122"]
    linked, local = link_facts(facts, {"ICD10CM:I10": "C7", "LNC:2160-0": "C8", "NDC:00000111122": "C9"}, lexicon,
                               "mine")
    assert [(fact.concept, fact.method) for fact in linked] == [
        ("C7", "gem"), ("C8", "loinc"), ("C9", "ndc"), (ids.local_concept("zorvex", "drug", "mine"), "local"),
        (ids.concept("MIMICMICRO:80002", "mine"), "local")]
    assert {concept.name for concept in local} == {"zorvex", "ESCHERICHIA COLI"}
    assert link_facts(facts[:1], {"ICD9CM:401.9": "C1", "ICD10CM:I10": "C7"}, lexicon, "mine")[0][0].method == "code"
