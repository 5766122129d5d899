"""Bug 5: many writers of the same concepts and edges: one node a key, one edge a key, no error, nothing lost."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from graphkb.store import Store, Tx
from tests.servers import raw

CONCEPTS = [f"C{number:07}" for number in range(200)]
EDGES = [(CONCEPTS[number % 200], CONCEPTS[(number * 7 + 1 + number // 200) % 200]) for number in range(400)]


def work_of(seed: int) -> tuple[list[dict[str, str]], list[dict[str, str]]]:
    """All concepts and edges, in an order of this writer's own."""
    order = random.Random(seed)
    nodes = [{"key": key, "scope": "public", "name": f"name of {key}"} for key in CONCEPTS]
    edges = [{"key": f"{a}-{b}", "a": a, "b": b} for a, b in EDGES]
    order.shuffle(nodes)
    order.shuffle(edges)
    return nodes, edges


def upsert(store: Store, seed: int) -> int:
    nodes, edges = work_of(seed)
    made = 0

    def work(tx: Tx) -> int:
        nonlocal made
        run = tx._tx.run
        have = {row["key"] for row in run("MATCH (c:Concept) WHERE c.key IN $keys RETURN c.key AS key",
                                          keys=CONCEPTS)}
        new = sorted((row for row in nodes if row["key"] not in have), key=lambda row: row["key"])
        found = run("UNWIND $rows AS r CREATE (c:Concept {key: r.key, scope: r.scope, name: r.name})", rows=new)
        assert found.consume().counters.nodes_created == len(new)
        edges.sort(key=lambda row: row["key"])
        run("UNWIND $rows AS r MATCH (a:Concept {key: r.a}) MATCH (b:Concept {key: r.b}) "
            "OPTIONAL MATCH (a)-[e:RELATED {key: r.key}]->(b) WITH r, a, b, e WHERE e IS NULL "
            "CREATE (a)-[:RELATED {key: r.key}]->(b)", rows=edges).consume()
        made = len(new)
        return made

    return store.transaction(work)


def rounds_of(store: Store, rounds: int) -> None:
    for number in range(rounds):
        raw(store, "MATCH (c:Concept) DETACH DELETE c")
        with ThreadPoolExecutor(16) as pool:
            made = list(pool.map(lambda seed: upsert(store, seed), range(number * 16, number * 16 + 16)))
        assert sorted(made) == [0] * 15 + [200]
        nodes = raw(store, "MATCH (c:Concept) RETURN count(c) AS n, count(DISTINCT c.key) AS k")
        edges = raw(store, "MATCH (:Concept)-[e:RELATED]->() RETURN count(e) AS n, count(DISTINCT e.key) AS k")
        assert (nodes, edges) == ([{"n": 200, "k": 200}], [{"n": 400, "k": 400}])


def test_sixteen_threads(store: Store) -> None:
    assert len(set(EDGES)) == 400
    rounds_of(store, 1)


@pytest.mark.full
def test_sixteen_threads_ten_rounds(store: Store) -> None:
    rounds_of(store, 10)
