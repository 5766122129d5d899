"""All that looks like a personal identifier in a text, without overlaps."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ingestion.phi import names
from ingestion.phi.patterns import PATTERNS


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """``text[start:end]`` looks like an identifier of this kind."""

    start: int
    end: int
    kind: str


def find(text: str, more: Iterable[Finding] = ()) -> list[Finding]:
    """Return what own recognisers find, and ``more``, in order; of overlapping findings the earlier and longer one.

    Kinds: NAME, DATE, RECORD (numbers of records, accounts, licences), PHONE, SSN, EMAIL, URL, IP, ADDRESS, AGE (over
    89), and those of ``more``.
    """
    found = list(more)
    for kind, pattern in PATTERNS:
        group = 1 if pattern.groups else 0
        found += [Finding(*match.span(group), kind) for match in pattern.finditer(text)]
    found += [Finding(*span, "NAME") for recogniser in (names.by_cue, names.by_list) for span in recogniser(text)]
    rank = {kind: number for number, (kind, _) in reversed(list(enumerate(PATTERNS)))}
    found.sort(key=lambda f: (f.start, -f.end, rank.get(f.kind, len(rank)), f.kind))
    kept: list[Finding] = []
    for one in found:
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
        elif one.end > kept[-1].end:  # two that overlap are masked as one
            kept[-1] = Finding(kept[-1].start, one.end, kept[-1].kind)
    return kept
