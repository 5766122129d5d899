from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from graphkb.embed import ModelStamp
from graphkb.errors import EncoderError
from ingestion import breakpoints
from ingestion.breakpoints import distances, topic_breaks


class Table:
    """Looks vectors up."""

    def __init__(self, rows: dict[str, list[float]], dimension: int = 2) -> None:
        self.rows = rows
        self.stamp = ModelStamp("table", "1", dimension)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.array([self.rows[text] for text in texts], dtype=np.float32)

    def count_tokens(self, text: str) -> int:
        return 1

    def token_offsets(self, text: str) -> list[tuple[int, int]]:
        return [(0, len(text))]


XY = Table({"x": [2, 0], "y": [0, 3], "-x": [-1, 0], "0": [0, 0], "nan": [np.nan, 0]})


def test_distances_with_a_buffer_of_one() -> None:
    # windows: xx, xxy, xyy, yy -> (2,0), (2,1), (1,2), (0,2)
    found = distances(XY, ["x", "x", "y", "y"])
    assert found.tolist() == pytest.approx([1 - 2 / 5**0.5, 1 - 4 / 5, 1 - 2 / 5**0.5])


def test_opposite_vectors_are_far_not_broken() -> None:
    # windows: x-x, x-xx, -xx -> (0,0), (1,0), (0,0)
    assert distances(XY, ["x", "-x", "x"]).tolist() == [1.0, 1.0]


@pytest.mark.parametrize("count", [0, 1, 2, 3, 7, 8, 9, 40])
def test_blocks_do_not_show(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [("x", "y", "-x")[(i * i) % 3] for i in range(count)]
    whole = distances(XY, texts)
    assert len(whole) == max(0, count - 1)
    for block in (1, 2, 3, 4):
        monkeypatch.setattr(breakpoints, "_BLOCK", block)
        assert distances(XY, texts).tolist() == pytest.approx(whole.tolist())


@pytest.mark.parametrize("bad", ["0", "nan"])
def test_broken_vectors_are_a_coded_error(bad: str) -> None:
    with pytest.raises(EncoderError, match="GKB-501"):
        distances(XY, ["x", bad])


def test_a_wrong_shape_is_a_coded_error() -> None:
    with pytest.raises(EncoderError, match="GKB-506"):
        distances(Table({"x": [1, 0]}, dimension=3), ["x", "x"])


VALUES = np.array([0.1, 0.1, 0.9, 0.1, 0.1, 0.1, 0.5, 0.1, 0.1, 0.1])


@pytest.mark.parametrize(("kind", "amount", "wanted"), [
    ("percentile", None, [2]),  # 95th percentile: 0.72
    ("percentile", 80.0, [2, 6]),  # 0.18
    ("percentile", 100.0, []),
    ("standard_deviation", None, []),  # 0.22 + 3 * 0.256
    ("standard_deviation", 1.0, [2, 6]),  # 0.476
    ("interquartile", None, [2, 6]),  # quartiles are equal: over the mean, 0.22
    ("gradient", None, [1]),  # steepest ascent 0.4, at 1; the threshold is 0.31
    ("none", None, []),
])
def test_kinds(kind: str, amount: float | None, wanted: list[int]) -> None:
    assert topic_breaks(VALUES, kind, amount) == wanted


@pytest.mark.parametrize("kind", ["percentile", "standard_deviation", "interquartile", "gradient", "none"])
@pytest.mark.parametrize("values", [[], [0.5], [0.3, 0.3], [0.2] * 9])
def test_few_or_equal_distances_break_nothing(kind: str, values: list[float]) -> None:
    assert topic_breaks(np.array(values), kind) == []
