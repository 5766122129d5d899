"""The whole sample, taken in other orders than the demo's: the same graph; and again: nothing changes."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from graphkb import config
from graphkb.kb import KnowledgeBase
from graphkb.store import embedded
from graphkb.store.fingerprint import fingerprint
from ingestion.ledger import RunReport
from ingestion.sources import JatsSource, MimicSource, TextSource
from tests.conftest import ROOT

SAMPLE = ROOT / "examples" / "sample"


def steps(kb: KnowledgeBase) -> list[Callable[[], RunReport]]:
    """The parts of the sample, the vocabulary last."""
    scope = kb.settings.scope
    return [
        lambda: kb.ingest(TextSource([SAMPLE / "notes"], tier="user"), scope=scope, vectors=False),
        lambda: kb.ingest(MimicSource(SAMPLE / "mimic"), scope=scope, vectors=False),
        lambda: kb.ingest(JatsSource([SAMPLE / "articles"]), vectors=False),
        lambda: kb.ingest(TextSource([SAMPLE / "textbook"]), vectors=False),
        lambda: kb.ingest_vocabulary(SAMPLE / "umls" / "META", vectors=False),
    ]


def taken(folder: Path, order: Callable[[list[Callable[[], RunReport]]], None]) -> str:
    settings = config.load(environ={}, data_dir=folder / "kb")
    try:
        with KnowledgeBase(settings) as kb:
            parts = steps(kb)
            order(parts)
            for part in parts:
                assert part().state == "done"
            first = fingerprint(kb.store)
            again = [part() for part in steps(kb)]
            assert {name for report in again for name, n in report.documents.items() if n} == {"unchanged"}
            assert [report.counts["relinked"] for report in again] == [0] * 5
            assert fingerprint(kb.store) == first
            return first
    finally:
        embedded.stop(settings)


def test_the_vocabulary_last_makes_the_graph_of_the_demo(sample_kb: KnowledgeBase, tmp_path: Path) -> None:
    assert taken(tmp_path, lambda parts: None) == fingerprint(sample_kb.store)


@pytest.mark.full
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("seed", range(3))
def test_shuffled_orders(sample_kb: KnowledgeBase, tmp_path: Path, seed: int) -> None:
    assert taken(tmp_path, random.Random(seed).shuffle) == fingerprint(sample_kb.store)
