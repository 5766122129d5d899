"""Sections of clinical notes."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingestion.sections import HEADINGS, role, split

MIMIC = (
    "Allergies", "Chief Complaint", "Major Surgical or Invasive Procedure", "History of Present Illness",
    "Past Medical History", "Social History", "Family History", "Pertinent Results", "Brief Hospital Course",
    "Medications on Admission", "Discharge Medications", "Discharge Disposition", "Discharge Diagnosis",
    "Discharge Condition", "Discharge Instructions", "Followup Instructions",
)


def parts(text: str) -> list[tuple[str, str]]:
    return [(s.name, text[s.start : s.end]) for s in split(text)]


@pytest.mark.parametrize("heading", MIMIC)
def test_each_mimic_heading_starts_a_section(heading: str) -> None:
    text = f"Sex:   F\n \n{heading}: \nfirst\nsecond\n \n"
    assert parts(text) == [(heading, "first\nsecond")]


def test_the_head_of_a_note_is_in_no_section() -> None:
    text = "Name:  ___     Unit No:   ___\nService: MEDICINE\nAllergies: \nPenicillins\nAttending: ___.\nPMH: HTN"
    assert parts(text) == [("Allergies", "Penicillins"), ("PMH", "HTN")]


def test_inline_headings() -> None:
    assert parts("All meds as before; pt can walk. PMH: ALL, AS.") == [("PMH", "ALL, AS.")]
    assert parts("CC: chest pain.\n\nHx: HTN. DM2.\n\nPlan: ASA.") == [
        ("CC", "chest pain."), ("Hx", "HTN. DM2."), ("Plan", "ASA.")
    ]


def test_parts_of_a_section_stay_in_it() -> None:
    text = "Discharge Diagnosis:\nPRIMARY DIAGNOSIS:\nSepsis\nSECONDARY DIAGNOSES:\nHTN\nDischarge Condition:\nStable"
    assert [name for name, _ in parts(text)] == ["Discharge Diagnosis", "Discharge Condition"]


@pytest.mark.parametrize(
    "text",
    ["Family history of breast cancer.", "history of present illness unknown", "He has no allergies", "plan\nfor it",
     "- Family history of malignant neoplasm", "The exam was normal. exam: no", "sh\n"],
)
def test_prose_is_no_heading(text: str) -> None:
    assert split(text) == ()


def test_headings_alone_on_a_line_and_with_marks() -> None:
    text = "## Assessment and Plan\nrest\n**Allergies:** NKDA\nPAST MEDICAL HISTORY\nHTN\nExam (on discharge): well"
    assert parts(text) == [
        ("Assessment and Plan", "rest"), ("Allergies", "NKDA"), ("PAST MEDICAL HISTORY", "HTN"), ("Exam", "well")
    ]


def test_roles() -> None:
    expected = {
        "Allergies": "allergies", "FH": "family_history", "PMH": "past_history", "Social History": "social_history",
        "Medications on Admission": "medications_admission", "DISCHARGE MEDICATIONS": "medications_discharge",
        "Meds": "medications", "A/P": "plan", "Discharge Diagnosis": "diagnosis", "Pertinent Results": "results",
        "Major Surgical or Invasive Procedure": "procedures", "Physical Exam": "exam",
        "Brief Hospital Course": "hospital_course", "Followup Instructions": "instructions",
        "Chief Complaint": "chief_complaint", "History of Present Illness:": "present_illness",
        "Methods": "other", "Introduction": "other", "": "other",
    }
    assert {name: role(name) for name in expected} == expected


def test_every_heading_is_its_own_once() -> None:
    names = [name for names in HEADINGS.values() for name in names]
    assert len(names) == len(set(names))
    assert all(name == name.casefold() for name in names)


_lines = st.sampled_from(
    ["PMH:", "Allergies: x", "Plan", "\t", " ", "text.", "Labs:  ", "é\u00a0", "Name: ___", "a. FH: b"]
)


@given(st.lists(_lines, max_size=12).map("\n".join) | st.text(max_size=200))
@settings(max_examples=150, deadline=None)
def test_sections_are_disjoint_ordered_and_trimmed(text: str) -> None:
    at = 0
    for section in split(text):
        assert at <= section.start < section.end <= len(text)
        body = text[section.start : section.end]
        assert body == body.strip()
        at = section.end


def test_synthetic_notes_have_all_their_sections(shared_data: Path) -> None:
    with gzip.open(shared_data / "mimic_iv_note_synth/discharge.csv.gz", "rt", encoding="utf-8", newline="") as file:
        notes = [row["text"] for row in csv.DictReader(file)]
    assert len(notes) == 156
    for note in notes:
        names = [section.name for section in split(note)]
        # Only the discharge medications may be empty.
        assert [name for name in MIMIC if name not in names] in ([], ["Discharge Medications"])
        assert len(names) == len(set(names))


def test_a_radiology_report_is_split_at_its_headings() -> None:
    text = ("EXAMINATION:  CHEST (PA AND LAT)\n\nINDICATION:  ___ year old woman with cough  // r/o pneumonia\n\n"
            "TECHNIQUE:  Frontal and lateral views\n\nCOMPARISON:  ___\n\nFINDINGS: \n \nThe lungs are clear.\n\n"
            "IMPRESSION: \n \n1.  No acute process.\n\nRECOMMENDATION(S):  Follow-up CT.\n\nNOTIFICATION:  By phone.\n")
    assert [(s.name, role(s.name)) for s in split(text)] == [
        ("EXAMINATION", "exam"), ("INDICATION", "chief_complaint"), ("TECHNIQUE", "other"), ("COMPARISON", "other"),
        ("FINDINGS", "results"), ("IMPRESSION", "diagnosis"), ("RECOMMENDATION(S)", "plan"), ("NOTIFICATION", "other")]
    assert [text[s.start:s.end] for s in split(text)][4] == "The lungs are clear."
