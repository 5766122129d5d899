"""Fact bases: columns by header, mapping or KGX; blocks that the rows themselves bound; rejected rows with reasons."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphkb.errors import ConfigError, InputError
from graphkb.model import ReadReport, SourceDocument
from ingestion.sources.triples import MOST_ROWS, TriplesSource
from ingestion.sources.triples_rows import Mapping

NAMES = st.text(
    st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp", "Zs", "Co")), min_size=1, max_size=15
).filter(lambda name: not name.startswith("#") and '"' not in name and ":" not in name)


def read(*paths: Path, **more: object) -> tuple[list[SourceDocument], ReadReport]:
    report = ReadReport()
    return list(TriplesSource(paths, **more).documents(report)), report  # type: ignore[arg-type]


def write(folder: Path, name: str, *lines: str) -> Path:
    (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder / name


def test_a_table_by_its_header(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "base.tsv",
        "# a fact base",
        "head\trelation\ttail\tnegated\tscore\tsource",
        "aspirin\ttreats\theadache\t\t0.9\tPMID:1",
        "aspirin\ttreats\tfever\ttrue\tx\t",
        "headache\tmay be treated by\tibuprofen\tno\t\t",
        "heart\tpumps\tblood\t\t\t",
        "aspirin\ttreats\theadache\t\t0.9\tPMID:1",
        "a\ttreats\tA\t\t\t",
        "a\ttreats\t\t\t\t",
        "a\tb\tc",
        "a\ttreats\tb\tmaybe\t\t",
    )
    (document,), report = read(path)
    assert document.text.split("\n") == [
        "aspirin treats headache [PMID:1].",
        "aspirin does not treat fever.",
        "ibuprofen treats headache.",
        "heart pumps blood.",
    ]
    assert [
        (s.subject, s.object, s.polarity, s.certainty, document.text[s.start : s.end]) for s in document.statements
    ] == [
        ("aspirin", "headache", "affirmed", 0.9, "aspirin treats headache [PMID:1]."),
        ("aspirin", "fever", "negated", 1.0, "aspirin does not treat fever."),
        ("headache", "ibuprofen", "affirmed", 1.0, "ibuprofen treats headache."),
        ("heart", "blood", "affirmed", 1.0, "heart pumps blood."),
    ]
    assert [document.text[a.start : a.end] for a in document.annotations] == [
        "aspirin",
        "headache",
        "aspirin",
        "fever",
        "headache",
        "ibuprofen",
        "heart",
        "blood",
    ]
    assert sorted(code for _, code, _ in report.reasons) == ["GKB-406", "GKB-407", "GKB-407", "GKB-407", "GKB-411"]
    assert report.balanced()


@pytest.mark.parametrize("form", ["tsv", "jsonl"])
def test_kgx(tmp_path: Path, form: str) -> None:
    nodes = [
        {"id": "MESH:D001241", "name": "Aspirin", "category": "biolink:SmallMolecule"},
        {"id": "HP:0002315", "name": "Headache", "category": "biolink:PhenotypicFeature"},
    ]
    edges = [
        {"subject": "MESH:D001241", "predicate": "biolink:treats", "object": "HP:0002315"},
        {"subject": "MESH:D001241", "predicate": "biolink:causes", "object": "MONDO:1"},
    ]
    for name, rows in (("edges", edges), ("nodes", nodes)):
        lines = (
            [json.dumps(row) for row in rows]
            if form == "jsonl"
            else ["\t".join(rows[0]), *("\t".join(row.values()) for row in rows)]
        )
        write(tmp_path, f"base_{name}.{form}", *lines)
    (document,), report = read(tmp_path)
    assert document.source.name == "base"
    assert document.text == "Aspirin treats Headache.\nAspirin causes MONDO:1."
    assert [(a.type, a.codes) for a in document.annotations] == [
        ("SmallMolecule", ("MSH:D001241",)),
        ("PhenotypicFeature", ("HPO:HP:0002315",)),
        ("SmallMolecule", ("MSH:D001241",)),
        ("", ("MONDO:1",)),
    ]
    assert report.balanced()
    assert not report.rejected


@given(rows=st.lists(st.tuples(NAMES, NAMES, NAMES), min_size=1, max_size=8))
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, str]]) -> None:
    rows = [row for row in dict.fromkeys(rows) if row[0].casefold() != row[2].casefold()]
    if not rows:
        return
    path = write(
        tmp_path_factory.mktemp("t"), "a.tsv", "subject\tpredicate\tobject", *("\t".join(row) for row in rows)
    )
    (document,), _ = read(path)
    assert [(s.subject, s.predicate, s.object) for s in document.statements] == rows
    marked = [document.text[a.start : a.end] for a in document.annotations]
    assert marked == [name for row in rows for name in (row[0], row[2])]


def test_a_changed_row_leaves_other_blocks_as_they_are(tmp_path: Path) -> None:
    rows = [f"drug {n}\ttreats\tdisease {n % 97}" for n in range(5000)]
    path = write(tmp_path, "a.tsv", "subject\tpredicate\tobject", *rows)
    before, _ = read(path)
    assert sum(len(d.statements) for d in before) == 5000
    assert max(len(d.statements) for d in before) <= MOST_ROWS
    for changed in ([*rows[:2500], "new\ttreats\tdisease", *rows[2500:]], [*rows[:10], *rows[11:]]):
        write(tmp_path, "a.tsv", "subject\tpredicate\tobject", *changed)
        after, _ = read(path)
        new = {(d.record, d.text) for d in after} - {(d.record, d.text) for d in before}
        assert 1 <= len(new) <= 4


def test_the_mapping(tmp_path: Path, shared_data: Path) -> None:
    mapping = Mapping(
        {
            "subject": "drug",
            "subject_id": "drugbank_id",
            "object": "disease",
            "object_id": "doid_id",
            "predicate": "category",
            "subject_type": "=drug",
        },
        {"DM": "treats", "SYM": "palliates", "NOT": "!treats"},
    )
    documents, report = read(shared_data / "pharmacotherapydb" / "indications.tsv", mapping=mapping)
    said = [s for d in documents for s in d.statements]
    # cut -f5 indications.tsv | sort | uniq -c
    assert [
        sum((s.predicate, s.polarity) == kind for s in said)
        for kind in (("treats", "affirmed"), ("palliates", "affirmed"), ("treats", "negated"))
    ] == [755, 390, 243]
    assert (said[0].subject_code, said[0].object_code) == ("DRUGBANK:DB00843", "DO:DOID:10652")
    assert not report.rejected
    left, report = read(
        shared_data / "pharmacotherapydb" / "indications.tsv",
        mapping=Mapping(mapping.columns, {"DM": "treats", "SYM": "-", "NOT": "-"}),
    )
    assert (sum(len(d.statements) for d in left), sum(report.rejected.values())) == (755, 633)


def test_what_cannot_be_asked_or_read(tmp_path: Path) -> None:
    with pytest.raises(ConfigError):
        Mapping({"subjekt": "x"})
    for header in ("subject\tobject", "subject\tsubject\tobject", ""):
        with pytest.raises(InputError) as caught:
            read(write(tmp_path, "a.tsv", header, "a\tb"))
        assert caught.value.code in ("GKB-405", "GKB-402")
