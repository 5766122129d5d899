from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from graphkb.store.lucene import MOST_TERMS, escape


def test_worked_out() -> None:
    assert escape("/b testing") == '"b" "testing"'
    assert escape('BRCA1 AND (x OR "y") TO') == '"brca1" "and" "x" "or" "y" "to"'
    assert escape("β-blocker, Crohn's; 5% C++") == '"β" "blocker" "crohn" "s" "5" "c"'
    assert escape("pain pain PAIN") == '"pain"'
    assert escape("\\ ~ * ? : && || ^") == ""
    assert escape("") == ""
    assert len(escape(" ".join(f"w{i}" for i in range(2000))).split()) == MOST_TERMS


@given(st.text())
def test_nothing_of_the_syntax_is_left(text: str) -> None:
    query = escape(text)
    assert query.count('"') % 2 == 0
    assert not set(query.replace('"', "")) & set("+-&|!(){}[]^~*?:\\/")
    assert all(term.startswith('"') and term.endswith('"') and len(term) > 2 for term in query.split())
