"""Things of the graph, before they are written."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from graphkb.model.records import Fact, SourceDocument

Assertion = Literal["present", "absent", "possible", "conditional", "hypothetical"]
Experiencer = Literal["patient", "family", "other"]
Temporality = Literal["current", "historical", "planned", "stopped"]


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stretch of a document: ``document.text[start:end] == text``, always."""

    key: str
    document: str
    start: int
    end: int
    ordinal: int
    text: str
    section: str = ""
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Link:
    """A mention's link to a concept: 0 < score <= 1; several links are an ambiguity that was kept."""

    concept: str
    score: float
    method: str


@dataclass(frozen=True, slots=True)
class Mention:
    """One name in one chunk in one assertion state, at one or more spans (document offsets).

    ``name`` is the folded alias that matched, ``type`` the semantic type's TUI (or a local type such as ``drug``).
    ``codes`` are CURIEs that its source gives.
    """

    key: str
    chunk: str
    name: str
    type: str
    spans: tuple[tuple[int, int], ...]
    assertion: Assertion = "present"
    experiencer: Experiencer = "patient"
    temporality: Temporality = "current"
    method: str = "dictionary"
    context: str = ""
    links: tuple[Link, ...] = ()
    codes: tuple[str, ...] = ()

    @property
    def ambiguous(self) -> bool:
        """Whether more than one concept is still possible."""
        return len(self.links) > 1


@dataclass(frozen=True, slots=True)
class StatementEvidence:
    """Where a statement stands: document offsets inside one chunk. ``said`` is a source's own word for the relation."""

    chunk: str
    start: int
    end: int
    certainty: float
    method: str
    said: str = ""


@dataclass(frozen=True, slots=True)
class Statement:
    """Subject, predicate, object, polarity, scope (and patient): a claim with at least one piece of evidence."""

    key: str
    subject: str
    predicate: str
    object: str
    polarity: Literal["affirmed", "negated"]
    text: str
    evidence: tuple[StatementEvidence, ...]
    patient: str = ""


@dataclass(frozen=True, slots=True)
class LocalConcept:
    """A concept that no loaded vocabulary has; ``name`` is the same whoever supports it."""

    key: str
    scope: str
    name: str
    types: tuple[str, ...] = ()
    code: str = ""


@dataclass(frozen=True, slots=True)
class LinkedFact:
    """A structured fact with the concept it is about; ``row`` tells it from others of its owner.

    ``method`` says how the concept was found: ``code``, ``gem`` (ICD-9 by its exact ICD-10 equivalent), another
    vocabulary's name (``loinc``, ``ndc``, ...), ``name``, or ``local`` where no vocabulary has it.
    """

    fact: Fact
    concept: str
    method: str = ""


@dataclass(slots=True)
class Prepared:
    """One document made ready by a worker, for the one writer to commit in one transaction."""

    document: SourceDocument
    key: str
    scope: str
    version: str
    pipeline: str
    lexicon: str
    keep_versions: bool = False
    chunks: list[Chunk] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)
    facts: list[LinkedFact] = field(default_factory=list)
    concepts: list[LocalConcept] = field(default_factory=list)
