"""Fact bases: tables of subject, predicate and object (TSV or CSV), and KGX (nodes and edges, TSV or JSON Lines).

A document is a block of rows in the order of the file, its text one sentence per row, and that sentence is the
evidence of the row's statement. Where a block begins is decided by the rows themselves, so that a row that changes
makes one or two blocks new and leaves the others as they are.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from graphkb.errors import InputError
from graphkb.model.predicates import statement_predicate, verbalise
from graphkb.model.records import (
    Annotation,
    GivenStatement,
    Polarity,
    ReadReport,
    Section,
    SourceDocument,
    SourceInfo,
    Tier,
)
from ingestion.sources import files
from ingestion.sources.marks import Seen
from ingestion.sources.triples_rows import Mapping, Triple, is_nodes, nodes, triples
from ingestion.statements import wording

SUFFIXES = (".tsv", ".csv", ".jsonl", ".hpoa", ".tsv.gz", ".csv.gz", ".jsonl.gz", ".hpoa.gz")
MOST_ROWS = 200
FEWEST_ROWS = 16
BOUNDARY = 96  # one row in so many begins a block
STRETCH = 600  # characters of one chunk: whole lines
_SUBJECT, _OBJECT = "\ue000", "\ue001"


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    subject: tuple[int, int]
    object: tuple[int, int]


class TriplesSource:
    """Fact bases, plain or gzip; folders are walked in a fixed order, files of nodes read before all others.

    Parameters
    ----------
    paths : iterable of Path
        Files and folders.
    mapping : Mapping, optional
        Which column is what, where the header does not say it by a usual name.
    source : SourceInfo, optional
        The fact base; named by the first file by default.
    max_bytes : int
        A longer line is the end of its file (GKB-410).
    """

    name = "triples"

    def __init__(self, paths: Iterable[Path], tier: Tier = "literature", *, mapping: Mapping | None = None,
                 source: SourceInfo | None = None, max_bytes: int = files.MAX_DOCUMENT_BYTES) -> None:
        self.paths = [Path(path) for path in paths]
        self.tier: Tier = tier
        self.mapping = mapping or Mapping()
        self.source = source
        self.max_bytes = max_bytes
        # (source, beginning of the blocks' paths) -> the blocks of each file that was read to its end
        self.whole: dict[tuple[str, str], set[str]] = {}

    def documents(self, report: ReadReport) -> Iterator[SourceDocument]:
        """Yield blocks of rows; a row that cannot be taken is rejected and the others go on.

        Raises
        ------
        InputError
            Not one row could be taken.
        """
        kept = 0
        paths = list(files.find(self.paths, SUFFIXES, report))
        with Seen() as seen:
            edges = []
            for path in paths:
                try:
                    if is_nodes(path, self.mapping, self.max_bytes):
                        nodes(path, seen, report, self.mapping, self.max_bytes)
                    else:
                        edges.append(path)
                except InputError as error:
                    files.reject_file(report, path, error)
            for path in edges:
                source = self.source or SourceInfo(_stem(path), "")
                records: set[str] = set()
                try:
                    for block in self._blocks(path, report, seen):
                        kept += len(block)
                        records.add(block[0].digest)
                        yield self._document(block, path, source)
                except InputError as error:
                    files.reject_file(report, path, error)
                else:
                    self.whole[source.name, f"{os.path.abspath(path)}#"] = records
        files.refuse_if_nothing(report, kept)

    def _blocks(self, path: Path, report: ReadReport, seen: Seen) -> Iterator[list[Triple]]:
        block: list[Triple] = []
        problem: InputError | None = None
        try:
            for triple in triples(path, seen, report, self.mapping, self.max_bytes):
                if len(block) >= MOST_ROWS or (len(block) >= FEWEST_ROWS and _begins(triple)):
                    yield block
                    block = []
                block.append(triple)
        except InputError as error:
            problem = error
        if block:
            yield block
        if problem is not None:
            raise problem

    def _document(self, block: list[Triple], path: Path, source: SourceInfo) -> SourceDocument:
        text, sections, annotations, statements = _lay_out(block)
        first = block[0]
        place = f"{os.path.abspath(path)}#{first.digest}"
        title = f"{source.name}: {first.subject}" + (f" to {block[-1].subject}" if len(block) > 1 else "")
        return SourceDocument(source=source, record=first.digest, title=title, text=text, tier=self.tier,
                              kind="triples", path=place, sections=sections, annotations=annotations,
                              statements=statements)


def _stem(path: Path) -> str:
    name = path.name.removesuffix(".gz")
    return re.sub(r"[._-]?edges$", "", name.rsplit(".", 1)[0], flags=re.IGNORECASE) or "triples"


def _begins(triple: Triple) -> bool:
    return int(triple.digest[:8], 16) % BOUNDARY == 0


def _lay_out(block: list[Triple]) -> tuple[str, tuple[Section, ...], tuple[Annotation, ...],
                                           tuple[GivenStatement, ...]]:
    parts: list[str] = []
    sections: list[Section] = []
    annotations: list[Annotation] = []
    statements: list[GivenStatement] = []
    at = opened = 0
    for triple in block:
        line = say(triple)
        end = at + len(line.text)
        if end - opened > STRETCH and at > opened:
            sections.append(Section("", opened, at - 1))
            opened = at
        for (low, high), type_, code in ((line.subject, triple.subject_type, triple.subject_code),
                                         (line.object, triple.object_type, triple.object_code)):
            annotations.append(Annotation(at + low, at + high, type_, (code,) if code else ()))
        statements.append(GivenStatement(triple.subject, triple.predicate, triple.object, at, end, triple.subject_code,
                                         triple.object_code, triple.polarity, triple.certainty))
        parts.append(line.text)
        at = end + 1
    sections.append(Section("", opened, at - 1))
    return "\n".join(parts), tuple(sections), tuple(annotations), tuple(statements)


def say(triple: Triple) -> _Line:
    """Return a triple as a sentence, and where its ends stand in it."""
    sentence = _sentence(triple.predicate, triple.polarity)
    text, spans = "", {}
    for part in re.split(f"([{_SUBJECT}{_OBJECT}])", sentence):
        name = {_SUBJECT: triple.subject, _OBJECT: triple.object}.get(part)
        if name is not None:
            spans[part] = (len(text), len(text) + len(name))
        text += part if name is None else name
    more = f" {triple.text.rstrip('.')}." if triple.text else ""
    reference = f" [{triple.reference}]" if triple.reference else ""
    return _Line(f"{text}{reference}.{more}", spans[_SUBJECT], spans[_OBJECT])


def _sentence(word: str, polarity: Polarity) -> str:
    said = statement_predicate(word)
    if said.predicate != "related_to" or polarity == "negated":
        ends = (_OBJECT, _SUBJECT) if said.flipped else (_SUBJECT, _OBJECT)
        known = wording(said.predicate, polarity, *ends)
        if said.predicate != "related_to":
            return known
    plain = re.sub(r"[^\w]+", " ", word.rpartition(":")[2]).strip().replace(" ", "_").lower() or "related_to"
    sentence = verbalise(plain, _SUBJECT, _OBJECT)
    return sentence if polarity == "affirmed" else f"It is not so that {sentence}"
