"""Drivers, sessions and time limits below a store."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from neo4j import READ_ACCESS, Driver, GraphDatabase, Session, exceptions

from graphkb.errors import GraphKBError, QueryError, StoreError, StoreTimeout
from graphkb.store.endpoint import Endpoint
from graphkb.store.faults import translate
from graphkb.store.watchdog import Guard, Watchdog

# A server that is down or silent must be named soon; one that has shaken hands may take its time.
CONNECT_S = 5.0
FIRST_ANSWER_S = 40.0
GRACE_S = 5.0
_ARCADE = re.compile(r"ArcadeDB ([\w.]+)")


class Connection:
    """One driver for all work and, where the server has one, a second for the reading user.

    Parameters
    ----------
    opener : callable
        Gives the endpoint; called again after a broken connection, because the embedded store may have to start anew.
    limit_s : float
        A statement that the server has not answered for this long (and a grace) is given up.
    """

    def __init__(self, opener: Callable[[], Endpoint], limit_s: float) -> None:
        self._opener = opener
        self._limit_s = limit_s
        self._lock = threading.Lock()
        self._watchdog = Watchdog()
        self._drivers: dict[bool, Driver] = {}
        self.endpoint = opener()
        self.agent = ""
        self.protocol = ""
        try:
            self._hello()
        except GraphKBError:
            self.close()
            raise

    @property
    def dialect(self) -> str:
        """Which folder of ``cypher/dialect`` this server takes."""
        return "arcadedb" if _ARCADE.search(self.agent) else "neo4j"

    @property
    def version(self) -> str:
        """The server's own version."""
        found = _ARCADE.search(self.agent)
        return found[1] if found else self.agent.rpartition("/")[2]

    def _hello(self) -> None:
        with self.session(READ_ACCESS, self.endpoint.uri, limit_s=FIRST_ANSWER_S) as (session, _):
            server = session.run("RETURN 1 AS one").consume().server
        self.agent = str(server.agent)
        self.protocol = ".".join(map(str, server.protocol_version))

    def _driver(self, *, reader: bool) -> Driver:
        with self._lock:
            reader = reader and self.endpoint.reader_auth is not None
            if reader not in self._drivers:
                self._drivers[reader] = GraphDatabase.driver(
                    self.endpoint.uri, auth=self.endpoint.reader_auth if reader else self.endpoint.auth,
                    user_agent="graphkb", connection_timeout=CONNECT_S,
                    # our own child has just said that it is ready: it may be slow, but it is there
                    connection_acquisition_timeout=FIRST_ANSWER_S if self.endpoint.embedded else 2 * CONNECT_S,
                    connection_write_timeout=self._limit_s + GRACE_S, liveness_check_timeout=30.0,
                    max_transaction_retry_time=0.0, notifications_min_severity="OFF", telemetry_disabled=True)
            return self._drivers[reader]

    @contextmanager
    def session(self, mode: str, where: str, *, reader: bool = False, free: bool = False,
                limit_s: float | None = None) -> Iterator[tuple[Session, Guard]]:
        """Yield a session and its guard; every error of the driver leaves as one of ours."""
        guard: Guard | None = None
        try:
            session = self._driver(reader=reader).session(database=self.endpoint.database, default_access_mode=mode)
            try:
                # ArcadeDB takes no limit for a statement: ours is the only one there, so it waits for no other.
                grace = 0.0 if limit_s and self.endpoint.embedded else GRACE_S
                with self._watchdog.watch(session, (limit_s or self._limit_s) + grace) as guard:
                    guard.arm()
                    yield session, guard
            finally:
                # A session whose socket is gone fails once more at its end, which tells nothing new.
                with suppress(exceptions.DriverError, exceptions.Neo4jError, OSError):
                    session.close()
        except (exceptions.DriverError, exceptions.Neo4jError, OSError) as error:
            raise _ours(error, guard, where, free) from None
        except (UnicodeError, OverflowError) as error:
            # The original holds the text itself.
            raise QueryError("GKB-303", where=where, detail=f"a value cannot be sent: {type(error).__name__}") from None

    def renew(self) -> None:
        """Connect anew; the embedded store is started where it is gone."""
        if not self.endpoint.embedded:
            return
        endpoint = self._opener()
        with self._lock:
            if endpoint == self.endpoint:
                return
            self.endpoint = endpoint
            old = list(self._drivers.values())
            self._drivers.clear()
        for driver in old:
            _close(driver)

    def close(self) -> None:
        """Close drivers and the watchdog."""
        with self._lock:
            drivers = list(self._drivers.values())
            self._drivers.clear()
        for driver in drivers:
            _close(driver)
        self._watchdog.close()


def _ours(error: Exception, guard: Guard | None, where: str, free: bool) -> GraphKBError:
    if guard is not None and guard.expired:
        return StoreTimeout("GKB-205", where=where, detail=f"no answer for {guard.limit_s:.0f} s")
    if isinstance(error, exceptions.DriverError | exceptions.Neo4jError):
        return translate(error, where, free=free)
    if isinstance(error, TimeoutError):
        return StoreTimeout("GKB-205", where=where)
    return StoreError("GKB-207", where=where, detail=type(error).__name__)


def _close(driver: Driver) -> None:
    with suppress(exceptions.DriverError, exceptions.Neo4jError, OSError):
        driver.close()
