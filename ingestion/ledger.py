"""The ledger of runs: one `Run` node each in the graph, and two files beside the indexes.

``runs/<id>.jsonl`` gets a line for each document when it reaches its end state (keys and states, no text); where
something was rejected, ``runs/<id>.json`` holds the closing report. A run's state is ``running`` until it is closed,
and its counts in the graph follow it. A run that says ``running`` whose process is gone was interrupted: `status` says
so, and the same command resumes, because a document that is whole is skipped by content and pipeline.
"""

from __future__ import annotations

import json
import os
import secrets
import socket
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import structlog

from graphkb import ids
from graphkb.errors import StoreError
from graphkb.model import ReadReport, Rejection
from graphkb.store.disk import on_disk
from graphkb.store.protocol import Store

log = structlog.get_logger()
# the graph's counts of a run are at most so old
SECONDS_BETWEEN_COUNTS = 5.0


def now() -> str:
    """Return the ingestion clock: UTC, ISO 8601, fine enough to order runs that follow each other at once."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


@dataclass(slots=True)
class RunReport:
    """What one run did. ``documents`` counts created, superseded, unchanged and rejected documents."""

    key: str
    command: str
    scope: str
    started: str
    state: str = "running"
    finished: str = ""
    documents: Counter[str] = field(default_factory=Counter)
    read: ReadReport = field(default_factory=ReadReport)
    rejections: list[Rejection] = field(default_factory=list)
    counts: dict[str, Any] = field(default_factory=dict)
    seconds: float = 0.0
    counted: float = field(default_factory=time.monotonic)

    @property
    def partial(self) -> bool:
        """Whether some input was rejected (exit code 3)."""
        return bool(self.rejections) or any(self.read.rejected.values())

    def reject(self, file: str, code: str, reason: str) -> None:
        """Keep why a document could not be prepared."""
        self.rejections.append(Rejection(file, None, code, reason))

    def to_dict(self) -> dict[str, Any]:
        """Return the report as ``ingest --json`` prints it."""
        reasons = [{"file": f, "code": c, "reason": r, "rows": n}
                   for (f, c, r), n in sorted(self.read.reasons.items())]
        return {
            "run": self.key, "command": self.command, "scope": self.scope, "state": self.state,
            "documents": {name: self.documents[name] for name in ("created", "superseded", "unchanged", "rejected")},
            "rows": {"in": dict(sorted(self.read.rows_in.items())), "kept": dict(sorted(self.read.kept.items())),
                     "rejected": dict(sorted(self.read.rejected.items()))},
            "reasons": reasons,
            "rejections": [{"file": r.file, "row": r.row, "code": r.code, "reason": r.reason}
                           for r in [*self.rejections, *self.read.examples]],
            "notes": self.read.notes, "counts": self.counts, "seconds": round(self.seconds, 2),
        }


class Ledger:
    """Opens and closes runs."""

    def __init__(self, store: Store, data_dir: Path) -> None:
        self._store = store
        self._folder = data_dir / "runs"

    def open(self, command: str, scope: str) -> RunReport:
        """Start a run; it is in the graph before the first document is."""
        started = now()
        report = RunReport(ids.run(started, command, secrets.token_hex(8)), command, scope, started)
        self._put(report)
        return report

    def document(self, report: RunReport, key: str, record: str, state: str, code: str = "") -> None:
        """Record that a document reached its end state; what stays as it was is only counted."""
        report.documents[state] += 1
        if state != "unchanged":
            line = {"key": key, "record": record, "state": state} | ({"code": code} if code else {})
            with on_disk(str(self._folder)):
                self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
                with (self._folder / f"{_name(report.key)}.jsonl").open("a", encoding="utf-8") as out:
                    out.write(json.dumps(line, ensure_ascii=True) + "\n")
        if time.monotonic() - report.counted > SECONDS_BETWEEN_COUNTS:
            report.counted = time.monotonic()
            self._put(report)

    def close(self, report: RunReport, state: str) -> None:
        """End a run as ``done``, ``partial``, ``failed`` or ``interrupted``; keep its rejections in a file."""
        report.state, report.finished = state, now()
        self._put(report)
        if report.partial:
            with on_disk(str(self._folder)):
                self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
                path = self._folder / f"{_name(report.key)}.json"
                path.write_text(json.dumps(report.to_dict(), indent=1), encoding="utf-8")

    @contextmanager
    def closing(self, report: RunReport) -> Iterator[None]:
        """Close a run with what becomes of the block: ``done`` or ``partial``, else ``failed`` or ``interrupted``."""
        began = time.monotonic()
        state = "failed"
        try:
            yield
            state = "partial" if report.partial else "done"
        except KeyboardInterrupt:
            state = "interrupted"
            raise
        finally:
            report.seconds = time.monotonic() - began
            try:
                self.close(report, state)
            except StoreError as second:
                if state in ("done", "partial"):
                    raise
                # the run's own error is the one to show
                log.warning("the run's end could not be recorded", run=report.key, code=second.code)

    def _put(self, report: RunReport) -> None:
        properties = {
            "scope": report.scope, "command": report.command, "started": report.started, "finished": report.finished,
            "state": report.state, "pid": os.getpid(), "host": socket.gethostname(),
            **{f"documents_{name}": n for name, n in report.documents.items()},
            "rows_rejected": sum(report.read.rejected.values()),
        }
        self._store.write("put_runs", rows=[{"key": report.key, "properties": properties}])


def _name(run: str) -> str:
    return run.partition(":")[2]


def documents_of(data_dir: Path, run: str) -> Iterator[dict[str, str]]:
    """Yield the documents of a run in the order in which they were done: key, record, state, code of a rejection.

    A line that a kill cut off is left out: its document is whole in the graph or not at all, and the next run says so.
    """
    path = data_dir / "runs" / f"{_name(run)}.jsonl"
    if not path.is_file():
        return
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.endswith("\n"):
                yield json.loads(line)


def latest(store: Store, limit: int = 5) -> list[dict[str, Any]]:
    """Return the latest runs; one that says ``running`` whose process is gone is ``interrupted``."""
    runs = []
    for row in store.read("list_runs", limit=limit):
        run = dict(row["properties"])
        if run.get("state") == "running" and run.get("host") == socket.gethostname() and not _alive(int(run["pid"])):
            run["state"] = "interrupted"
        runs.append(run)
    return runs


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
