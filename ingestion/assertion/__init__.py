"""Whether a name in a note is asserted, about whom, and when.

The rules are data (``rules.toml``, which names the papers whose ideas it follows); ``docs/assertion.md`` says what each
value means and how well the rules do.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from graphkb.model.graph import Assertion, Experiencer, Temporality
from graphkb.model.records import Section
from ingestion import sections as note_sections
from ingestion import sentences as splitter
from ingestion.assertion.rules import tokens
from ingestion.assertion.scope import Sentence

VERSION = "assertion-1"


@dataclass(frozen=True, slots=True)
class Status:
    """The state of one mention.

    ``allergy``: the name is an allergen (or the reaction to it), not a drug that is taken; its assertion is then
    ``conditional``, or ``absent`` where the allergy is denied.
    """

    assertion: Assertion = "present"
    experiencer: Experiencer = "patient"
    temporality: Temporality = "current"
    allergy: bool = False


def classify(
    text: str,
    sections: Sequence[Section],
    sentences: Sequence[tuple[int, int]] | None,
    spans: Sequence[tuple[int, int]],
) -> list[Status]:
    """Return the status of each span, in the order given.

    Parameters
    ----------
    text
        The whole document.
    sections
        Its sections, disjoint and in order (`ingestion.sections.split`); an article's sections change nothing.
    sentences
        Its sentences' offsets in order; split here where None.
    spans
        Offsets of the names in ``text``.

    Examples
    --------
    >>> text = "Denies fever and cough. Father had MI."
    >>> [(s.assertion, s.experiencer) for s in classify(text, (), None, [(7, 12), (17, 22), (35, 37)])]
    [('absent', 'patient'), ('absent', 'patient'), ('present', 'family')]
    """
    bounds = splitter.split(text) if sentences is None else sentences
    sentence_starts = [start for start, _ in bounds]
    section_starts = [section.start for section in sections]
    read: dict[tuple[int, int], Sentence] = {}
    found: list[Status] = []
    for start, end in spans:
        s = bisect_right(section_starts, start) - 1
        section = sections[s] if s >= 0 and start < sections[s].end else None
        role = note_sections.role(section.name) if section else ""
        i = bisect_right(sentence_starts, start) - 1
        low, high = bounds[i] if i >= 0 else (0, len(text))
        low, high = (max(low, section.start), min(high, section.end)) if section else (low, high)
        high = max(high, end)
        sentence = read.get((low, high))
        if sentence is None:
            sentence = read[low, high] = Sentence(tokens(text, low, high), role)
        found.append(_status(sentence, role, start, end))
    return found


def _status(sentence: Sentence, role: str, start: int, end: int) -> Status:
    first = bisect_right(sentence.ends, start)
    last = bisect_right(sentence.starts, end - 1) - 1
    said: dict[str, int] = {}
    if first < len(sentence.words):
        said.update(sentence.painted.before[first] or sentence.inside(first, last))
    if 0 <= last < len(sentence.words):
        said = {**sentence.painted.after[last], **said}
    allergy = "allergy" in said or role == "allergies"
    experiencer = _experiencer(said, role)
    assertion = _assertion(said, allergy)
    if assertion == "absent" or experiencer != "patient":
        return Status(assertion, experiencer, "current", allergy)
    return Status(assertion, experiencer, _temporality(said, role, assertion), allergy)


def _experiencer(said: dict[str, int], role: str) -> Experiencer:
    family, other = said.get("family", -1), said.get("other", -1)
    if family >= 0 or other >= 0:
        return "family" if family >= other else "other"
    return "family" if role == "family_history" else "patient"


def _assertion(said: dict[str, int], allergy: bool) -> Assertion:
    if "hypothetical" in said:
        return "hypothetical"
    if "absent" in said:
        return "absent"
    if "possible" in said:
        return "possible"
    return "conditional" if allergy or "conditional" in said else "present"


def _temporality(said: dict[str, int], role: str, assertion: Assertion) -> Temporality:
    if "stopped" in said:
        return "stopped"
    if "planned" in said:
        return "planned"
    if "historical" in said:
        return "historical"
    past = role in ("past_history", "medications_admission") and assertion == "present"
    return "historical" if past else "current"
