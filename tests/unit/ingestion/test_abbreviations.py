"""Definitions of abbreviations in a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.abbreviations import find_definitions


@pytest.mark.parametrize(("text", "short", "long"), [
    ("He had acute renal failure (ARF) twice.", "ARF", "acute renal failure"),
    ("non-small cell lung cancer (NSCLC) was found", "NSCLC", "non-small cell lung cancer"),
    ("treated with 5-fluorouracil (5-FU)", "5-FU", "5-fluorouracil"),
    ("systemic lupus erythematosus (SLE; n = 5)", "SLE", "systemic lupus erythematosus"),
    ("Heparin-induced thrombocytopenia [HIT]", "HIT", "Heparin-induced thrombocytopenia"),
])
def test_defined(text: str, short: str, long: str) -> None:
    (found,) = find_definitions(text)
    assert (found.short, text[found.start:found.end]) == (short, long)
    assert text[found.short_start:found.short_start + len(short)] == short


@pytest.mark.parametrize("text", [
    "no brackets at all", "patients (12) and controls (n = 4)", "renal failure (see text)", "(ARF)",
    "fever. Seen (ARF)", "seizures (2010)", "the heart (XYZ)",
])
def test_not_defined(text: str) -> None:
    assert find_definitions(text) == []


def test_the_first_definition_counts() -> None:
    text = "multiple sclerosis (MS) and mitral stenosis (MS)"
    (found,) = find_definitions(text)
    assert text[found.start:found.end] == "multiple sclerosis"


@given(st.text(alphabet=st.sampled_from("abAB5 ()[].;-\n"), max_size=80))
def test_offsets_hold_in_any_text(text: str) -> None:
    for found in find_definitions(text):
        assert text[found.short_start:found.short_start + len(found.short)] == found.short
        assert 0 <= found.start < found.end <= found.short_start
