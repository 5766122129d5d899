"""`KnowledgeBase`: everything the product does, by one object. The commands are thin over it."""

from __future__ import annotations

import secrets
import shutil
import unicodedata
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

from graphkb import config, health, ids
from graphkb.dates import check_date, release_at
from graphkb.errors import AnswerError, EncoderError, IndexMismatch
from graphkb.model import Answer, Evidence, Query, Source
from graphkb.store.disk import on_disk
from graphkb.store.protocol import Row, Store, Table, Tx
from ingestion import revisions
from ingestion.ledger import Ledger, RunReport, latest
from ingestion.lexicons import Lexicons
from ingestion.pipeline import Pipeline, Progress, quiet
from ingestion.relink import relink
from ingestion.vectors import embed_pending

if TYPE_CHECKING:
    from graphkb.embed import Encoder
    from graphkb.retraction import Retracted
    from graphkb.updating import Updated
    from ingestion.identity import Found, Merge
    from retrieval.hybrid import HybridRetriever, Searcher
    from retrieval.index import ChunkIndex


# A question with its options: longer text is no question, and every option costs a search.
MOST_CHARACTERS = 10_000


def open(path: str | Path | None = None, **flags: Any) -> KnowledgeBase:
    """Open a knowledge base by its file of settings.

    Parameters
    ----------
    path : str or Path, optional
        ``graphkb.toml``; without it the environment, the working directory, then the defaults.
    **flags
        Settings by name, dots as ``__``: ``open(data_dir="kb", store__uri="neo4j://host")``.

    Examples
    --------
    >>> kb = graphkb.open("graphkb.toml")                                    # doctest: +SKIP
    >>> kb.ask("What is the first-line treatment of hypertension?").answer   # doctest: +SKIP
    """
    return KnowledgeBase(config.load(Path(path) if path is not None else None, **flags))


def _readable(text: str) -> str:
    """Return a question without what is no writing: control characters, halves of surrogate pairs, noncharacters."""
    return " ".join("".join(" " if unicodedata.category(c) in ("Cc", "Cs", "Cn") else c for c in text).split())


