"""Choosing among options by evidence.

An option is worth what its best sentence is: how much of the option stands in it, how much of the question does, and
how near the sentence is to question and option together. The choice abstains where no option stands in evidence, or
where two are as good as each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from graphkb.answer.extract import Candidate, candidates, coverage
from graphkb.answer.question import Part
from graphkb.embed import Encoder, encode_pooled
from graphkb.model import Evidence
from ingestion.lexicon import Lexicon
from retrieval.text import terms

MARGIN = 0.03
LEAST = 0.3


@dataclass(frozen=True, slots=True)
class Choice:
    """The options with what each is worth, best first; ``best`` is None where none can be chosen."""

    best: str | None
    sentence: Candidate | None
    worth: dict[str, float]
    missing: str = ""


def choose(part: Part, options: Sequence[str], pieces: Sequence[Evidence], rarity: Mapping[str, float],
           encoder: Encoder, lexicon: Lexicon) -> Choice:
    """Return the option that the evidence supports best."""
    scored: list[tuple[float, str, Candidate]] = []
    asked = part.wanted
    vectors = [encode_pooled(encoder, f"{part.text} {option}")[0] for option in options]
    pool = candidates(pieces, np.mean(vectors, axis=0), part, rarity, encoder, lexicon)
    worth = dict.fromkeys(options, 0.0)
    for option, vector in zip(options, vectors, strict=True):
        own = frozenset(terms(option))
        weights = {term: rarity.get(term, 1.0) for term in own | asked}
        for candidate in pool:
            named = coverage(candidate.span.own, own, weights)
            rest = coverage(candidate.terms, asked - own, weights)
            value = named * (0.5 * float(candidate.vector @ vector) + 0.5 * rest)
            worth[option] = max(worth[option], value)
            scored.append((value, option, candidate))
    if not scored:
        return Choice(None, None, worth, "No evidence was found for any option.")
    value, option, sentence = max(scored, key=lambda item: (item[0], item[1]))
    second = max((w for other, w in worth.items() if other != option), default=0.0)
    if value < LEAST:
        return Choice(None, None, worth, "No option stands in evidence that answers the question.")
    if value - second < MARGIN:
        return Choice(None, None, worth, "The evidence does not tell the options apart.")
    return Choice(option, sentence, worth)
