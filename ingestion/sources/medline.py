"""MEDLINE/PubMed XML: the files of the baseline and of the updates, and whatever else is a PubmedArticleSet.

Files are taken in the order of their numbers (``pubmed25n0001.xml.gz``), other files first, by name. A record's
revision is made of its version, the file's number and the date of its last revision: an earlier one never takes the
place of a later one, whatever order the files come in. ``DeleteCitation`` withdraws records (see
`ingestion.revisions`). A file is streamed, one record in memory at a time; where it breaks off, what was whole before
is taken and the rest is rejected.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

from lxml import etree

from graphkb.errors import InputError
from graphkb.model.records import Deletion, ReadReport, SourceDocument, SourceInfo, Tier
from ingestion.sources import files, medline_record
from ingestion.sources.jats_text import Element

SUFFIXES = (".xml", ".xml.gz")
ROOTS = ("PubmedArticleSet", "PubmedArticle", "DeleteCitation")
_NUMBER = re.compile(r"pubmed(\d{2})n(\d{4,5})\b", re.IGNORECASE)
_MAX_RECORD_MARKS = 500_000
_READ = 1 << 16


class MedlineSource:
    """PubMed records: title, abstract and what the record says of itself; one document a record.

    Parameters
    ----------
    paths : iterable of Path
        Files and folders.
    tier : "user" or "literature"
        Whose they are.
    max_bytes : int
        A record that is longer ends its file (GKB-410).
    """

    name = "pubmed"

    def __init__(self, paths: Iterable[Path], tier: Tier = "literature", *,
                 max_bytes: int = files.MAX_DOCUMENT_BYTES) -> None:
        self.paths = [Path(path) for path in paths]
        self.tier: Tier = tier
        self.source = SourceInfo("pubmed", "", citation="PubMed, U.S. National Library of Medicine")
        self.max_bytes = max_bytes
        # what the files read so far withdraw: for the one who writes, once the documents are in
        self.deletions: list[Deletion] = []

    def documents(self, report: ReadReport) -> Iterator[SourceDocument]:
        """Yield one document per record; what cannot be taken is rejected and the others go on.

        Raises
        ------
        InputError
            Not one record could be taken, and none was withdrawn.
        """
        kept = 0
        for path in sorted(files.find(self.paths, SUFFIXES, report), key=lambda path: (number_of(path), path.name)):
            try:
                for document in self._file(path, report):
                    kept += 1
                    yield document
            except InputError as error:
                files.reject_file(report, path, error)
        files.refuse_if_nothing(report, kept + len(self.deletions))

    def _file(self, path: Path, report: ReadReport) -> Iterator[SourceDocument]:
        number = number_of(path)
        for row, element in enumerate(records(path, self.max_bytes), start=1):
            if element.tag == "DeleteCitation":
                for pmid in element.iterfind("PMID"):
                    record, revision = medline_record.named(pmid, number, "9999-99-99")
                    if record:
                        self.deletions.append(Deletion(self.source.name, record, revision))
                        report.keep(str(path))
                continue
            try:
                document = medline_record.document(element, self.source, self.tier, number)
            except InputError as error:
                report.reject(str(path), row, error.code, error.detail)
                continue
            report.keep(str(path))
            yield document


def number_of(path: Path) -> int:
    """Return a file's place in the order of releases: year and number from its name, 0 without them."""
    match = _NUMBER.search(path.name)
    return int(match[1]) * 100_000 + int(match[2]) if match else 0


class _Progress(NamedTuple):
    """A position in the stream: bytes and marks of markup read."""

    bytes: int = 0
    marks: int = 0


class _Metered:
    """A stream that refuses to go on where one record is too long, before it is all in memory."""

    def __init__(self, handle: IO[bytes], path: Path, max_bytes: int) -> None:
        self._handle = handle
        self._path = path
        self._max_bytes = max_bytes
        self._read = self._since = _Progress()
        self.tail = b""

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes, few at a time."""
        data = self._handle.read(min(size, _READ) if size >= 0 else _READ)
        self.tail = (self.tail + data)[-100:] if data else self.tail
        self._read = _Progress(self._read.bytes + len(data), self._read.marks + data.count(b"<"))
        if self._read.bytes - self._since.bytes > self._max_bytes + _READ:
            raise InputError("GKB-410", where=str(self._path), detail=f"a record of more than {self._max_bytes} bytes",
                             hint="raise ingest.max_document_bytes")
        if self._read.marks - self._since.marks > _MAX_RECORD_MARKS:
            raise InputError("GKB-410", where=str(self._path),
                             detail=f"a record of more than {_MAX_RECORD_MARKS} marks of markup")
        return data

    def mark(self) -> None:
        """Say that a record has ended."""
        self._since = self._read


def records(path: Path, max_bytes: int = files.MAX_DOCUMENT_BYTES) -> Iterator[Element]:
    """Yield the records and lists of deletions of a file, each emptied once the next is asked for.

    No entity is expanded, no DTD loaded, nothing fetched.

    Raises
    ------
    InputError
        What `files.open_binary` raises; GKB-403 (not UTF-8), 404 (it ends too early), 405 (another kind of file, or it
        declares entities of its own), 410 (a record is too long). What was whole before has been yielded.
    """
    count = 0
    with files.open_binary(path) as handle, files.broken_gzip(path):
        stream = _Metered(handle, path, max_bytes)
        events: Any = etree.iterparse(stream, events=("start", "end"), resolve_entities=False, no_network=True,
                                      load_dtd=False, huge_tree=False, recover=False, remove_comments=True,
                                      remove_pis=True)
        root: Element | None = None
        try:
            for event, element in events:
                if root is None:
                    root = _checked(element, path)
                if event == "start" or element.tag not in ("PubmedArticle", "DeleteCitation"):
                    continue
                count += 1
                yield element
                stream.mark()
                element.clear(keep_tail=False)
                while element.getprevious() is not None:
                    del element.getparent()[0]
        except etree.XMLSyntaxError as error:
            closed = root is None or stream.tail.rstrip().endswith(f"</{root.tag}>".encode())
            raise _broken(path, error, count, early=not closed) from None


def _checked(root: Element, path: Path) -> Element:
    """Return a file's root element where it is one of ours and declares no entities."""
    subset: Any = root.getroottree().docinfo.internalDTD
    if subset is not None and subset.entities():
        raise InputError("GKB-405", where=str(path), detail="it declares entities of its own")
    if root.tag not in ROOTS:
        raise InputError("GKB-405", where=str(path), detail=f"the root element is {root.tag}, not a PubmedArticleSet")
    return root


def _broken(path: Path, error: etree.XMLSyntaxError, count: int, *, early: bool) -> InputError:
    where = f"{path}, line {error.position[0]}, after record {count}"
    message = str(error.msg or "")
    if "encoding" in message or "UTF-8" in message:
        return InputError("GKB-403", where=where)
    if "imit exceeded" in message or "xcessive" in message:
        return InputError("GKB-410", where=where, detail="a text or a nesting beyond what the parser takes")
    return InputError("GKB-404" if early else "GKB-405", where=where,
                      detail="the root element is not closed" if early else "it is not well-formed XML")
