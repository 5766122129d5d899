"""Runs `pdf_child` with limits and reads what it says; whatever it does, the run goes on.

A PDF is a program for a large parser in C: it is parsed in a process of its own, with limits on memory, CPU time and
descriptors, and ended by its process id when its time is over.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from graphkb.errors import InputError

CHILD = Path(__file__).with_name("pdf_child.py")
MAX_LINE = 32_000_000
_KEPT = ("PATH", "SYSTEMROOT", "LD_LIBRARY_PATH", "TMPDIR")
# what a child may call a file
_CODES = frozenset({"GKB-405", "GKB-410", "GKB-420", "GKB-421"})


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one file: wall-clock seconds, pages, bytes of the file, characters of its text."""

    seconds: float = 30.0
    pages: int = 2_000
    file_bytes: int = 200_000_000
    characters: int = 20_000_000


@dataclass(frozen=True, slots=True)
class Fragment:
    """Text of one line without a wide gap in it, its box in points from the top left of the page, its main font."""

    row: int
    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    bold: bool
    font: str = ""


@dataclass(frozen=True, slots=True)
class ReadPage:
    """What one page shows, and how many hidden characters were left out."""

    number: int
    width: float
    height: float
    hidden: int
    fragments: tuple[Fragment, ...]


def read_pages(path: Path, limits: Limits) -> Iterator[ReadPage]:
    """Yield the pages of a PDF.

    Raises
    ------
    InputError
        GKB-401 (not there), 402 (empty), 405 (no PDF, damaged), 410 (too large), 420 (password), 421 (the parser was
        stopped or broke).
    """
    _check_file(path, limits)
    command = [sys.executable, "-I", str(CHILD), os.path.abspath(path), str(max(1, round(limits.seconds))),
               str(limits.pages), str(limits.characters)]
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,  # noqa: S603 - our own file
                             stderr=subprocess.DEVNULL, env=environment, close_fds=True)
    late = threading.Event()

    def stop() -> None:
        late.set()
        child.kill()

    clock = threading.Timer(limits.seconds, stop)
    clock.start()
    try:
        assert child.stdout is not None  # noqa: S101 - for the type checker
        yield from _pages(child.stdout, path, late, limits)
    finally:
        clock.cancel()
        child.kill()
        child.wait()
        if child.stdout is not None:
            child.stdout.close()


def _check_file(path: Path, limits: Limits) -> None:
    try:
        size = path.stat().st_size
        with path.open("rb") as handle:
            head = handle.read(1024)
    except FileNotFoundError:
        raise InputError("GKB-401", where=str(path)) from None
    except OSError as error:
        raise InputError("GKB-401", where=str(path), detail=error.strerror or "it cannot be opened") from None
    if not head:
        raise InputError("GKB-402", where=str(path))
    if size > limits.file_bytes:
        raise InputError("GKB-410", where=str(path), detail=f"{size} bytes, ingest.pdf_max_bytes is "
                                                            f"{limits.file_bytes}")
    if b"%PDF-" not in head:
        raise InputError("GKB-405", where=str(path), detail="it is no PDF")


def _pages(output: IO[bytes], path: Path, late: threading.Event, limits: Limits) -> Iterator[ReadPage]:
    while True:
        line = output.readline(MAX_LINE)
        if not line.endswith(b"\n"):
            if len(line) == MAX_LINE:
                raise InputError("GKB-410", where=str(path), detail="a page with too much text")
            why = f"no end after {limits.seconds:g} s (ingest.pdf_timeout_s)" if late.is_set() else "the parser broke"
            raise InputError("GKB-421", where=str(path), detail=why)
        said: dict[str, Any] = json.loads(line)
        if "error" in said:
            code = said["error"] if said["error"] in _CODES else "GKB-421"
            raise InputError(code, where=str(path), detail=str(said["detail"])[:200])
        if "end" in said:
            return
        if "page" in said:
            yield ReadPage(said["page"], said["width"], said["height"], said["hidden"],
                           tuple(Fragment(*fragment) for fragment in said["fragments"]))
