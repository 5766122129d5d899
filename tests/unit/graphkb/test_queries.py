"""The query loader refuses what is not well formed, and the query files are."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphkb import queries
from graphkb.errors import QueryError
from graphkb.model.predicates import CLOSED_SETS

GOOD = ("// name: {name}\n// what: Something.\n// mode: read\n// params: scopes\n// scope: bound\n"
        "MATCH (n:Chunk) WHERE n.scope IN $scopes RETURN n.key AS key\n")


def library(tmp_path: Path, files: dict[str, str]) -> queries.Library:
    for folder in ("read", "write", "retrieve", "maintain", "dialect/neo4j", "dialect/arcadedb"):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    return queries.load("neo4j", tmp_path)


def test_a_good_file_loads(tmp_path: Path) -> None:
    query = library(tmp_path, {"read/list_things.cypher": GOOD.format(name="list_things")})["list_things"]
    assert (query.mode, query.params, query.scope_bound) == ("read", ("scopes",), True)


@pytest.mark.parametrize(("change", "code"), [
    (("// what: Something.\n", ""), "GKB-301"),
    (("name: list_things", "name: list_other"), "GKB-301"),
    (("mode: read", "mode: reading"), "GKB-301"),
    (("RETURN n.key AS key", "SET n.x = 1"), "GKB-301"),
    (("RETURN n.key AS key", "RETURN n.key AS key;"), "GKB-301"),
    (("params: scopes", "params: scopes, k"), "GKB-303"),
    (("$scopes RETURN", "$scopes AND n.key = $key RETURN"), "GKB-303"),
    (("scope: bound", "scope: free"), "GKB-305"),
    (("// name: list_things\n", "// name: list_things\n// name: list_things\n"), "GKB-301"),
    (("// mode: read\n", "// mode: read\n// colour: red\n"), "GKB-301"),
])
def test_a_bad_file_is_refused(tmp_path: Path, change: tuple[str, str], code: str) -> None:
    content = GOOD.format(name="list_things").replace(*change)
    with pytest.raises(QueryError) as caught:
        library(tmp_path, {"read/list_things.cypher": content})
    assert caught.value.code == code


def test_a_read_query_that_does_not_bind_the_scope_is_refused(tmp_path: Path) -> None:
    content = GOOD.format(name="list_things").replace("n.scope IN $scopes", "n.key = $key").replace(
        "params: scopes", "params: key")
    with pytest.raises(QueryError, match="GKB-305"):
        library(tmp_path, {"read/list_things.cypher": content})


def test_parameters_in_strings_and_comments_do_not_count(tmp_path: Path) -> None:
    content = GOOD.format(name="list_things").replace("RETURN", "AND n.x <> '$no' // $neither\nRETURN")
    assert library(tmp_path, {"read/list_things.cypher": content})["list_things"].params == ("scopes",)


def test_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(QueryError, match="GKB-304"):
        library(tmp_path, {f"{folder}/list_things.cypher": GOOD.format(name="list_things")
                           for folder in ("read", "retrieve")})


def test_a_dialect_replaces_only_with_the_same_parameters(tmp_path: Path) -> None:
    common = GOOD.format(name="list_things")
    loaded = library(tmp_path, {"read/list_things.cypher": common,
                                "dialect/neo4j/list_things.cypher": common.replace("key AS key", "key AS k")})
    assert loaded["list_things"].dialect == "neo4j"
    with pytest.raises(QueryError, match="GKB-303"):
        library(tmp_path, {"dialect/neo4j/list_things.cypher": common.replace(
            "params: scopes", "params: k, scopes").replace("RETURN", "AND n.k = $k RETURN")})


def test_each_expands_over_a_closed_set(tmp_path: Path) -> None:
    content = GOOD.format(name="list_edges").replace("// scope", "// each: fact_type\n// scope").replace(
        "(n:Chunk)", "(n)-[:EACH_TYPE]->()")
    loaded = library(tmp_path, {"read/list_edges.cypher": content})
    assert [query.name for query in loaded] == sorted(f"list_edges_{t.lower()}" for t in CLOSED_SETS["fact_type"])
    assert "[:PRESCRIBED]" in loaded["list_edges_prescribed"].text


def test_an_unknown_name_and_wrong_parameters_are_errors(tmp_path: Path) -> None:
    loaded = library(tmp_path, {"read/list_things.cypher": GOOD.format(name="list_things")})
    with pytest.raises(QueryError, match="GKB-302"):
        loaded["nothing"]
    with pytest.raises(QueryError, match="GKB-303"):
        loaded["list_things"].check({"scope": 1})


@pytest.mark.parametrize("dialect", ["neo4j", "arcadedb"])
def test_the_real_files_are_well_formed(dialect: str) -> None:
    loaded = queries.load(dialect)
    assert len(loaded) > 100
    assert [query.name for query in loaded] == sorted(query.name for query in loaded)


def test_at_most_sixteen_relation_types() -> None:
    assert len(CLOSED_SETS["relation_type"]) <= 16
    assert len(set(CLOSED_SETS["content_relationship"])) == len(CLOSED_SETS["content_relationship"])
