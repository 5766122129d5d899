from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from graphkb.embed import minilm
from graphkb.embed.minilm import STAMP, MiniLM
from graphkb.errors import EncoderError


@pytest.fixture(scope="module")
def encoder() -> MiniLM:
    return MiniLM(threads=1)


def test_stamp() -> None:
    assert str(STAMP) == "minilm-int8@8199be6f699a395f/384/mean/cosine/254"


def test_rows_are_unit_and_float32(encoder: MiniLM) -> None:
    vectors = encoder.encode(["heart attack", "myocardial infarction", "", "\u200b", "\ud800", "0"])
    assert vectors.dtype == np.float32
    assert vectors.shape == (6, 384)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(6), abs=1e-6)
    assert float(vectors[0] @ vectors[1]) == pytest.approx(0.594, abs=0.002)


def test_no_texts_no_rows(encoder: MiniLM) -> None:
    assert encoder.encode([]).shape == (0, 384)


def test_a_vector_does_not_depend_on_its_neighbours(encoder: MiniLM) -> None:
    shuffled = random.Random(7)
    words = ["warfarin", "stopped", "no", "pain", "fever", "12", "mg", "daily", "mother", "renal", "failure"]
    texts = [" ".join(shuffled.choices(words, k=shuffled.choice([1, 2, 5, 12, 40, 120]))) for _ in range(40)]
    alone = np.vstack([encoder.encode([text]) for text in texts])
    order = shuffled.sample(range(40), 40)
    together = encoder.encode([texts[i] for i in order])
    assert np.abs(together - alone[order]).max() <= 1e-5


def test_tokens_are_word_pieces_without_cut_or_padding(encoder: MiniLM) -> None:
    assert encoder.count_tokens("") == 0
    assert encoder.count_tokens("heart attack") == 2
    assert encoder.count_tokens("word " * 1000) == 1000
    text = "Père took ½ tab."
    assert [text[a:b] for a, b in encoder.token_offsets(text)] == ["Père", "took", "½", "tab", "."]


def test_the_limit_is_exact_and_nothing_is_cut_silently(encoder: MiniLM) -> None:
    assert encoder.encode(["word " * 254]).shape == (1, 384)
    with pytest.raises(EncoderError, match="GKB-502") as caught:
        encoder.encode(["fine", "word " * 254 + "secret"])
    assert caught.value.where == "text 2 of 2"
    assert caught.value.detail == "255 tokens, the limit is 254"
    assert "secret" not in str(caught.value)


def test_a_changed_or_missing_file_is_refused(tmp_path: Path) -> None:
    changed = tmp_path / "tokenizer.json"
    changed.write_bytes(minilm.TOKENIZER.read_bytes().replace(b"[UNK]", b"[UNQ]", 1))
    with pytest.raises(EncoderError, match=r"GKB-504.*tokenizer\.json"):
        MiniLM(tokenizer=changed)
    with pytest.raises(EncoderError, match=r"GKB-504.*model\.onnx"):
        MiniLM(model=tmp_path / "model.onnx")


def test_a_broken_model_is_a_coded_error(encoder: MiniLM, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MiniLM, "_run", lambda self, rows: np.full((len(rows), 384), np.nan, dtype=np.float32))
    with pytest.raises(EncoderError, match="GKB-501"):
        encoder.encode(["text"])
