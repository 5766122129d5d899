from __future__ import annotations

from typing import Any

import pytest

from graphkb.answer import question as asking
from graphkb.answer.aims import aims, shown


@pytest.mark.parametrize(("text", "patient"), [
    ("Does patient 10001217 have asthma?", "10001217"), ("Patient no. 10001217: allergies?", "10001217"),
    ("subject_id: 10001217 medications", "10001217"), ("Does the patient have asthma?", None),
    ("Were 186 patients screened?", None), ("patients 10001217", None)])
def test_the_patient_that_a_question_names(text: str, patient: str | None) -> None:
    assert asking.patient_in(text) == patient


@pytest.mark.parametrize(("text", "about"), [
    ("Does the patient have asthma?", True), ("Is this patient diabetic?", True), ("What are her diagnoses?", True),
    ("Was he given heparin?", True), ("Was XMRV found in patients with CFS?", False), ("What is heparin?", False)])
def test_a_question_about_a_patient_who_is_not_named(text: str, about: bool) -> None:
    assert asking.about_a_patient(text) is about


@pytest.mark.parametrize(("text", "kind"), [
    ("What is the patient allergic to?", "allergies"), ("Who in the family had a stroke?", "family_history"),
    ("Does the patient have diabetes?", "finding"), ("Is the patient still to take warfarin?", "finding"),
    ("Which medications was the patient discharged on?", "medications"), ("What surgery was done?", "procedures"),
    ("Which diagnoses does the patient have?", "diagnoses"), ("Where does the patient live?", "open")])
def test_kinds_of_questions_about_a_patient(text: str, kind: str, lexicon: Any) -> None:
    assert asking.part(text, lexicon, patient=True).kind == kind


@pytest.mark.parametrize(("text", "kind"), [
    ("What is metformin?", "definition"), ("Define diabetes", "definition"), ("What does leprosy mean?", "definition"),
    ("What is the dose of metformin?", "open"), ("What is XMRV?", "open"),
    ("What are other names of leprosy?", "synonyms"), ("What are the manifestations of leprosy?", "relation"),
    ("What kinds of diabetes are there?", "relation"), ("What are the types of diabetes?", "relation")])
def test_kinds_of_general_questions(text: str, kind: str, lexicon: Any) -> None:
    assert asking.part(text, lexicon, patient=False).kind == kind


def test_a_question_of_two_parts_is_split_where_a_new_question_begins(lexicon: Any) -> None:
    parts = asking.parts("What is leprosy and how is diabetes treated?", lexicon, patient=False)
    assert [(part.text, part.concepts) for part in parts] == [
        ("What is leprosy", {"C3"}), ("how is diabetes treated?", {"C2"})]
    whole = asking.parts("Does metformin cause nausea and vomiting?", lexicon, patient=False)
    assert [part.text for part in whole] == ["Does metformin cause nausea and vomiting?"]


def test_what_is_asked_leaves_out_how_it_is_asked(lexicon: Any) -> None:
    part = asking.part("What is the price of metformin?", lexicon, patient=False)
    assert part.asked == {"price", "metformin"}
    assert part.names == [{"metformin"}]
    use = asking.part("What is metformin used for?", lexicon, patient=False)
    assert use.wanted == {"metformin", "?use"}


def test_a_blood_type_is_asked_and_a_type_of_something_is_not(lexicon: Any) -> None:
    assert "type" in asking.part("What is the blood type?", lexicon, patient=True).asked
    assert "type" not in asking.part("What type of bacterium causes leprosy?", lexicon, patient=False).asked


def test_what_a_list_question_asks_beyond_the_list(lexicon: Any) -> None:
    plain = asking.part("Which medications was the patient discharged on?", lexicon, patient=True)
    assert plain.beyond == frozenset()
    more = asking.part("Which drug should be started when the INR is low?", lexicon, patient=True)
    assert more.beyond == {"start", "inr", "low"}


@pytest.mark.parametrize(("asked", "sentence", "aim"), [
    ("What is metformin used for?", "Indications: control of hyperglycemia", "?use"),
    ("When is metformin contraindicated?", "It should not be given in kidney failure.", "?contraindication"),
    ("What are the side effects of metformin?", "Adverse effects include nausea.", "?harm"),
    ("How does metformin work?", "It works by blocking a transporter.", "?mechanism"),
    ("How many patients were included?", "We took 42 of these patients.", "?number"),
    ("How many CFS patients were screened?", "Blood of 1,186 CFS patients was screened.", "?number"),
    ("How much is given?", "We took 42 of them.", "?number"),
    ("How often is it given?", "It is taken twice a day.", "?number"),
    ("In which year was it approved?", "It was approved in 1954.", "?year"),
    ("Why is it avoided?", "It is avoided because of bleeding.", "?reason")])
def test_an_aim_is_shown_by_how_a_sentence_reads(asked: str, sentence: str, aim: str) -> None:
    assert aim in shown(sentence, aims(asked))


def test_an_aim_is_not_shown_by_anything_else() -> None:
    for sentence in ("Warfarin tablets are pink.", "Age predicts 5-year survival of patients [12].",
                     "In 12 weeks it ends."):
        assert not list(shown(sentence, aims("How many patients take warfarin?")))
    assert not list(shown("The drug comes as 500 mg tablets.", aims("In which year was it approved?")))
