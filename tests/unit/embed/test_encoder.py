from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from graphkb.config import Settings
from graphkb.embed import ModelStamp, encode_pooled, load_encoder, token_windows, unit_rows
from graphkb.errors import ConfigError, EncoderError


class Letters:
    """Two characters of a word are a token; vectors count letters."""

    def __init__(self, max_tokens: int = 8) -> None:
        self.stamp = ModelStamp("letters", "1", 3, max_tokens=max_tokens)

    def token_offsets(self, text: str) -> list[tuple[int, int]]:
        return [m.span() for m in re.finditer(r"\S{1,2}", text)]

    def count_tokens(self, text: str) -> int:
        return len(self.token_offsets(text))

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = [[1 + t.count("a"), t.count("b"), 0.5] for t in texts]
        assert all(self.count_tokens(t) <= self.stamp.max_tokens for t in texts)
        return unit_rows(np.array(rows, dtype=np.float32), "letters")


def test_importing_loads_nothing_heavy() -> None:
    code = ("import sys, graphkb.embed; "
            "print([m for m in ('numpy', 'onnxruntime', 'tokenizers') if m in sys.modules])")
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_unknown_encoder_is_a_setting_error() -> None:
    with pytest.raises(ConfigError, match=r"GKB-103.*minilm-int8") as caught:
        load_encoder(Settings.model_validate({"embed": {"encoder": "word2vec"}}))
    assert caught.value.where == "embed.encoder"


def test_stamp_is_one_string() -> None:
    assert str(ModelStamp("m", "abc", 3, max_tokens=8)) == "m@abc/3/mean/cosine/8"


def test_unit_rows_scales() -> None:
    assert unit_rows(np.array([[3, 4], [0, -2]], dtype=np.float32), "m").tolist() == pytest.approx(
        np.array([[0.6, 0.8], [0, -1]]))


@pytest.mark.parametrize("row", [[0, 0], [np.nan, 1], [np.inf, 1], [1e-30, 0]])
def test_unit_rows_refuses(row: list[float]) -> None:
    with pytest.raises(EncoderError, match=r"GKB-501.*1 of 2 vectors"):
        unit_rows(np.array([[1, 0], row], dtype=np.float32), "m")


def test_pooled_is_plain_where_it_fits() -> None:
    vector, windows = encode_pooled(Letters(), "aab b")
    assert windows == 1
    assert vector.tolist() == pytest.approx(Letters().encode(["aab b"])[0].tolist())


def test_pooled_is_the_mean_of_windows() -> None:
    text = "aa " * 8 + "bb " * 8
    vector, windows = encode_pooled(Letters(), text)
    parts = Letters().encode([("aa " * 8).strip(), ("bb " * 8).strip()])
    assert windows == 2
    expected = parts.mean(axis=0)
    assert vector.tolist() == pytest.approx((expected / np.linalg.norm(expected)).tolist(), abs=1e-6)


def test_windows_cut_at_white_space_else_between_tokens() -> None:
    assert token_windows(Letters(4), "aabb ccdd eeff", 0, 14, 4) == [(0, 9), (10, 14)]
    assert token_windows(Letters(4), "x" * 20, 0, 20, 4) == [(0, 8), (8, 16), (16, 20)]


@given(st.text(), st.integers(1, 9))
def test_windows_cover_all_ink_once(text: str, limit: int) -> None:
    at, encoder = 0, Letters()
    for start, end in token_windows(encoder, text, 0, len(text), limit):
        assert not text[at:start].strip()
        assert text[start:end] == text[start:end].strip() != ""
        assert encoder.count_tokens(text[start:end]) <= limit
        at = end
    assert not text[at:].strip()
