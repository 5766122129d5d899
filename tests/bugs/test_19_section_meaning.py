"""Bug 19: a section's heading says what its names mean (amida-tech/DRE issue 307, aphp/edsnlp issue 323)."""

from __future__ import annotations

import pytest

from ingestion import sections
from ingestion.assertion import Status, classify

LINES = (
    "Allergies: Penicillins",
    "Family History: Mother - breast cancer",
    "Medications on Admission: warfarin",
    "Discharge Medications: apixaban 5 mg; STOP warfarin",
)


@pytest.mark.parametrize("between", ["\n", "\n \n", "\r\n"])
@pytest.mark.parametrize("after_heading", [" ", "\n", " \n"])
def test_sections_keep_their_meaning(between: str, after_heading: str) -> None:
    text = between.join(line.replace(": ", ":" + after_heading, 1) for line in LINES)
    names = ("Penicillins", "breast cancer", "warfarin", "apixaban", "STOP warfarin")
    starts = [text.index(name) + (5 if name.startswith("STOP") else 0) for name in names]
    spans = [(start, start + len(name.removeprefix("STOP "))) for start, name in zip(starts, names, strict=True)]

    allergen, cancer, before, apixaban, stopped = classify(text, sections.split(text), None, spans)

    assert allergen == Status("conditional", allergy=True)
    assert cancer == Status("present", "family")
    assert before == Status("present", temporality="historical")
    assert apixaban == Status("present", "patient", "current")
    assert stopped == Status("present", temporality="stopped")
    # What counts as taken now is present, the patient's, current and no allergen: apixaban only.
    states = (allergen, cancer, before, apixaban, stopped)
    assert [state for state in states if state == Status()] == [apixaban]
