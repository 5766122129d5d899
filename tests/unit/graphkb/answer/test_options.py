from __future__ import annotations

from typing import Any

from graphkb.answer import question as asking
from graphkb.answer.options import Choice, choose
from retrieval.text import terms


def chosen(text: str, options: list[str], pieces: list[Any], lexicon: Any, encoder: Any) -> Choice:
    part = asking.part(text, lexicon, patient=False)
    rarity = dict.fromkeys(part.wanted.union(*(terms(option) for option in options)), 1.0)
    return choose(part, options, pieces, rarity, encoder, lexicon)


def test_the_option_that_stands_in_evidence_is_chosen(lexicon: Any, encoder: Any, piece: Any) -> None:
    pieces = [piece("Metformin is the first drug for diabetes in adults."), piece("Leprosy is an old infection.")]
    choice = chosen("Which drug is the first for diabetes?", ["aspirin", "metformin"], pieces, lexicon, encoder)
    assert choice.best == "metformin"
    assert choice.sentence is not None
    assert "first drug for diabetes" in choice.sentence.span.text
    assert choice.worth["aspirin"] == 0.0


def test_nothing_is_chosen_without_evidence_for_an_option(lexicon: Any, encoder: Any, piece: Any) -> None:
    pieces = [piece("Metformin is the first drug for diabetes in adults.")]
    choice = chosen("Which drug is the first for diabetes?", ["aspirin", "heparin"], pieces, lexicon, encoder)
    assert choice.best is None
    assert choice.missing == "No option stands in evidence that answers the question."
    assert chosen("Which?", ["aspirin"], [], lexicon, encoder).missing == "No evidence was found for any option."


def test_two_options_as_good_as_each_other_are_not_told_apart(lexicon: Any, encoder: Any, piece: Any) -> None:
    pieces = [piece("Aspirin and heparin are both drugs for diabetes here.")]
    choice = chosen("Which drug is for diabetes?", ["aspirin", "heparin"], pieces, lexicon, encoder)
    assert choice.best is None
    assert choice.missing == "The evidence does not tell the options apart."
