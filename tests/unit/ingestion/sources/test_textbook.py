from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import html as lxml_html

from graphkb.errors import InputError
from graphkb.model import ReadReport, SourceDocument
from ingestion.sources.jats import layout
from ingestion.sources.textbook import TextbookSource
from ingestion.sources.textbook_markup import Walker, visible


def read(path: Path, report: ReadReport | None = None) -> list[SourceDocument]:
    return list(TextbookSource([path]).documents(report if report is not None else ReadReport()))


def page(folder: Path, body: str, head: str = "") -> SourceDocument:
    path = folder / "a.html"
    path.write_text(f"<!DOCTYPE html><html><head>{head}</head><body>{body}</body></html>", "utf-8")
    (one,) = read(path)
    return one


def test_headings_of_html_become_sections(tmp_path: Path) -> None:
    one = page(tmp_path, "<div><h1>Asthma</h1><p>A &amp; b &lt; c&nbsp;d</p></div><div><h2>Drugs</h2><p>One.</p></div>"
                         "<h1>End</h1><ul><li>x<ul><li>y</li></ul></li></ul>", "<title>Book</title>")
    assert one.title == "Book"
    assert [(s.name, one.text[s.start:s.end]) for s in one.sections] == [
        ("Asthma", "A & b < c d"), ("Asthma > Drugs", "One."), ("End", "- x\n- y")]


def test_nothing_is_fused(tmp_path: Path) -> None:
    one = page(tmp_path, "<p>Dose 10<sup>-3</sup> of CO<sub>2</sub></p><table><tr><td>12</td><td>5</td></tr></table>"
                         "<p>a<br>b</p><div>c<p>d</p>e</div>")
    assert one.text == "Dose 10^-3 of CO2\n12 | 5\na\nb\nc\nd\ne"
    (table,) = one.properties["tables"]  # type: ignore[misc, union-attr]
    cells = json.loads(str(table))["cells"]
    assert [one.text[cells[n + 2]:cells[n + 3]] for n in range(0, len(cells), 4)] == ["12", "5"]


@pytest.mark.parametrize("hidden", [
    "<script>SECRET</script>", "<style>SECRET</style>", "<nav>SECRET</nav>", "<div hidden>SECRET</div>",
    '<p style="color:red; display : none">SECRET</p>', '<p style="visibility:hidden">SECRET</p>',
    '<span aria-hidden="true">SECRET</span>', "<noscript>SECRET</noscript>", "<!-- SECRET -->",
    "<template>SECRET</template>", "<footer>SECRET</footer>", '<div role="navigation"><p>SECRET</p></div>',
    '<p style="font-size:0">SECRET</p>',
])
def test_what_a_page_hides_is_left_out(tmp_path: Path, hidden: str) -> None:
    assert page(tmp_path, f"<p>Seen.</p>{hidden}<p>Too.</p>").text == "Seen.\nToo."


def test_cnxml(tmp_path: Path) -> None:
    path = tmp_path / "index.cnxml"
    path.write_text("""<?xml version="1.0"?><document xmlns="http://cnx.rice.edu/cnxml"><title>Anti-infectives</title>
<metadata xmlns:md="http://cnx.rice.edu/mdml"><md:content-id>m00123</md:content-id>
<md:license url="http://creativecommons.org/licenses/by/4.0/"/></metadata>
<content><para id="p">First line.</para><section id="s"><title>Penicillins</title>
<para id="q">They <emphasis>kill</emphasis> bacteria.<list><item>one</item><item>two</item></list></para>
<section id="t"><title>Doses</title><table summary=""><title>Usual</title><tgroup cols="2"><thead><row>
<entry>Drug</entry><entry>mg</entry></row></thead><tbody><row><entry>A</entry><entry>500</entry></row></tbody></tgroup></table></section>
</section><para id="r">Last.</para></content></document>""")
    (one,) = read(path)
    assert (one.record, one.title, one.source.licence) == ("cnxml:m00123", "Anti-infectives", "CC BY 4.0")
    assert [(s.name, one.text[s.start:s.end]) for s in one.sections] == [
        ("Penicillins", "They kill bacteria.\n- one\n- two"), ("Penicillins > Doses", "Usual\nDrug | mg\nA | 500")]
    assert one.text.startswith("First line.\n\nThey kill")
    assert one.text.endswith("\n\nLast.")


