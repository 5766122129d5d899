"""The bundled sample is what its README says, whole, and free of what may not be passed on."""

from __future__ import annotations

import importlib.util
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

from graphkb.model.records import ReadReport
from ingestion.sources.jats import JatsSource
from ingestion.sources.mimic import MimicSource
from ingestion.sources.text import TextSource

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SAMPLE = EXAMPLES / "sample"
WIDTHS = {"MRCONSO": 18, "MRREL": 16, "MRSTY": 6, "MRDEF": 8, "MRSAB": 25}


def rrf(name: str) -> list[list[str]]:
    lines = (SAMPLE / "umls" / "META" / f"{name}.RRF").read_text(encoding="utf-8").split("\n")
    assert lines.pop() == ""
    return [line.split("|")[:-1] for line in lines]


def test_it_is_small_and_every_part_has_its_licence() -> None:
    assert sum(path.stat().st_size for path in SAMPLE.rglob("*") if path.is_file()) < 5_000_000
    for part in ("mimic/LICENSE.txt", "mimic/NOTICE.md", "notes/LICENSE", "articles/NOTICE.md", "textbook/LICENSE",
                 "umls/NOTICE.md"):
        assert (SAMPLE / part).read_text(encoding="utf-8").strip(), part


def test_the_vocabulary_is_whole_and_has_nothing_of_drugbank_or_pharmacotherapydb() -> None:
    rows = {name: rrf(name) for name in WIDTHS}
    for name, width in WIDTHS.items():
        assert {len(row) for row in rows[name]} == {width}, name
        assert not any(field in ("DRUGBANK", "PTDB") for row in rows[name] for field in row), name
    concepts = {row[0] for row in rows["MRCONSO"]}
    atoms = {row[7]: row[0] for row in rows["MRCONSO"]}
    assert len(atoms) == len(rows["MRCONSO"])
    for row in rows["MRREL"]:
        assert {row[0], row[4]} <= concepts
        assert row[1] == "" or atoms[row[1]] == row[0]
        assert row[5] == "" or atoms[row[5]] == row[4]
    assert {row[0] for row in rows["MRSTY"]} == concepts
    assert all(atoms[row[1]] == row[0] for row in rows["MRDEF"])
    by_source = Counter(row[11] for row in rows["MRCONSO"])
    assert {row[3]: int(row[14]) for row in rows["MRSAB"]} == by_source


def test_the_readme_tells_the_counts() -> None:
    said = (SAMPLE / "README.md").read_text(encoding="utf-8")
    assert f"{len({row[0] for row in rrf('MRCONSO')}):,} concepts" in said
    for name in WIDTHS:
        assert f"{name} {len(rrf(name)):,}" in said


def test_the_readers_take_all_of_it() -> None:
    report = ReadReport()
    documents = [document for source in (
        MimicSource(SAMPLE / "mimic"), TextSource([SAMPLE / "notes"], "user"), TextSource([SAMPLE / "textbook"]),
        JatsSource([SAMPLE / "articles"])) for document in source.documents(report)]
    assert Counter(document.kind for document in documents) == {"table": 22, "note": 23, "textbook": 13, "article": 5}
    assert report.rejected.total() == 0
    assert Counter(fact.kind for document in documents for fact in document.facts) == \
        {"HAS_DIAGNOSIS": 406, "HAS_PROCEDURE": 63, "PRESCRIBED": 1767}
    patients = {document.patient.subject_id for document in documents if document.patient}
    assert len(patients) == 12
    assert {"10001217", "10015272"} <= patients
    assert all(document.identifiers["licence"] for document in documents if document.tier == "literature")
    (note,) = [document for document in documents if document.title == "10015272-CLINIC-1"]
    sections = {section.name: note.text[section.start:section.end] for section in note.sections}
    assert sections["Family History"].startswith("Father had a myocardial infarction")
    assert sections["Allergies"].startswith("Penicillins")
    assert re.search("STOP warfarin", sections["Assessment and Plan"])


def test_it_can_be_built_again_byte_for_byte(tmp_path: Path, shared_data: Path,
                                             monkeypatch: pytest.MonkeyPatch) -> None:
    spec = importlib.util.spec_from_file_location("build_sample", EXAMPLES / "build_sample.py")
    assert spec is not None
    assert spec.loader is not None
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    shutil.copytree(SAMPLE / "notes", tmp_path / "notes")
    monkeypatch.setattr(build, "SAMPLE", tmp_path)
    build.main(shared_data)
    made = {path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()}
    assert len(made) >= 5 + 5 + 13 + 8
    for path in sorted(made):
        assert (tmp_path / path).read_bytes() == (SAMPLE / path).read_bytes(), path
