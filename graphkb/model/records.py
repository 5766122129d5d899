"""What a reader yields: documents with provenance, and a report of what was kept and rejected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, Protocol

Tier = Literal["user", "literature", "vocabulary"]
FactKind = Literal["HAS_DIAGNOSIS", "HAS_PROCEDURE", "PRESCRIBED", "HAS_LAB", "ADMINISTERED", "HAS_OBSERVATION",
                   "TESTED", "GREW", "STAYED_IN", "ORDERED", "BILLED_AS"]
Scalar = str | int | float | bool
Polarity = Literal["affirmed", "negated"]


@dataclass(frozen=True, slots=True)
class SourceInfo:
    """Where documents come from; becomes a `Source` node."""

    name: str
    version: str
    licence: str = ""
    restriction: int = 0
    citation: str = ""
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A stretch of a document's text under one heading, ``text[start:end]`` (the heading not included)."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Patient:
    """A row of the patients table. Dates are the patient's own shifted clock."""

    subject_id: str
    gender: str | None = None
    anchor_age: int | None = None
    anchor_year: int | None = None
    died: str | None = None


@dataclass(frozen=True, slots=True)
class Encounter:
    """A row of the admissions table. Times are ISO 8601 on the patient's own shifted clock."""

    hadm_id: str
    subject_id: str
    admitted: str | None = None
    discharged: str | None = None
    type: str | None = None
    disposition: str | None = None


@dataclass(frozen=True, slots=True)
class Fact:
    """One structured row about an encounter, or about the patient where the row has no ``hadm_id``.

    Attributes
    ----------
    kind
        The relationship type it becomes.
    row
        ``table:n`` with n the 1-based data row in the source file, or ``table:what`` for all rows of the owner about
        one thing (``labevents:50912[mg/dL]``): with the owner it is the fact's identity.
    name
        The title or drug name as the table has it; may be empty where only a code is known.
    vocabulary, code
        ``ICD9CM`` (diagnoses and procedures), ``ICD10CM`` or ``ICD10PCS``, and the code with its dot; ``HCPCS``; or
        one of MIMIC's own (``MIMICLAB``, ``MIMICITEM``, ...); empty for a drug name.
    also
        CURIEs that mean the same, tried in order where the vocabulary lacks the code.
    properties
        Typed values (dose, route, start, stop, seq_num, drug_type, flags, ...); absent ones are left out.
    start, end
        The line of the document's text that shows the row, ``text[start:end]``; both 0 where there is none.
    """

    kind: FactKind
    row: str
    name: str
    vocabulary: str = ""
    code: str = ""
    properties: dict[str, Scalar | list[str]] = field(default_factory=dict)
    start: int = 0
    end: int = 0
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Annotation:
    """A mention that the source itself marks in the text, ``text[start:end]``, with its codes where it gives them.

    ``codes`` are CURIEs by the vocabulary's own abbreviation (``MSH:D003000``); ``type`` is the source's word for it.
    """

    start: int
    end: int
    type: str
    codes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GivenStatement:
    """A statement that the source itself makes (a triple, an annotated relation), shown by ``text[start:end]``.

    ``subject`` and ``object`` are names; the codes are CURIEs, empty where the source has only the name.
    """

    subject: str
    predicate: str
    object: str
    start: int
    end: int
    subject_code: str = ""
    object_code: str = ""
    polarity: Polarity = "affirmed"
    certainty: float = 1.0


@dataclass(frozen=True, slots=True)
class PageLayout:
    """Where a text stands on its pages: the pages' sizes, and (start, end, page, x0, y0, x1, y1) of each line.

    Points from the top left of the page as it is shown; the first page is 1.
    """

    pages: tuple[tuple[float, float], ...] = ()
    lines: tuple[tuple[int, int, int, float, float, float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """One record from a source: a note, an article, a text file, or the table rows of one encounter.

    ``text`` is what offsets count in. ``sections`` are disjoint and in order; text outside them has no section.

    Attributes
    ----------
    revision
        Where a source gives a record several times: a string that sorts later ones behind; an earlier one never
        takes the place of a later one. ``""`` where the last one taken in counts.
    retracts
        Forms (``doi:10.1/x``, ``pmid:1``) of what this document is a notice of retraction about.
    says_retracted
        Date since which the record itself says that it is retracted (``0000``: it gives none).
    properties
        Anything else that the document node is to have, by name.
    """

    source: SourceInfo
    record: str
    title: str
    text: str
    tier: Tier
    kind: str
    path: str = ""
    sections: tuple[Section, ...] = ()
    published: str | None = None
    effective_from: str | None = None
    patient: Patient | None = None
    encounter: Encounter | None = None
    facts: tuple[Fact, ...] = ()
    identifiers: dict[str, str] = field(default_factory=dict)
    annotations: tuple[Annotation, ...] = ()
    statements: tuple[GivenStatement, ...] = ()
    revision: str = ""
    retracts: tuple[str, ...] = ()
    says_retracted: str | None = None
    properties: dict[str, Scalar | list[str]] = field(default_factory=dict)
    layout: PageLayout | None = None


@dataclass(frozen=True, slots=True)
class Deletion:
    """What a source says of a record that it has withdrawn; of no effect on a later revision of it."""

    source: str
    record: str
    revision: str


@dataclass(frozen=True, slots=True)
class Rejection:
    """A row or record that was not taken, and why. ``code`` is a GKB code; ``reason`` holds no record text."""

    file: str
    row: int | None
    code: str
    reason: str


@dataclass(slots=True)
class ReadReport:
    """Rows in = rows kept + rows rejected (+ rows left out on purpose), per file.

    At most `keep_examples` rejections of a file are kept whole.
    """

    keep_examples: int = 100
    rows_in: Counter[str] = field(default_factory=Counter)
    kept: Counter[str] = field(default_factory=Counter)
    rejected: Counter[str] = field(default_factory=Counter)
    reasons: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    examples: list[Rejection] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    left_out: Counter[tuple[str, str]] = field(default_factory=Counter)

    def leave_out(self, file: str, reason: str, rows: int = 1) -> None:
        """Count rows that are well formed and not wanted, by a setting or because the source suppresses them."""
        self.rows_in[file] += rows
        self.left_out[file, reason] += rows

    def keep(self, file: str, rows: int = 1) -> None:
        """Count rows that were read and taken."""
        self.rows_in[file] += rows
        self.kept[file] += rows

    def reject(self, file: str, row: int | None, code: str, reason: str) -> None:
        """Count one row that was read and not taken."""
        self.rows_in[file] += 1
        self.rejected[file] += 1
        self.reasons[(file, code, reason)] += 1
        if self.rejected[file] <= self.keep_examples:
            self.examples.append(Rejection(file, row, code, reason))

    def balanced(self) -> bool:
        """Whether rows in = kept + rejected + left out for every file."""
        out: Counter[str] = Counter()
        for (file, _), rows in self.left_out.items():
            out[file] += rows
        return all(self.rows_in[f] == self.kept[f] + self.rejected[f] + out[f] for f in self.rows_in)


class Source(Protocol):
    """A source of documents: a name, and an iterator that reports as it goes."""

    name: str

    def documents(self, report: ReadReport) -> Iterator[SourceDocument]:
        """Yield documents in a fixed order; count every row in ``report``; raise `InputError` only where
        nothing of the input can be taken.
        """
        ...
