"""Which names need evidence, and what counts as evidence.

Folding case turns ALL (a leukaemia) into "all", CAN into "can". A name that is short, an acronym or a common word is
linked only where something besides its letters speaks for it:

* an acronym (two capitals or more in the vocabulary) wants capitals in the text, in a line that is not all capitals;
  from four letters on, lower case will do where it is no common word;
* a name of one or two letters wants more: an item of a clinical list ("PMH: ALL, AS."), a phrase that only a finding
  can follow ("Father had MI", "rule out PE"), or its definition in the same text, which `abbreviations` finds;
* a common word wants capitals and one of the first two.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

CLINICAL_LISTS = frozenset(("allergies", "past_history", "diagnosis", "medications_admission", "medications_discharge",
                            "medications", "chief_complaint", "family_history", "hospital_course", "procedures"))
_LABEL = re.compile(
    r"(?:^|[\s.;])(?:pmhx?|psh|fhx?|hx|history|dx|diagnos[ie]s|impression|problems?|problem list|allergies|meds|"
    r"medications|complaint|cc|indication|issues)\s*(?:\([^)\n]*\))?\s*:[^.\n]*$", re.IGNORECASE)
_BEFORE_ITEM = re.compile(r"(?:^|[\n,;:/(]|\d[.)]|[-*#•]|\band\b|\bor\b)\s*$", re.IGNORECASE)
_AFTER_ITEM = re.compile(r"\s*(?:$|[\n,;:./)(]|and\b|or\b|s/p\b)", re.IGNORECASE)
_BEFORE_FINDING = re.compile(
    r"\b(?:had|rule[sd]?\s+out|r/o|h/o|s/p|denie[sd]|history\s+of|hx\s+of|evidence\s+of|concern\s+for|suspected)\s+"
    r"(?:an?\s+|any\s+|acute\s+|prior\s+|recurrent\s+)?$", re.IGNORECASE)
SHORT = 3


@cache
def common_words() -> frozenset[str]:
    """Return the bundled list of common words."""
    text = files("ingestion.lexicon").joinpath("common_words.txt").read_text(encoding="utf-8")
    return frozenset(word for line in text.splitlines() if not line.startswith("#") for word in line.split())


def is_acronym(name: str) -> bool:
    """Whether a name is written with at least two capitals in one word of at most eight letters."""
    return len(name) <= 8 and name.isalnum() and sum(map(str.isupper, name)) >= 2


def needs_evidence(folded: str, acronym: bool) -> bool:
    """Whether one folded word is too weak to be linked by its letters alone."""
    return acronym or len(folded) <= SHORT or folded in common_words()


def _shouting(line: str) -> bool:
    letters = [char for char in line if char.isalpha()]
    return len(letters) > 12 and sum(map(str.isupper, letters)) > 0.7 * len(letters)


def in_list(text: str, start: int, end: int, role: str) -> bool:
    """Whether the span is an item of a clinical list: by the section's role or by a label on its line."""
    left = text[max(0, start - 200):start]
    line = left[left.rfind("\n") + 1:]
    if not (_BEFORE_ITEM.search(left) and _AFTER_ITEM.match(text, end)):
        return False
    return role in CLINICAL_LISTS or _LABEL.search(line) is not None


def supported(text: str, start: int, end: int, role: str, *, acronym: bool) -> bool:
    """Whether the original text gives a weak name the evidence it needs."""
    surface = text[start:end]
    bare = surface[:-2] if surface[-2:].lower() == "'s" else surface
    folded = bare.lower()
    common = folded in common_words()
    capitals = sum(map(str.isupper, bare)) >= 2
    if capitals:
        line_start, line_end = text.rfind("\n", 0, start) + 1, text.find("\n", end)
        capitals = not _shouting(text[line_start:line_end if line_end >= 0 else len(text)])
    if common or len(folded) < SHORT:
        told = _BEFORE_FINDING.search(text[max(0, start - 40):start]) is not None
        return capitals and acronym and (told or in_list(text, start, end, role))
    if acronym:
        return capitals or (len(folded) > SHORT and not common) or in_list(text, start, end, role)
    return True
