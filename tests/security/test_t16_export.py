"""T16: a restricted vocabulary leaves the graph by nobody's accident, nor does a private scope."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from graphkb.config import Settings
from graphkb.errors import IngestError
from graphkb.export import FORMATS, Selection, export
from graphkb.model.records import ReadReport
from graphkb.store import Store
from ingestion.vocabulary import load_vocabulary
from tests.helpers import vocabulary as v
from tests.servers import raw

FREE, MIXED, SECRET = "C9000001", "C9000002", "C9000003"


@pytest.fixture
def graph(store: Store, tmp_path: Path) -> Store:
    """One free concept, one of both vocabularies whose name is the restricted one's, one that only the latter has."""
    folder = v.write_meta(
        tmp_path / "META",
        MRCONSO=[v.atom(FREE, "A1", "OPEN", "1", "open name"),
                 v.atom(MIXED, "A2", "SHUT", "2", "shut preferred"),
                 v.atom(MIXED, "A3", "OPEN", "2", "second open", tty="SY", ts="S", stt="VO", ispref="N"),
                 v.atom(SECRET, "A4", "SHUT", "3", "shut alone")],
        MRDEF=[v.definition(MIXED, "A2", "shut definition", "SHUT")],
        MRREL=[v.relation(FREE, "PAR", MIXED, "", "OPEN"), v.relation(FREE, "RO", MIXED, "may_treat", "SHUT"),
               v.relation(FREE, "PAR", SECRET, "", "OPEN"), v.relation(MIXED, "RO", FREE, "causes", "NOWHERE")],
        MRSAB=[v.vocabulary("OPEN", sver="1", srl="0"), v.vocabulary("SHUT", sver="1", srl="9")])
    load_vocabulary(store, folder, settings=Settings(), report=ReadReport())
    raw(store, "CREATE (:Document {key: 'doc:1', scope: 'local', source: 'OPEN', title: 'mine alone'})")
    raw(store, "CREATE (:Statement {key: 'stm:1', scope: 'local', text: 'mine alone'})")
    raw(store, "MATCH (s:Statement {key: 'stm:1'}) MATCH (c:Concept {key: $key}) CREATE (s)-[:SUBJECT]->(c)", key=FREE)
    return store


def run(store: Store, format_: str, out: Path, **options: Any) -> dict[str, Any]:
    return export(store, format_, out, Selection(work=format_ == "neo4j-import", **options), lambda *_: None)


def text_of(folder: Path) -> str:
    return "".join(path.read_bytes().decode("latin-1") for path in folder.rglob("*")
                   if path.is_file() and path.name != "export.json")


@pytest.mark.parametrize("format_", sorted(set(FORMATS) - {"parquet"}))
def test_nothing_restricted_or_private_in_any_format(graph: Store, tmp_path: Path, format_: str) -> None:
    done = run(graph, format_, tmp_path / "out")
    found = text_of(tmp_path / "out")
    assert "open name" in found
    assert "second open" in found
    for word in ("shut", "SHUT", "NOWHERE", SECRET, "mine alone", "doc:1", "stm:1", "local"):
        assert word not in found, word
    why = {(r["what"], r["why"]): r["count"] for r in done["left_out"]}
    assert why["Concept", "only sources that stay name it"] == 1
    assert why["Code", "restriction level 9"] == 2
    assert why["TREATS", "restriction level 9"] == 1
    assert why["CAUSES", "a vocabulary of unknown licence"] == 1
    assert why["ISA", "an end stays"] == 1


def test_asked_for_by_name_it_is_refused(graph: Store, tmp_path: Path) -> None:
    with pytest.raises(IngestError, match=r"GKB-611.*restriction level 9, allowed is 0 \(SHUT\)"):
        run(graph, "csv", tmp_path / "out", sources=("SHUT",))
    with pytest.raises(IngestError, match=r"GKB-611.*no such source"):
        run(graph, "csv", tmp_path / "out", sources=("ELSE",))
    assert not list(tmp_path.glob("out*"))


def test_raised_on_purpose_it_leaves(graph: Store, tmp_path: Path) -> None:
    done = run(graph, "csv", tmp_path / "out", max_restriction=9)
    assert done["nodes"] == {"Source": 2, "Concept": 3, "Code": 4}
    assert done["left_out"] == []
    found = text_of(tmp_path / "out")
    assert "shut preferred" in found
    assert "mine alone" not in found


def test_only_one_source(graph: Store, tmp_path: Path) -> None:
    run(graph, "csv", tmp_path / "out", max_restriction=9, sources=("SHUT",))
    with (tmp_path / "out" / "nodes_Concept.csv").open(encoding="utf-8", newline="") as handle:
        assert {row["key"]: row["name"] for row in csv.DictReader(handle)} == {
            MIXED: "shut preferred", SECRET: "shut alone"}


def test_a_private_scope_leaves_where_it_is_named(graph: Store, tmp_path: Path) -> None:
    done = run(graph, "csv", tmp_path / "out", max_restriction=9, scopes=("public", "local"))
    assert done["nodes"]["Document"] == 1
    assert done["edges"]["SUBJECT"] == 1
    assert "mine alone" in text_of(tmp_path / "out")
