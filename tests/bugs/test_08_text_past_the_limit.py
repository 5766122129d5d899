"""Bug 8: text past the encoder's limit is dropped without a sign.

https://github.com/huggingface/sentence-transformers/issues/4060
"""

from __future__ import annotations

import pytest

from graphkb.config import ChunkSettings
from graphkb.embed import encode_pooled
from graphkb.embed.minilm import MiniLM
from graphkb.errors import EncoderError
from ingestion.chunking import SemanticChunker


def test_a_word_at_token_900_is_found() -> None:
    encoder = MiniLM(threads=1)
    text = "the " * 900 + "warfarin " + "the " * 99
    assert encoder.count_tokens(text) == 999 + 3  # warfarin is three word pieces
    with pytest.raises(EncoderError, match="GKB-502"):
        encoder.encode([text])
    vector, windows = encode_pooled(encoder, text)
    assert windows >= 4
    assert abs(float(vector @ vector) - 1) < 1e-6
    pieces = SemanticChunker(encoder, ChunkSettings(threshold="none")).split(text, [])
    chunks = [text[piece.start:piece.end] for piece in pieces]
    assert max(piece.tokens for piece in pieces) <= 254
    scores = encoder.encode(chunks) @ encoder.encode(["warfarin"])[0]
    assert "warfarin" in chunks[int(scores.argmax())]
