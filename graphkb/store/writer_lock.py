"""One writer at a time: in this process by a lock, between processes of one machine by a file.

The measured reason: with one writer no transaction is retried; without it servers lose half of them to conflicts and
back off for up to 40 s. Processes on other machines meet at the ``meta:lock`` node, which each write updates first.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from graphkb.errors import StoreError
from graphkb.store.endpoint import Endpoint
from graphkb.store.locks import FileLock

_LOCKS: dict[str, threading.RLock] = {}
_LOCKS_LOCK = threading.Lock()


class WriterLock:
    """The lock of one database.

    Parameters
    ----------
    endpoint : Endpoint
    wait_s : float
        How long to wait for another process.
    """

    def __init__(self, endpoint: Endpoint, wait_s: float) -> None:
        name = str(endpoint.folder) if endpoint.folder else f"{endpoint.uri} {endpoint.database}"
        with _LOCKS_LOCK:
            self._thread_lock = _LOCKS.setdefault(name, threading.RLock())
        self._file = FileLock(endpoint.folder / "writer.lock") if endpoint.folder else None
        self._wait_s = wait_s
        self._held = False

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Hold the lock.

        Raises
        ------
        StoreError
            GKB-604: another process has been writing for too long.
        RuntimeError
            The thread holds it already: a transaction inside a transaction.
        """
        with self._thread_lock:
            if self._held:
                raise RuntimeError("a transaction was opened inside a transaction of the same store")
            if self._file is not None and not self._file.acquire(timeout_s=self._wait_s):
                raise StoreError("GKB-604", where="writer.lock")
            self._held = True
            try:
                yield
            finally:
                self._held = False
                if self._file is not None:
                    self._file.release()
