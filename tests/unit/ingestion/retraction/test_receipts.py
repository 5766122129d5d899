"""The chain of receipts, and the files that are cleaned."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from graphkb import ids
from graphkb.store.protocol import Counters
from ingestion.retraction import Plan, Receipt, Targets, pending, receipts, verify
from ingestion.retraction.files import documents_named, files_of_document, purge_ledger, remove_files
from ingestion.retraction.receipts import write

KEYS = [f"doc:{n:032x}" for n in range(3)]


class Store:
    """Keeps one Meta node."""

    def __init__(self) -> None:
        self.head: dict[str, Any] | None = None

    def read(self, name: str, **_: Any) -> list[dict[str, Any]]:
        return [{"properties": self.head}] if self.head else []

    def write(self, name: str, *, key: str, properties: dict[str, Any]) -> Counters:
        assert (name, key) == ("put_meta", ids.meta("receipts"))
        self.head = properties
        return Counters()


def receipt(run: str) -> Receipt:
    return Receipt(0, f"run:{run}", "remove", "t", "w", "local", "r", [], [], {}, {"residue_chunks": 0})


@pytest.fixture
def chain(tmp_path: Path) -> tuple[Any, Path]:
    store: Any = Store()
    for run in ("aa", "bb", "cc"):
        write(store, tmp_path, receipt(run))
    return store, tmp_path


def test_receipts_follow_each_other(chain: tuple[Any, Path]) -> None:
    store, folder = chain
    assert [one["number"] for one in receipts(folder)] == [1, 2, 3]
    assert verify(store, folder) == []
    again = write(store, folder, receipt("bb"))
    assert (again.number, len(receipts(folder))) == (2, 3), "a run has one receipt, however often it is finished"
    for path in (folder / "receipts").iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("which", ["0001-aa", "0002-bb", "0003-cc"])
@pytest.mark.parametrize("how", ["changed", "removed", "emptied"])
def test_any_change_shows(chain: tuple[Any, Path], which: str, how: str) -> None:
    store, folder = chain
    path = folder / "receipts" / f"{which}.json"
    if how == "removed":
        path.unlink()
    else:
        path.write_text("" if how == "emptied" else path.read_text().replace('"reason": "r"', '"reason": "s"'))
    assert verify(store, folder) != []


def test_a_plan_is_whole_and_read_again(tmp_path: Path) -> None:
    targets = Targets(documents=("a", "b", "a"))
    rows = [{"key": key, "scope": "local", "paths": ["/x", None]} for key in (*KEYS, KEYS[0])]
    plan = Plan.write(tmp_path, targets.digest("remove", ["local"]), {"run": "run:1"}, rows)
    assert [one["key"] for one in plan.documents()] == KEYS
    (again,) = pending(tmp_path, Targets(documents=("b", "a")).digest("remove", ["local"]))
    assert (again.run, again.path) == ("run:1", plan.path)
    assert stat.S_IMODE(plan.path.stat().st_mode) == 0o600
    assert pending(tmp_path, targets.digest("mark", ["local"])) == []
    plan.close()
    assert pending(tmp_path) == []


def test_files_of_removed_documents_go(tmp_path: Path) -> None:
    (tmp_path / "files" / "pages").mkdir(parents=True)
    mine, other = (tmp_path / "files" / "pages" / f"{key[4:]}.json" for key in KEYS[:2])
    for path in (mine, other):
        path.write_text("x")
    assert list(files_of_document(tmp_path, KEYS[0])) == [mine]
    assert remove_files(tmp_path, [KEYS[0]]) == 1
    assert (mine.exists(), other.exists()) == (False, True)


def test_lines_of_the_ledger_go(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    runs.mkdir()
    (runs / "1.jsonl").write_text("".join(json.dumps({"key": key, "record": "r", "state": "created"}) + "\n"
                                          for key in KEYS[:2]))
    (runs / "1.json").write_text(json.dumps({
        "rejections": [{"file": "/a"}, {"file": "/b"}], "reasons": [{"file": "/a"}],
        "rows": {"in": {"/a": 1, "/b": 2}}}))
    assert documents_named(tmp_path, {KEYS[0]}) == ["runs/1.jsonl"]
    assert purge_ledger(tmp_path, {KEYS[0]}, {"/a"}) == 2
    assert documents_named(tmp_path, {KEYS[0]}) == []
    assert [json.loads(line)["key"] for line in (runs / "1.jsonl").read_text().splitlines()] == [KEYS[1]]
    left = json.loads((runs / "1.json").read_text())
    assert left == {"rejections": [{"file": "/b"}], "reasons": [], "rows": {"in": {"/b": 2}}}
    assert purge_ledger(tmp_path, {KEYS[2]}, set()) == 0
