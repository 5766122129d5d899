"""A client's own time limit: a server that never answers must not hold a thread for ever.

The driver waits for an answer without limit. One thread looks at the waiting sessions twice a second and closes
the socket of one that has waited too long; the waiting call then ends with a broken connection.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf

from neo4j import Session

_LOOK_EVERY_S = 0.5


class Guard:
    """The limit of one session: armed before a wait, disarmed after it."""

    __slots__ = ("deadline", "expired", "limit_s", "session")

    def __init__(self, session: Session, limit_s: float) -> None:
        self.session = session
        self.limit_s = limit_s
        self.deadline = inf
        self.expired = False

    def arm(self) -> None:
        """Start waiting."""
        self.deadline = time.monotonic() + self.limit_s

    def disarm(self) -> None:
        """The answer is here, or will not be waited for."""
        self.deadline = inf


class Watchdog:
    """Looks at all guards of a store."""

    def __init__(self) -> None:
        self._guards: set[Guard] = set()
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None

    @contextmanager
    def watch(self, session: Session, limit_s: float) -> Iterator[Guard]:
        """Yield a guard for a session."""
        guard = Guard(session, limit_s)
        with self._lock:
            self._guards.add(guard)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, daemon=True, name="graphkb-watchdog")
                self._thread.start()
        try:
            yield guard
        finally:
            with self._lock:
                self._guards.discard(guard)

    def close(self) -> None:
        """End the thread."""
        self._closed.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._closed.wait(_LOOK_EVERY_S):
            now = time.monotonic()
            with self._lock:
                late = [guard for guard in self._guards if guard.deadline < now]
            for guard in late:
                guard.disarm()
                guard.expired = True
                # No public way: `Session.cancel` exists for asyncio only.
                connection = getattr(guard.session, "_connection", None)
                if connection is not None:
                    connection.socket.close()
