"""Bug 3: the semantic chunker fails or lies on short, long and oddly spaced notes.

https://github.com/langchain-ai/langchain/issues/17106, /25869, /26221, /23250
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from graphkb.config import ChunkSettings
from graphkb.embed.minilm import STAMP, MiniLM
from graphkb.errors import EncoderError
from ingestion.chunking import SemanticChunker
from ingestion.sentences import split

KINDS = ["percentile", "standard_deviation", "interquartile", "gradient"]
INPUTS = {
    "": [],
    "   ": [],
    "Stable.": ["Stable."],
    "a. b.": ["a. b."],
    "Stable. Discharged home. ": ["Stable. Discharged home."],
    "CC: chest pain.\n\nHx: HTN. DM2.\n\nPlan: ASA.": ["CC: chest pain.\n\nHx: HTN. DM2.\n\nPlan: ASA."],
    "Dr. Smith saw pt. on 2180-05-06.": ["Dr. Smith saw pt. on 2180-05-06."],
}


@pytest.fixture(scope="module")
def encoder() -> MiniLM:
    return MiniLM(threads=1)


class Broken:
    """MiniLM's tokenizer with vectors of one value."""

    stamp = STAMP

    def __init__(self, encoder: MiniLM, value: float) -> None:
        self.count_tokens, self.token_offsets, self.value = encoder.count_tokens, encoder.token_offsets, value

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.full((len(texts), 384), self.value, dtype=np.float32)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("text", INPUTS)
def test_short_notes(encoder: MiniLM, text: str, kind: str) -> None:
    chunker = SemanticChunker(encoder, ChunkSettings.model_validate({"threshold": kind}))
    assert [text[piece.start:piece.end] for piece in chunker.split(text, [])] == INPUTS[text]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("text", [text for text in INPUTS if text.strip()])
def test_the_same_notes_cut_small(encoder: MiniLM, text: str, kind: str) -> None:
    chunker = SemanticChunker(encoder, ChunkSettings.model_validate(
        {"threshold": kind, "max_tokens": 8, "min_tokens": 1}))
    pieces = chunker.split(text, [])
    chunks = [text[piece.start:piece.end] for piece in pieces]
    assert "".join("".join(chunks).split()) == "".join(text.split())
    assert all(chunk.strip() == chunk != "" for chunk in chunks)
    assert all(encoder.count_tokens(chunk) <= 8 for chunk in chunks)


def test_an_abbreviation_is_no_boundary() -> None:
    assert len(split("Dr. Smith saw pt. on 2180-05-06.")) == 1


def test_fifty_thousand_characters_without_a_stop(encoder: MiniLM) -> None:
    words = ["patient", "resting", "comfortably", "with", "family", "at", "bedside"]
    text = (" ".join(words) + " ") * 1000
    text = text[:50_000]
    pieces = SemanticChunker(encoder, ChunkSettings(threshold="none")).split(text, [])
    assert all(piece.tokens == encoder.count_tokens(text[piece.start:piece.end]) <= 254 for piece in pieces)
    assert "".join(text[piece.start:piece.end] for piece in pieces).replace(" ", "") == text.replace(" ", "")
    assert all(word in words
               for piece in pieces[:-1] for word in text[piece.start:piece.end].split())


@pytest.mark.parametrize("value", [0.0, float("nan"), float("inf")])
def test_zero_or_nan_vectors_are_a_coded_error(encoder: MiniLM, value: float) -> None:
    chunker = SemanticChunker(Broken(encoder, value), ChunkSettings())
    with pytest.raises(EncoderError, match="GKB-501"):
        chunker.split("The patient was seen and felt well today. " * 60, [])
