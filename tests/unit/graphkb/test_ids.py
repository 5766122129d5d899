"""Keys are stable, do not collide, and hold the scope."""

from __future__ import annotations

import hashlib
import inspect
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphkb import ids
from graphkb.errors import ConfigError

text = st.text(max_size=40)


def test_a_key_is_the_hash_of_kind_and_parts() -> None:
    canonical = json.dumps(["document", "local", "mimic", "10001217-DS-1", "v"], separators=(",", ":"))
    expected = "doc:" + hashlib.sha256(canonical.encode()).hexdigest()[:32]
    assert ids.document("local", "mimic", "10001217-DS-1", "v") == expected


@given(st.lists(text, max_size=4), st.lists(text, max_size=4))
def test_different_parts_never_share_a_key(a: list[str], b: list[str]) -> None:
    assert (ids.digest("k", *a) == ids.digest("k", *b)) == (a == b)


@given(text, text)
def test_joining_parts_in_another_place_is_another_key(a: str, b: str) -> None:
    assert ids.digest("k", a, b) != ids.digest("k", a + b)
    if b:
        assert ids.digest("k", a, b) != ids.digest("k", a + b[0], b[1:])


@given(text, text, text)
def test_every_kind_that_can_hold_private_text_is_salted_by_scope(a: str, b: str, c: str) -> None:
    pairs = [
        (ids.document("one", a, b, c), ids.document("two", a, b, c)),
        (ids.statement(a, b, c, "affirmed", "one"), ids.statement(a, b, c, "affirmed", "two")),
        (ids.patient(a, "one"), ids.patient(a, "two")),
        (ids.encounter(a, b, "one"), ids.encounter(a, b, "two")),
        (ids.local_concept(a, b, "one"), ids.local_concept(a, b, "two")),
        (ids.concept(a, "one"), ids.concept(a, "two")),
        (ids.concept(a, "one"), ids.concept(a)),
        (ids.code(a, b, c, "one"), ids.code(a, b, c)),
    ]
    assert all(x != y for x, y in pairs)


def test_a_number_is_no_part_of_a_key() -> None:
    with pytest.raises(TypeError):
        ids.digest("k", 1)  # type: ignore[arg-type]


def test_a_lone_surrogate_is_hashed_and_not_lost() -> None:
    assert ids.digest("k", "\ud800") != ids.digest("k", "\ud801")


def test_public_names_are_readable() -> None:
    assert ids.concept("C0020538") == "C0020538"
    assert ids.code("ICD10CM", "I10", "2024") == "ICD10CM:I10@2024"


@pytest.mark.parametrize("scope", ["", "A", "1a", "a b", "a\n", "a" * 65, "ａ", "a/b"])
def test_bad_scope_names_are_refused(scope: str) -> None:
    with pytest.raises(ConfigError, match="GKB-105"):
        ids.check_scope(scope)


@pytest.mark.parametrize("scope", ["public", "local", "a", "ward-7_b", "a" * 64])
def test_good_scope_names_pass(scope: str) -> None:
    assert ids.check_scope(scope) == scope


@given(st.permutations([ids.text_sha256(str(n)) for n in range(6)]))
def test_a_combination_does_not_depend_on_order(order: list[str]) -> None:
    assert ids.combine(order) == ids.combine(sorted(order))


def test_a_combination_counts_repeats() -> None:
    one = ids.text_sha256("x")
    assert ids.combine([one]) != ids.combine([one, one])
    assert ids.combine([]) == "0" * 64


def test_no_two_kinds_share_a_prefix() -> None:
    made = [ids.source("a", "b"), ids.document("a", "b", "c", "d"), ids.chunk("a", 0, 1, "v"),
            ids.mention("a", "b", "c", "d", "e", "f"), ids.statement("a", "b", "c", "d", "e"),
            ids.evidence_edge("a", "b", 0, 1), ids.relation("a", "b", "c", "d"), ids.patient("a", "b"),
            ids.encounter("a", "b", "c"), ids.fact("a", "b", "c"), ids.run("a", "b", "c"), ids.dirty("a", "b"),
            ids.meta("lock")]
    prefixes = [key.partition(":")[0] for key in made]
    assert len(set(prefixes)) == len(prefixes)


def test_keys_are_made_nowhere_else() -> None:
    import graphkb.store.fingerprint as fingerprint

    assert "hashlib" not in inspect.getsource(__import__("ingestion.writer", fromlist=["writer"]))
    assert "combine" in inspect.getsource(fingerprint)
