"""https://github.com/MIT-LCP/mimic-code/issues/1260: orders were read as intake, NDC as a number."""

from __future__ import annotations

from pathlib import Path

from graphkb.model.records import ReadReport
from ingestion.sources.mimic import MimicSource

ORDERS = """subject_id,hadm_id,starttime,stoptime,drug_type,drug,ndc
1,10,,,BASE,Sodium Chloride 0.9%,0
1,10,2180-01-02 10:00:00,2180-01-01 10:00:00,MAIN,Zorvex,00000111122
"""


def test_diluents_ndc_and_odd_intervals_are_kept_for_what_they_are(tmp_path: Path) -> None:
    (tmp_path / "patients.csv").write_text("subject_id,gender,anchor_age,anchor_year\n1,F,60,2180\n")
    (tmp_path / "admissions.csv").write_text("subject_id,hadm_id,admittime,dischtime\n1,10,2180-01-01 00:00:00,\n")
    (tmp_path / "prescriptions.csv").write_text(ORDERS)
    (record,) = MimicSource(tmp_path).documents(ReadReport())
    diluent, odd = record.facts
    assert (diluent.kind, diluent.properties) == ("PRESCRIBED", {"drug_type": "BASE"})
    assert odd.properties["ndc"] == "00000111122"
    assert odd.properties["stop_before_start"] is True
    assert (odd.properties["start"], odd.properties["stop"]) == ("2180-01-02T10:00:00", "2180-01-01T10:00:00")
    assert record.text.split("Orders:\n")[1].splitlines() == [
        "ordered as diluent Sodium Chloride 0.9%",
        "ordered Zorvex (start 2180-01-02, stop 2180-01-01 recorded before it)", ""]
    assert not {"took", "taken", "administered"} & set(record.text.split())
