"""Check each sentence against the store: its evidence is still there, says it, and its numbers are the evidence's.

A verbatim sentence must stand in its evidence character by character. A composed one may use only names that its
evidence has, in its fixed frame; every number in it must be a number of the evidence. What fails is struck.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from graphkb import ids
from graphkb.answer.draft import Draft
from graphkb.model import Evidence

_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_SPACE = re.compile(r"\s+")
Reread = Callable[[Evidence], bool]


def numbers(text: str) -> set[str]:
    """Return the numbers of a text as written: "2.5", "120/80", "2157-11-25"."""
    return set(_NUMBER.findall(text))


def supported(draft: Draft, reread: Reread) -> tuple[bool, str]:
    """Return whether a sentence holds, and the reason where it does not."""
    if not draft.evidence:
        return False, "no evidence"
    for piece in draft.evidence:
        if piece.sha256 != ids.text_sha256(piece.text):
            return False, "evidence text changed"
        if not reread(piece):
            return False, "evidence is not in the store any more"
    said = _SPACE.sub(" ", " ".join(piece.text for piece in draft.evidence))
    if draft.form == "verbatim" and _SPACE.sub(" ", draft.text) not in said:
        return False, "not verbatim"
    known = said + " " + " ".join(f"{piece.title} {piece.section}" for piece in draft.evidence)
    if not numbers(draft.text) <= numbers(known):
        return False, "a number that the evidence does not have"
    folded = known.casefold()
    if any(_SPACE.sub(" ", name).casefold() not in folded for name in draft.names):
        return False, "a name that the evidence does not have"
    if draft.state and any(piece.assertion and state_of(piece.assertion) != draft.state for piece in draft.evidence):
        return False, "a state that the evidence does not have"
    return True, ""


def state_of(assertion: Mapping[str, str]) -> str:
    """Return a mention's state in one word, from its assertion, experiencer and temporality (an allergy is a type)."""
    if assertion["experiencer"] != "patient":
        return "family"
    if assertion["assertion"] != "present":
        return "hypothetical" if assertion["assertion"] == "conditional" else assertion["assertion"]
    return "present" if assertion["temporality"] == "current" else assertion["temporality"]


def verify(drafts: Sequence[Draft], reread: Reread) -> tuple[list[Draft], list[str]]:
    """Return the sentences that hold, and why the others were struck."""
    kept: list[Draft] = []
    struck: list[str] = []
    for draft in drafts:
        holds, reason = supported(draft, reread)
        if holds:
            kept.append(draft)
        else:
            struck.append(reason)
    return kept, struck
