"""Assertion status: golden sentences, scopes, and a bound on time."""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingestion import sections
from ingestion.assertion import Status, classify
from ingestion.assertion.rules import expand, find, load, tokens

GOLDEN = Path(__file__).parents[2] / "golden"
AXES = ("assertion", "experiencer", "temporality")


def status(marked: str) -> Status:
    """Classify the one name in [brackets]."""
    start, end = marked.index("["), marked.index("]") - 1
    text = marked.replace("[", "").replace("]", "")
    return classify(text, sections.split(text), None, [(start, end)])[0]


def golden(part: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in (GOLDEN / f"assertion_{part}.jsonl").read_text(encoding="utf-8").splitlines()]


def balanced(rows: list[dict[str, object]], axis: str) -> float:
    """Mean over the axis' values of the share of rows with that value that come out with it."""
    right: Counter[object] = Counter()
    total: Counter[object] = Counter()
    for row in rows:
        text = str(row["text"])
        got = classify(text, sections.split(text), None, [(int(str(row["start"])), int(str(row["end"])))])[0]
        total[row[axis]] += 1
        right[row[axis]] += getattr(got, axis) == row[axis]
    return sum(right[value] / total[value] for value in total) / len(total)


@pytest.mark.parametrize("part", ["dev", "test"])
def test_golden_sentences(part: str) -> None:
    rows = golden(part)
    assert len(rows) >= 150
    assert sum(bool(row["odd"]) for row in rows) >= 0.3 * len(rows)
    assert all(str(row["text"])[int(str(row["start"])) : int(str(row["end"]))] == row["span"] for row in rows)
    figures = {axis: balanced(rows, axis) for axis in AXES}
    assert min(figures.values()) >= 0.97, figures


def test_the_parts_share_no_sentence() -> None:
    assert not {row["text"] for row in golden("dev")} & {row["text"] for row in golden("test")}


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("His mother has asthma, and he has [eczema].", Status()),
        ("Patient has not been compliant with [lisinopril].", Status()),
        ("The patient does not take [aspirin] because of bleeding.", Status("absent")),
        ("The patient does not take aspirin because of [bleeding].", Status()),
        ("We will stop metformin and start [insulin].", Status()),
        ("Given concern for GI bleed, [aspirin] was held.", Status(temporality="stopped")),
        ("CT head negative for bleed, positive for [sinusitis].", Status()),
        ("Family History: No history of [colon cancer].", Status("absent", "family")),
        ("Past Medical History: HTN, no [diabetes]", Status("absent")),
        ("Aspirin to reduce risk of [stroke].", Status("hypothetical")),
        ("She has known cirrhosis without ascites or [encephalopathy].", Status("absent")),
        ("Allergies: No known allergies to [latex]", Status("absent", allergy=True)),
        ("Rule out for [MI] was negative.", Status("absent")),
        ("PE, [dvt], which were ruled out", Status("absent")),
    ],
)
def test_scopes(marked: str, expected: Status) -> None:
    assert status(marked) == expected


def test_a_cue_inside_the_name_itself_says_nothing_about_it() -> None:
    title = "Family history of malignant neoplasm of breast"
    text = f"Discharge Diagnosis:\n{title}"
    at = text.index(title)
    whole, inner = classify(text, sections.split(text), None, [(at, len(text)), (text.index("malignant"), len(text))])
    assert whole == Status()
    assert inner.experiencer == "family"


def test_heading_words_are_no_cues() -> None:
    assert status("History of Present Illness: [headache] since Monday.") == Status()
    assert status("Plan: [lisinopril] daily") == Status()


def test_cues_do_not_cross_sentences() -> None:
    assert status("Denies fever. [Cough] for a week.") == Status()
    assert status("No fever\n- [cough]") == Status()


def test_order_of_the_answer_is_that_of_the_question() -> None:
    text = "No fever. Has cough."
    got = [status.assertion for status in classify(text, (), None, [(14, 19), (3, 8), (14, 19)])]
    assert got == ["present", "absent", "present"]


def test_phrases_with_choices() -> None:
    assert expand("a (b|c (d|)) e") == ("a b e", "a c d e", "a c  e")
    assert expand("( x )") == ("( x )",)
    words = tokens("No history of MI", 0, 16)
    assert [(hit.first, hit.end) for hit in find(words)] == [(0, 3)]


def test_every_rule_is_read() -> None:
    kinds: set[str] = set()
    nodes = [load().root]
    while nodes:
        node = nodes.pop()
        kinds.update(cue.kind for cue in node.cues)
        nodes.extend(node.children.values())
    assert {"absent", "possible", "conditional", "hypothetical", "allergy", "family", "other", "historical", "planned",
            "stopped", "present", "skip", "hard", "turn", "now", "aside", "patient", "main"} == kinds


@given(st.text(max_size=120), st.lists(st.tuples(st.integers(0, 119), st.integers(1, 9)), max_size=4))
@settings(max_examples=150, deadline=None)
def test_any_text_and_span_gets_a_status(text: str, places: list[tuple[int, int]]) -> None:
    spans = [(start, min(start + length, len(text))) for start, length in places if start < len(text)]
    assert len(classify(text, sections.split(text), None, spans)) == len(spans)


def test_time_grows_with_the_text_not_with_its_square() -> None:
    def seconds(repeats: int) -> float:
        text = "no pain, cough and fever or chills vs " * repeats
        spans = [(i, i + 4) for i in range(3, len(text) - 5, 38)]
        began = time.process_time()
        classify(text, (), [(0, len(text))], spans)
        return time.process_time() - began

    seconds(10)
    assert seconds(2000) < 8 * max(seconds(500), 0.05)


def test_a_dash_that_begins_a_list_item_is_no_cue() -> None:
    text = "- STOP warfarin."
    assert classify(text, (), None, [(7, 15)])[0].temporality == "stopped"


def test_a_denial_that_reaches_into_a_name_counts_for_the_name() -> None:
    assert classify("No family history of stroke.", (), None, [(3, 27)])[0].assertion == "absent"
    assert classify("Family history of stroke.", (), None, [(0, 24)])[0].assertion == "present"
