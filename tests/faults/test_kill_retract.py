"""A retraction that is killed is finished by the same command: one receipt, true counts, nothing left."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphkb.kb import KnowledgeBase
from graphkb.store import embedded
from graphkb.store.fingerprint import fingerprint
from ingestion.retraction import pending, receipts, verify
from ingestion.sources import TextSource
from tests.helpers import corpus as c
from tests.helpers import killed, killed_retraction
from tests.servers import wipe

CLIENT = Path(killed_retraction.__file__)
DOCUMENTS = 50


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("killed")
    (folder / "texts").mkdir()
    for n in range(DOCUMENTS):
        (folder / "texts" / f"{n:02}.md").write_text(
            f"---\nsource: Reports\nversion: 1\n---\nReport {n}. Lisinopril treats hypertension. "
            "Aspirin treats headache.")
    with KnowledgeBase(killed.settings(folder / "kb")) as kb:
        wipe(kb.store)
        kb.ingest_vocabulary(c.write_meta(folder / "META"))
    yield folder
    embedded.stop(killed.settings(folder / "kb"))


def client(folder: Path, number: int, moment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(CLIENT), str(folder / "kb"), "Reports", str(number), moment],
                          capture_output=True, text=True, timeout=250)


def kill_and_finish(kb: KnowledgeBase, folder: Path, number: int, moment: str, empty: str) -> None:
    assert kb.ingest(TextSource([folder / "texts"]), vectors=False).documents["created"] == DOCUMENTS
    before = len(receipts(folder / "kb"))
    done = client(folder, number, moment)
    assert done.returncode == -signal.SIGKILL, (number, moment, done.stderr)
    if pending(folder / "kb"):
        assert kb.status()["runs"][0]["state"] == "interrupted", "status tells the truth"
    finished = kb.retract(source=["Reports"], reason="a test")
    assert fingerprint(kb.store) == empty, (number, moment)
    assert finished.receipt is not None
    assert finished.receipt.removed["nodes"]["Document"] == DOCUMENTS, "what went before the kill is counted, once"
    assert len(receipts(folder / "kb")) == before + 1
    assert verify(kb.store, folder / "kb") == []
    assert pending(folder / "kb") == []


def run(folder: Path, many: int) -> None:
    chance = random.Random(20261201)
    with KnowledgeBase(killed.settings(folder / "kb")) as kb:
        empty = fingerprint(kb.store)
        kb.ingest(TextSource([folder / "texts"]), vectors=False)
        whole = client(folder, 0, "before")
        assert whole.returncode == 0, whole.stderr
        writes = int(whole.stdout.splitlines()[-1])
        assert writes > 30
        for number in sorted(chance.sample(range(2, writes - 3), many)):
            kill_and_finish(kb, folder, number, chance.choice(["before", "after"]), empty)
        assert kb.check() == []


def test_killed_at_sampled_points(place: Path) -> None:
    run(place, 2)


@pytest.mark.full
@pytest.mark.timeout(3000)
def test_killed_at_twenty_points(place: Path) -> None:
    run(place, 20)
