"""Lines of a record's text are cut whole, by section, and none is lost."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from graphkb.model import Section, SourceDocument, SourceInfo
from ingestion.lines import cut, line_chunks


def test_pieces_are_whole_lines_of_one_section() -> None:
    text = "Diagnoses:\naaaa\nbbbb\ncccc\n\nOrders:\ndddd\n\n"
    sections = (Section("Diagnoses", 11, 25), Section("Orders", 35, 39))
    assert [(text[a:b], name) for a, b, name in cut(text, sections, 18)] == [
        ("Diagnoses:\naaaa", "Diagnoses"), ("bbbb\ncccc", "Diagnoses"), ("Orders:\ndddd", "Orders")]
    document = SourceDocument(SourceInfo("s", "1"), "r", "t", text, "user", "table", sections=sections)
    (whole, orders) = line_chunks(document, "doc:1")
    assert (whole.text, whole.section, whole.tokens) == ("Diagnoses:\naaaa\nbbbb\ncccc", "Diagnoses", 0)
    assert text[orders.start:orders.end] == orders.text == "Orders:\ndddd"
    assert cut("", (), 10) == []


@given(st.lists(st.lists(st.text("ab c", min_size=1, max_size=30).filter(str.strip), min_size=1, max_size=6),
                min_size=1, max_size=5), st.integers(1, 60))
def test_every_line_is_in_one_piece(parts: list[list[str]], most: int) -> None:
    text, sections = "", []
    for number, rows in enumerate(parts):
        text += f"S{number}:\n"
        start = len(text)
        text += "".join(f"{row}\n" for row in rows)
        sections.append(Section(f"S{number}", start, len(text) - 1))
        text += "\n"
    pieces = cut(text, sections, most)
    assert [name for n, (_, _, name) in enumerate(pieces) if not n or pieces[n - 1][2] != name] == \
        [s.name for s in sections]
    assert all(a2 >= b1 for (_, b1, _), (a2, _, _) in pairwise(pieces))
    at = 0
    for line in text.splitlines(keepends=True):
        end = at + len(line.rstrip())
        assert not line.strip() or sum(a <= at and end <= b for a, b, _ in pieces) == 1
        at += len(line)
