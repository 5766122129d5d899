"""The engine's own steps, with parts that say fixed things."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from graphkb import config
from graphkb.answer import Engine
from graphkb.errors import AnswerError
from graphkb.model import Answer, Evidence, Query

TEXT = "Metformin is used to treat diabetes. Leprosy is an old infection of the skin. Metformin spares no kidney."


class Store:
    """One chunk, `TEXT`; ``gone`` takes it away between retrieval and the check."""

    gone = False

    def read(self, name: str, **params: Any) -> list[dict[str, Any]]:
        if name == "list_chunk_evidence" and not self.gone:
            return [{"key": "c", "document": "d1", "start": 0, "end": len(TEXT), "text": TEXT}]
        if name == "list_patients_by_key":
            return []
        return []


class Retriever:
    def __init__(self, pieces: Sequence[Evidence]) -> None:
        self.pieces = pieces
        self.asked: list[Query] = []

    def retrieve(self, query: Query) -> list[Evidence]:
        self.asked.append(query)
        return list(self.pieces)


class Index:
    """Every term that stands in `TEXT` is equally rare; what does not is unknown."""

    def rarity(self, wanted: Sequence[str], where: Any) -> dict[str, float]:
        return {term: 3.0 if re.search(rf"\b{re.escape(term)}", TEXT, re.IGNORECASE) else 6.0 for term in wanted}


class Lexicons:
    def __init__(self, lexicon: Any) -> None:
        self.lexicon = lexicon

    def get(self, scope: str) -> Any:
        return self.lexicon


@pytest.fixture
def engine(lexicon: Any, encoder: Any, piece: Any) -> Engine:
    parts: Any = (Store(), Index(), Retriever([piece(TEXT, id="c", concepts=("C1",))]), encoder, Lexicons(lexicon))
    return Engine(*parts, config.load(environ={}))


def ask(engine: Engine, question: str, **more: Any) -> Answer:
    return engine.answer(Query(question, ("public", "local"), **more))


def test_an_answer_has_numbered_evidence_that_was_read_again(engine: Engine) -> None:
    answer = ask(engine, "What is metformin used for?")
    assert answer.answer == "Metformin is used to treat diabetes."
    assert [(s.text, s.evidence, s.supported) for s in answer.sentences] == [(answer.answer, (1,), True)]
    assert answer.evidence[0].text == answer.answer
    assert answer.usage.keys() == {"ms"}


def test_evidence_that_is_gone_by_then_is_struck(engine: Engine) -> None:
    engine._store.gone = True  # type: ignore[attr-defined]
    answer = ask(engine, "What is metformin used for?")
    assert answer.abstained
    assert answer.answer == "The evidence did not pass the check."
    assert answer.trace["struck"] == ["evidence is not in the store any more"]


def test_what_no_text_speaks_of_is_said_to_be_missing(engine: Engine) -> None:
    answer = ask(engine, "What is the price of metformin?")
    assert (answer.abstained, answer.confidence, answer.sentences, answer.evidence) == (True, 0.0, [], [])
    assert answer.answer == "There is not enough evidence for an answer: nothing that was found speaks of price."


def test_a_part_without_an_answer_is_named_and_lowers_confidence(engine: Engine) -> None:
    answer = ask(engine, "What is metformin used for and what is the price of metformin?")
    assert [s.text for s in answer.sentences] == ["Metformin is used to treat diabetes."]
    assert answer.answer.startswith(
        "Metformin is used to treat diabetes. Not answered: what is the price of metformin?")
    assert answer.trace["unanswered"] == ["what is the price of metformin?"]
    assert answer.confidence == pytest.approx(ask(engine, "What is metformin used for").confidence / 2, abs=0.001)


def test_a_question_without_a_patient_reads_no_patients_text(engine: Engine) -> None:
    ask(engine, "Which infection is old?")
    retriever: Any = engine._retriever
    assert [query.patient for query in retriever.asked] == [""]
    answer = ask(engine, "Does the patient have diabetes?")
    assert answer.abstained
    assert "name one with --patient" in answer.answer
    assert len(retriever.asked) == 1


@pytest.mark.parametrize(("text", "patient"), [
    ("Does patient 99999999 have asthma?", "1234"), ("Does patient 12345 have what patient 54321 has?", None)])
def test_a_question_about_two_patients_is_answered_from_neither(
        engine: Engine, monkeypatch: pytest.MonkeyPatch, text: str, patient: str | None) -> None:
    monkeypatch.setattr("graphkb.answer.engine.has_patient", lambda *_: True)
    answer = ask(engine, text, patient=patient)
    assert answer.abstained
    assert "more than one patient" in answer.answer
    assert not answer.evidence


def test_coded_errors(engine: Engine) -> None:
    for question, patient, code in ((" ", None, "GKB-701"), ("Is he well?", "1234", "GKB-702"),
                                    ("Does patient 12345 have asthma?", None, "GKB-702")):
        with pytest.raises(AnswerError) as error:
            ask(engine, question, patient=patient)
        assert error.value.code == code


def test_options_are_chosen_with_their_sentence(engine: Engine) -> None:
    answer = ask(engine, "What is used to treat diabetes?", options=("Leprosy", "Metformin"))
    assert answer.choice == "Metformin"
    assert answer.to_dict()["choice"] == "Metformin"
    assert answer.sentences[0].text == "Metformin is used to treat diabetes."
    assert replace(answer.evidence[0], score=0, why="").location == {"start": 0, "end": 36}
