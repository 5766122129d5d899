"""Reading of a whole MIMIC-IV folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from graphkb.errors import InputError
from graphkb.model.records import Encounter, Fact, Patient, ReadReport, SourceDocument, SourceInfo
from ingestion.sources import files
from ingestion.sources.mimic import notes, rows, specs, summary, values
from ingestion.sources.mimic.rows import Desk, Names, Rejected
from ingestion.sources.mimic.specs import PART, Table, TableSpec
from ingestion.sources.mimic.staging import Owner, Staging
from ingestion.sources.mimic.values import BadValue


class CodeTitle(NamedTuple):
    """What a MIMIC dictionary calls an ICD code. ``version`` is MIMIC's ``icd_version``, "9" or "10"."""

    vocabulary: str
    code: str
    version: str
    title: str


class MimicSource:
    """A MIMIC-IV folder and its notes.

    The folder has the tables in ``hosp/`` and ``icu/`` (or ``core/``, or in itself), each ``.csv`` or ``.csv.gz``; the
    ICD dictionaries may lie in ``derived/`` instead; notes are in ``note/``, or where ``notes`` says.

    Documents come in a fixed order: one of kind ``table`` per admission (record ``subject:<id>/hadm:<id>``) with its
    facts and their lines as text; one per patient who has rows without ``hadm_id`` or no admission (``subject:<id>``);
    one of kind ``note`` per discharge summary and radiology report, in the files' order (record and title are its
    ``note_id``). None has a path: a table's file is not one document.

    Parameters
    ----------
    folder : Path
        The MIMIC-IV folder.
    notes : Path, optional
        The discharge notes, or a folder with notes, where they are not in ``note/``.
    lab_events : bool
        Keep each row of ``labevents`` as a fact; otherwise there is one for each owner, item and unit.
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
        self._names = Names()
        self._absent: list[str] = []
        self._shown: dict[Path, str] = {}

    def documents(self, report: ReadReport) -> Iterator[SourceDocument]:
        """Yield the documents, after all tables have been read.

        A table that is not there is named in the report's notes. One that cannot be read to its end (GKB-402 to 405)
        is rejected whole, for half a table would make wrong aggregates; the others are taken.

        Raises
        ------
        InputError
            The folder, ``patients``, ``admissions`` or the notes file named is not there (GKB-401), or one of these
            two tables cannot be read to its end.
        """
        if not self.folder.is_dir():
            raise InputError("GKB-401", where=str(self.folder))
        note_files = self._note_files()
        self._names, self._absent = Names(), []
        with Staging() as staging:
            desk = Desk(staging, self._names, PART, self.lab_events)
            self._read_people(staging, report)
            for spec in specs.FACT_TABLES:
                self._read_facts(desk, spec, report)
            self._take_loose_pharmacy(desk, report)
            details = self._read_details(note_files, staging, report)
            staging.finish()
            self._read_names(report)
            if self._absent:
                report.notes.append(f"not in the folder: {', '.join(self._absent)}")
            yield from self._records(staging)
            for spec, path in note_files:
                yield from notes.read_notes(path, self._file_name(path), spec, self.note_source, staging, report)
            for part, file in details:
                notes.settle_details(file, part, staging, report)

    def code_titles(self) -> Iterator[CodeTitle]:
        """Yield the dictionary titles of the ICD codes that occur in the diagnosis and procedure tables.

        It may be called before or after `documents`; unreadable rows are counted by `documents` alone.
        """
        scratch = ReadReport()
        if not any(self._names.codes.values()):
            with Staging() as staging:
                self._read_people(staging, scratch)
                desk = Desk(staging, self._names, PART)
                for spec in specs.FACT_TABLES[:2]:
                    self._read_facts(desk, spec, scratch)
        yield from self._titles(scratch)

    # -- files --------------------------------------------------------------------------------------------------

    def _find(self, spec: TableSpec, *more: str) -> Path | None:
        for place in (spec.place, *more, "core", ""):
            for suffix in (".csv", ".csv.gz"):
                if (path := self.folder / place / (spec.name + suffix)).is_file():
                    return path
        self._absent.append(spec.name)
        return None

    def _file_name(self, path: Path) -> str:
        if path not in self._shown:  # asked for each row
            inside = path.is_relative_to(self.folder)
            self._shown[path] = path.relative_to(self.folder).as_posix() if inside else str(path)
        return self._shown[path]

    def _note_files(self) -> list[tuple[TableSpec, Path]]:
        if self.notes is not None and self.notes.is_file():
            spec = next((s for s in specs.NOTES if self.notes.name.startswith(s.name)), specs.NOTES[0])
            return [(spec, self.notes)]
        folders = [self.notes] if self.notes is not None else [self.folder / part for part in ("note", "hosp", "")]
        found = []
        for spec in specs.NOTES:
            paths = (folder / (spec.name + suffix) for folder in folders for suffix in (".csv", ".csv.gz"))
            if path := next((path for path in paths if path.is_file()), None):
                found.append((spec, path))
        if self.notes is not None and not found:
            raise InputError("GKB-401", where=str(self.notes))
        return found

    # -- reading ------------------------------------------------------------------------------------------------

    def _read_people(self, staging: Staging, report: ReadReport) -> None:
        for spec in (specs.PATIENTS, specs.ADMISSIONS):
            path = self._find(spec)
            if path is None:
                raise InputError("GKB-401", where=str(self.folder / "hosp" / f"{spec.name}.csv"))
            for row in self._rows(path, spec, report):
                self._count(path, row.number, report, *self._add_person(spec, row.fields, staging))

    def _rows(self, path: Path, spec: TableSpec, report: ReadReport) -> Iterator[files.Row]:
        file = self._file_name(path)
        for row in Table(path, spec.required, spec.optional).rows():
            if row.code:
                report.reject(file, row.number, row.code, row.reason)
            else:
                yield row

    def _count(self, path: Path, number: int, report: ReadReport, code: str = "", reason: str = "") -> None:
        if code:
            report.reject(self._file_name(path), number, code, reason)
        else:
            report.keep(self._file_name(path))

    def _add_person(self, spec: TableSpec, row: dict[str, str], staging: Staging) -> tuple[str, str]:
        try:
            if spec is specs.PATIENTS:
                new = staging.add_patient(values.patient(row))
                return ("", "") if new else ("GKB-411", "subject_id occurs twice")
            encounter = values.encounter(row)
            times = {name: value.replace("T", " ") for name in ("deathtime", "edregtime", "edouttime")
                     if (value := values.time(row, name))}
        except BadValue as error:
            return "GKB-407", str(error)
        if encounter.subject_id not in staging.subjects:
            return "GKB-409", "subject_id is not in patients"
        more = {name: value for name in ("admission_location", "insurance", "language", "marital_status", "race")
                if (value := values.words(row, name))}
        return ("", "") if staging.add_encounter(encounter, more | times) else ("GKB-411", "hadm_id occurs twice")

    def _read_facts(self, desk: Desk, spec: TableSpec, report: ReadReport) -> None:
        path = self._find(spec)
        if path is None:
            return
        desk.part = PART[spec.name]
        try:
            for row in self._rows(path, spec, report):
                self._count(path, row.number, report, *self._add_fact(desk, spec, row))
        except InputError as error:
            desk.staging.discard(desk.part)
            self._reject_table(path, report, error)

    def _reject_table(self, path: Path, report: ReadReport, error: InputError) -> None:
        file = self._file_name(path)
        taken = report.kept.pop(file, 0)
        report.rejected[file] += taken
        reason = "the table cannot be read to its end"
        if taken:
            report.reasons[file, error.code, reason] += taken
        report.reject(file, None, error.code, "; ".join(part for part in (error.detail, reason) if part))

    def _add_fact(self, desk: Desk, spec: TableSpec, row: files.Row) -> tuple[str, str]:
        fields = row.fields
        try:
            subject_id, hadm_id, fault = notes.owner_of(fields, desk.staging)
            if fault:
                return "GKB-409", fault
            key = [fields[name].strip() for name in spec.key]
            if key and not desk.staging.unique(desk.part, key):
                return "GKB-411", f"{', '.join(spec.key)} occurs twice"
            assert spec.take is not None  # noqa: S101 - tables of facts have one
            spec.take(desk, row.number, fields, Owner(subject_id, hadm_id or ""))
        except BadValue as error:
            return "GKB-407", str(error)
        except Rejected as error:
            return "GKB-409", str(error)
        return "", ""

    def _take_loose_pharmacy(self, desk: Desk, report: ReadReport) -> None:
        part = PART["pharmacy"]
        nameless = 0
        for owner, number, fact in list(rows.loose_pharmacy(desk)):
            if fact is None:
                nameless += 1
            else:
                desk.staging.add(owner, part, number, rows.pack(fact))
        if nameless:
            report.notes.append(f"{nameless} rows of pharmacy name no drug and have no prescription: kept, no fact")

    def _read_details(self, note_files: list[tuple[TableSpec, Path]], staging: Staging,
                      report: ReadReport) -> list[tuple[int, str]]:
        taken = []
        places = {path.parent for _, path in note_files}
        for part, spec in enumerate(specs.NOTE_DETAILS):
            paths = (place / (spec.name + suffix) for place in sorted(places) for suffix in (".csv", ".csv.gz"))
            if path := next((path for path in paths if path.is_file()), None):
                notes.read_details(path, self._file_name(path), part, staging, report)
                taken.append((part, self._file_name(path)))
        return taken

    # -- dictionaries -------------------------------------------------------------------------------------------

    def _read_names(self, report: ReadReport) -> None:
        names = self._names
        names.titles = {(t.vocabulary, t.code): t.title for t in self._titles(report)}
        for what, codes in names.codes.items():
            if untitled := sum(key not in names.titles for key in codes):
                report.notes.append(f"{untitled} of {len(codes)} {what} codes have no title in the dictionary")

        def lab(row: dict[str, str]) -> None:
            names.labs[row["itemid"].strip()] = (row["label"].strip(), row["loinc_code"].strip())

        def item(row: dict[str, str]) -> None:
            if label := row["label"].strip():
                names.items[row["itemid"].strip()] = label

        def billed(row: dict[str, str]) -> None:
            title = row["long_description"].strip() or row["short_description"].strip()
            if title and (code := row["code"].strip()) in names.billed:
                names.hcpcs[code] = title

        for spec, take in ((specs.LAB_ITEMS, lab), (specs.ITEMS, item), (specs.HCPCS, billed)):
            self._read_dictionary(spec, take, report)
        for spec in specs.ID_LISTS:
            self._read_dictionary(spec, lambda _: None, report)

    def _read_dictionary(self, spec: TableSpec, take: Callable[[dict[str, str]], None], report: ReadReport) -> None:
        path = self._find(spec)
        if path is None:
            return
        seen: set[str] = set()
        try:
            for row in self._rows(path, spec, report):
                key = row.fields[spec.key[0]].strip()
                if key in seen:
                    self._count(path, row.number, report, "GKB-411", f"{spec.key[0]} occurs twice")
                    continue
                seen.add(key)
                take(row.fields)
                self._count(path, row.number, report)
        except InputError as error:
            self._reject_table(path, report, error)

    def _titles(self, report: ReadReport) -> Iterator[CodeTitle]:
        for what, spec in specs.DICTIONARIES.items():
            path = self._find(spec, "derived")
            if path is None:
                continue
            try:
                for row in self._rows(path, spec, report):
                    try:
                        vocabulary, code, version = values.icd(row.fields, what)
                    except BadValue as error:
                        self._count(path, row.number, report, "GKB-407", str(error))
                        continue
                    self._count(path, row.number, report)
                    title = row.fields["long_title"].strip()
                    if title and (vocabulary, code) in self._names.codes[what]:
                        yield CodeTitle(vocabulary, code, str(version), title)
            except InputError as error:
                self._reject_table(path, report, error)

    # -- documents ----------------------------------------------------------------------------------------------

    def _records(self, staging: Staging) -> Iterator[SourceDocument]:
        for hadm_id in staging.encounters():
            encounter, more = staging.encounter(hadm_id)
            patient = staging.patient(encounter.subject_id)
            yield self._record(staging, Owner(patient.subject_id, hadm_id), patient, encounter, more)
        for subject_id in staging.owners_without_encounter():
            yield self._record(staging, Owner(subject_id), staging.patient(subject_id), None, {})

    def _record(self, staging: Staging, owner: Owner, patient: Patient, encounter: Encounter | None,
                more: dict[str, str]) -> SourceDocument:
        text, found, facts = summary.compose(patient, encounter, self._facts(staging, owner), more)
        record = f"subject:{owner.subject_id}" + (f"/hadm:{owner.hadm_id}" if owner.hadm_id else "")
        return SourceDocument(self.source, record, owner.hadm_id or owner.subject_id, text, "user", "table",
                              sections=found, patient=patient, encounter=encounter, facts=facts)

    def _facts(self, staging: Staging, owner: Owner) -> Iterator[Fact]:
        for part, entries in groupby(staging.entries(owner), key=lambda entry: entry.part):
            fold = specs.FACT_TABLES[part].fold
            assert fold is not None  # noqa: S101 - only parts with one are staged
            found = [fact for group, some in groupby(entries, key=lambda entry: entry.group)
                     for fact in fold(self._names, group, [entry.value for entry in some])]
            # rows stay in their order; what was aggregated is told by its name
            yield from found if fold is rows.each else sorted(found, key=lambda f: (f.kind, f.name, f.row))
