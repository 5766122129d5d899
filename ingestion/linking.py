"""Link a document: a function of its chunks, the lexicon, and the pipeline's version, and of nothing else.

Chunks cover all non-blank text, so a document's text is rebuilt from them with line ends in the gaps, and the same
function serves a new document and one that is linked again after a vocabulary was loaded: both end in the same graph.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from graphkb import ids
from graphkb.model import Chunk, Fact, LinkedFact, LocalConcept, Mention, Section, Statement
from graphkb.store.protocol import Store
from ingestion import given, sentences
from ingestion.fold import fold_name
from ingestion.lexicon import Lexicon, drug_core
from ingestion.mentions import find_mentions
from ingestion.statements import find_statements

# Raise it when the rules of mentions, assertion or statements change: documents are then linked again.
LINK_VERSION = "3"


@dataclass(slots=True)
class Linked:
    """What linking found in one document."""

    mentions: list[Mention] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)
    concepts: list[LocalConcept] = field(default_factory=list)


def stamp(lexicon: Lexicon) -> str:
    """Return what a document's `lexicon` property says after linking with this lexicon."""
    return f"{LINK_VERSION}:{lexicon.stamp}"


def text_of(chunks: Sequence[Chunk]) -> str:
    """Rebuild a document's text from its chunks in reading order; offsets stay those of the document."""
    parts: list[str] = []
    at = 0
    for chunk in chunks:
        if chunk.start > at:
            parts.append("\n" * (chunk.start - at))
        parts.append(chunk.text)
        at = chunk.end
    return "".join(parts)


def sections_of(chunks: Sequence[Chunk]) -> tuple[Section, ...]:
    """Rebuild the sections: runs of neighbouring chunks under one heading."""
    sections: list[Section] = []
    for chunk in chunks:
        if not chunk.section:
            continue
        last = sections[-1] if sections else None
        if last is not None and last.name == chunk.section:
            sections[-1] = Section(last.name, last.start, chunk.end)
        else:
            sections.append(Section(chunk.section, chunk.start, chunk.end))
    return tuple(sections)


def heading_end(text: str, section: str) -> int:
    """Return how much of a chunk's text is the heading of its section (Markdown marks, name, colon): often nothing."""
    name = section.rpartition(" > ")[2]
    match = re.match(rf"\s*#{{0,6}}\s*{re.escape(name)}\s*:?\s*", text, re.IGNORECASE) if name else None
    return match.end() if match else 0


def _below_headings(mentions: Sequence[Mention], chunks: Sequence[Chunk]) -> list[Mention]:
    """Leave out what stands in a heading: "Family History" is no finding."""
    starts = {chunk.key: chunk.start + heading_end(chunk.text, chunk.section) for chunk in chunks}
    kept = []
    for mention in mentions:
        spans = tuple(span for span in mention.spans if span[0] >= starts[mention.chunk])
        if spans:
            kept.append(mention if spans == mention.spans else replace(mention, spans=spans))
    return kept


