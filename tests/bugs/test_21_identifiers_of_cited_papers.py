"""https://github.com/TranslatorSRI/pubmed2db/issues/34: a cited paper's DOI was taken for the article's own."""

from __future__ import annotations

from pathlib import Path

from graphkb.model.records import ReadReport
from ingestion.sources.jats import JatsSource

FIRST = """<article><front><article-meta><article-id pub-id-type="pmid">1</article-id>
<article-id pub-id-type="doi">10.1/a</article-id><article-id pub-id-type="pii">S1</article-id>
<related-article><article-id pub-id-type="doi">10.1/c</article-id></related-article>
</article-meta></front><body><p>One.</p></body><back><ref-list><ref><element-citation>
<pub-id pub-id-type="doi">10.1/b</pub-id><article-id pub-id-type="doi">10.1/b</article-id></element-citation></ref>
</ref-list></back></article>"""
SECOND = """<article><front><article-meta><article-id pub-id-type="doi">10.1/b</article-id>
<article-id pub-id-type="pmid">2</article-id></article-meta></front><body><p>Two.</p></body></article>"""


def test_each_article_has_its_own_identifiers(tmp_path: Path) -> None:
    (tmp_path / "1.xml").write_text(FIRST)
    (tmp_path / "2.xml").write_text(SECOND)
    documents = list(JatsSource([tmp_path]).documents(ReadReport()))
    assert [(d.record, d.identifiers["doi"], d.identifiers["pmid"], d.text) for d in documents] == \
        [("10.1/a", "10.1/a", "1", "One."), ("10.1/b", "10.1/b", "2", "Two.")]
