"""Bug 12: "read-only" Cypher that writes, reads files or opens addresses. Here on a live store: nothing changes and
nothing is called, with the guard and (for the store's own walls) without it."""

from __future__ import annotations

import importlib.util
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from graphkb import config
from graphkb.errors import ForbiddenQuery, GraphKBError, QueryError, StoreError
from graphkb.kb import KnowledgeBase
from graphkb.security.guard import check_read_only
from graphkb.store import embedded
from tests.conftest import missing

REPORTED = (
    "LOAD CSV FROM 'http://169.254.169.254/' AS r RETURN r", "CALL apoc.load.json('file:///etc/passwd')",
    "CALL { CREATE (:X) }", "CALL/**/custom.write()", "ＣＲＥＡＴＥ (:X)", "MATCH (n) ＳＥＴ n.p = 1",
    "MATCH (n) FOREACH(x IN [1] | SET n.p=1)", "EXPLAIN MATCH (n) RETURN n", "PROFILE MATCH (n) DELETE n",
    "CYPHER 25 MATCH (n) RETURN n", "USE system SHOW USERS",
)
HARMLESS = {
    "MATCH (c:Concept) RETURN c.name LIMIT 5": [("Hypertension",)],
    "MATCH (c:Concept) WHERE c.definition CONTAINS 'create' RETURN c.name": [("Hypertension",)],
    "MATCH (c:Concept) RETURN count(c) AS create_count // create": [(1,)],
    "CALL { MATCH (c:Concept) RETURN c } RETURN c.key AS key": [("C0020538",)],
    "RETURN 'a\\'b' AS x, size('\\\\') AS n": [("a'b", 1)],
}


def attacks(port: int) -> list[str]:
    """Every hostile statement of the security tests, pointed at a listening port."""
    path = Path(__file__).parents[1] / "security" / "cypher_statements.py"
    spec = importlib.util.spec_from_file_location("cypher_statements_12", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return [text.replace("PORT", str(port)) for text in (*REPORTED, *module.ATTACKS.values())]


class Listener:
    """A loopback socket that counts who connects."""

    def __init__(self) -> None:
        self.connections = 0
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._socket.getsockname()[1])
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def _accept(self) -> None:
        while True:
            try:
                wire, _ = self._socket.accept()
            except OSError:
                return
            self.connections += 1
            wire.close()

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join(timeout=5)


@pytest.fixture
def listener() -> Iterator[Listener]:
    listening = Listener()
    yield listening
    listening.close()


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    if importlib.util.find_spec("arcadedb_embedded") is None:
        missing("embedded", "pip install 'graphkb-med[embedded]'")
    settings = config.load(environ={}, data_dir=tmp_path_factory.mktemp("kb") / "kb", store__heap_mb=256)
    opened = KnowledgeBase(settings)
    try:
        opened.store.migrate()
        opened.store.write("create_concepts", scope="public", rows=[{
            "key": "C0020538", "name": "Hypertension", "semantic_types": ["T047"], "definition": "may create damage",
            "search_text": "Hypertension"}])
        yield opened
    finally:
        opened.close()
        embedded.stop(settings)


def contents(kb: KnowledgeBase) -> list[tuple[Any, ...]]:
    nodes = kb.query("MATCH (n) RETURN n.key AS key, labels(n) AS labels, properties(n) AS p ORDER BY key").rows
    edges = kb.query("MATCH (a)-[r]->(b) RETURN a.key AS a, type(r) AS t, b.key AS b ORDER BY a, t, b").rows
    assert nodes
    return [*nodes, *edges]


def test_reported_statements_are_refused_with_one_code() -> None:
    for text in REPORTED:
        with pytest.raises(ForbiddenQuery, match="GKB-306"):
            check_read_only(text)


def test_on_a_live_store_nothing_changes_and_nobody_is_called(kb: KnowledgeBase, listener: Listener) -> None:
    before = contents(kb)
    executed = []
    for text in attacks(listener.port):
        try:
            kb.query(text)
        except ForbiddenQuery:
            continue
        executed.append(text)
    assert executed == []
    assert contents(kb) == before
    assert listener.connections == 0


def test_harmless_ones_run(kb: KnowledgeBase) -> None:
    assert {text: kb.query(text).rows for text in HARMLESS} == HARMLESS
    assert kb.query("UNWIND range(1, 50) AS x RETURN x", limit=7).truncated


@pytest.mark.parametrize("text", [
    "CREATE (:Concept {key: 'x', scope: 'public'})", "MATCH (c:Concept) SET c.name = 'x'",
    "MATCH (c:Concept) DETACH DELETE c",
    "MERGE (c:Concept {key: 'y'}) RETURN c", "MATCH (c:Concept) CALL { WITH c SET c.p = 1 } RETURN c",
    "LOAD CSV FROM 'http://127.0.0.1:PORT/x' AS r RETURN r", "LOAD CSV FROM 'file:///etc/hostname' AS r RETURN r",
])
def test_the_store_itself_refuses_what_a_guard_might_miss(kb: KnowledgeBase, listener: Listener, text: str) -> None:
    before = contents(kb)
    with pytest.raises(GraphKBError) as caught:
        kb.store.free_read(text.replace("PORT", str(listener.port)), {}, limit=10, timeout_s=20)
    assert isinstance(caught.value, StoreError | QueryError)
    assert contents(kb) == before
    assert listener.connections == 0
