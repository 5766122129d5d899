"""MIMIC-IV tables and MIMIC-IV-Note discharge summaries.

The folder has the tables in ``hosp/`` (or in itself), each ``.csv`` or ``.csv.gz``; the ICD dictionaries may lie in
``derived/`` instead; notes are ``note/discharge.csv`` (or ``.csv.gz``), or the file that is named.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from graphkb.errors import InputError
from graphkb.model.records import Fact, Patient, ReadReport, SourceDocument, SourceInfo
from ingestion import sections
from ingestion.sources import files
from ingestion.sources import mimic_tables as tables
from ingestion.sources.mimic_staging import Staging


class CodeTitle(NamedTuple):
    """What a MIMIC dictionary calls an ICD code. ``version`` is MIMIC's ``icd_version``, "9" or "10"."""

    vocabulary: str
    code: str
    version: str
    title: str


class MimicSource:
    """A MIMIC-IV folder and its notes.

    Documents come in a fixed order: one of kind ``table`` per admission (record ``subject:<id>/hadm:<id>``, no text)
    with its facts; one per patient who has rows without ``hadm_id`` or no admission (``subject:<id>``); one of kind
    ``note`` per discharge summary, in the file's order (record and title are its ``note_id``). None has a path: a
    table's file is not one document.

    Parameters
    ----------
    folder : Path
        The MIMIC-IV folder.
    notes : Path, optional
        The discharge notes, where they are not in ``note/``.
    lab_events : bool
        Take ``labevents`` too.
    version, licence : str
        Recorded with the sources ``mimic-iv`` and ``mimic-iv-note``; the files do not say them.
    """

    name = "mimic"

    def __init__(self, folder: Path, notes: Path | None = None, *, lab_events: bool = False, version: str = "",
                 licence: str = "") -> None:
        self.folder = Path(folder)
        self.notes = Path(notes) if notes is not None else None
        self.lab_events = lab_events
        self.source = SourceInfo("mimic-iv", version, licence)
        self.note_source = SourceInfo("mimic-iv-note", version, licence)
        self._codes: dict[str, set[tuple[str, str]]] = {"diagnosis": set(), "procedure": set()}

    def documents(self, report: ReadReport) -> Iterator[SourceDocument]:
        """Yield the documents. All tables are read before the first one, so a broken table leaves nothing half taken.

        Raises
        ------
        InputError
            The folder, ``patients``, ``admissions`` or the notes file named is not there (GKB-401), or a table that
            is there cannot be read to its end (GKB-402 to 405).
        """
        if not self.folder.is_dir():
            raise InputError("GKB-401", where=str(self.folder))
        notes = self._notes_file()
        with Staging() as staging:
            self._read_people(staging, report)
            for part, spec in enumerate((*tables.FACT_TABLES, *((tables.LAB_EVENTS,) if self.lab_events else ()))):
                self._read_facts(staging, part, spec, report)
            staging.finish()
            titles = {(t.vocabulary, t.code): t.title for t in self._titles(report)}
            labels = self._lab_labels(report) if self.lab_events else {}
            self._note_missing_titles(titles, report)
            for hadm_id in staging.encounters():
                encounter = staging.encounter(hadm_id)
                patient = staging.patient(encounter.subject_id)
                facts = tuple(_named(f, titles, labels) for f in staging.facts(hadm_id, patient.subject_id))
                record = f"subject:{patient.subject_id}/hadm:{hadm_id}"
                yield SourceDocument(self.source, record, hadm_id, "", "user", "table", patient=patient,
                                     encounter=encounter, facts=facts)
            for subject_id in staging.owners_without_encounter():
                facts = tuple(_named(f, titles, labels) for f in staging.facts("", subject_id))
                yield SourceDocument(self.source, f"subject:{subject_id}", subject_id, "", "user", "table",
                                     patient=staging.patient(subject_id), facts=facts)
            if notes is not None:
                yield from self._read_notes(notes, staging, report)

    def code_titles(self) -> Iterator[CodeTitle]:
        """Yield the dictionary titles of the ICD codes that occur in the diagnosis and procedure tables.

        It may be called before or after `documents`; unreadable rows are counted by `documents` alone.
        """
        scratch = ReadReport()
        if not any(self._codes.values()):
            with Staging() as staging:
                self._read_people(staging, scratch)
                for part, spec in enumerate(tables.FACT_TABLES[:2]):
                    self._read_facts(staging, part, spec, scratch)
        yield from self._titles(scratch)

    def _find(self, name: str, *places: str) -> Path | None:
        for place in places or ("hosp", ""):
            for suffix in (".csv", ".csv.gz"):
                if (path := self.folder / place / (name + suffix)).is_file():
                    return path
        return None

    def _file_name(self, path: Path) -> str:
        return path.relative_to(self.folder).as_posix() if path.is_relative_to(self.folder) else str(path)

    def _notes_file(self) -> Path | None:
        if self.notes is None:
            return self._find("discharge", "note", "hosp", "")
        for path in (self.notes, self.notes / "discharge.csv", self.notes / "discharge.csv.gz"):
            if path.is_file():
                return path
        raise InputError("GKB-401", where=str(self.notes))

    def _read_people(self, staging: Staging, report: ReadReport) -> None:
        for spec in (tables.PATIENTS, tables.ADMISSIONS):
            path = self._find(spec.name)
            if path is None:
                raise InputError("GKB-401", where=str(self.folder / "hosp" / f"{spec.name}.csv"))
            file = self._file_name(path)
            for row in files.Table(path, spec.required, spec.optional).rows():
                code, reason = row.code, row.reason
                if not code:
                    code, reason = self._add_person(spec, row.fields, staging)
                if code:
                    report.reject(file, row.number, code, reason)
                else:
                    report.keep(file)

    def _add_person(self, spec: tables.TableSpec, row: dict[str, str], staging: Staging) -> tuple[str, str]:
        try:
            if spec is tables.PATIENTS:
                return ("", "") if staging.add_patient(tables.patient(row)) else ("GKB-411", "subject_id occurs twice")
            encounter = tables.encounter(row)
        except tables.BadValue as error:
            return "GKB-407", str(error)
        if encounter.subject_id not in staging.subjects:
            return "GKB-409", "subject_id is not in patients"
        return ("", "") if staging.add_encounter(encounter) else ("GKB-411", "hadm_id occurs twice")

    def _read_facts(self, staging: Staging, part: int, spec: tables.TableSpec, report: ReadReport) -> None:
        path = self._find(spec.name)
        if path is None:
            report.reject(f"hosp/{spec.name}.csv", None, "GKB-401", "the table is not there")
            return
        file = self._file_name(path)
        for row in files.Table(path, spec.required, spec.optional).rows():
            code, reason = row.code, row.reason
            if not code:
                code, reason = self._add_fact(staging, part, spec, row)
            if code:
                report.reject(file, row.number, code, reason)
            else:
                report.keep(file)

    def _add_fact(self, staging: Staging, part: int, spec: tables.TableSpec, row: files.Row) -> tuple[str, str]:
        try:
            subject_id, hadm_id, fault = _owner(row.fields, staging)
            if fault:
                return "GKB-409", fault
            assert spec.fact is not None  # noqa: S101 - tables of facts have one
            fact = spec.fact(row.number, row.fields)
        except tables.BadValue as error:
            return "GKB-407", str(error)
        if fact.vocabulary:
            self._codes["diagnosis" if fact.kind == "HAS_DIAGNOSIS" else "procedure"].add((fact.vocabulary, fact.code))
        staging.add_fact(hadm_id, subject_id, part, row.number, fact)
        return "", ""

    def _titles(self, report: ReadReport) -> Iterator[CodeTitle]:
        for what, spec in tables.DICTIONARIES.items():
            path = self._find(spec.name, "hosp", "derived", "")
            if path is None:
                report.notes.append(f"{spec.name} is not there: codes have no titles of their own")
                continue
            file = self._file_name(path)
            for row in files.Table(path, spec.required).rows():
                try:
                    if row.code:
                        report.reject(file, row.number, row.code, row.reason)
                        continue
                    vocabulary, code, version = tables.icd(row.fields, what)
                except tables.BadValue as error:
                    report.reject(file, row.number, "GKB-407", str(error))
                    continue
                report.keep(file)
                title = row.fields["long_title"].strip()
                if title and (vocabulary, code) in self._codes[what]:
                    yield CodeTitle(vocabulary, code, str(version), title)

    def _note_missing_titles(self, titles: dict[tuple[str, str], str], report: ReadReport) -> None:
        for what, codes in self._codes.items():
            if untitled := sum(key not in titles for key in codes):
                report.notes.append(f"{untitled} of {len(codes)} {what} codes have no title in the dictionary")

    def _lab_labels(self, report: ReadReport) -> dict[str, str]:
        path = self._find(tables.LAB_ITEMS.name)
        if path is None:
            report.notes.append("d_labitems is not there: laboratory results are named by their itemid")
            return {}
        labels: dict[str, str] = {}
        file = self._file_name(path)
        for row in files.Table(path, tables.LAB_ITEMS.required).rows():
            if row.code:
                report.reject(file, row.number, row.code, row.reason)
                continue
            report.keep(file)
            if label := row.fields["label"].strip():  # the official table has four items without
                labels.setdefault(row.fields["itemid"].strip(), label)
        return labels

    def _read_notes(self, path: Path, staging: Staging, report: ReadReport) -> Iterator[SourceDocument]:
        file = self._file_name(path)
        try:
            for row in files.Table(path, tables.NOTES.required, tables.NOTES.optional).rows():
                code, reason, document = row.code, row.reason, None
                if not code:
                    code, reason, document = self._note(row.fields, staging)
                if document is None:
                    report.reject(file, row.number, code, reason)
                else:
                    report.keep(file)
                    yield document
        except InputError as error:  # each note before the break is whole; the tables are taken already
            files.reject_file(report, path, error)

    def _note(self, row: dict[str, str], staging: Staging) -> tuple[str, str, SourceDocument | None]:
        note_id, text = row["note_id"].strip(), row["text"]
        if not note_id:
            return "GKB-407", "note_id is empty", None
        if not text.strip():
            return "GKB-408", "the note has no text", None
        try:
            subject_id, hadm_id, fault = _owner(row, staging)
            identifiers = {name: value for name in ("charttime", "storetime") if (value := tables.time(row, name))}
        except tables.BadValue as error:
            return "GKB-407", str(error), None
        if fault:
            return "GKB-409", fault, None
        if not staging.add_note(note_id):
            return "GKB-411", "note_id occurs twice", None
        patient: Patient = staging.patient(subject_id)
        return "", "", SourceDocument(
            self.note_source, note_id, note_id, text, "user", "note", sections=sections.split(text), patient=patient,
            encounter=staging.encounter(hadm_id) if hadm_id else None, identifiers=identifiers)


def _owner(row: dict[str, str], staging: Staging) -> tuple[str, str | None, str]:
    """Return the row's subject, its encounter where it has one, and what is wrong with them."""
    subject_id = tables.identifier(row, "subject_id")
    hadm_id = tables.identifier_or_none(row, "hadm_id")
    if subject_id not in staging.subjects:
        return subject_id, hadm_id, "subject_id is not in patients"
    if hadm_id is not None and (owner := staging.subject_of.get(hadm_id)) != subject_id:
        return subject_id, hadm_id, ("hadm_id is not in admissions" if owner is None
                                     else "hadm_id belongs to another subject_id")
    return subject_id, hadm_id, ""


def _named(fact: Fact, titles: dict[tuple[str, str], str], labels: dict[str, str]) -> Fact:
    if fact.kind == "HAS_LAB":
        return replace(fact, name=labels.get(fact.name, fact.name))
    return replace(fact, name=titles.get((fact.vocabulary, fact.code), "")) if fact.vocabulary else fact
