from __future__ import annotations

from typing import Any

import pytest

from graphkb.answer import question as asking
from graphkb.answer.draft import narrow, number
from graphkb.answer.extract import candidates, coverage, in_order, select, sufficiency
from graphkb.embed import encode_pooled

TEXT = ("Metformin is a biguanide for diabetes. It is used to treat diabetes along with diet. "
        "Metformin comes as a tablet of 500 mg. A list of drugs can be found in the chapter on diabetes.")


class Asked:
    """A question with everything that scoring needs; each term is equally rare."""

    def __init__(self, text: str, lexicon: Any, encoder: Any) -> None:
        self.part = asking.part(text, lexicon, patient=False)
        self.rarity = dict.fromkeys(self.part.wanted, 1.0)
        self._lexicon, self._encoder = lexicon, encoder

    def found(self, *pieces: Any) -> list[Any]:
        vector = encode_pooled(self._encoder, self.part.text)[0]
        return candidates(pieces, vector, self.part, self.rarity, self._encoder, self._lexicon)

    def texts(self, *pieces: Any, most: int = 4) -> list[str]:
        chosen = select(self.found(*pieces), self.part.wanted, self.rarity, most)
        return [candidate.draft().text for candidate in in_order(chosen)]


def test_coverage_is_weighted_by_rarity() -> None:
    assert coverage(frozenset("a"), frozenset("ab"), {"a": 3.0, "b": 1.0}) == 0.75
    assert coverage(frozenset("a"), frozenset(), {}) == 0.0


def test_a_sentence_that_leans_is_shown_with_the_one_before_it(lexicon: Any, encoder: Any, piece: Any) -> None:
    texts = Asked("What is metformin used for?", lexicon, encoder).texts(piece(TEXT))
    assert texts[0] == ("Metformin is a biguanide for diabetes. It is used to treat diabetes along with diet.")


def test_a_sentence_that_points_elsewhere_is_no_answer(lexicon: Any, encoder: Any, piece: Any) -> None:
    asked = Asked("Which drugs treat diabetes?", lexicon, encoder)
    assert not any("can be found" in c.span.text for c in asked.found(piece(TEXT)))
    assert not asked.found(piece("See the table of drugs for diabetes. (Source: somebody, somewhere, 2012)"))


def test_evidence_is_cut_to_the_sentence_with_document_offsets(lexicon: Any, encoder: Any, piece: Any) -> None:
    whole = piece(TEXT, start=1000)
    best = next(c for c in Asked("Which tablet is there of metformin?", lexicon, encoder).found(whole)
                if c.span.text.startswith("Metformin comes"))
    evidence = best.draft().evidence[0]
    at = TEXT.index("Metformin comes")
    assert evidence.text == "Metformin comes as a tablet of 500 mg."
    assert evidence.location == {"start": 1000 + at, "end": 1000 + at + len(evidence.text)}
    assert evidence.chunk == whole.chunk
    assert evidence.document == whole.document


def test_a_list_item_is_shown_without_its_mark(lexicon: Any, encoder: Any, piece: Any) -> None:
    lines = piece("- Drug Class: biguanide\n- Indications: diabetes of type 2 in adults\n", title="Metformin")
    assert Asked("What is metformin used for?", lexicon, encoder).texts(lines) == [
        "Indications: diabetes of type 2 in adults"]


def test_a_sentence_about_something_else_is_not_enough(lexicon: Any, encoder: Any, piece: Any) -> None:
    asked = Asked("Which tablet is there of metformin?", lexicon, encoder)
    other = asked.found(piece("Each tablet of warfarin has a color of its own."))
    assert not other[0].span.about
    assert sufficiency(other, asked.part.wanted, asked.rarity) == 0.0
    right = asked.found(piece(TEXT))
    assert sufficiency(right, asked.part.wanted, asked.rarity) == pytest.approx(1.0, abs=0.1)


def test_terms_from_unrelated_sentences_do_not_add_up(lexicon: Any, encoder: Any, piece: Any) -> None:
    asked = Asked("What does metformin do in kidney failure?", lexicon, encoder)
    apart = asked.found(piece("Metformin comes as a tablet, in several forms."),
                        piece("Kidney failure is a serious thing for everybody.", document="d2"))
    together = asked.found(piece("Metformin is withheld in severe kidney failure, always."))
    values = [sufficiency(found, asked.part.wanted, asked.rarity) for found in (apart, together)]
    assert values[0] < 0.6 < values[1]


def test_a_name_is_found_by_its_synonym(lexicon: Any, encoder: Any, piece: Any) -> None:
    asked = Asked("How is Hansen disease treated?", lexicon, encoder)
    found = asked.found(piece("Reactions in leprosy are treated with steroids.", concepts=("C3",)))
    assert found[0].span.about
    assert {"hansen", "diseas"} <= found[0].span.own


def test_the_title_says_what_a_sentence_is_about_but_not_in_a_note(lexicon: Any, encoder: Any, piece: Any) -> None:
    asked = Asked("Which tablet is there of metformin?", lexicon, encoder)
    text = "The tablet comes in several strengths for everybody."
    assert asked.found(piece(text, title="Metformin"))[0].span.about
    assert not asked.found(piece(text, title="Metformin", tier="user"))[0].span.about


def test_the_same_thing_is_said_once(lexicon: Any, encoder: Any, piece: Any) -> None:
    twice = [piece("Metformin treats diabetes in many adults.", document=name) for name in ("d1", "d2")]
    assert len(Asked("Does metformin treat diabetes?", lexicon, encoder).texts(*twice)) == 1


def test_sentences_of_one_document_stand_in_their_order(lexicon: Any, encoder: Any, piece: Any) -> None:
    asked = Asked("Does metformin treat diabetes or leprosy?", lexicon, encoder)
    text = "Metformin does not treat leprosy at all. Diabetes is what metformin is made for. "
    assert asked.texts(piece(text)) == ["Metformin does not treat leprosy at all.",
                                        "Diabetes is what metformin is made for."]


def test_evidence_is_numbered_in_order_of_first_use(piece: Any) -> None:
    from graphkb.answer.draft import Draft

    whole = piece("One. Two. Three.")
    one, two = narrow(whole, 0, 4, 1.0, "x"), narrow(whole, 5, 9, 1.0, "x")
    evidence, numbers = number([Draft("Two.", (two,), "verbatim", 1.0), Draft("b", (one, two, two), "composed", 1.0)])
    assert [e.text for e in evidence] == ["Two.", "One."]
    assert numbers == [(1,), (2, 1)]
