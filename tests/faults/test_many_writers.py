"""Sixteen writers of the same thousand concepts: exact counts, no error, in one process and in two."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphkb.store import Store, embedded, open_store
from tests.helpers import many_writers as m
from tests.servers import raw, wipe

SCRIPT = Path(m.__file__)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Store]]:
    folder = tmp_path_factory.mktemp("writers") / "kb"
    store = open_store(m.settings(folder))
    store.migrate()
    yield folder, store
    store.close()
    embedded.stop(m.settings(folder))


def rounds(place: tuple[Path, Store], many: int) -> None:
    folder, store = place
    wipe(store)
    for number in range(many):
        command = [sys.executable, str(SCRIPT), str(folder), str(number), "8", "16"]
        other = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        mine = m.write(store, number, range(8))
        out, err = other.communicate(timeout=250)
        assert other.returncode == 0, err
        assert mine == ["created"] * 8
        assert out.strip() == str(["created"] * 8)
        concepts = raw(store, "MATCH (c:Concept) RETURN count(c) AS n, count(DISTINCT c.key) AS k")
        assert concepts == [{"n": m.CONCEPTS, "k": m.CONCEPTS}]
        facts = raw(store, "MATCH (e:Encounter) MATCH (e)-[f:PRESCRIBED]->(c:Concept) "
                           "RETURN count(f) AS n, count(DISTINCT f.key) AS k")
        assert facts == [{"n": 16 * m.CONCEPTS * (number + 1), "k": 16 * m.CONCEPTS * (number + 1)}]
    assert raw(store, "MATCH (p:Patient) RETURN count(p) AS n") == [{"n": 16}]


def test_two_processes_with_eight_threads_each(place: tuple[Path, Store]) -> None:
    rounds(place, 1)


@pytest.mark.full
@pytest.mark.timeout(3000)
def test_twenty_rounds(place: tuple[Path, Store]) -> None:
    rounds(place, 20)
