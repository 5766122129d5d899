"""JATS: which document an article becomes."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from lxml import etree

from graphkb import ids
from graphkb.errors import InputError
from graphkb.model.records import ReadReport, SourceDocument
from ingestion.sources import jats, jats_meta

DOI = '<article-id pub-id-type="doi">10.1/a</article-id>'
SPACES = 'xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:mml="http://www.w3.org/1998/Math/MathML"'


def article(body: str = "<p>Text.</p>", *, ids: str = DOI, meta: str = "", rest: str = "",
            prolog: str = '<?xml version="1.0" encoding="UTF-8"?>\n') -> str:
    """Return an article around a body; ``meta`` goes into article-meta, ``rest`` behind the body."""
    return (f'{prolog}<article {SPACES} article-type="research-article"><front><journal-meta><journal-title-group>'
            f"<journal-title>J</journal-title></journal-title-group></journal-meta><article-meta>{ids}<title-group>"
            f"<article-title>A title<fn><p>x</p></fn></article-title></title-group>{meta}</article-meta></front>"
            f"<body>{body}</body>{rest}</article>")


def read(folder: Path, *articles: str | bytes) -> tuple[list[SourceDocument], ReadReport]:
    """Read articles from files of their own."""
    for number, text in enumerate(articles):
        (folder / f"{number}.xml").write_bytes(text if isinstance(text, bytes) else text.encode())
    report = ReadReport()
    documents = list(jats.JatsSource([folder]).documents(report))
    assert report.balanced()
    return documents, report


def meta(inner: str) -> etree._Element:
    return etree.fromstring(f'<article-meta xmlns:xlink="http://www.w3.org/1999/xlink">{inner}</article-meta>')


def test_sections_carry_their_titles_and_floats_are_kept(tmp_path: Path) -> None:
    body = ("<p>Lead.</p><sec><title>Results</title><p>One.</p><sec><title>Drug <italic>X</italic></title><p>Two.</p>"
            "</sec><p>Three.</p></sec>")
    rest = ("<back><ack><p>Thanks.</p></ack><ref-list><ref><p>Ref.</p></ref></ref-list><app-group><app>"
            "<title>App</title><p>More.</p></app></app-group></back><floats-group><fig><label>Figure 1.</label>"
            "<caption><title>Cap.</title><p>Tion.</p></caption></fig><table-wrap><label>Table 1</label><table><tr>"
            "<td>12</td><td>5</td></tr></table></table-wrap></floats-group>")
    abstract = ("<abstract><sec><title>Aim</title><p>Why.</p></sec></abstract>"
                "<abstract><title>Summary</title><p>S.</p></abstract>")
    (document,), report = read(tmp_path, article(body, meta=abstract, rest=rest))
    assert [(s.name, document.text[s.start:s.end]) for s in document.sections] == [
        ("Abstract > Aim", "Why."), ("Summary", "S."), ("Results", "One."), ("Results > Drug X", "Two."),
        ("Results", "Three."), ("Figure 1.", "Figure 1. Cap. Tion."), ("Table 1", "12 | 5"), ("App", "More.")]
    assert document.text == ("Why.\n\nS.\n\nLead.\n\nOne.\n\nTwo.\n\nThree.\n\nFigure 1. Cap. Tion.\n\n12 | 5\n\nMore.")
    assert (document.title, document.record, document.kind, document.path) == ("A title", "10.1/a", "article", "")
    assert report.rejected.total() == 0


@pytest.mark.parametrize(("own", "record"), [
    ('<article-id pub-id-type="doi">https://doi.org/10.1/AbC</article-id>', "10.1/abc"),
    ('<article-id pub-id-type="pmid">12</article-id><article-id pub-id-type="pmc">34</article-id>', "12"),
    ('<article-id pub-id-type="pmcid">PMC34</article-id><article-id pub-id-type="pii">7</article-id>', "PMC34"),
    ('<article-id pub-id-type="doi">soon</article-id>', ids.content_hash("Text."))])
def test_the_record_is_the_first_identifier_there_is(tmp_path: Path, own: str, record: str) -> None:
    (document,), _ = read(tmp_path, article(ids=own))
    assert document.record == record
    assert bool(document.path) == (record == ids.content_hash("Text."))


@pytest.mark.parametrize(("dates", "expected"), [
    (('<pub-date pub-type="ppub"><month>1</month><year>2015</year></pub-date>'
     '<pub-date pub-type="epub"><day>10</day><month>2</month><year>2015</year></pub-date>'
     '<pub-date date-type="pub"><day>9</day><month>Feb</month><year>2015</year></pub-date>'), "2015-02-09"),
    (('<pub-date pub-type="pmc-release"><day>1</day><month>1</month><year>2001</year></pub-date>'
     "<pub-date><season>Spring</season><year>2003</year></pub-date>"), "2003"),
    ("<pub-date><month>13</month><year>2003</year></pub-date>", "2003"), ("", None),
    ('<history><date><day>1</day><month>1</month><year>2000</year></date></history>', None)])
def test_the_date_is_the_earliest_whole_one(dates: str, expected: str | None) -> None:
    assert jats_meta.published(meta(dates)) == expected


@pytest.mark.parametrize(("permissions", "licence", "level"), [
    ('<license xlink:href="http://creativecommons.org/licenses/by/4.0/"><license-p>Any use.</license-p></license>',
     "http://creativecommons.org/licenses/by/4.0/", "0"),
    (('<license><license-p>See <ext-link xlink:href="https://creativecommons.org/licenses/by-nc-nd/4.0/">it</ext-link>'
      "</license-p></license>"), "https://creativecommons.org/licenses/by-nc-nd/4.0/", "2"),
    ('<license xlink:href="https://creativecommons.org/licenses/by-sa/3.0/"/>',
     "https://creativecommons.org/licenses/by-sa/3.0/", "1"),
    ("<license><p>Under the Creative Commons Attribution License.</p></license>",
     "Under the Creative Commons Attribution License.", "0"),
    ("<copyright-statement>All rights reserved</copyright-statement>", "All rights reserved", "3")])
def test_licences_and_what_they_restrict(permissions: str, licence: str, level: str) -> None:
    found = jats_meta.licence(meta(f"<permissions>{permissions}</permissions>"))
    assert {name: found[name] for name in ("licence", "restriction")} == {"licence": licence, "restriction": level}
    assert found.get("licence_text", "") == ("Any use." if "Any use" in permissions else
                                             "See it" if "See <ext" in permissions else "")


def test_one_bad_file_does_not_stop_the_others(tmp_path: Path) -> None:
    whole = article(ids="<article-id pub-id-type='doi'>10.1/z</article-id>")
    bad: list[tuple[str | bytes, str]] = [
        (b"", "GKB-402"), (whole[:-40], "GKB-404"), (gzip.compress(whole.encode())[:-9], "GKB-404"),
        (whole.replace("Text", "M\xe9").encode("latin-1"), "GKB-403"), ("no markup", "GKB-405"),
        ("<PubmedArticleSet><PubmedArticle/></PubmedArticleSet>", "GKB-405"), (article("<fig/>"), "GKB-408"),
        ("<article><front/></article>", "GKB-405"), (whole, ""), (whole, "GKB-411")]
    documents, report = read(tmp_path, *(text for text, _ in bad))
    assert [d.record for d in documents] == ["10.1/z"]
    assert [(Path(e.file).name, e.code) for e in report.examples] == \
        [(f"{n}.xml", code) for n, (_, code) in enumerate(bad) if code]


def test_nothing_taken_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"GKB-405.*PubmedArticleSet, not a JATS article"):
        read(tmp_path, "<PubmedArticleSet/>")


@pytest.mark.parametrize("subset", [
    '<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">',
    '<!ENTITY c SYSTEM "file:///etc/hostname">', '<!ENTITY % c SYSTEM "http://192.0.2.1/x.dtd"> %c;'])
def test_declared_entities_are_refused(tmp_path: Path, subset: str) -> None:
    for comment in ("", "<!-- <a> -->"):
        with pytest.raises(InputError, match=r"GKB-40[45]"):
            read(tmp_path, article("<p>&c;</p>", prolog=f"{comment}<!DOCTYPE article [{subset}]>\n"))


def test_known_entities_become_characters_and_others_stay_and_are_told(tmp_path: Path) -> None:
    prolog = '<!DOCTYPE article PUBLIC "-//NLM//DTD X//EN" "http://192.0.2.1/x.dtd">\n'
    (document,), report = read(tmp_path, article("<p>5&nbsp;&plusmn;&thinsp;2 &lsqb;<bold>a</bold>&minus;b&odd;</p>",
                                                 prolog=prolog))
    assert document.text == "5 ± 2 [a−b&odd;"
    assert report.notes == [f"{tmp_path / '0.xml'}: entities left as they are: odd"]


def test_deep_nesting_and_size_are_bounded(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="GKB-405"):
        read(tmp_path, article("<sec>" * 20_000 + "<p>x</p>" + "</sec>" * 20_000))
    (tmp_path / "0.xml").write_text(article("<p>" + "x" * 5000 + "</p>"))
    with pytest.raises(InputError, match="GKB-410"):
        list(jats.JatsSource([tmp_path], max_bytes=4000).documents(ReadReport()))


def test_all_shared_articles_are_read(shared_data: Path) -> None:
    report = ReadReport()
    documents = list(jats.JatsSource([shared_data / "jats"]).documents(report))
    assert len(documents) == 119
    assert [(Path(e.file).name, e.code) for e in report.examples] == [("pubmed-29768149.xml", "GKB-405")]
    assert len({d.record for d in documents}) == 119
    assert all(d.published and d.title and d.identifiers["doi"] == d.record for d in documents)
    for document in documents:
        edges = [edge for s in document.sections for edge in (s.start, s.end)]
        assert edges == sorted(edges)
        assert not set(document.text) & set("\x01\x02\x03\x04\x05\x06\x07")
