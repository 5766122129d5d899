"""Sentences from text evidence that answer a question.

Each sentence of the retrieved pieces is scored by the cosine of its vector with the question's and by the share of
what is asked that it has (terms weighted by rarity, and aims). Sentences are then taken greedily: each next one must
be about the same thing, bring what the answer has not yet or be nearly as good as the first, and not repeat it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphkb.answer import aims
from graphkb.answer.draft import Draft, narrow
from graphkb.answer.question import Part
from graphkb.embed import Encoder
from graphkb.model import Evidence
from ingestion import sentences
from ingestion.lexicon import Lexicon
from retrieval.text import terms

# A sentence that leans on the one before it is shown with it.
_LEANING = re.compile(r"(?:It|They|This|These|Those|He|She|However|Therefore|Thus|Moreover|Furthermore|In addition"
                      r"|For example|For instance|Some of (?:these|those)|Both|Additionally"
                      r"|Similarly|Hence|Such|Conversely|Its|Their)\b")
# Sentences that point somewhere else instead of saying something.
_POINTING = re.compile(
    r"^\W*(?:sources?|see|for more|figure|table|fig\.|references?|attribution)\b|\bcan be found (?:in|at|on)\b"
    r"|\bfor (?:more|further) (?:information|detail)|\b(?:is|are) (?:shown|listed|presented|given) in\b"
    r"|\bsee (?:table|figure|chapter|section|also|this)\b|\bflow diagram\b|\bdiscussed (?:later|earlier)\b",
    re.IGNORECASE)
_BULLET = re.compile(r"\s*(?:[-*•#]+|\d{1,2}[.)])\s+")
_INK = re.compile(r"\w")
MIN_WORDS, MAX_WORDS = 5, 90
MIN_NOTE_WORDS = 2
MOST_ENCODED = 24
MOST_CHOSEN = 4
REPEAT = 0.88
MARGIN = 0.06
ALIKE = 5
UNKNOWN, LACKING = 0.5, 0.8


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a piece of evidence with the terms it has itself and with its headings."""

    piece: Evidence
    start: int
    end: int
    own: frozenset[str]
    terms: frozenset[str]
    about: bool

    @property
    def text(self) -> str:
        """The stretch as it stands."""
        return self.piece.text[self.start:self.end]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A stretch with its score."""

    span: Span
    cosine: float
    coverage: float
    score: float
    vector: NDArray[np.float32]

    @property
    def terms(self) -> frozenset[str]:
        """What it has, its headings included."""
        return self.span.terms

    def draft(self) -> Draft:
        """Return it as a sentence of an answer."""
        span = self.span
        why = f"cosine {self.cosine:.2f}, covers {self.coverage:.0%} of what is asked; {span.piece.why}"
        evidence = narrow(span.piece, span.start, span.end, round(self.score, 4), why)
        return Draft(" ".join(span.text.split()), (evidence,), "verbatim", self.score)


def coverage(found: frozenset[str], asked: frozenset[str], rarity: Mapping[str, float]) -> float:
    """Return the share of what is asked that was found, weighted by rarity: 0 to 1."""
    total = sum(rarity[term] for term in asked)
    return sum(rarity[term] for term in asked & found) / total if total else 0.0


def candidates(pieces: Sequence[Evidence], question: NDArray[np.float32], part: Part, rarity: Mapping[str, float],
               encoder: Encoder, lexicon: Lexicon) -> list[Candidate]:
    """Return the scored sentences of text evidence, best first; at most `MOST_ENCODED` are looked at by meaning."""
    spans = [span for piece in pieces if piece.kind == "span" for span in _spans(piece, part, lexicon)]
    worth = {id(span): _lexical(span, part.wanted, rarity) for span in spans}
    spans.sort(key=lambda span: (-worth[id(span)], span.piece.id, span.start))
    spans = [span for span in spans[:MOST_ENCODED] if encoder.count_tokens(span.text) <= encoder.stamp.max_tokens]
    if not spans:
        return []
    vectors = encoder.encode([" ".join(span.text.split()) for span in spans])
    found = []
    for span, vector, cosine in zip(spans, vectors, vectors @ question, strict=True):
        score = 0.5 * float(cosine) + 0.5 * worth[id(span)] - (0.0 if span.about else 0.3)
        found.append(Candidate(span, float(cosine), coverage(span.terms, part.wanted, rarity), score, vector))
    return sorted(found, key=lambda c: (-c.score, c.span.piece.id, c.span.start))


def _lexical(span: Span, asked: frozenset[str], rarity: Mapping[str, float]) -> float:
    # what the title or the heading names need not be said again in the sentence, but saying it is better
    return 0.7 * coverage(span.terms, asked, rarity) + 0.3 * coverage(span.own, asked, rarity)


def _spans(piece: Evidence, part: Part, lexicon: Lexicon) -> Iterator[Span]:
    heads = frozenset(terms(f"{piece.title} {piece.section}")) if piece.tier != "user" else frozenset[str]()
    named = _named(piece, part, lexicon)
    previous: tuple[int, int] | None = None
    for start, end in sentences.split(piece.text):
        bullet = _BULLET.match(piece.text, start, end)
        start = bullet.end() if bullet else start
        first = start
        if previous and _LEANING.match(piece.text, start) and not (
                _LEANING.match(piece.text, previous[0]) or "\n\n" in piece.text[previous[1]:start]):
            first = previous[0]
        previous = (start, end)
        text = piece.text[first:end]
        if not _readable(text, piece.tier == "user"):
            continue
        own = frozenset(terms(text))
        own |= {term for term in part.asked if any(_alike(term, other) for other in own)}
        own |= {term for s, e, group in named if first <= s and e <= end for term in group}
        own |= frozenset(aims.shown(text, part.aims))
        whole = own | heads
        yield Span(piece, first, end, own, whole, not part.names or any(group <= whole for group in part.names))


def _named(piece: Evidence, part: Part, lexicon: Lexicon) -> list[tuple[int, int, frozenset[str]]]:
    """Return where a piece names what the question names, in whatever words: the question's terms for it."""
    if not part.concepts.intersection(piece.concepts):
        return []
    wanted = [(frozenset(focus.concepts), frozenset(terms(focus.text))) for focus in part.focus]
    return [(match.start, match.end, group) for match in lexicon.find(piece.text, ()) for concepts, group in wanted
            if concepts.intersection(link.concept for link in match.candidates)]


