"""A sentence before it is checked, and how an answer's evidence is numbered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from graphkb import ids
from graphkb.model import Evidence


@dataclass(frozen=True, slots=True)
class Draft:
    """A sentence with its evidence.

    ``form`` is ``verbatim`` where the text is a stretch of the first evidence's text, ``composed`` where names and
    numbers of the evidence stand in a fixed frame. A composed sentence says which ``names`` it takes from the evidence,
    and in which ``state`` it tells a finding ("absent", "stopped", ...), so that both can be checked.
    """

    text: str
    evidence: tuple[Evidence, ...]
    form: Literal["verbatim", "composed"]
    score: float
    names: tuple[str, ...] = ()
    state: str = ""


def narrow(evidence: Evidence, start: int, end: int, score: float, why: str) -> Evidence:
    """Return the evidence cut to ``text[start:end]`` of itself, with the document offsets moved along."""
    text = evidence.text[start:end]
    location = dict(evidence.location)
    if "start" in location:
        location = {**location, "start": evidence.location["start"] + start, "end": evidence.location["start"] + end}
    return replace(evidence, id=f"{evidence.id}:{start}-{end}", text=text, location=location, score=score, why=why,
                   sha256=ids.text_sha256(text))


def number(drafts: Sequence[Draft]) -> tuple[list[Evidence], list[tuple[int, ...]]]:
    """Return all evidence once, in order of first use, and each draft's numbers (1-based)."""
    order: dict[str, int] = {}
    evidence: list[Evidence] = []
    numbers: list[tuple[int, ...]] = []
    for draft in drafts:
        own: list[int] = []
        for piece in draft.evidence:
            if piece.id not in order:
                order[piece.id] = len(evidence) + 1
                evidence.append(piece)
            if order[piece.id] not in own:
                own.append(order[piece.id])
        numbers.append(tuple(own))
    return evidence, numbers
