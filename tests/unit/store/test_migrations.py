from __future__ import annotations

from pathlib import Path

import pytest

from graphkb.errors import StoreError
from graphkb.model.predicates import NODE_LABELS
from graphkb.store.migrations import find


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "migrations").mkdir()
    (tmp_path / "dialect" / "migrations").mkdir(parents=True)
    return tmp_path


def test_our_own_cover_every_label() -> None:
    for dialect in ("neo4j", "arcadedb"):
        first, *others = find(dialect)
        assert [m.version for m in (first, *others)] == ["V0001", "V0002", "V0003", "V0004"]
        for label in NODE_LABELS:
            assert sum(f"(n:{label}) REQUIRE n.key IS UNIQUE" in text for text in first.statements) == 1
    neo4j, arcadedb = find("neo4j")[1], find("arcadedb")[1]
    assert (neo4j.language, arcadedb.language) == ("cypher", "sql")
    assert len(neo4j.statements) == 6
    assert len(arcadedb.statements) == 11


def test_statements_end_at_a_line_s_end(folder: Path) -> None:
    (folder / "migrations" / "V0001__a.cypher").write_text("// c;\nRETURN 'a;b' AS x;\n\nRETURN\n  2;")
    (folder / "dialect" / "migrations" / "V0002__b.arcadedb.sql").write_text("-- c\nSELECT 1;\n")
    (folder / "dialect" / "migrations" / "V0002__b.neo4j.cypher").write_text("RETURN 3;\n")
    assert [m.statements for m in find("neo4j", folder)] == [("RETURN 'a;b' AS x", "RETURN\n  2"), ("RETURN 3",)]
    assert [m.statements for m in find("arcadedb", folder)][1] == ("SELECT 1",)
    assert find("neo4j", folder)[1].name == "V0002__b"


@pytest.mark.parametrize("names", [("V0002__a.cypher",), ("V0001__a.cypher", "V0001__b.cypher"), ("V1__a.cypher",),
                                   ("V0001__A.cypher",), ("notes.txt",)])
def test_names_are_strict(folder: Path, names: tuple[str, ...]) -> None:
    for name in names:
        (folder / "migrations" / name).write_text("RETURN 1;\n")
    with pytest.raises(StoreError) as caught:
        find("neo4j", folder)
    assert caught.value.code == "GKB-209"
