"""What every store does alike."""

from __future__ import annotations

from typing import Any

import pytest

from graphkb.config import Settings
from graphkb.errors import (
    BatchTooLarge,
    ConstraintViolation,
    ForbiddenQuery,
    QueryError,
    StoreError,
    StoreTimeout,
    TransientError,
)
from graphkb.store import Counters, Store, Tx, migrations, open_store
from tests.servers import raw


def record(tx: Tx, number: int) -> Counters:
    return tx.write("record_migration", key=f"meta:x{number}", name=f"x{number}", checksum="c")


def metas(store: Store) -> list[str]:
    return [row["key"] for row in raw(store, "MATCH (m:Meta) WHERE m.key STARTS WITH 'meta:x' "
                                             "RETURN m.key AS key ORDER BY key")]


def test_info(store: Store, store_settings: Settings) -> None:
    info = store.info()
    assert info["dialect"] == store.dialect
    assert info["migrations"] == [migration.name for migration in migrations.find(store.dialect)]
    assert info["migrations"][:2] == ["V0001__constraints_and_indexes", "V0002__search_indexes"]
    assert info["nodes"] == {"Meta": len(info["migrations"])}
    password = store_settings.store.password.get_secret_value()
    assert not password or password not in repr(info)


def test_migrate_again_does_nothing(store: Store) -> None:
    assert store.migrate() == []


def test_every_label_has_a_unique_key(store: Store) -> None:
    for label in ("Source", "Document", "Chunk", "Mention", "Concept", "Code", "Statement", "TagSummary", "Page",
                  "Patient", "Encounter", "Run", "Dirty", "Meta"):
        raw(store, f"CREATE (n:{label} {{key: 'same', scope: 'x'}})")
        with pytest.raises(ConstraintViolation) as caught:
            raw(store, f"CREATE (n:{label} {{key: 'same', scope: 'x'}})")
        assert caught.value.code == "GKB-204"


def test_search_indexes_answer(store: Store) -> None:
    vector = [1.0] + [0.0] * 383
    raw(store, "CREATE (c:Chunk {key: 'c1', scope: 'x', text: 'b testing of bone', embedding: $v})", v=vector)
    raw(store, "CREATE (c:Concept {key: 'C1', scope: 'x', name: 'Osteomyelitis', search_text: 'bone infection'})")
    raw(store, "CREATE (p:Page {key: 'p1', scope: 'x', text: 'a page on bone'})")
    raw(store, "CREATE (t:TagSummary {key: 't1', scope: 'x', embedding: $v})", v=vector)
    if store.dialect == "neo4j":
        raw(store, "CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()")
    for index, key in (("chunk_embedding", "c1"), ("tag_embedding", "t1")):
        rows = raw(store, f"CALL db.index.vector.queryNodes('{index}', 5, $v) YIELD node RETURN node.key AS key",
                   v=vector)
        assert rows == [{"key": key}]
    for index, key in (("chunk_text", "c1"), ("concept_text", "C1"), ("page_text", "p1")):
        rows = raw(store, f"CALL db.index.fulltext.queryNodes('{index}', $q) YIELD node RETURN node.key AS key",
                   q="bone")
        assert rows == [{"key": key}]


def test_transaction_commits(store: Store) -> None:
    def work(tx: Tx) -> int:
        return record(tx, 1).nodes_created + record(tx, 2).nodes_created

    assert store.transaction(work) == 2
    assert metas(store) == ["meta:x1", "meta:x2"]


@pytest.mark.parametrize("error", [ValueError("not ours"), KeyboardInterrupt()])
def test_transaction_rolls_back(store: Store, error: BaseException) -> None:
    def work(tx: Tx) -> None:
        record(tx, 1)
        raise error

    with pytest.raises(type(error)):
        store.transaction(work)
    assert metas(store) == []
    store.transaction(lambda tx: record(tx, 2))
    assert metas(store) == ["meta:x2"]


@pytest.mark.parametrize("error", [TransientError("GKB-203"), ConstraintViolation("GKB-204")])
def test_transaction_runs_again(store: Store, error: StoreError) -> None:
    attempts = []

    def work(tx: Tx) -> str:
        record(tx, len(attempts))
        attempts.append(1)
        if len(attempts) < 3:
            raise error
        return "done"

    assert store.transaction(work) == "done"
    assert len(attempts) == 3
    assert metas(store) == ["meta:x2"]


