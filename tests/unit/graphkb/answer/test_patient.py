from __future__ import annotations

from typing import Any

import pytest

from graphkb import ids
from graphkb.answer import question as asking
from graphkb.answer.patient import PatientRecord, _natural
from graphkb.model import Link

NOTE = ("No evidence of pneumonia. Mother had leprosy. Possible diabetes. STOP metformin. Known diabetes type 2. "
        "If sepsis occurs, call. Asthma in childhood. ")
SUBJECT, SCOPE = "10000001", "local"


class Record:
    """One patient with one note and one table, as the named queries return them."""

    def __init__(self, mentions: list[tuple[str, str, str, str, str]], diagnoses: list[tuple[str, str]] = (),
                 orders: list[tuple[str, str]] = ()) -> None:
        self.mentions, self.diagnoses, self.orders = mentions, diagnoses, orders

    def read(self, name: str, **params: Any) -> list[dict[str, Any]]:
        if name in ("list_mentions_of_patients", "list_patient_chunks", "list_facts_of_encounters"):
            assert params["patients"] == [ids.patient(SUBJECT, scope) for scope in params["scopes"]]
        return list(getattr(self, f"_{name}", lambda **_: [])(**params))

    def _list_mentions_of_patients(self, **_: Any) -> list[dict[str, Any]]:
        rows = []
        for surface, concept, assertion, experiencer, temporality in self.mentions:
            at = NOTE.lower().index(surface)
            rows.append({"key": f"m{at}", "name": surface, "type": "T047", "assertion": assertion,
                         "experiencer": experiencer, "temporality": temporality, "spans": [at, at + len(surface)],
                         "context": "", "chunk": "c1", "section": "Assessment", "document": "d1", "title": "N-1",
                         "scope": SCOPE, "hadm_id": "",
                         "concepts": [{"key": key, "name": surface, "score": 1.0} for key in concept.split("|")]})
        return rows

    def _list_chunk_evidence(self, keys: list[str], scopes: list[str], as_of: str) -> list[dict[str, Any]]:
        return [{"key": "c1", "text": NOTE, "start": 0, "end": len(NOTE), "tier": "user", "scope": SCOPE,
                 "document": "d1", "title": "N-1", "section": "Assessment", "patient": SUBJECT, "published": None,
                 "effective_from": None, "concepts": []}] if "c1" in keys and SCOPE in scopes else []

    def _list_facts_of_encounters(self, **params: Any) -> list[dict[str, Any]]:
        rows = [("HAS_DIAGNOSIS", *row) for row in self.diagnoses] + [("PRESCRIBED", *row) for row in self.orders]
        return [{"key": f"f{n}", "kind": kind, "hadm_id": "20000001", "admitted": "2150-01-01", "discharged": "",
                 "name": name, "concept": concept, "scope": SCOPE,
                 "properties": {"document": "d0", "name": name, "seq_num": n}}
                for n, (kind, name, concept) in enumerate(rows) if kind in params["kinds"]]


def ask(record: Record, text: str, lexicon: Any) -> Any:
    store: Any = record
    return PatientRecord(store, SUBJECT, ("public", SCOPE), lexicon).answer(asking.part(text, lexicon, patient=True))


DIABETES = ("diabetes type 2", "C2", "present", "patient", "current")


@pytest.mark.parametrize(("mention", "said"), [
    (("pneumonia", "C9", "absent", "patient", "current"), "No: pneumonia is recorded as absent."),
    (("leprosy", "C9", "present", "family", "current"), "Not of the patient: pneumonia is recorded for somebody else"),
    (("possible diabetes", "C9", "possible", "patient", "current"), "is recorded as possible, not as confirmed."),
    (("metformin", "C9", "present", "patient", "stopped"), "is recorded as stopped."),
    (("sepsis", "C9", "hypothetical", "patient", "current"), "named only as something that could happen."),
    (("sepsis", "C9", "conditional", "patient", "current"), "named only as something that could happen."),
    (("asthma", "C9", "present", "patient", "historical"), "is recorded as history."),
    (("diabetes type 2", "C9", *DIABETES[2:]), "Yes: pneumonia is recorded as present.")])
def test_a_finding_is_told_in_its_state_with_its_sentence(mention: Any, said: str, lexicon: Any) -> None:
    lexicon.names["pneumonia"] = (Link("C9", 1.0, "exact"),)
    found = ask(Record([mention]), "Does the patient have pneumonia?", lexicon)
    first, quote = found.drafts
    assert said in first.text
    assert first.text.startswith("Yes:") == (mention[2:] == DIABETES[2:])
    assert quote.form == "verbatim"
    assert mention[0] in quote.text.lower()


