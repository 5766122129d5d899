"""Sentences from text evidence that answer a question.

Each sentence of the retrieved pieces is scored by the cosine of its vector with the question's and by the share of
the question's terms it has, weighted by their rarity. Sentences are then taken greedily: each next one must bring
terms that the answer has not yet, or be nearly as good as the first, and must not repeat what is there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphkb.answer.draft import Draft, narrow
from graphkb.embed import Encoder
from graphkb.model import Evidence
from ingestion import sentences
from retrieval.text import terms

# A sentence that leans on the one before it is hard to read alone.
_LEANING = re.compile(r"(?:It|They|This|These|Those|He|She|However|Therefore|Thus|Moreover|Furthermore|In addition"
                      r"|For example|For instance|Additionally|Similarly|Hence|Such)\b")
_INK = re.compile(r"\w")
MIN_WORDS, MAX_WORDS = 5, 70
REPEAT = 0.88


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence of a piece of evidence: ``piece.text[start:end]``."""

    piece: Evidence
    start: int
    end: int
    terms: frozenset[str]
    cosine: float
    coverage: float
    score: float
    vector: NDArray[np.float32]

    @property
    def text(self) -> str:
        """The sentence as it stands."""
        return self.piece.text[self.start:self.end]

    def draft(self) -> Draft:
        """Return it as a sentence of an answer."""
        why = f"cosine {self.cosine:.2f}, covers {self.coverage:.0%} of the question's terms; {self.piece.why}"
        evidence = narrow(self.piece, self.start, self.end, self.score, why)
        return Draft(" ".join(self.text.split()), (evidence,), "verbatim", self.score)


def coverage(found: frozenset[str], asked: frozenset[str], rarity: Mapping[str, float]) -> float:
    """Return the share of the asked terms that were found, weighted by rarity: 0 to 1."""
    total = sum(rarity[term] for term in asked)
    return sum(rarity[term] for term in asked & found) / total if total else 0.0


def candidates(pieces: Sequence[Evidence], question: NDArray[np.float32], asked: frozenset[str],
               rarity: Mapping[str, float], encoder: Encoder) -> list[Candidate]:
    """Return the scored sentences of text evidence, best first."""
    spans = [(piece, start, end) for piece in pieces if piece.kind == "span"
             for start, end in sentences.split(piece.text)
             if _readable(piece.text[start:end]) and encoder.count_tokens(piece.text[start:end]) <= _limit(encoder)]
    if not spans:
        return []
    vectors = encoder.encode([" ".join(piece.text[start:end].split()) for piece, start, end in spans])
    cosines = vectors @ question
    found = []
    for (piece, start, end), vector, cosine in zip(spans, vectors, cosines, strict=True):
        text = piece.text[start:end]
        own = frozenset(terms(text))
        # what the title or the heading names need not be said again in the sentence, but saying it is better
        context = own | frozenset(terms(f"{piece.title} {piece.section}")) if piece.tier != "user" else own
        share = coverage(context, asked, rarity)
        score = 0.6 * float(cosine) + 0.2 * share + 0.2 * coverage(own, asked, rarity)
        if _LEANING.match(text.lstrip()):
            score -= 0.06
        found.append(Candidate(piece, start, end, context, float(cosine), share, score, vector))
    return sorted(found, key=lambda c: (-c.score, c.piece.id, c.start))


def _limit(encoder: Encoder) -> int:
    return encoder.stamp.max_tokens


def _readable(text: str) -> bool:
    words = [word for word in text.split() if _INK.search(word)]
    whole = text.rstrip().endswith((".", "!", "?", ".”", '."', ")")) or len(words) >= 2 * MIN_WORDS
    return MIN_WORDS <= len(words) <= MAX_WORDS and " | " not in text and whole


def select(found: Sequence[Candidate], asked: frozenset[str], rarity: Mapping[str, float], most: int,
           margin: float = 0.1) -> list[Candidate]:
    """Choose at most ``most`` sentences, in the order of choice."""
    chosen: list[Candidate] = []
    have: frozenset[str] = frozenset()
    pool = list(found)
    while pool and len(chosen) < most:
        best = max(pool, key=lambda c: (c.score + 0.5 * _gain(c, have, asked, rarity), -c.start))
        new = _gain(best, have, asked, rarity)
        if chosen and new < 0.15 and (best.score < chosen[0].score - margin
                                      or best.coverage < chosen[0].coverage - 0.1):
            pool = [c for c in pool if c is not best]
            continue
        chosen.append(best)
        have |= best.terms
        pool = [c for c in pool if c is not best and float(c.vector @ best.vector) < REPEAT]
    return chosen


def _gain(candidate: Candidate, have: frozenset[str], asked: frozenset[str], rarity: Mapping[str, float]) -> float:
    return coverage(candidate.terms | have, asked, rarity) - coverage(have, asked, rarity)
