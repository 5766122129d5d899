"""T13: huge inputs: a stated limit that can be raised, and memory that does not grow with the number of documents."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphkb import config
from graphkb.kb import KnowledgeBase
from graphkb.store import embedded
from ingestion.sources import TextSource
from tests.conftest import ROOT

WORDS = ("patient", "fever", "cough", "aspirin", "renal", "failure", "stable", "discharge", "daily", "dose", "normal",
         "history", "denies", "chest", "pain", "hypertension", "insulin", "plan", "follow", "clinic")
# takes texts with vectors deferred; prints its peak of resident memory (MB) after each quarter
CLIENT = """
import json, resource, sys
from pathlib import Path
from graphkb import config
from graphkb.kb import KnowledgeBase
from ingestion.sources import TextSource
data, texts, total = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
peaks = []
def progress(what, done, _total):
    if what == "documents" and done >= total * (len(peaks) + 1) // 4:
        peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
with KnowledgeBase(config.load(environ={}, data_dir=data, chunk__threshold="none")) as kb:
    report = kb.ingest(TextSource([texts]), vectors=False, progress=progress)
    peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
    print(json.dumps({"created": report.documents["created"], "peaks": peaks}))
"""


def text_of(seed: int, size: int) -> str:
    order = random.Random(seed)
    sentences = []
    length = 0
    while length < size:
        sentence = f"{' '.join(order.choices(WORDS, k=12)).capitalize()} {order.randrange(10**6)}.\n"
        sentences.append(sentence)
        length += len(sentence)
    return "".join(sentences)


@pytest.fixture
def settings(tmp_path: Path) -> Iterator[config.Settings]:
    made = config.load(environ={}, data_dir=tmp_path / "kb", chunk__threshold="none")
    yield made
    embedded.stop(made)


def peaks(settings: config.Settings, folder: Path, many: int, size: int) -> list[int]:
    folder.mkdir()
    for number in range(many):
        (folder / f"{number}.txt").write_text(text_of(number, size))
    done = subprocess.run([sys.executable, "-c", CLIENT, str(settings.data_dir), str(folder), str(many)], cwd=ROOT,
                          capture_output=True, text=True, timeout=6000)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout.splitlines()[-1])
    assert result["created"] == many
    found: list[int] = result["peaks"]
    return found


def test_memory_is_flat(settings: config.Settings, tmp_path: Path) -> None:
    found = peaks(settings, tmp_path / "texts", 80, 50_000)
    assert found[-1] <= 1500
    assert found[-1] - found[0] <= 150, found


@pytest.mark.full
@pytest.mark.timeout(7000)
def test_memory_is_flat_over_ten_thousand(settings: config.Settings, tmp_path: Path) -> None:
    found = peaks(settings, tmp_path / "texts", 10_000, 100_000)
    assert found[-1] <= 1500
    assert found[-1] - found[0] <= 150, found


def test_a_note_over_the_limit_is_refused(settings: config.Settings, tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_bytes(b"Fever. " * 8_000_000)
    (tmp_path / "small.txt").write_text("Aspirin treats headache.")
    with KnowledgeBase(settings) as kb:
        report = kb.ingest(TextSource([note, tmp_path / "small.txt"], max_bytes=settings.ingest.max_document_bytes))
        assert report.state == "partial"
        assert report.documents["created"] == 1
        assert [(r.code, Path(r.file).name) for r in [*report.rejections, *report.read.examples]] == [
            ("GKB-410", "note.txt")]


@pytest.mark.full
@pytest.mark.timeout(3000)
def test_it_is_taken_when_the_limit_is_raised(settings: config.Settings, tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_text(text_of(1, 50_000_000))
    raised = settings.model_copy(update={"ingest": settings.ingest.model_copy(
        update={"max_document_bytes": 60_000_000})})
    with KnowledgeBase(raised) as kb:
        report = kb.ingest(TextSource([note], max_bytes=60_000_000), vectors=False)
        assert dict(report.documents) == {"created": 1}
        assert kb.check() == []