def test_stopped_comes_first_and_stands_beside_present_as_a_conflict(lexicon: Any) -> None:
    record = Record([("metformin", "C1", "present", "patient", "stopped"),
                     ("known diabetes", "C1", "present", "patient", "current")])
    found = ask(record, "Is the patient taking metformin?", lexicon)
    assert found.drafts[0].text == "Metformin is recorded as stopped."
    assert not any(draft.text.startswith("Yes:") for draft in found.drafts)
    assert found.conflicts[0]["what"] == "metformin is recorded as present and as stopped"
    assert set(found.conflicts[0]["sides"]) == {"present", "stopped"}


def test_present_and_absent_are_a_conflict(lexicon: Any) -> None:
    record = Record([("pneumonia", "C2", "absent", "patient", "current"), DIABETES])
    found = ask(record, "Does the patient have diabetes?", lexicon)
    assert found.drafts[0].text == "Yes: diabetes is recorded as present."
    assert set(found.conflicts[0]["sides"]) == {"present", "absent"}


def test_an_order_is_no_intake(lexicon: Any) -> None:
    found = ask(Record([], orders=[("Metformin", "C1")]), "Is the patient taking metformin?", lexicon)
    assert [draft.text for draft in found.drafts] == ["Metformin was ordered; an order is not an intake."]


def test_coded_titles_of_family_history_are_not_the_patients(lexicon: Any) -> None:
    record = Record([], diagnoses=[("Family history of diabetes", "C2")])
    found = ask(record, "Does the patient have diabetes?", lexicon)
    assert found.drafts[0].text.startswith("Not of the patient:")


def test_what_the_record_does_not_name_is_missing(lexicon: Any) -> None:
    found = ask(Record([DIABETES]), "Does the patient have leprosy?", lexicon)
    assert found.drafts == []
    assert found.missing == "The record does not mention leprosy."


def test_diagnoses_by_admission_and_family_by_relative(lexicon: Any) -> None:
    record = Record([("leprosy", "C3", "present", "family", "current")], diagnoses=[("Diabetes", "C2"), ("Gout", "C8")])
    [draft] = ask(record, "Which diagnoses does the patient have?", lexicon).drafts
    assert draft.text == "Admission 20000001 (2150-01-01): Diabetes; Gout."
    assert [d.text for d in ask(record, "Who in the family had leprosy?", lexicon).drafts] == ["Mother had leprosy."]
    nobody = ask(record, "Who in the family had diabetes?", lexicon)
    assert (nobody.drafts, nobody.missing) == ([], "The record names no relative with diabetes.")


def test_other_kinds_are_left_to_text(lexicon: Any) -> None:
    assert ask(Record([]), "Where does the patient live?", lexicon) is None
    assert ask(Record([]), "Does the patient swim?", lexicon) is None


def test_a_denial_stands_beside_an_order(lexicon: Any) -> None:
    record = Record([("diabetes", "C9", "absent", "patient", "current")])
    record.orders = [("metformin", "C9")]
    lexicon.names["metformin"] = (Link("C9", 1.0, "exact"),)
    said = [draft.text for draft in ask(record, "Does the patient take metformin?", lexicon).drafts]
    assert any(text.startswith("No:") for text in said)
    assert any("was ordered" in text for text in said)


def test_two_mentions_of_one_sentence_keep_their_states(lexicon: Any) -> None:
    lexicon.names["pneumonia"] = (Link("C9", 1.0, "exact"),)
    record = Record([("pneumonia", "C9", "absent", "patient", "current"), ("no evidence", "C9", *DIABETES[2:])])
    found = ask(record, "Does the patient have pneumonia?", lexicon)
    pieces = {piece.id: piece.assertion["assertion"] for draft in found.drafts for piece in draft.evidence}
    conflict = {state: sides[0]["id"] for state, sides in found.conflicts[0]["sides"].items()}
    assert set(pieces.values()) <= {"present", "absent"}
    assert conflict["present"] != conflict["absent"]


def test_a_name_with_several_meanings_is_no_yes(lexicon: Any) -> None:
    lexicon.names["pneumonia"] = (Link("C9", 1.0, "exact"),)
    found = ask(Record([("sepsis", "C8|C9", *DIABETES[2:])]), "Does the patient have pneumonia?", lexicon)
    assert found.drafts[0].text == "Pneumonia may be meant, by a name with several meanings."


def test_notes_are_newest_first_by_number() -> None:
    titles = ["10000001-DS-9", "10000001-DS-21", "10000001-DS-2"]
    assert sorted(titles, key=_natural, reverse=True) == ["10000001-DS-21", "10000001-DS-9", "10000001-DS-2"]
