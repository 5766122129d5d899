"""Grouping of table rows by encounter on disk, so that memory stays flat whatever the tables' size.

The staging database is SQLite's private temporary one: its file is unlinked as soon as it is opened, so no patient
data stays behind, not even after a kill. It lies in ``SQLITE_TMPDIR`` or ``TMPDIR`` where one of them is set.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any, NamedTuple

from graphkb.errors import IngestError
from graphkb.model.records import Encounter, Patient
from ingestion.sources.mimic.groups import Bits, Group, Sample

_SCHEMA = """
PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536;
CREATE TABLE patient (subject_id TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE encounter (hadm_id TEXT PRIMARY KEY, subject_id TEXT, value TEXT) WITHOUT ROWID;
CREATE TABLE entry (hadm_id TEXT, subject_id TEXT, part INTEGER, grp TEXT, number INTEGER, value TEXT);
CREATE TABLE link (part INTEGER, id TEXT, hadm_id TEXT, subject_id TEXT, number INTEGER, value TEXT,
                   PRIMARY KEY (part, id)) WITHOUT ROWID;
CREATE TABLE seen (part INTEGER, key TEXT, PRIMARY KEY (part, key)) WITHOUT ROWID;
CREATE TABLE note (note_id TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE detail (note_id TEXT, part INTEGER, number INTEGER, name TEXT, value TEXT);
"""
_BATCH = 5000
# groups in memory before they are written as parts; the tables are sorted by patient, so few groups have two parts
_GROUPS = 50_000
_encode = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode


class Owner(NamedTuple):
    """Whose a row is: a patient's encounter, or with ``hadm_id`` "" the patient's alone."""

    subject_id: str
    hadm_id: str = ""


class Entry(NamedTuple):
    """A row, or a part of a group, of an owner."""

    part: int
    group: str
    number: int
    value: Any


class Staging:
    """Everything of one MIMIC folder on disk, by owner. Use it as a context manager."""

    def __init__(self) -> None:
        self._db = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self._db.executescript(_SCHEMA)
        self._db.execute("BEGIN")
        self._entries: list[tuple[str, str, int, str, int, str]] = []
        self._groups: dict[tuple[Owner, int, str], Group] = {}
        self._ids: dict[int, Bits] = {}
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

    # -- people -------------------------------------------------------------------------------------------------

    def add_patient(self, patient: Patient) -> bool:
        """Add a patient; False where it is there already."""
        if patient.subject_id in self.subjects:
            return False
        self.subjects.add(patient.subject_id)
        self._db.execute("INSERT INTO patient VALUES (?, ?)", (patient.subject_id, json.dumps(
            [patient.gender, patient.anchor_age, patient.anchor_year, patient.died])))
        return True

    def add_encounter(self, encounter: Encounter, more: dict[str, str]) -> bool:
        """Add an encounter with what else its row says; False where it is there already."""
        if encounter.hadm_id in self.subject_of:
            return False
        self.subject_of[encounter.hadm_id] = encounter.subject_id
        self._db.execute("INSERT INTO encounter VALUES (?, ?, ?)", (encounter.hadm_id, encounter.subject_id, _encode(
            [[encounter.admitted, encounter.discharged, encounter.type, encounter.disposition], more])))
        return True

    def patient(self, subject_id: str) -> Patient:
        """Return a patient that was added."""
        row = self._db.execute("SELECT value FROM patient WHERE subject_id = ?", (subject_id,)).fetchone()
        return Patient(subject_id, *json.loads(row[0]))

    def encounter(self, hadm_id: str) -> tuple[Encounter, dict[str, str]]:
        """Return an encounter that was added, and what else its row says."""
        row = self._db.execute("SELECT value FROM encounter WHERE hadm_id = ?", (hadm_id,)).fetchone()
        values, more = json.loads(row[0])
        return Encounter(hadm_id, self.subject_of[hadm_id], *values), more

    def encounters(self) -> list[str]:
        """Return every ``hadm_id`` in the order of the numbers."""
        return sorted(self.subject_of, key=lambda hadm_id: (int(hadm_id), hadm_id))

    def owners_without_encounter(self) -> list[str]:
        """Return every ``subject_id`` that has rows without ``hadm_id``, or no admission at all."""
        with_rows = {row[0] for row in self._db.execute("SELECT DISTINCT subject_id FROM entry WHERE hadm_id = ''")}
        return sorted(with_rows | (self.subjects - set(self.subject_of.values())), key=lambda s: (int(s), s))

    # -- rows ---------------------------------------------------------------------------------------------------

    def unique(self, part: int, key: Sequence[str]) -> bool:
        """Remember a row's primary key; False where it was there. A key with an empty field is none."""
        if not all(key):
            return True
        if len(key) == 1 and key[0].isascii() and key[0].isdigit() and len(key[0]) <= 12:
            return self._ids.setdefault(part, Bits()).add(int(key[0]))
        return self._db.execute("INSERT OR IGNORE INTO seen VALUES (?, ?)", (part, "\x1f".join(key))).rowcount == 1

    def add(self, owner: Owner, part: int, number: int, value: Any, group: str = "") -> None:
        """Add a row of the ``part``-th table."""
        self._entries.append((owner.hadm_id, owner.subject_id, part, group, number, _encode(value)))
        if len(self._entries) >= _BATCH:
            self._flush()

    def group(self, owner: Owner, part: int, group: str) -> Group:
        """Return the group, or its current part, to add to at once."""
        found = self._groups.get((owner, part, group))
        if found is None:
            if len(self._groups) >= _GROUPS:
                self._flush_groups()
            found = self._groups[owner, part, group] = Group()
        return found

    def sample(self, owner: Owner, part: int, number: int, sample: Sample) -> None:
        """Add a row to its group."""
        self.group(owner, part, sample.group).add(number, sample)

    def discard(self, part: int) -> None:
        """Take out everything of a table."""
        self._flush()
        self._flush_groups()
        for table in ("entry", "link", "detail"):
            self._db.execute(f"DELETE FROM {table} WHERE part = ?", (part,))  # noqa: S608 - three fixed names

    def finish(self) -> None:
        """Index the rows, after the last one was added."""
        self._flush_groups()
        self._flush()
        self._db.execute("CREATE INDEX by_owner ON entry (hadm_id, subject_id, part, grp, number)")
        self._db.execute("CREATE INDEX by_note ON detail (note_id, part, number)")

    def entries(self, owner: Owner) -> Iterator[Entry]:
        """Yield what was added for an owner, by table, group and row."""
        for part, group, number, value in self._db.execute(
                "SELECT part, grp, number, value FROM entry WHERE hadm_id = ? AND subject_id = ? "
                "ORDER BY part, grp, number", (owner.hadm_id, owner.subject_id)):
            yield Entry(part, group, number, json.loads(value))

    # -- rows that others refer to --------------------------------------------------------------------------------

    def add_link(self, part: int, id_: str, owner: Owner, number: int, value: Any) -> None:
        """Keep a row that rows of other tables name by its id."""
        self._db.execute("INSERT OR IGNORE INTO link VALUES (?, ?, ?, ?, ?, ?)",
                         (part, id_, owner.hadm_id, owner.subject_id, number, _encode(value)))

    def link(self, part: int, id_: str) -> tuple[Owner, Any] | None:
        """Return the owner and the content of a row by its id."""
        row = self._db.execute("SELECT subject_id, hadm_id, value FROM link WHERE part = ? AND id = ?",
                               (part, id_)).fetchone()
        return (Owner(row[0], row[1]), json.loads(row[2])) if row else None

    def links(self, part: int) -> Iterator[tuple[str, Owner, int, Any]]:
        """Yield all rows of a table that was kept by id."""
        for row in self._db.execute("SELECT id, subject_id, hadm_id, number, value FROM link WHERE part = ? "
                                    "ORDER BY id", (part,)):
            yield row[0], Owner(row[1], row[2]), row[3], json.loads(row[4])

    # -- notes --------------------------------------------------------------------------------------------------

    def add_note(self, note_id: str) -> bool:
        """Remember a note; False where it is there already."""
        return self._db.execute("INSERT OR IGNORE INTO note VALUES (?)", (note_id,)).rowcount == 1

    def add_detail(self, part: int, number: int, note_id: str, name: str, value: str) -> None:
        """Keep a row of a note's details."""
        self._db.execute("INSERT INTO detail VALUES (?, ?, ?, ?, ?)", (note_id, part, number, name, value))

    def details(self, note_id: str) -> dict[str, str]:
        """Return a note's details; several values of one name are joined."""
        found: dict[str, list[str]] = {}
        for name, value in self._db.execute("SELECT name, value FROM detail WHERE note_id = ? ORDER BY part, number",
                                            (note_id,)):
            found.setdefault(name, []).append(value)
        return {name: "; ".join(dict.fromkeys(values)) for name, values in found.items()}

    def loose_details(self, part: int) -> Iterator[int]:
        """Yield the rows of details whose note was not taken."""
        for (number,) in self._db.execute("SELECT number FROM detail WHERE part = ? AND note_id NOT IN "
                                          "(SELECT note_id FROM note) ORDER BY number", (part,)):
            yield number

    def _flush(self) -> None:
        self._db.executemany("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?)", self._entries)
        self._entries.clear()

    def _flush_groups(self) -> None:
        for number, ((owner, part, name), group) in enumerate(self._groups.items()):
            self.add(owner, part, number, group.state(), name)
        self._groups.clear()
