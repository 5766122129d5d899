"""Text and Markdown files.

A document's text is exactly the decoded file, front matter and heading lines included, so that offsets count in the
file as it stands (a byte order mark is no part of it; CRLF stays). Sections leave out heading lines; front matter is
one section named `FRONT_MATTER`, which no chunk is made from.

A file with a NUL character is refused: it is not text (GKB-405). Other control characters are kept where they stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from graphkb import ids
from graphkb.errors import InputError
from graphkb.model.records import Encounter, Patient, ReadReport, Section, SourceDocument, SourceInfo, Tier
from ingestion import sections as clinical
from ingestion.sources import files

SUFFIXES = (".txt", ".md", ".txt.gz", ".md.gz")
FRONT_MATTER = "front matter"
KINDS = ("note", "article", "textbook", "text")
_KNOWN = frozenset({"title", "source", "version", "licence", "url", "published", "patient", "encounter", "kind",
                    "attribution"})
_DATE = re.compile(r"\d{4}(-\d{2}(-\d{2})?)?")
_FRONT = re.compile(r"---[ \t]*\r?\n(?P<body>(?:.*\n)*?)---[ \t]*(?:\r?\n|\Z)")
_HEADING = re.compile(r"^ {0,3}(?P<level>#{1,6})[ \t](?P<name>.*)$", re.MULTILINE)
_FENCE = re.compile(r"^ {0,3}(```|~~~)", re.MULTILINE)


@dataclass(slots=True)
class FrontMatter:
    """The ``key: value`` lines between two ``---`` lines at the top of a file."""

    values: dict[str, str] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    start: int = 0
    end: int = 0


class TextSource:
    """Text (``*.txt``) and Markdown (``*.md``) files, plain or gzip; folders are walked in a fixed order.

    A record is named by the hash of its content: a path is no identity. Markdown headings become sections, and a
    clinical note's own headings do in user-tier text. Front matter may give title, source, version, licence, url,
    attribution, published, kind, patient (a ``subject_id``) and encounter (a ``hadm_id``).

    Parameters
    ----------
    paths : iterable of Path
        Files and folders.
    tier : "user" or "literature"
        Whose text it is.
    patient : str, optional
        ``subject_id`` that every file is about, where its front matter does not say otherwise.
    source : SourceInfo, optional
        Source of files whose front matter names none; "files" by default.
    max_bytes : int
        A larger file is rejected (GKB-410).
    """

    name = "text"

    def __init__(self, paths: Iterable[Path], tier: Tier = "literature", *, patient: str | None = None,
                 source: SourceInfo | None = None, max_bytes: int = files.MAX_DOCUMENT_BYTES) -> None:
        if patient is not None and not _is_id(patient):
            raise InputError("GKB-407", where="patient", detail="a subject_id is a string of digits")
        self.paths = [Path(path) for path in paths]
        self.tier: Tier = tier
        self.patient = patient
        self.source = source or SourceInfo("files", "")
        self.max_bytes = max_bytes

    def documents(self, report: ReadReport) -> Iterator[SourceDocument]:
        """Yield one document per file; a file that cannot be taken is rejected and the others go on.

        Raises
        ------
        InputError
            Not one file could be taken.
        """
        seen: set[str] = set()
        licences: dict[tuple[str, str], str] = {}
        for path in files.find(self.paths, SUFFIXES, report):
            try:
                document, unknown = self._read(path)
                source = document.source
                if licences.setdefault((source.name, source.version), source.licence) != source.licence:
                    raise InputError("GKB-407", where=str(path),
                                     detail="front matter gives its source another licence than an earlier file")
            except InputError as error:
                files.reject_file(report, path, error)
                continue
            if unknown:
                report.notes.append(f"{path}: front matter not used: {', '.join(unknown)}")
            if document.record in seen:  # one document at two places: it stays while one of them has it
                report.notes.append(f"{path}: another file has the same content")
            seen.add(document.record)
            report.keep(str(path))
            yield document
        files.refuse_if_nothing(report, len(seen))

    def _read(self, path: Path) -> tuple[SourceDocument, list[str]]:
        text = files.read_text(path, self.max_bytes)
        if "\0" in text:
            line = text.count("\n", 0, text.index("\0")) + 1
            raise InputError("GKB-405", where=f"{path}, line {line}", detail="a NUL character: this is not text")
        markdown = path.name.lower().removesuffix(".gz").endswith(".md")
        front = front_matter(text)
        _check(front, path)
        if not text[front.end:].strip():
            raise InputError("GKB-408", where=str(path))
        values = front.values
        headings = markdown_headings(text, front.end) if markdown else []
        stem = path.name.removesuffix(".gz").rsplit(".", 1)[0]
        subject = values.get("patient", self.patient)
        encounter = values.get("encounter")
        source = self.source
        if "source" in values:
            source = SourceInfo(values["source"], values.get("version", ""), values.get("licence", ""))
        title = values.get("title") or next((heading.name for heading in headings), stem)
        return SourceDocument(
            source=source, record=ids.content_hash(text), title=title,
            text=text, tier=self.tier, kind=values.get("kind", "note" if subject else "text"), path=str(path),
            sections=self._sections(text, front, headings), published=values.get("published"),
            patient=Patient(subject) if subject else None,
            encounter=Encounter(encounter, subject) if encounter and subject else None,
            identifiers={name: values[name] for name in ("licence", "url", "attribution") if values.get(name)},
        ), front.unknown

    def _sections(self, text: str, front: FrontMatter, headings: list[Heading]) -> tuple[Section, ...]:
        found = [Section(FRONT_MATTER, front.start, front.end)] if front.end else []
        for heading, following in pairwise([Heading("", "", 0, front.end, front.end), *headings, None]):
            assert heading is not None  # noqa: S101 - only the last of the list is None
            end = following.start if following else len(text)
            inner: list[Section] = []
            if self.tier == "user":  # read by what clinical headings mean, "## Family History" among them
                inner = [Section(s.name, s.start + heading.start, s.end + heading.start)
                         for s in clinical.split(text[heading.start:end])]
            if inner:
                found += inner
            elif heading.name and (body := text[heading.end:end]).strip():
                start = heading.end + len(body) - len(body.lstrip())
                found.append(Section(heading.path, start, start + len(body.strip())))
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Heading:
    """A Markdown heading: its name, the names above it joined to it, its level, and where its line lies."""

    name: str
    path: str
    level: int
    start: int
    end: int


def front_matter(text: str) -> FrontMatter:
    """Return a text's front matter; an empty one where it has none (or one that is not closed)."""
    match = _FRONT.match(text)
    if match is None:
        return FrontMatter()
    front = FrontMatter(start=0, end=match.end())
    for line in match["body"].splitlines():
        key, colon, value = line.partition(":")
        key = {"license": "licence"}.get(key.strip().lower(), key.strip().lower())
        value = value.strip()
        if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
            value = value[1:-1]
        if colon and key in _KNOWN:
            front.values[key] = value
        elif line.strip() and not line.lstrip().startswith("#"):
            front.unknown.append(key if colon and key.isidentifier() else "a line without a key")
    return front