def row(**more: object) -> str:
    return json.dumps({"book": "b", "module": "m1", "title": "T", "section": "S", "text": "Text."} | more)


def test_rows_of_a_module_are_one_document(tmp_path: Path) -> None:
    path = tmp_path / "b.jsonl"
    path.write_text("\n".join([
        row(tables=[{"rows": [["Drug", "mg"], ["A|B", "5"]]}]), row(section="U", figures=[{"caption": "A pill."}]),
        "no json", row(text=3), row(module="m2", text=" "), row(module="m3"), "", row(tables=[{"rows": [1]}])]))
    report = ReadReport()
    first, second = read(path, report)
    assert (first.record, second.record, first.source.name) == ("b:m1", "b:m3", "openstax b")
    assert first.text == "Text.\nDrug | mg\nA¦B | 5\n\nText.\nA pill."
    assert [(r.row, r.code) for r in report.examples] == [(3, "GKB-405"), (4, "GKB-407"), (None, "GKB-408"),
                                                           (8, "GKB-407")]


def test_openstax_whole(shared_data: Path) -> None:
    """203 modules of 1,823 rows, and all 431 tables as tables."""
    report = ReadReport()
    books = read(shared_data / "openstax" / "pharmacology-nursing.jsonl.gz", report)
    assert len(books) == 203
    assert sum(report.kept.values()) == sum(report.rows_in.values()) == 1823
    assert sum(len(one.properties.get("tables", [])) for one in books) == 431  # type: ignore[arg-type]
    assert all(one.text[s.start:s.end].strip() for one in books for s in one.sections)


def test_markdown_goes_the_way_of_text(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Asthma\n\n| Drug | mg |\n|---|---|\n| A | 5 |\n\n## Use\n\nDaily.\n")
    (one,) = read(tmp_path)
    assert [(s.name, one.text[s.start:s.end]) for s in one.sections] == [
        ("Asthma", "| Drug | mg |\n|---|---|\n| A | 5 |"), ("Asthma > Use", "Daily.")]


@pytest.mark.parametrize(("name", "data", "code"), [
    ("a.html", b"", "GKB-402"), ("a.html", b"\xff\xfe<p>x", "GKB-403"), ("a.html", b"<p>a\0b", "GKB-405"),
    ("a.html", b"<script>x</script>", "GKB-408"), ("a.html", b"<" * 2_000_001, "GKB-410"),
    ("a.cnxml", b"<html/>", "GKB-405"), ("a.cnxml", b"<document><content>", "GKB-404"),
    ("a.cnxml", b'<!DOCTYPE d [<!ENTITY a "b">]><document/>', "GKB-405"),
    ("a.jsonl.gz", gzip.compress(b"{}")[:-6], "GKB-404"),
])
def test_bad_files_have_their_code(tmp_path: Path, name: str, data: bytes, code: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError, match=code):
        read(tmp_path / name)


def test_a_deep_page_is_an_error_of_its_file(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<div>" * 200_000 + "x")
    (tmp_path / "b.html").write_text("<p>Sound.</p>")
    report = ReadReport()
    assert [one.text for one in TextbookSource([tmp_path]).documents(report)][-1] == "Sound."


markup = st.recursive(st.text("ab <&1\n", max_size=8).map(lambda t: t.replace("&", "&amp;").replace("<", "&lt;")),
                      lambda inner: st.tuples(st.sampled_from(["p", "div", "b", "sup", "li", "ul", "h2", "table", "tr",
                                                               "td", "span"]), st.lists(inner, max_size=3)).map(
                          lambda pair: f"<{pair[0]}>{''.join(pair[1])}</{pair[0]}>"), max_leaves=12)


@settings(max_examples=80)
@given(st.lists(markup, min_size=1, max_size=4))
def test_any_markup_gives_lines_with_sections_apart(parts: list[str]) -> None:
    root = lxml_html.document_fromstring(f"<html><body>x{''.join(parts)}</body></html>")
    visible(root)
    laid = layout(Walker().lines(root))
    assert all(a.end <= b.start for a, b in zip(laid.sections, laid.sections[1:], strict=False))
    for table in laid.tables:
        assert all(laid.text[cell.start:cell.end] for cell in table.cells)
