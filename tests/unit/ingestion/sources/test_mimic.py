"""MIMIC-IV: every row is a fact of its encounter, or of its patient, or rejected with a reason."""

from __future__ import annotations

import gzip
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphkb.errors import InputError
from graphkb.model.records import Fact, ReadReport, SourceDocument
from ingestion.sources.mimic import CodeTitle, MimicSource
from ingestion.sources.mimic import values as tables

PATIENTS = ("subject_id,gender,anchor_age,anchor_year,anchor_year_group,dod\n"
            "7,F,91,2180,2011 - 2013,2182-01-02\n8,M,40,2150,,\n")
ADMISSIONS = ("subject_id,hadm_id,admittime,dischtime,admission_type,discharge_location\n"
              "7,71,2180-05-06 10:00:00,2180-05-09 11:30:00,URGENT,HOME\n7,70,2181-01-01 00:00:00,,,\n")
DIAGNOSES = "subject_id,hadm_id,seq_num,icd_code,icd_version\n7,71,2,4019,9\n7,71,1,I10,10\n7,,1,E8490,9\n"
PROCEDURES = "subject_id,hadm_id,seq_num,chartdate,icd_code,icd_version\n7,71,1,2180-05-07,3961,9\n7,71,2,,02HV33Z,10\n"
PRESCRIPTIONS = (
    "subject_id,hadm_id,starttime,stoptime,drug_type,drug,ndc,dose_val_rx,dose_unit_rx,route\n"
    "7,71,2180-05-06 12:00:00,2180-05-06 09:00:00,MAIN,Warfarin ,00000111122,2-4,mg,PO\n"
    "7,71,,,BASE,0.9% Sodium Chloride,0,100,mL,IV\n")
D_DIAGNOSES = ('icd_code,icd_version,long_title\n4019,9,"Hypertension, unspecified"\n'
               "I10,10,Essential hypertension\n0010,9,x\n")
D_PROCEDURES = "icd_code,icd_version,long_title\n3961,9,Extracorporeal circulation\n"
NOTES = ('note_id,subject_id,hadm_id,note_type,note_seq,charttime,storetime,text\n'
         '7-DS-1,7,71,DS,1,2180-05-09 00:00:00,,"Allergies: \nPenicillins\n \nPlan: rest\n"\n')
TABLES = {"hosp/patients.csv": PATIENTS, "hosp/admissions.csv": ADMISSIONS, "hosp/diagnoses_icd.csv": DIAGNOSES,
          "hosp/procedures_icd.csv": PROCEDURES, "hosp/prescriptions.csv": PRESCRIPTIONS,
          "derived/d_icd_diagnoses.csv": D_DIAGNOSES, "hosp/d_icd_procedures.csv": D_PROCEDURES,
          "note/discharge.csv": NOTES}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in TABLES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8", newline="")
    return tmp_path


def read(source: MimicSource) -> tuple[list[SourceDocument], ReadReport]:
    report = ReadReport()
    documents = list(source.documents(report))
    assert report.balanced()
    return documents, report


