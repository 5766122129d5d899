"""Bug 15 over Bolt: every string comes back as it went in, alone and in lists."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphkb.store import Store
from tests.servers import raw

NAMES = ["Crohn's colitis", "3',5'-nucleotide", 'say "aah"', "a|b", "a;b", "a\tb", "a\nb\r\nc", "\\", "ends with \\",
         "", " ", "\x00", "\x7f\x80", "é", "e\u0301", "\u200b\ufeff", "\U0001f9ec", "\uffff", "$x {y} `z` ${jndi:x}",
         "x" * 1_000_000, "ü" * 500_000]


def back(store: Store, names: list[str]) -> tuple[list[str], list[str]]:
    """Write names as one list and as one node each; return both as they are read."""
    rows = [{"key": f"{number:05}", "name": name} for number, name in enumerate(names)]
    raw(store, "MATCH (r:Run) DETACH DELETE r")
    raw(store, "UNWIND $rows AS r CREATE (:Run {key: r.key, scope: 'x', name: r.name})", rows=rows)
    raw(store, "CREATE (:Run {key: 'list', scope: 'x', names: $names})", names=names)
    single = raw(store, "MATCH (r:Run) WHERE r.key <> 'list' RETURN r.name AS name ORDER BY r.key")
    return [row["name"] for row in single], raw(store, "MATCH (r:Run {key: 'list'}) RETURN r.names AS n")[0]["n"]


def test_names(store: Store) -> None:
    assert back(store, NAMES) == (NAMES, NAMES)


@pytest.mark.parametrize("name", ["x|y", "z", "a;b", "a,b", '"'])
def test_a_name_is_found_by_itself(store: Store, name: str) -> None:
    raw(store, "CREATE (:Run {key: $name, scope: 'x', names: [$name, 'other']})", name=name)
    assert raw(store, "MATCH (r:Run {key: $name}) WHERE $name IN r.names RETURN count(r) AS n", name=name) == [{"n": 1}]


@given(st.lists(st.text(st.characters(codec="utf-8")), max_size=30))
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_all_of_unicode(store: Store, names: list[str]) -> None:
    assert back(store, names) == (names, names)


def test_every_code_point_once(store: Store) -> None:
    points = [chr(point) for point in range(0x110000) if not 0xD800 <= point <= 0xDFFF]
    text = "".join(points)
    thirds = [text[:200_000], text[200_000:600_000], text[600_000:]]
    assert back(store, thirds) == (thirds, thirds)
