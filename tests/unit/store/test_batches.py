from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkb.errors import BatchTooLarge
from graphkb.store.batches import check_size, cut, packed_size

TEXT = st.text(st.characters(codec="utf-8"))
VALUE = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(TEXT, inner, max_size=5), max_leaves=20)


@given(VALUE)
@settings(max_examples=300)
def test_never_less_than_the_driver_packs(value: Any) -> None:
    from neo4j._codec.packstream.v1 import PackableBuffer, Packer

    buffer = PackableBuffer()
    Packer(buffer).pack(value)
    assert packed_size(value) >= len(buffer.data)


def test_sizes() -> None:
    assert packed_size([0.5] * 384) == 5 + 9 * 384
    assert packed_size("é") == 7
    assert packed_size({"a": 1}) == 5 + 5 + 1 + 9


@given(st.lists(st.text("ab", max_size=40), max_size=60), st.integers(1, 10), st.integers(60, 300))
def test_cut_keeps_order_and_limits(rows: list[str], most_rows: int, most_bytes: int) -> None:
    batches = list(cut("q", rows, fixed=10, most_rows=most_rows, most_bytes=most_bytes))
    assert [row for batch in batches for row in batch] == rows
    assert all(0 < len(batch) <= most_rows for batch in batches)
    assert all(10 + sum(map(packed_size, batch)) <= most_bytes for batch in batches)


def test_a_row_too_large_is_named_by_number() -> None:
    with pytest.raises(BatchTooLarge) as caught:
        list(cut("create_x", ["a", "SECRET" * 100], fixed=0, most_rows=10, most_bytes=100))
    assert caught.value.where == "create_x, row 1"
    assert "SECRET" not in str(caught.value)


def test_other_parameters_count_too() -> None:
    assert check_size("q", "RETURN $a", {"a": "x"}, 100) == 9 + 5 + 5 + 1 + 6
    with pytest.raises(BatchTooLarge):
        check_size("q", "RETURN $a", {"a": "x" * 100}, 100)
