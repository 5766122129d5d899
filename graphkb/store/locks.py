"""A lock between processes: a file that the operating system unlocks when its holder dies."""

from __future__ import annotations

import os
import random
import sys
import time
from pathlib import Path
from types import TracebackType

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class FileLock:
    """An exclusive lock on a file. One object is for one thread at a time.

    Parameters
    ----------
    path : Path
        The file; it is made where it is missing, with mode 0600, and stays.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor: int | None = None

    def acquire(self, timeout_s: float = 0.0) -> bool:
        """Take the lock; return whether it was taken within the time."""
        descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
        deadline = time.monotonic() + timeout_s
        pause = 0.002
        while True:
            try:
                _lock(descriptor)
            except OSError:
                if time.monotonic() >= deadline:
                    os.close(descriptor)
                    return False
                time.sleep(pause * random.uniform(0.5, 1.0))
                pause = min(pause * 1.5, 0.05)
            else:
                self._descriptor = descriptor
                return True

    def release(self) -> None:
        """Give the lock back."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def held_by_another(self) -> bool:
        """Whether someone holds the lock now."""
        if self.acquire():
            self.release()
            return False
        return True

    def __enter__(self) -> FileLock:
        self.acquire(timeout_s=float("inf"))
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.release()
