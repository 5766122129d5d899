"""How the index follows the graph: what is missing is added, what is gone is marked, small segments are merged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from graphkb.store.protocol import Row, Store
from retrieval.index import files
from retrieval.index.build import build, merge
from retrieval.index.filters import ChunkRow
from retrieval.index.manifest import Entry, Manifest
from retrieval.index.segment import Segment, contents, load

FETCH = 500
SEGMENT_ROWS = 20_000
MERGED_ROWS = 100_000
MAX_SMALL = 4
Keys = NDArray[np.bytes_]


class Writer:
    """One change of the index: files are written under new names, and nothing refers to them before the manifest."""

    def __init__(self, folder: Path, current: Manifest, segments: Sequence[Segment]) -> None:
        self._folder = folder
        self._current = current
        self._serial = max(current.serial, _last_serial(folder))
        self._parts = list(zip(current.entries, segments, strict=True))
        self._lives: dict[str, list[str]] = dict(current.lives)

    def bring_in_step(self, store: Store, *, purge: bool = False) -> tuple[int, int]:
        """Bury what is gone and add what is missing; return how many of each (added, removed).

        ``purge`` leaves nothing of what is gone in any file: segments that hold it are written anew.
        """
        live = as_keys(row["key"] for row in store.stream("list_live_chunk_keys"))
        have = joined([one.arrays["keys"][~one.dead] for _, one in self._parts])
        missing = np.setdiff1d(live, have, assume_unique=True)
        removed = self._bury(live)
        added = 0
        rows = _fetch(store, missing)
        while batch := list(islice(rows, SEGMENT_ROWS)):
            added += len(batch)
            self._add(build(self._next("seg"), batch, self._current.model.dimension))
        self._compact()
        if purge:
            self._purge()
        self._lives = {row["key"]: [row["tier"], row["retracted_at"] or "", row["effective_to"] or ""]
                       for row in store.read("list_document_lives")}
        return added, removed

    def _purge(self) -> None:
        stale = [part for part in self._parts if part[1].dead.any()]
        self._parts = [part for part in self._parts if not part[1].dead.any()]
        for _, segment in stale:
            self._add(merge(self._next("seg"), [segment]))

    def publishable(self, generation: int) -> Manifest:
        """Return the manifest of the new state."""
        return self._current.updated(generation, self._serial, [entry for entry, _ in self._parts], self._lives)

    def _next(self, kind: str) -> str:
        self._serial += 1
        return f"{kind}-{self._serial:08d}"

    def _add(self, segment: Segment) -> None:
        if segment.rows:
            stamps = files.write_folder(self._folder / segment.name, contents(segment))
            # from here on from the disk: memory stays flat however many segments one change makes
            self._parts.append((Entry(segment.name, stamps), load(self._folder / segment.name)))

    def _bury(self, live: Keys) -> int:
        removed = 0
        for number, (entry, segment) in enumerate(self._parts):
            dead = ~np.isin(segment.arrays["keys"], live)
            newly = int(np.count_nonzero(dead & ~segment.dead))
            if newly:
                name = self._next("dead") + ".npy"
                stamp = files.write_file(self._folder / name, np.flatnonzero(dead).astype(np.uint32))
                self._parts[number] = (Entry(entry.name, entry.stamps, name, stamp), segment.with_dead(dead))
                removed += newly
        return removed

    def _compact(self) -> None:
        """Merge small segments, and rewrite those that are mostly dead, so that few files stay."""
        self._parts = [part for part in self._parts if part[1].alive]
        while group := self._to_merge():
            names = {entry.name for entry, _ in group}
            self._parts = [part for part in self._parts if part[0].name not in names]
            self._add(merge(self._next("seg"), [segment for _, segment in group]))

    def _to_merge(self) -> list[tuple[Entry, Segment]]:
        small = sorted((part for part in self._parts if part[1].alive < MERGED_ROWS // 2), key=lambda p: p[1].alive)
        if len(small) <= MAX_SMALL:
            return [part for part in self._parts if part[1].alive * 2 < part[1].rows][:1]
        group: list[tuple[Entry, Segment]] = []
        while small and sum(one.alive for _, one in group) + small[0][1].alive <= MERGED_ROWS:
            group.append(small.pop(0))
        return group


def as_keys(keys: Iterable[str]) -> Keys:
    """Return keys as a sorted array of bytes, each once."""
    return np.unique(np.array([key.encode() for key in keys], dtype=np.bytes_))


def joined(parts: Sequence[Keys]) -> Keys:
    """Return the keys of several arrays as one sorted array, each once."""
    return np.unique(np.concatenate(parts)) if parts else np.empty(0, np.bytes_)


def _fetch(store: Store, keys: Keys) -> Iterator[ChunkRow]:
    for start in range(0, len(keys), FETCH):
        wanted = [bytes(key).decode() for key in keys[start : start + FETCH]]
        yield from (chunk_row(row) for row in store.read("list_chunks_to_index", keys=wanted))


def chunk_row(row: Row) -> ChunkRow:
    """Make a row of a query into what the index takes."""
    vector = np.asarray(row["embedding"], np.float32)
    return ChunkRow(row["key"], row["text"], vector, row["scope"], row["tier"], row["document"], row["patient"] or "",
                    row["title"] or "", max(row.get(name) or "" for name in ("published", "effective_from", "since")))


def _last_serial(folder: Path) -> int:
    """Return a serial above every name that is there, also of a damaged or foreign index."""
    numbers = [int(path.name.split("-")[1].split(".")[0]) for path in folder.glob("*-[0-9]*")]
    return max(numbers, default=0)
