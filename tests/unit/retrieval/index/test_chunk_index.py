from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graphkb.embed import ModelStamp
from graphkb.errors import EncoderError, IndexMismatch, IngestError
from retrieval.index import ChunkIndex, Filter, files, manifest, writer

PUBLIC = Filter(("public",))


def fill(store: Any, vectors: Any, n: int, prefix: str = "c", **more: Any) -> None:
    for number, vector in enumerate(vectors(n)):
        store.put(f"{prefix}{number:04}", f"fever number {number}", vector, **more)


def test_empty_then_in_step_with_the_graph(tmp_path: Path, stamp: ModelStamp, store: Any, vectors: Any) -> None:
    index = ChunkIndex.open(tmp_path, stamp)
    assert len(index) == 0
    assert index.search_text("fever", 3, PUBLIC) == []
    fill(store, vectors, 30)
    counts = index.sync(store)
    assert (counts.added, counts.removed, counts.total, counts.segments, counts.changed) == (30, 0, 30, 1, True)
    again = ChunkIndex.open(tmp_path, stamp)
    assert again.search_text("number 7", 1, PUBLIC)[0].key == "c0007"
    store.reads.clear()
    assert not again.sync(store).changed
    assert store.reads == ["get_meta"]


def test_gone_chunks_are_never_found(tmp_path: Path, stamp: ModelStamp, store: Any, vectors: Any) -> None:
    fill(store, vectors, 10)
    index = ChunkIndex.open(tmp_path, stamp)
    index.sync(store)
    query = np.asarray(store.chunks["c0004"]["embedding"], np.float32)
    assert index.search_vectors(query, 1, PUBLIC)[0].key == "c0004"
    store.drop("c0004")
    counts = index.sync(store)
    assert (counts.added, counts.removed, counts.total) == (0, 1, 9)
    for reader in (index, ChunkIndex.open(tmp_path, stamp)):
        assert "c0004" not in {hit.key for hit in reader.search_vectors(query, 99, PUBLIC)}
        assert "c0004" not in {hit.key for hit in reader.search_text("fever number 4", 99, PUBLIC)}


def test_stays_a_few_segments(tmp_path: Path, stamp: ModelStamp, store: Any, vectors: Any) -> None:
    index = ChunkIndex.open(tmp_path, stamp)
    for round_ in range(12):
        fill(store, vectors, 3, f"r{round_:02}-")
        assert index.sync(store).segments <= writer.MAX_SMALL + 1
    for key in list(store.chunks)[:30]:
        store.drop(key)
    index.sync(store)
    assert len(index) == 6
    assert {p.name for p in index.folder.iterdir()} == index._manifest.named()
    assert sum(segment.rows for segment in index._segments) < 12


@pytest.mark.parametrize("other", [{"dimension": 16}, {"revision": "ffffffffffffffff"}, {"pooling": "cls"}])
def test_another_model_is_refused(tmp_path: Path, stamp: ModelStamp, store: Any, vectors: Any,
                                  other: dict[str, Any]) -> None:
    fill(store, vectors, 5)
    ChunkIndex.open(tmp_path, stamp).sync(store)
    before = {p: p.read_bytes() for p in (tmp_path / "index").rglob("*") if p.is_file()}
    wrong = replace(stamp, **other)
    with pytest.raises(IndexMismatch) as caught:
        ChunkIndex.open(tmp_path, wrong)
    assert caught.value.code == "GKB-503"
    assert str(stamp) in str(caught.value)
    assert str(wrong) in str(caught.value)
    assert "graphkb check --repair" in str(caught.value)
    assert {p: p.read_bytes() for p in (tmp_path / "index").rglob("*") if p.is_file()} == before
    assert len(ChunkIndex.open(tmp_path, stamp)) == 5


def test_another_analyser_is_refused(tmp_path: Path, stamp: ModelStamp, store: Any, vectors: Any,
                                     monkeypatch: pytest.MonkeyPatch) -> None:
    fill(store, vectors, 2)
    ChunkIndex.open(tmp_path, stamp).sync(store)
    monkeypatch.setattr(manifest, "ANALYSER_VERSION", "next")
    with pytest.raises(IndexMismatch):
        ChunkIndex.open(tmp_path, stamp)


def test_rebuild_switches_to_another_model(tmp_path: Path, stamp: ModelStamp, store: Any, vectors: Any) -> None:
    fill(store, vectors, 5)
    old = ChunkIndex.open(tmp_path, stamp)
    old.sync(store)
    other = replace(stamp, revision="ffffffffffffffff")
    new = ChunkIndex.rebuild(tmp_path, other, store)
    assert len(new) == 5
    assert len(ChunkIndex.open(tmp_path, other)) == 5
    assert len(old.search_text("fever", 9, PUBLIC)) == 5  # an open reader goes on with its snapshot
    with pytest.raises(IndexMismatch):
        old.refresh()


@pytest.mark.parametrize("part", ["vectors.npy", "term_rows.npy", "names.json", "keys.npy"])
def test_damage_is_told(tmp_path: Path, stamp: ModelStamp, store: Any, vectors: Any, part: str) -> None:
    fill(store, vectors, 20)
    index = ChunkIndex.open(tmp_path, stamp)
    index.sync(store)
    path = next(index.folder.glob(f"seg-*/{part}"))
    content = bytearray(path.read_bytes())
    content[-3] ^= 0x10
    path.write_bytes(content)
    with pytest.raises(EncoderError) as caught:
        ChunkIndex.open(tmp_path, stamp)
    assert caught.value.code == "GKB-505"
    assert len(ChunkIndex.rebuild(tmp_path, stamp, store)) == 20
    assert len(ChunkIndex.open(tmp_path, stamp)) == 20


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b"{}"])
def test_a_damaged_manifest_is_told(tmp_path: Path, stamp: ModelStamp, store: Any, vectors: Any, damage: bytes) -> None:
    fill(store, vectors, 4)
    index = ChunkIndex.open(tmp_path, stamp)
    index.sync(store)
    (index.folder / manifest.FILE).write_bytes(damage)
    with pytest.raises(EncoderError, match="GKB-505"):
        ChunkIndex.open(tmp_path, stamp)
    assert len(ChunkIndex.rebuild(tmp_path, stamp, store)) == 4


