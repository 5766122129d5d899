"""Mentions: keys, chunks, states, contexts."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphkb import ids
from graphkb.model import Chunk
from ingestion import sections, sentences
from ingestion.lexicon import Lexicon, Name, build
from ingestion.mentions import MAX_CONTEXT, find_mentions

NAMES = [Name("Pneumonia", "pneumonia", ("T047",), "DISO"), Name("Asthma", "asthma", ("T047",), "DISO"),
         Name("Warfarin", "warfarin", ("T121",), "CHEM")]


@pytest.fixture(scope="module")
def lexicon(tmp_path_factory: pytest.TempPathFactory) -> Lexicon:
    return build(NAMES, tmp_path_factory.mktemp("mentions") / "lexicon")


def chunks_of(text: str, *spans: tuple[int, int]) -> list[Chunk]:
    return [Chunk(ids.chunk("doc:1", a, b, "s"), "doc:1", a, b, n, text[a:b]) for n, (a, b) in enumerate(spans)]


def test_one_mention_per_chunk_name_and_state(lexicon: Lexicon) -> None:
    text = "Has asthma. Asthma is severe. No pneumonia. On warfarin."
    chunks = chunks_of(text, (0, len(text)))
    found = find_mentions(text, (), sentences.split(text), chunks, lexicon)
    assert [(m.name, m.type, m.assertion, [text[a:b] for a, b in m.spans]) for m in found] == [
        ("asthma", "T047", "present", ["asthma", "Asthma"]), ("pneumonia", "T047", "absent", ["pneumonia"]),
        ("warfarin", "T121", "present", ["warfarin"])]
    assert found[0].key == ids.mention(chunks[0].key, "asthma", "T047", "present", "patient", "current")
    assert found[1].context == "No pneumonia."
    assert [link.concept for link in found[2].links] == ["warfarin"]


def test_a_span_belongs_to_the_first_chunk_that_holds_it_whole(lexicon: Lexicon) -> None:
    text = "Asthma and pneumonia."
    overlapping = chunks_of(text, (0, 8), (0, len(text)))
    assert [m.chunk for m in find_mentions(text, (), [(0, len(text))], overlapping, lexicon)] == [
        overlapping[0].key, overlapping[1].key]
    cut = chunks_of(text, (0, 14), (14, len(text)))  # through "pneumonia"
    assert [m.name for m in find_mentions(text, (), [(0, len(text))], cut, lexicon)] == ["asthma"]
    assert find_mentions(text, (), [(0, len(text))], [], lexicon) == []


def test_family_and_history_come_from_sections(lexicon: Lexicon) -> None:
    text = "Family History:\nAsthma.\n\nPast Medical History:\nPneumonia.\n"
    found = find_mentions(text, sections.split(text), sentences.split(text), chunks_of(text, (0, len(text))), lexicon)
    assert [(m.name, m.experiencer, m.temporality) for m in found] == [
        ("asthma", "family", "current"), ("pneumonia", "patient", "historical")]


def test_context_is_bounded_and_holds_the_name(lexicon: Lexicon) -> None:
    text = "word " * 200 + "asthma" + " word" * 200
    (mention,) = find_mentions(text, (), [(0, len(text))], chunks_of(text, (0, len(text))), lexicon)
    assert len(mention.context) <= MAX_CONTEXT
    assert "asthma" in mention.context


def test_the_same_twice(lexicon: Lexicon, tmp_path: Path) -> None:
    text = "Asthma, no pneumonia; warfarin for asthma."
    args = (text, (), sentences.split(text), chunks_of(text, (0, len(text))))
    other = build(reversed(NAMES), tmp_path / "other")
    assert find_mentions(*args, lexicon) == find_mentions(*args, other) == find_mentions(*args, lexicon)
