"""The embedded store: shared, restarted, stopped, private."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from graphkb import config
from graphkb.config import Settings
from graphkb.errors import ForbiddenQuery, StoreError
from graphkb.store import embedded, migrations, open_store
from graphkb.store.locks import FileLock
from tests.servers import raw


def wait_until(true: Callable[[], bool], limit_s: float) -> bool:
    deadline = time.monotonic() + limit_s
    while time.monotonic() < deadline:
        if true():
            return True
        time.sleep(0.05)
    return False


def test_start_join_info_stop(embedded_settings: Settings) -> None:
    assert embedded.info(embedded_settings)["running"] is False
    assert embedded.stop(embedded_settings) is False
    first = embedded.start(embedded_settings)
    assert embedded.start(embedded_settings) == first
    info = embedded.info(embedded_settings)
    assert (info["running"], info["pid"], info["uri"]) == (True, first.pid, first.uri)
    assert first.uri.startswith("bolt://127.0.0.1:")
    assert first.password not in repr(info) + repr(first)
    assert embedded.stop(embedded_settings) is True
    assert embedded.info(embedded_settings)["running"] is False
    assert not (embedded.folder(embedded_settings) / "server.json").exists()


def test_content_and_password_outlive_a_restart(embedded_settings: Settings) -> None:
    store = open_store(embedded_settings)
    store.migrate()
    store.write("record_migration", key="meta:x", name="kept", checksum="c")
    store.close()
    password = embedded.start(embedded_settings).password
    embedded.stop(embedded_settings)
    store = open_store(embedded_settings)
    try:
        assert raw(store, "MATCH (m:Meta {key: 'meta:x'}) RETURN m.name AS name") == [{"name": "kept"}]
        assert store.migrate() == []
        with pytest.raises(ForbiddenQuery):
            store.free_read("CREATE (n:Meta {key: 'z'})", {}, limit=1, timeout_s=5)
    finally:
        store.close()
    assert embedded.start(embedded_settings).password == password


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX modes")
def test_files_are_private(embedded_settings: Settings) -> None:
    embedded.start(embedded_settings)
    place = embedded.folder(embedded_settings)
    assert place.stat().st_mode & 0o777 == 0o700
    for name in ("server.json", "secret.json", "store.log", "heartbeat", "owner.lock", "start.lock"):
        assert (place / name).stat().st_mode & 0o777 == 0o600, name
    log = (place / "store.log").read_text(errors="replace")
    assert embedded.start(embedded_settings).password not in log


def test_every_door_is_on_loopback(embedded_settings: Settings) -> None:
    psutil = pytest.importorskip("psutil")
    access = embedded.start(embedded_settings)
    listening = [c.laddr for c in psutil.Process(access.pid).net_connections() if c.status == "LISTEN"]
    assert {a.port for a in listening} == {access.bolt_port, access.http_port}
    assert {a.ip.removeprefix("::ffff:") for a in listening} == {"127.0.0.1"}


def test_http_and_mcp_want_the_password(embedded_settings: Settings) -> None:
    import httpx

    access = embedded.start(embedded_settings)
    for path in ("/api/v1/query/graph/sql/select%201", "/api/v1/databases", "/api/v1/mcp"):
        assert httpx.get(access.http + path, trust_env=False).status_code in (401, 403, 404, 405), path
    answer = httpx.post(f"{access.http}/api/v1/mcp", trust_env=False, auth=(access.reader, access.reader_password),
                        json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    assert answer.status_code != 200 or "tools" not in answer.json().get("result", {})
    for user, password in ((access.user, "wrong"), (access.reader, "")):
        answer = httpx.post(f"{access.http}/api/v1/command/{access.database}", auth=(user, password), trust_env=False,
                            json={"language": "sql", "command": "SELECT 1"})
        assert answer.status_code in (401, 403)


def test_load_csv_is_closed(embedded_settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("SECRET\n")
    store = open_store(embedded_settings)
    try:
        for url in (f"file://{tmp_path}/x.csv", f"{tmp_path}/x.csv", "http://127.0.0.1:1/x.csv"):
            with pytest.raises(StoreError):
                raw(store, f"LOAD CSV FROM '{url}' AS line RETURN line")
    finally:
        store.close()


def test_killed_child_is_started_again(embedded_settings: Settings) -> None:
    store = open_store(embedded_settings)
    try:
        store.migrate()
        store.write("record_migration", key="meta:x", name="kept", checksum="c")
        first = embedded.start(embedded_settings)
        os.kill(first.pid, signal.SIGKILL)
        # the same open store goes on: it starts the child again and runs the statement again
        assert len(store.read("list_migrations")) == len(migrations.find(store.dialect))
        store.write("record_migration", key="meta:y", name="after", checksum="c")
        rows = raw(store, "MATCH (m:Meta) WHERE m.key IN ['meta:x', 'meta:y'] RETURN m.name AS name ORDER BY name")
        assert [row["name"] for row in rows] == ["after", "kept"]
        assert embedded.start(embedded_settings).pid != first.pid
    finally:
        store.close()


def test_a_stale_file_of_a_dead_child_is_no_store(embedded_settings: Settings) -> None:
    first = embedded.start(embedded_settings)
    place = embedded.folder(embedded_settings)
    text = (place / "server.json").read_text()
    os.kill(first.pid, signal.SIGKILL)
    assert wait_until(lambda: not FileLock(place / "owner.lock").held_by_another(), 10)
    assert (place / "server.json").read_text() == text
    assert embedded.running(embedded_settings) is None
    assert embedded.start(embedded_settings).pid != first.pid


def test_it_says_why_it_did_not_start(embedded_settings: Settings) -> None:
    place = embedded.folder(embedded_settings)
    (place / "databases").write_text("a file where a folder must be")
    with pytest.raises(StoreError) as caught:
        embedded.start(embedded_settings)
    assert caught.value.code == "GKB-208"
    assert "store.log" in str(caught.value)
    assert (place / "store.log").stat().st_size > 0


CLIENT = """
import sys
from pathlib import Path
from graphkb import config
from graphkb.store import open_store
store = open_store(config.load(environ={}, data_dir=Path(sys.argv[1]), store__heap_mb=256))
store.migrate()
for i in range(int(sys.argv[3])):
    store.write("record_migration", key=f"meta:{sys.argv[2]}{i}", name="n", checksum="c", expect={"nodes_created": 1})