def test_a_lost_file_is_told(tmp_path: Path, stamp: ModelStamp, store: Any, vectors: Any) -> None:
    fill(store, vectors, 4)
    index = ChunkIndex.open(tmp_path, stamp)
    index.sync(store)
    next(index.folder.glob("seg-*/lengths.npy")).unlink()
    with pytest.raises(EncoderError, match="GKB-505"):
        ChunkIndex.open(tmp_path, stamp)


class Crash(RuntimeError):
    """The process ends here."""


@pytest.mark.parametrize("after", range(14))
def test_a_crash_at_any_write_leaves_the_old_or_the_new_index(
        tmp_path: Path, stamp: ModelStamp, store: Any, vectors: Any, monkeypatch: pytest.MonkeyPatch,
        after: int) -> None:
    fill(store, vectors, 10)
    ChunkIndex.open(tmp_path, stamp).sync(store)
    fill(store, vectors, 7, "new")
    store.drop("c0003")
    calls = 0
    real = os.fsync

    def fsync(handle: int) -> None:
        nonlocal calls
        calls += 1
        if calls > after:
            raise Crash
        real(handle)

    with monkeypatch.context() as patch:
        patch.setattr(files.os, "fsync", fsync)
        with pytest.raises(Crash):
            ChunkIndex.open(tmp_path, stamp).sync(store)
    reader = ChunkIndex.open(tmp_path, stamp)
    found = {hit.key for hit in reader.search_text("fever", 99, PUBLIC)}
    assert len(found) == (16 if reader.generation == store.generation else 10)
    reader.sync(store)
    assert {hit.key for hit in reader.search_text("fever", 99, PUBLIC)} == set(store.chunks)
    assert {p.name for p in reader.folder.iterdir()} == reader._manifest.named()


def test_a_reader_keeps_its_snapshot_while_a_writer_publishes(tmp_path: Path, stamp: ModelStamp, store: Any,
                                                              vectors: Any) -> None:
    fill(store, vectors, 10)
    mine = ChunkIndex.open(tmp_path, stamp)
    mine.sync(store)
    reader = ChunkIndex.open(tmp_path, stamp)
    query = vectors(1)[0]
    before = reader.search_vectors(query, 10, PUBLIC)
    for round_ in range(8):
        fill(store, vectors, 4, f"r{round_}")
        store.drop(f"c{round_:04}")
        mine.sync(store)
        assert reader.search_vectors(query, 10, PUBLIC) == before
    reader.refresh()
    assert reader.search_vectors(query, 99, PUBLIC) == mine.search_vectors(query, 99, PUBLIC) != before


def test_one_writer(tmp_path: Path, stamp: ModelStamp, store: Any, vectors: Any) -> None:
    fill(store, vectors, 3)
    index = ChunkIndex.open(tmp_path, stamp)
    index.folder.mkdir(parents=True)
    with files.writer_lock(index.folder / "lock", wait_s=0), pytest.raises(IngestError, match="GKB-604"):
        index.sync(store, wait_s=0.1)
    assert index.sync(store).added == 3


@pytest.mark.parametrize(("vector", "code"), [
    ([0.0] * 8, "GKB-501"), ([float("nan")] * 8, "GKB-501"), ([1.0] * 7, "GKB-506")])
def test_a_wrong_vector_is_refused(tmp_path: Path, stamp: ModelStamp, store: Any, vector: list[float],
                                   code: str) -> None:
    store.put("bad", "text", vector)
    with pytest.raises(EncoderError, match=code):
        ChunkIndex.open(tmp_path, stamp).sync(store)
    assert len(ChunkIndex.open(tmp_path, stamp)) == 0


def test_the_folder_is_private_and_holds_no_words(tmp_path: Path, stamp: ModelStamp, store: Any, vectors: Any) -> None:
    store.put("c1", "xylophonitis", vectors(1)[0])
    index = ChunkIndex.open(tmp_path, stamp)
    index.sync(store)
    if os.name == "posix":
        assert index.folder.stat().st_mode & 0o077 == 0
    assert not any(b"xylophon" in path.read_bytes() for path in index.folder.rglob("*") if path.is_file())
    assert json.loads((index.folder / manifest.FILE).read_text())["model"]["model"] == "tiny"


def test_random_questions_in_one_scope_never_bring_another(tmp_path: Path, stamp: ModelStamp, store: Any,
                                                               vectors: Any) -> None:
    fill(store, vectors, 400, "mine", scope="a")
    fill(store, vectors, 400, "canary", scope="b")
    index = ChunkIndex.open(tmp_path, stamp)
    index.sync(store)
    found = index.search_vectors_many(vectors(200), 20, Filter(("public", "a")))
    found += index.search_texts([f"fever number {n}" for n in range(200)], 20, Filter(("public", "a")))
    assert all(len(hits) == 20 for hits in found)
    assert not [hit for hits in found for hit in hits if hit.key.startswith("canary")]
