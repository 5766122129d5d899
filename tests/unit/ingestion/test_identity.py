"""What makes two names one thing, and what keeps them apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.identity import likeness, telling_words


@pytest.mark.parametrize(("one", "other"), [
    ("Type 1 diabetes mellitus", "Type 2 diabetes mellitus"),
    ("Diabetes mellitus type I", "Diabetes mellitus type II"),
    ("Gout with tophus", "Gout without tophus"),
    ("Fracture of left femur", "Fracture of right femur"),
    ("Acute kidney failure", "Chronic kidney failure"),
    ("Family history of breast cancer", "Breast cancer"),
    ("Aspirin 81 mg", "Aspirin 325 mg"),
])
def test_a_telling_word_keeps_names_apart(one: str, other: str) -> None:
    assert likeness(one, other) == 0.0


@pytest.mark.parametrize(("one", "other", "least"), [
    ("Hypertension, essential", "essential hypertension", 1.0),
    ("Diabetes mellitus type II", "type 2 diabetes mellitus", 0.9),
    ("Ménière's disease", "Meniere disease", 0.9),
    ("Pneumonias", "Pneumonia", 0.9),
])
def test_order_case_accents_and_endings_do_not(one: str, other: str, least: float) -> None:
    assert likeness(one, other) >= least


def test_unrelated_names_are_far() -> None:
    assert likeness("Hip replacement", "Appendectomy") < 0.6


def test_telling_words() -> None:
    assert telling_words("Stage III, left, without metastasis") == {"3", "left", "without"}


@given(st.text(max_size=40), st.text(max_size=40))
def test_likeness_is_symmetric_and_bounded(one: str, other: str) -> None:
    assert 0.0 <= likeness(one, other) <= 1.0
    assert likeness(one, other) == pytest.approx(likeness(other, one))
