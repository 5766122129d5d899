from __future__ import annotations

import re
import time
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from graphkb.config import ChunkSettings
from graphkb.embed import ModelStamp
from graphkb.model.records import Section
from ingestion.chunking import Piece, SemanticChunker, stretches

KINDS = ["percentile", "standard_deviation", "interquartile", "gradient", "none"]


class Fake:
    """Four characters of a word are a token; a vector points to the text's first capital letter, or counts bytes."""

    def __init__(self, max_tokens: int = 254) -> None:
        self.stamp = ModelStamp("fake", "r1", 8, max_tokens=max_tokens)
        self.encoded = 0

    def token_offsets(self, text: str) -> list[tuple[int, int]]:
        return [m.span() for m in re.finditer(r"\w{1,4}|[^\w\s]", text)]

    def count_tokens(self, text: str) -> int:
        return len(self.token_offsets(text))

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        assert all(self.count_tokens(text) <= self.stamp.max_tokens for text in texts)
        self.encoded += len(texts)
        rows = np.full((len(texts), 8), 0.05, dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[(ord(text[0]) - 65) % 8] += 1
        return rows


def cut(text: str, sections: Sequence[Section] = (), *, encoder: Fake | None = None, **chosen: object) -> list[str]:
    pieces = SemanticChunker(encoder or Fake(), ChunkSettings.model_validate(chosen)).split(text, sections)
    return [text[piece.start:piece.end] for piece in pieces]


def check(text: str, pieces: list[Piece], encoder: Fake, cap: int) -> None:
    at = 0
    for piece in pieces:
        assert not text[at:piece.start].strip()
        chunk = text[piece.start:piece.end]
        assert chunk == chunk.strip() != ""
        assert encoder.count_tokens(chunk) == piece.tokens <= cap
        at = piece.end
    assert not text[at:].strip()


def test_what_fits_is_one_chunk_without_vectors() -> None:
    encoder = Fake()
    assert cut("  One. Two.\n\nThree. \n", encoder=encoder) == ["One. Two.\n\nThree."]
    assert encoder.encoded == 0


def test_topic_breaks_divide() -> None:
    a, b = ["Apnoea is one two three four. "] * 6, ["Bleeding is one two three four. "] * 6
    text = "".join([*a, *b])
    # each sentence has nine or ten tokens; with the topic in the middle both halves are whole
    for kind in ("percentile", "interquartile"):
        assert cut(text, max_tokens=80, min_tokens=5, threshold=kind, amount=80 if kind == "percentile" else None) == [
            "".join(a).strip(), "".join(b).strip()]


def test_none_divides_by_size_at_sentences_and_paragraphs() -> None:
    text = "Aaaa bbbb cccc. Dddd eeee ffff.\n\nGggg hhhh iiii. Jjjj kkkk llll."
    encoder = Fake()
    assert cut(text, max_tokens=12, min_tokens=1, threshold="none", encoder=encoder) == [
        "Aaaa bbbb cccc. Dddd eeee ffff.", "Gggg hhhh iiii. Jjjj kkkk llll."]
    assert encoder.encoded == 0


def test_what_makes_no_topic_alone_is_encoded_with_what_follows() -> None:
    encoder = Fake()
    cut("Ok. Yes. " * 40, max_tokens=40, min_tokens=32, encoder=encoder)
    assert encoder.encoded == 20  # 80 sentences of two tokens, joined until they have eight
    assert cut("\u200b\n\n" * 3000, max_tokens=8)[0].count("\u200b") <= 8 * 16


def test_small_ones_join_their_section_neighbours() -> None:
    text = "Tiny one. " + "Large sentence with many words in it here. " * 4
    chunks = cut(text, max_tokens=34, min_tokens=8)
    assert chunks[0].startswith("Tiny one. Large")
    assert all(Fake().count_tokens(chunk) >= 8 for chunk in chunks)


def test_sections_are_never_crossed_and_keep_their_headings() -> None:
    text = "Name: X\n\nAllergies:\nPenicillin\n\nPlan: rest. Home.\nSigned by Y."
    allergies = Section("Allergies", text.index("Penicillin"), text.index("Penicillin") + 10)
    plan = Section("Plan", text.index("rest"), text.index("\nSigned"))
    pieces = SemanticChunker(Fake(), ChunkSettings()).split(text, [plan, allergies])
    assert [(piece.section, text[piece.start:piece.end]) for piece in pieces] == [
        ("", "Name: X"), ("Allergies", "Allergies:\nPenicillin"), ("Plan", "Plan: rest. Home."), ("", "Signed by Y.")]


def test_headings_of_markdown_and_of_articles() -> None:
    text = "intro words.\n\n# Drugs\n\n## Statins\nThey lower.\n\nMethods\nWe did."
    found = list(stretches(text, [Section("Drugs > Statins", text.index("They"), text.index("They") + 11),
                                  Section("Methods", text.index("We"), len(text))]))
    assert [(name, text[a:b]) for a, b, name in found] == [
        ("", "intro words."), ("Drugs > Statins", "# Drugs\n\n## Statins\nThey lower."),
        ("Methods", "Methods\nWe did.")]


def test_an_empty_section_keeps_its_heading() -> None:
    text = "Social History:\n\nPlan:\nrest"
    found = list(stretches(text, [Section("Social History", 15, 15), Section("Plan", 23, 27)]))
    assert found == [(0, 15, "Social History"), (17, 27, "Plan")]


def test_list_items_stay_whole() -> None:
    item = "- First part of it. Second part of it. Third part.\n"
    text = item * 6
    for chunk in cut(text, max_tokens=40, min_tokens=1):
        assert chunk.startswith("- First")
        assert chunk.endswith("Third part.")


def test_a_heading_goes_with_what_follows() -> None:
    text = ("Some words here to fill. " * 6 + "\n\nSECONDARY DIAGNOSES:\nCerebral edema\nPulmonary collapse\n"
            + "Word. " * 20)
    chunks = cut(text, max_tokens=40, min_tokens=1)
    assert any("SECONDARY DIAGNOSES:\nCerebral edema" in chunk for chunk in chunks)


def test_run_ons_are_cut_at_white_space_and_long_words_at_tokens() -> None:
    chunks = cut("word " * 300, max_tokens=20)
    assert {chunk for chunk in chunks if chunk.strip("word ")} == set()
    assert all(chunk.split() == ["word"] * len(chunk.split()) for chunk in chunks)
    assert [len(chunk) for chunk in cut("x" * 200, max_tokens=20)] == [80, 80, 40]


def test_the_encoder_limits_the_setting() -> None:
    chunker = SemanticChunker(Fake(max_tokens=16), ChunkSettings(max_tokens=100, min_tokens=32))
    assert (chunker.max_tokens, chunker.min_tokens) == (16, 16)


def test_version_names_what_chunks_depend_on() -> None:
    plain = SemanticChunker(Fake(), ChunkSettings()).version
    assert plain == "semantic-1+sentences-1;percentile=95;tokens=32-254;fake@r1/8/mean/cosine/254"
    assert SemanticChunker(Fake(), ChunkSettings(threshold="none")).version.endswith(";none=0;tokens=32-254;fake")
    others = [{"threshold": "gradient"}, {"amount": 90}, {"min_tokens": 9}, {"max_tokens": 99}]
    assert len({SemanticChunker(Fake(), ChunkSettings.model_validate(o)).version for o in others} | {plain}) == 5


@pytest.mark.parametrize("unit", ["word ", "x", "a.", ". ", "x\n\n", "\u200b\n\n", "A:\n", "- a. b.\n", "Aa bb. ",
                                  "各"])
def test_fifty_thousand_characters_in_bounded_time(unit: str) -> None:
    text, encoder = unit * (50_000 // len(unit)), Fake()
    began = time.process_time()
    pieces = SemanticChunker(encoder, ChunkSettings()).split(text)
    assert time.process_time() - began < 10.0
    check(text, pieces, encoder, 254)


TEXTS = st.text(alphabet=st.one_of(st.characters(), st.sampled_from("  ..\n\n-1aB)?!:#")), max_size=300)
SECTIONS = st.lists(st.builds(Section, st.sampled_from(["Plan", "A", ""]), st.integers(0, 320), st.integers(0, 320)),
                    max_size=4)


@settings(deadline=None)
@given(TEXTS, SECTIONS, st.sampled_from(KINDS), st.integers(1, 20), st.integers(8, 40))
def test_any_text_and_sections(text: str, sections: list[Section], kind: str, low: int, high: int) -> None:
    encoder = Fake(max_tokens=30)
    chunker = SemanticChunker(encoder, ChunkSettings.model_validate(
        {"threshold": kind, "min_tokens": low, "max_tokens": high}))
    pieces = chunker.split(text, sections)
    check(text, pieces, encoder, min(high, 30))
    assert pieces == chunker.split(text, sections)
    borders = [(start, end, name) for start, end, name in stretches(text, sections)]
    for piece in pieces:
        assert any(start <= piece.start and piece.end <= end and piece.section == name for start, end, name in borders)
