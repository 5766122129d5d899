"""Statements read from text by trigger rules, without a model.

Within a sentence, two names that the right words stand between make a statement: "lithium-induced diabetes insipidus"
says ``lithium causes diabetes insipidus``. Only names with one meaning count; what is denied, suspected, or someone
else's makes no statement, and "X does not cause Y" makes a negated one.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from graphkb import ids
from graphkb.model.graph import Chunk, Mention, Statement, StatementEvidence
from graphkb.model.semantic_groups import CHEMICAL_TYPES, DISORDER_TYPES, GROUP_OF
from ingestion.relation_rules import RelationRule, load

VERSION = "statements-1"
METHOD = "trigger"
REACH = 160  # characters between two names
CLEAR = 1.5  # how many times better than the next the best link of an end must be
NAMES_BETWEEN = 6
# Names too general to say anything as the end of a statement.
_VAGUE = frozenset((
    "toxicity", "toxicities", "toxic", "toxic effects", "side effect", "side effects", "adverse effect",
    "adverse effects", "adverse reaction", "adverse reactions", "adverse event", "adverse events", "complication",
    "complications", "disease", "diseases", "disorder", "disorders", "syndrome", "symptom", "symptoms", "condition",
    "problem", "drug", "drugs", "medication", "medications", "agent", "agents",
))
_LOCAL_GROUPS = {"drug": "CHEM", "medication": "CHEM", "chemical": "CHEM", "diagnosis": "DISO", "disorder": "DISO",
                 "disease": "DISO", "procedure": "PROC", "gene": "GENE", "species": "LIVB", "anatomy": "ANAT"}
_OPEN_QUESTION = re.compile(
    r"\b(?:whether|hypothesi[sz]\w*|aim\w* (?:of|to|was)|purpose of|objective|to (?:determine|investigate|evaluate|test"
    r"|examine|study|assess) (?:if|whether)|if|unless)\b", re.IGNORECASE)
_DENIAL = re.compile(r"\b(?:no (?:evidence|association|relationship|link|cases?|reports?|signs?)|neither|not|without"
                     r"|lack of|absence of)\b[^,;:]{0,60}\Z", re.IGNORECASE)
# "dopamine antagonist", "X-induced": what follows the name makes it another thing than the name says
_OTHER_THING = re.compile(r"(?:\s+(?:receptor\s+)?(?:ant)?agonist|\s+(?:inhibitor|blocker|deficiency|levels?|withdrawal"
                          r"|resolved|improved|decreased|disappeared)\b|\s?-\s?(?:induced|treated|associated|related|resistant"
                          r"|like|free)\b)", re.IGNORECASE)
_VERBS = {
    "affects": "affects", "associated_with": "is associated with", "causes": "causes",
    "contraindicated_in": "is contraindicated in", "diagnoses": "diagnoses", "has_phenotype": "presents with",
    "interacts_with": "interacts with", "located_in": "is located in",
    "preventative_for_condition": "prevents", "related_to": "is related to", "subclass_of": "is a kind of",
    "treats": "treats",
}
_DENIED = {
    "affects": "does not affect", "associated_with": "is not associated with", "causes": "does not cause",
    "contraindicated_in": "is not contraindicated in", "diagnoses": "does not diagnose",
    "has_phenotype": "does not present with", "interacts_with": "does not interact with",
    "located_in": "is not located in", "preventative_for_condition": "does not prevent",
    "related_to": "is not related to",
    "subclass_of": "is not a kind of", "treats": "does not treat",
}


@dataclass(frozen=True, slots=True)
class _Name:
    start: int
    end: int
    concept: str
    group: str
    mention: Mention


@dataclass(frozen=True, slots=True)
class _Found:
    rule: RelationRule
    subject: _Name
    object: _Name
    polarity: Literal["affirmed", "negated"]
    certainty: float


def find_statements(
    text: str,
    sentences: Sequence[tuple[int, int]],
    mentions: Sequence[Mention],
    chunks: Sequence[Chunk],
    *,
    scope: str,
    patient: str = "",
    names: Mapping[str, str] | None = None,
) -> list[Statement]:
    """Return the statements of a document, one per key with all its evidence, in the order of their first evidence.

    Parameters
    ----------
    text
        The whole document.
    sentences
        Offsets of its sentences in order.
    mentions
        Its mentions with their links; only those with one link can be an end of a statement.
    chunks
        Its chunks; the evidence of a statement lies inside one.
    scope, patient
        Scope of the statement's key, and the patient it is about, if any.
    names
        Preferred names by concept, for the statement's words; the words of the text where a concept has none.
    """
    found = _outermost(mentions)
    starts = [name.start for name in found]
    by_key = {chunk.key: chunk for chunk in chunks}
    statements: dict[str, Statement] = {}
    for low, high in sentences:
        inside = [n for n in found[bisect_left(starts, low) : bisect_left(starts, high)] if n.end <= high]
        for item in _in_sentence(text, low, inside):
            chunk = by_key.get(item.subject.mention.chunk)
            first, last = sorted((item.subject, item.object), key=lambda n: n.start)
            if chunk is None or first.start < chunk.start or last.end > chunk.end:
                continue
            evidence = StatementEvidence(
                chunk.key, max(low, chunk.start), min(high, chunk.end), item.certainty, f"{METHOD}:{item.rule.name}"
            )
            _add(statements, item, evidence, text, scope, patient, {} if names is None else names)
    return list(statements.values())


def _add(
    statements: dict[str, Statement],
    item: _Found,
    evidence: StatementEvidence,
    text: str,
    scope: str,
    patient: str,
    names: Mapping[str, str],
) -> None:
    subject, object_, predicate = item.subject.concept, item.object.concept, item.rule.predicate
    key = ids.statement(subject, predicate, object_, item.polarity, scope, patient)
    known = statements.get(key)
    if known is None:
        left, right = (
            names.get(end.concept) or re.sub(r"\s+", " ", text[end.start : end.end])
            for end in (item.subject, item.object)
        )
        statements[key] = Statement(
            key, subject, predicate, object_, item.polarity, wording(predicate, item.polarity, left, right),
            (evidence,), patient
        )
        return
    kept = {(e.chunk, e.start, e.end): e for e in known.evidence}
    place = (evidence.chunk, evidence.start, evidence.end)
    if place not in kept or kept[place].certainty < evidence.certainty:
        kept[place] = evidence
    statements[key] = replace(known, evidence=tuple(kept.values()))


def wording(predicate: str, polarity: str, subject: str, object_: str) -> str:
    """Return a statement as a sentence without a full stop."""
    verb = (_VERBS if polarity == "affirmed" else _DENIED)[predicate]
    return f"{subject} {verb} {object_}"


def group_of(type_: str) -> str:
    """Return the semantic group of a mention's type: ``CHEM``, ``DISO``, ``PROC``, ... or ``""``."""
    if type_ in CHEMICAL_TYPES or type_ in DISORDER_TYPES:
        return GROUP_OF[type_]
    return _LOCAL_GROUPS.get(type_) or ("" if type_ == "T050" else GROUP_OF.get(type_, ""))


