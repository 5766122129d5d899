"""A UMLS META folder as CSV files for the importer: the same keys and properties as the load over Bolt writes."""

from __future__ import annotations

import secrets
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from graphkb import ids
from graphkb.config import Settings
from graphkb.model.predicates import RELATION_TYPES
from ingestion.bulk.importer import Column, DelimiterTaken, ImportFiles, Table, free_delimiter
from ingestion.concepts import derive
from ingestion.ledger import RunReport, now
from ingestion.sources.umls import RrfReader
from ingestion.sources.umls_spool import ConceptBatch, Spool
from ingestion.vocabulary import VocabularyCounts, source_row, taken

Progress = Callable[[str, int, int | None], None]
_CONCEPTS, _EDGES = 2_000, 20_000
_STRINGS = ("names", "ttys", "languages", "suppress", "cuis", "definitions", "definition_cuis", "semantic_types",
            "type_cuis", "attributes")
_SOURCE = (Column("scope", "string"), Column("name", "string"), Column("restriction", "long"),
           Column("version", "string"), Column("title", "string"), Column("citation", "string"))
_CONCEPT = (Column("scope", "string"), Column("cui", "string"), Column("name", "string"),
            Column("semantic_types", "string[]"), Column("definition", "string"), Column("search_text", "string"))
_CODE = (Column("scope", "string"), *(Column(name, "string") for name in (
    "vocabulary", "code", "curie", "version", "from_release", "definition")),
    *(Column(name, "string[]") for name in _STRINGS), Column("ranks", "long[]"))
_RELATION = (Column("key", "string"), Column("predicate", "string"), Column("sab", "string"),
             Column("from_release", "string"))
_META = (Column("scope", "string"), Column("generation", "long"), Column("release", "string"), Column("date", "string"))
_RUN = tuple(Column(name, "string") for name in ("scope", "command", "started", "finished", "state"))


def write_umls(folder: Path, out: Path, *, settings: Settings, release: str | None = None,
               progress: Progress) -> RunReport:
    """Read a META folder and write it for ``database import``.

    Parameters
    ----------
    folder : Path
        The META folder, read and checked as for a load over Bolt.
    out : Path
        The folder to write; it appears when it is whole.

    Raises
    ------
    InputError
        What `RrfReader.rows` raises; nothing was written.
    IngestError
        GKB-609: a value the importer cannot take, with the row. GKB-610: ``out`` holds something.
    """
    began = time.monotonic()
    started = now()
    command = "ingest umls --bulk"
    report = RunReport(ids.run(started, command, secrets.token_hex(8)), command, ids.PUBLIC, started)
    files = ImportFiles(out, (*RELATION_TYPES, "CODE_OF", "FROM"))
    try:
        with Spool() as spool:
            spool.fill(RrfReader(folder, report.read, taken(settings)), progress)
            writing = _Writing(files, spool, settings, spool.release if release is None else release, progress)
            try:
                writing.all()
            except DelimiterTaken:
                files.begin(free_delimiter(writing.lists()))
                writing.all()
            report.state, report.finished = "partial" if report.partial else "done", now()
            writing.run(report)
            written = files.finish({"what": "umls", "release": writing.release,
                                    "delimiter": f"U+{ord(files.delimiter):04X}"})
            report.counts = writing.counts(written).to_dict() | {"bytes": written["bytes"]}
    finally:
        files.discard()
    report.seconds = time.monotonic() - began
    return report


