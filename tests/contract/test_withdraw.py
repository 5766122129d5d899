"""A source vocabulary withdrawn: the graph is as if it had never been loaded."""

from __future__ import annotations

from pathlib import Path

import pytest

import ingestion.withdraw
from graphkb.config import Settings
from graphkb.model.records import ReadReport
from graphkb.store import Store
from graphkb.store.fingerprint import fingerprint
from ingestion.vocabulary import load_vocabulary
from ingestion.withdraw import withdraw_source
from tests.helpers import vocabulary as h
from tests.servers import raw

A, B, C, D = "C9000001", "C9000002", "C9000003", "C9000004"


def write(folder: Path) -> Path:
    return h.write_meta(
        folder,
        MRCONSO=[h.atom(A, "A1", "KEEP", "1", "hypertension"), h.atom(A, "A2", "GO", "I10", "Hypertension, essential"),
                 h.atom(B, "A3", "GO", "I11", "heart failure"), h.atom(C, "A4", "KEEP", "2", "vascular disease"),
                 h.atom(C, "A5", "GO", "X", "shared"), h.atom(D, "A6", "GO", "X", "shared too"),
                 h.atom(C, "A7", "OTHER", "NDCISH", "a tablet")],
        MRSTY=[h.semantic_type(A, "T047"), h.semantic_type(B, "T047"), h.semantic_type(C, "T047")],
        MRDEF=[h.definition(A, "A2", "Of the one that goes.", "GO"), h.definition(C, "A4", "Of vessels.", "KEEP")],
        MRREL=[h.relation(A, "PAR", C, sab="KEEP"), h.relation(A, "PAR", C, sab="GO"),
               h.relation(B, "PAR", C, sab="KEEP"), h.relation(A, "RO", C, "tickles", "GO")],
        MRSAT=[f"{A}|||A2|AUI|I10|AT1||NDC|GO|00071015523|N||", f"{C}|||A7|AUI|1|AT2||NDC|OTHER|00071015523|N||"],
        MRCUI=[f"C0000001|2024AA|SY|||{A}|Y|", f"C0000002|2024AA|SY|||{B}|Y|"],
        MRSAB=[h.vocabulary("GO", sver="1", imeta="2026AA"), h.vocabulary("KEEP")])


def load(store: Store, folder: Path, **ingest: object) -> None:
    load_vocabulary(store, folder, settings=Settings.model_validate({"ingest": ingest}), report=ReadReport())


def test_as_if_it_had_never_been_loaded(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ingestion.withdraw, "CODES_PER_TRANSACTION", 2)
    folder = write(tmp_path)
    load(store, folder, umls_exclude_sources=["GO"])
    without = fingerprint(store)
    load(store, folder)
    assert fingerprint(store) != without
    before = raw(store, "MATCH (m:Meta {key: 'meta:lexicon:public'}) RETURN m.generation AS n")[0]["n"]
    gone = withdraw_source(store, "GO", Settings())
    assert (gone.sources, gone.codes, gone.relations, gone.concepts, gone.waiting) == (1, 4, 2, 2, 0)
    assert fingerprint(store) == without
    assert raw(store, "MATCH (m:Meta {key: 'meta:lexicon:public'}) RETURN m.generation AS n")[0]["n"] > before
    assert withdraw_source(store, "GO", Settings()).changed == 0
    assert withdraw_source(store, "NEVER", Settings()).changed == 0


def test_a_concept_that_is_referred_to_waits_for_linking(store: Store, tmp_path: Path) -> None:
    load(store, write(tmp_path))
    raw(store, f"MATCH (c:Concept {{key: '{B}'}}) CREATE (m:Mention {{key: 'men:1', scope: 'public', document: 'd'}})"
               "-[:REFERS_TO]->(c)")
    gone = withdraw_source(store, "GO", Settings())
    assert (gone.concepts, gone.waiting) == (1, 1)
    (row,) = raw(store, f"MATCH (c:Concept {{key: '{B}'}}) RETURN c.local AS local, c.search_text AS text")
    assert (row["local"], row["text"]) == (True, "")
    assert raw(store, f"MATCH (:Concept {{key: '{B}'}})-[e]-(:Concept) RETURN count(e) AS n")[0]["n"] == 0
