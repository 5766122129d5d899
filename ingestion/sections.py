"""Sections of clinical notes: where each heading's text starts and ends, and what the heading means.

Headings are a closed list: those of MIMIC-IV discharge summaries and radiology reports, and what clinicians commonly
write instead of them.
A heading counts where a line starts with it, followed by a colon or alone on the line, and after the end of a
sentence on the same line where it is followed by a colon ("Walks well. PMH: HTN").
"""

from __future__ import annotations

import re

from graphkb.model.records import Section

# role -> headings, folded. Order within a role does not matter.
HEADINGS: dict[str, tuple[str, ...]] = {
    "allergies": (
        "allergies", "allergy", "allergies/adrs", "drug allergies", "medication allergies", "known allergies",
        "allergies and adverse reactions", "allergies/adverse reactions", "adverse reactions", "all/adr",
        "allergies to medications",
    ),
    "family_history": ("family history", "family hx", "family medical history", "fh", "fhx", "famhx", "fam hx"),
    "past_history": (
        "past medical history", "medical history", "past history", "past medical/surgical history",
        "past medical and surgical history", "past medical history/past surgical history", "past surgical history",
        "surgical history", "past psychiatric history", "psychiatric history", "past oncologic history",
        "oncologic history", "past cardiac history", "past obstetric history", "ob history", "pmh", "pmhx", "pmh/psh",
        "psh", "pshx", "psychhx", "past med hx", "medical hx", "hx",
    ),
    "social_history": ("social history", "social hx", "sh", "shx", "sochx", "soc hx"),
    "medications_admission": (
        "medications on admission", "admission medications", "meds on admission", "home medications", "home meds",
        "medications prior to admission", "preadmission medications", "outpatient medications", "medications at home",
        "medications on transfer", "prior medications",
    ),
    "medications_discharge": (
        "discharge medications", "medications on discharge", "discharge meds", "meds on discharge",
        "medications at discharge",
    ),
    "medications": ("medications", "current medications", "meds", "current meds", "medication list", "inpatient meds"),
    "plan": (
        "plan", "assessment and plan", "assessment/plan", "assessment & plan", "a/p", "a&p", "ap", "plan of care",
        "recommendations", "recommendation", "recommendation(s)", "recs", "transitional issues", "treatment plan",
    ),
    "diagnosis": (
        "discharge diagnosis", "discharge diagnoses", "final diagnosis", "final diagnoses", "diagnosis", "diagnoses",
        "admission diagnosis", "admitting diagnosis", "primary diagnosis", "secondary diagnosis", "secondary diagnoses",
        "assessment", "impression", "active problems", "problem list", "problems", "active issues", "dx",
    ),
    "procedures": (
        "major surgical or invasive procedure", "major surgical or invasive procedures", "procedures", "procedure",
        "procedures performed", "operations", "operation performed", "procedure performed",
    ),
    "results": (
        "pertinent results", "results", "labs", "laboratory data", "laboratory results", "lab results", "imaging",
        "microbiology", "studies", "findings", "data", "radiology", "labs/studies", "diagnostic studies", "ekg", "ecg",
        "pathology", "admission labs", "discharge labs", "wet read", "findings and impression", "preliminary report",
        "preliminary findings",
    ),
    "exam": (
        "physical exam", "physical examination", "exam", "examination", "pe on admission", "admission exam",
        "admission physical exam", "discharge exam", "discharge physical exam", "objective", "vitals", "vital signs",
        "mental status exam",
    ),
    "hospital_course": (
        "brief hospital course", "hospital course", "clinical course", "course in the hospital", "ed course",
        "concise summary of hospital course", "summary of hospital course", "brief course",
    ),
    "instructions": (
        "discharge instructions", "followup instructions", "follow-up instructions", "follow up instructions",
        "patient instructions", "instructions", "followup", "follow-up", "follow up", "instructions to patient",
    ),
    "chief_complaint": (
        "chief complaint", "cc", "reason for admission", "reason for visit", "presenting complaint", "complaint",
        "indication", "indications", "reason for consultation", "reason for consult", "reason for exam",
        "reason for this examination", "clinical indication", "clinical information", "underlying medical condition",
    ),
    "present_illness": (
        "history of present illness", "hpi", "present illness", "history of the present illness", "interval history",
        "subjective", "review of systems", "ros", "clinical history", "history of presenting complaint", "history",
    ),
    "other": (
        "discharge disposition", "discharge condition", "condition on discharge", "facility", "code status",
        "immunizations", "comparison", "comparisons", "technique", "notification", "dose", "contrast", "study",
        "type of examination", "operators", "anesthesia", "fluoroscopy time and dose", "addendum", "final report",
    ),
}
# Sections whose parts have headings of their own; a heading of the same role does not end them.
WITH_PARTS = ("pertinent results", "results", "discharge diagnosis", "discharge diagnoses", "physical exam")
# Fields of the note's head: they end the section before them and start none.
FIELDS = ("name", "unit no", "admission date", "discharge date", "date of birth", "sex", "service", "attending")

