"""The local index of chunks: opened for one model, read as a snapshot, brought in step with the graph by one writer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import structlog
from numpy.typing import NDArray

from graphkb import ids
from graphkb.embed import ModelStamp
from graphkb.errors import EncoderError
from graphkb.store.protocol import Store
from retrieval.index import files, manifest, search
from retrieval.index.filters import Filter, Hit, Life
from retrieval.index.manifest import Manifest
from retrieval.index.segment import Segment
from retrieval.index.writer import Writer, as_keys, joined

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class SyncCounts:
    """What `ChunkIndex.sync` did."""

    added: int
    removed: int
    total: int
    segments: int
    changed: bool


class ChunkIndex:
    """Vectors and BM25 over the living chunks of a graph.

    A search works on the snapshot that was there when it began. `open` and `refresh` take the newest one.
    """

    def __init__(self, folder: Path, stamp: ModelStamp) -> None:
        self.folder = folder
        self.stamp = stamp
        self._manifest = Manifest(stamp)
        self._segments: tuple[Segment, ...] = ()

    @classmethod
    def open(cls, data_dir: Path, stamp: ModelStamp) -> ChunkIndex:
        """Open the index of a data directory; one that is not there yet is empty.

        Raises
        ------
        IndexMismatch
            GKB-503: it was made by another model or analyser. Nothing has been read or written then.
        EncoderError
            GKB-505: its files are damaged.
        """
        index = cls(data_dir / "index" / "chunks", stamp)
        index.refresh()
        return index

    @property
    def generation(self) -> int:
        """The graph's generation that this snapshot shows; -1 before the first `sync`."""
        return self._manifest.generation

    def __len__(self) -> int:
        return sum(segment.alive for segment in self._segments)

    def refresh(self, *, full: bool = False) -> None:
        """Take the newest snapshot. ``full`` compares every file's content with its checksum, however large."""
        for _ in range(5):
            current = manifest.read(self.folder) or Manifest(self.stamp)
            current.check_model(self.stamp, "index chunks")
            if current == self._manifest and not full:
                return
            try:
                segments = manifest.open_segments(self.folder, current, full=full)
            except FileNotFoundError:
                continue  # a writer published in between
            except (OSError, ValueError):
                raise EncoderError("GKB-505", where="index chunks") from None
            self._manifest, self._segments = current, segments
            return
        raise EncoderError("GKB-505", where="index chunks", detail="a file that the manifest names is missing")

    def search_vectors(self, vector: NDArray[np.float32], k: int, where: Filter) -> list[Hit]:
        """Return the k chunks nearest to a unit vector [d], exactly, within the filter."""
        return self.search_vectors_many(vector[None, :], k, where)[0]

    def search_vectors_many(self, vectors: NDArray[np.float32], k: int, where: Filter) -> list[list[Hit]]:
        """Return the same for each row of [m, d], in one scan."""
        if vectors.ndim != 2 or vectors.shape[1] != self.stamp.dimension:
            raise EncoderError("GKB-506", where="question")
        return search.search_vectors(self._segments, vectors, k, self._seen(where))

    def search_text(self, text: str, k: int, where: Filter) -> list[Hit]:
        """Return the k best chunks by BM25, exactly, within the filter. Any text is data: there is no syntax."""
        return self.search_texts([text], k, where)[0]

    def search_texts(self, texts: Sequence[str], k: int, where: Filter) -> list[list[Hit]]:
        """Return the same for each text."""
        return search.search_texts(self._segments, texts, k, self._seen(where))

    def rarity(self, terms: Sequence[str], where: Filter) -> dict[str, float]:
        """Return how rare each term of the analyser is within the filter: its idf, as BM25 has it."""
        return search.rarity(self._segments, terms, self._seen(where))

    def _seen(self, where: Filter) -> Filter:
        """Return the filter with the documents that are retracted or superseded at its date."""
        hidden = tuple(key for key, life in self._manifest.lives.items() if Life(*life).hides(where.as_of))
        return replace(where, hidden=hidden) if hidden else where

    def documents(self) -> set[str]:
        """Return the documents of which any file of the index has an entry, a living one or not."""
        return {name for segment in self._segments for name in segment.names["document"]} | self._manifest.lives.keys()

    def sync(self, store: Store, *, wait_s: float = 60.0, purge: bool = False) -> SyncCounts:
        """Bring the index in step with the graph; cheap where the graph has not changed.

        Parameters
        ----------
        purge : bool
            Write segments anew that hold entries of chunks that are gone, so that no file has anything of them.

        Raises
        ------
        IngestError
            GKB-604: another process writes the index for longer than ``wait_s``.
        IndexMismatch
            GKB-503, as `open`.
        """
        self.refresh()
        generation = _generation(store)
        if generation == self.generation and not (purge and any(segment.dead.any() for segment in self._segments)):
            return self._counts(0, 0, changed=False)
        return self._write(store, generation, wait_s, anew=False, purge=purge)

    @classmethod
    def rebuild(cls, data_dir: Path, stamp: ModelStamp, store: Store, *, wait_s: float = 60.0) -> ChunkIndex:
        """Build a new index for this model beside the old one, whatever state that is in, and switch at once."""
        index = cls(data_dir / "index" / "chunks", stamp)
        index._write(store, _generation(store), wait_s, anew=True)
        return index

    def compare(self, store: Store) -> list[str]:
        """Return the keys of chunks that only the index or only the graph has, and re-read every file's checksum.

        Raises
        ------
        EncoderError
            GKB-505: a file is not what its checksum says.
        """
        self.refresh(full=True)
        live = as_keys(row["key"] for row in store.stream("list_live_chunk_keys"))
        have = joined([segment.arrays["keys"][~segment.dead] for segment in self._segments])
        return [bytes(key).decode() for key in np.setxor1d(live, have, assume_unique=True)]

    def info(self) -> dict[str, Any]:
        """Return what the index is: model, chunks, segments, generation of the graph."""
        return {"model": str(self.stamp), "chunks": len(self), "segments": len(self._segments),
                "generation": self.generation}

    def _counts(self, added: int, removed: int, *, changed: bool) -> SyncCounts:
        return SyncCounts(added, removed, len(self), len(self._segments), changed)

    def _write(self, store: Store, generation: int, wait_s: float, *, anew: bool, purge: bool = False) -> SyncCounts:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with files.writer_lock(self.folder / "lock", wait_s=wait_s):
            if anew:
                self._manifest, self._segments = Manifest(self.stamp), ()
            else:
                self.refresh()
                _sweep(self.folder, self._manifest)
            change = Writer(self.folder, self._manifest, self._segments)
            counts = change.bring_in_step(store, purge=purge)
            manifest.write(self.folder, change.publishable(generation))
            self.refresh()
            _sweep(self.folder, self._manifest)
        log.info("index.synced", index="chunks", added=counts[0], removed=counts[1], segments=len(self._segments))
        return self._counts(*counts, changed=True)


def _generation(store: Store) -> int:
    rows = store.read("get_meta", key=ids.meta("graph"))
    return int(rows[0]["properties"].get("generation", 0)) if rows else 0


def _sweep(folder: Path, current: Manifest) -> None:
    """Remove what an earlier state or a crash left behind."""
    named = current.named()
    for path in folder.iterdir():
        if path.name not in named:
            files.remove(path)


