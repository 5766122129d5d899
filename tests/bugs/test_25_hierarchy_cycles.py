"""A vocabulary's hierarchy has cycles: loaded and counted, no error.

https://github.com/RTXteam/RTX-KG2/issues/63, https://github.com/CogStack/MedCAT/pull/322
"""

from __future__ import annotations

from pathlib import Path

from graphkb.config import Settings
from graphkb.model.records import ReadReport
from ingestion.vocabulary import load_vocabulary
from tests.helpers import vocabulary as h

A, B, C, D = "C9000001", "C9000002", "C9000003", "C9000004"


def test_a_cycle_is_loaded_and_counted(tmp_path: Path) -> None:
    h.write_meta(tmp_path, MRCONSO=[h.atom(c, f"A{c}", "X", c, c) for c in (A, B, C, D)],
                 MRREL=[h.relation(A, "PAR", B), h.relation(B, "PAR", A), h.relation(C, "PAR", A),
                        h.relation(C, "PAR", D)])
    graph = h.MemoryGraph()
    report = ReadReport()
    counts = load_vocabulary(graph, tmp_path, settings=Settings(), report=report)
    assert counts.cycles == 1
    assert report.rejected.total() == 0
    assert graph.relations() == {(A, "ISA", "isa", B), (B, "ISA", "isa", A), (C, "ISA", "isa", A),
                                 (C, "ISA", "isa", D)}
    again = load_vocabulary(graph, tmp_path, settings=Settings(), report=ReadReport())
    assert (again.changed, again.cycles) == (0, 1)
