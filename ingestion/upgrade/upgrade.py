"""The three operations of an upgrade: look, apply, take back. Each is finished by the same command after a kill."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphkb import ids
from graphkb.config import Settings
from graphkb.errors import IngestError
from graphkb.model.records import ReadReport
from graphkb.store.protocol import Store
from ingestion.pipeline import Progress, quiet
from ingestion.sources.umls import RrfReader
from ingestion.upgrade.difference import Difference
from ingestion.upgrade.history import releases
from ingestion.upgrade.plan import Plan
from ingestion.upgrade.spool import ReleaseSpool
from ingestion.upgrade.state import Journal, UpgradeState, generation, unfinished
from ingestion.upgrade.steps import UNDONE_AFTER_LINKING, Steps, undo_step
from ingestion.vocabulary import put_release, taken

MOST_KEYS = 100
Refresh = Callable[[], None]


@dataclass(frozen=True, slots=True)
class _Release:
    """The new release's folder as it was read."""

    spool: ReleaseSpool
    name: str
    date: str
    folder: str


@contextmanager
def _opened(settings: Settings, folder: Path, release: str | None, report: ReadReport,
            progress: Progress) -> Iterator[_Release]:
    reader = RrfReader(folder, report, taken(settings))
    with ReleaseSpool() as spool:
        spool.fill(reader, progress)
        name = spool.release if release is None else release
        counts = ",".join(f"{what}={n}" for what, n in sorted(spool.counts.items()))
        yield _Release(spool, name, spool.date_of(name), counts)


def _present(store: Store, state: UpgradeState | None) -> str:
    """Return the release that the graph is at, or was at before the upgrade that is under way."""
    if state is not None and not state.finished:
        return state.present
    return next(iter(releases(store)), "")


def _newer(name: str, present: str) -> None:
    if not name or name <= present:
        raise IngestError("GKB-620", where=f"release {name or '(no name)'}",
                          detail=f"the graph is at {present or '(no name)'}")


def _compared(store: Store, settings: Settings, new: _Release, plan: Plan, progress: Progress) -> dict[str, Any]:
    Difference(store, new.spool, new.name, settings.ingest.languages, plan).take(progress)
    return plan.report(MOST_KEYS)


def _shown(state: str, new: str, present: str, plan: dict[str, Any]) -> dict[str, Any]:
    return {"state": state, "release": new, "present": present, **plan}


def dry_run(store: Store, settings: Settings, folder: Path, *, release: str | None = None,
            report: ReadReport | None = None, progress: Progress = quiet) -> dict[str, Any]:
    """Say what a new release would change; write nothing.

    While the same upgrade is unfinished the report says what is left to do.

    Raises
    ------
    IngestError
        GKB-620 (the release is not newer), GKB-621 (another upgrade is unfinished).
    InputError
        The folder cannot be read.
    """
    state = UpgradeState.read(store)
    with _opened(settings, folder, release, report or ReadReport(), progress) as new, Plan() as plan:
        if state is not None and not state.finished and (state.release != new.name or state.state == "undoing"):
            raise unfinished(state)
        present = _present(store, state)
        _newer(new.name, present)
        return _shown("dry run", new.name, present, _compared(store, settings, new, plan, progress))


def apply_release(store: Store, settings: Settings, folder: Path, refresh: Refresh, *, release: str | None = None,
                  report: ReadReport | None = None, progress: Progress = quiet) -> dict[str, Any]:
    """Bring the graph to a new release, or go on with it where that was begun; then link again what it touches.

    Parameters
    ----------
    refresh : callable
        Brings links and indexes up to the graph.

    Raises
    ------
    IngestError
        GKB-620 (the release is not newer), GKB-621 (another upgrade is unfinished), GKB-622 (this upgrade was begun
        with another folder).
    InputError
        The folder cannot be read: nothing was written.
    """
    with _opened(settings, folder, release, report or ReadReport(), progress) as new:
        state = UpgradeState.read(store)
        if state is not None and state.finished and state.release == new.name:
            refresh()
            return _shown("applied", state.release, state.present, state.plan)
        journal = _begun(store, state, new)
        if journal.state.state == "applying":
            _write(store, settings, new, journal, progress)
        refresh()
        journal.move("applied", generation=generation(store))
        return _shown("applied", new.name, journal.state.present, journal.state.plan)


def _begun(store: Store, state: UpgradeState | None, new: _Release) -> Journal:
    if state is not None and not state.finished:
        if state.release != new.name or state.state == "undoing":
            raise unfinished(state)
        if state.folder != new.folder:
            raise IngestError("GKB-622", where=f"release {new.name}")
    else:
        present = _present(store, state)
        _newer(new.name, present)
        if state is not None:
            earlier = Journal(store, state)
            earlier.take_over()
            earlier.forget()
        state = UpgradeState(new.name, present, "applying", folder=new.folder)
    journal = Journal(store, state)
    journal.take_over()
    return journal


def _write(store: Store, settings: Settings, new: _Release, journal: Journal, progress: Progress) -> None:
    with Plan() as plan:
        report = _compared(store, settings, new, plan, progress)
        if not journal.state.plan:
            journal.move("applying", plan=report)
        Steps(journal, plan, new.name).run(progress)
    put_release(store, new.name, new.date)
    journal.move("relinking")


def roll_back(store: Store, refresh: Refresh, progress: Progress = quiet) -> dict[str, Any]:
    """Take the last upgrade back, whole or half applied, and link again what it had touched.

    Raises
    ------
    IngestError
        GKB-623 (there is no upgrade), GKB-624 (the vocabulary was changed after it).
    """
    state = UpgradeState.read(store)
    if state is None:
        raise IngestError("GKB-623")
    if state.finished and state.generation != generation(store):
        raise IngestError("GKB-624", where=f"release {state.release}")
    journal = Journal(store, state)
    journal.take_over()
    journal.move("undoing")
    total = state.entries
    while journal.undo(undo_step, stop=UNDONE_AFTER_LINKING):
        progress("undone", total - journal.state.entries, total)
    store.write("delete_meta", keys=[ids.meta(f"release:{state.release}")])
    refresh()  # nothing refers to the release's own concepts any more: now they can go
    while journal.undo(undo_step):
        progress("undone", total - journal.state.entries, total)
    refresh()
    store.write("delete_meta", keys=[ids.meta("upgrade")])
    return {"state": "taken back", "release": state.release, "present": state.present, **state.plan}


