"""Statements by trigger rules."""

from __future__ import annotations

import re
import time

import pytest

from graphkb import ids
from graphkb.model.graph import Chunk, Link, Mention, Statement
from graphkb.model.predicates import STATEMENT_PREDICATES
from ingestion import relation_rules, sentences
from ingestion.assertion import classify
from ingestion.statements import find_statements, group_of

TYPES = {"C": "T121", "D": "T047", "P": "T060", "drug": "drug"}
_MARK = re.compile(r"\[(\w+):([^\]|]+)(?:\|([^\]]+))?\]")


def read(marked: str, *, patient: str = "", cut: int = 0, **more: dict[str, str]) -> list[Statement]:
    """Find statements in a text with names as ``[C:lithium]`` (type, words) or ``[C:Li|K1,K2]`` (with its concepts)."""
    text, spans, at = "", [], 0
    for match in _MARK.finditer(marked):
        text += marked[at : match.start()]
        concepts = (match[3] or match[2].casefold()).split(",")
        spans.append((len(text), len(text) + len(match[2]), TYPES[match[1]], concepts))
        text += match[2]
        at = match.end()
    text += marked[at:]
    bounds = sentences.split(text)
    chunks = [Chunk("c1", "d", 0, cut or len(text), 0, text[: cut or None])]
    if cut:
        chunks.append(Chunk("c2", "d", cut, len(text), 1, text[cut:]))
    states = classify(text, (), bounds, [(s[0], s[1]) for s in spans])
    mentions = [
        Mention(f"m{i}", "c1" if not cut or start < cut else "c2", text[start:end].casefold(),
                "allergy" if state.allergy else type_, ((start, end),), state.assertion, state.experiencer,
                state.temporality, links=tuple(Link(c, 1 / len(concepts), "t") for c in concepts))
        for i, ((start, end, type_, concepts), state) in enumerate(zip(spans, states, strict=True))
    ]
    found = find_statements(text, bounds, mentions, chunks, scope="public", patient=patient, **more)
    ends = {chunk.key: (chunk.start, chunk.end) for chunk in chunks}
    for statement in found:
        for evidence in statement.evidence:
            low, high = ends[evidence.chunk]
            assert low <= evidence.start < evidence.end <= high
            assert 0 < evidence.certainty <= 1
    return found


def words(marked: str) -> list[str]:
    return [statement.text for statement in read(marked)]


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("[C:Lithium]-induced [D:diabetes insipidus].", "Lithium causes diabetes insipidus"),
        ("[C:Lithium] (Li)-induced severe [D:diabetes insipidus].", "Lithium causes diabetes insipidus"),
        ("[D:Angioedema] was caused by [C:lisinopril].", "lisinopril causes Angioedema"),
        ("[D:Bleeding] due to high-dose [C:warfarin]", "warfarin causes Bleeding"),
        ("[C:Amiodarone] can cause [D:hypothyroidism].", "Amiodarone causes hypothyroidism"),
        ("[C:Warfarin] increases the risk of [D:bleeding].", "Warfarin causes bleeding"),
        ("[D:Cough] is a common side effect of [C:lisinopril].", "lisinopril causes Cough"),
        ("[D:Stroke] associated with [C:cocaine] use.", "cocaine is associated with Stroke"),
        ("[C:Metformin] treats [D:diabetes].", "Metformin treats diabetes"),
        ("[D:Pneumonia] was treated with [C:ceftriaxone].", "ceftriaxone treats Pneumonia"),
        ("She takes [C:lisinopril] 10 mg daily for [D:hypertension].", "lisinopril treats hypertension"),
        ("[C:Metformin] is used for the treatment of [D:diabetes].", "Metformin treats diabetes"),
        ("Treatment of severe [D:hypertension] with [C:labetalol]", "labetalol treats hypertension"),
        ("[C:Aspirin] prevents [D:stroke].", "Aspirin prevents stroke"),
        ("[C:Metformin] is contraindicated in patients with [D:renal failure].",
         "Metformin is contraindicated in renal failure"),
        ("[C:Propranolol] should not be used in [D:asthma].", "Propranolol is contraindicated in asthma"),
        ("[D:Asthma] is a contraindication to [C:propranolol].", "propranolol is contraindicated in Asthma"),
        ("[C:Warfarin] interacts with [C:amiodarone].", "Warfarin interacts with amiodarone"),
        ("The interaction between [C:warfarin] and [C:amiodarone] is known.", "warfarin interacts with amiodarone"),
        ("[D:Pneumonia] was diagnosed by [P:chest x-ray].", "chest x-ray diagnoses Pneumonia"),
        ("[D:Gout] is characterized by [D:joint swelling].", "Gout presents with joint swelling"),
        ("[D:Anemia] secondary to [D:renal failure].", "renal failure causes Anemia"),
        ("[drug:aspirin] relieves [D:headache]", "aspirin treats headache"),
    ],
)
def test_the_right_way_round(marked: str, expected: str) -> None:
    assert words(marked) == [expected]


