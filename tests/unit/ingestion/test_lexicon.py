"""The lexicon: what links to what, what does not, and its files."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphkb.errors import IngestError
from graphkb.model import Section
from ingestion.lexicon import Lexicon, Match, Name, build, drug_core, names_from_store
from ingestion.lexicon import lookup as lookup_module
from ingestion.lexicon.evidence import common_words
from ingestion.lexicon.names import derived, rank_of, synonyms, upright
from ingestion.lexicon.words import lemma, loose_parts


def disorder(text: str, concept: str, rank: int = 0) -> Name:
    return Name(text, concept, ("T047",), "DISO", rank=rank)


def chemical(text: str, concept: str, rank: int = 0) -> Name:
    return Name(text, concept, ("T121",), "CHEM", rank=rank)


TITLE = ("Streptococcus infection in conditions classified elsewhere and of unspecified site, other streptococcus")
NAMES = [
    disorder("Breast cancer", "breast"), disorder("Anemia, Aplastic", "aplastic"), disorder("Hypertension", "htn"),
    disorder("Edema", "edema"), disorder("Kidney disease", "kidney"), disorder("Crohn disease", "crohn"),
    disorder("Metastasis", "metastasis"), disorder("Diabetes mellitus", "dm"), disorder("Renal failure", "rf"),
    disorder("Ménière's disease", "meniere"), disorder("Post-traumatic stress disorder", "ptsd"),
    disorder("Hepatitis", "hepatitis"), disorder("Hepatitis B", "hepb"), disorder("ALL", "leukaemia", 1),
    disorder("AS", "stenosis", 1), disorder("AS", "spondylitis", 1), disorder("COPD", "copd", 1),
    disorder("Pain", "pain1"), disorder("pain", "pain2", 1), disorder("Cold", "cold"),
    disorder("Unspecified essential hypertension", "esshtn"), Name(TITLE, "strep", ("T047",), "DISO", "title"),
    chemical("Warfarin", "warfarin"), chemical("Acids", "acids"), chemical("Valproic Acid", "valproic"),
    chemical("Sodium", "sodium"), chemical("Gentamicins", "gentamicin"), chemical("Lead", "lead"),
    chemical("Lactic Acid", "lactate"), chemical("β-Carotene", "carotene"),
    chemical("Oxycodone Hydrochloride", "oxycodone"), chemical("Cocaine", "cocaine"),
    Name("Heparin Flush (10 units/ml)", "heparin", ("drug",), "CHEM", "drug"),
]


@pytest.fixture(scope="module")
def lexicon(tmp_path_factory: pytest.TempPathFactory) -> Lexicon:
    return build(NAMES, tmp_path_factory.mktemp("lexicon") / "lexicon")


def found(lexicon: Lexicon, text: str, sections: tuple[Section, ...] = ()) -> list[tuple[str, str]]:
    return [(text[m.start:m.end], "+".join(sorted(link.concept for link in m.candidates)))
            for m in lexicon.find(text, sections)]


@pytest.mark.parametrize(("text", "expected"), [
    ("Breast cancer.", [("Breast cancer", "breast")]),
    ("cancer of the breast", [("cancer of the breast", "breast")]),
    ("breast cancers", [("breast cancers", "breast")]),
    ("aplastic anaemia", [("aplastic anaemia", "aplastic")]),
    ("Anemia, aplastic", [("Anemia, aplastic", "aplastic")]),
    ("Oedema of both legs", [("Oedema", "edema")]),
    ("renal disorders", [("renal disorders", "kidney")]),
    ("hypertensive", [("hypertensive", "htn")]),
    ("severe acute hypertension", [("hypertension", "htn")]),
    ("metastases", [("metastases", "metastasis")]),
    ("Crohn's disease", [("Crohn's disease", "crohn")]),
    ("Ménière’s and Meniere's disease", [("Meniere's disease", "meniere")]),
    ("diabetes", [("diabetes", "dm")]),
    ("posttraumatic stress disorder", [("posttraumatic stress disorder", "ptsd")]),
    ("post traumatic\nstress disorder", [("post traumatic\nstress disorder", "ptsd")]),
    ("hepatitis B", [("hepatitis B", "hepb")]),
    ("pain", [("pain", "pain1+pain2")]),
    ("essential hypertension", [("essential hypertension", "esshtn")]),
    (f"x {TITLE.upper()}.", [(TITLE.upper(), "strep")]),
    ("β-carotene, beta carotene", [("β-carotene", "carotene"), ("beta carotene", "carotene")]),
    ("oxycodone", [("oxycodone", "oxycodone")]),
    ("cocaine hydrochloride", [("cocaine", "cocaine")]),
    ("valproate", [("valproate", "valproic")]),
    ("gentamicin", [("gentamicin", "gentamicin")]),
    ("14. Heparin Flush (10 units/ml) 2 mL", [("Heparin Flush (10 units/ml)", "heparin")]),
    ("war\u00adfarin", [("war\u00adfarin", "warfarin")]),
])
def test_links(lexicon: Lexicon, text: str, expected: list[tuple[str, str]]) -> None:
    assert found(lexicon, text) == expected


@pytest.mark.parametrize("text", [
    "", "   ", "\u200b", "cancer. Breast", "cancer\n- breast", "Renal. Failure", "fulvic acid",
    "anti-hypertensive drugs", "lead the way", "a cold day", "all meds as before", "lactate dehydrogenase",
    "docusate sodium",
    "Allergies:\nnone",
])
def test_does_not_link(lexicon: Lexicon, text: str) -> None:
    assert found(lexicon, text) == []


def test_acronyms_want_their_capitals(lexicon: Lexicon) -> None:
    assert found(lexicon, "Known COPD and copd.") == [("COPD", "copd"), ("copd", "copd")]
    assert found(lexicon, "ALL of it") == []
    assert found(lexicon, "PMH: ALL, AS.") == [("ALL", "leukaemia"), ("AS", "spondylitis+stenosis")]
    assert found(lexicon, "PMH: ALL SYSTEMS WERE REVIEWED AS ABOVE, ALL, FINE") == []


def test_a_section_is_evidence(lexicon: Lexicon) -> None:
    text = "Past Medical History:\nAS\nCOPD\n"
    assert found(lexicon, text, (Section("Past Medical History", 22, len(text)),))[0] == ("AS", "spondylitis+stenosis")
    assert found(lexicon, text, (Section("Results", 22, len(text)),)) == [("COPD", "copd")]


def test_a_definition_in_the_text_gives_the_meaning(lexicon: Lexicon) -> None:
    text = "Renal failure (RF) came. RF went; AS stayed."
    assert found(lexicon, text) == [("Renal failure", "rf"), ("RF", "rf"), ("RF", "rf")]
    assert lexicon.find(text)[1].candidates[0].method == "dictionary:abbreviation"


def test_scores(lexicon: Lexicon) -> None:
    (match,) = lexicon.find("pain")
    first, second = match.candidates
    assert (first.concept, second.concept) == ("pain1", "pain2")
    assert first.score > second.score
    assert first.score + second.score <= 1
    assert match.type == "T047"


def test_own_tables_come_first(tmp_path: Path) -> None:
    names = [disorder("Hypoxemia", "a"), Name("Hypoxemia", "b", ("T047",), "DISO", "title")]
    (match,) = build(names, tmp_path / "l").find("hypoxemia")
    assert [link.concept for link in match.candidates] == ["b", "a"]


def test_groups_are_not_mixed_silently(tmp_path: Path) -> None:
    names = [disorder("Quinine", "d", 1), chemical("Quinine", "c"), disorder("Digitalis", "x"),
             chemical("Digitalis", "y")]
    lexicon = build(names, tmp_path / "l")
    assert [link.concept for link in lexicon.find("quinine")[0].candidates] == ["c"]
    tie = lexicon.find("digitalis")[0]
    assert {link.concept for link in tie.candidates} == {"x", "y"}
    assert all(link.method.endswith("|groups") for link in tie.candidates)
    text = "Medications:\ndigitalis"
    (drug,) = lexicon.find(text, (Section("Medications", 13, len(text)),))
    assert [link.concept for link in drug.candidates] == ["y"]


def test_lookup(lexicon: Lexicon) -> None:
    assert [link.concept for link in lexicon.lookup("WARFARIN", "CHEM")] == ["warfarin"]
    assert lexicon.lookup("warfarin", "DISO") == ()
    assert lexicon.lookup("") == lexicon.lookup("of the") == lexicon.lookup("no such thing") == ()


def test_order_of_names_leaves_no_trace(tmp_path: Path) -> None:
    one = build(NAMES, tmp_path / "one")
    shuffled = [*NAMES, NAMES[0]]
    random.Random(7).shuffle(shuffled)
    two = build(shuffled, tmp_path / "two")
    assert one.stamp == two.stamp
    for path in sorted((tmp_path / "one").iterdir()):
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes(), path.name
    assert build(NAMES[1:], tmp_path / "three").stamp != one.stamp


def test_files(tmp_path: Path, lexicon: Lexicon) -> None:
    folder = tmp_path / "deep" / "lexicon"
    build(NAMES, folder)
    again = Lexicon.open(folder)
    assert (again.stamp, len(again)) == (lexicon.stamp, len(lexicon))
    old = again.find("breast cancer")
    build([disorder("Gout", "gout")], folder)  # replaced while it is open
    assert again.find("breast cancer") == old
    assert found(Lexicon.open(folder), "gout, breast cancer") == [("gout", "gout")]
    assert [path.name for path in folder.parent.iterdir()] == ["lexicon"]


def test_bad_files(tmp_path: Path) -> None:
    with pytest.raises(IngestError, match="GKB-605"):
        Lexicon.open(tmp_path / "nothing")
    build(NAMES, tmp_path / "l")
    (tmp_path / "l" / "keys.npy").write_bytes(b"short")
    with pytest.raises(IngestError, match="GKB-605"):
        Lexicon.open(tmp_path / "l")


def test_empty(tmp_path: Path) -> None:
    lexicon = build([], tmp_path / "l")
    assert lexicon.find("anything at all") == []
    assert len(lexicon) == 0
    assert len(build([Name("secret", "c", (), "", suppressed=True), disorder("  ", "d")], tmp_path / "m")) == 0


def test_a_collision_of_keys_links_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookup_module.WordHashes, "__missing__", lambda self, word: 7)
    lexicon = build([disorder("Gout", "gout"), disorder("Breast cancer", "breast")], tmp_path / "l")
    assert np.unique(np.load(tmp_path / "l" / "keys.npy")).tolist() == [7, 14]
    assert found(lexicon, "gout or plague and breast cancer") == [("gout", "gout"), ("breast cancer", "breast")]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.text(alphabet=st.characters(), max_size=40), st.text(alphabet=st.characters(), max_size=40))
def test_spans_index_the_original_whatever_is_around(lexicon: Lexicon, before: str, after: str) -> None:
    text = f"{before}\n\nWarFarin\u00a0 \n\n{after}"
    matches = lexicon.find(text)
    assert len(before) + 2 in [match.start for match in matches if text[match.start:match.end] == "WarFarin"]
    assert all(0 <= a.end <= b.start for a, b in itertools.pairwise(matches))
    assert matches == lexicon.find(text)


@pytest.mark.parametrize(("name", "cores"), [
    ("OxycoDONE (Immediate Release) ", ["oxycodone"]), ("Heparin Flush (10 units/ml)", ["heparin"]),
    ("*NF* Ertapenem Sodium", ["ertapenem sodium", "ertapenem"]), ("Docusate Sodium", ["docusate sodium", "docusate"]),
    ("Acetaminophen IV", ["acetaminophen"]), ("Sodium Chloride 0.9%  Flush", ["sodium chloride"]),
    ("Potassium Chloride", ["potassium chloride"]), ("5% Dextrose", ["dextrose"]), ("", []),
    ("PrednisoLONE Acetate 1% Ophth. Susp.", ["prednisolone acetate", "prednisolone"]), ("NS", ["ns"]),
    ("Oxycodone-Acetaminophen (5mg-325mg)", ["oxycodone-acetaminophen"]), ("SulfaSALAzine_", ["sulfasalazine"]),
])
def test_drug_core(name: str, cores: list[str]) -> None:
    assert drug_core(name) == cores


def test_names_are_read_further() -> None:
    assert list(derived("obesity, unspecified", "DISO")) == ["obesity"]
    assert list(derived("ibuprofen sodium", "CHEM")) == ["ibuprofen"]
    assert list(derived("potassium chloride", "CHEM")) == []
    assert upright("hypotension, orthostatic", "DISO") == "orthostatic hypotension"
    assert upright("receptors, dopamine", "CHEM") is None
    assert upright("fever, unspecified", "DISO") is None
    assert (rank_of("PT"), rank_of("SY"), rank_of("AB")) == (0, 1, 2)


def test_words() -> None:
    assert [lemma(word) for word in ("ulcers", "diagnoses", "viruses", "diabetes", "sulphate", "generalised")] == [
        "ulcer", "diagnosis", "virus", "diabetes", "sulfate", "generalized"]
    assert loose_parts("nephrotoxicity") == ["kidney", "disease"]
    assert loose_parts("narcotic") == ["narcotic"]


def test_bundled_lists_are_well_formed() -> None:
    assert {"all", "as", "can", "lead", "face"} <= common_words()
    assert not {"pain", "fever", "cancer", "iron"} & common_words()
    assert "paracetamol" in synonyms()["acetaminophen"]
    assert all(alias == alias.strip() and alias for aliases in synonyms().values() for alias in aliases)


class _Store:
    """The two queries that a lexicon is built from."""

    def stream(self, name: str, **params: object) -> list[dict[str, object]]:
        if name == "stream_code_names":
            assert params["scopes"] == ["public", "local"]
            return [{"concept": "C1", "scope": "public", "semantic_types": ["T047"], "names": ["Gout", "Gota", "Old"],
                     "ttys": ["PT", "SY", "SY"], "languages": ["ENG", "SPA", "ENG"], "suppress": ["N", "N", "O"]}]
        assert (name, params["scopes"]) == ("stream_fact_names", ["local"])
        return [{"kind": "PRESCRIBED", "name": "Senna Tab", "concept": "LOCAL:1", "semantic_types": None},
                {"kind": "HAS_DIAGNOSIS", "name": "Gout, unspecified", "concept": "C1", "semantic_types": ["T047"]},
                {"kind": "HAS_PROCEDURE", "name": "", "concept": "C2", "semantic_types": []}]


def test_names_from_store() -> None:
    from graphkb.config import Settings
    names = list(names_from_store(_Store(), ["public", "local"], Settings()))  # type: ignore[arg-type]
    assert [(n.text, n.concept, n.types, n.group, n.source, n.rank) for n in names] == [
        ("Gout", "C1", ("T047",), "DISO", "vocabulary", 0),
        ("Senna Tab", "LOCAL:1", ("drug",), "CHEM", "drug", 0), ("senna", "LOCAL:1", ("drug",), "CHEM", "drug", 1),
        ("Gout, unspecified", "C1", ("T047",), "DISO", "title", 0)]


def test_match_says_whether_it_is_ambiguous(lexicon: Lexicon) -> None:
    def ambiguous(match: Match) -> bool:
        return match.ambiguous
    assert [ambiguous(match) for match in lexicon.find("pain, warfarin")] == [True, False]
