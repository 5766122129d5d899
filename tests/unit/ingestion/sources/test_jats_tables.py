"""JATS tables: every cell has its place in the text; and what an article says of others."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from graphkb.model.records import ReadReport, SourceDocument
from graphkb.model.tables import TableCell, TableGrid
from ingestion.sources.jats import JatsSource, layout
from ingestion.sources.jats_meta import cites, identifier, notices
from ingestion.sources.jats_text import blocks, local_names

LINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"'


def read(folder: Path, body: str, rest: str = "", *, kind: str = "research-article", meta: str = "",
         doi: str = "10.1/a") -> SourceDocument:
    (folder / "a.xml").write_text(
        f'<article {LINK} article-type="{kind}"><front><article-meta><article-id pub-id-type="doi">{doi}</article-id>'
        f"<title-group><article-title>A title</article-title></title-group>{meta}</article-meta></front>"
        f"<body>{body}</body>{rest}</article>")
    (document,) = JatsSource([folder]).documents(ReadReport())
    return document


def grids(document: SourceDocument) -> list[TableGrid]:
    values = document.properties.get("tables", [])
    assert isinstance(values, list)
    return [TableGrid.from_json(value) for value in values]


def test_tables_of_body_and_floats_with_their_cells(tmp_path: Path) -> None:
    body = ("<sec><title>Results</title><p>Dose<table-wrap><label>Table 1</label><caption><p>Doses.</p></caption>"
            "<table><thead><tr><th/><th>Low</th><th>High</th></tr></thead><tbody><tr><td>A</td><td>12</td><td>5</td></tr>"
            "<tr><td>B</td><td/><td>10<sup>-3</sup></td></tr></tbody></table></table-wrap> of 10<sup>-3</sup>"
            "</p></sec>")
    floats = ("<floats-group><table-wrap><label>Table 2</label><table><tr><td>INR</td><td>2|3</td></tr></table>"
              "</table-wrap></floats-group>")
    document = read(tmp_path, body, floats)
    text = document.text
    assert text == ("Dose\n\nTable 1. Doses.\n| Low | High\nA | 12 | 5\nB |  | 10^-3\n\nof 10^-3\n\nINR | 2¦3")
    first, second = grids(document)
    assert (first.name, first.head, second.name, second.head) == ("Results > Table 1", 1, "Table 2", 0)
    assert text[first.start:first.end] == "| Low | High\nA | 12 | 5\nB |  | 10^-3"
    assert [(c.row, c.column, text[c.start:c.end]) for c in first.cells] == [
        (0, 1, "Low"), (0, 2, "High"), (1, 0, "A"), (1, 1, "12"), (1, 2, "5"), (2, 0, "B"), (2, 2, "10^-3")]
    five = first.cells[4]
    assert first.at(five.start, five.end) == [five]
    over, row = first.headings(five)
    assert row is not None
    assert ([text[c.start:c.end] for c in over], text[row.start:row.end]) == (["High"], "A")
    assert first.headings(first.cells[0]) == ([], None)


def test_spans_beyond_reason_are_not_followed(tmp_path: Path) -> None:
    rows = '<tr><td colspan="999999" rowspan="999999">x</td></tr>' * 300
    document = read(tmp_path, f"<table-wrap><table>{rows}</table></table-wrap>")
    (grid,) = grids(document)
    assert len({cell.row for cell in grid.cells}) == 300
    assert len(document.text) < 300 * 3 * 1_010


CELL = st.text("a1 |<&\n.", max_size=6)


@given(st.lists(st.lists(st.tuples(CELL, st.integers(1, 3), st.integers(1, 3)), min_size=1, max_size=4), min_size=1,
                max_size=5), st.booleans())
def test_every_cell_is_where_it_says(rows: list[list[tuple[str, int, int]]], nested: bool) -> None:
    table = etree.Element("table")
    for cells in rows:
        row = etree.SubElement(table, "tr")
        for text, columns, lines in cells:
            cell = etree.SubElement(row, "td", colspan=str(columns), rowspan=str(lines))
            cell.text = text
    root = etree.Element("sec")
    etree.SubElement(root, "title").text = "T"
    root.append(table)
    if nested:
        etree.SubElement(root, "p").text = "after"
    local_names(root)
    laid = layout(blocks(root))
    wanted = [" ".join(text.split()).replace("|", "¦") for cells in rows for text, _, _ in cells]
    found = []
    for grid in laid.tables:
        assert TableGrid.from_json(grid.to_json()) == grid
        assert "\n\n" not in laid.text[grid.start:grid.end]
        for cell in grid.cells:
            value = laid.text[cell.start:cell.end]
            assert value
            assert value == value.strip()
            assert grid.start <= cell.start < cell.end <= grid.end
            line = laid.text.rfind("\n", 0, cell.start) + 1
            assert laid.text[line:cell.start].count("|") in (cell.column, cell.column - 1, 0)
            found.append(value)
    assert set(found) == {text for text in wanted if text}
    assert len({(c.row, c.column) for g in laid.tables for c in g.cells}) == len(found)


def test_references_are_cited_and_not_said(tmp_path: Path) -> None:
    rest = ('<back><ref-list><ref><mixed-citation>Fifty mg of dopamine. <pub-id pub-id-type="doi">10.1/B</pub-id>'
            '<pub-id pub-id-type="pmid">12</pub-id></mixed-citation></ref><ref><element-citation>'
            '<pub-id pub-id-type="doi">10.1/a</pub-id><pub-id pub-id-type="pmid">n/a</pub-id></element-citation></ref>'
            "</ref-list></back>")
    document = read(tmp_path, "<p>Text.</p>", rest)
    assert document.text == "Text."
    assert document.properties == {"cites": ["doi:10.1/b", "pmid:12"]}
    assert document.identifiers["doi"] == "10.1/a"


def related(kind: str, href: str, inside: str = "", link: str = "doi") -> str:
    return (f'<related-article {LINK} related-article-type="{kind}" ext-link-type="{link}" xlink:href="{href}">{inside}'
            "</related-article>")


@pytest.mark.parametrize(("article_type", "meta", "expected"), [
    ("retraction", related("retracted-article", "info:doi/10.1/B", link="uri"), (("doi:10.1/b",), (), (), None)),
    ("retraction", related("", "10.1/b") + related("companion", "12", link="pmid"),
     (("doi:10.1/b", "pmid:12"), (), (), None)),
    ("retraction", related("retracted-article", "", '<pub-id pub-id-type="pmid">7</pub-id>'),
     (("pmid:7",), (), (), None)),
    ("correction", related("corrected-article", "10.1/b"), ((), (), ("doi:10.1/b",), None)),
    ("partial-retraction", related("corrected-article", "10.1/b"), ((), (), ("doi:10.1/b",), None)),
    ("expression-of-concern", related("object-of-concern", "10.1/b"), ((), ("doi:10.1/b",), (), None)),
    ("research-article", related("retraction-forward", "10.1/n"), ((), (), (), "0000")),
    ("research-article", related("companion", "10.1/n") + related("commentary-article", "10.1/n"),
     ((), (), (), None)),
    ("research-article", '<pub-date pub-type="retracted"><day>3</day><month>2</month><year>2019</year></pub-date>',
     ((), (), (), "2019-02-03"))])
def test_notices(article_type: str, meta: str, expected: tuple[object, ...]) -> None:
    article = etree.fromstring(f'<article article-type="{article_type}"><front><article-meta>{meta}</article-meta>'
                               "</front></article>")
    found = article.find("front/article-meta")
    assert found is not None
    assert tuple(notices(article, found)) == expected


def test_a_notice_may_have_no_text_but_its_title(tmp_path: Path) -> None:
    document = read(tmp_path, "", kind="retraction", meta=related("retracted-article", "10.1/b"))
    assert (document.text, document.retracts, document.sections) == ("A title", ("doi:10.1/b",), ())


@pytest.mark.parametrize(("kind", "value", "expected"), [
    ("doi", "https://doi.org/10.1/A", "10.1/a"), ("doi", "info:doi/10.1/a", "10.1/a"), ("doi", "doi: 10.1/a", "10.1/a"),
    ("doi", "10.1/a b", ""), ("pmid", "007", "7"), ("pmid", "0", ""), ("pmid", "٣", ""), ("pmid", "1\n", "1"),
    ("pmcid", "pmc7", "PMC7"), ("pmcid", "7", "PMC7"), ("pii", "7", ""), ("", "7", "")])
def test_identifiers_have_one_form(kind: str, value: str, expected: str) -> None:
    assert identifier(kind, value) == expected


def test_the_real_articles(shared_data: Path) -> None:
    tables = cells = 0
    for document in JatsSource([shared_data / "jats" / "plos"]).documents(ReadReport()):
        for grid in grids(document):
            tables += 1
            for cell in grid.cells:
                cells += 1
                assert isinstance(cell, TableCell)
                value = document.text[cell.start:cell.end]
                assert value == value.strip() != ""
                assert not set(value) & {"|", "\n"}
    # counted apart, by lxml alone: 172 tables, 12,959 cells with text (rows spanned each count); 7 more are [formula]
    assert (tables, cells) == (172, 12_966)


def test_cites_takes_only_reference_lists() -> None:
    article = etree.fromstring('<article><front><pub-id pub-id-type="pmid">1</pub-id></front><back/></article>')
    assert cites(article, {}) == []
