"""https://github.com/MIT-LCP/mimic-code/issues/592: dates in the future of our clock made patients disappear."""

from __future__ import annotations

from pathlib import Path

from graphkb.kb import KnowledgeBase
from graphkb.model import ReadReport
from ingestion.sources.mimic import MimicSource
from tests.helpers import corpus as c
from tests.servers import Servers


def test_an_admission_in_2180_is_there_as_of_today(tmp_path: Path, servers: Servers) -> None:
    with KnowledgeBase(c.fast(servers.settings("arcadedb"))) as kb:
        kb.ingest(MimicSource(c.write(tmp_path).mimic), scope="local", vectors=False)
        for as_of in ("2026-11-30", "1999-01-01", ""):
            answer = kb.ask("Which diagnoses does the patient have?", patient="99000001", as_of=as_of)
            assert not answer.abstained, as_of
            assert "Unspecified essential hypertension" in answer.answer


def test_ninety_one_means_over_eighty_nine(tmp_path: Path) -> None:
    mimic = c.write(tmp_path).mimic
    patients = mimic / "hosp" / "patients.csv"
    patients.write_text(patients.read_text().replace("99000001,F,60", "99000001,F,91"))
    first, second, *_ = MimicSource(mimic).documents(ReadReport())
    assert first.patient is not None
    assert first.patient.anchor_age == 91
    assert "patient 99000001, gender F, age over 89\n" in first.text
    assert "patient 99000002, gender M, age 50\n" in second.text
    assert not any("91" in document.text for document in (first, second))
