"""Worker processes: the same graph, errors that come home, and a document that kills its worker."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from graphkb.errors import IngestError, InputError
from graphkb.model import Prepared, SourceDocument, SourceInfo
from ingestion import workers


def _document(record: str) -> SourceDocument:
    return SourceDocument(SourceInfo("files", "1"), record, record, f"Text of {record}.", "literature", "text")


def prepare(document: SourceDocument, scope: str, version: str) -> Prepared:
    """Stand in for the real work, with the ways in which it can end."""
    if document.record == "killer":
        os._exit(9)
    if document.record == "wrong":
        raise InputError("GKB-408", where="wrong")
    return Prepared(document, document.record, scope, version, version, "")


def no_parts(_settings: object) -> None:
    """Open nothing."""


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> workers.Workers:
    from graphkb import config

    monkeypatch.setattr(workers, "_open", no_parts)
    monkeypatch.setattr(workers, "_prepare", prepare)
    return workers.Workers(config.load(None, data_dir=tmp_path), "v", 2)


def test_results_come_in_order_and_one_killer_is_rejected(pool: workers.Workers) -> None:
    with pool:
        jobs = [pool.submit(_document(name), "public") for name in ("a", "killer", "b", "wrong", "c")]
        seen = []
        for job in jobs:
            try:
                seen.append(pool.result(job, "public").key)
            except (IngestError, InputError) as error:
                seen.append(error.code)
    assert seen == ["a", "GKB-606", "b", "GKB-408", "c"]
