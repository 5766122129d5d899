"""Answers over the real sample: what they say, that their evidence is there, and their JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest

from graphkb.errors import AnswerError
from graphkb.kb import KnowledgeBase
from graphkb.model import Answer
from retrieval.evidence import reread
from tests.conftest import ROOT

QUESTIONS = json.loads((ROOT / "examples" / "sample" / "questions.json").read_text(encoding="utf-8"))
PATIENT = "10015272"
# what must stand in the answer to each demo question, and what must not
CONTENT: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "Which diagnoses does the patient have?": (("Admission 2",), ("breast cancer",)),
    "Who in the patient's family had breast cancer?": (("Mother had breast cancer",), ("Father", "diabetes")),
    "Does the patient have pneumonia?": (("No: ", "absent", "No evidence of pneumonia"), ("Yes",)),
    "Is the patient still to take warfarin?": (("Warfarin is recorded as stopped", "STOP warfarin"), ("Yes",)),
    "When is levothyroxine contraindicated?": (("uncorrected adrenal insufficiency",), ("can be found in",)),
    "Was XMRV found in patients with chronic fatigue syndrome in the UK?": (("XMRV", "not"), ()),
    "What are the manifestations of leprosy?": (("has the manifestations",), ("LOCAL:",)),
    "Which antidote is given for digoxin toxicity?": (("digoxin immune fab",), ("Naloxone",)),
}
KEYS = {"answer", "abstained", "confidence", "sentences", "evidence", "conflicts", "glossary", "method", "trace",
        "usage", "bundle"}


def ask(kb: KnowledgeBase, item: dict[str, Any]) -> Answer:
    return kb.ask(item["question"], patient=item.get("patient"), options=item.get("options", ()))


def check(kb: KnowledgeBase, answer: Answer, patient: str | None = None) -> None:
    """What holds for every answer."""
    assert all(reread(kb.store, answer.evidence, kb.scopes()))
    assert answer.abstained == (not answer.sentences)
    for sentence in answer.sentences:
        assert sentence.supported
        assert sentence.evidence
        assert set(sentence.evidence) <= set(range(1, len(answer.evidence) + 1))
        assert sentence.text in answer.answer
    assert {n for sentence in answer.sentences for n in sentence.evidence} == set(range(1, len(answer.evidence) + 1))
    assert {e.patient for e in answer.evidence} <= {patient}
    assert 0 <= answer.confidence <= 1


@pytest.mark.parametrize("item", QUESTIONS, ids=lambda item: item["about"])
def test_demo_questions_are_answered_by_content(item: dict[str, Any], sample_kb: KnowledgeBase) -> None:
    answer = ask(sample_kb, item)
    check(sample_kb, answer, item.get("patient"))
    assert answer.abstained == item.get("abstain", False)
    if answer.abstained:
        assert answer.answer.startswith("There is not enough evidence")
        assert "imatinib" in answer.answer
        return
    said, unsaid = CONTENT[item["question"]]
    assert all(text in answer.answer for text in said), answer.answer
    assert not any(text in answer.answer for text in unsaid), answer.answer


def test_options_give_a_choice(sample_kb: KnowledgeBase) -> None:
    answer = ask(sample_kb, next(item for item in QUESTIONS if "options" in item))
    assert answer.choice == "Digoxin immune fab"
    nothing = sample_kb.ask("Which drug cures Ebola virus disease?", options=["ribavirin", "favipiravir"])
    assert nothing.abstained
    assert nothing.choice is None


def test_the_json_is_as_the_design_says(sample_kb: KnowledgeBase) -> None:
    plain = sample_kb.ask("When is levothyroxine contraindicated?").to_dict()
    assert set(plain) == KEYS
    assert set(plain["usage"]) == {"llm_calls", "tokens_in", "tokens_out", "cost", "ms"}
    assert [set(s) for s in plain["sentences"]] == [{"text", "evidence", "supported"}] * len(plain["sentences"])
    assert [e["n"] for e in plain["evidence"]] == list(range(1, len(plain["evidence"]) + 1))
    assert {"id", "kind", "text", "score", "why", "tier", "scope", "document", "location", "sha256", "concepts",
            "statement", "valid", "assertion"} <= set(plain["evidence"][0])
    assert json.loads(json.dumps(plain)) == json.loads(json.dumps(plain, default=str))
    options = ask(sample_kb, next(item for item in QUESTIONS if "options" in item)).to_dict()
    assert set(options) == {*KEYS, "choice"}
    abstained = sample_kb.ask("What is the price of metformin?").to_dict()
    assert (abstained["abstained"], abstained["sentences"], abstained["evidence"]) == (True, [], [])


def test_a_question_in_two_parts_gets_both_answers(sample_kb: KnowledgeBase) -> None:
    answer = sample_kb.ask("What is levothyroxine used for and when is levothyroxine contraindicated?")
    check(sample_kb, answer)
    assert "hypothyroidism" in answer.answer
    assert "adrenal insufficiency" in answer.answer


def test_a_part_without_an_answer_is_said(sample_kb: KnowledgeBase) -> None:
    answer = sample_kb.ask("When is levothyroxine contraindicated and who invented metformin?")
    check(sample_kb, answer)
    assert "Not answered: who invented metformin?" in answer.answer
    assert not any("Not answered" in sentence.text for sentence in answer.sentences)
    assert answer.trace["unanswered"] == ["who invented metformin?"]
    assert answer.confidence < sample_kb.ask("When is levothyroxine contraindicated?").confidence


def test_a_literature_answer_keeps_the_denial(sample_kb: KnowledgeBase) -> None:
    answer = sample_kb.ask("Does acetaminophen have anti-inflammatory action?")
    assert any("no anti-inflammatory action" in piece.text for piece in answer.evidence)
    assert all(" ".join(piece.text.split()) in answer.answer for piece in answer.evidence)


def test_a_stopped_drug_that_was_taken_before_is_a_conflict_side_by_side(sample_kb: KnowledgeBase) -> None:
    answer = sample_kb.ask("Is the patient taking warfarin?", patient=PATIENT)
    check(sample_kb, answer, PATIENT)
    assert answer.sentences[0].text == "Warfarin is recorded as stopped."
    assert set(answer.conflicts[0]["sides"]) == {"present", "stopped"}


def test_an_order_is_told_as_an_order(sample_kb: KnowledgeBase) -> None:
    answer = sample_kb.ask("Was the patient given meropenem?", patient="10001217")
    check(sample_kb, answer, "10001217")
    assert "was ordered; an order is not an intake" in answer.answer


def test_sentences_of_general_answers_are_few_and_say_something(sample_kb: KnowledgeBase) -> None:
    for question in ("What is metformin used for?", "When are loop diuretics contraindicated?",
                     "How does heparin work?"):
        answer = sample_kb.ask(question)
        assert 1 <= len(answer.sentences) <= 4
        assert not any(s.text.startswith(("- ", "It ", "(")) or "can be found" in s.text for s in answer.sentences)


@pytest.mark.parametrize("question", [
    "\x1b[31mWhat is\x00 heparin used for?\x07", "What is \ud800heparin used for?",
    'heparin AND "OR (+ - && || ! ( ) { } [ ] ^ " ~ * ? : \\ /', "*:*", "/", "?" * 50, "\u202ewhat", "👩🏽‍⚕️",
    "MATCH (n) DETACH DELETE n", "patient", "Why?", "heparin " * 1250, "x" * 10_000, "What? " * 1500])
def test_odd_questions_are_answered_or_abstained_from(question: str, sample_kb: KnowledgeBase) -> None:
    answer = sample_kb.ask(question, options=())
    check(sample_kb, answer)
    json.dumps(answer.to_dict(), ensure_ascii=False).encode()


@pytest.mark.parametrize(("question", "patient", "code"), [
    ("", None, "GKB-701"), (" \n\t\x00", None, "GKB-701"), ("\ud800", None, "GKB-701"),
    ("What? " * 2000, None, "GKB-705"),
    ("Does the patient have asthma?", "99999999", "GKB-702"), ("Does patient 99999999 have asthma?", None, "GKB-702"),
    ("Does the patient have asthma?", "10015272' OR 1=1", "GKB-702"),
    ("Does the patient have asthma?", "\ud8001", "GKB-702")])
def test_questions_that_cannot_be_asked_have_a_code(question: str, patient: str | None, code: str,
                                                    sample_kb: KnowledgeBase) -> None:
    with pytest.raises(AnswerError) as error:
        sample_kb.ask(question, patient=patient)
    assert error.value.code == code


@pytest.mark.parametrize("options", [["a"] * 30, ["", " ", "\x00"], ["\ud800", "digoxin immune fab"], ["x" * 5000]])
def test_odd_options(options: list[str], sample_kb: KnowledgeBase) -> None:
    answer = sample_kb.ask("Which antidote is given for digoxin toxicity?", options=options)
    check(sample_kb, answer)
    assert answer.choice is None or answer.choice in options


# measured on the test half: see docs/ask.md
LEAST_ANSWERED, LEAST_ABSTAINED = 0.8, 0.9


@pytest.mark.parametrize("half", ["dev", "test"])
def test_questions_are_answered_and_abstained_from(half: str, sample_kb: KnowledgeBase) -> None:
    right: dict[bool, list[bool]] = {True: [], False: []}
    wrong = []
    for line in (ROOT / "tests" / "golden" / f"answers_{half}.jsonl").read_text(encoding="utf-8").splitlines():
        item = json.loads(line)
        answer = ask(sample_kb, item)
        check(sample_kb, answer, item.get("patient"))
        said = any(words.casefold() in answer.answer.casefold() for words in item.get("expect", ()))
        good = answer.abstained if item.get("abstain") else said and not answer.abstained
        right[item.get("abstain", False)].append(good)
        wrong += [] if good else [item["question"]]
    shares = {kind: sum(goods) / len(goods) for kind, goods in right.items()}
    assert shares[True] >= LEAST_ABSTAINED, (shares, wrong)
    assert shares[False] >= LEAST_ANSWERED, (shares, wrong)
