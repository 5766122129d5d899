"""Public bug 9: a no-break space, an accent or a Greek letter in the vocabulary or the text, and a name never links."""

from __future__ import annotations

from pathlib import Path

from ingestion.lexicon import Name, build

NAMES = ["Fluorouracil\u00a0", "Ménière's disease", "Me\u0301nie\u0300re's syndrome", "β-blocker", "5‑FU",
         "As\u200bpirin"]


def test_look_alikes_link_and_spans_index_the_original(tmp_path: Path) -> None:
    names = [Name(text, f"C{n}", ("T047",), "DISO") for n, text in enumerate(NAMES)]
    lexicon = build(names, tmp_path / "lexicon")
    text = ("Fluorouracil was given for Meniere's disease; MÉNIÈRE’S SYNDROME, beta blocker, "
            "5-FU and aspirin; Me\u0301nie\u0300re's\u00a0disease and \u03b2\u2010blocker, fluoro\u00aduracil.")
    found = [(text[m.start:m.end], m.candidates[0].concept) for m in lexicon.find(text)]
    assert found == [
        ("Fluorouracil", "C0"), ("Meniere's disease", "C1"), ("MÉNIÈRE’S SYNDROME", "C2"), ("beta blocker", "C3"),
        ("5-FU", "C4"), ("aspirin", "C5"), ("Me\u0301nie\u0300re's\u00a0disease", "C1"), ("\u03b2\u2010blocker", "C3"),
        ("fluoro\u00aduracil", "C0")]
