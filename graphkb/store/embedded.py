"""The embedded store, seen from a command: start it, join the one that runs, stop it.

One child process (see `graphkb.store.child`) holds the files; every command on this machine that has the
same data directory shares it. The parent never loads a JVM.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from graphkb.config import Settings
from graphkb.errors import ConfigError, StoreError
from graphkb.store.locks import FileLock

START_LIMIT_S = 90.0
STOP_LIMIT_S = 60.0


@dataclass(frozen=True, slots=True)
class Access:
    """How to reach a running embedded store."""

    pid: int
    bolt_port: int
    http_port: int
    database: str
    user: str
    password: str
    reader: str
    reader_password: str
    started: float

    @property
    def uri(self) -> str:
        """Bolt address on loopback."""
        return f"bolt://127.0.0.1:{self.bolt_port}"

    @property
    def http(self) -> str:
        """HTTP address on loopback."""
        return f"http://127.0.0.1:{self.http_port}"

    def __repr__(self) -> str:
        return f"Access(pid={self.pid}, bolt_port={self.bolt_port})"


def folder(settings: Settings) -> Path:
    """Return the folder of the embedded store, made private to this user."""
    path = (settings.data_dir / "store").absolute()
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError("GKB-212", where=str(path), detail=type(error).__name__) from None
    return path


def running(settings: Settings) -> Access | None:
    """Return the way to the embedded store that runs, or None."""
    place = folder(settings)
    if not FileLock(place / "owner.lock").held_by_another():
        return None
    return _read(place)


def _read(place: Path) -> Access | None:
    try:
        return Access(**json.loads((place / "server.json").read_text(encoding="utf-8")))
    except (FileNotFoundError, ValueError, TypeError):
        return None


def start(settings: Settings) -> Access:
    """Start the embedded store, or join the one that runs.

    Raises
    ------
    ConfigError
        GKB-106: ``arcadedb-embedded`` is not installed.
    StoreError
        GKB-208: it did not start; ``store.log`` in the folder says why. GKB-212: the disk.
    """
    place = folder(settings)
    lock = FileLock(place / "start.lock")
    if not lock.acquire(timeout_s=START_LIMIT_S + STOP_LIMIT_S):
        raise StoreError("GKB-208", where=str(place), detail="another process has been starting it for too long")
    try:
        (place / "heartbeat").touch(mode=0o600)
        owner = FileLock(place / "owner.lock")
        deadline = time.monotonic() + STOP_LIMIT_S
        while owner.held_by_another():
            access = _read(place)
            if access is not None:
                return access
            if time.monotonic() > deadline:
                raise StoreError("GKB-208", where=str(place), detail="an earlier store neither answers nor stops")
            time.sleep(0.05)
        return _spawn(settings, place)
    finally:
        lock.release()


def _spawn(settings: Settings, place: Path) -> Access:
    if find_spec("arcadedb_embedded") is None:
        raise ConfigError("GKB-106", where="store.uri", detail="the embedded store",
                          hint="pip install 'graphkb-med[embedded]', or set store.uri to a Neo4j")
    options = {"heap_mb": settings.store.heap_mb, "wal_flush": 2 if settings.store.durable else 1,
               "idle_stop_s": settings.store.idle_stop_s, "timeout_s": settings.store.timeout_s}
    package_root = str(Path(__file__).resolve().parents[2])
    paths = [package_root, *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GRAPHKB_")}
    environment["PYTHONPATH"] = os.pathsep.join(paths)
    log = os.open(place / "store.log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        child = subprocess.Popen(  # noqa: S603 - our own interpreter and module
            [sys.executable, "-m", "graphkb.store.child", str(place), json.dumps(options)], cwd=place,
            env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
    finally:
        os.close(log)
    deadline = time.monotonic() + START_LIMIT_S
    while time.monotonic() < deadline:
        access = _read(place)
        if access is not None and access.pid == child.pid:
            # The child outlives this command on purpose; a thread takes its exit status, so that it is no zombie.
            threading.Thread(target=child.wait, daemon=True, name="graphkb-store-child").start()
            return access
        if child.poll() is not None:
            raise StoreError("GKB-208", where=str(place / "store.log"), detail=f"exit status {child.returncode}")
        time.sleep(0.05)
    child.kill()
    child.wait()
    raise StoreError("GKB-208", where=str(place / "store.log"), detail=f"not ready after {START_LIMIT_S:.0f} s")


def stop(settings: Settings) -> bool:
    """Stop the embedded store; return whether one ran.

    Raises
    ------
    StoreError
        GKB-208: it did not end in time.
    """
    place = folder(settings)
    owner = FileLock(place / "owner.lock")
    with FileLock(place / "start.lock"):
        if not owner.held_by_another():
            return False
        access = _read(place)
        if access is not None:
            os.kill(access.pid, signal.SIGTERM)
        deadline = time.monotonic() + STOP_LIMIT_S
        while owner.held_by_another():
            if time.monotonic() > deadline:
                raise StoreError("GKB-208", where=str(place), detail="it does not stop")
            time.sleep(0.05)
    return True


def info(settings: Settings) -> dict[str, Any]:
    """Return whether the embedded store runs, where, and since when (no secret)."""
    access = running(settings)
    found: dict[str, Any] = {"kind": "embedded", "folder": str(folder(settings)), "running": access is not None}
    if access is not None:
        found |= {"pid": access.pid, "uri": access.uri, "database": access.database, "user": access.user,
                  "secret_file": str(folder(settings) / "server.json"),
                  "up_s": round(time.time() - access.started, 1), "rss_mb": _rss_mb(access.pid)}
    return found


def _rss_mb(pid: int) -> int | None:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE") // 1_000_000


class Heartbeat:
    """Touches the heartbeat file while a store is open, so that the child knows it is in use."""

    def __init__(self, settings: Settings) -> None:
        self._path = folder(settings) / "heartbeat"
        self._every = min(15.0, settings.store.idle_stop_s / 4)
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True, name="graphkb-heartbeat")
        self._thread.start()

    def _run(self) -> None:
        while True:
            self._path.touch(mode=0o600)
            if self._done.wait(self._every):
                return

    def close(self) -> None:
        """Stop touching."""
        self._done.set()
        self._thread.join()
