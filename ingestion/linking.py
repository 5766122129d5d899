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
from ingestion import sentences
from ingestion.fold import fold_name
from ingestion.lexicon import Lexicon, drug_core
from ingestion.mentions import find_mentions
from ingestion.statements import find_statements

# Raise it when the rules of mentions, assertion or statements change: documents are then linked again.
LINK_VERSION = "2"


@dataclass(slots=True)
class Linked:
    """What linking found in one document."""

    mentions: list[Mention] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)


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
              names: Mapping[str, str] | None = None) -> Linked:
    """Find the mentions and the statements of a document's chunks; statements are worded with the concepts' names."""
    if not chunks:
        return Linked()
    text = text_of(chunks)
    sections = sections_of(chunks)
    spans = [span for chunk in chunks for span in sentences.split(text, chunk.start, chunk.end)]
    mentions = _below_headings(find_mentions(text, sections, spans, chunks, lexicon), chunks)
    statements = find_statements(text, spans, mentions, chunks, scope=scope, patient=patient, names=names)
    return Linked(mentions, statements)


def link_facts(facts: Iterable[Fact], codes: Mapping[str, str], lexicon: Lexicon,
               scope: str) -> tuple[list[LinkedFact], list[LocalConcept]]:
    """Link structured rows: by code where the vocabulary has it, by a drug's name, else to a local concept.

    Parameters
    ----------
    codes : mapping
        CURIE -> concept key, of the public vocabulary.
    lexicon : Lexicon
        The public lexicon: what a row is linked to must not depend on other rows of its scope.
    """
    linked: list[LinkedFact] = []
    local: dict[str, LocalConcept] = {}
    drugs: dict[str, str] = {}
    for fact in facts:
        curie = f"{fact.vocabulary}:{fact.code}" if fact.code else ""
        if curie:
            concept = codes.get(curie, "")
            if not concept:
                concept = ids.concept(curie, scope)
                local[concept] = LocalConcept(concept, scope, fact.name or curie, (), curie)
        else:
            if fact.name not in drugs:
                drugs[fact.name] = _drug(fact.name, lexicon, scope, local)
            concept = drugs[fact.name]
        linked.append(LinkedFact(fact, concept))
    return linked, [local[key] for key in sorted(local)]


def _drug(name: str, lexicon: Lexicon, scope: str, local: dict[str, LocalConcept]) -> str:
    cores = drug_core(name)
    for core in cores:
        links = lexicon.lookup(core, "CHEM")
        if links:
            return links[0].concept
    folded = cores[0] if cores else fold_name(name)
    key = ids.local_concept(folded, "drug", scope)
    local[key] = LocalConcept(key, scope, folded)
    return key
