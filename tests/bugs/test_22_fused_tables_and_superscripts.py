"""https://github.com/cyanheads/pubmed-mcp-server/issues/111: cells and superscripts ran together to new numbers."""

from __future__ import annotations

from pathlib import Path

from graphkb.model.records import ReadReport
from ingestion.sources.jats import JatsSource

ARTICLE = """<article><front><article-meta><article-id pub-id-type="doi">10.1/a</article-id></article-meta></front>
<body><p>Dose<table-wrap><table><tr><td>12</td><td>5</td></tr></table></table-wrap> 10<sup>-3</sup>
aspirin<xref><sup>4</sup></xref></p></body>
<floats-group><table-wrap><label>Table 2</label><table><tr><th>INR</th><td>2</td><td>3</td></tr></table>
</table-wrap></floats-group><sub-article article-type="reviewer-report"><front-stub><article-id pub-id-type="doi">10.1/r
</article-id></front-stub><body><p>Reviewer text.</p></body></sub-article></article>"""


def test_numbers_are_those_of_the_article(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(ARTICLE)
    report = ReadReport()
    (document,) = JatsSource([tmp_path]).documents(report)
    assert document.text == "Dose\n\n12 | 5\n\n10^-3 aspirin [4]\n\nINR | 2 | 3"
    assert [s.name for s in document.sections] == ["Table", "Table 2"]
    assert (document.record, document.text.count("Reviewer")) == ("10.1/a", 0)
    assert report.notes == ["left out, for they are not the article: 1 reviewer-report"]