class ConceptNames(Mapping[str, str]):
    """Names of concepts as the graph has them, each read when it is first asked for.

    A statement is worded with them: the words of one document would make it depend on which one came first.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, str] = {}

    def __getitem__(self, key: str) -> str:
        if key not in self._known:
            rows = self._store.read("list_concepts_by_key", keys=[key])
            self._known[key] = (rows[0]["name"] or "") if rows else ""
        return self._known[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)


def link_text(chunks: Sequence[Chunk], lexicon: Lexicon, *, scope: str, patient: str = "",
              names: Mapping[str, str] | None = None, marks: given.Marks = given.NO_MARKS,
              codes: Mapping[str, str] | None = None, kind: str = "") -> Linked:
    """Find the mentions and the statements of a document's chunks; statements are worded with the concepts' names.

    Parameters
    ----------
    marks
        What the source itself marks in the text; a name that it marks is not found again by the dictionary.
    codes
        CURIE -> concept key of the marks' codes.
    kind
        The document's kind: in one that a rule has worded the dictionary finds nothing, and one that speaks of a
        claim states nothing.
    """
    if not chunks:
        return Linked()
    text = text_of(chunks)
    sections = sections_of(chunks)
    spans = [span for chunk in chunks for span in sentences.split(text, chunk.start, chunk.end)]
    ruled = kind in given.RULED
    marked = given.link_marks(marks, text, sections, spans, chunks, lexicon, codes=codes or {}, scope=scope,
                              patient=patient, names=names, ruled=ruled)
    if ruled:
        return Linked(marked.mentions, marked.statements, marked.concepts)
    found = _below_headings(find_mentions(text, sections, spans, chunks, lexicon), chunks)
    mentions, readable = given.merge_mentions(found, marked.mentions, [concept.key for concept in marked.concepts])
    read = [] if kind in given.UNSTATED else find_statements(text, spans, readable, chunks, scope=scope,
                                                             patient=patient, names=names)
    statements = {one.key: one for one in marked.statements}
    for one in read:
        statements[one.key] = given.with_evidence(statements[one.key], one) if one.key in statements else one
    return Linked(mentions, list(statements.values()), marked.concepts)


# the vocabulary of another code of a fact -> how a concept found by it was found
_METHODS = {"ICD10CM": "gem", "LNC": "loinc", "NDC": "ndc"}
# facts whose name is looked up: the group of what they name, and the local type of a name that no code tells apart
_NAMED = {"PRESCRIBED": ("CHEM", "drug"), "ADMINISTERED": ("CHEM", "drug"), "GREW": ("LIVB", "organism")}


def curies_of(facts: Iterable[Fact]) -> list[str]:
    """Return the CURIEs by which facts may be linked."""
    found: set[str] = set()
    for fact in facts:
        if fact.code:
            found.add(f"{fact.vocabulary}:{fact.code}")
        found.update(fact.also)
    return sorted(found)


def link_facts(facts: Iterable[Fact], codes: Mapping[str, str], lexicon: Lexicon,
               scope: str) -> tuple[list[LinkedFact], list[LocalConcept]]:
    """Link structured rows: by code where the vocabulary has it, by another code that means the same, by the name of
    a drug or an organism, else to a local concept.

    Parameters
    ----------
    codes : mapping
        CURIE -> concept key, of the public vocabulary.
    lexicon : Lexicon
        The public lexicon: what a row is linked to must not depend on other rows of its scope.
    """
    linked: list[LinkedFact] = []
    local: dict[str, LocalConcept] = {}
    names: dict[tuple[str, str], str] = {}
    for fact in facts:
        curie = f"{fact.vocabulary}:{fact.code}" if fact.code else ""
        other = next((also for also in fact.also if also in codes), "")
        group, type_ = _NAMED.get(fact.kind, ("CHEM", "drug") if not curie else ("", ""))
        if group and (fact.name, group) not in names:
            names[fact.name, group] = _by_name(fact.name, group, lexicon)
        if curie in codes:
            found = LinkedFact(fact, codes[curie], "code")
        elif other:
            found = LinkedFact(fact, codes[other], _METHODS.get(other.partition(":")[0], "code"))
        elif group and names[fact.name, group]:
            found = LinkedFact(fact, names[fact.name, group], "name")
        else:
            concept = _local(fact, curie, type_, scope)
            local[concept.key] = concept
            found = LinkedFact(fact, concept.key, "local")
        linked.append(found)
    return linked, [local[key] for key in sorted(local)]


def _by_name(name: str, group: str, lexicon: Lexicon) -> str:
    for core in drug_core(name) if group == "CHEM" else [name]:
        links = lexicon.lookup(core, group)
        if links:
            return links[0].concept
    return ""


def _local(fact: Fact, curie: str, type_: str, scope: str) -> LocalConcept:
    if curie:
        return LocalConcept(ids.concept(curie, scope), scope, fact.name or curie, (), curie)
    cores = drug_core(fact.name) if type_ == "drug" else []
    folded = cores[0] if cores else fold_name(fact.name)
    return LocalConcept(ids.local_concept(folded, type_, scope), scope, folded)
