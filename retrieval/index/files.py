"""Files that are whole or not there: written beside, flushed, renamed; checked by size and SHA-256; one writer."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphkb.errors import EncoderError, IngestError
from graphkb.store.locks import FileLock

FileStamp = tuple[int, str]  # bytes, SHA-256
# Larger files are compared by size at opening and by content only in `verify`.
CHECKED_AT_OPEN = 64 * 1024 * 1024


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file's content."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _flush_folder(folder: Path) -> None:
    if sys.platform != "win32":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def write_atomic(path: Path, content: bytes) -> None:
    """Replace a file by new content, or leave the old one."""
    beside = path.with_name(path.name + ".new")
    write_file(beside, content)
    beside.replace(path)
    _flush_folder(path.parent)


def write_folder(folder: Path, contents: Mapping[str, NDArray[Any] | bytes]) -> dict[str, FileStamp]:
    """Write files into a new folder that appears whole; arrays in NumPy's own format. Return sizes and checksums."""
    beside = folder.with_name(folder.name + ".new")
    beside.mkdir(mode=0o700)
    stamps = {name: write_file(beside / name, content) for name, content in sorted(contents.items())}
    _flush_folder(beside)
    beside.replace(folder)
    _flush_folder(folder.parent)
    return stamps


def write_file(path: Path, content: NDArray[Any] | bytes) -> FileStamp:
    """Write and flush one file; return its size and checksum."""
    with path.open("wb") as file:
        if isinstance(content, bytes):
            file.write(content)
        else:
            np.lib.format.write_array(file, np.ascontiguousarray(content), allow_pickle=False)
        file.flush()
        os.fsync(file.fileno())
    return path.stat().st_size, sha256_of(path)


def check_files(folder: Path, stamps: Mapping[str, FileStamp], *, full: bool) -> None:
    """Compare files with their stamps.

    Raises
    ------
    FileNotFoundError
        A file is gone: a newer manifest may have replaced it.
    EncoderError
        GKB-505 where size or content differ.
    """
    for name, (size, checksum) in sorted(stamps.items()):
        path = folder / name
        actual = path.stat().st_size
        if actual != size or ((full or size <= CHECKED_AT_OPEN) and sha256_of(path) != checksum):
            raise EncoderError("GKB-505", where=f"{folder.name}/{name}")


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON object; GKB-505 where it is none."""
    try:
        data = json.loads(path.read_bytes())
    except ValueError:
        raise EncoderError("GKB-505", where=path.name) from None
    if not isinstance(data, dict):
        raise EncoderError("GKB-505", where=path.name)
    return data


def remove(path: Path) -> None:
    """Remove a file or folder that nothing refers to; where a reader still holds it open, a later writer does."""
    with suppress(OSError):
        shutil.rmtree(path) if path.is_dir() else path.unlink()


@contextmanager
def writer_lock(path: Path, *, wait_s: float) -> Iterator[None]:
    """Hold the one writer's lock; it ends with the process that holds it.

    Raises
    ------
    IngestError
        GKB-604 where another process holds it for longer than ``wait_s``.
    """
    lock = FileLock(path)
    if not lock.acquire(wait_s):
        raise IngestError("GKB-604", where=f"index {path.parent.name}")
    try:
        yield
    finally:
        lock.release()
