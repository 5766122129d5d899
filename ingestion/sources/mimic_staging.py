"""Grouping of table rows by encounter on disk, so that memory stays flat whatever the tables' size.

The staging database is SQLite's private temporary one: its file is unlinked as soon as it is opened, so no patient
data stays behind, not even after a kill. It lies in ``SQLITE_TMPDIR`` or ``TMPDIR`` where one of them is set.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from types import TracebackType

from graphkb.errors import IngestError
from graphkb.model.records import Encounter, Fact, Patient

_SCHEMA = """
PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -32768;
CREATE TABLE patient (subject_id TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE encounter (hadm_id TEXT PRIMARY KEY, subject_id TEXT, value TEXT) WITHOUT ROWID;
CREATE TABLE fact (hadm_id TEXT, subject_id TEXT, part INTEGER, number INTEGER, value TEXT);
CREATE TABLE note (note_id TEXT PRIMARY KEY) WITHOUT ROWID;
"""
_BATCH = 5000
_encode = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode


class Staging:
    """Patients, encounters and facts of one MIMIC folder, on disk. Use it as a context manager."""

    def __init__(self) -> None:
        self._db = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self._db.executescript(_SCHEMA)
        self._db.execute("BEGIN")
        self._facts: list[tuple[str, str, int, int, str]] = []
        # hadm_id -> subject_id: the one thing in memory, bounded by the number of admissions.
        self.subject_of: dict[str, str] = {}
        self.subjects: set[str] = set()

    def __enter__(self) -> Staging:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self._db.close()
        if isinstance(error, sqlite3.OperationalError):
            raise IngestError("GKB-212", where="temporary folder", detail="rows could not be grouped there",
                              hint="free space, or set TMPDIR to a folder that has it") from None

    def add_patient(self, patient: Patient) -> bool:
        """Add a patient; False where it is there already."""
        if patient.subject_id in self.subjects:
            return False
        self.subjects.add(patient.subject_id)
        self._db.execute("INSERT INTO patient VALUES (?, ?)", (patient.subject_id, json.dumps(
            [patient.gender, patient.anchor_age, patient.anchor_year, patient.died])))
        return True

    def add_encounter(self, encounter: Encounter) -> bool:
        """Add an encounter; False where it is there already."""
        if encounter.hadm_id in self.subject_of:
            return False
        self.subject_of[encounter.hadm_id] = encounter.subject_id
        self._db.execute("INSERT INTO encounter VALUES (?, ?, ?)", (encounter.hadm_id, encounter.subject_id, json.dumps(
            [encounter.admitted, encounter.discharged, encounter.type, encounter.disposition])))
        return True

    def add_fact(self, hadm_id: str | None, subject_id: str, part: int, number: int, fact: Fact) -> None:
        """Add a fact of the ``part``-th table; ``number`` is its row."""
        self._facts.append((hadm_id or "", subject_id, part, number, _encode(
            [fact.kind, fact.row, fact.name, fact.vocabulary, fact.code, fact.properties])))
        if len(self._facts) >= _BATCH:
            self._flush()

    def add_note(self, note_id: str) -> bool:
        """Remember a note; False where it is there already."""
        return self._db.execute("INSERT OR IGNORE INTO note VALUES (?)", (note_id,)).rowcount == 1

    def finish(self) -> None:
        """Index the facts, after the last one was added."""
        self._flush()
        self._db.execute("CREATE INDEX by_owner ON fact (hadm_id, subject_id, part, number)")

    def patient(self, subject_id: str) -> Patient:
        """Return a patient that was added."""
        row = self._db.execute("SELECT value FROM patient WHERE subject_id = ?", (subject_id,)).fetchone()
        return Patient(subject_id, *json.loads(row[0]))

    def encounter(self, hadm_id: str) -> Encounter:
        """Return an encounter that was added."""
        row = self._db.execute("SELECT value FROM encounter WHERE hadm_id = ?", (hadm_id,)).fetchone()
        return Encounter(hadm_id, self.subject_of[hadm_id], *json.loads(row[0]))

    def encounters(self) -> list[str]:
        """Return every ``hadm_id`` in the order of the numbers."""
        return sorted(self.subject_of, key=lambda hadm_id: (int(hadm_id), hadm_id))

    def owners_without_encounter(self) -> list[str]:
        """Return every ``subject_id`` that has rows without ``hadm_id``, or no admission at all."""
        with_rows = {row[0] for row in self._db.execute("SELECT DISTINCT subject_id FROM fact WHERE hadm_id = ''")}
        return sorted(with_rows | (self.subjects - set(self.subject_of.values())), key=lambda s: (int(s), s))

    def facts(self, hadm_id: str, subject_id: str) -> Iterator[Fact]:
        """Yield the facts of an encounter, or with ``""`` those of a patient without one, by table and row."""
        for (value,) in self._db.execute("SELECT value FROM fact WHERE hadm_id = ? AND subject_id = ? "
                                         "ORDER BY part, number", (hadm_id, subject_id)):
            yield Fact(*json.loads(value))

    def _flush(self) -> None:
        self._db.executemany("INSERT INTO fact VALUES (?, ?, ?, ?, ?)", self._facts)
        self._facts.clear()
