"""The process that holds the embedded ArcadeDB: ``python -m graphkb.store.child FOLDER OPTIONS``.

Only this process loads a JVM. It holds ``owner.lock`` for its life (the operating system gives the lock back after a
crash), writes ``server.json`` (mode 0600: pid, ports, passwords) when it is ready, and stops when told so
or when no client has touched ``heartbeat`` and no Bolt connection was open for the idle time.

Files of the folder: ``owner.lock``, ``start.lock``, ``writer.lock``, ``heartbeat``, ``secret.json``, ``server.json``,
``store.log``, and ArcadeDB's own ``config/``, ``databases/``, ``log/``.
"""

from __future__ import annotations

import json
import os
import secrets
import signal
import socket
import sys
import time
from pathlib import Path
from typing import Any

from graphkb.store.locks import FileLock

DATABASE = "graph"
ROOT_USER = "root"
READER_USER = "reader"
_EVERYTHING = ["createRecord", "readRecord", "updateRecord", "deleteRecord"]
_LEAST_COMMAND_LIMIT_S = 600





def _group(access: list[str], records: list[str]) -> dict[str, Any]:
    return {"access": access, "resultSetLimit": -1, "readTimeout": -1, "types": {"*": {"access": records}}}


GROUPS = {
    "version": 1,
    "databases": {"*": {"groups": {
        "*": _group([], []),
        "admin": _group(["updateSecurity", "updateSchema", "updateDatabaseSettings"], _EVERYTHING),
        "reader": _group([], ["readRecord"]),
    }}},
}


def write_private(path: Path, value: dict[str, Any]) -> None:
    """Write JSON that only this user reads, in one step."""
    new = path.with_suffix(".new")
    new.unlink(missing_ok=True)
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(value, file)
    new.replace(path)


def _secrets(folder: Path) -> dict[str, str]:
    path = folder / "secret.json"
    if path.is_file():
        known: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
        return known
    made = {ROOT_USER: secrets.token_urlsafe(32), READER_USER: secrets.token_urlsafe(32)}
    (folder / "config" / "server-users.jsonl").unlink(missing_ok=True)
    write_private(path, made)
    return made


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _start(folder: Path, options: dict[str, Any], passwords: dict[str, str]) -> tuple[Any, Any, dict[str, Any]]:
    """Start the server with every door closed that the graph does not use."""
    import jpype  # type: ignore[import-untyped,unused-ignore]
    from arcadedb_embedded.jvm import start_jvm
    from arcadedb_embedded.server import ArcadeDBServer

    start_jvm(heap_size=f"{options['heap_mb']}m", jvm_args=["-XX:+ExitOnOutOfMemoryError"])
    setting = jpype.JClass("com.arcadedb.GlobalConfiguration").findByKey
    # The server's own configuration map does not reach these; they are read from the process-wide ones.
    for key, value in {
        "arcadedb.opencypher.loadCsv.allowFileUrls": False,
        "arcadedb.opencypher.loadCsv.allowRemoteUrls": False,
        "arcadedb.polyglotEngineEnabled": False,
        # A last resort, because it also ends a stream that is read slowly; the client's own limit comes earlier.
        "arcadedb.command.timeout": int(1000 * max(_LEAST_COMMAND_LIMIT_S, 10 * options["timeout_s"])),
        "arcadedb.txWalFlush": options["wal_flush"],
    }.items():
        setting(key).setValue(value)
    config = folder / "config"
    config.mkdir(mode=0o700, exist_ok=True)
    (config / "server-groups.json").write_text(json.dumps(GROUPS), encoding="utf-8")
    ports = {"bolt_port": _free_port(), "http_port": _free_port()}
    server = ArcadeDBServer(str(folder), passwords[ROOT_USER], {
        "mode": "production", "host": "127.0.0.1", "http_port": ports["http_port"],
        "server_plugins": "Bolt:com.arcadedb.bolt.BoltProtocolPlugin", "bolt_port": ports["bolt_port"],
        "txWalFlush": options["wal_flush"],
    })
    server.start()
    server.create_database(DATABASE)
    security = server._java_server.getSecurity()
    if not security.existsUser(READER_USER):
        user = {"name": READER_USER, "password": str(security.encodePassword(passwords[READER_USER])),
                "databases": {DATABASE: ["reader"]}}
        security.createUser(jpype.JClass("com.arcadedb.serializer.json.JSONObject")(json.dumps(user)))
    return server, _connections(server), ports


def _connections(server: Any) -> Any:
    """Return the live set of Bolt connections (which has no public door)."""
    for plugin in server._java_server.getPlugins():
        kind = plugin.getClass()
        if str(kind.getSimpleName()) == "BoltProtocolPlugin":
            field = kind.getDeclaredField("listener")
            field.setAccessible(True)
            listener = field.get(plugin)
            connections = listener.getClass().getDeclaredField("activeConnections")
            connections.setAccessible(True)
            return connections.get(listener)
    return ()


class _Stop(SystemExit):
    pass


def _told(signum: int, frame: object) -> None:
    raise _Stop(0)


def _wait(folder: Path, connections: Any, idle_s: float, start_lock: FileLock) -> None:
    """Return, holding the start lock, when nobody has used the store for the idle time."""
    heartbeat = folder / "heartbeat"
    last = time.time()
    while True:
        time.sleep(min(1.0, idle_s / 5))
        if len(connections):
            last = time.time()
        if time.time() - max(last, heartbeat.stat().st_mtime) < idle_s:
            continue
        # A client that joins holds the start lock and touches the heartbeat: look again under it.
        if start_lock.acquire():
            if time.time() - heartbeat.stat().st_mtime >= idle_s and not len(connections):
                return
            start_lock.release()


def main(arguments: list[str]) -> int:
    """Hold the store until it is idle or told to stop."""
    os.umask(0o077)
    folder = Path(arguments[0])
    options: dict[str, Any] = json.loads(arguments[1])
    owner = FileLock(folder / "owner.lock")
    if not owner.acquire(timeout_s=10.0):
        return 3
    signal.signal(signal.SIGTERM, _told)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    passwords = _secrets(folder)
    (folder / "server.json").unlink(missing_ok=True)
    (folder / "heartbeat").touch()
    server = None
    try:
        server, connections, ports = _start(folder, options, passwords)
        write_private(folder / "server.json", {
            "pid": os.getpid(), **ports, "database": DATABASE, "user": ROOT_USER, "password": passwords[ROOT_USER],
            "reader": READER_USER, "reader_password": passwords[READER_USER], "started": time.time(),
        })
        _wait(folder, connections, float(options["idle_stop_s"]), FileLock(folder / "start.lock"))
    except _Stop:
        pass
    finally:
        (folder / "server.json").unlink(missing_ok=True)
        if server is not None:
            server.stop()
    sys.stdout.flush()
    # The interpreter's way out crosses the JVM's and may crash in native code; everything is closed already.
    os._exit(0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
