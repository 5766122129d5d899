"""Evidence, the one currency of retrieval and answers."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from graphkb.model.records import Tier

Kind = Literal["fact", "span", "page_region"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A piece of the graph that can back a sentence.

    ``location`` is ``{"start", "end"}`` in the document's text for a span (a ``bbox`` for a page region, empty for a
    fact without text). ``sha256`` is that of ``text``; verification reads the store again and compares.
    ``assertion`` is ``{"assertion", "experiencer", "temporality"}`` where a mention carries the evidence.
    """

    id: str
    kind: Kind
    text: str
    score: float
    why: str
    tier: Tier
    scope: str
    document: str
    title: str = ""
    section: str = ""
    location: dict[str, Any] = field(default_factory=dict)
    sha256: str = ""
    concepts: tuple[str, ...] = ()
    statement: str | None = None
    chunk: str | None = None
    patient: str | None = None
    valid: dict[str, str] = field(default_factory=dict)
    assertion: dict[str, str] = field(default_factory=dict)

    def scored(self, score: float, why: str) -> Evidence:
        """Return the same evidence with another score and reason."""
        return replace(self, score=score, why=why)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Query:
    """A question as a retriever takes it. ``scopes`` always names what may be read; there is no default of all.

    ``as_of`` is YYYY, YYYY-MM or YYYY-MM-DD on the clock of publication, "" for now; ``release`` is the release of the
    vocabulary that was current then, "" for the one that is loaded.
    """

    question: str
    scopes: tuple[str, ...]
    options: tuple[str, ...] = ()
    patient: str | None = None
    k: int = 10
    tiers: tuple[Tier, ...] = ()
    as_of: str = ""
    release: str = ""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of an answer with the numbers of its evidence (1-based)."""

    text: str
    evidence: tuple[int, ...]
    supported: bool


@dataclass(slots=True)
class Answer:
    """An answer, or an abstention that says what is missing."""

    question: str
    answer: str
    abstained: bool
    confidence: float
    sentences: list[Sentence]
    evidence: list[Evidence]
    method: str
    choice: str | None = None
    conflicts: list[dict[str, Any]] = field(default_factory=list)
    glossary: dict[str, str] = field(default_factory=dict)
    trace: dict[str, Any] = field(default_factory=dict)
    usage: dict[str, float] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as ``ask --json`` prints it."""
        out: dict[str, Any] = {
            "answer": self.answer,
            "abstained": self.abstained,
            "confidence": self.confidence,
            "sentences": [{"text": s.text, "evidence": list(s.evidence), "supported": s.supported}
                          for s in self.sentences],
            "evidence": [{"n": n, **e.to_dict()} for n, e in enumerate(self.evidence, 1)],
            "conflicts": self.conflicts,
            "glossary": self.glossary,
            "method": self.method,
            "trace": self.trace,
            "usage": {"llm_calls": 0, "tokens_in": 0, "tokens_out": 0, "cost": 0.0, **self.usage},
            "bundle": None,
        }
        if self.choice is not None:
            out["choice"] = self.choice
        return out
