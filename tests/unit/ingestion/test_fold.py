"""Folding: look-up forms, and spans that always index the original."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.fold import fold, fold_name

ANY_TEXT = st.text(alphabet=st.characters(), max_size=60)  # all of Unicode, surrogates included


@pytest.mark.parametrize(("text", "folded"), [
    ("Fluorouracil\u00a0", "fluorouracil"),
    ("Ménière's", "meniere's"),
    ("Me\u0301nie\u0300re’s", "meniere's"),
    ("β-blocker", "beta-blocker"),
    ("TNF-\u03b1", "tnf-alpha"),
    ("5‑FU", "5-fu"),
    ("5\u22125", "5-5"),
    ("as\u200bpi\u00adrin", "aspirin"),
    ("ﬁbrosis", "fibrosis"),
    ("Straße", "strasse"),
    ("a \t\n b", "a b"),
    ("", ""),
])
def test_fold_name(text: str, folded: str) -> None:
    assert fold_name(text) == folded


@pytest.mark.parametrize("step", [61])
def test_folding_twice_is_folding_once(step: int) -> None:
    for code in [*range(0x3000), *range(0x3000, sys.maxunicode + 1, step)]:
        once = fold(chr(code)).text
        assert fold(once).text == once, hex(code)


@pytest.mark.full
def test_folding_twice_is_folding_once_for_all_of_unicode() -> None:
    test_folding_twice_is_folding_once(1)


@given(ANY_TEXT)
def test_every_folded_span_comes_from_the_original_span(text: str) -> None:
    folded = fold(text)
    for start in range(0, len(folded.text), 3):
        for end in (start + 1, min(len(folded.text), start + 4)):
            first, last = folded.span(start, end)
            assert 0 <= first < last <= len(text)
            assert folded.text[start:end] in fold(text[first:last]).text


@given(ANY_TEXT, ANY_TEXT)
def test_folding_is_by_character(left: str, right: str) -> None:
    assert fold(left + right).text == fold(left).text + fold(right).text


def test_span_takes_the_combining_mark_with_it() -> None:
    text = "cafe\u0301 x"
    assert text[slice(*fold(text).span(0, 4))] == "cafe\u0301"
