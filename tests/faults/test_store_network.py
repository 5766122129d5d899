"""A server that is down, silent, or falls silent: an error with a code, in a bounded time."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from graphkb import config
from graphkb.config import Settings
from graphkb.errors import StoreError, StoreTimeout, StoreUnavailable
from graphkb.store import embedded, migrations, open_store
from tests.servers import free_port


def settings_for(port: int, scheme: str = "bolt") -> Settings:
    return config.load(environ={}, store__uri=f"{scheme}://127.0.0.1:{port}", store__password="SECRET")


@pytest.fixture
def silent() -> Iterator[int]:
    """A server that accepts and never says a word."""
    held = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        def accept() -> None:
            while True:
                try:
                    held.append(server.accept()[0])
                except OSError:
                    return

        threading.Thread(target=accept, daemon=True).start()
        yield server.getsockname()[1]
    for connection in held:
        connection.close()


@pytest.fixture
def babbling() -> Iterator[int]:
    """A server that answers with something else than Bolt and hangs up."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        def accept() -> None:
            while True:
                try:
                    connection = server.accept()[0]
                    connection.recv(64)
                    connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
                    connection.close()
                except OSError:
                    return

        threading.Thread(target=accept, daemon=True).start()
        yield server.getsockname()[1]


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_down(scheme: str) -> None:
    started = time.monotonic()
    with pytest.raises(StoreUnavailable) as caught:
        open_store(settings_for(free_port(), scheme))
    assert caught.value.code == "GKB-201"
    assert "SECRET" not in str(caught.value)
    assert time.monotonic() - started < 10


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_silent(silent: int, scheme: str) -> None:
    started = time.monotonic()
    with pytest.raises(StoreError) as caught:
        open_store(settings_for(silent, scheme))
    assert caught.value.code in ("GKB-201", "GKB-205")
    assert time.monotonic() - started < 13


def test_something_else_listens_there(babbling: int) -> None:
    with pytest.raises(StoreError) as caught:
        open_store(settings_for(babbling))
    assert caught.value.code in ("GKB-201", "GKB-207")


@pytest.mark.skipif(sys.platform == "win32", reason="SIGSTOP")
def test_a_server_that_falls_silent(embedded_settings: Settings) -> None:
    quick = embedded_settings.store.model_copy(update={"timeout_s": 1.0})
    settings = embedded_settings.model_copy(update={"store": quick})
    pid = embedded.start(settings).pid
    store = open_store(settings)
    try:
        store.migrate()
        os.kill(pid, signal.SIGSTOP)
        started = time.monotonic()
        with pytest.raises(StoreTimeout) as caught:
            store.read("list_migrations")
        assert caught.value.code == "GKB-205"
        assert 4 < time.monotonic() - started < 12
        os.kill(pid, signal.SIGCONT)
        assert len(store.read("list_migrations")) == len(migrations.find(store.dialect))
    finally:
        os.kill(pid, signal.SIGCONT)
        store.close()
