"""Abbreviations that a text defines itself: "acute renal failure (ARF)".

The method is that of Schwartz and Hearst 2003, "A simple algorithm for identifying abbreviation definitions in
biomedical text", PSB 8:451-462 (figure 1): the letters of the short form are sought from right to left in at most
``min(n + 5, 2 n)`` words before the bracket; the first one must begin a word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_BRACKET = re.compile(r"[(\[]([^()\[\]\n]{2,60})[)\]]")
_SHORT = re.compile(r"[^\W_][\w/+.'-]{1,9}")
_WORD = re.compile(r"\S+")
_BREAK = re.compile(r"[.;:!?]\s|\n\s*\n")


@dataclass(frozen=True, slots=True)
class Definition:
    """A short form and the span of its long form."""

    short: str
    short_start: int
    start: int
    end: int


def _long_start(short: str, before: str) -> int | None:
    """Return where the long form starts in the text before the bracket, or None where the letters do not fit."""
    at = len(before)
    for index in range(len(short) - 1, -1, -1):
        char = short[index].lower()
        if not char.isalnum():
            continue
        at -= 1
        while at >= 0 and (before[at].lower() != char or (index == 0 and at > 0 and before[at - 1].isalnum())):
            at -= 1
        if at < 0:
            return None
    return before.rfind(" ", 0, at) + 1 if at > 0 and not before[at - 1].isspace() and before[at - 1] != "-" else at


def _acceptable(short: str) -> bool:
    return (_SHORT.fullmatch(short) is not None and any(map(str.isalpha, short))
            and sum(map(str.isupper, short)) >= 1 and not short.isdigit())


def find_definitions(text: str) -> list[Definition]:
    """Return the definitions of a text in order, each short form once (the first definition counts)."""
    found: dict[str, Definition] = {}
    for bracket in _BRACKET.finditer(text):
        inner = re.split(r"[;,]\s", bracket[1], maxsplit=1)[0].strip().strip("\"'")
        if not _acceptable(inner) or inner in found:
            continue
        left = max(0, bracket.start() - 120)
        breaks = [match.end() for match in _BREAK.finditer(text, left, bracket.start())]
        left = breaks[-1] if breaks else left
        words = list(_WORD.finditer(text, left, bracket.start()))
        most = min(len(inner) + 5, 2 * len(inner))
        if not words:
            continue
        start = words[max(0, len(words) - most)].start()
        end = words[-1].end()
        offset = _long_start(inner, text[start:end])
        if offset is None or end - (start + offset) <= len(inner):
            continue
        found[inner] = Definition(inner, text.index(inner, bracket.start()), start + offset, end)
    return list(found.values())
