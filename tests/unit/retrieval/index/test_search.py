"""Search over segments equals brute force, whatever the order, the cuts and the filter."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.index.build import build, merge
from retrieval.index.filters import ChunkRow, Filter, Hit
from retrieval.index.search import K1, B, search_texts, search_vectors
from retrieval.index.segment import Segment
from retrieval.text import terms

WORDS = ("fever", "cough", "aspirin", "stroke", "pain", "insulin", "abscess")
rows = st.builds(
    dict, text=st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join), scope=st.sampled_from(["public", "a", "b"]),
    tier=st.sampled_from(["user", "literature"]), patient=st.sampled_from(["", "1", "2"]),
    document=st.sampled_from(["d1", "d2", "d3"]), seed=st.integers(0, 5),
    published=st.sampled_from(["", "2019-01-01", "2024-06-30"]))
filters = st.builds(
    Filter, scopes=st.sampled_from([(), ("public",), ("public", "a"), ("b",)]), patient=st.sampled_from([None, "1"]),
    tiers=st.sampled_from([(), ("literature",)]), documents=st.sampled_from([(), ("d2",), ("d9",)]),
    as_of=st.sampled_from([None, "2020"]))


def vector(seed: int) -> Any:
    found = np.random.default_rng(seed).normal(size=4).astype(np.float32)
    return found / np.linalg.norm(found)


def make(items: list[dict[str, Any]]) -> list[ChunkRow]:
    return [ChunkRow(f"c{n:03}", item["text"], vector(item["seed"]), item["scope"], item["tier"], item["document"],
                     item["patient"], "", item["published"]) for n, item in enumerate(items)]


def readable(row: ChunkRow, where: Filter) -> bool:
    if row.scope not in where.scopes:
        return False
    if where.patient and not (row.patient == where.patient or (row.patient == "" and row.tier != "user")):
        return False
    return not (where.as_of and row.tier != "user" and row.published[:4] > where.as_of)


def narrowed(row: ChunkRow, where: Filter) -> bool:
    return ((not where.tiers or row.tier in where.tiers) and (not where.documents or row.document in where.documents))


def slow_bm25(chunks: list[ChunkRow], text: str, where: Filter) -> dict[str, float]:
    seen = [row for row in chunks if readable(row, where)]
    counts = {row.key: Counter(terms(row.text)) for row in seen}
    mean = max(sum(sum(c.values()) for c in counts.values()) / len(seen), 1) if seen else 1
    out: dict[str, float] = {}
    for row in seen:
        score = 0.0
        for term in set(terms(text)):
            df = sum(term in c for c in counts.values())
            tf = counts[row.key][term]
            score += math.log(1 + (len(seen) - df + .5) / (df + .5)) * tf * (K1 + 1) / (
                tf + K1 * (1 - B + B * sum(counts[row.key].values()) / mean))
        if score > 0 and narrowed(row, where):
            out[row.key] = score
    return out


def cut(chunks: list[ChunkRow], at: list[int]) -> list[Segment]:
    edges = sorted({0, len(chunks), *(a % (len(chunks) + 1) for a in at)})
    return [build(f"s{a}", chunks[a:b], 4) for a, b in pairwise(edges)]


def keys_close(hits: list[Hit], expected: dict[str, float], k: int) -> None:
    assert len(hits) == min(k, len(expected))
    assert [hit.score for hit in hits] == pytest.approx(sorted(expected.values(), reverse=True)[:k])
    for hit in hits:
        assert hit.score == pytest.approx(expected[hit.key])


@settings(deadline=None, max_examples=60)
@given(st.lists(rows, max_size=40), st.lists(st.integers(0, 40), max_size=3), filters, st.integers(1, 12),
       st.permutations(range(40)), st.sampled_from(["fever cough", "aspirin", "pain pain stroke", "absent", ""]))
def test_equals_brute_force_in_any_order_and_cut(items: list[dict[str, Any]], at: list[int], where: Filter, k: int,
                                                 shuffle: list[int], text: str) -> None:
    chunks = make(items)
    shuffled = [chunks[i] for i in shuffle if i < len(chunks)]
    segments, others = cut(chunks, at), cut(shuffled, [])
    query = vector(99)[None, :]
    near = search_vectors(segments, query, k, where)[0]
    keys_close(near, {row.key: float(row.vector.astype(float) @ query[0].astype(float)) for row in chunks
                      if readable(row, where) and narrowed(row, where)}, k)
    lexical = search_texts(segments, [text], k, where)[0]
    keys_close(lexical, slow_bm25(chunks, text, where), k)
    # bit for bit the same however the chunks lie, and equal scores in the order of their keys
    assert search_vectors(others, query, k, where)[0] == near
    assert search_texts(others, [text], k, where)[0] == lexical
    assert lexical == sorted(lexical, key=lambda hit: (-hit.score, hit.key))


@settings(deadline=None, max_examples=30)
@given(st.lists(rows, min_size=2, max_size=30), st.sets(st.integers(0, 29)))
def test_merge_keeps_the_living(items: list[dict[str, Any]], dead: set[int]) -> None:
    chunks = make(items)
    alive = [row for n, row in enumerate(chunks) if n not in dead]
    segments = []
    for segment in cut(chunks, [len(chunks) // 2]):
        mask = np.array([segment.key(n) not in {row.key for row in alive} for n in range(segment.rows)])
        segments.append(segment.with_dead(mask))
    where, query = Filter(("public", "a", "b")), vector(98)[None, :]
    merged = merge("m", segments)
    fresh = build("f", alive, 4)
    assert merged.rows == len(alive)
    assert merged.names == fresh.names
    for part, array in fresh.arrays.items():
        assert np.array_equal(merged.arrays[part], array) or (not array.size and not merged.arrays[part].size), part
    for one in (segments, [merged]):
        assert search_vectors(one, query, 9, where) == search_vectors([fresh], query, 9, where)
        assert search_texts(one, ["fever aspirin"], 9, where) == search_texts([fresh], ["fever aspirin"], 9, where)


def test_a_batch_answers_like_single_questions() -> None:
    rng = np.random.default_rng(3)
    chunks = make([{"text": " ".join(rng.choice(WORDS, 3)), "scope": "a", "tier": "user", "document": "d",
                    "patient": "", "published": "", "seed": n} for n in range(500)])
    segments = cut(chunks, [100])
    queries = np.stack([vector(1000 + n) for n in range(7)])
    together = search_vectors(segments, queries, 5, Filter(("a",)))
    assert together == [search_vectors(segments, one[None, :], 5, Filter(("a",)))[0] for one in queries]


def test_text_outside_the_scope_has_no_influence() -> None:
    mine = make([{"text": t, "scope": "a", "tier": "user", "document": "d", "patient": "", "published": "", "seed": 1}
                 for t in ("fever cough", "cough", "pain")])
    foreign = [ChunkRow(f"x{n}", "cough stroke", vector(n), "b", "user", "e") for n in range(50)]
    alone = search_texts([build("s", mine, 4)], ["fever cough"], 5, Filter(("a",)))
    assert search_texts([build("s", mine + foreign, 4)], ["fever cough"], 5, Filter(("a",))) == alone
