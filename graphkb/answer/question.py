"""What a question asks for: its parts, its kind, its concepts, its patient.

Kinds decide where an answer comes from. A kind is recognised by the question's wording only; what is not recognised
is ``open`` and answered from text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from graphkb.answer.aims import Aim, aims
from ingestion.lexicon import Lexicon
from retrieval.text import terms

Kind = Literal["allergies", "medications", "family_history", "procedures", "diagnoses", "finding", "definition",
               "synonyms", "relation", "open"]

# what may be asked of the vocabulary: pattern -> (predicates' relation type, the asked end, words for the answer)
_RELATIONS: tuple[tuple[re.Pattern[str], str, Literal["subject", "object"], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), type_, end, words)  # type: ignore[misc]
    for pattern, type_, end, words in (
        (r"\b(?:manifestations?|phenotypes?|(?:clinical )?features?|signs?|symptoms?)\b.*\b(?:of|in|with|for)\b",
         "HAS_PHENOTYPE", "object", "has the manifestations"),
        (r"\b(?:what|which) (?:kind|type) of (?:disease|disorder|condition|thing|drug)\b", "ISA", "object",
         "is a kind of"),
        (r"\b(?:what|which) (?:are |is )?(?:the )?(?:kinds?|types?|forms?|subtypes?) of\b", "ISA", "subject",
         "has the kinds"),
    )
)
_KINDS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("allergies", re.compile(r"\ballerg(?:y|ies|ic)\b", re.IGNORECASE)),
    ("family_history", re.compile(
        r"\b(?:family|familial|mother|father|parents?|brother|sister|sibling|relatives?)\b", re.IGNORECASE)),
    ("finding", re.compile(
        r"^\s*(?:does|did|do|has|have|had|is|was|are|were|any|is there|was there)\b(?!.*\b(?:which|what)\b)",
        re.IGNORECASE)),
    ("medications", re.compile(
        r"\b(?:medications?|medicines?|meds|drugs?|prescribed|prescriptions?|discharged on|taking|treated with"
        r"|ordered)\b", re.IGNORECASE)),
    ("procedures", re.compile(r"\b(?:procedures?|surger(?:y|ies)|operations?|operated)\b", re.IGNORECASE)),
    ("diagnoses", re.compile(
        r"\b(?:diagnos[ei]s|diagnosed|conditions?|problems?|diseases?|disorders?|illness(?:es)?|comorbidit(?:y|ies)"
        r"|medical history|suffer)\b", re.IGNORECASE)),
)
_DEFINITION = re.compile(
    r"^\s*(?:what (?:is|are)(?: the (?:definition|meaning) of)?|define|explain what|what does)\s+"
    r"(?:an? |the )?(?P<term>[^?]+?)(?:\s+mean)?\s*\??\s*$", re.IGNORECASE)
_SYNONYMS = re.compile(
    r"\b(?:synonyms?|other names?|also (?:called|known as)|another name|abbreviation)\b", re.IGNORECASE)
_PATIENT = re.compile(
    r"\b(?:patient|subject(?:_id)?|subject id)\s*(?:no\.?|number|id|#)?\s*:?\s*(\d{4,12})\b", re.IGNORECASE)
_ABOUT_PATIENT = re.compile(r"\b(?:(?:the|this|my|our) (?:patient|pt)|(?:he|she|him|his|her)\b)", re.IGNORECASE)
_JOIN = re.compile(
    r"\?\s+(?=\S)|(?:,|;)?\s+and\s+(?=(?:what|which|how|when|why|who|where|is|are|does|do|did|was|were|has|have|can)\b)",
    re.IGNORECASE)
# words that say how something is asked, not what about
_ASKING = frozenset(terms(
    "patient question answer tell list name describe explain mean meaning define definition give show find use used "
    "happen many much known common commonly main usually typical often best first most please effect "
    "know term called example treat treatment cause role involve associated association recommended work still "
    "happened people person patients someone anyone done given give take taking taken"))
_SORT = re.compile(r"\b(?:types?|kinds?|sorts?) of\b", re.IGNORECASE)

# kinds whose answer is a list of the record, and the words that only ask for the list
LISTS: dict[Kind, frozenset[str]] = {
    "medications": frozenset(terms("medication medications medicine meds drug drugs prescribed prescription discharged "
                                   "discharge admission admitted home ordered orders current currently list")),
    "procedures": frozenset(terms("procedure procedures surgery surgical surgeries operation operations operated "
                                  "undergo underwent undergone performed done")),
    "diagnoses": frozenset(terms("diagnosis diagnoses diagnosed condition problem disease disorder illness comorbidity "
                                 "comorbidities medical history suffer coded list")),
}


@dataclass(frozen=True, slots=True)
class Focus:
    """A name in the question that the vocabulary knows."""

    start: int
    end: int
    text: str
    concepts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """One of the things a question asks."""

    text: str
    kind: Kind
    focus: tuple[Focus, ...]
    terms: frozenset[str]
    asked: frozenset[str]
    relation: tuple[str, str, str] | None = None
    aims: tuple[Aim, ...] = ()

    @property
    def wanted(self) -> frozenset[str]:
        """What a sentence should have: the asked terms, but for those that an aim stands for, and the aims."""
        own = self.asked - frozenset[str]().union(*(aim.words for aim in self.aims))
        return own | {aim.term for aim in self.aims}

    @property
    def names(self) -> list[frozenset[str]]:
        """The terms of each name in the question."""
        return [group for focus in self.focus if (group := frozenset(terms(focus.text)))]

    @property
    def beyond(self) -> frozenset[str]:
        """What a question for a list asks beyond the list: "Which drug is to be started when the INR is low?"."""
        return self.asked - LISTS.get(self.kind, frozenset())

    @property
    def concepts(self) -> frozenset[str]:
        """All concepts that the part may be about."""
        return frozenset(key for focus in self.focus for key in focus.concepts)


def patient_in(question: str) -> str | None:
    """Return the number of the patient whom the question names, where it does."""
    found = _PATIENT.search(question)
    return found[1] if found else None


def patients_in(question: str) -> set[str]:
    """Return the numbers of all patients whom the question names."""
    return set(_PATIENT.findall(question))


def about_a_patient(question: str) -> bool:
    """Whether the question speaks of one patient without saying whom."""
    return bool(_ABOUT_PATIENT.search(question))


def parts(question: str, lexicon: Lexicon, *, patient: bool) -> list[Part]:
    """Split a question into what it asks, in order."""
    texts = [piece.strip() for piece in _JOIN.split(question)]
    return [part(text, lexicon, patient=patient) for text in texts if terms(text)] or [
        part(question, lexicon, patient=patient)]


def part(text: str, lexicon: Lexicon, *, patient: bool) -> Part:
    """Analyse one part of a question."""
    bare = _PATIENT.sub(" " * 8, text) if patient else text
    focus = tuple(Focus(m.start, m.end, text[m.start:m.end], tuple(link.concept for link in m.candidates))
                  for m in lexicon.find(bare, ()))
    all_terms = frozenset(terms(_SORT.sub(" ", bare)))
    kind, relation = _patient_kind(text) if patient else _general_kind(text, focus)
    return Part(text, kind, focus, all_terms, all_terms - _ASKING or all_terms, relation, aims(text))


def _patient_kind(text: str) -> tuple[Kind, None]:
    for kind, pattern in _KINDS:
        if pattern.search(text):
            return kind, None
    return "open", None


def _general_kind(text: str, focus: tuple[Focus, ...]) -> tuple[Kind, tuple[str, str, str] | None]:
    if not focus:
        return "open", None
    if _SYNONYMS.search(text):
        return "synonyms", None
    for pattern, type_, end, words in _RELATIONS:
        if pattern.search(text):
            return "relation", (type_, end, words)
    definition = _DEFINITION.match(text)
    if definition:
        start, end_ = definition.span("term")
        # the whole term is one name that the vocabulary knows: "What is X?", not "What is the dose of X?"
        if any(f.start <= start + 2 and f.end >= end_ - 1 for f in focus):
            return "definition", None
    return "open", None
