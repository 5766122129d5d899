"""Mentions: the names of the lexicon in a document, chunk by chunk, with their state.

A function of text, sections, sentences, chunks and lexicon, and of nothing else.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from graphkb import ids
from graphkb.model import Chunk, Mention, Section
from ingestion.assertion import classify
from ingestion.lexicon import Lexicon

MAX_CONTEXT = 300


def _chunk_of(chunks: Sequence[Chunk], ends: list[int], start: int, end: int) -> Chunk | None:
    """Return the first chunk (in reading order) that holds the whole span."""
    at = bisect_left(ends, end)
    return chunks[at] if at < len(chunks) and chunks[at].start <= start else None


def context_of(text: str, sentences: Sequence[tuple[int, int]], starts: list[int], start: int, end: int) -> str:
    """Return the sentence around a span, at most `MAX_CONTEXT` characters of it, the span among them."""
    at = bisect_right(starts, start) - 1
    low, high = sentences[at] if at >= 0 and sentences[at][1] > start else (start, end)
    if high - low > MAX_CONTEXT:
        low = max(low, min(start - MAX_CONTEXT // 3, high - MAX_CONTEXT))
        high = min(high, low + MAX_CONTEXT)
    return text[low:high].strip()


def find_mentions(text: str, sections: Sequence[Section], sentences: Sequence[tuple[int, int]],
                  chunks: Sequence[Chunk], lexicon: Lexicon) -> list[Mention]:
    """Return the mentions of a document: one per chunk, name, type and state, with all its spans.

    Parameters
    ----------
    text
        The whole document; sections, sentences, chunks and the spans returned are offsets in it.
    chunks
        In reading order. A span in two overlapping chunks belongs to the first; one that no chunk holds whole is
        left out.
    """
    matches = lexicon.find(text, sections)
    states = classify(text, sections, sentences, [(match.start, match.end) for match in matches])
    starts = [start for start, _ in sentences]
    ends = [chunk.end for chunk in chunks]
    found: dict[str, tuple[Mention, list[tuple[int, int]]]] = {}
    for match, state in zip(matches, states, strict=True):
        chunk = _chunk_of(chunks, ends, match.start, match.end)
        if chunk is None:
            continue
        # an allergen is told apart by its type: it is no drug that is taken
        type_ = "allergy" if state.allergy and match.group == "CHEM" else match.type
        key = ids.mention(chunk.key, match.name, type_, state.assertion, state.experiencer, state.temporality)
        if key not in found:
            mention = Mention(
                key, chunk.key, match.name, type_, (), state.assertion, state.experiencer, state.temporality,
                method=match.candidates[0].method, context=context_of(text, sentences, starts, match.start, match.end),
                links=match.candidates)
            found[key] = mention, []
        found[key][1].append((match.start, match.end))
    return [Mention(m.key, m.chunk, m.name, m.type, tuple(spans), m.assertion, m.experiencer, m.temporality, m.method,
                    m.context, m.links) for m, spans in found.values()]

