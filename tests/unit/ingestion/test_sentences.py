from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.sentences import blocks, split

CASES = {
    "abbreviations": "Dr. Smith saw pt. on 2180-05-06.|Mr. St. John has approx. 5 wks. left.|See Fig. 2 vs. Fig. 3.",
    "figures": "It is in S4 Fig.|Hearing is in Fig. S1 and Fig. A.|See S1 Fig. panel (f) and refs. therein.",
    "years": "Known (Meyer et al. 1997).|The rest (Urban et al. 2001).|So did Tan et al.|They agreed.",
    "latin": "Smith et al. 2019 showed it, e.g. in mice, i.e. in vivo.|Others, cf. Jones, did not.",
    "initials": "Seen by J. R. Smith, M.D.|The exam was normal.|He got vitamin K.|He left.",
    "sigs": "Aspirin 81 mg p.o. q.d.|Lisinopril 10 mg b.i.d. for BP.|Lasix i.v. Bumex p.r.n.",
    "clock": "Given at 5 p.m. Monday.|He slept at 9 p.m.|He woke.",
    "decimals": "Temp 98.6.|WBC 2.5 up from .5 today.|INR 1.2.",
    "units": "He was given 5 mg.|He left.|The 3 cm. mass grew.",
    "shorthand": "no cp.|no sob.|afebrile.|s/p cabg.",
    "species": "E. coli and S. aureus grew.|Staph. aureus too.",
    "quotes": '"Stop."|She left.|(He did.)|Then... maybe.|Really?!|Yes.|And then…|Nothing.',
    "citations": "It hurts.[12]|The next one.[3, 4]|End.",
    "country": "The U.S. Army came.|He left the U.S.|He returned.",
}


@pytest.mark.parametrize("name", CASES)
def test_stops(name: str) -> None:
    # a bar stands where a sentence ends
    wanted = CASES[name].split("|")
    text = " ".join(wanted)
    assert [text[a:b] for a, b in split(text)] == wanted


@pytest.mark.parametrize(("text", "wanted"), [
    ("No. 5 is full. Fever? No. Pain.", ["No. 5 is full.", "Fever?", "No.", "Pain."]),
    ("Hx. of HTN. DM. Wt. 70 kg. today.", ["Hx. of HTN.", "DM.", "Wt. 70 kg. today."]),
    ("He was admitted to the\nMICU for sepsis. The patient\nwas stable.",
     ["He was admitted to the\nMICU for sepsis.", "The patient\nwas stable."]),
    ("PRIMARY DIAGNOSIS:\nIntracranial abscess\nSECONDARY:\nCompression of brain\nCerebral edema",
     ["PRIMARY DIAGNOSIS:", "Intracranial abscess", "SECONDARY:", "Compression of brain", "Cerebral edema"]),
    ("1. Aspirin 81 mg. Daily.\n2. Lisinopril\n3) Heparin",
     ["1. Aspirin 81 mg.", "Daily.", "2. Lisinopril", "3) Heparin"]),
    ("- no fever\n- cough\n* rash\n• pain", ["- no fever", "- cough", "* rash", "• pain"]),
    ("# HTN: stable\n#DM: on insulin", ["# HTN: stable", "#DM: on insulin"]),
    ("CC: chest pain.\n\nHx: HTN. DM2.\n\nPlan: ASA.", ["CC: chest pain.", "Hx: HTN.", "DM2.", "Plan: ASA."]),
    ("Denies fever\nPlan: home", ["Denies fever", "Plan: home"]),
    ("ACUTE ISSUES:\n=====\n# HTN", ["ACUTE ISSUES:", "=====", "# HTN"]),
    ("seen by Dr.\nSmith", ["seen by Dr.\nSmith"]),
    ("fever\r\nand chills\r\n\r\nrash", ["fever\r\nand chills", "rash"]),
    ("肺炎。治療。", ["肺炎。", "治療。"]),
    ("a. b.", ["a. b."]),
    ("", []),
    (" \n\t\r\n\xa0", []),
    ("...", ["..."]),
])
def test_worked_out(text: str, wanted: list[str]) -> None:
    assert [text[a:b] for a, b in split(text)] == wanted


def test_wrapped_prose_is_joined_where_the_next_word_did_not_fit() -> None:
    text = ("The patient was transferred from an outside hospital where she had\n"
            "Streptococcus grow from two bottles of blood drawn at the bedside by\n"
            "Nursing staff.\nShort line\nAnother")
    assert [text[a:b].count("\n") for a, b in split(text)] == [2, 0, 0]


def test_a_range_gives_the_same_as_the_slice() -> None:
    text = "Dropped. Kept one. Kept two.\n- item\nDropped."
    start, end = text.index("Kept one"), text.index("\nDropped")
    assert split(text, start, end) == [(a + start, b + start) for a, b in split(text[start:end])]
    assert len(split(text, start, end)) == 3


def test_blocks_know_items_and_headings() -> None:
    found = blocks("Plan:\n- rest\nGo home\nand sleep")
    assert [(b.item, b.heading) for b in found] == [(False, True), (True, False), (False, False)]


@given(st.text(alphabet=st.one_of(st.characters(), st.sampled_from(" .\n-1aB.)?!:#\r"))))
def test_sentences_hold_all_ink_once(text: str) -> None:
    at = 0
    for start, end in split(text):
        assert not text[at:start].strip()
        assert text[start:end] == text[start:end].strip() != ""
        at = end
    assert not text[at:].strip()


@pytest.mark.parametrize("unit", ["word ", "x", "a.", ". ", ".", "x\n", "A\n", ") ", "(.\" ", ".)", "…", "- a\n",
                                  "q.d. ", "\n", "A:\n", "A b ", "1.", "[", "。"])
def test_linear_time(unit: str) -> None:
    text = unit * (50_000 // len(unit))
    began = time.process_time()
    split(text)
    assert time.process_time() - began < 2.0
