from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.text import fold, terms


@pytest.mark.parametrize(("text", "expected"), [
    ("The patient was treated with inhibitors.", ["patient", "treat", "inhibitor"]),
    ("IL-6 and T cells, factor V", ["il", "6", "t", "cell", "factor", "v"]),
    ("TNF-α", ["tnf", "alpha"]),
    ("hepatitis A; hepatitis B", ["hepat", "a", "hepat", "b"]),
    ("A man with an abscess", ["man", "abscess"]),
    ("Was A found?", ["a", "found"]),
    ("Ménière's disease", ["menier", "diseas"]),
    ("Me\u0301nie\u0300re\u2019s DISEASE", ["menier", "diseas"]),
    ("5\u2011FU \uff34\uff2e\uff26", ["5", "fu", "tnf"]),
    ("no fever, not anemic", ["no", "fever", "not", "anem"]),
    ("", []),
    ("... ~ * \\ \"", []),
])
def test_terms(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


@given(st.text())
def test_terms_never_fail_and_ignore_case_width_and_composition(text: str) -> None:
    found = terms(text)
    assert all(term and term == term.strip() for term in found)
    assert terms(unicodedata.normalize("NFD", text.lower())) == terms(unicodedata.normalize("NFC", text.lower()))


@given(st.text())
def test_fold_is_stable(text: str) -> None:
    assert fold(fold(text)) == fold(fold(fold(text)))
