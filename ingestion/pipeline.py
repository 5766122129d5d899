"""From a source's documents to the graph.

The main thread reads, chunks and links; one writer thread commits, so that the database works while the next document
is made ready. Documents that are there already, by content hash and pipeline version, are skipped: running the same
command again resumes. Vectors are derived later, from the dirty queue (`ingestion.vectors`).
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from graphkb import ids
from graphkb.config import Settings
from graphkb.errors import EncoderError, InputError, StoreError
from graphkb.model import Chunk, Prepared, Source, SourceDocument
from graphkb.store.protocol import Store, Tx
from ingestion import linking
from ingestion.chunking import SemanticChunker
from ingestion.ledger import Ledger, RunReport
from ingestion.lexicons import Lexicons
from ingestion.sources.text import FRONT_MATTER
from ingestion.writer import State, write_document

if TYPE_CHECKING:
    from graphkb.embed import Encoder

PIPELINE_VERSION = "2"
BATCH = 32
IN_FLIGHT = 4
Progress = Callable[[str, int, int | None], None]


def quiet(_what: str, _done: int, _total: int | None) -> None:
    """Report no progress."""


class Pipeline:
    """Reads sources into one scope of a store."""

    def __init__(self, store: Store, settings: Settings, encoder: Encoder, lexicons: Lexicons) -> None:
        self._store = store
        self._settings = settings
        self._chunker = SemanticChunker(encoder, settings.chunk)
        self._lexicons = lexicons
        self._ledger = Ledger(store, settings.data_dir)
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
        report = self._ledger.open(command, scope)
        with self._ledger.closing(report):
            self._run(source, scope, report, progress)
            if finish is not None:
                finish(report)
        return report

    def _run(self, source: Source, scope: str, report: RunReport, progress: Progress) -> None:
        documents = (_placed(document) for document in source.documents(report.read))
        waiting: deque[tuple[SourceDocument, Future[State]]] = deque()
        with _writer() as writer:
            facts_pending = False
            while batch := list(islice(documents, BATCH)):
                for document in self._new(batch, scope, report):
                    if document.text and facts_pending:
                        # the scope's own names come from its tables: they are all in before text is linked
                        self._settle(waiting, report, keep=0)
                        facts_pending = False
                    prepared = self._prepare_or_reject(document, scope, report)
                    if prepared is not None:
                        facts_pending = facts_pending or bool(document.facts)
                        waiting.append((document, writer.submit(write_document, self._store, prepared, report.key)))
                        self._settle(waiting, report, keep=IN_FLIGHT)
                    progress("documents", sum(report.documents.values()) + len(waiting), None)
            self._settle(waiting, report, keep=0)

    def _settle(self, waiting: deque[tuple[SourceDocument, Future[State]]], report: RunReport, keep: int) -> None:
        while len(waiting) > keep:
            document, future = waiting.popleft()
            try:
                state = future.result()
            except StoreError as error:
                if error.code != "GKB-211":
                    raise
                # another process took away what this document links to: once more, with what is there now
                state = write_document(self._store, self.prepare(document, report.scope), report.key)
            report.documents[state] += 1

    def _new(self, batch: list[SourceDocument], scope: str, report: RunReport) -> Iterator[SourceDocument]:
        keys = [self.key_of(document, scope) for document in batch]
        states = {row["key"]: row for row in self._store.read("list_document_states", keys=keys)}
        moved = [{"key": key, "path": document.path} for key, document in zip(keys, batch, strict=True)
                 if document.path and key in states and states[key]["path"] != document.path]
        if moved:
            self._store.write("set_document_paths", rows=moved)
        for key, document in zip(keys, batch, strict=True):
            if key in states and states[key]["pipeline"] == self.version:
                report.documents["unchanged"] += 1
            else:
                yield document

    @staticmethod
    def version_of(document: SourceDocument) -> str:
        """Return the content hash: the text, and the structured rows where there are any."""
        rows = [repr((f.kind, f.row, f.name, f.vocabulary, f.code, sorted(f.properties.items())))
                for f in document.facts]
        owners = [repr(document.patient), repr(document.encounter)]
        return ids.content_hash(document.text, *owners, *rows)

    def key_of(self, document: SourceDocument, scope: str) -> str:
        """Return the key that a document has in a scope."""
        return ids.document(scope, document.source.name, document.record, self.version_of(document))

    def _prepare_or_reject(self, document: SourceDocument, scope: str, report: RunReport) -> Prepared | None:
        where = document.path or document.record
        try:
            return self.prepare(document, scope)
        except (InputError, EncoderError) as error:
            report.reject(where, error.code, error.detail or str(error))
            return None

    def prepare(self, document: SourceDocument, scope: str) -> Prepared:
        """Chunk and link one document; nothing is written."""
        size = len(document.text.encode("utf-8", "surrogatepass"))
        limit = self._settings.ingest.max_document_bytes
        if size > limit:
            raise InputError("GKB-410", where=document.path or document.record,
                             detail=f"{size} bytes, ingest.max_document_bytes is {limit}")
        key = self.key_of(document, scope)
        lexicon = self._lexicons.get(scope if document.text else ids.PUBLIC)
        prepared = Prepared(document, key, scope, self.version_of(document), self.version, linking.stamp(lexicon))
        if document.text:
            prepared.chunks = self._chunks(document, key)
            subject = document.patient.subject_id if document.patient else ""
            linked = linking.link_text(prepared.chunks, lexicon, scope=scope, patient=subject,
                                       names=linking.ConceptNames(self._store))
            prepared.mentions, prepared.statements = linked.mentions, linked.statements
        if document.facts:
            curies = sorted({f"{f.vocabulary}:{f.code}" for f in document.facts if f.code})
            prepared.facts, prepared.concepts = linking.link_facts(
                document.facts, concepts_of_codes(self._store, curies), lexicon, scope)
        return prepared

    def _chunks(self, document: SourceDocument, key: str) -> list[Chunk]:
        pieces = [piece for piece in self._chunker.split(document.text, document.sections)
                  if piece.section != FRONT_MATTER]
        return [Chunk(ids.chunk(key, piece.start, piece.end, self._chunker.version), key, piece.start, piece.end,
                      ordinal, document.text[piece.start:piece.end], piece.section, piece.tokens)
                for ordinal, piece in enumerate(pieces)]


def _placed(document: SourceDocument) -> SourceDocument:
    """Return the document with its absolute path: a later version is known by it, from wherever it is named."""
    return replace(document, path=os.path.abspath(document.path)) if document.path else document


@contextmanager
def _writer() -> Iterator[ThreadPoolExecutor]:
    """Give the one writer thread; after an error what waits for it is not begun."""
    writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="writer")
    try:
        yield writer
    finally:
        writer.shutdown(wait=True, cancel_futures=True)


def concepts_of_codes(store: Store | Tx, curies: list[str]) -> dict[str, str]:
    """Return the concept of each code that the public vocabulary has; the first by key where there are several."""
    found: dict[str, str] = {}
    for start in range(0, len(curies), 500):
        for row in store.read("list_concepts_of_codes", curies=curies[start:start + 500]):
            found.setdefault(row["curie"], row["concept"])
    return found