def _alike(one: str, other: str) -> bool:
    return min(len(one), len(other)) >= ALIKE and (one.startswith(other) or other.startswith(one))


def _readable(text: str, note: bool) -> bool:
    words = [word for word in text.split() if _INK.search(word)]
    whole = text.rstrip().endswith((".", "!", "?", ".”", '."', ")")) or len(words) >= 2 * MIN_WORDS or (
        note or ": " in text)
    least = MIN_NOTE_WORDS if note else 3 if ": " in text else MIN_WORDS
    return least <= len(words) <= MAX_WORDS and " | " not in text and whole and not _POINTING.search(text)


def select(found: Sequence[Candidate], asked: frozenset[str], rarity: Mapping[str, float],
           most: int) -> list[Candidate]:
    """Choose at most ``most`` sentences, in the order of choice."""
    chosen: list[Candidate] = []
    have: frozenset[str] = frozenset()
    pool = list(found)
    while pool and len(chosen) < min(most, MOST_CHOSEN):
        best = max(pool, key=lambda c: (c.score + 0.3 * _gain(c, have, asked, rarity), -c.span.start))
        pool = [c for c in pool if c is not best]
        if chosen and not _worthy(best, chosen[0], _gain(best, have, asked, rarity)):
            continue
        chosen.append(best)
        have |= best.terms
        pool = [c for c in pool if float(c.vector @ best.vector) < REPEAT and not _overlap(c.span, best.span)]
    return chosen


def _worthy(candidate: Candidate, first: Candidate, gain: float) -> bool:
    near = candidate.score >= first.score - MARGIN and candidate.coverage >= first.coverage - 0.05
    return candidate.span.about and (near or (gain >= 0.15 and candidate.score >= first.score - 3 * MARGIN))


def _overlap(one: Span, other: Span) -> bool:
    return one.piece.id == other.piece.id and one.start < other.end and other.start < one.end


def in_order(chosen: Sequence[Candidate]) -> list[Candidate]:
    """Return the sentences as they read best: a document's together and in their places, the best document first."""
    rank: dict[str, int] = {}
    for candidate in chosen:
        rank.setdefault(candidate.span.piece.document, len(rank))
    return sorted(chosen, key=lambda c: (rank[c.span.piece.document],
                                         c.span.piece.location.get("start", 0) + c.span.start))


def _gain(candidate: Candidate, have: frozenset[str], asked: frozenset[str], rarity: Mapping[str, float]) -> float:
    return coverage(candidate.terms | have, asked, rarity) - coverage(have, asked, rarity)


def sufficiency(chosen: Sequence[Candidate], asked: frozenset[str], rarity: Mapping[str, float],
                unknown: frozenset[str] = frozenset()) -> float:
    """Return how well the chosen sentences can answer, 0 to 1.

    The best sentence alone counts: its nearness and the share of what is asked that it has; terms gathered from
    sentences about different things are no answer. Less where it lacks an aim or the rarest asked term, and much less
    for each term that no text has at all (``unknown``).
    """
    rarest = max((term for term in asked if not term.startswith("?")), key=lambda term: (rarity[term], term),
                 default="")

    def worth(one: Candidate) -> float:
        lacking = asked - one.terms
        value = 0.3 * min(1.0, max(0.0, (one.cosine - 0.2) / 0.5)) + 0.7 * one.coverage
        value *= UNKNOWN ** min(len(lacking & unknown), 2)
        value *= LACKING if rarest in lacking and not lacking & unknown else 1.0
        return value * LACKING if any(term.startswith("?") for term in lacking) else value

    return max((worth(one) for one in chosen if one.span.about), default=0.0)
