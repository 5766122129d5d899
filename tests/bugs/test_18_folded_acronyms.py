"""Public bug 18: case folding turns ALL (a leukaemia) into the word "all" of every note."""

from __future__ import annotations

from pathlib import Path

from ingestion import sections
from ingestion.lexicon import Name, build

TEXT = "All meds continued as before; pt can walk. PMH: ALL, AS."


def test_nothing_from_the_sentence_two_mentions_from_the_history(tmp_path: Path) -> None:
    names = [Name("ALL", "C0023449", ("T191",), "DISO", rank=1), Name("All", "C0444868", ("T033",), "DISO"),
             Name("AS", "C0003507", ("T047",), "DISO", rank=1), Name("AS", "C0038013", ("T047",), "DISO", rank=2),
             Name("CAN", "C9000338", ("T047",), "DISO", rank=1), Name("PT", "C1", ("T047",), "DISO", rank=1),
             Name("FACE", "C9000405", ("T047",), "DISO", rank=1), Name("Lead", "C2", ("T103",), "CHEM")]
    lexicon = build(names, tmp_path / "lexicon")
    found = lexicon.find(TEXT, sections.split(TEXT))
    assert [(TEXT[m.start:m.end], m.ambiguous) for m in found] == [("ALL", False), ("AS", True)]
    assert [link.concept for link in found[0].candidates] == ["C0023449"]
    assert [link.concept for link in found[1].candidates] == ["C0003507", "C0038013"]
    assert sum(link.score for link in found[1].candidates) <= 1
    assert lexicon.find("They lead us; face to face, she can do it all as well.") == []
