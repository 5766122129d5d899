from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphkb.answer.draft import Draft
from graphkb.answer.verify import numbers, supported, verify

TEXT = "Metformin 500 mg was\n stopped on 2157-11-25."


def there(_: Any) -> bool:
    return True


def test_a_verbatim_sentence_stands_in_its_evidence_but_for_white_space(piece: Any) -> None:
    assert supported(Draft("Metformin 500 mg was stopped on 2157-11-25.", (piece(TEXT),), "verbatim", 1), there)[0]


@pytest.mark.parametrize(("text", "form", "reason"), [
    ("Metformin 500 mg was started on 2157-11-25.", "verbatim", "not verbatim"),
    ("Metformin 850 mg: stopped.", "composed", "a number that the evidence does not have"),
    ("Metformin 5 mg: stopped.", "composed", "a number that the evidence does not have"),
    ("Metformin: stopped 2157-11-26.", "composed", "a number that the evidence does not have")])
def test_what_the_evidence_does_not_say_is_struck(text: str, form: Any, reason: str, piece: Any) -> None:
    assert supported(Draft(text, (piece(TEXT),), form, 1), there) == (False, reason)


def test_a_number_may_come_from_title_and_section(piece: Any) -> None:
    titled = piece(TEXT, title="10001217-DS-2")
    assert supported(Draft("In 10001217-DS-2 metformin 500 mg was stopped.", (titled,), "composed", 1), there)[0]


def test_evidence_that_is_gone_changed_or_missing_strikes_the_sentence(piece: Any) -> None:
    whole = piece(TEXT)
    draft = Draft("Metformin", (whole,), "composed", 1)
    assert supported(draft, lambda _: False)[1] == "evidence is not in the store any more"
    forged = replace(whole, text="Metformin 850 mg.")
    assert supported(replace(draft, evidence=(forged,)), there)[1] == "evidence text changed"
    assert supported(replace(draft, evidence=()), there)[1] == "no evidence"
    assert verify([draft, replace(draft, evidence=())], there) == ([draft], ["no evidence"])


def test_numbers_are_taken_whole() -> None:
    assert numbers("2.5 mg, 120/80 mmHg on 2157-11-25 at 08:30; 1,000 units") == {
        "2.5", "120/80", "2157-11-25", "08:30", "1,000"}


@given(st.text(max_size=80), st.text(max_size=40))
def test_no_text_is_supported_that_is_not_there(text: str, said: str) -> None:
    from graphkb import ids
    from graphkb.model import Evidence

    own = Evidence("e", "span", text, 1.0, "", "user", "local", "d", sha256=ids.text_sha256(text))
    holds, _ = supported(Draft(said, (own,), "verbatim", 1.0), there)
    assert holds <= (" ".join(said.split()) in " ".join(text.split()) or not said.strip())


@pytest.mark.parametrize(("told", "holds"), [("absent", True), ("present", False), ("stopped", False)])
def test_a_finding_is_told_only_in_the_state_of_its_evidence(told: str, holds: bool, piece: Any) -> None:
    state = {"assertion": "absent", "experiencer": "patient", "temporality": "current"}
    quote = replace(piece("No evidence of pneumonia."), assertion=state)
    assert supported(Draft("Pneumonia.", (quote,), "composed", 1, state=told), there)[0] == holds


def test_a_listed_name_stands_in_the_evidence(piece: Any) -> None:
    whole = piece("Discharged on Metformin and\n Aspirin EC.")
    assert supported(Draft("Drugs.", (whole,), "composed", 1, names=("aspirin ec", "Metformin")), there)[0]
    assert supported(Draft("Drugs.", (whole,), "composed", 1, names=("Warfarin",)), there) == (
        False, "a name that the evidence does not have")
