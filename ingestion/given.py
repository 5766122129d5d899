"""What a source itself marks in its text: annotations and statements, linked by their codes.

The marks are kept with the document as they were read (`dumps`), so that linking again after a vocabulary was loaded
is the same function of the same input: a code that no vocabulary had becomes its concept then, and the graph does
not show which came first.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from graphkb import ids
from graphkb.model import (
    Annotation,
    Chunk,
    GivenStatement,
    Link,
    LocalConcept,
    Mention,
    Section,
    SourceDocument,
    Statement,
    StatementEvidence,
)
from graphkb.model.predicates import statement_predicate
from ingestion.assertion import Status, classify
from ingestion.fold import fold_name
from ingestion.lexicon import Lexicon
from ingestion.mentions import context_of
from ingestion.statements import group_of, wording

METHOD = "given"
# kinds of documents whose words are made by a rule: the dictionary has nothing to find in them
RULED = frozenset({"triples"})
# kinds that quote what they judge: a sentence in them is not what their source says
UNSTATED = frozenset({"claim"})
_UNTYPED = "entity"
# a source's word for a type -> ours, whose semantic group `ingestion.statements.group_of` knows
_TYPES = {
    "chemical": "chemical", "drug": "chemical", "smallmolecule": "chemical", "chemicalentity": "chemical",
    "disease": "disease", "specificdisease": "disease", "diseaseclass": "disease", "compositemention": "disease",
    "modifier": "disease", "disorder": "disease", "diagnosis": "disease", "diseaseorphenotypicfeature": "disease",
    "phenotypicfeature": "disease", "phenotype": "disease", "symptom": "disease", "finding": "disease",
    "gene": "gene", "protein": "gene", "geneorgeneproduct": "gene", "species": "species", "organism": "species",
    "organismtaxon": "species", "procedure": "procedure", "anatomy": "anatomy", "anatomicalentity": "anatomy",
    "mutation": "variant", "dnamutation": "variant", "proteinmutation": "variant", "snp": "variant",
    "variant": "variant", "sequencevariant": "variant", "cellline": "cell line",
}


@dataclass(frozen=True, slots=True)
class Marks:
    """Annotations and statements of one document, as its source has them."""

    annotations: tuple[Annotation, ...] = ()
    statements: tuple[GivenStatement, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.annotations or self.statements)

    @property
    def codes(self) -> list[str]:
        """The CURIEs in them, sorted."""
        found = {code for one in self.annotations for code in one.codes}
        found.update(code for one in self.statements for code in (one.subject_code, one.object_code) if code)
        return sorted(found)


NO_MARKS = Marks()


@dataclass(slots=True)
class Given:
    """Marks that are linked, and the local concepts of those that no vocabulary has."""

    mentions: list[Mention] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)
    concepts: list[LocalConcept] = field(default_factory=list)


def marks_of(document: SourceDocument) -> Marks:
    """Return the marks of a document as a source yields it."""
    return Marks(document.annotations, document.statements)


def dumps(marks: Marks) -> str:
    """Return marks as the document node keeps them: JSON, ``""`` where there are none."""
    if not marks:
        return ""
    annotations = [[a.start, a.end, a.type, list(a.codes)] for a in marks.annotations]
    statements = [[s.subject, s.predicate, s.object, s.start, s.end, s.subject_code, s.object_code, s.polarity,
                   s.certainty] for s in marks.statements]
    return json.dumps([annotations, statements], ensure_ascii=False, separators=(",", ":"))


def loads(text: str | None) -> Marks:
    """Read what `dumps` wrote."""
    if not text:
        return Marks()
    annotations, statements = json.loads(text)
    return Marks(tuple(Annotation(start, end, type_, tuple(codes)) for start, end, type_, codes in annotations),
                 tuple(GivenStatement(*fields) for fields in statements))


def type_of(word: str) -> str:
    """Return our word for a source's type: ``chemical``, ``disease``, ``gene``, ..., else the word itself folded."""
    bare = word.rpartition(":")[2]
    return _TYPES.get(re.sub(r"[^a-z]", "", bare.lower())) or fold_name(bare) or _UNTYPED


