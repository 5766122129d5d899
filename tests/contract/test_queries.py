"""Every query file runs on every store."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from graphkb.errors import GraphKBError
from graphkb.queries import Query, load
from graphkb.queries.loader import DIALECTS, root
from graphkb.store import Store

LIBRARY = load("neo4j")
VALUES: dict[str, Any] = {"limit": 5, "fetch": 200, "k": 5, "vector": [1.0] + [0.0] * 383, "query": '"bone"'}
_LIST = re.compile(r"(?:\bIN|\bUNWIND|\bsize\()\s*\$(\w+)")


def harmless(query: Query) -> dict[str, Any]:
    """Parameters of the right kind that match nothing."""
    fallback: dict[str, Any] = {name: [] for name in _LIST.findall(query.text)} | {"properties": {}, "values": {}}
    return {name: VALUES.get(name, fallback.get(name, "none")) for name in query.params}


@pytest.mark.parametrize("kind_of_run", ["EXPLAIN ", ""])
def test_every_query_file(store: Store, kind_of_run: str) -> None:
    """Planned, then run with parameters that match nothing; errors are gathered, so that one run names all."""
    failed = {}
    for query in store.library:
        try:
            with store._connection.session("WRITE", query.name) as (session, guard), session.begin_transaction() as tx:
                tx.run(kind_of_run + query.text, harmless(query)).consume()
                guard.disarm()
                tx.rollback()
        except GraphKBError as error:
            failed[query.name] = str(error)
    assert failed == {}
    assert len(store.library) > 20


def test_dialect_files_are_few() -> None:
    """What differs between servers is counted: raise a number here only with a reason in docs/stores.md."""
    folder = root() / "dialect"
    found = {dialect: len(list((folder / dialect).rglob("*.cypher"))) for dialect in DIALECTS}
    assert found == {"arcadedb": 0, "neo4j": 0}
    assert sorted(path.name for path in Path(folder / "migrations").iterdir()) == [
        "V0002__search_indexes.arcadedb.sql", "V0002__search_indexes.neo4j.cypher"]


def test_both_dialects_have_the_same_queries() -> None:
    assert {query.name for query in load("arcadedb")} == {query.name for query in LIBRARY}