def test_a_server_s_constraint_error_runs_again(store: Store) -> None:
    attempts = []

    def work(tx: Tx) -> None:
        attempts.append(1)
        if len(attempts) == 1:
            raw(tx._store, "CREATE (m:Meta {key: 'meta:x7', scope: 'public'})")
            tx._tx.run("CREATE (m:Meta {key: 'meta:x7', scope: 'public'})").consume()

    store.transaction(work)
    assert len(attempts) == 2
    assert metas(store) == ["meta:x7"]


def test_transaction_in_transaction_is_refused(store: Store) -> None:
    with pytest.raises(RuntimeError):
        store.transaction(lambda tx: store.write("take_writer_lock"))


def test_expected_counters(store: Store) -> None:
    params: dict[str, Any] = {"key": "meta:x1", "name": "x1", "checksum": "c"}
    counters = store.write("record_migration", expect={"nodes_created": 1, "properties_set": 4}, **params)
    assert counters == Counters(nodes_created=1, properties_set=4)
    with pytest.raises(StoreError) as caught:
        store.transaction(lambda tx: (record(tx, 2), tx.write("record_migration", expect={"nodes_created": 1},
                                                              **params)))
    assert caught.value.code == "GKB-211"
    assert metas(store) == ["meta:x1"]


def test_counters_are_what_happened(store: Store) -> None:
    connection = store._connection

    def counters(text: str) -> dict[str, int]:
        with connection.session("WRITE", "test") as (session, _):
            found = session.run(text).consume().counters
        names = ("nodes_created", "nodes_deleted", "relationships_created", "relationships_deleted", "properties_set")
        return {name: getattr(found, name) for name in names if getattr(found, name)}

    assert counters("UNWIND range(1, 5) AS i CREATE (:Run {key: toString(i), scope: 'x'})-[:FROM {key: i}]->"
                    "(:Source {key: toString(i), scope: 'x'})") == {
        "nodes_created": 10, "relationships_created": 5, "properties_set": 25}
    assert counters("MATCH (a:Run {key: '1'}) MATCH (b:Source {key: 'none'}) CREATE (a)-[:FROM]->(b)") == {}
    assert counters("MERGE (a:Run {key: '1'}) ON CREATE SET a.scope = 'x'") == {}
    assert counters("MATCH (a:Run {key: '1'})-[r:FROM]->() DELETE r") == {"relationships_deleted": 1}
    assert counters("MATCH (a:Run) DETACH DELETE a") == {"nodes_deleted": 5, "relationships_deleted": 4}


def test_wrong_parameters_are_named_not_shown(store: Store) -> None:
    with pytest.raises(QueryError) as caught:
        store.write("record_migration", key="SECRET", name="SECRET")
    assert caught.value.code == "GKB-303"
    assert "checksum" in str(caught.value)
    assert "SECRET" not in str(caught.value)
    with pytest.raises(QueryError):
        store.read("record_migration", key="a", name="b", checksum="c")
    with pytest.raises(QueryError):
        store.write("list_migrations")


def test_errors_of_the_server_hold_no_values(store: Store) -> None:
    raw(store, "CREATE (m:Meta {key: $key, scope: 'x'})", key="meta:xSECRET")
    with pytest.raises(ConstraintViolation) as caught:
        raw(store, "CREATE (m:Meta {key: $key, scope: 'x'})", key="meta:xSECRET")
    assert "SECRET" not in str(caught.value)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("value", ["\ud800 SECRET", 2**64])
def test_a_value_that_cannot_be_sent(store: Store, value: object) -> None:
    with pytest.raises(QueryError) as caught:
        store.write("record_migration", key="meta:x1", name=value, checksum="c")
    assert caught.value.code == "GKB-303"
    assert "SECRET" not in str(caught.value)
    assert metas(store) == []


def test_one_row_over_the_limit_is_refused_before_it_is_sent(store: Store) -> None:
    with pytest.raises(BatchTooLarge) as caught:
        store.write("record_migration", key="meta:x1", name="n" * 9_000_000, checksum="c")
    assert caught.value.code == "GKB-206"
    assert metas(store) == []


def test_a_batch_just_under_the_limit_passes(store: Store) -> None:
    store.write("record_migration", key="meta:x1", name="n" * 7_900_000, checksum="c")
    assert raw(store, "MATCH (m:Meta {key: 'meta:x1'}) RETURN size(m.name) AS n") == [{"n": 7_900_000}]