def _clear(mention: Mention) -> str:
    """Return the concept of a mention whose best link stands out, else ``""``."""
    if mention.name in _VAGUE:
        return ""
    best, *others = sorted((link.score for link in mention.links), reverse=True) or [0.0]
    if not best or (others and best < CLEAR * others[0]):
        return ""
    return max(mention.links, key=lambda link: link.score).concept


def _outermost(mentions: Sequence[Mention]) -> list[_Name]:
    """Names in order of place, none inside another. A span with two mentions, or two meanings, has no concept."""
    at: dict[tuple[int, int], _Name] = {}
    for mention in mentions:
        for start, end in mention.spans:
            concept = "" if mention.type == "allergy" or (start, end) in at else _clear(mention)
            at[start, end] = _Name(start, end, concept, group_of(mention.type), mention)
    outer: list[_Name] = []
    for name in sorted(at.values(), key=lambda n: (n.start, -n.end)):
        if not outer or name.start >= outer[-1].end:
            outer.append(name)
    return outer


def _in_sentence(text: str, low: int, names: list[_Name]) -> Iterator[_Found]:
    question = _OPEN_QUESTION.search(text, low, names[-1].start) if len(names) > 1 else None
    if question is not None:
        names = [name for name in names if name.start < question.start()]
    for i, first in enumerate(names):
        for j in range(i + 1, min(len(names), i + 2 + NAMES_BETWEEN)):
            second = names[j]
            if second.start - first.end > REACH:
                break
            if first.concept and second.concept and first.concept != second.concept:
                yield from _between(text, low, first, second, names[i + 1 : j])


def _between(text: str, low: int, first: _Name, second: _Name, inner: list[_Name]) -> Iterator[_Found]:
    """Yield what the best rule says about two names of a sentence, if one matches."""
    rules = load().get((first.group, second.group), ())
    if not rules:
        return
    parts, at = [], first.end
    for name in inner:
        parts += [text[at : name.start], "§"]
        at = name.end
    middle = re.sub(r"\s+", " ", "".join(parts) + text[at : second.start]).casefold()
    before = text[max(low, first.start - 80) : first.start].casefold()
    if _OTHER_THING.match(text, second.end):
        return
    for rule in rules:
        if not (rule.before.match(before) if rule.before else rule.hint.search(middle)):
            continue
        match = rule.between.fullmatch(middle)
        if match is None:
            continue
        denied = bool(match.groupdict().get("neg")) or _DENIAL.search(before) is not None
        subject, object_ = (first, second) if rule.forward else (second, first)
        if _may_say(rule, subject, denied) and _may_say(rule, object_, denied):
            yield _Found(rule, subject, object_, "negated" if denied else "affirmed", rule.certainty)
        return


def _may_say(rule: RelationRule, name: _Name, denied: bool) -> bool:
    """Whether a mention in its state can be an end of a statement."""
    mention = name.mention
    if mention.experiencer != "patient":
        return False
    if mention.assertion == "absent":
        return denied
    if mention.assertion == "hypothetical":
        return rule.risk
    return mention.assertion != "possible"

