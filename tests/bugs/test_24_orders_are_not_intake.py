"""https://github.com/MIT-LCP/mimic-code/issues/1260: orders were read as intake, NDC as a number."""

from __future__ import annotations

from ingestion.sources.mimic_tables import FACT_TABLES

ROW = {"starttime": "", "stoptime": "", "drug_type": "MAIN", "drug": "x", "ndc": "", "prod_strength": "",
       "dose_val_rx": "", "dose_unit_rx": "", "route": ""}


def test_diluents_ndc_and_odd_intervals_are_kept_for_what_they_are() -> None:
    fact = FACT_TABLES[2].fact
    assert fact is not None
    diluent = fact(1, ROW | {"drug_type": "BASE", "drug": "Sodium Chloride 0.9%", "ndc": "0"})
    assert (diluent.kind, diluent.properties) == ("PRESCRIBED", {"drug_type": "BASE"})
    odd = fact(2, ROW | {"ndc": "00000111122", "starttime": "2180-01-02 10:00:00", "stoptime": "2180-01-01 10:00:00"})
    assert odd.properties["ndc"] == "00000111122"
    assert odd.properties["stop_before_start"] is True
    assert (odd.properties["start"], odd.properties["stop"]) == ("2180-01-02T10:00:00", "2180-01-01T10:00:00")