def without_place(facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    return tuple(replace(fact, start=0, end=0) for fact in facts)


def faults(report: ReadReport) -> list[tuple[str, int | None, str]]:
    return [(Path(e.file).name, e.row, e.code) for e in report.examples]


def test_documents_come_in_a_fixed_order_with_their_facts(folder: Path) -> None:
    documents, report = read(MimicSource(folder))
    assert [(d.kind, d.record, d.title) for d in documents] == [
        ("table", "subject:7/hadm:70", "70"), ("table", "subject:7/hadm:71", "71"), ("table", "subject:7", "7"),
        ("table", "subject:8", "8"), ("note", "7-DS-1", "7-DS-1")]
    assert report.rejected.total() == 0
    first, full, loose, bare, note = documents
    assert first.facts == bare.facts == ()
    assert bare.text == "Patient:\npatient 8, gender M, age 40\n\n"
    assert without_place(full.facts) == (
        Fact("HAS_DIAGNOSIS", "diagnoses_icd:1", "Hypertension, unspecified", "ICD9CM", "401.9", {"seq_num": 2}),
        Fact("HAS_DIAGNOSIS", "diagnoses_icd:2", "Essential hypertension", "ICD10CM", "I10", {"seq_num": 1}),
        Fact("HAS_PROCEDURE", "procedures_icd:1", "Extracorporeal circulation", "ICD9CM", "39.61",
             {"seq_num": 1, "date": "2180-05-07"}),
        Fact("HAS_PROCEDURE", "procedures_icd:2", "", "ICD10PCS", "02HV33Z", {"seq_num": 2}),
        Fact("PRESCRIBED", "prescriptions:1", "Warfarin", "", "", {
            "drug_type": "MAIN", "dose": "2-4", "dose_unit": "mg", "route": "PO", "start": "2180-05-06T12:00:00",
            "stop": "2180-05-06T09:00:00", "ndc": "00000111122", "stop_before_start": True}, also=("NDC:00000111122",)),
        Fact("PRESCRIBED", "prescriptions:2", "0.9% Sodium Chloride", "", "", {
            "drug_type": "BASE", "dose": "100", "dose_unit": "mL", "route": "IV"}))
    assert [full.text[f.start:f.end] for f in full.facts] == [
        "diagnosis Hypertension, unspecified (ICD9CM:401.9)", "diagnosis Essential hypertension (ICD10CM:I10)",
        "procedure Extracorporeal circulation (ICD9CM:39.61) on 2180-05-07",
        "procedure ICD10PCS:02HV33Z (ICD10PCS:02HV33Z)",
        "ordered Warfarin 2-4 mg PO (start 2180-05-06, stop 2180-05-06 recorded before it)",
        "ordered as diluent 0.9% Sodium Chloride 100 mL IV"]
    assert [s.name for s in full.sections] == ["Admission", "Diagnoses", "Procedures", "Orders"]
    assert "patient 7, gender F, age over 89, died 2182-01-02\n" in full.text
    assert [(f.code, f.name) for f in loose.facts] == [("E849.0", "")]
    assert loose.encounter is None
    assert full.encounter is not None
    assert (full.encounter.admitted, full.encounter.discharged, full.encounter.type, full.encounter.disposition) == \
        ("2180-05-06T10:00:00", "2180-05-09T11:30:00", "URGENT", "HOME")
    assert full.patient is not None
    assert (full.patient.anchor_age, full.patient.anchor_year, full.patient.died) == (91, 2180, "2182-01-02")
    assert note.text == "Allergies: \nPenicillins\n \nPlan: rest\n"
    assert [(s.name, note.text[s.start:s.end]) for s in note.sections] == \
        [("Allergies", "Penicillins"), ("Plan", "rest")]
    assert note.encounter == full.encounter
    assert note.identifiers == {"charttime": "2180-05-09T00:00:00", "note_type": "DS"}
    assert {d.path for d in documents} == {""}


def test_titles_are_a_stream_of_their_own_for_the_codes_that_occur(folder: Path) -> None:
    expected = [CodeTitle("ICD9CM", "401.9", "9", "Hypertension, unspecified"),
                CodeTitle("ICD10CM", "I10", "10", "Essential hypertension"),
                CodeTitle("ICD9CM", "39.61", "9", "Extracorporeal circulation")]
    assert list(MimicSource(folder).code_titles()) == expected
    source = MimicSource(folder)
    _, report = read(source)
    assert list(source.code_titles()) == expected
    assert report.notes[:2] == ["1 of 3 diagnosis codes have no title in the dictionary",
                                "1 of 2 procedure codes have no title in the dictionary"]
    assert report.notes[2].startswith("not in the folder: procedureevents, pharmacy, poe, ")


@pytest.mark.parametrize(("table", "line", "code"), [
    ("patients", "7,F,50,2180,,", "GKB-411"), ("patients", "9.0,F,50,2180,,", "GKB-407"),
    ("patients", "9,F,old,2180,,", "GKB-407"), ("patients", "9,F", "GKB-406"),
    ("admissions", "7,71,,,,", "GKB-411"), ("admissions", "99,72,,,,", "GKB-409"),
    ("admissions", "7,72.0,,,,", "GKB-407"), ("admissions", "7,72,6 May,,,", "GKB-407"),
    ("diagnoses_icd", "7,71,1,4019,11", "GKB-407"), ("diagnoses_icd", "7,71,one,4019,9", "GKB-407"),
    ("diagnoses_icd", "7,NaN,1,4019,9", "GKB-407"), ("diagnoses_icd", "7,999,1,4019,9", "GKB-409"),
    ("diagnoses_icd", "8,71,1,4019,9", "GKB-409"), ("diagnoses_icd", "99,,1,4019,9", "GKB-409"),
    ("diagnoses_icd", '7,71,1,"40 19",9', "GKB-407"), ("diagnoses_icd", '7,71,1,"4019"x,9', "GKB-406"),
    ("prescriptions", "7,71,,,MAIN, ,,,,", "GKB-407"), ("prescriptions", "7,71,soon,,MAIN,x,,,,", "GKB-407"),
    ("prescriptions", "7,71,,,MAIN,x,1.11e9,,,", "GKB-407")])
def test_a_bad_row_is_rejected_by_file_and_row_and_the_rest_is_taken(folder: Path, table: str, line: str,
                                                                     code: str) -> None:
    path = folder / "hosp" / f"{table}.csv"
    before, _ = read(MimicSource(folder))
    number = len(path.read_text().splitlines())
    path.write_text(path.read_text() + line + "\n")
    after, report = read(MimicSource(folder))
    assert faults(report) == [(f"{table}.csv", number, code)]
    assert after == before


def test_bad_notes_are_rejected_one_by_one(folder: Path) -> None:
    path = folder / "note" / "discharge.csv"
    path.write_text(NOTES + "7-DS-1,7,71,DS,2,,,again\n7-DS-2,7,71,DS,2,,, \n7-DS-3,7,,DS,3,,,no encounter\n"
                            "9-DS-1,9,,DS,1,,,x\n,7,71,DS,1,,,x\n7-DS-4,7,71,DS,4,May,,x\n")
    documents, report = read(MimicSource(folder))
    assert [(d.record, d.encounter is None) for d in documents if d.kind == "note"] == \
        [("7-DS-1", False), ("7-DS-3", True)]
    assert faults(report) == [("discharge.csv", n, c) for n, c in
                              [(2, "GKB-411"), (3, "GKB-408"), (5, "GKB-409"), (6, "GKB-407"), (7, "GKB-407")]]


def test_a_broken_table_is_rejected_whole_and_the_rest_goes_on(folder: Path) -> None:
    path = folder / "hosp" / "prescriptions.csv"
    rows = [f"7,71,,,MAIN,Warfarin {n},,{n},mg,PO\n" for n in range(3000)]
    whole = gzip.compress((PRESCRIPTIONS + "".join(rows)).encode())
    path.unlink()
    (folder / "hosp" / "prescriptions.csv.gz").write_bytes(whole[:-30])
    documents, report = read(MimicSource(folder))
    file = "hosp/prescriptions.csv.gz"
    assert report.kept[file] == 0
    assert report.rejected[file] == report.rows_in[file] > 100
    assert {code for (_, code, _) in report.reasons} == {"GKB-404"}
    assert Counter(f.kind for d in documents for f in d.facts) == {"HAS_DIAGNOSIS": 3, "HAS_PROCEDURE": 2}


def test_notes_before_a_break_are_taken(folder: Path) -> None:
    (folder / "note" / "discharge.csv").write_text(NOTES + '7-DS-2,7,71,DS,2,,,"cut o')
    documents, report = read(MimicSource(folder))
    assert [d.record for d in documents if d.kind == "note"] == ["7-DS-1"]
    assert [(e.code, e.row, e.reason) for e in report.examples] == \
        [("GKB-404", None, "it ends inside a quoted field; after row 1")]


def test_missing_and_misshapen_tables(folder: Path) -> None:
    with pytest.raises(InputError, match="GKB-401"):
        read(MimicSource(folder / "nowhere"))
    with pytest.raises(InputError, match="GKB-401"):
        read(MimicSource(folder, folder / "none.csv"))
    (folder / "hosp" / "procedures_icd.csv").unlink()
    documents, report = read(MimicSource(folder))
    assert faults(report) == []
    assert "procedures_icd" in report.notes[-1]
    assert sum(len(d.facts) for d in documents) == 5
    (folder / "hosp" / "diagnoses_icd.csv").write_text("subject_id,hadm_id,seq_num,code\n7,71,1,4019\n")
    documents, report = read(MimicSource(folder))
    assert faults(report) == [("diagnoses_icd.csv", None, "GKB-405")]
    assert Counter(f.kind for d in documents for f in d.facts) == {"PRESCRIBED": 2}
    (folder / "hosp" / "admissions.csv").unlink()
    with pytest.raises(InputError, match=r"GKB-401.*admissions\.csv"):
        read(MimicSource(folder))


def test_other_layouts_are_read(folder: Path) -> None:
    """Version 1 had patients and admissions in `core`, `ethnicity`, and LOINC codes; columns may be in any order."""
    (folder / "core").mkdir()
    for name in ("patients", "admissions"):
        (folder / "hosp" / f"{name}.csv").rename(folder / "core" / f"{name}.csv")
    (folder / "core" / "admissions.csv").write_text(
        "ETHNICITY,subject_id,HADM_ID,extra,admittime,dischtime\nWHITE,7,71,x,2180-05-06 10:00:00,\n")
    (folder / "hosp" / "d_labitems.csv").write_text("itemid,label,loinc_code\n50912,Creatinine,2160-0\n")
    (folder / "hosp" / "labevents.csv").write_text(
        "subject_id,hadm_id,itemid,charttime,value,valuenum,valueuom\n7,71,50912,2180-05-07 00:00:00,1.0,1.0,mg/dL\n")
    documents, report = read(MimicSource(folder))
    assert "race WHITE\n" in documents[0].text
    (lab,) = (f for d in documents for f in d.facts if f.kind == "HAS_LAB")
    assert (lab.name, lab.code, lab.also) == ("Creatinine", "50912", ("LNC:2160-0",))
    assert report.rejected.total() == 0


@pytest.mark.parametrize(("code", "version", "kind", "expected"), [
    ("V707", 9, "diagnosis", ("ICD9CM", "V70.7")), ("340", 9, "diagnosis", ("ICD9CM", "340")),
    ("401.9", 9, "diagnosis", ("ICD9CM", "401.9")), ("E849", 9, "diagnosis", ("ICD9CM", "E849")),
    ("E11", 10, "diagnosis", ("ICD10CM", "E11")), ("S72001A", 10, "diagnosis", ("ICD10CM", "S72.001A")),
    ("0139", 9, "procedure", ("ICD9CM", "01.39")), ("0016070", 10, "procedure", ("ICD10PCS", "0016070"))])
def test_codes_get_their_dot_and_vocabulary(code: str, version: int, kind: str, expected: tuple[str, str]) -> None:
    assert tables.dotted(code, version, kind) == expected


@given(st.text(max_size=12))
def test_no_value_crashes_a_check_and_ids_are_never_numbers(value: str) -> None:
    row = {"x": value}
    for check in (tables.identifier_or_none, tables.integer, tables.number, tables.time, tables.words):
        try:
            result = check(row, "x")
        except tables.BadValue:
            continue
        if check is tables.identifier_or_none:
            assert result is None or (isinstance(result, str) and result == value.strip())


@pytest.mark.full
def test_the_demo_is_accounted_for_to_the_row(shared_data: Path) -> None:
    source = MimicSource(shared_data / "mimic_iv_demo", shared_data / "mimic_iv_note_synth" / "discharge.csv.gz")
    documents, report = read(source)
    assert report.rejected.total() == 0
    assert {Path(file).name.split(".")[0]: n for file, n in report.kept.items() if "hosp/" in file} == {
        "patients": 100, "admissions": 275, "diagnoses_icd": 4506, "procedures_icd": 722, "pharmacy": 15306,
        "prescriptions": 18087, "poe_detail": 3795, "labevents": 107727, "microbiologyevents": 2899, "omr": 2964,
        "transfers": 1190, "services": 319, "drgcodes": 454, "hcpcsevents": 61, "d_labitems": 1622, "d_hcpcs": 89200,
        "provider": 40508}
    assert Counter(d.kind for d in documents) == {"table": 375, "note": 156}
    assert len({d.patient.subject_id for d in documents if d.patient and d.kind == "note"}) == 60
    facts = [fact for d in documents for fact in d.facts]
    kinds = Counter(f.kind for f in facts)
    assert (kinds["HAS_DIAGNOSIS"], kinds["HAS_PROCEDURE"]) == (4506, 722 + 1468)
    assert kinds["PRESCRIBED"] == 18087 + 81
    assert kinds["STAYED_IN"] == 1190 - 275 + 319 + 140
    assert kinds["BILLED_AS"] == 454 + 61
    assert sum(int(str(f.properties["n"])) for f in facts if f.kind == "HAS_LAB") == 107727
    assert sum(int(str(f.properties["n"])) for f in facts if f.kind == "TESTED") == 2899
    assert sum(int(str(f.properties["n"])) for f in facts if f.kind == "HAS_OBSERVATION") == 2964 + 9362 + 15280
    orders = [f.properties for f in facts if f.row.startswith("prescriptions:")]
    assert sum("stop_before_start" in p for p in orders) == 753
    assert sum(p.get("drug_type") == "BASE" for p in orders) == 3677
    assert sum("ndc" not in p for p in orders) == 2631
    assert sum(str(p.get("ndc", "")).startswith("0") for p in orders) == 9861
    assert sum("status" in p for p in orders) == 18087
    assert all(d.text[f.start:f.end].strip() for d in documents for f in d.facts)
    assert all(len({(f.kind, f.row) for f in d.facts}) == len(d.facts) for d in documents)
    assert len(list(source.code_titles())) == 1469 + 349


def test_another_projects_small_fixture_is_read(shared_data: Path) -> None:
    documents, report = read(MimicSource(shared_data / "pyhealth_mimic4_fixture", lab_events=True))
    assert len({d.patient.subject_id for d in documents if d.patient}) == 13
    events = report.kept["hosp/labevents.csv"]
    assert events == sum(f.kind == "HAS_LAB" for d in documents for f in d.facts) > 0
