from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.phi_planted import measure, notes
from ingestion.phi import find


def shown(text: str) -> list[str]:
    return [text[one.start:one.end] for one in find(text)]


@pytest.mark.parametrize(("text", "parts"), [
    ("Pt: DOE,JANE", ["DOE,JANE"]), ("MR # 123-45-67", ["123-45-67"]), ("mrn=99887766", ["99887766"]),
    ("Med Rec #: 1234567", ["1234567"]), ("CSN: 100234567", ["100234567"]), ("SSN 123-45-6789", ["123-45-6789"]),
    ("D.O.B.: 3/4/56", ["3/4/56"]), ("on the 4th of March 2019", ["4th of March 2019"]),
    ("in March '19", ["March '19"]),
    ("Jan-2019", ["Jan-2019"]), ("04MAR2019 0930", ["04MAR2019"]), ("between 3/4 and 3/7", ["3/4", "3/7"]),
    ("03/04/2019-03/09/2019", ["03/04/2019", "03/09/2019"]), ("2019-03-04T10:22:00", ["2019-03-04"]),
    ("Dr Nguyễn saw", ["Nguyễn"]), ("Dr. A. B. Kolvek", ["A. B. Kolvek"]), ("K. Tarvin, M.D.", ["K. Tarvin"]),
    ("Drs. Malkov and Perrin", ["Malkov", "Perrin"]), ("Patient name - Orla Vint", ["Orla Vint"]),
    ("his son Tomek's phone", ["Tomek's"]), ("Ms. de la Cruz", ["de la Cruz"]), ("Mr. O'Brien-Vask", ["O'Brien-Vask"]),
    ("LAST NAME: VARDEN FIRST NAME: OSKA", ["VARDEN", "OSKA"]), ("Dr.Varden notified", ["Varden"]),
    ("dr. varden notified", ["varden"]), ("mother (Oska Varden) present", ["Oska Varden"]),
    ("tel: 5550199", ["5550199"]), ("617.555.0199 x22", ["617.555.0199 x22"]), ("pager #12345", ["12345"]),
    ("12 Elm Street, Apt 4, Boston, MA 02115", ["12 Elm Street, Apt 4, Boston, MA 02115"]),
    ("write to a.b@c.org", ["a.b@c.org"]), ("a 92-year-old man", ["92-year-old"]),
    ("met Mary Johnson", ["Mary Johnson"]),
])
def test_what_is_found(text: str, parts: list[str]) -> None:
    assert shown(text) == parts


@pytest.mark.parametrize("text", [
    "5/5 strength, 2/6 murmur, BP 120/80", "K 4.5 on 2 L NC. On 5 mg. INR 1.2-1.5. Glucose 100-200",
    "May 20 mg be given? March to clinic", "seen by Neurology. From: Home. To: Rehab", "Attending: Medicine",
    "Discussed with Family. spoke with Patient", "Patient: Alert and oriented", "WBC 12000000 cells, 250000 platelets",
    "Name: ___ Unit No: ___ DOB: ___ Attending: ___. Dr. ___", "In 1998 he had CABG; 2 of 3 vessels. ",
    "grade 3/6 at 2-3-4 positions; 5-10-15 min", "Mother: HTN. Father: CAD. Brother DM. Sister Healthy",
    "Foley d/c'd. Father with Parkinson's. Mother had Crohn's. his Babinski is up", "an 85 year old man",
    "PT: Independent. OT: Needs assistance. Nurse: Continue IV", "Guillain-Barre syndrome and a Jackson Pratt drain",
    "Follow up with Cardiology in 2 weeks. Call 911", "", "   ",
])
def test_what_is_none(text: str) -> None:
    assert shown(text) == []


@given(st.text(alphabet="Dr. Mr:/-@1234 (){}\n\tJohn Smith ÀÖ’'_,", max_size=300))
def test_findings_are_in_order_and_apart(text: str) -> None:
    place = 0
    for one in find(text):
        assert place <= one.start < one.end <= len(text)
        place = one.end


def test_recall_on_planted_identifiers(shared_data: Path) -> None:
    """The floors of the project: names of no list, planted in synthetic notes."""
    result = measure(notes(shared_data)[:20], 720, seed=11)
    assert result.recall("record number") >= 0.98
    assert result.recall("phone") >= 0.98
    assert result.recall("date") >= 0.95
    assert result.recall("name with a cue") >= 0.85
    assert len(result.eponyms_flagged) / result.eponyms <= 0.05
    assert result.false.total() / result.words < 0.002
