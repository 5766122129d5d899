"""The ledger: a run's states, its file of rejections, and what a killed run looks like."""

from __future__ import annotations

import errno
import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from graphkb.errors import InputError, StoreError, StoreUnavailable
from ingestion.ledger import Ledger, RunReport, documents_of, latest


class Runs:
    """Keeps `Run` nodes."""

    def __init__(self) -> None:
        self.rows: dict[str, dict[str, Any]] = {}
        self.down = False

    def write(self, name: str, *, rows: list[dict[str, Any]]) -> None:
        assert name == "put_runs"
        if self.down:
            raise StoreUnavailable("GKB-201")
        for row in rows:
            self.rows.setdefault(row["key"], {}).update(row["properties"])

    def read(self, name: str, *, limit: int) -> list[dict[str, Any]]:
        assert name == "list_runs"
        return [{"properties": dict(row)} for row in self.rows.values()][:limit]


@pytest.fixture
def runs() -> Any:
    return Runs()


def only(runs: Runs) -> dict[str, Any]:
    (run,) = runs.rows.values()
    return run


def test_a_run_is_there_before_it_does_anything(runs: Any, tmp_path: Path) -> None:
    ledger = Ledger(runs, tmp_path)
    report = ledger.open("ingest text", "local")
    assert only(runs)["state"] == "running"
    assert (only(runs)["pid"], only(runs)["host"]) == (os.getpid(), socket.gethostname())
    assert only(runs)["finished"] == ""
    with ledger.closing(report):
        report.documents["created"] += 2
        assert only(runs)["state"] == "running"
    assert (only(runs)["state"], only(runs)["documents_created"]) == ("done", 2)
    assert only(runs)["finished"] >= only(runs)["started"]
    assert list(tmp_path.iterdir()) == []
    assert ledger.open("ingest text", "local").key != report.key


def test_rejections_are_kept_in_a_file(runs: Any, tmp_path: Path) -> None:
    ledger = Ledger(runs, tmp_path)
    report = ledger.open("ingest text", "local")
    with ledger.closing(report):
        ledger.document(report, "doc:a", "a", "rejected", "GKB-410")
        report.reject("a.txt", "GKB-410", "9 bytes")
        report.read.reject("b.csv", 7, "GKB-406", "2 fields")
    assert (only(runs)["state"], only(runs)["rows_rejected"]) == ("partial", 1)
    (path,) = (tmp_path / "runs").glob("*.json")
    kept = json.loads(path.read_text())
    assert [(r["file"], r["row"], r["code"]) for r in kept["rejections"]] == [
        ("a.txt", None, "GKB-410"), ("b.csv", 7, "GKB-406")]
    assert kept["documents"]["rejected"] == 1


def test_each_document_has_its_state(runs: Any, tmp_path: Path) -> None:
    """While the run is on, too; a line that a kill cut off is no document."""
    ledger = Ledger(runs, tmp_path)
    report = ledger.open("ingest text", "local")
    report.counted -= 60
    ledger.document(report, "doc:a", "a", "created")
    assert (only(runs)["state"], only(runs)["documents_created"]) == ("running", 1)
    ledger.document(report, "doc:b", "b", "unchanged")
    ledger.document(report, "doc:c", "c", "rejected", "GKB-408")
    (path,) = (tmp_path / "runs").glob("*.jsonl")
    with path.open("a") as out:
        out.write('{"key": "doc:d", "rec')
    assert list(documents_of(tmp_path, report.key)) == [
        {"key": "doc:a", "record": "a", "state": "created"},
        {"key": "doc:c", "record": "c", "state": "rejected", "code": "GKB-408"}]
    assert report.documents == {"created": 1, "unchanged": 1, "rejected": 1}
    assert list(documents_of(tmp_path, "run:none")) == []


@pytest.mark.parametrize(("error", "state"), [
    (InputError("GKB-401"), "failed"), (OSError(errno.EIO, "x"), "failed"), (KeyboardInterrupt(), "interrupted")])
def test_an_error_closes_the_run_and_goes_on(runs: Any, tmp_path: Path, error: BaseException, state: str) -> None:
    ledger = Ledger(runs, tmp_path)
    with pytest.raises(type(error)), ledger.closing(ledger.open("ingest text", "local")):
        raise error
    assert only(runs)["state"] == state


def test_the_first_error_is_the_one_to_show(runs: Any, tmp_path: Path) -> None:
    ledger = Ledger(runs, tmp_path)
    report = ledger.open("ingest text", "local")
    runs.down = True
    with pytest.raises(InputError), ledger.closing(report):
        raise InputError("GKB-401")
    assert only(runs)["state"] == "running"


def test_a_full_disk_is_coded(runs: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = Ledger(runs, tmp_path)
    report = ledger.open("ingest text", "local")
    report.reject("a.txt", "GKB-410", "9 bytes")

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(StoreError) as caught:
        ledger.close(report, "partial")
    assert (caught.value.code, caught.value.detail) == ("GKB-212", "ENOSPC")


def test_a_run_whose_process_is_gone_was_interrupted(runs: Any) -> None:
    child = subprocess.Popen([sys.executable, "-c", "pass"])
    child.wait()
    here = socket.gethostname()
    for key, pid, host in (("dead", child.pid, here), ("alive", os.getpid(), here), ("elsewhere", child.pid, "other")):
        runs.rows[key] = {"state": "running", "pid": pid, "host": host}
    runs.rows["done"] = {"state": "done", "pid": child.pid, "host": here}
    assert [run["state"] for run in latest(runs)] == ["interrupted", "running", "running", "done"]


def test_the_report_as_json_has_every_count() -> None:
    report = RunReport("run:1", "ingest text", "local", "2026-01-01T00:00:00+00:00")
    assert report.to_dict()["documents"] == {"created": 0, "superseded": 0, "unchanged": 0, "rejected": 0}
    assert not report.partial