_ROLE_OF = {heading: role for role, headings in HEADINGS.items() for heading in headings}


def _pattern() -> re.Pattern[str]:
    words = sorted([*_ROLE_OF, *FIELDS], key=lambda w: (-len(w), w))
    name = "|".join(re.escape(word).replace(r"\ ", r"[ \t]+") for word in words)
    lead = r"(?:^[ \t]*(?:[#*=>-]{1,4}[ \t]*|\d{1,2}[.)][ \t]*)?|(?:(?<=[.;][ \t])|(?<=[ \t][ \t]))(?-i:(?=[A-Z])))"
    aside = r"(?:[ \t]*\([^()\n]{0,40}\))?"
    alone = r"(?<![.;][ \t])[ \t]*(?:\*{1,2}|=+)?[ \t]*$"
    return re.compile(rf"{lead}(?P<name>{name})(?P<aside>{aside})(?:[ \t]*\*{{0,2}}:\*{{0,2}}|(?P<alone>{alone}))",
                      re.IGNORECASE | re.MULTILINE)


_HEADING = _pattern()


def _folded(name: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"\([^)]*\)", "", name)).strip(" \t\n:*#=-").casefold()


def role(name: str) -> str:
    """Return what a heading means, ``other`` where it has no clinical role.

    Examples
    --------
    >>> role("PMH:"), role("Discharge Medications"), role("Methods"), role("Results")
    ('past_history', 'medications_discharge', 'other', 'results')
    """
    return _ROLE_OF.get(_folded(name), "other")


def split(text: str) -> tuple[Section, ...]:
    r"""Return a note's sections in order, disjoint, without their heading and surrounding white space.

    Text before the first heading, and the fields of the note's head, are in no section. A heading with nothing
    under it gives no section.

    Examples
    --------
    >>> [(s.name, s.start, s.end) for s in split("PMH: HTN\nAllergies:\n Penicillins \n")]
    [('PMH', 5, 8), ('Allergies', 21, 32)]
    """
    marks: list[re.Match[str]] = []
    for match in _HEADING.finditer(text):
        if _is_heading(match) and not (marks and _is_part(match, marks[-1])):
            marks.append(match)
    found: list[Section] = []
    for mark, following in zip(marks, [*marks[1:], None], strict=False):
        if _folded(mark["name"]) in FIELDS:
            continue
        start, end = mark.end(), following.start() if following else len(text)
        body = text[start:end]
        if body.strip():
            start += len(body) - len(body.lstrip())
            found.append(Section(re.sub(r"\s+", " ", mark["name"]), start, start + len(body.strip())))
    return tuple(found)


def _is_heading(match: re.Match[str]) -> bool:
    """A heading without a colon must look like one: capitals, or a title's first letter and several words."""
    if match["alone"] is None:
        return True
    name = match["name"]
    return name.isupper() if len(name) < 9 else name[0].isupper()


def _is_part(match: re.Match[str], parent: re.Match[str]) -> bool:
    return _folded(parent["name"]) in WITH_PARTS and role(match["name"]) == role(parent["name"])