def test_lists() -> None:
    drugs, diseases = ("Aspirin", "ibuprofen", "naproxen"), ("ulcers", "bleeding")
    assert words("[C:Aspirin], [C:ibuprofen] and [C:naproxen] cause [D:ulcers] and [D:bleeding].") == [
        f"{drug} causes {disease}" for drug in drugs for disease in diseases
    ]
    assert words("[C:A]-induced [D:x] and [C:B]-induced [D:y]") == ["A causes x", "B causes y"]


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("[C:Aspirin] does not cause [D:diabetes].", "Aspirin does not cause diabetes"),
        ("[D:Autism] is not caused by [C:vaccine].", "vaccine does not cause Autism"),
        ("[C:Metformin] is not contraindicated in [D:gout].", "Metformin is not contraindicated in gout"),
    ],
)
def test_denied(marked: str, expected: str) -> None:
    (statement,) = read(marked)
    assert (statement.text, statement.polarity) == (expected, "negated")


@pytest.mark.parametrize(
    "marked",
    [
        "We studied whether [C:aspirin] causes [D:asthma].",
        "If [C:aspirin] causes [D:bleeding], stop it.",
        "No [D:pneumonia] treated with [C:ceftriaxone]?",
        "Possible [D:angioedema] due to [C:lisinopril].",
        "Her mother had [D:angioedema] due to [C:lisinopril].",
        "[D:Psychosis] caused by the [C:dopamine] antagonist drug.",
        "[D:Hypertension]. [C:Lisinopril] was given.",
        "[C:Cold|K1,K2]-induced [D:asthma]",
        "Allergic to [C:penicillin], which causes [D:rash]",
        "[D:Headache] after [D:lunch]",
        "[D:Neuritis] resolved after [C:tacrolimus].",
    ],
)
def test_no_statement(marked: str) -> None:
    assert [s for s in read(marked) if s.polarity == "affirmed"] == []


def test_keys_patient_and_evidence() -> None:
    text = "[D:UTI|C0042029] treated with [C:cipro|C0008809]. Later [D:UTI|C0042029] treated with [C:cipro|C0008809]."
    names = {"C0042029": "urinary tract infection", "C0008809": "ciprofloxacin"}
    (statement,) = read(text, patient="pat:1", names=names)
    assert statement.key == ids.statement("C0008809", "treats", "C0042029", "affirmed", "public", "pat:1")
    assert (statement.subject, statement.predicate, statement.object) == ("C0008809", "treats", "C0042029")
    assert (statement.patient, statement.text) == ("pat:1", "ciprofloxacin treats urinary tract infection")
    assert [(e.start, e.end, e.chunk, e.method) for e in statement.evidence] == [
        (0, 23, "c1", "trigger:y treated with x"), (24, 53, "c1", "trigger:y treated with x")
    ]


def test_an_end_has_one_clear_meaning() -> None:
    def ends(*scores: float) -> list[str]:
        links = tuple(Link(f"K{i}", score, "t") for i, score in enumerate(scores))
        text = "Cold-induced asthma"
        mentions = [
            Mention("m1", "c", "cold", "T121", ((0, 4),), links=links),
            Mention("m2", "c", "asthma", "T047", ((13, 19),), links=(Link("A", 1.0, "t"),)),
        ]
        chunks = [Chunk("c", "d", 0, len(text), 0, text)]
        return [s.subject for s in find_statements(text, [(0, len(text))], mentions, chunks, scope="public")]

    assert ends(0.7, 0.3) == ["K0"]
    assert ends(0.3, 0.6) == ["K1"]
    assert ends(0.5, 0.4) == []
    assert ends() == []
    assert words("[C:Lithium]-induced [D:toxicity]") == []


def test_evidence_stays_in_one_chunk() -> None:
    marked = "[C:Lithium]-induced [D:tremor] was seen and the drug was then stopped."
    (statement,) = read(marked, cut=40)
    assert (statement.evidence[0].start, statement.evidence[0].end) == (0, 40)
    assert read(marked, cut=10) == []


def test_groups_of_types() -> None:
    assert [group_of(t) for t in ("T047", "T121", "T060", "drug", "T050", "allergy", "")] == [
        "DISO", "CHEM", "PROC", "CHEM", "", "", ""
    ]


def test_rules_are_whole() -> None:
    rules = [rule for rules in relation_rules.load().values() for rule in rules]
    assert len({rule.name for rule in rules}) == len(rules)
    assert {rule.predicate for rule in rules} <= set(STATEMENT_PREDICATES)
    assert all("{" not in re.sub(r"\{\d+,?\d*\}", "", rule.between.pattern) for rule in rules)


def test_long_sentences_take_linear_time() -> None:
    def seconds(text: str) -> float:
        began = time.process_time()
        assert len(read(text)) <= 1
        return time.process_time() - began

    assert seconds("[C:a] and [D:b], " * 1500) < 10
    assert seconds("[C:a] causes [D:b], " * 1000) < 10
    assert seconds("[C:a] " + "word " * 5000 + "[D:b]") < 1
