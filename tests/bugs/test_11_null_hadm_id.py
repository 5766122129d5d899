"""https://github.com/MIT-LCP/mimic-code/issues/1823: rows without `hadm_id` were lost, or ids became floats."""

from __future__ import annotations

from pathlib import Path

from graphkb.model.records import ReadReport
from ingestion.sources.mimic import MimicSource

LABS = ("labevent_id,subject_id,hadm_id,specimen_id,itemid,order_provider_id,charttime,storetime,value,valuenum,"
        "valueuom,ref_range_lower,ref_range_upper,flag,priority,comments\n"
        "1,99000001,,77000001,51237,,2180-01-02 08:00:00,,1.4,1.4,,0.9,1.1,abnormal,ROUTINE,\n"
        "2,99000001,88000001,77000002,50999,,2180-01-03 08:00:00,,___,15,ng/mL,30,60,abnormal,ROUTINE,\n"
        "3,99000001,88000001.0,77000003,50999,,2180-01-03 08:00:00,,1,1,,,,,,\n"
        "4,99000002,,77000004,50999,,2180-01-03 08:00:00,,1,1,,,,,,\n")


def test_a_row_without_an_encounter_is_kept_on_its_patient(tmp_path: Path) -> None:
    hosp = tmp_path / "hosp"
    hosp.mkdir()
    (hosp / "patients.csv").write_text("subject_id,gender,anchor_age,anchor_year\n99000001,F,60,2180\n")
    (hosp / "admissions.csv").write_text("subject_id,hadm_id,admittime,dischtime\n"
                                         "99000001,88000001,2180-01-03 00:00:00,2180-01-04 00:00:00\n")
    for table in ("diagnoses_icd", "procedures_icd"):
        (hosp / f"{table}.csv").write_text("subject_id,hadm_id,seq_num,icd_code,icd_version\n")
    (hosp / "prescriptions.csv").write_text("subject_id,hadm_id,starttime,stoptime,drug\n")
    (hosp / "d_labitems.csv").write_text("itemid,label\n51237,INR(PT)\n")
    (hosp / "labevents.csv").write_text(LABS)
    report = ReadReport()
    encounter, patient = MimicSource(tmp_path, lab_events=True).documents(report)

    assert (encounter.record, patient.record) == ("subject:99000001/hadm:88000001", "subject:99000001")
    assert patient.encounter is None
    assert patient.patient is not None
    assert patient.patient.subject_id == "99000001"
    (loose,), (masked,) = patient.facts, encounter.facts
    assert (loose.kind, loose.row, loose.name) == ("HAS_LAB", "labevents:1", "INR(PT)")
    assert loose.properties == {"value": "1.4", "valuenum": 1.4, "flag": "abnormal", "itemid": "51237",
                                "charttime": "2180-01-02T08:00:00", "ref_low": 0.9, "ref_high": 1.1}
    assert masked.name == "50999"
    assert masked.properties["valuenum"] == 15.0
    assert "value" not in masked.properties
    labs = "hosp/labevents.csv"
    assert (report.rows_in[labs], report.kept[labs], report.rejected[labs]) == (4, 2, 2)
    assert {(code, reason) for (_, code, reason) in report.reasons} == {
        ("GKB-407", "hadm_id is not a string of digits"), ("GKB-409", "subject_id is not in patients")}
