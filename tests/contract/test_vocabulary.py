"""A vocabulary on every server: the graph is what it is in memory, and loading again changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ingestion.vocabulary
from graphkb.config import Settings
from graphkb.model.predicates import RELATION_TYPES
from graphkb.model.records import ReadReport
from graphkb.store import Store
from ingestion.vocabulary import VocabularyCounts, load_vocabulary
from tests.helpers import vocabulary as h
from tests.servers import raw

A, B, C, D = "C9000001", "C9000002", "C9000003", "C9000004"


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ingestion.vocabulary, "CONCEPTS_PER_TRANSACTION", 2)


@pytest.fixture
def folders(tmp_path: Path) -> list[Path]:
    first = h.write_meta(
        tmp_path / "META",
        MRCONSO=[h.atom(A, "A1", "S1", "1", "Hypertension"),
                 h.atom(A, "A2", "S1", "1", "say \"aah\", 3',5'-x", tty="SY"),
                 h.atom(B, "A5", "S2", "D1", "lisinopril\u00a0"), h.atom(C, "A6", "S1", "2", "Vascular disease"),
                 h.atom(A, "A7", "S3", "X", "pressure, high"), h.atom(D, "A8", "S3", "X", "pressure, low")],
        MRSTY=[h.semantic_type(A, "T047"), h.semantic_type(D, "T033")],
        MRDEF=[h.definition(A, "A1", "Raised arterial pressure.", "S1"), h.definition(D, "A8", "Too low.", "S3")],
        MRREL=[h.relation(A, "RO", B, "may_treat", "S2"), h.relation(B, "RO", A, "may_be_treated_by", "S2"),
               h.relation(A, "PAR", C, "", "S1"), h.relation(A, "RO", C, "tickles", "S1")],
        MRSAB=[h.vocabulary("S1", sver="2026", srl="3", imeta="2026AA"), h.vocabulary("S2", vsab="S2_26")])
    second = h.write_meta(
        tmp_path / "MORE", MRCONSO=[h.atom(A, "B1", "S1", "1", "HTN", tty="AB"), h.atom(C, "B3", "S3", "X", "pressure"),
                                    h.atom(B, "B4", "S2", "D1", "lisinopril")],
        MRREL=[h.relation(A, "RO", B, "may_treat", "S2")],
        MRSAB=[h.vocabulary("S1", sver="2026", imeta="2025AB"), h.vocabulary("S2", vsab="S2_26")])
    return [first, second]


def load(store: Any, folder: Path) -> VocabularyCounts:
    report = ReadReport()
    counts = load_vocabulary(store, folder, settings=Settings(), report=report)
    assert report.balanced()
    return counts


def content(store: Store) -> tuple[Any, ...]:
    """What `MemoryGraph.content` gives, from a server."""
    nodes: dict[str, dict[str, Any]] = {}
    for label in ("Concept", "Code", "Source"):
        nodes[label] = {}
        for row in raw(store, f"MATCH (n:{label}) RETURN properties(n) AS p"):
            properties = {k: v for k, v in row["p"].items() if v not in ([], None) and not k.startswith("@")}
            nodes[label][properties["key"]] = properties
    edges = {}
    for type_ in ("CODE_OF", "FROM", *RELATION_TYPES):
        for row in raw(store, f"MATCH (a)-[e:{type_}]->(b) RETURN a.key AS a, b.key AS b, properties(e) AS p"):
            p = row["p"]
            key = (type_, row["a"], row["b"], p.pop("key", ""))
            assert key not in edges
            edges[key] = {k: v for k, v in p.items() if not k.startswith("@") and k != "to_release"}
    return nodes, edges


def expected(graph: h.MemoryGraph) -> tuple[Any, ...]:
    nodes, edges = graph.content()
    return ({label: {key: {"key": key, **{k: v for k, v in row.items() if v != []}} |
                     ({"cui": key} if label == "Concept" else {})
                     for key, row in rows.items()} for label, rows in nodes.items()}, edges)


def names(store: Store) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    for row in store.stream("stream_code_names", scopes=["public"]):
        assert len({len(row[column]) for column in ("names", "ttys", "languages", "suppress", "ranks")}) == 1
        yield row["concept"], row["curie"], tuple(row["names"])


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_the_graph_of_two_folders(store: Store, folders: list[Path], order: tuple[int, int]) -> None:
    graph = h.MemoryGraph()
    for number in order:
        counts = load(store, folders[number])
        assert counts.created == load(graph, folders[number]).created
    assert content(store) == expected(graph)
    assert load(store, folders[0]).changed == load(store, folders[1]).changed == 0
    assert set(names(store)) == {
        (A, "S1:1", ("Hypertension", "say \"aah\", 3',5'-x", "HTN")), (C, "S1:2", ("Vascular disease",)),
        (B, "S2:D1", ("lisinopril", "lisinopril\u00a0")),
        (A, "S3:X", ("pressure, high",)), (C, "S3:X", ("pressure",)), (D, "S3:X", ("pressure, low",))}
    assert list(store.stream("stream_code_names", scopes=["local"])) == []
