"""MRREL read backwards inverts every fact; the direction is ``CUI2 RELA CUI1``.

https://github.com/RTXteam/RTX-KG2/issues/356
"""

from __future__ import annotations

from pathlib import Path

import pytest

from graphkb import ids
from graphkb.model.predicates import verbalise
from graphkb.model.records import ReadReport
from ingestion.sources.umls import RrfReader
from ingestion.sources.umls_spool import Edge, Spool
from ingestion.vocabulary import _Load

HYPERTENSION, LISINOPRIL, VASCULAR = "C9000001", "C9000002", "C9000003"
NAMES = {HYPERTENSION: "hypertension", LISINOPRIL: "lisinopril", VASCULAR: "vascular disease"}
ROWS = {
    "fact": f"{HYPERTENSION}|A1|CUI|RO|{LISINOPRIL}|A2|CUI|may_treat|R1||X|X||N|N||",
    "inverse": f"{LISINOPRIL}|A2|CUI|RO|{HYPERTENSION}|A1|CUI|may_be_treated_by|R2||X|X||N|N||",
    "parent": f"{HYPERTENSION}|A1|CUI|PAR|{VASCULAR}|A3|CUI||R3||X|X||N|N||",
}


def edges(folder: Path, rows: list[str]) -> list[Edge]:
    atoms = [f"{cui}|ENG|P|L{n}|PF|S{n}|Y|A{n}||||X|PT|{n}|{name}|0|N|256|"
             for n, (cui, name) in enumerate(NAMES.items(), 1)]
    (folder / "MRCONSO.RRF").write_text("\n".join(atoms) + "\n", encoding="utf-8")
    (folder / "MRREL.RRF").write_text("\n".join(rows) + "\n", encoding="utf-8")
    report = ReadReport()
    with Spool() as spool:
        spool.fill(RrfReader(folder, report), lambda *_: None)
        assert (report.kept["MRREL.RRF"], report.rejected["MRREL.RRF"]) == (len(rows), 0)
        return [edge for batch in spool.edge_batches(10) for edge in batch]


@pytest.mark.parametrize("rows", [["fact"], ["inverse"], ["fact", "inverse"], ["inverse", "fact", "fact"]])
def test_one_edge_from_the_drug_to_the_disease(tmp_path: Path, rows: list[str]) -> None:
    (edge,) = edges(tmp_path, [ROWS[name] for name in rows])
    assert edge == Edge("TREATS", LISINOPRIL, "may_treat", HYPERTENSION, "X")
    assert verbalise(edge.predicate, NAMES[edge.subject], NAMES[edge.object]) == "lisinopril may treat hypertension"


def test_a_parent_row_makes_the_first_concept_the_child(tmp_path: Path) -> None:
    (edge,) = edges(tmp_path, [ROWS["parent"]])
    assert edge == Edge("ISA", HYPERTENSION, "isa", VASCULAR, "X")
    assert verbalise("isa", NAMES[edge.subject], NAMES[edge.object]) == "hypertension is a kind of vascular disease"


def test_the_row_that_is_written_keeps_the_direction(tmp_path: Path) -> None:
    batch = edges(tmp_path, [ROWS["fact"]])
    load = object.__new__(_Load)
    load.release, load._most_rows, load._most_bytes = "", 10, 10_000
    type_, (row,), _ = load._relation_rows(batch)
    assert (type_, row["subject"], row["object"]) == ("TREATS", LISINOPRIL, HYPERTENSION)
    assert row["key"] == ids.relation(LISINOPRIL, "may_treat", HYPERTENSION, "X")
