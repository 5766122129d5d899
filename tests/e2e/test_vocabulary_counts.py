"""What the graph holds after a load equals what an independent reading of the files says."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphkb.config import Settings
from graphkb.model.records import ReadReport
from graphkb.store import open_store
from ingestion.vocabulary import load_vocabulary
from tests.servers import raw

# (REL, RELA) -> whether the row is the one of its pair that reads CUI2 -> CUI1 in the direction that is stored
FORWARD = {"isa": "ISA", "has_manifestation": "HAS_PHENOTYPE", "may_treat": "TREATS", "may_palliate": "TREATS"}


def rows(folder: Path, table: str) -> list[list[str]]:
    text = (folder / f"{table}.RRF").read_text(encoding="utf-8")
    return [line.split("|") for line in text.split("\n") if line]


@pytest.mark.timeout(280)
def test_small_meta(shared_data: Path, embedded_settings: Settings) -> None:
    folder = shared_data / "mini_umls_open" / "small_META"
    atoms = rows(folder, "MRCONSO")
    relations = rows(folder, "MRREL")
    triples = {(f[4], FORWARD[f[7]], f[7], f[0], f[10]) for f in relations if f[7] in FORWARD}
    assert 2 * len(triples) == len(relations)
    store = open_store(embedded_settings)
    try:
        store.migrate()
        report = ReadReport()
        counts = load_vocabulary(store, folder, settings=embedded_settings, report=report)
        assert report.balanced()
        assert report.rejected.total() == 0
        assert dict(report.rows_in) == {f"{table}.RRF": len(rows(folder, table))
                                        for table in ("MRCONSO", "MRSTY", "MRDEF", "MRREL", "MRSAB")}
        codes = {(f[11], f[13]) for f in atoms}
        assert counts.created == {"sources": len({f[11] for f in atoms}), "concepts": len({f[0] for f in atoms}),
                                  "codes": len(codes), "code_links": len({(f[0], f[11], f[13]) for f in atoms}),
                                  "relations": len(triples)}
        found = {(row["a"], row["t"], row["p"], row["b"], row["s"]) for row in raw(
            store, "MATCH (a:Concept)-[e]->(b:Concept) "
                   "RETURN a.key AS a, type(e) AS t, e.predicate AS p, b.key AS b, e.sab AS s")}
        assert found == triples
        named = {(row["k"], n) for row in raw(store, "MATCH (k:Code) RETURN k.curie AS k, k.names AS n")
                 for n in row["n"]}
        assert named == {(f"{f[11]}:{f[13]}", f[14]) for f in atoms}
        typed = {(row["c"], t) for row in raw(store, "MATCH (c:Concept) RETURN c.key AS c, c.semantic_types AS t")
                 for t in row["t"] or ()}
        assert typed == {(f[0], f[1]) for f in rows(folder, "MRSTY")}
        defined = raw(store, "MATCH (c:Concept) WHERE c.definition <> '' RETURN count(c) AS n")[0]["n"]
        assert defined == len({f[0] for f in rows(folder, "MRDEF")})
        again = load_vocabulary(store, folder, settings=embedded_settings, report=ReadReport())
        assert again.changed == 0
    finally:
        store.close()
