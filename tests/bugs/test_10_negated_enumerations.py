"""Bug 10: every item of a negated list is negated (CogStack/MedCAT issues 230 and 119)."""

from __future__ import annotations

from ingestion.assertion import classify

TEXT = (
    "Patient suffers from diabetes. Denies hypertension, psychosis and glaucoma. "
    "No evidence of pneumonia or effusion. Father had MI. Rule out PE. History of asthma."
)
NAMES = ("diabetes", "hypertension", "psychosis", "glaucoma", "pneumonia", "effusion", "MI", "PE", "asthma")


def test_every_item_of_a_negated_list_is_negated() -> None:
    spans = [(TEXT.index(name), TEXT.index(name) + len(name)) for name in NAMES]
    found = {
        name: (status.assertion, status.experiencer, status.temporality)
        for name, status in zip(NAMES, classify(TEXT, (), None, spans), strict=True)
    }
    absent = ("absent", "patient", "current")
    assert found == {
        "diabetes": ("present", "patient", "current"),
        "hypertension": absent,
        "psychosis": absent,
        "glaucoma": absent,
        "pneumonia": absent,
        "effusion": absent,
        "MI": ("present", "family", "current"),
        "PE": ("possible", "patient", "current"),
        "asthma": ("present", "patient", "historical"),
    }
