"""Each format read back by a reader that is not ours: csv, pyarrow, networkx and lxml, a plain KGX reader."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import networkx
import pyarrow.parquet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree

from graphkb.errors import IngestError
from graphkb.export import graphml, importer, kgx, parquet, tables
from graphkb.export.spool import ExportSpool
from graphkb.model.predicates import RELATION_TYPES
from graphkb.model.semantic_groups import GROUPS

csv.field_size_limit(1 << 30)
ODD = ["Crohn's colitis", 'say "aah"', "a|b;c,d", "tab\there", "line\r\nend\rx\n", "back\\", "", "<&>\u2028é\U0001f9ec"]


def concept(key: str, name: str, **more: Any) -> dict[str, Any]:
    return {"key": key, "scope": "public", "name": name, "semantic_types": ["T047"], **more}


OPEN: list[ExportSpool] = []


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    while OPEN:
        OPEN.pop().close()


def empty(folder: Path) -> ExportSpool:
    OPEN.append(ExportSpool(folder / "rows"))
    return OPEN[-1]


def spooled(folder: Path, nodes: list[dict[str, Any]],
            edges: Sequence[tuple[str, str, dict[str, Any]]] = ()) -> ExportSpool:
    spool = empty(folder)
    for node in nodes:
        spool.node("Concept", node)
    for a, b, properties in edges:
        spool.edge("TREATS", ("Concept", "Concept"), (a, b), properties)
    return spool


@pytest.fixture
def spool(tmp_path: Path) -> ExportSpool:
    nodes = [concept(f"C900000{n}", name, weight=n if n % 2 else n / 4, names=[name, "x"] if n else [])
             for n, name in enumerate(ODD)]
    return spooled(tmp_path, nodes, [("C9000001", "C9000002", {"key": "rel:1", "predicate": "may_treat", "sab": "MSH"}),
                                     ("C9000002", "C9000003", {"key": "stm:1", "predicate": "treats", "sab": "TEXT"})])


def test_csv(tmp_path: Path, spool: ExportSpool) -> None:
    assert tables.write(spool, tmp_path) == {}
    with (tmp_path / "nodes_Concept.csv").open(encoding="utf-8", newline="") as handle:
        rows = list(csv.DictReader(handle))
    assert [row["name"] for row in rows] == ODD
    assert [json.loads(row["names"]) for row in rows] == [[], *([name, "x"] for name in ODD[1:])]
    assert [float(row["weight"]) for row in rows] == [0.0, 1.0, 0.5, 3.0, 1.0, 5.0, 1.5, 7.0]
    with (tmp_path / "edges_TREATS_Concept_Concept.csv").open(encoding="utf-8", newline="") as handle:
        assert [(r["from"], r["to"], r["sab"]) for r in csv.DictReader(handle)] == [
            ("C9000001", "C9000002", "MSH"), ("C9000002", "C9000003", "TEXT")]


def test_parquet(tmp_path: Path, spool: ExportSpool) -> None:
    parquet.write(spool, tmp_path)
    table = pyarrow.parquet.read_table(tmp_path / "nodes_Concept.parquet")
    assert table["name"].to_pylist() == ODD
    assert table["names"].to_pylist() == [[], *([name, "x"] for name in ODD[1:])]
    assert str(table.schema.field("weight").type) == "double"
    assert table["weight"].to_pylist() == [0.0, 1.0, 0.5, 3.0, 1.0, 5.0, 1.5, 7.0]
    edges = pyarrow.parquet.read_table(tmp_path / "edges_TREATS_Concept_Concept.parquet").to_pylist()
    assert edges[1] == {"from": "C9000002", "to": "C9000003", "key": "stm:1", "predicate": "treats", "sab": "TEXT"}


def test_graphml(tmp_path: Path, spool: ExportSpool) -> None:
    assert graphml.write(spool, tmp_path) == {}
    etree.parse(tmp_path / "graph.graphml")
    graph = networkx.read_graphml(tmp_path / "graph.graphml")
    assert [graph.nodes[f"Concept/C900000{n}"].get("name", "") or "" for n in range(8)] == ODD
    assert json.loads(graph.nodes["Concept/C9000001"]["names"]) == [ODD[1], "x"]
    assert graph.nodes["Concept/C9000003"]["weight"] == 3.0
    assert [(a, b, e["type"], e["predicate"]) for a, b, e in graph.edges(data=True)] == [
        ("Concept/C9000001", "Concept/C9000002", "TREATS", "may_treat"),
        ("Concept/C9000002", "Concept/C9000003", "TREATS", "treats")]


def test_graphml_counts_what_xml_cannot_hold(tmp_path: Path) -> None:
    spool = spooled(tmp_path, [concept("C9000001", "a\x00b\x0bc\uffffd")])
    assert graphml.write(spool, tmp_path) == {"characters that XML cannot hold": 3}
    tree = etree.parse(tmp_path / "graph.graphml")
    assert "a\ufffdb\ufffdc\ufffdd" in [e.text for e in tree.iter("{*}data")]


def test_kgx(tmp_path: Path, spool: ExportSpool) -> None:
    assert kgx.write(spool, tmp_path) == {"tabs and line ends written as spaces": 5}
    nodes = [line.split("\t") for line in (tmp_path / "nodes.tsv").read_text("utf-8").split("\n")[:-1]]
    edges = [line.split("\t") for line in (tmp_path / "edges.tsv").read_text("utf-8").split("\n")[:-1]]
    assert nodes[0] == list(kgx.NODE_COLUMNS)
    assert nodes[2] == ["UMLS:C9000001", "biolink:Disease", 'say "aah"', "", "T047"]
    assert nodes[5][2] == "line end x "
    assert dict(zip(edges[0], edges[1], strict=True)) == {
        "id": "rel:1", "subject": "UMLS:C9000001", "predicate": "biolink:treats", "object": "UMLS:C9000002",
        "category": "biolink:Association", "original_predicate": "may_treat",
        "primary_knowledge_source": "infores:msh", "knowledge_level": "not_provided", "agent_type": "not_provided"}
    assert edges[2][6:] == ["infores:graphkb", "not_provided", "text_mining_agent"]


def test_kgx_has_a_word_for_everything() -> None:
    assert set(kgx.PREDICATES) == set(RELATION_TYPES)
    assert set(kgx.CATEGORIES) == {tui for tuis in GROUPS.values() for tui in tuis}
    assert kgx.identifier("HP:0000001") == "HP:0000001"
    assert kgx.identifier("LOCAL:ab") == "LOCAL:ab"


def test_importer_splits_a_property_of_two_types(tmp_path: Path, spool: ExportSpool) -> None:
    importer.write(spool, tmp_path)
    headers = sorted(p.read_text() for p in (tmp_path / "csv").glob("nodes*.header.csv"))
    assert [h.strip().split(",")[-1] for h in headers] == ["weight:double", "weight:long"]
    assert {p.name for p in tmp_path.iterdir()} == {"rows", "csv", "import.args", "import.json", "import.sh"}
    about = json.loads((tmp_path / "import.json").read_text())
    assert about["nodes"] == {"Concept": 8}
    assert about["relationships"] == {"TREATS": 2}


@given(st.lists(st.text(st.characters(codec="utf-8"))))
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_in_csv_and_parquet(tmp_path_factory: pytest.TempPathFactory, names: list[str]) -> None:
    folder = tmp_path_factory.mktemp("x")
    spool = spooled(folder, [concept(f"k{n}", name, names=names) for n, name in enumerate(names)])
    tables.write(spool, folder)
    parquet.write(spool, folder)
    spool.close()
    if names:
        with (folder / "nodes_Concept.csv").open(encoding="utf-8", newline="") as handle:
            rows = list(csv.DictReader(handle))
        assert [(r["name"], json.loads(r["names"])) for r in rows] == [(name, names) for name in names]
        table = pyarrow.parquet.read_table(folder / "nodes_Concept.parquet")
        assert table["name"].to_pylist() == names
        assert table["names"].to_pylist() == [names] * len(names)


@pytest.mark.parametrize("write", [tables.write, kgx.write])
def test_half_a_surrogate_pair_is_refused(tmp_path: Path, write: Callable[[ExportSpool, Path], Any]) -> None:
    with pytest.raises(IngestError, match=r"GKB-609.*row 2"):
        write(spooled(tmp_path, [concept("a", "x"), concept("b", "\ud800")]), tmp_path)


@pytest.mark.parametrize(("label", "name", "value"), [("Person", "name", "x"), ("Concept", "a b", "x"),
                                                      ("Concept", "name`", "x"), ("Concept", "name", object())])
def test_names_and_values_are_of_the_closed_kinds(tmp_path: Path, label: str, name: str, value: Any) -> None:
    with pytest.raises(IngestError, match="GKB-609"):
        empty(tmp_path).node(label, {"key": "k", name: value})
