"""https://github.com/neo4j/neo4j-graphrag-python/issues/221: chunk ids collided between documents and runs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from graphkb.kb import KnowledgeBase
from graphkb.store import Store
from graphkb.store.fingerprint import fingerprint
from ingestion.sources import TextSource
from tests.helpers import corpus as c
from tests.servers import Servers, raw, wipe

A, B = "Aspirin treats headache.", "Metformin treats diabetes."


@pytest.fixture
def kb(servers: Servers) -> Iterator[KnowledgeBase]:
    with KnowledgeBase(c.fast(servers.settings("arcadedb"))) as opened:
        wipe(opened.store)
        opened.__dict__.pop("store").close()
        yield opened


def counts(store: Store) -> list[dict[str, int]]:
    return raw(store, "MATCH (d:Document) OPTIONAL MATCH (c:Chunk)-[:PART_OF]->(d) "
                      "RETURN count(DISTINCT d) AS documents, count(DISTINCT c.key) AS chunks, count(c) AS edges")


def test_again_and_under_another_path_nothing_changes(kb: KnowledgeBase, tmp_path: Path) -> None:
    a, b, moved = tmp_path / "a.txt", tmp_path / "b.txt", tmp_path / "other" / "a.txt"
    a.write_text(A)
    b.write_text(B)
    moved.parent.mkdir()
    moved.write_text(A)
    kb.ingest(TextSource([a, b]), vectors=False)
    first = fingerprint(kb.store)
    assert counts(kb.store) == [{"documents": 2, "chunks": 2, "edges": 2}]
    for paths in ([a, b], [moved]):
        assert set(kb.ingest(TextSource(paths), vectors=False).documents) == {"unchanged"}
        assert counts(kb.store) == [{"documents": 2, "chunks": 2, "edges": 2}]
        assert fingerprint(kb.store) == first
    crossing = ("MATCH (x:Chunk)-[:NEXT]->(y:Chunk) WHERE x.document <> y.document RETURN count(*) AS n",
                "MATCH (x:Chunk)-[:PART_OF]->(d:Document) WHERE x.document <> d.key RETURN count(*) AS n")
    assert [raw(kb.store, text) for text in crossing] == [[{"n": 0}], [{"n": 0}]]


def test_the_same_text_in_two_scopes_is_two_documents(kb: KnowledgeBase, tmp_path: Path) -> None:
    a = tmp_path / "a.txt"
    a.write_text(A)
    for scope in ("public", "one", "two"):
        kb.ingest(TextSource([a]), scope=scope, vectors=False)
    assert counts(kb.store) == [{"documents": 3, "chunks": 3, "edges": 3}]
