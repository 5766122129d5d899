"""A concept is derived from its codes by rules that do not depend on order."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from ingestion.concepts import CodeContent, CodeName, derive

A, B = "C9000001", "C9000002"


def name(text: str, concept: str = A, tty: str = "PT", language: str = "ENG", suppress: str = "N",
         rank: int = 0) -> CodeName:
    return CodeName(concept, text, tty, language, suppress, rank)


def code(*names: CodeName, sab: str = "SRC", id_: str = "1", definitions: tuple[tuple[str, str], ...] = (),
         types: tuple[tuple[str, str], ...] = (), release: str = "") -> CodeContent:
    return CodeContent.of(sab, id_, "1", release, names, definitions, types)


def test_the_name_is_the_first_by_language_suppression_form_term_type_and_text() -> None:
    ranked = [name("b", tty="PT"), name("C", tty="PT"), name("a", tty="SY"), name("0", tty="AB"), name("a", rank=1),
              name("a", suppress="O"), name("a", language="SPA")]
    for skip in range(len(ranked)):
        rest = ranked[skip:]
        random.Random(skip).shuffle(rest)
        assert derive(A, [code(n, id_=str(i)) for i, n in enumerate(rest)], ["ENG"]).name == ranked[skip].name


def test_languages_of_the_setting_decide() -> None:
    codes = [code(name("fever"), name("fiebre", language="SPA"))]
    assert derive(A, codes, ["ENG"]).search_text == "fever"
    assert derive(A, codes, ["SPA", "ENG"]).name == "fiebre"
    assert derive(A, codes, ["SPA", "ENG"]).search_text == "fiebre | fever"
    assert derive(A, codes, ["FRE"]).search_text == "fever | fiebre", "all names where no language fits"


def test_a_shared_code_keeps_each_name_with_its_concept() -> None:
    shared = code(name("left", A), name("right", B), definitions=((A, "The left."), (B, "The right.")),
                  types=((A, "T029"), (B, "T030")))
    assert derive(A, [shared], ["ENG"]) == derive(A, [code(name("left"), definitions=((A, "The left."),),
                                                           types=((A, "T029"),))], ["ENG"])
    assert derive(B, [shared], ["ENG"]).definition == "The right."
    row = shared.to_row()
    assert row["names"] == ["left", "right"]
    assert row["cuis"] == [A, B]
    assert row["type_cuis"] == [A, B]
    assert code(name("left")).to_row()["cuis"] == []


def test_the_definition_prefers_the_language_then_the_vocabulary() -> None:
    spanish = code(name("fiebre", language="SPA"), sab="AAA", definitions=((A, "Temperatura alta."),))
    other = code(name("fever"), sab="ZZZ", definitions=((A, "A fever."),))
    mesh = code(name("Fever"), sab="MSH", definitions=((A, "Raised temperature."), (A, "Heat.")))
    assert derive(A, [spanish, other], ["ENG"]).definition == "A fever."
    assert derive(A, [spanish, other, mesh], ["ENG"]).definition == "Heat."


def test_a_code_from_elsewhere_without_these_lists_counts_too() -> None:
    read = CodeContent.from_row({"vocabulary": "ICD9CM", "code": "401.9", "names": ["Hypertension"]}, [A])
    assert derive(A, [read], ["ENG"]).name == "Hypertension"


def test_only_live_codes_speak_for_a_concept() -> None:
    live = code(name("current"), types=((A, "T047"),), definitions=((A, "Now."),))
    gone = CodeContent.of("OLD", "1", "1", "2025AA", [name("a former name")], [(A, "Then.")], [(A, "T033")], "2026AA")
    assert derive(A, [gone, live], ["ENG"]) == derive(A, [live], ["ENG"])
    last = derive(A, [gone], ["ENG"])
    assert (last.name, last.definition, last.semantic_types, last.search_text) == (
        "a former name", "Then.", ("T033",), "")


def test_a_code_that_a_release_has_again_is_live() -> None:
    gone = CodeContent.of("S", "1", "1", "2025AA", [name("x")], to_release="2026AA")
    older, same = code(name("x"), release="2025AB"), code(name("x"), release="2026AA")
    assert (gone.united(older).from_release, gone.united(older).to_release) == ("2025AA", "2026AA")
    assert gone.united(same).live
    assert CodeContent.from_row(gone.to_row(), [A]) == gone


names = st.builds(CodeName, st.sampled_from([A, B]), st.text(min_size=1, max_size=5),
                  st.sampled_from(["PT", "SY", "AB", "X"]), st.sampled_from(["ENG", "SPA"]),
                  st.sampled_from(["N", "O"]), st.integers(0, 7))
owned = st.lists(st.tuples(st.sampled_from([A, B]), st.text(min_size=1, max_size=4)), max_size=3)
contents = st.builds(lambda n, d, t, r: CodeContent.of("SRC", "1", "1", r, n, d, t),
                     st.lists(names, min_size=1, max_size=5), owned, owned, st.sampled_from(["", "2025AB", "2026AA"]))


@given(contents, contents, contents)
def test_uniting_depends_on_no_order(x: CodeContent, y: CodeContent, z: CodeContent) -> None:
    assert x.united(y).united(z) == z.united(x).united(y)
    assert x.united(x) == x


@given(contents)
def test_a_row_reads_back(x: CodeContent) -> None:
    only = [x] if len(x.concepts) > 1 else [
        CodeContent.of("SRC", "1", "1", x.from_release, x.names, [(x.concepts[0], d) for _, d in x.definitions],
                       [(x.concepts[0], t) for _, t in x.types])]
    assert CodeContent.from_row(only[0].to_row(), only[0].concepts) == only[0]


@given(st.lists(contents, min_size=1, max_size=4), st.randoms())
def test_deriving_depends_on_no_order(codes: list[CodeContent], chance: random.Random) -> None:
    shuffled = codes[:]
    chance.shuffle(shuffled)
    assert derive(A, codes, ["ENG"]) == derive(A, shuffled, ["ENG"])
