"""The demo's corpus, killed at random writes, in some the database as well: resumed, it is the uninterrupted graph.

Vectors are made, too: they are the slow part of a run, so most real kills meet them.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from graphkb.kb import KnowledgeBase
from graphkb.store import embedded
from graphkb.store.fingerprint import fingerprint
from graphkb.store.locks import FileLock
from tests.conftest import ROOT
from tests.helpers import killed
from tests.servers import raw, wipe

# a whole ingestion, a part of one and the rest of it: minutes on a busy machine
pytestmark = pytest.mark.timeout(900)
CLIENT = Path(killed.__file__)
SAMPLE = ROOT / "examples" / "sample"
PARTS = ("textbook", "articles", "mimic", "notes")


@dataclass
class Bench:
    """The sample's vocabulary in a store, and what an uninterrupted ingestion of the rest makes of it."""

    data_dir: Path
    folder: Path
    writes: int = 0
    whole: str = ""
    documents: int = 0

    def empty(self) -> None:
        """Leave the vocabulary alone: it takes as long as all the rest."""
        with KnowledgeBase(killed.settings(self.data_dir)) as kb:
            for label in ("Mention", "Statement", "Chunk", "Document", "Encounter", "Patient", "Dirty", "Run"):
                raw(kb.store, f"MATCH (n:{label}) DETACH DELETE n")
            raw(kb.store, "MATCH (n:Concept) WHERE n.local = true DETACH DELETE n")
            raw(kb.store, "MATCH (s:Source) WHERE NOT EXISTS { (s)<-[:FROM]-() } DETACH DELETE s")
            raw(kb.store, "MATCH (a:Concept)-[e]->(:Concept) WHERE e.sab = 'TEXT' DELETE e")
            for scope in ("public", "local"):
                kb.store.write("bump_generation", key=f"meta:lexicon:{scope}")
            kb.store.write("bump_generation", key="meta:graph")

    def client(self, number: int, moment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, str(CLIENT), str(self.data_dir), str(self.folder), str(number), moment],
                              capture_output=True, text=True, timeout=280)


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    place = tmp_path_factory.mktemp("demo-corpus")
    folder = place / "sample"
    folder.mkdir()
    for part in PARTS:
        (folder / part).symlink_to(SAMPLE / part)
    settings = killed.settings(place / "kb")
    made = Bench(place / "kb", folder)
    with KnowledgeBase(settings) as kb:
        wipe(kb.store)
        kb.ingest_vocabulary(SAMPLE / "umls" / "META")
    done = made.client(0, "before")
    assert done.returncode == 0, done.stderr
    made.writes = int(done.stdout.splitlines()[-1])
    with KnowledgeBase(settings) as kb:
        made.whole = fingerprint(kb.store)
        made.documents = kb.status()["nodes"]["Document"]
    yield made
    embedded.stop(settings)


def kill_and_resume(bench: Bench, number: int, moment: str, *, store_too: bool) -> None:
    bench.empty()
    settings = killed.settings(bench.data_dir)
    done = bench.client(number, moment)
    assert done.returncode == -signal.SIGKILL, (number, moment, done.stderr)
    if store_too:
        os.kill(embedded.start(settings).pid, signal.SIGKILL)
        owner = FileLock(embedded.folder(settings) / "owner.lock")
        while owner.held_by_another():  # a process takes its time to die
            time.sleep(0.01)
    with KnowledgeBase(settings) as kb:
        committed = kb.status()["nodes"]["Document"]
        runs = kb.status()["runs"]
        # the last run may have been through before the next one began
        assert [run["state"] for run in runs[1:]] == ["done"] * len(runs[1:]), (number, moment)
        reports = killed.ingest(kb, bench.folder)
        counted = sum((report.documents for report in reports), start=type(reports[0].documents)())
        assert counted["unchanged"] == committed, (number, moment, "what was whole is not done again")
        assert counted["created"] == bench.documents - committed
        assert fingerprint(kb.store) == bench.whole, (number, moment)
        assert kb.check() == []


def points(bench: Bench, many: int) -> list[tuple[int, str, bool]]:
    """Return where to kill; every tenth time the database dies, too."""
    order = random.Random(20261201)
    return [(order.randrange(1, bench.writes + 1), order.choice(["before", "after"]), n % 10 == 0) for n in range(many)]


def test_killed_at_a_sampled_point(bench: Bench) -> None:
    for number, moment, store_too in points(bench, 1):
        kill_and_resume(bench, number, moment, store_too=store_too)


@pytest.mark.full
@pytest.mark.timeout(14_000)
def test_killed_at_two_hundred_points(bench: Bench) -> None:
    for number, moment, store_too in points(bench, 200):
        kill_and_resume(bench, number, moment, store_too=store_too)
