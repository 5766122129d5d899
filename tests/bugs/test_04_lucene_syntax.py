"""Bug 4: ordinary clinical text has characters that Lucene reads as syntax; it is data and never an error."""

from __future__ import annotations

import pytest

from graphkb.store import Store
from graphkb.store.lucene import escape
from tests.servers import raw

TEXTS = ["/b testing", "causes/solutions", "BRCA1 AND", "C++ (x)", '"unclosed', "a:b", "~", "*", "NOT", "\\",
         "AND OR NOT TO", "[a TO", "{x", "x^", "-", "+", "pain?", "&& ||", "", " ", "\x00\n\t", "é\u0301 \U0001f600",
         " ".join(f"word{i}" for i in range(2000))]


def search(store: Store, text: str) -> list[str]:
    query = escape(text)
    if not query:
        return []
    return [row["key"] for row in raw(store, "CALL db.index.fulltext.queryNodes('chunk_text', $q) YIELD node, score "
                                             "RETURN node.key AS key ORDER BY score DESC, key", q=query)]


def test_each_text_has_an_answer(store: Store) -> None:
    contents = {"1": "b testing", "2": "causes and solutions", "3": "the BRCA1 gene", "4": "nothing of it"}
    for key, text in contents.items():
        raw(store, "CREATE (c:Chunk {key: $key, scope: 'x', text: $text})", key=key, text=text)
    for text in TEXTS:
        assert isinstance(search(store, text), list), text
    assert search(store, "/b testing")[0] == "1"
    assert set(search(store, "causes/solutions")) == {"2"}
    assert set(search(store, "BRCA1 AND")) == {"2", "3"}, "\"and\" is a word of the second"
    assert search(store, "~") == search(store, "*") == search(store, "\\") == []


@pytest.mark.parametrize("word", ["AND", "OR", "NOT", "TO"])
def test_words_of_the_syntax_are_words(store: Store, word: str) -> None:
    raw(store, "CREATE (c:Chunk {key: '1', scope: 'x', text: 'osteomyelitis'})")
    assert search(store, f"osteomyelitis {word}") == ["1"]
