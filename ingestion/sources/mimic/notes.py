"""The notes of MIMIC-IV-Note: discharge summaries and radiology reports, and what their detail files add."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from graphkb.errors import InputError
from graphkb.model.records import ReadReport, SourceDocument, SourceInfo
from ingestion import sections
from ingestion.sources import files
from ingestion.sources.mimic.specs import NOTE_DETAILS, Table, TableSpec
from ingestion.sources.mimic.staging import Staging
from ingestion.sources.mimic.values import BadValue, identifier, identifier_or_none, time

# a detail becomes a property of its document: a name of the files, and not one that is a document's own
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
Find = Callable[[str], Path | None]


def owner_of(row: dict[str, str], staging: Staging) -> tuple[str, str | None, str]:
    """Return the row's subject, its encounter where it has one, and what is wrong with them."""
    subject_id = identifier(row, "subject_id")
    hadm_id = identifier_or_none(row, "hadm_id") if "hadm_id" in row else None
    if subject_id not in staging.subjects:
        return subject_id, hadm_id, "subject_id is not in patients"
    if hadm_id is not None and (owner := staging.subject_of.get(hadm_id)) != subject_id:
        return subject_id, hadm_id, ("hadm_id is not in admissions" if owner is None
                                     else "hadm_id belongs to another subject_id")
    return subject_id, hadm_id, ""


def read_details(path: Path, file: str, part: int, staging: Staging, report: ReadReport) -> None:
    """Keep the rows of a detail file; those of no note are rejected by `settle_details`."""
    spec = NOTE_DETAILS[part]
    try:
        for row in Table(path, spec.required).rows():
            if row.code:
                report.reject(file, row.number, row.code, row.reason)
                continue
            note_id, name = row.fields["note_id"].strip(), row.fields["field_name"].strip().lower()
            if not note_id or not _NAME.fullmatch(name):
                report.reject(file, row.number, "GKB-407", "note_id or field_name is not a name")
                continue
            staging.add_detail(part, row.number, note_id, name, row.fields["field_value"].strip())
            report.keep(file)
    except InputError as error:
        files.reject_file(report, path, error)


def settle_details(file: str, part: int, staging: Staging, report: ReadReport) -> None:
    """Reject the details whose note was not taken."""
    for number in staging.loose_details(part):
        report.kept[file] -= 1
        report.rows_in[file] -= 1
        report.reject(file, number, "GKB-409", "note_id is not in the notes")


def read_notes(path: Path, file: str, spec: TableSpec, info: SourceInfo, staging: Staging,
               report: ReadReport) -> Iterator[SourceDocument]:
    """Yield one document for each note of a file, in its order."""
    try:
        for row in Table(path, spec.required, spec.optional).rows():
            code, reason, document = row.code, row.reason, None
            if not code:
                code, reason, document = _note(row.fields, info, staging)
            if document is None:
                report.reject(file, row.number, code, reason)
            else:
                report.keep(file)
                yield document
    except InputError as error:  # each note before the break is whole; the tables are taken already
        files.reject_file(report, path, error)


def _note(row: dict[str, str], info: SourceInfo, staging: Staging) -> tuple[str, str, SourceDocument | None]:
    note_id, text = row["note_id"].strip(), row["text"]
    if not note_id:
        return "GKB-407", "note_id is empty", None
    if not text.strip():
        return "GKB-408", "the note has no text", None
    try:
        subject_id, hadm_id, fault = owner_of(row, staging)
        identifiers = {name: value for name in ("charttime", "storetime") if (value := time(row, name))}
    except BadValue as error:
        return "GKB-407", str(error), None
    if fault:
        return "GKB-409", fault, None
    if not staging.add_note(note_id):
        return "GKB-411", "note_id occurs twice", None
    if note_type := row["note_type"].strip():
        identifiers["note_type"] = note_type
    identifiers |= staging.details(note_id)
    return "", "", SourceDocument(
        info, note_id, note_id, text, "user", "note", sections=sections.split(text),
        patient=staging.patient(subject_id), encounter=staging.encounter(hadm_id)[0] if hadm_id else None,
        identifiers=identifiers)
