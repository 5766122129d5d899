"""From a source's documents to the graph.

The main thread reads; documents are chunked and linked there, or by worker processes once a run proves long enough
for them (`ingestion.workers`); one writer thread commits, so that the database works while the next document is made
ready. Documents that are there already, by content hash and pipeline version, are skipped: running the same command
again resumes. Vectors are derived later, from the dirty queue (`ingestion.vectors`).
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from graphkb import ids
from graphkb.config import Settings
from graphkb.errors import EncoderError, GraphKBError, IngestError, InputError, StoreError
from graphkb.model import Chunk, Prepared, Source, SourceDocument
from graphkb.store.protocol import Store, Tx
from ingestion import blocks, given, linking, pages, revisions, versions
from ingestion.chunking import SemanticChunker
from ingestion.ledger import Ledger, RunReport
from ingestion.lexicons import Lexicons
from ingestion.lines import TABLE, line_chunks
from ingestion.phi import Screen
from ingestion.sources.pdf_layout import REFERENCES
from ingestion.sources.text import FRONT_MATTER
from ingestion.workers import Job, Workers
from ingestion.writer import State, write_document

if TYPE_CHECKING:
    from graphkb.embed import Encoder

PIPELINE_VERSION = "3"
BATCH = 32
BATCH_CHARACTERS = 4_000_000
IN_FLIGHT = 4
# sections that no chunk is made of
NOT_READ = frozenset({FRONT_MATTER, REFERENCES})
# texts in one run before worker processes are worth their start (about two seconds each)
WORKERS_AFTER = 48
Progress = Callable[[str, int, int | None], None]


def quiet(_what: str, _done: int, _total: int | None) -> None:
    """Report no progress."""


class Pipeline:
    """Reads sources into one scope of a store."""

    def __init__(self, store: Store, settings: Settings, encoder: Encoder, lexicons: Lexicons) -> None:
        self.store = store
        self.settings = settings
        self.ledger = Ledger(store, settings.data_dir)
        # the store and the writer have a core, too
        self.workers = settings.ingest.workers or max(1, (os.cpu_count() or 1) - 1)
        self._chunker = SemanticChunker(encoder, settings.chunk)
        self._lexicons = lexicons
        self.version = f"{PIPELINE_VERSION}/{self._chunker.version}"

    def ingest(self, source: Source, scope: str, command: str, progress: Progress = quiet,
               finish: Callable[[RunReport], None] | None = None) -> RunReport:
        """Take all documents of a source into a scope, one transaction each.

        Parameters
        ----------
        finish : callable, optional
            What still belongs to the run after its documents; the run is ``running`` until it is through.

        Raises
        ------
        StoreError
            The store cannot go on; what was committed stays, and the same call resumes.
        InputError
            Nothing of the source could be read.
        """
        ids.check_scope(scope)
        report = self.ledger.open(command, scope)
        with self.ledger.closing(report):
            self._run(source, scope, report, progress)
            if finish is not None:
                finish(report)
        return report

    def _run(self, source: Source, scope: str, report: RunReport, progress: Progress) -> None:
        screen = Screen(self.settings.phi)
        documents = self._screened(source.documents(report.read), screen, report)
        with _Line(self, scope, report) as line:
            for batch in _batches(documents):
                for document in self._new(batch, scope, report):
                    line.take(document)
                    progress("documents", line.done, None)
                progress("documents", line.done, None)
        if gone := blocks.remove_gone(self.store, scope, getattr(source, "whole", {})):
            report.documents["removed"] += gone
        if report.documents["superseded"] or report.documents["rejected"]:
            pages.prune(self.store, self.settings.data_dir)
        if found := screen.report():
            report.counts["phi"] = found

    def _screened(self, documents: Iterator[SourceDocument], screen: Screen,
                  report: RunReport) -> Iterator[SourceDocument]:
        for document in documents:
            try:
                screened = screen(_placed(document))
            except InputError as error:
                self.reject(report, document, error)
            else:
                yield screened

    def _new(self, batch: list[SourceDocument], scope: str, report: RunReport) -> Iterator[SourceDocument]:
        keys = [self.key_of(document, scope) for document in batch]
        states = {row["key"]: row for row in self.store.read("list_document_states", keys=keys)}
        versions.follow(self.store, scope, zip(keys, batch, strict=True), states)
        if renewed := revisions.renewed(zip(keys, batch, strict=True), states):
            self.store.write("set_document_values", rows=renewed)
        for key, document in zip(keys, batch, strict=True):
            if key in states and states[key]["pipeline"] == self.version and not states[key]["superseded_by"]:
                self.ledger.document(report, key, document.record, "unchanged")
            else:
                yield document

    def build_lexicon(self, scope: str) -> None:
        """Have the lexicon of a scope on disk before several processes want it."""
        self._lexicons.get(scope)

    def reject(self, report: RunReport, document: SourceDocument, error: GraphKBError) -> None:
        """Record a document that could not be prepared."""
        where = document.path or document.record
        self.ledger.document(report, self.key_of(document, report.scope), document.record, "rejected", error.code)
        report.reject(where, error.code, error.detail or str(error))

    @staticmethod
    def version_of(document: SourceDocument) -> str:
        """Return the content hash: the text, and the structured rows where there are any."""
        rows = [repr((f.kind, f.row, f.name, f.vocabulary, f.code, sorted(f.properties.items())))
                for f in document.facts]
        owners = [repr(document.patient), repr(document.encounter)]
        # what a record says beside its text; a document without such keeps the hash of its text
        more = (document.properties, document.retracts, document.says_retracted)
        said = [repr((document.title, document.published, sorted(document.identifiers.items()),
                      sorted(document.properties.items()), *more[1:]))] if any(more) else []
        rows += [given.dumps(marks)] if (marks := given.marks_of(document)) else []
        return ids.content_hash(document.text, *owners, *rows, *said)

    def key_of(self, document: SourceDocument, scope: str) -> str:
        """Return the key that a document has in a scope."""
        return ids.document(scope, document.source.name, document.record, self.version_of(document))

    def prepare(self, document: SourceDocument, scope: str) -> Prepared:
        """Chunk and link one document; nothing is written."""
        size = len(document.text.encode("utf-8", "surrogatepass"))
        limit = self.settings.ingest.max_document_bytes
        if size > limit:
            raise InputError("GKB-410", where=document.path or document.record,
                             detail=f"{size} bytes, ingest.max_document_bytes is {limit}")
        key = self.key_of(document, scope)
        table = document.kind == TABLE
        lexicon = self._lexicons.get(ids.PUBLIC if table or not document.text else scope)
        prepared = Prepared(document, key, scope, self.version_of(document), self.version, linking.stamp(lexicon),
                            keep_versions=self.settings.ingest.keep_versions)
        if table:
            prepared.chunks = line_chunks(document, key)
        elif document.text:
            prepared.chunks = self._chunks(document, key)
            if document.layout is not None:
                pages.save(self.settings.data_dir, key, document.layout)
            subject = document.patient.subject_id if document.patient else ""
            marks = given.marks_of(document)
            linked = linking.link_text(prepared.chunks, lexicon, scope=scope, patient=subject,
                                       names=linking.ConceptNames(self.store), marks=marks,
                                       codes=concepts_of_codes(self.store, marks.codes),
                                       kind=document.kind)
            prepared.mentions, prepared.statements = linked.mentions, linked.statements
            prepared.concepts += linked.concepts
        if document.facts:
            codes = concepts_of_codes(self.store, linking.curies_of(document.facts))
            prepared.facts, local = linking.link_facts(document.facts, codes, lexicon, scope)
            prepared.concepts += local
        return prepared

    def _chunks(self, document: SourceDocument, key: str) -> list[Chunk]:
        pieces = [piece for piece in self._chunker.split(document.text, document.sections)
                  if piece.section not in NOT_READ]
        return [Chunk(ids.chunk(key, piece.start, piece.end, self._chunker.version), key, piece.start, piece.end,
                      ordinal, document.text[piece.start:piece.end], piece.section, piece.tokens)
                for ordinal, piece in enumerate(pieces)]


def _batches(documents: Iterable[SourceDocument]) -> Iterator[list[SourceDocument]]:
    """Yield documents in lists of at most `BATCH`, and no more once they have `BATCH_CHARACTERS` characters."""
    batch: list[SourceDocument] = []
    characters = 0
    for document in documents:
        batch.append(document)
        characters += len(document.text)
        if len(batch) >= BATCH or characters >= BATCH_CHARACTERS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


def _placed(document: SourceDocument) -> SourceDocument:
    """Return the document with its absolute path: a later version is known by it, from wherever it is named."""
    return replace(document, path=os.path.abspath(document.path)) if document.path else document


class _Line(AbstractContextManager["_Line"]):
    """The documents of one run on their way: being prepared, then waiting for the writer, always in order.

    After an error what waits for the writer is not begun.
    """

    def __init__(self, pipeline: Pipeline, scope: str, report: RunReport) -> None:
        self._pipeline = pipeline
        self._scope = scope
        self._report = report
        self._writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="writer")
        self._preparing: deque[Job] = deque()
        self._waiting: deque[tuple[SourceDocument, Prepared, Future[State]]] = deque()
        self._workers: Workers | None = None
        self._texts = 0
        self._facts_pending = False

    @property
    def done(self) -> int:
        """How many documents have their end state."""
        return sum(self._report.documents.values())

    def take(self, document: SourceDocument) -> None:
        """Put a document on the line, and let what is ready move on."""
        if document.kind == TABLE:
            self._facts_pending = self._facts_pending or bool(document.facts)
        else:
            self._texts += 1
            if self._facts_pending:
                # the scope's own names come from its tables: they are all in before text is linked
                self._empty()
                self._facts_pending = False
        if self._workers is None and self._texts > WORKERS_AFTER and self._pipeline.workers > 1:
            self._pipeline.build_lexicon(self._scope)
            self._workers = Workers(self._pipeline.settings, self._pipeline.version, self._pipeline.workers)
        if self._workers is not None and document.kind != TABLE:
            self._preparing.append(self._workers.submit(document, self._scope))
            self._move(keep=2 * self._workers.count)
        else:
            self._move(keep=0)
            self._commit(document, lambda: self._pipeline.prepare(document, self._scope))
        self._settle(keep=IN_FLIGHT)

    def _move(self, keep: int) -> None:
        while self._workers is not None and len(self._preparing) > keep:
            job = self._preparing.popleft()
            self._commit(job[0], partial(self._workers.result, job, self._scope))

    def _commit(self, document: SourceDocument, prepare: Callable[[], Prepared]) -> None:
        try:
            prepared = prepare()
        except (InputError, EncoderError, IngestError) as error:
            self._pipeline.reject(self._report, document, error)
        else:
            write = self._writer.submit(write_document, self._pipeline.store, prepared, self._report.key)
            self._waiting.append((document, prepared, write))

    def _settle(self, keep: int) -> None:
        while len(self._waiting) > keep:
            document, prepared, write = self._waiting.popleft()
            try:
                state = write.result()
            except StoreError as error:
                if error.code != "GKB-211":
                    raise
                # another process took away what this document links to: once more, with what is there now
                prepared = self._pipeline.prepare(document, self._scope)
                state = write_document(self._pipeline.store, prepared, self._report.key)
            self._pipeline.ledger.document(self._report, prepared.key, document.record, state)

    def _empty(self) -> None:
        self._move(keep=0)
        self._settle(keep=0)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                self._empty()
        finally:
            self._writer.shutdown(wait=True, cancel_futures=True)
            if self._workers is not None:
                self._workers.__exit__()


def concepts_of_codes(store: Store | Tx, curies: list[str]) -> dict[str, str]:
    """Return the concept of each code that the public vocabulary has; the first by key where there are several."""
    found: dict[str, str] = {}
    for start in range(0, len(curies), 500):
        for row in store.read("list_concepts_of_codes", curies=curies[start:start + 500]):
            found.setdefault(row["curie"], row["concept"])
    own = {curie.removeprefix("UMLS:"): curie for curie in curies if curie.startswith("UMLS:")}
    for row in store.read("list_existing_concept", keys=sorted(own)) if own else ():
        found.setdefault(own[row["key"]], row["key"])
    return found