print(store.info()["uri"])
store.close()
"""


def test_three_processes_share_it(embedded_settings: Settings) -> None:
    """They start it at once, one wins, all migrate and write, nothing is lost."""
    clients = [subprocess.Popen([sys.executable, "-c", CLIENT, str(embedded_settings.data_dir), name, "30"],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for name in "abc"]
    ended = [client.communicate(timeout=200) for client in clients]
    assert [client.returncode for client in clients] == [0, 0, 0], ended
    assert len({out for out, _ in ended}) == 1
    store = open_store(embedded_settings)
    try:
        assert raw(store, "MATCH (m:Meta) WHERE m.name = 'n' RETURN count(m) AS n") == [{"n": 90}]
    finally:
        store.close()


def test_it_stops_when_idle_and_not_before(tmp_path: Path) -> None:
    settings = config.load(environ={}, data_dir=tmp_path / "kb", store__idle_stop_s=5, store__heap_mb=256)
    store = open_store(settings)
    pid = embedded.start(settings).pid
    time.sleep(8)
    assert embedded.running(settings) is not None, "an open store keeps it"
    store.close()
    started = time.monotonic()
    assert wait_until(lambda: embedded.running(settings) is None, 30)
    assert time.monotonic() - started > 2
    place = embedded.folder(settings)
    assert wait_until(lambda: not FileLock(place / "owner.lock").held_by_another(), 30)
    assert not (place / "server.json").exists()
    assert embedded.start(settings).pid != pid
    embedded.stop(settings)


def test_commands_that_meet_a_stopping_store_wait_and_start_it(embedded_settings: Settings) -> None:
    first = embedded.start(embedded_settings)
    stopper = threading.Thread(target=embedded.stop, args=(embedded_settings,))
    stopper.start()
    time.sleep(0.1)
    store = open_store(embedded_settings)
    stopper.join()
    try:
        assert store.info()["kind"] == "embedded"
        assert embedded.start(embedded_settings).pid != first.pid
    finally:
        store.close()


def test_not_installed(embedded_settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "find_spec", lambda name: None)
    with pytest.raises(config.ConfigError) as caught:
        open_store(embedded_settings)
    assert caught.value.code == "GKB-106"
    assert "graphkb-med[embedded]" in str(caught.value)