def markdown_headings(text: str, start: int = 0) -> list[Heading]:
    """Return the ``#`` headings from ``start`` on, those in fenced code left out."""
    fences = [match.start() for match in _FENCE.finditer(text, start)]
    spans = list(zip(fences[::2], [*fences[1::2], len(text)], strict=False))
    found: list[Heading] = []
    above: list[tuple[int, str]] = []
    for match in _HEADING.finditer(text, start):
        name = match["name"].strip()
        if (closed := name.rstrip("#")) != name and (not closed or closed[-1].isspace()):
            name = closed.strip()
        if not name or any(opening <= match.start() < closing for opening, closing in spans):
            continue
        level = len(match["level"])
        above = [(lower, title) for lower, title in above if lower < level] + [(level, name)]
        found.append(Heading(name, " > ".join(title for _, title in above), level, match.start(), match.end()))
    return found


def _check(front: FrontMatter, path: Path) -> None:
    values = front.values
    for key in ("patient", "encounter"):
        if key in values and not _is_id(values[key]):
            raise InputError("GKB-407", where=f"{path}, front matter", detail=f"{key} is not a string of digits")
    if "published" in values and not _DATE.fullmatch(values["published"]):
        raise InputError("GKB-407", where=f"{path}, front matter",
                         detail="published is not YYYY, YYYY-MM or YYYY-MM-DD")
    if "kind" in values and values["kind"] not in KINDS:
        raise InputError("GKB-407", where=f"{path}, front matter", detail=f"kind is none of {', '.join(KINDS)}")


def _is_id(value: str) -> bool:
    return value.isascii() and value.isdigit()
