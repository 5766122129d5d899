"""The database servers that tests run against, started when the first test asks and stopped at the end.

`store` is an open, migrated, empty store, once for each kind of server; `store_settings` its settings.
`GRAPHKB_TEST_URI` (with `_USER`, `_PASSWORD`) adds a server of your own: its database is wiped.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from graphkb import config
from graphkb.config import Settings
from graphkb.store import Store, embedded, open_store

ROOT = Path(__file__).resolve().parents[1]
NEO4J_LOCAL = ROOT / "docker" / "neo4j-local" / "neo4j-local"
NEO4J = {"neo4j5": "5", "neo4j2026": "2026"}
KINDS = ("arcadedb", *NEO4J, *(["external"] if os.environ.get("GRAPHKB_TEST_URI") else []))
PASSWORD = "only-for-tests-1"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Servers:
    """Running servers by kind; each is started once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._settings: dict[str, Settings] = {}
        self._ports: list[int] = []
        self._absent: set[str] = set()

    def settings(self, kind: str, **flags: Any) -> Settings:
        """Settings of a running server of this kind; skips or fails where it cannot run here."""
        from tests.conftest import missing

        if kind in self._absent:
            missing("neo4j", "see docker/neo4j-local/README.md")
        if kind not in self._settings:
            self._settings[kind] = self._start(kind)
        base = self._settings[kind].store
        given = {"store__uri": base.uri, "store__user": base.user, "store__password": base.password.get_secret_value(),
                 "store__database": base.database, **flags}
        return config.load(environ={}, data_dir=self.folder / kind, **given)

    def _start(self, kind: str) -> Settings:
        if kind == "arcadedb":
            return config.load(environ={}, data_dir=self.folder / kind)
        if kind == "external":
            return config.load(environ={}, store__uri=os.environ["GRAPHKB_TEST_URI"],
                               store__user=os.environ.get("GRAPHKB_TEST_USER", ""),
                               store__password=os.environ.get("GRAPHKB_TEST_PASSWORD", ""))
        port = free_port()
        password = PASSWORD if kind == "neo4j5" else ""
        self._ports.append(port)
        uri = start_neo4j(kind, port, self.folder / kind, password)
        if uri is None:
            from tests.conftest import missing

            self._absent.add(kind)
            missing("neo4j", "a JDK and Maven are needed: docker/neo4j-local/README.md")
            raise AssertionError
        user = "neo4j" if password else ""
        return config.load(environ={}, store__uri=uri, store__user=user, store__password=password)

    def stop(self) -> None:
        if (self.folder / "arcadedb").is_dir():
            embedded.stop(config.load(environ={}, data_dir=self.folder / "arcadedb"))
        for port in self._ports:
            stop_neo4j(port)
        shutil.rmtree(self.folder, ignore_errors=True)


def start_neo4j(kind: str, port: int, home: Path, password: str = "") -> str | None:
    """Start a Neo4j and return its address, or None where Java or Maven is missing."""
    command = [sys.executable, str(NEO4J_LOCAL), "start", NEO4J[kind], "--port", str(port), "--home", str(home)]
    environment = dict(os.environ, **({"NEO4J_LOCAL_PASSWORD": password} if password else {}))
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=600)
    if done.returncode == 3:
        return None
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def stop_neo4j(port: int) -> None:
    subprocess.run([sys.executable, str(NEO4J_LOCAL), "stop", "--port", str(port)], capture_output=True, timeout=200)


def raw(store: Store, text: str, /, **params: Any) -> list[dict[str, Any]]:
    """Run any Cypher: tests only."""
    connection = store._connection
    with connection.session("WRITE", "test") as (session, guard):
        rows = [dict(record) for record in session.run(text, params)]
        guard.disarm()
        return rows


def wipe(store: Store) -> None:
    """Delete everything but the record of migrations."""
    while raw(store, "MATCH (n) WHERE NOT n.key STARTS WITH 'meta:migration:' WITH n LIMIT 5000 DETACH DELETE n "
                     "RETURN count(*) AS n")[0]["n"]:
        pass


@pytest.fixture(scope="session")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    running = Servers(tmp_path_factory.mktemp("servers"))
    yield running
    running.stop()


@pytest.fixture(params=KINDS)
def store_settings(request: pytest.FixtureRequest, servers: Servers) -> Settings:
    return servers.settings(request.param)


@pytest.fixture
def store(store_settings: Settings) -> Iterator[Store]:
    opened = open_store(store_settings)
    try:
        opened.migrate()
        wipe(opened)
        yield opened
    finally:
        opened.close()


@pytest.fixture
def embedded_settings(tmp_path: Path) -> Iterator[Settings]:
    """Settings of an embedded store of the test's own, stopped afterwards."""
    settings = config.load(environ={}, data_dir=tmp_path / "kb", store__heap_mb=256)
    yield settings
    embedded.stop(settings)