class _Writing:
    """One pass over a spool."""

    def __init__(self, files: ImportFiles, spool: Spool, settings: Settings, release: str, progress: Progress) -> None:
        self._files = files
        self._spool = spool
        self._languages = settings.ingest.languages
        self.release = release
        self._progress = progress
        self._by_type: Counter[str] = Counter()

    def all(self) -> None:
        """Write everything but the run."""
        self._by_type.clear()
        self._sources()
        self._concepts()
        self._relations()
        rows: list[tuple[Any, ...]] = [
            (ids.meta(f"lexicon:{ids.PUBLIC}"), ids.PUBLIC, 1, None, None),
            (ids.meta("graph"), ids.PUBLIC, 1, None, None)]
        if self.release:
            rows.append((ids.meta(f"release:{self.release}"), ids.PUBLIC, None, self.release,
                         self._spool.date_of(self.release)))
        self._files.nodes("Meta", _META).write(rows)

    def run(self, report: RunReport) -> None:
        """Write the run."""
        self._files.nodes("Run", _RUN).write([
            (report.key, report.scope, report.command, report.started, report.finished, report.state)])

    def lists(self) -> Iterator[Any]:
        """Yield every value of the codes and concepts, to find a character that none of them holds."""
        for batch in self._spool.concept_batches(_CONCEPTS, self.release):
            yield from chain.from_iterable(content.to_row().values() for content in batch.codes.values())

    def _sources(self) -> None:
        self._files.nodes("Source", _SOURCE).write(
            (row["key"], row["scope"], *(row["properties"].get(column.name) for column in _SOURCE[1:]))
            for row in (source_row(self._spool, sab) for sab in self._spool.sabs()))

    def _concepts(self) -> None:
        concepts, codes = self._files.nodes("Concept", _CONCEPT), self._files.nodes("Code", _CODE)
        code_of = self._files.relationships("CODE_OF", "Code", "Concept", ())
        from_ = self._files.relationships("FROM", "Code", "Source", ())
        done = 0
        for batch in self._spool.concept_batches(_CONCEPTS, self.release):
            self._batch(batch, (concepts, codes, code_of, from_))
            done += len(batch.concepts)
            self._progress("concepts", done, self._spool.counts["concepts"])

    def _batch(self, batch: ConceptBatch, tables: tuple[Table, Table, Table, Table]) -> None:
        concepts, codes, code_of, from_ = tables
        here = set(batch.concepts)
        codes_of: dict[str, list[str]] = defaultdict(list)
        rows: list[tuple[Any, ...]] = []
        links: list[tuple[str, str]] = []
        ends: list[tuple[str, str]] = []
        for key, content in batch.codes.items():
            own = content.concepts
            for concept in own:
                codes_of[concept].append(key)
            if own[0] in here:  # a code of several concepts comes with each of them and is written with the first
                row = content.to_row()
                rows.append((key, ids.PUBLIC, *(row[column.name] for column in _CODE[1:])))
                links.extend((key, concept) for concept in own)
                ends.append((key, content.source_key))
        shown = []
        for concept in batch.concepts:
            found = derive(concept, map(batch.codes.__getitem__, codes_of[concept]), self._languages)
            shown.append((concept, ids.PUBLIC, concept, found.name, found.semantic_types, found.definition,
                          found.search_text))
        concepts.write(shown)
        codes.write(rows)
        code_of.write(links)
        from_.write(ends)

    def _relations(self) -> None:
        tables: dict[str, Table] = {}
        done, relation, release = 0, ids.relation, self.release
        for batch in self._spool.edge_batches(_EDGES):
            type_ = batch[0].type
            if type_ not in tables:
                tables[type_] = self._files.relationships(type_, "Concept", "Concept", _RELATION)
            tables[type_].write(
                (edge.subject, edge.object, relation(edge.subject, edge.predicate, edge.object, edge.sab),
                 edge.predicate, edge.sab, release) for edge in batch)
            self._by_type[type_] += len(batch)
            done += len(batch)
            self._progress("relations", done, self._spool.counts["relations"])

    def counts(self, written: dict[str, Any]) -> VocabularyCounts:
        """Return what was written, in the words of a load."""
        spool = self._spool
        created = {"sources": written["nodes"]["Source"], "concepts": written["nodes"]["Concept"],
                   "codes": written["nodes"]["Code"], "code_links": written["relationships"]["CODE_OF"],
                   "relations": self._by_type.total()}
        return VocabularyCounts(
            release=self.release, concepts=spool.counts["concepts"], codes=spool.counts["codes"],
            atoms=spool.counts["atoms"], definitions=spool.counts["definitions"],
            semantic_types=spool.counts["types"], relations=spool.counts["relations"],
            relation_rows=spool.counts["relation_rows"], vocabularies=len(spool.sabs()), cycles=spool.cycles(),
            created=created, relations_by_type=dict(sorted(self._by_type.items())))
