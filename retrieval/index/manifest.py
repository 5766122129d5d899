"""The manifest: which segments make the index, for which model, at which generation of the graph.

It is replaced by one rename, so a reader sees the index before a change or after it. Every file it names is stamped
with size and SHA-256, and so is the manifest itself.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphkb.embed import ModelStamp
from graphkb.errors import EncoderError, IndexMismatch
from retrieval.index import files, segment
from retrieval.index.files import FileStamp
from retrieval.index.segment import Segment
from retrieval.text import ANALYSER_VERSION

FORMAT = 2
FILE = "manifest.json"


@dataclass(frozen=True, slots=True)
class Entry:
    """One segment: its folder, its files' stamps, and the file of its tombstones."""

    name: str
    stamps: dict[str, FileStamp]
    dead: str | None = None
    dead_stamp: FileStamp | None = None


@dataclass(frozen=True, slots=True)
class Manifest:
    """What the index is made of. ``generation`` is the graph's when the index was brought in step with it."""

    model: ModelStamp
    analyser: str = ANALYSER_VERSION
    generation: int = -1
    serial: int = 0
    entries: tuple[Entry, ...] = field(default=())
    # documents that were retracted or superseded: tier, when retracted, until when they held
    lives: dict[str, list[str]] = field(default_factory=dict)

    def named(self) -> set[str]:
        """Return the names of all files and folders in use."""
        return {FILE, "lock"} | {e.name for e in self.entries} | {e.dead for e in self.entries if e.dead}

    def updated(self, generation: int, serial: int, entries: list[Entry], lives: dict[str, list[str]]) -> Manifest:
        """Return the manifest of a later state."""
        return replace(self, generation=generation, serial=serial, entries=tuple(entries), lives=lives)

    def check_model(self, model: ModelStamp, where: str) -> None:
        """Raise `IndexMismatch` GKB-503 unless the index was made by this model and this analyser."""
        if self.model != model:
            raise IndexMismatch("GKB-503", where=where, detail=f"made by {self.model}, configured is {model}")
        if self.analyser != ANALYSER_VERSION:
            raise IndexMismatch("GKB-503", where=where,
                                detail=f"made by analyser {self.analyser}, this is {ANALYSER_VERSION}")


def _checksum(body: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _stamp(pair: list[Any]) -> FileStamp:
    size, checksum = pair
    return int(size), str(checksum)


def write(folder: Path, manifest: Manifest) -> None:
    """Publish a manifest."""
    body: dict[str, Any] = json.loads(json.dumps({"format": FORMAT, **asdict(manifest)}))
    text = json.dumps({**body, "checksum": _checksum(body)}, indent=1, sort_keys=True)
    files.write_atomic(folder / FILE, text.encode())


def read(folder: Path) -> Manifest | None:
    """Read the manifest; None where there is no index yet, or one of an earlier format; GKB-505 where it is damaged."""
    path = folder / FILE
    if not path.exists():
        return None
    body = files.read_json(path)
    if body.pop("checksum", None) != _checksum(body):
        raise EncoderError("GKB-505", where=f"{folder.name}/{FILE}")
    if body.pop("format") != FORMAT:
        return None  # all of it is in the graph: it is built again
    entries = tuple(Entry(e["name"], {name: _stamp(pair) for name, pair in e["stamps"].items()}, e["dead"],
                          _stamp(e["dead_stamp"]) if e["dead_stamp"] else None) for e in body["entries"])
    return Manifest(ModelStamp(**body["model"]), body["analyser"], body["generation"], body["serial"], entries,
                    body["lives"])


def open_segments(folder: Path, manifest: Manifest, *, full: bool = False) -> tuple[Segment, ...]:
    """Check and memory-map the segments; FileNotFoundError where a file is gone."""
    opened = []
    for entry in manifest.entries:
        files.check_files(folder / entry.name, entry.stamps, full=full)
        one = segment.load(folder / entry.name)
        if entry.dead and entry.dead_stamp:
            files.check_files(folder, {entry.dead: entry.dead_stamp}, full=True)
            one = one.with_dead(_mask(folder / entry.dead, one.rows))
        opened.append(one)
    return tuple(opened)


def _mask(path: Path, rows: int) -> NDArray[np.bool_]:
    mask = np.zeros(rows, np.bool_)
    mask[np.load(path, allow_pickle=False)] = True
    return mask
