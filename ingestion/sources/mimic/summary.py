"""The text of an encounter's record: one line for each fact, in sections, the same for the same rows.

An answer cites a table's row by its line: the facts that come back carry its place in the text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from graphkb.model.facts import words
from graphkb.model.records import Encounter, Fact, Patient, Section

SECTIONS = ("Admission", "Patient", "Diagnoses", "Procedures", "Orders", "Administered", "Laboratory", "Microbiology",
            "Observations", "Care units", "Billing")
_SECTION_OF = {
    "HAS_DIAGNOSIS": "Diagnoses", "HAS_PROCEDURE": "Procedures", "PRESCRIBED": "Orders", "ORDERED": "Orders",
    "ADMINISTERED": "Administered", "HAS_LAB": "Laboratory", "TESTED": "Microbiology", "GREW": "Microbiology",
    "HAS_OBSERVATION": "Observations", "STAYED_IN": "Care units", "BILLED_AS": "Billing",
}
OLDEST = 89
_MORE = (("admission_location", "admitted from"), ("edregtime", "in the emergency department from"),
         ("edouttime", "in the emergency department until"), ("deathtime", "died"), ("insurance", "insurance"),
         ("language", "language"), ("marital_status", "marital status"), ("race", "race"))


def age(patient: Patient, at: str | None = None) -> str:
    """Return the patient's age in words, at a time on the patient's own clock; 91 stands for everybody over 89.

    Examples
    --------
    >>> age(Patient("7", "F", 60, 2180), "2184-02-01"), age(Patient("7", "F", 91, 2180)), age(Patient("7"))
    ('64', 'over 89', '')
    >>> age(Patient("7", "F", 91, 2180), "2180-02-01"), age(Patient("7", "F", 88, 2180), "2183-02-01")
    ('over 89', 'over 89')
    """
    if patient.anchor_age is None:
        return ""
    years = int(at[:4]) - patient.anchor_year if at and patient.anchor_year is not None else 0
    now = patient.anchor_age + years
    return f"over {OLDEST}" if max(now, patient.anchor_age) > OLDEST else str(now)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _about(patient: Patient, encounter: Encounter | None, more: dict[str, str]) -> list[str]:
    old = age(patient, encounter.admitted if encounter else None)
    who = [f"patient {patient.subject_id}", f"gender {patient.gender}" if patient.gender else "",
           f"age {old}" if old else "", f"died {patient.died}" if patient.died else ""]
    lines = [", ".join(part for part in who if part)]
    if encounter is None:
        return lines
    times = [(name, value) for name, value in (("admitted", encounter.admitted), ("discharged", encounter.discharged))
             if value]
    lines.append(f"admission {encounter.hadm_id}: " + ", ".join(
        f"{name} {value.replace('T', ' ')}" for name, value in times) if times else f"admission {encounter.hadm_id}")
    if encounter.type:
        lines.append(f"admission type {encounter.type}")
    lines += [f"{name} {more[column]}" for column, name in _MORE if column in more]
    if encounter.disposition:
        lines.append(f"discharged to {encounter.disposition}")
    return lines


def compose(patient: Patient, encounter: Encounter | None, facts: Iterable[Fact],
            more: dict[str, str]) -> tuple[str, tuple[Section, ...], tuple[Fact, ...]]:
    """Return the text, its sections, and the facts with the place of their line.

    A fact without a name (a discharge in the table of transfers) is a line and no fact.
    """
    lines: dict[str, list[tuple[str, Fact | None]]] = {name: [] for name in SECTIONS}
    first = "Patient" if encounter is None else "Admission"
    lines[first] = [(_one_line(line), None) for line in _about(patient, encounter, more)]
    for fact in facts:
        code = f"{fact.vocabulary}:{fact.code}" if fact.code else ""
        shown = words(fact.kind, fact.name or code, code, fact.properties)
        lines[_SECTION_OF[fact.kind]].append((_one_line(shown), fact if fact.name or code else None))
    return _text([(name, rows) for name, rows in lines.items() if rows])


def _text(parts: Sequence[tuple[str, Sequence[tuple[str, Fact | None]]]]
          ) -> tuple[str, tuple[Section, ...], tuple[Fact, ...]]:
    out: list[str] = []
    at = 0
    sections: list[Section] = []
    placed: list[Fact] = []
    for name, rows in parts:
        head = f"{name}:\n"
        out.append(head)
        at += len(head)
        start = at
        for line, fact in rows:
            if fact is not None:
                placed.append(replace(fact, start=at, end=at + len(line)))
            out.append(f"{line}\n")
            at += len(line) + 1
        sections.append(Section(name, start, at - 1))
        out.append("\n")
        at += 1
    return "".join(out), tuple(sections), tuple(placed)
