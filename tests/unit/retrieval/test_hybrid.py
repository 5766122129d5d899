from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graphkb.config import RetrievalSettings
from graphkb.embed import ModelStamp
from graphkb.errors import AnswerError
from graphkb.model import Query
from retrieval.fusion import Lane, fuse
from retrieval.hybrid import HybridRetriever
from retrieval.index import ChunkIndex, Filter, Hit

AXES = ("fever", "stroke", "insulin", "cough")


class Words:
    """An encoder whose vectors count four words; it takes ten tokens."""

    def __init__(self, stamp: ModelStamp) -> None:
        self.stamp = ModelStamp(stamp.model, stamp.revision, stamp.dimension, max_tokens=10)

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        assert all(self.count_tokens(text) <= 10 for text in texts)
        vectors = np.array([[t.lower().count(axis) + 0.01 for axis in AXES] + [0.01] * 4 for t in texts], np.float32)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    def count_tokens(self, text: str) -> int:
        return len(text.split())

    def token_offsets(self, text: str) -> list[tuple[int, int]]:
        out, at = [], 0
        for word in text.split():
            at = text.index(word, at)
            out.append((at, at + len(word)))
            at += len(word)
        return out


@pytest.fixture
def retriever(tmp_path: Path, stamp: ModelStamp, store: Any) -> HybridRetriever:
    encoder = Words(stamp)
    rows = [("c1", "Fever and cough.", {}),
            ("c2", "Insulin for the patient with fever.", {"tier": "user", "patient": "1"}),
            ("c3", "Another patient: fever, insulin.", {"tier": "user", "patient": "2"}),
            ("c4", "Stroke.", {"scope": "b"}), ("c5", "A user's own file on fever.", {"tier": "user"}),
            ("c6", "Insulin lowers glucose.", {"published": "2019-02-01"})]
    for key, text, more in rows:
        store.put(key, text, encoder.encode([text])[0], **more)
    index = ChunkIndex.open(tmp_path, encoder.stamp)
    index.sync(store)
    return HybridRetriever(index, store, encoder, RetrievalSettings())


def ids(retriever: HybridRetriever, question: str, **more: Any) -> list[str]:
    return [one.id for one in retriever.retrieve(Query(question, ("public",), **more))]


def test_best_first_with_reason_place_and_checksum(retriever: HybridRetriever) -> None:
    found = retriever.retrieve(Query("Is there fever and cough?", ("public",), k=3))
    assert found[0].id == "c1"
    assert found[0].why == "bm25 rank 1, vector rank 1"
    assert found[0].score == pytest.approx(1.0)
    assert len(found) == 3
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


def test_a_patients_question_never_brings_another_patient(retriever: HybridRetriever) -> None:
    found = set(ids(retriever, "fever insulin", patient="1"))
    assert found == {"c1", "c2", "c6"}
    assert "c3" in ids(retriever, "fever insulin")


def test_scopes_tiers_and_dates(retriever: HybridRetriever) -> None:
    assert "c4" not in ids(retriever, "stroke")
    assert set(ids(retriever, "insulin", tiers=("literature",))) == {"c1", "c6"}
    assert "c6" not in ids(retriever, "insulin", as_of="2018")
    assert retriever.retrieve(Query("stroke", ("c",))) == []


def test_options_are_asked_each_and_weigh_as_much_as_the_question(retriever: HybridRetriever) -> None:
    query = Query("What helps?", ("public",), options=("insulin", "cough"), tiers=("literature",))
    lanes = retriever.lanes(query, Filter.of(query))
    assert [(lane.name, lane.weight) for lane in lanes] == [
        ("bm25", 0.25), ("bm25", 0.125), ("bm25", 0.125), ("vector", 0.25), ("vector", 0.125), ("vector", 0.125)]
    assert [[hit.key for hit in lane.hits][:1] for lane in lanes[:3]] == [[], ["c6"], ["c1"]]
    assert [lane.hits[0].key for lane in lanes[4:]] == ["c6", "c1"]


def test_a_long_question_is_pooled_not_cut(retriever: HybridRetriever) -> None:
    question = "a " * 60 + "insulin lowers glucose"
    assert ids(retriever, question, tiers=("literature",))[0] == "c6"


@pytest.mark.parametrize("question", ["", "   ", "\n"])
def test_an_empty_question(retriever: HybridRetriever, question: str) -> None:
    with pytest.raises(AnswerError, match="GKB-701"):
        retriever.retrieve(Query(question, ("public",)))


def test_what_the_store_no_longer_has_is_replaced(retriever: HybridRetriever, store: Any) -> None:
    first, second = ids(retriever, "fever", k=2)
    del store.chunks[first]
    assert ids(retriever, "fever", k=2)[0] == second
    assert len(ids(retriever, "fever", k=2)) == 2


def test_reciprocal_ranks() -> None:
    lanes = [Lane("bm25", 1, [Hit("a", 9.0), Hit("b", 5.0)]), Lane("vector", 1, [Hit("b", 0.9), Hit("c", 0.2)])]
    assert [(one.key, one.why) for one in fuse(lanes, "rrf", 60)] == [
        ("b", "bm25 rank 2, vector rank 1"), ("a", "bm25 rank 1"), ("c", "vector rank 2")]
    assert fuse(lanes, "rrf", 60)[0].score == pytest.approx(1 / 62 + 1 / 61)


def test_relative_scores() -> None:
    lanes = [Lane("bm25", 0.5, [Hit("a", 8.0), Hit("b", 2.0)], floor=0.0),
             Lane("vector", 0.5, [Hit("b", 0.9), Hit("a", 0.6), Hit("c", 0.5)])]
    assert {one.key: one.score for one in fuse(lanes)} == pytest.approx(
        {"a": 0.5 + 0.5 * 0.25, "b": 0.5 * 0.25 + 0.5, "c": 0.0})
    # equal scores in the order of keys; a lone hit is worth all of its lane
    assert [one.key for one in fuse(lanes)] == ["a", "b", "c"]
    assert fuse([Lane("vector", 0.5, [Hit("x", 0.1)])])[0].score == 0.5
    assert fuse([Lane("bm25", 1, [])]) == []
