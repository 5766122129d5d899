from __future__ import annotations

from typing import Any

from graphkb.answer import question as asking
from graphkb.answer import vocabulary

CARDS: dict[str, dict[str, Any]] = {
    "C1": {"name": "Metformin", "definition": "A biguanide.", "names": ["Metformin", "Dimethylbiguanide"]},
    "C4": {"name": "Common cold", "definition": "An infection of the nose.", "names": ["Common cold"]},
    "C5": {"name": "Cold temperature", "definition": "Absence of heat.", "names": ["Cold temperature"]},
    "LOCAL:ward7": {"name": "ward 7", "definition": "A ward.", "names": ["ward 7"]},
    "C2": {"name": "Diabetes", "definition": "", "names": ["Diabetes"]},
}
KINDS = [{"key": f"r{n}", "type": "ISA", "predicate": "isa", "sab": "SRC", "other": f"D{n}", "name": f"Kind {n:02d}"}
         for n in range(12)]


class Vocabulary:
    """Answers the named queries of concepts from `CARDS`; everything `isa` diabetes."""

    def read(self, name: str, **params: Any) -> list[dict[str, Any]]:
        if name == "list_concept_cards":
            return [{**CARDS[key], "key": key, "scope": "public",
                     "codes": [{"key": f"code:{key}", "names": CARDS[key]["names"], "curie": f"SRC:{key}",
                                "definition": CARDS[key]["definition"], "definitions": [], "vocabulary": "SRC"}]}
                    for key in params["keys"] if key in CARDS]
        assert name in ("list_relations_from_concept", "list_relations_to_concept")
        return KINDS[:params["limit"]] if name.endswith("to_concept") and params["key"] == "C2" else []


def answers(text: str, lexicon: Any) -> list[Any]:
    return vocabulary.answer(Vocabulary(), asking.part(text, lexicon, patient=False), ("public",))  # type: ignore[arg-type]


def test_a_definition_with_its_source(lexicon: Any) -> None:
    [draft] = answers("What is metformin?", lexicon)
    assert (draft.text, draft.form) == ("Metformin: A biguanide. [SRC]", "verbatim")
    assert draft.evidence[0].tier == "vocabulary"


def test_several_meanings_are_said_to_be_several(lexicon: Any) -> None:
    first, *rest = answers("What is cold?", lexicon)
    assert first.text == "cold has 2 meanings here: Common cold; Cold temperature."
    assert [draft.text for draft in rest] == ["Common cold: An infection of the nose. [SRC]",
                                              "Cold temperature: Absence of heat. [SRC]"]
    assert [piece.title for piece in first.evidence] == ["Common cold", "Cold temperature"]


def test_what_only_a_table_of_the_scope_names_is_no_definition(lexicon: Any) -> None:
    assert answers("What is ward 7?", lexicon) == []


def test_a_concept_without_a_definition_is_left_to_text(lexicon: Any) -> None:
    assert answers("What is diabetes?", lexicon) == []


def test_other_names(lexicon: Any) -> None:
    [draft] = answers("What are other names of metformin?", lexicon)
    assert draft.text == "Metformin (C1); also called Dimethylbiguanide; codes SRC:C1."
    assert answers("What are other names of cold?", lexicon) == []


def test_kinds_are_listed_and_the_list_says_that_there_are_more(lexicon: Any) -> None:
    [draft] = answers("What are the types of diabetes?", lexicon)
    shown = "; ".join(f"Kind {n:02d}" for n in range(10))
    assert draft.text == f"Diabetes has the kinds: {shown}, and others."
    assert len(draft.evidence) == 10


def test_a_glossary_has_definitions_only(lexicon: Any) -> None:
    store: Any = Vocabulary()
    found = vocabulary.glossary(store, ["C2", "C1", "C4"], ("public",), 1)
    assert found == {"Common cold": "An infection of the nose."}
    assert vocabulary.glossary(store, [], ("public",), 4) == {}