class KnowledgeBase(AbstractContextManager["KnowledgeBase"]):
    """A graph, its indexes and its models, opened by settings; each part is started when it is first needed."""

    def __init__(self, settings: config.Settings) -> None:
        self.settings = settings

    @cached_property
    def store(self) -> Store:
        """The store, migrated."""
        from graphkb.store import open_store

        store = open_store(self.settings)
        store.migrate()
        self._claim_indexes(store)
        return store

    def _claim_indexes(self, store: Store) -> None:
        """Throw away indexes that were made for another graph: they are derived, and counters would mislead them."""
        def name(tx: Tx) -> str:
            there = tx.read("get_meta", key=ids.meta("store"))
            properties = there[0]["properties"] if there else {"id": secrets.token_hex(16), "scope": ids.PUBLIC}
            if not there:
                tx.write("put_meta", key=ids.meta("store"), properties=properties)
            return str(properties["id"])

        rows = store.read("get_meta", key=ids.meta("store"))
        mine = str(rows[0]["properties"]["id"]) if rows else store.transaction(name)
        folder = self.settings.data_dir / "index"
        marker = folder / "store.id"
        with on_disk(str(folder)):
            if not marker.is_file() or marker.read_bytes() != mine.encode():
                for own in ("chunks", "lexicon"):  # only what is ours: the folder may be the user's
                    if (folder / own).is_dir():
                        shutil.rmtree(folder / own)
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)
                marker.write_bytes(mine.encode())

    @cached_property
    def encoder(self) -> Encoder:
        """The text encoder."""
        from graphkb.embed import load_encoder

        return load_encoder(self.settings)

    @cached_property
    def lexicons(self) -> Lexicons:
        """The lexicons of the scopes."""
        return Lexicons(self.store, self.settings)

    @cached_property
    def index(self) -> ChunkIndex:
        """The local index of chunks, in step with the graph."""
        from retrieval.index import ChunkIndex

        index = ChunkIndex.open(self.settings.data_dir, self.encoder.stamp)
        with on_disk(str(self.settings.data_dir / "index")):
            index.sync(self.store)
        return index

    @cached_property
    def retriever(self) -> HybridRetriever:
        """The hybrid retriever."""
        from retrieval.hybrid import HybridRetriever

        if self.settings.retrieval.backend == "store":
            from retrieval.store_search import StoreSearch

            searcher: Searcher = StoreSearch(self.store, self.encoder.stamp.dimension)
        else:
            searcher = self.index
        return HybridRetriever(searcher, self.store, self.encoder, self.settings.retrieval)

    # -- writing ------------------------------------------------------------------------------------------------

    def ingest(self, source: Source, *, scope: str | None = None, command: str | None = None, vectors: bool = True,
               progress: Progress = quiet) -> RunReport:
        """Take a source's documents, then bring all derived data up to date.

        Parameters
        ----------
        source : Source
            For instance ``ingestion.sources.JatsSource([path])``.
        scope : str, optional
            ``public`` for literature, the settings' scope for a user's own records by default of the source.
        vectors : bool
            False leaves the vectors to a later run.
        """
        scope = scope or getattr(source, "scope", None) or ids.PUBLIC
        pipeline = Pipeline(self.store, self.settings, self.encoder, self.lexicons)

        def finish(report: RunReport) -> None:
            if deletions := getattr(source, "deletions", ()):
                report.counts["withdrawn"] = revisions.delete(self.store, scope, deletions)
            self.refresh(report, vectors=vectors, progress=progress)

        return pipeline.ingest(source, scope, command or source.name, progress, finish)

    def ingest_vocabulary(self, folder: str | Path, *, release: str | None = None, dry_run: bool = False,
                          vectors: bool = True, progress: Progress = quiet) -> RunReport:
        """Load a UMLS ``META`` folder, then link again what it may change; ``vectors=False`` leaves what waits."""
        from ingestion.upgrade import refuse_unfinished
        from ingestion.vocabulary import load_vocabulary

        refuse_unfinished(self.store)
        ledger = Ledger(self.store, self.settings.data_dir)
        report = ledger.open("ingest umls", ids.PUBLIC)
        with ledger.closing(report):
            counts = load_vocabulary(self.store, Path(folder), settings=self.settings, report=report.read,
                                     release=release, dry_run=dry_run, progress=progress)
            report.counts = counts.to_dict()
            if not dry_run:
                self.refresh(report, vectors=vectors, progress=progress)
        return report

    def write_vocabulary(self, folder: str | Path, out: str | Path, *, release: str | None = None,
                         progress: Progress = quiet) -> RunReport:
        """Write a UMLS ``META`` folder as CSV for Neo4j's ``database import``; the store is not touched."""
        from ingestion.bulk import write_umls

        return write_umls(Path(folder), Path(out), settings=self.settings, release=release, progress=progress)

    def upgrade_vocabulary(self, folder: str | Path, *, release: str | None = None, dry_run: bool = True,
                           vectors: bool = True, progress: Progress = quiet) -> dict[str, Any]:
        """Compare the vocabulary with a newer ``META`` folder, or bring the graph to it (see `ingestion.upgrade`)."""
        from ingestion import upgrade

        if dry_run:
            return upgrade.dry_run(self.store, self.settings, Path(folder), release=release, progress=progress)
        return upgrade.apply_release(self.store, self.settings, Path(folder), release=release, progress=progress,
                                     refresh=lambda: self.refresh(vectors=vectors, progress=progress))

    def roll_back_vocabulary(self, *, vectors: bool = True, progress: Progress = quiet) -> dict[str, Any]:
        """Take the latest upgrade of the vocabulary back, whole or half applied."""
        from ingestion import upgrade

        return upgrade.roll_back(self.store, lambda: self.refresh(vectors=vectors, progress=progress), progress)

    def refresh(self, report: RunReport | None = None, *, vectors: bool = True, progress: Progress = quiet) -> None:
        """Bring links, vectors and the local index up to the graph; each step does nothing where nothing changed."""
        relinked = relink(self.store, self.lexicons, report.key if report else "", progress)
        encoded = 0
        if vectors:
            encoded = embed_pending(self.store, self.encoder, progress)
            with on_disk(str(self.settings.data_dir / "index")):
                self.index.sync(self.store)
        if report is not None:
            report.counts |= {"relinked": relinked.texts + relinked.facts, "vectors": encoded}

    def update(self, paths: Sequence[str | Path] = (), *, kind: str = "", tier: str = "", failed: bool = False,
               remove_missing: bool = False, scope: str | None = None, vectors: bool = True, dry_run: bool = False,
               progress: Progress = quiet) -> Updated:
        """Read known files and folders again: what changed supersedes, with the reader and tier that took it.

        ``failed`` takes the files that the latest runs rejected; ``remove_missing`` retracts documents whose files are
        gone, with a receipt; without it they are only told.
        """
        from graphkb import updating

        return updating.update(self, [Path(path) for path in paths], kind=kind, tier=tier, failed=failed,
                               scope=scope, remove_missing=remove_missing, vectors=vectors, dry_run=dry_run,
                               progress=progress)

    def retract(self, *, document: Sequence[str] = (), subject: Sequence[str] = (), run: Sequence[str] = (),
                source: Sequence[str] = (), reason: str, action: Literal["remove", "mark", "unmark"] = "remove",
                scope: str | None = None, date: str = "", dry_run: bool = False,
                progress: Progress = quiet) -> Retracted:
        """Remove documents, subjects, runs or sources with what only they supported; see `retraction.retract`."""
        from graphkb import retraction
        from ingestion.retraction import Targets

        targets = Targets(tuple(document), tuple(subject), tuple(run), tuple(source))
        return retraction.retract(self, targets, reason=reason, action=action, scope=scope, date=date, dry_run=dry_run,
                                  progress=progress)

    # -- reading ------------------------------------------------------------------------------------------------

    def scopes(self, scope: str | None = None) -> tuple[str, ...]:
        """Return what a question of a scope may read: ``public`` and the scope."""
        own = ids.check_scope(scope or self.settings.scope)
        return (ids.PUBLIC,) if own == ids.PUBLIC else (ids.PUBLIC, own)

    def query(self, cypher: str, params: Mapping[str, Any] | None = None, *, limit: int = 1000,
              timeout_s: float | None = None) -> Table:
        """Run free Cypher, read-only and with limits. It sees the whole store: for its owner, not for its users.

        Raises
        ------
        ForbiddenQuery
            GKB-306: the text could write, read files or open addresses.
        """
        from graphkb.security.guard import check_read_only

        check_read_only(cypher)
        return self.store.free_read(cypher, params or {}, limit=limit,
                                    timeout_s=timeout_s or self.settings.store.timeout_s)

    def explain(self, cypher: str, params: Mapping[str, Any] | None = None) -> str:
        """Return the server's plan of free Cypher, under the same guard as `query`; nothing is run."""
        from graphkb.security.guard import check_read_only

        check_read_only(cypher)
        return self.store.explain(cypher, params or {})

    def run(self, name: str, *, scope: str | None = None, **params: Any) -> list[Row]:
        """Run a named read query; a query that binds the scope gets the scopes of the question's scope."""
        query = self.store.library[name]
        if "scopes" in query.params:
            params["scopes"] = list(self.scopes(scope))
        if "scope" in query.params:
            params["scope"] = self.scopes(scope)[-1]
        return self.store.read(name, **params)

    def retrieve(self, question: str, *, options: Sequence[str] = (), patient: str | None = None,
                 scope: str | None = None, k: int | None = None, as_of: str = "") -> list[Evidence]:
        """Return evidence for a question, best first.

        A patient who is named, by ``patient`` or in the question, is the only one whose text is found; where nobody is
        named, all that the scope may read is searched. ``as_of`` (YYYY, YYYY-MM, YYYY-MM-DD) asks what was published
        and stood then.

        Raises
        ------
        AnswerError
            GKB-701 (empty), GKB-702 (no such patient).
        """
        from graphkb.answer.question import patient_in
        from retrieval.patients import has_patient

        query = self._query(question, options, patient, scope, k, as_of)
        named = query.patient or patient_in(query.question)
        if named and not has_patient(self.store, named, query.scopes):
            raise AnswerError("GKB-702", where="--patient" if query.patient else "question")
        self.index.sync(self.store)
        return self.retriever.retrieve(replace(query, patient=named))

    def ask(self, question: str, *, options: Sequence[str] = (), patient: str | None = None,
            scope: str | None = None, k: int | None = None, method: str = "auto", as_of: str = "") -> Answer:
        """Answer a question from the graph, each sentence with its checked evidence, or say what is missing.

        Raises
        ------
        AnswerError
            GKB-701 (empty), GKB-702 (no such patient), GKB-703 (empty graph), GKB-704 (no such method).
        """
        from graphkb.answer import Engine

        if method not in ("auto", "hybrid"):
            raise AnswerError("GKB-704", where="--method", detail="auto and hybrid are here")
        if not any(self.store.read("get_meta", key=ids.meta(name)) for name in ("graph", "lexicon:public")):
            raise AnswerError("GKB-703", where=f"data_dir {self.settings.data_dir}")
        self.index.sync(self.store)
        engine = Engine(self.store, self.index, self.retriever, self.encoder, self.lexicons, self.settings)
        return engine.answer(self._query(question, options, patient, scope, k, as_of), method)

    def _query(self, question: str, options: Sequence[str], patient: str | None, scope: str | None,
               k: int | None, as_of: str) -> Query:
        question = _readable(question)
        if not question:
            raise AnswerError("GKB-701")
        choices = tuple(option for raw in options if (option := _readable(raw)))
        if len(question) + sum(map(len, choices)) > MOST_CHARACTERS:
            raise AnswerError("GKB-705")
        return Query(question, self.scopes(scope), choices, _readable(patient or "") or None,
                     k or self.settings.retrieval.k, as_of=check_date(as_of), release=release_at(self.store, as_of))

    # -- identity -----------------------------------------------------------------------------------------------

    def find_merges(self, *, scope: str | None = None, vectors: bool = False, dry_run: bool = False) -> Found:
        """Propose which local concepts are the same as concepts of the vocabulary; see `ingestion.identity`."""
        from ingestion import identity

        return identity.find(self.store, self.scopes(scope), self.lexicons.get(ids.PUBLIC), self.settings.identity,
                             self.encoder if vectors else None, dry_run=dry_run)

    def merges(self, *, scope: str | None = None, status: str = "") -> list[Merge]:
        """Return the proposals and decisions of a scope, of one status where given."""
        from ingestion import identity

        return list(identity.merges(self.store, self.scopes(scope), status))

    def decide_merges(self, keys: Sequence[str], status: Literal["accepted", "rejected", "proposed"], *,
                      reviewer: str = "", scope: str | None = None) -> list[Merge]:
        """Accept or reject merges, or undo (``proposed``) what was decided; a run in the ledger says who and when."""
        from ingestion import identity

        ledger = Ledger(self.store, self.settings.data_dir)
        report = ledger.open(f"review merges {status}", self.scopes(scope)[-1])
        with ledger.closing(report):
            decided = identity.decide(self.store, self.scopes(scope), keys, status, reviewer)
            for merge in decided:
                ledger.document(report, merge.key, merge.local, status)
        return decided

    def export(self, format_: str, out: str | Path, *, sources: Sequence[str] = (), max_restriction: int = 0,
               scopes: Sequence[str] = (), vectors: bool = False, progress: Progress = quiet) -> dict[str, Any]:
        """Write the public part of the graph, and the named private scopes, in a format (see `graphkb.export`)."""
        from graphkb.export import Selection, export

        named = dict.fromkeys((ids.PUBLIC, *map(ids.check_scope, scopes)))
        selection = Selection(tuple(named), tuple(sources), max_restriction, vectors, format_ == "neo4j-import",
                              tuple(self.settings.ingest.languages))
        return export(self.store, format_, Path(out), selection, progress)

    def status(self, *, fingerprint: bool = False) -> dict[str, Any]:
        """Return counts per label and relationship type, the latest runs, waiting work, and the indexes' state."""
        result = health.status(self.store, fingerprint=fingerprint)
        result |= {"runs": latest(self.store), "store": self.store.info(), "indexes": {"chunks": self.index.info()}}
        return result

    def check(self, *, repair: bool = False) -> list[dict[str, Any]]:
        """Return every broken invariant; ``repair`` mends what is derived, then looks again."""
        problems = self._problems()
        if repair and any(problem["repairable"] for problem in problems):
            from retrieval.index import ChunkIndex

            for problem in problems:
                if problem["check"].startswith("check_vectors"):
                    health.queue_vectors(self.store, problem["keys"])
                elif problem["check"] == "check_model":
                    health.queue_vectors(self.store, health.documents_with_vectors(self.store))
            embed_pending(self.store, self.encoder)
            self.__dict__["index"] = ChunkIndex.rebuild(self.settings.data_dir, self.encoder.stamp, self.store)
            problems = self._problems()
        return problems

    def _problems(self) -> list[dict[str, Any]]:
        problems = health.check(self.store, self.encoder.stamp.dimension)
        try:
            differing = self.index.compare(self.store)
        except IndexMismatch as error:
            return [*problems, {"check": "check_model", "what": "The index was made by another model.",
                                "keys": [error.detail or error.where], "found": 1, "repairable": True}]
        except EncoderError as error:  # damaged: derived, so it can be built again
            differing = [f"{error.code}: {error.where}"]
        if differing:
            problems.append({"check": "check_index", "what": "Chunks in which index and graph differ.",
                             "keys": differing, "found": len(differing), "repairable": True})
        return problems

    def close(self) -> None:
        """Give back connections; the embedded store goes on until it is idle."""
        if "store" in self.__dict__:
            self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

