"""The pipeline: what is skipped, rejected, tried again and given up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from graphkb import config
from graphkb.embed import ModelStamp
from graphkb.errors import StoreError, StoreUnavailable
from graphkb.model import Fact, Patient, ReadReport, SourceDocument, SourceInfo
from ingestion import pipeline as module
from ingestion.lexicon import Lexicon, build
from ingestion.pipeline import Pipeline
from tests.helpers.graph import ScriptedTx


class Encoder:
    stamp = ModelStamp("fake", "r1", 8, max_tokens=254)

    def token_offsets(self, text: str) -> list[tuple[int, int]]:
        return [m.span() for m in re.finditer(r"\w+|[^\w\s]", text)]

    def count_tokens(self, text: str) -> int:
        return len(self.token_offsets(text))

    def encode(self, texts: list[str]) -> Any:
        return np.ones((len(texts), 8), dtype=np.float32)


class Documents:
    name = "fake"

    def __init__(self, *documents: SourceDocument) -> None:
        self._documents = documents

    def documents(self, report: ReadReport) -> Iterator[SourceDocument]:
        for document in self._documents:
            report.keep("f")
            yield document


def document(record: str = "r", text: str = "A text.", **given: Any) -> SourceDocument:
    return SourceDocument(SourceInfo("files", ""), record, record, text, "literature", "text", **given)


@pytest.fixture(scope="module")
def lexicon(tmp_path_factory: pytest.TempPathFactory) -> Lexicon:
    return build([], tmp_path_factory.mktemp("pipeline") / "lexicon")


@pytest.fixture
def make(tmp_path: Path, lexicon: Lexicon) -> Any:
    def made(**reads: Any) -> tuple[Pipeline, ScriptedTx]:
        store = ScriptedTx(reads)
        settings = config.load(environ={}, data_dir=tmp_path, ingest__max_document_bytes=100, chunk__threshold="none")
        lexicons: Any = SimpleNamespace(get=lambda scope: lexicon)
        return Pipeline(store, settings, Encoder(), lexicons), store  # type: ignore[arg-type]

    return made


def state(store: ScriptedTx) -> str:
    *_, last = [params["rows"][0]["properties"] for name, params, _ in store.written if name == "put_runs"]
    return str(last["state"])


def test_the_version_is_the_content() -> None:
    fact = Fact("PRESCRIBED", "p:1", "a", properties={"x": 1, "y": 2})
    versions = [Pipeline.version_of(d) for d in (
        document(), document(path="/elsewhere"), document(text="Another."),
        document(facts=(fact,)), document(facts=(Fact("PRESCRIBED", "p:1", "a", properties={"y": 2, "x": 1}),)),
        document(facts=(Fact("PRESCRIBED", "p:1", "a", properties={"x": 1}),)), document(patient=Patient("1")))]
    assert versions[0] == versions[1], "a path is no content"
    assert versions[3] == versions[4], "the order of properties is none"
    assert len(set(versions)) == 5


def test_a_document_over_the_limit_is_rejected_and_the_rest_goes_on(make: Any) -> None:
    pipeline, store = make()
    report = pipeline.ingest(Documents(document("a", "x" * 101), document("b")), "public", "c")
    assert dict(report.documents) == {"rejected": 1, "created": 1}
    assert [(r.file, r.code) for r in report.rejections] == [("a", "GKB-410")]
    assert (report.state, state(store)) == ("partial", "partial")


def test_what_is_there_is_skipped_and_its_path_follows(make: Any) -> None:
    pipeline, _ = make()
    old = document(path="/new/a.txt")
    key = pipeline.key_of(old, "public")
    pipeline, store = make(list_document_states=[{
        "key": key, "pipeline": pipeline.version, "paths": ["/old/a.txt"], "files": None, "superseded_by": None}])
    assert dict(pipeline.ingest(Documents(old), "public", "c").documents) == {"unchanged": 1}
    (moved,) = [params for name, params, _ in store.written if name == "mark_documents"]
    assert moved == {"documents": [key], "values": {"path": "/new/a.txt", "paths": None, "files": None}}
    assert "create_document" not in store.names


def test_a_relative_path_is_stored_absolute(make: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    pipeline, store = make()
    pipeline.ingest(Documents(document(path="notes/a.txt")), "public", "c")
    assert store.rows("create_document")[0]["properties"]["path"] == str(tmp_path / "notes" / "a.txt")


def test_what_lost_an_end_is_made_ready_once_more(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    def write(store: Any, prepared: Any, run: str) -> str:
        calls.append(prepared.document.record)
        if calls.count(prepared.document.record) == 1:
            raise StoreError("GKB-211")
        return "created"

    monkeypatch.setattr(module, "write_document", write)
    pipeline, _ = make()
    assert dict(pipeline.ingest(Documents(document("a")), "public", "c").documents) == {"created": 1}
    assert calls == ["a", "a"]
    monkeypatch.setattr(module, "write_document", lambda *_: (_ for _ in ()).throw(StoreError("GKB-211")))
    with pytest.raises(StoreError, match="GKB-211"):
        pipeline.ingest(Documents(document("b")), "public", "c")


def test_a_store_that_went_ends_the_run_and_what_waits_is_not_begun(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []

    def write(store: Any, prepared: Any, run: str) -> str:
        tried.append(prepared.document.record)
        raise StoreUnavailable("GKB-201")

    monkeypatch.setattr(module, "write_document", write)
    pipeline, store = make()
    with pytest.raises(StoreUnavailable):
        pipeline.ingest(Documents(*(document(str(n)) for n in range(200))), "public", "c")
    assert len(tried) < 20
    assert state(store) == "failed"


def test_the_run_ends_after_what_belongs_to_it(make: Any) -> None:
    pipeline, store = make()
    seen: list[str] = []
    pipeline.ingest(Documents(document()), "public", "c", finish=lambda report: seen.append(state(store)))
    assert (seen, state(store)) == (["running"], "done")
