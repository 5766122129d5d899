"""The schema goes forward only, and a crash between two of its statements does no harm."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphkb.errors import StoreError
from graphkb.queries.loader import root
from graphkb.store import Store, migrations
from tests.servers import raw


@pytest.fixture
def folder(tmp_path: Path, store: Store) -> Iterator[Path]:
    """A copy of the migrations that may be changed; what a test adds to the graph's record is taken back."""
    shutil.copytree(root() / "migrations", tmp_path / "migrations")
    shutil.copytree(root() / "dialect" / "migrations", tmp_path / "dialect" / "migrations")
    yield tmp_path
    raw(store, "MATCH (m:Meta {key: 'meta:migration:V0005'}) DETACH DELETE m")


def run(store: Store, folder: Path) -> list[str]:
    return migrations.migrate(store, store._connection, store._writer, folder)


def test_a_new_migration_runs_once(store: Store, folder: Path) -> None:
    (folder / "migrations" / "V0005__more.cypher").write_text(
        "// two statements\nMERGE (r:Run {key: 'one', scope: 'x'});\nMERGE (r:Run {key: 'a;b', scope: 'x'});\n")
    assert run(store, folder) == ["V0005__more"]
    assert run(store, folder) == []
    assert raw(store, "MATCH (r:Run) RETURN r.key AS key ORDER BY key") == [{"key": "a;b"}, {"key": "one"}]


def test_a_changed_migration_is_refused(store: Store, folder: Path) -> None:
    path = folder / "migrations" / "V0001__constraints_and_indexes.cypher"
    path.write_text(path.read_text() + "\n// a harmless comment\n")
    with pytest.raises(StoreError) as caught:
        run(store, folder)
    assert caught.value.code == "GKB-209"
    assert "V0001" in str(caught.value)


def test_a_newer_graph_is_refused(store: Store, folder: Path) -> None:
    store.write("record_migration", key="meta:migration:V0005", name="V0005__future", checksum="c")
    with pytest.raises(StoreError) as caught:
        run(store, folder)
    assert caught.value.code == "GKB-210"


def test_a_migration_that_broke_in_the_middle_runs_again(store: Store, folder: Path) -> None:
    path = folder / "migrations" / "V0005__broken.cypher"
    path.write_text("MERGE (r:Run {key: 'one', scope: 'x'});\nMERGE (r:Run {key: 'two' scope: 'x'});\n")
    with pytest.raises(StoreError):
        run(store, folder)
    path.write_text("MERGE (r:Run {key: 'one', scope: 'x'});\nMERGE (r:Run {key: 'two', scope: 'x'});\n")
    assert run(store, folder) == ["V0005__broken"]
    assert raw(store, "MATCH (r:Run) RETURN count(r) AS n") == [{"n": 2}]
