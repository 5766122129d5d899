"""Simhash and groups: the same on every machine, near for near texts, far for others."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphkb import ids
from ingestion import duplicates

WORDS = [f"w{n}" for n in range(400)]


def text(seed: int, words: int = 300) -> str:
    return " ".join(random.Random(seed).choices(WORDS, k=words))


def distance(a: str, b: str) -> int:
    first, second = duplicates.simhash(a), duplicates.simhash(b)
    assert first is not None
    assert second is not None
    return (first ^ second).bit_count()


def test_the_value_is_stable() -> None:
    assert duplicates.simhash("The quick brown fox jumps over the lazy dog. " * 2 + text(1, 30)) == 0xd670e69a8bf8b136


def test_near_texts_are_near_and_others_far() -> None:
    one = text(1)
    assert distance(one, "  ".join(one.upper().split()) + "!") == 0
    assert all(distance(text(a), text(a + 50)) > 10 for a in range(50))
    long = text(3, 3000)
    changed = long.split()
    changed[1500] = "other"
    assert distance(long, " ".join(changed)) <= duplicates.MAX_DISTANCE


@pytest.mark.parametrize("short", ["", "one two", " ".join(WORDS[:17]), "no abstract available " * 50])
def test_too_few_words_have_no_value(short: str) -> None:
    assert duplicates.simhash(short) is None


@given(st.integers(0, 2**64 - 1), st.sets(st.integers(0, 63), max_size=3))
def test_three_bits_leave_a_band_in_common(value: int, flipped: set[int]) -> None:
    other = value ^ sum(1 << bit for bit in flipped)
    first, second = duplicates.bands(value), duplicates.bands(other)
    assert any(first[name] == second[name] for name in first)
    assert sum(band << 16 * place for place, band in enumerate(first.values())) == value


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=12), st.randoms())
def test_groups_do_not_depend_on_the_order(pairs: list[tuple[int, int]], order: random.Random) -> None:
    keys = [str(n) for n in range(10)]
    linked = [(str(a), str(b)) for a, b in pairs]
    found = duplicates.groups(keys, linked)
    order.shuffle(linked)
    assert duplicates.groups(keys[::-1], [(b, a) for a, b in linked]) == found
    assert sorted(key for group in found for key in group) == keys
    assert all(any(a in group and b in group for group in found) for a, b in linked)


@given(st.dictionaries(st.text("abc", min_size=1), st.integers(0, 255), max_size=12))
def test_all_pairs_alike_are_found(values: dict[str, int]) -> None:
    expected = {(a, b) for a in values for b in values if a < b and (values[a] ^ values[b]).bit_count() <= 3}
    assert set(duplicates._pairs_alike(values)) == expected


def test_the_earliest_notice_with_a_date_counts() -> None:
    judge = duplicates._retraction
    assert judge([], None) == {}
    assert judge([], "0000") == {"retracted_at": "0000", "retracted_by": "self"}
    assert judge(["2020-01-01|doc:b", "2019|doc:c", "0000|doc:a"], "0000") == {
        "retracted_at": "2019", "retracted_by": "doc:c"}


def test_a_work_is_its_smallest_identifier() -> None:
    assert ids.work({"pmid": "1", "doi": "10.1/a", "pmcid": "PMC2", "journal": "J"}) == "doi:10.1/a"
    assert ids.identifier_forms({"pmid": "1", "doi": None, "pmcid": "PMC2"}) == ["pmcid:PMC2", "pmid:1"]
    assert ids.work({}) == ""
