"""PDF files: the text that the pages show, with the page and box of every line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from graphkb import ids
from graphkb.config import IngestSettings
from graphkb.errors import InputError
from graphkb.model import Patient, ReadReport, SourceDocument, SourceInfo, Tier
from ingestion.sources import files
from ingestion.sources.pdf_layout import lay_out
from ingestion.sources.pdf_process import Limits, read_pages

SUFFIXES = (".pdf",)
_DOI = re.compile(r"10\.\d{4,9}/[^\s\"<>]+")
_CITED = re.compile(r"\s*(?:\[\d+\]|\d{1,3}[.)]\s)")
_REFERENCES = re.compile(r"\W*(?:references|bibliography)\W*", re.IGNORECASE)


class PdfSource:
    """PDF files (``*.pdf``); folders are walked in a fixed order.

    The text is read from the pages, never from the file's metadata. A record is named by the hash of its text.

    Parameters
    ----------
    paths : iterable of Path
        Files and folders.
    tier : "user" or "literature"
        Whose text it is.
    settings : IngestSettings, optional
        Its limits of time, pages and size.
    patient : str, optional
        ``subject_id`` that the files are about.
    """

    name = "pdf"

    def __init__(self, paths: Iterable[Path], tier: Tier = "literature", *, settings: IngestSettings | None = None,
                 patient: str | None = None) -> None:
        if patient is not None and not (patient.isascii() and patient.isdigit()):
            raise InputError("GKB-407", where="patient", detail="a subject_id is a string of digits")
        settings = settings or IngestSettings()
        self.paths = [Path(path) for path in paths]
        self.tier: Tier = tier
        self.patient = patient
        self.limits = Limits(settings.pdf_timeout_s, settings.pdf_max_pages, settings.pdf_max_bytes,
                             settings.max_document_bytes)

    def documents(self, report: ReadReport) -> Iterator[SourceDocument]:
        """Yield one document per file; a file that cannot be taken is rejected and the others go on.

        Raises
        ------
        InputError
            Not one file could be taken.
        """
        seen: set[str] = set()
        for path in files.find(self.paths, SUFFIXES, report):
            try:
                document = self._read(path, report)
                if document.record in seen:
                    raise InputError("GKB-411", where=str(path), detail="another file has the same text")
            except InputError as error:
                files.reject_file(report, path, error)
                continue
            seen.add(document.record)
            report.keep(str(path))
            yield document
        files.refuse_if_nothing(report, len(seen))

    def _read(self, path: Path, report: ReadReport) -> SourceDocument:
        laid = lay_out(read_pages(path, self.limits))
        if laid.hidden:
            report.notes.append(f"{path}: {laid.hidden} hidden characters left out")
        if laid.running:
            report.notes.append(f"{path}: {laid.running} running heads and page numbers left out")
        if not laid.text.strip():
            raise InputError("GKB-408", where=str(path), detail="its pages show no text: a scan, perhaps")
        doi = own_doi(laid.first_page)
        return SourceDocument(
            source=SourceInfo("pdf", ""), record=ids.content_hash(laid.text), title=laid.title or path.stem,
            text=laid.text, tier=self.tier, kind="note" if self.patient else "article", path=str(path),
            sections=laid.sections, patient=Patient(self.patient) if self.patient else None,
            identifiers={"doi": doi} if doi else {}, layout=laid.layout)


def own_doi(lines: Sequence[str]) -> str:
    """Return the DOI that the first page shows as the article's own; empty where that is not certain.

    There must be just one on the page, not among its references, not in a numbered line, and not cut by a line end.
    """
    found: set[str] = set()
    for number, line in enumerate(lines):
        if _REFERENCES.fullmatch(line):
            break
        for match in _DOI.finditer(line):
            doi = match.group().rstrip(".,;:)]}'").lower()
            following = lines[number + 1] if number + 1 < len(lines) else ""
            cut = match.end() == len(line) and (line[-1] in "-/_" or following[:1].islower() or
                                                following[:1].isdigit())
            if cut or _CITED.match(line):
                return ""
            found.add(doi)
    return found.pop() if len(found) == 1 else ""
