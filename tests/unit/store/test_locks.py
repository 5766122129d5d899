from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from graphkb.store.locks import FileLock


def test_one_holder(tmp_path: Path) -> None:
    first, second = FileLock(tmp_path / "l"), FileLock(tmp_path / "l")
    assert first.acquire()
    assert not second.acquire(timeout_s=0.05)
    assert second.held_by_another()
    first.release()
    assert not second.held_by_another()
    with second:
        assert first.held_by_another()
    assert (tmp_path / "l").stat().st_mode & 0o777 == 0o600


def test_a_killed_holder_gives_it_back(tmp_path: Path) -> None:
    code = ("import sys, time; from pathlib import Path; from graphkb.store.locks import FileLock; "
            "lock = FileLock(Path(sys.argv[1])); print(lock.acquire(), flush=True); time.sleep(60)")
    holder = subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "l")], stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "True\n"
        assert FileLock(tmp_path / "l").held_by_another()
    finally:
        holder.kill()
        holder.communicate()
    started = time.monotonic()
    assert FileLock(tmp_path / "l").acquire(timeout_s=5)
    assert time.monotonic() - started < 5
