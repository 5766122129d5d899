"""https://github.com/titipata/pubmed_parser/pull/177: a descendant search took a reference's DOI; a pii erased ours."""

from __future__ import annotations

from pathlib import Path

from graphkb.model.records import ReadReport
from ingestion.sources.medline import MedlineSource

ONE = """<PubmedArticle><MedlineCitation><PMID Version="1">1</PMID><Article><ArticleTitle>One.</ArticleTitle></Article>
</MedlineCitation><PubmedData><ArticleIdList><ArticleId IdType="pubmed">1</ArticleId>
<ArticleId IdType="doi">10.1/a</ArticleId><ArticleId IdType="pii">S1</ArticleId></ArticleIdList><ReferenceList>
<Reference><ArticleIdList><ArticleId IdType="doi">10.1/b</ArticleId><ArticleId IdType="pubmed">2</ArticleId>
</ArticleIdList></Reference></ReferenceList></PubmedData></PubmedArticle>"""
TWO = """<PubmedArticle><MedlineCitation><PMID Version="1">2</PMID><Article><ArticleTitle>Two.</ArticleTitle></Article>
</MedlineCitation><PubmedData><ArticleIdList><ArticleId IdType="doi">10.1/b</ArticleId></ArticleIdList></PubmedData>
</PubmedArticle>"""


def test_a_references_identifiers_are_not_the_articles(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(f"<PubmedArticleSet>{ONE}{TWO}</PubmedArticleSet>")
    documents = list(MedlineSource([tmp_path]).documents(ReadReport()))
    assert [(d.record, d.identifiers) for d in documents] == \
        [("1", {"pmid": "1", "doi": "10.1/a"}), ("2", {"pmid": "2", "doi": "10.1/b"})]
    assert documents[0].properties["cites"] == ["doi:10.1/b", "pmid:2"]
