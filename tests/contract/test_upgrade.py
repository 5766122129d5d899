"""An upgrade of the vocabulary on every server: what it reports, what it leaves, what it takes back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from graphkb import ids
from graphkb.config import Settings
from graphkb.errors import IngestError
from graphkb.kb import KnowledgeBase
from graphkb.store import Store
from graphkb.store.fingerprint import fingerprint
from ingestion.sources import TextSource
from retrieval.concepts import concept_card
from tests.helpers import releases as r
from tests.servers import raw

LIVE = {"2025AB": 9, "2026AA": 6}


@dataclass
class Graph:
    kb: KnowledgeBase
    first: Path
    second: Path
    third: Path
    before: str = ""

    def apply(self, folder: Path, **more: Any) -> dict[str, Any]:
        return self.kb.upgrade_vocabulary(folder, dry_run=False, vectors=False, **more)

    def back(self) -> dict[str, Any]:
        return self.kb.roll_back_vocabulary(vectors=False)

    def card(self, concept: str, release: str = "") -> list[str]:
        """What the vocabulary says of a concept."""
        return [piece.text for piece in concept_card(self.kb.store, concept, ("public",), release=release)
                if piece.statement is None]

    def concepts(self, text: str) -> set[str]:
        return {row["c"] for row in raw(self.kb.store, "MATCH (m:Mention)-[:REFERS_TO]->(c:Concept) "
                                                       "WHERE m.name = $name RETURN c.key AS c", name=text)}


@pytest.fixture
def graph(store: Store, store_settings: Settings, tmp_path: Path) -> Iterator[Graph]:
    settings = store_settings.model_copy(update={"data_dir": tmp_path / "kb"}) if store.dialect == "neo4j" else (
        store_settings)
    with KnowledgeBase(settings) as kb:
        made = Graph(kb, r.first(tmp_path / "first"), r.second(tmp_path / "second"), r.third(tmp_path / "third"))
        kb.ingest_vocabulary(made.first, vectors=False)
        kb.ingest(TextSource([r.texts(tmp_path / "texts")]), command="ingest text", vectors=False)
        made.before = fingerprint(kb.store)
        yield made


def code(graph: Graph, key: str) -> dict[str, Any]:
    [row] = raw(graph.kb.store, "MATCH (k:Code {key: $key})-[:CODE_OF]->(c:Concept) "
                                "RETURN properties(k) AS p, collect(c.key) AS c", key=key)
    return {**row["p"], "concepts": row["c"]}


def check_report(report: dict[str, Any]) -> None:
    assert report["concepts"] == {
        "added": 1, "bequeathed": 1, "merged": 1, "deleted": 2, "renamed": 1, "types changed": 1,
        "definition changed": 1, "names changed": 2, "names added": 2, "names removed": 2, "definitions added": 1,
        "definitions removed": 1}
    assert report["codes"] == {"added": 3, "changed": 4, "ended": 4}
    assert (report["sources"], report["relations"]) == ({"added": 2}, {"added": 1, "ended": 3})
    assert report["relations_by_type"] == {"ISA": {"ended": 2}, "TREATS": {"added": 1, "ended": 1}}
    assert report["keys"]["deleted"] == [r.DROPSY, r.ERGOT]
    # of elevated and high pressure, dropsy, chronic cephalgia (twice), lisinopril, kidney failure and ergot
    assert report["touches"]["mentions"] == {"public": 8}
    assert report["touches"]["statements"] == {"public": 2}


def test_there_and_back(graph: Graph) -> None:
    kb, store = graph.kb, graph.kb.store
    cards = {key: graph.card(key) for key in (r.HIGH, r.KIDNEY, r.DROPSY, r.LISINOPRIL)}
    check_report(kb.upgrade_vocabulary(graph.second))
    assert fingerprint(store) == graph.before, "a dry run writes nothing"
    assert graph.concepts("elevated blood pressure") == {r.ELEVATED}

    check_report(graph.apply(graph.second))
    after = fingerprint(store)
    assert kb.check() == []
    assert graph.concepts("elevated blood pressure") == {r.HIGH}, "a merged concept's mentions follow"
    assert graph.concepts("losartan") == {r.LOSARTAN}
    retired = {row["key"]: (row["retired"], row["by"], row["how"]) for row in raw(
        store, "MATCH (c:Concept) WHERE c.retired IS NOT NULL RETURN c.key AS key, c.retired AS retired, "
               "c.replaced_by AS by, c.replaced_how AS how")}
    assert retired == {r.ELEVATED: ("2026AA", [r.HIGH], ["SY"]), r.CHRONIC: ("2026AA", [r.HEADACHE], ["RB"]),
                       r.DROPSY: ("2026AA", None, None), r.ERGOT: ("2026AA", None, None)}
    moved = code(graph, ids.code("S1", "3", "1"))
    assert (moved["concepts"], moved["from_release"], moved.get("to_release")) == ([r.HIGH], "2026AA", None)
    kept = code(graph, ids.ended(ids.code("S1", "3", "1"), "2026AA"))
    assert (kept["concepts"], kept["from_release"], kept["to_release"]) == ([r.ELEVATED], "2025AB", "2026AA")
    live = raw(store, "MATCH (k:Code)-[:CODE_OF]->(c:Concept) WHERE k.to_release IS NULL RETURN DISTINCT c.key AS c")
    assert len(live) == LIVE["2026AA"]

    # the old release is still there, word for word, and the new one is not in it
    for key, card in cards.items():
        assert graph.card(key, "2025AB") == card
    assert graph.card(r.LOSARTAN, "2025AB") == []
    assert graph.card(r.DROPSY, "2026AA") == []
    assert graph.card(r.KIDNEY, "2026AA") == graph.card(r.KIDNEY) != cards[r.KIDNEY]
    assert "retired in 2026AA" in graph.card(r.DROPSY)[0]
    for release, concept in (("2025AB", r.ELEVATED), ("2026AA", r.HIGH), ("", r.HIGH)):
        [row] = kb.run("list_concepts_of_curies", curies=["S1:3"], release=release)
        assert row["concept"] == concept

    # again, and as a plain load: nothing
    check_report(graph.apply(graph.second))
    assert kb.ingest_vocabulary(graph.second, vectors=False).counts["created"].get("codes") == 0
    assert fingerprint(store) == after

    graph.back()
    assert fingerprint(store) == graph.before
    assert kb.check() == []
    assert raw(store, "MATCH (m:Meta) WHERE m.key STARTS WITH 'meta:upgrade' RETURN m.key AS key") == []
    assert [row["release"] for row in kb.run("list_releases")] == ["2025AB"]
    with pytest.raises(IngestError, match="GKB-623"):
        graph.back()


def test_what_had_gone_returns(graph: Graph) -> None:
    kb, store = graph.kb, graph.kb.store
    now = {key: graph.card(key) for key in (r.HIGH, r.DROPSY, r.ASPIRIN, r.CHRONIC)}
    graph.apply(graph.second)
    second = fingerprint(store)
    report = graph.apply(graph.third)
    assert report["relations"] == {"ended": 1, "returned": 3}
    assert report["codes"] == {"changed": 8, "ended": 3}, "four that had gone return under their own keys"
    assert report["concepts"]["returned"] == 4
    assert report["keys"]["deleted without a row of MRCUI"] == [r.LOSARTAN]
    assert kb.check() == []
    for key, card in now.items():
        assert graph.card(key) == card
        assert graph.card(key, "2025AB") == card
    graph.back()
    assert fingerprint(store) == second


def test_nothing_new_touches_nothing(graph: Graph) -> None:
    keys = "MATCH (n) WHERE NOT n:Meta RETURN n.key AS key, properties(n) AS p"
    nodes = {row["key"]: row["p"] for row in raw(graph.kb.store, keys)}
    report = graph.apply(graph.third)
    assert {what: n for part in ("concepts", "codes", "relations", "sources") for what, n in report[part].items()} == {}
    assert {row["key"]: row["p"] for row in raw(graph.kb.store, keys)} == nodes
    assert [row["release"] for row in graph.kb.run("list_releases")] == ["2026AB", "2025AB"]


def test_what_is_refused(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    for release in ("2025AB", "2025AA", ""):
        with pytest.raises(IngestError, match="GKB-620"):
            graph.apply(graph.second, release=release)
    with pytest.raises(IngestError, match="GKB-623"):
        graph.back()
    monkeypatch.setattr(graph.kb, "refresh", lambda **_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        graph.apply(graph.second)
    monkeypatch.undo()
    for attempt in (lambda: graph.apply(graph.third), lambda: graph.kb.upgrade_vocabulary(graph.third),
                    lambda: graph.kb.ingest_vocabulary(graph.second)):
        with pytest.raises(IngestError, match="GKB-621"):
            attempt()
    with pytest.raises(IngestError, match="GKB-622"):
        graph.apply(graph.first, release="2026AA")
    check_report(graph.apply(graph.second))
    graph.kb.store.write("bump_generation", key=ids.meta(f"lexicon:{ids.PUBLIC}"))
    with pytest.raises(IngestError, match="GKB-624"):
        graph.back()
