"""T3: free Cypher that writes, reads files, opens URLs or runs what is not listed is refused; reading passes."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphkb.errors import ForbiddenQuery
from graphkb.security.guard import DENIED, FUNCTIONS, KEYWORDS, PROCEDURES, check_read_only


def _statements() -> ModuleType:
    path = Path(__file__).with_name("cypher_statements.py")
    spec = importlib.util.spec_from_file_location("cypher_statements", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["cypher_statements"] = module
    spec.loader.exec_module(module)
    return module


STATEMENTS = _statements()


def accepted(text: str) -> bool:
    try:
        check_read_only(text)
    except ForbiddenQuery as error:
        return error.code != "GKB-306"
    return True


def test_no_attack_passes() -> None:
    attacks = STATEMENTS.ATTACKS
    assert len(set(attacks.values())) >= 200
    assert [name for name, text in attacks.items() if accepted(text)] == []


def test_harmless_statements_pass() -> None:
    benign = STATEMENTS.BENIGN
    assert len(set(benign.values())) >= 100
    refused = [name for name, text in benign.items() if not accepted(text)]
    assert len(refused) <= 0.02 * len(benign), refused


def test_the_refusal_says_where_and_never_what() -> None:
    with pytest.raises(ForbiddenQuery) as caught:
        check_read_only("MATCH (n) WHERE n.name = 'John Doe' SET n.secret = 'hunter2'")
    message = str(caught.value)
    assert "GKB-306" in message
    assert "character 37" in message
    assert "Doe" not in message
    assert "hunter2" not in message


def test_the_lists_do_not_contradict_each_other() -> None:
    assert DENIED.isdisjoint(KEYWORDS)
    assert all(name == name.lower() for name in FUNCTIONS)
    assert all(name.startswith("db.") for name in PROCEDURES)


PIECES = [
    "MATCH (n)", "RETURN n", "WITH n", "CALL {", "}", "SET n.p = 1", "CREATE (m)", "DELETE n", "MERGE (m)", "(", ")",
    "n", ".", ":", "'", '"', "`", "/*", "*/", "//", "\n", "\\", "as", "AS", "x", "1", "|", "UNION", ",", "=", "$p",
    "[", "]", "{", "REMOVE n.p", "FOREACH (x IN [1] |", "CASE", "WHEN", "END", "1.", "..", "LOAD CSV FROM 'x' AS r",
]


@settings(deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=12), st.sampled_from(["", " "]))
def test_what_passes_has_no_writing_word_outside_names_and_strings(pieces: list[str], gap: str) -> None:
    text = gap.join(["MATCH (n) ", *pieces])
    if accepted(text):
        bare = _without_quotes(text)
        for word in ("SET n", "CREATE (", "DELETE n", "MERGE (", "REMOVE n", "FOREACH (", "LOAD CSV"):
            position = bare.find(word)
            assert position < 0 or bare[:position].rstrip()[-1:] in (".", ":", "|"), text


def _without_quotes(text: str) -> str:
    """Return the text with strings, quoted names and comments blanked, by an independent little machine."""
    out, at = [], 0
    while at < len(text):
        for start, end in (("//", "\n"), ("/*", "*/"), ("'", "'"), ('"', '"'), ("`", "`")):
            if text.startswith(start, at):
                at += len(start)
                while at < len(text) and not text.startswith(end, at):
                    at += 2 if text[at] == "\\" and start in "'\"" else 1
                at += len(end)
                out.append(" ")
                break
        else:
            out.append(text[at])
            at += 1
    return "".join(out)


@settings(deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_accepted_or_refused_with_the_code(text: str) -> None:
    accepted(text)


def test_a_large_text_is_judged_quickly_or_refused() -> None:
    assert accepted("RETURN [" + ", ".join(["1"] * 10_000) + "]")
    assert not accepted("RETURN [" + ", ".join(["1"] * 20_000) + "]")