class _Resolver:
    """Finds the concept of a code, or of a name without one; keeps the local concepts that it had to make."""

    def __init__(self, codes: Mapping[str, str], lexicon: Lexicon, scope: str) -> None:
        self._codes = codes
        self._lexicon = lexicon
        self._scope = scope
        self._names: dict[tuple[str, str], tuple[Link, ...]] = {}
        self.local: dict[str, LocalConcept] = {}

    def code(self, curie: str, name: str) -> Link:
        concept = self._codes.get(curie, "")
        if concept:
            return Link(concept, 1.0, METHOD)
        key = ids.coded_concept(curie, self._scope)
        self.local.setdefault(key, LocalConcept(key, self._scope, name or curie, (), curie))
        return Link(key, 1.0, METHOD)

    def name(self, name: str, type_: str) -> tuple[Link, ...]:
        """Return the concepts of that name in the vocabulary, of the type's group, else the local one."""
        at = fold_name(name), type_
        if at not in self._names:
            links = self._lexicon.lookup(name, group_of(type_))
            if not links:
                key = ids.local_concept(*at, self._scope)
                self.local.setdefault(key, LocalConcept(key, self._scope, at[0] or name))
                links = (Link(key, 1.0, METHOD),)
            self._names[at] = links
        return self._names[at]


def link_marks(marks: Marks, text: str, sections: Sequence[Section], sentences: Sequence[tuple[int, int]],
               chunks: Sequence[Chunk], lexicon: Lexicon, *, codes: Mapping[str, str], scope: str, patient: str = "",
               names: Mapping[str, str] | None = None, ruled: bool = False) -> Given:
    """Link the marks of a document.

    Parameters
    ----------
    codes : mapping
        CURIE -> concept key, of the public vocabulary.
    ruled : bool
        The text was worded by a rule: what it says of a name is in the statement, not in the words around it.
    """
    if not marks or not chunks:
        return Given()
    resolver = _Resolver(codes, lexicon, scope)
    mentions, ends = _mentions(marks.annotations, text, sections, sentences, chunks, resolver, ruled)
    statements = _statements(marks.statements, chunks, resolver, ends, scope, patient, {} if names is None else names)
    used = {link.concept for mention in mentions for link in mention.links}
    used.update(end for one in statements for end in (one.subject, one.object))
    return Given(mentions, statements, [resolver.local[key] for key in sorted(resolver.local.keys() & used)])


def _mentions(annotations: Iterable[Annotation], text: str, sections: Sequence[Section],
              sentences: Sequence[tuple[int, int]], chunks: Sequence[Chunk], resolver: _Resolver,
              ruled: bool) -> tuple[list[Mention], dict[str, tuple[Link, ...]]]:
    starts = [chunk.start for chunk in chunks]
    placed: list[tuple[Annotation, Chunk, str, tuple[int, int]]] = []
    for one in annotations:
        at = bisect_right(starts, one.start) - 1
        name = fold_name(text[one.start:one.end])
        if at >= 0 and one.start < chunks[at].end and name:
            placed.append((one, chunks[at], name, (one.start, min(one.end, chunks[at].end))))
    spans = [span for *_, span in placed]
    states = [Status()] * len(spans) if ruled else classify(text, sections, sentences, spans)
    lows = [low for low, _ in sentences]
    found: dict[str, Mention] = {}
    ends: dict[str, tuple[Link, ...]] = {}
    for (one, chunk, name, span), state in zip(placed, states, strict=True):
        type_ = type_of(one.type)
        links = tuple(resolver.code(code, name) for code in one.codes) or resolver.name(name, type_)
        if not one.codes:
            ends.setdefault(name, links)
        if state.allergy and group_of(type_) == "CHEM":
            type_ = "allergy"
        key = ids.mention(chunk.key, name, type_, state.assertion, state.experiencer, state.temporality)
        known = found.get(key)
        if known is None:
            found[key] = Mention(key, chunk.key, name, type_, (span,), state.assertion, state.experiencer,
                                 state.temporality, METHOD, context_of(text, sentences, lows, *span),
                                 _united(links, ()), tuple(sorted(set(one.codes))))
        else:
            found[key] = replace(known, spans=tuple(sorted({*known.spans, span})),
                                 links=_united(known.links, links), codes=tuple(sorted({*known.codes, *one.codes})))
    return list(found.values()), ends


def _united(links: Iterable[Link], more: Iterable[Link]) -> tuple[Link, ...]:
    best: dict[str, Link] = {}
    for link in (*links, *more):
        if link.concept not in best or best[link.concept].score < link.score:
            best[link.concept] = replace(link, method=METHOD)
    return tuple(best[key] for key in sorted(best))


