"""Worker processes that prepare documents, so that reading, linking and writing use all cores.

A worker has its own connection, encoder and lexicons and only reads; the one writer stays in the process that began
the run. Documents come back in the order they went in. A worker that dies takes no run with it: what it had is
prepared again alone, and the document that kills its worker a second time is rejected (GKB-606).
"""

from __future__ import annotations

import multiprocessing
import os
import threading
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from graphkb.errors import IngestError
from graphkb.model import Prepared, SourceDocument

if TYPE_CHECKING:
    from graphkb.config import Settings
    from ingestion.pipeline import Pipeline

_pipeline: Pipeline | None = None
Job = tuple[SourceDocument, "Future[Prepared]"]


def _open(settings: Settings) -> None:
    """Make this process a worker; it ends with the process that started it, however that one ends."""
    global _pipeline
    from graphkb.embed import load_encoder
    from graphkb.store import open_store
    from ingestion.lexicons import Lexicons
    from ingestion.pipeline import Pipeline

    threading.Thread(target=_end_with_parent, daemon=True).start()
    one = settings.model_copy(update={"embed": settings.embed.model_copy(update={"threads": 1})})
    store = open_store(one)
    _pipeline = Pipeline(store, one, load_encoder(one), Lexicons(store, one))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _prepare(document: SourceDocument, scope: str, version: str) -> Prepared:
    if _pipeline is None or _pipeline.version != version:
        raise IngestError("GKB-606", where=document.path or document.record,
                          detail="the worker has another encoder than the run")
    return _pipeline.prepare(document, scope)


class Workers(AbstractContextManager["Workers"]):
    """A pool of worker processes for one run.

    Parameters
    ----------
    settings : Settings
        What the workers open their store, encoder and lexicons with.
    version : str
        The run's pipeline version; a worker with another one refuses.
    count : int
        How many processes.
    """

    def __init__(self, settings: Settings, version: str, count: int) -> None:
        self._settings = settings
        self._version = version
        self.count = count
        self._pool = self._new_pool()

    def _new_pool(self) -> ProcessPoolExecutor:
        # spawn: a fork would share the connection, its threads and their locks
        return ProcessPoolExecutor(self.count, multiprocessing.get_context("spawn"), _open, (self._settings,))

    def submit(self, document: SourceDocument, scope: str) -> Job:
        """Begin to prepare a document."""
        try:
            return document, self._pool.submit(_prepare, document, scope, self._version)
        except BrokenProcessPool:
            self._renew()
            return document, self._pool.submit(_prepare, document, scope, self._version)

    def result(self, job: Job, scope: str) -> Prepared:
        """Return the prepared document of a job.

        Raises
        ------
        IngestError
            GKB-606: this document ended its worker twice.
        """
        document, future = job
        try:
            return future.result()
        except BrokenProcessPool:
            pass
        try:
            return self.submit(document, scope)[1].result()
        except BrokenProcessPool:
            self._renew()
            raise IngestError("GKB-606", where=document.path or document.record) from None

    def _renew(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = self._new_pool()

    def __exit__(self, *exc: object) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)
