"""Chunks of a text whose lines are the rows of a table: whole lines, cut by section, never by an encoder.

They are shown and cited; nothing is looked for in them, and they have no vectors.
"""

from __future__ import annotations

from collections.abc import Sequence

from graphkb import ids
from graphkb.model import Chunk, Section, SourceDocument

# the kind of documents whose text is made so
TABLE = "table"
VERSION = "lines/1"
MOST_CHARACTERS = 2000


def line_chunks(document: SourceDocument, key: str) -> list[Chunk]:
    """Return the chunks of a document with this key."""
    pieces = cut(document.text, document.sections, MOST_CHARACTERS)
    return [Chunk(ids.chunk(key, start, end, VERSION), key, start, end, ordinal, document.text[start:end], section)
            for ordinal, (start, end, section) in enumerate(pieces)]


def cut(text: str, sections: Sequence[Section], most: int) -> list[tuple[int, int, str]]:
    """Return (start, end, section) of pieces of whole lines that cover the text, none over ``most`` but a long line.

    A section's heading stands with its first lines.
    """
    name_at = {section.start: section.name for section in sections}
    pieces: list[tuple[int, int, str]] = []
    name, start, at = "", 0, 0
    for line in text.splitlines(keepends=True):
        following = at + len(line)
        if at and (heading := name_at.get(following)) is not None:
            pieces.append((start, at, name))
            start, name = at, heading
        elif not at:
            name = name_at.get(following, "")
        elif following - start > most and at > start and name_at.get(at) is None:
            pieces.append((start, at, name))
            start = at
        at = following
    pieces.append((start, at, name))
    trimmed = ((begin, begin + len(text[begin:end].rstrip()), section) for begin, end, section in pieces)
    return [piece for piece in trimmed if piece[1] > piece[0]]