def _statements(given: Iterable[GivenStatement], chunks: Sequence[Chunk], resolver: _Resolver,
                ends: Mapping[str, tuple[Link, ...]], scope: str, patient: str,
                names: Mapping[str, str]) -> list[Statement]:
    starts = [chunk.start for chunk in chunks]
    found: dict[str, Statement] = {}
    for one in given:
        said = statement_predicate(one.predicate)
        concepts = [_end(name, code, resolver, ends) for name, code in
                    ((one.subject, one.subject_code), (one.object, one.object_code))]
        words = [one.subject, one.object]
        if said.flipped:
            concepts.reverse()
            words.reverse()
        subject, object_ = concepts
        evidence = _evidence(one, chunks, starts, said.word)
        if subject == object_ or evidence is None:
            continue
        key = ids.statement(subject, said.predicate, object_, one.polarity, scope, patient)
        left, right = (names.get(concept) or (resolver.local[concept].name if concept in resolver.local else word)
                       for concept, word in zip(concepts, words, strict=True))
        new = Statement(key, subject, said.predicate, object_, one.polarity,
                        wording(said.predicate, one.polarity, left, right), (evidence,), patient)
        found[key] = with_evidence(found[key], new) if key in found else new
    return list(found.values())


def _end(name: str, code: str, resolver: _Resolver, ends: Mapping[str, tuple[Link, ...]]) -> str:
    if code:
        return resolver.code(code, fold_name(name)).concept
    links = ends.get(fold_name(name)) or resolver.name(name, _UNTYPED)
    return min(links, key=lambda link: (-link.score, link.concept)).concept


def _evidence(one: GivenStatement, chunks: Sequence[Chunk], starts: Sequence[int],
              said: str) -> StatementEvidence | None:
    """Return where a statement stands: inside the chunk that holds most of its span, the first where equal."""
    at = max(bisect_right(starts, one.start) - 1, 0)
    best: tuple[int, Chunk] | None = None
    for chunk in chunks[at:]:
        if chunk.start >= one.end:
            break
        held = min(one.end, chunk.end) - max(one.start, chunk.start)
        if held > 0 and (best is None or held > best[0]):
            best = held, chunk
    if best is None:
        return None
    chunk = best[1]
    return StatementEvidence(chunk.key, max(one.start, chunk.start), min(one.end, chunk.end), one.certainty, METHOD,
                             said)


def with_evidence(statement: Statement, other: Statement) -> Statement:
    """Return a statement with the evidence of another of its key: one per place, the given first, then the surer."""
    kept: dict[tuple[str, int, int], StatementEvidence] = {}
    for item in (*statement.evidence, *other.evidence):
        place = item.chunk, item.start, item.end
        if place not in kept or _order(item) < _order(kept[place]):
            kept[place] = item
    return replace(statement, evidence=tuple(kept.values()))


def _order(item: StatementEvidence) -> tuple[bool, float, str, str]:
    return (item.method != METHOD, -item.certainty, item.method, item.said)


def merge_mentions(found: Sequence[Mention], given: Sequence[Mention],
                   local: Iterable[str]) -> tuple[list[Mention], list[Mention]]:
    """Join what the dictionary found with what the source marks.

    Returns
    -------
    list of Mention
        All mentions. Where the source marks a name and its concept is known, the dictionary's mention of that very
        span is left out; where no vocabulary has the code, only one of the same concept is.
    list of Mention
        Those that a statement may be read from: at a span with both, the dictionary's.
    """
    unknown = frozenset(local)
    marked: dict[tuple[int, int], set[str]] = {}
    for mention in given:
        for span in mention.spans:
            marked.setdefault(span, set()).update(link.concept for link in mention.links)
    kept: list[Mention] = []
    for mention in found:
        own = {link.concept for link in mention.links}
        spans = tuple(span for span in mention.spans
                      if span not in marked or not (marked[span] - unknown or marked[span] & own))
        if spans:
            kept.append(mention if spans == mention.spans else replace(mention, spans=spans))
    by_key = {mention.key: mention for mention in kept}
    beside = {span for mention in kept for span in mention.spans}
    readable = list(kept)
    for mention in given:
        if mention.key in by_key:
            twin = by_key[mention.key]
            readable.remove(twin)
            mention = replace(mention, spans=tuple(sorted({*mention.spans, *twin.spans})),
                              links=_united(mention.links, twin.links))
        by_key[mention.key] = mention
        spans = tuple(span for span in mention.spans if span not in beside)
        if spans:
            readable.append(replace(mention, spans=spans))
    return list(by_key.values()), readable