def test_stream_of_many_rows(store: Store) -> None:
    raw(store, "UNWIND range(1, 1500) AS i CREATE (:Meta {key: 'meta:migration:' + toString(i), name: toString(i)})")
    try:
        rows = store.stream("list_migrations")
        first = next(rows)
        assert set(first) == {"name", "checksum"}
        assert sum(1 for _ in rows) == 1500 + len(migrations.find(store.dialect)) - 1
    finally:
        raw(store, "MATCH (m:Meta) WHERE m.checksum IS NULL DETACH DELETE m")


def test_a_stream_left_early_gives_its_connection_back(store: Store) -> None:
    for _ in range(150):
        rows = store.stream("list_migrations")
        next(rows)
        rows.close()
    assert len(store.read("list_migrations")) == len(migrations.find(store.dialect))


@pytest.mark.parametrize("text", [
    "CREATE (n:Meta {key: 'meta:x1'})", "MATCH (n:Meta) SET n.x = 1", "MATCH (n) DETACH DELETE n",
    "MERGE (n:Meta {key: 'meta:x1'}) RETURN n", "CREATE INDEX extra IF NOT EXISTS FOR (n:Meta) ON (n.extra)",
    "MATCH (n:Meta) REMOVE n.scope", "FOREACH (i IN [1] | CREATE (:Meta {key: 'meta:x1'}))",
])
def test_free_read_cannot_write(store: Store, text: str) -> None:
    before = raw(store, "MATCH (n) RETURN count(n) AS n")
    with pytest.raises(ForbiddenQuery) as caught:
        store.free_read(text, {}, limit=10, timeout_s=5)
    assert caught.value.code == "GKB-306"
    assert raw(store, "MATCH (n) RETURN count(n) AS n") == before
    assert metas(store) == []


def test_free_read(store: Store) -> None:
    table = store.free_read("UNWIND $list AS i RETURN i, i * 2 AS twice", {"list": [1, 2, 3]}, limit=2, timeout_s=5)
    assert (table.columns, table.rows, table.truncated) == (("i", "twice"), [(1, 2), (2, 4)], True)
    table = store.free_read("RETURN date('2026-01-02') AS d, [1, 'a'] AS l, {a: 1.5} AS m, null AS n", {}, limit=2,
                            timeout_s=5)
    assert (table.rows, table.truncated) == ([("2026-01-02", [1, "a"], {"a": 1.5}, None)], False)
    raw(store, "CREATE (:Run {key: 'r', scope: 'x'})-[:FROM {key: 'e'}]->(:Source {key: 's', scope: 'x'})")
    table = store.free_read("MATCH p = (r:Run)-[e]->() RETURN r, e, p", {}, limit=5, timeout_s=5)
    node = {"labels": ["Run"], "properties": {"key": "r", "scope": "x"}}
    edge = {"type": "FROM", "properties": {"key": "e"}}
    assert table.rows[0][:2] == (node, edge)
    assert table.rows[0][2]["nodes"][0] == node
    assert table.rows[0][2]["relationships"] == [edge]


def test_free_read_with_an_error(store: Store) -> None:
    with pytest.raises(QueryError) as caught:
        store.free_read("MATCH (n {name: 'SECRET'}) RETRN n", {}, limit=2, timeout_s=5)
    assert caught.value.code == "GKB-307"
    assert "SECRET" not in str(caught.value)


def test_free_read_has_a_time_limit(store: Store) -> None:
    slow = ("UNWIND range(1, 20000) AS i UNWIND range(1, 20000) AS j WITH i + j AS k "
            "WHERE k % 7 = 3 RETURN count(k) AS n")
    with pytest.raises(StoreTimeout) as caught:
        store.free_read(slow, {}, limit=2, timeout_s=0.5)
    assert caught.value.code == "GKB-205"
    assert len(store.read("list_migrations")) == len(migrations.find(store.dialect))


def test_wrong_password(store: Store, store_settings: Settings) -> None:
    uri, user = store._connection.endpoint.uri, store._connection.endpoint.auth
    if user is None:
        pytest.skip("this server has no authentication")
    wrong = store_settings.store.model_copy(update={"uri": uri, "user": user[0], "password": _secret("SECRET-wrong")})
    with pytest.raises(StoreError) as caught:
        open_store(store_settings.model_copy(update={"store": wrong}))
    assert caught.value.code == "GKB-202"
    assert "SECRET" not in str(caught.value)


def _secret(text: str) -> Any:
    from pydantic import SecretStr

    return SecretStr(text)
