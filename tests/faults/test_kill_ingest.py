"""An ingestion that is killed, or whose store is, resumes: the graph is then that of an uninterrupted run."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from graphkb.kb import KnowledgeBase
from graphkb.store import embedded
from graphkb.store.fingerprint import fingerprint
from ingestion.sources import TextSource
from tests.helpers import corpus as c
from tests.helpers import killed
from tests.servers import raw, wipe

CLIENT = Path(killed.__file__)
DOCUMENTS = 20


@dataclass
class Bench:
    """A knowledge base with a vocabulary, twenty texts, and what an uninterrupted run makes of them."""

    data_dir: Path
    texts: Path
    kb: KnowledgeBase
    meta: Path
    writes: int = 0
    whole: str = ""

    def empty(self) -> None:
        raw(self.kb.store, "MATCH (n) WHERE n:Document OR n:Chunk OR n:Mention OR n:Statement OR n:Dirty OR n:Run "
                           "OR (n:Source AND n.name = 'files') DETACH DELETE n")
        raw(self.kb.store, "MATCH (:Concept)-[e:TREATS {sab: 'TEXT'}]->(:Concept) DELETE e")
        self.kb.store.write("bump_generation", key="meta:graph")

    def client(self, number: int, moment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, str(CLIENT), str(self.data_dir), str(self.texts), str(number), moment],
                              capture_output=True, text=True, timeout=250)

    def resume(self) -> dict[str, int]:
        report = self.kb.ingest(TextSource([self.texts]), command="ingest text")
        assert report.state == "done"
        return dict(report.documents)

    def check(self) -> None:
        assert fingerprint(self.kb.store) == self.whole
        assert self.kb.check() == []


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    place = tmp_path_factory.mktemp("killed")
    texts = place / "texts"
    texts.mkdir()
    for n in range(DOCUMENTS):
        (texts / f"{n:02}.txt").write_text(f"Report {n}. Lisinopril treats hypertension. Aspirin treats headache.\n\n"
                                           f"No asthma was seen in group {n}.")
    with KnowledgeBase(killed.settings(place / "kb")) as kb:
        wipe(kb.store)
        made = Bench(place / "kb", texts, kb, c.write_meta(place / "META"))
        kb.ingest_vocabulary(made.meta)
        done = made.client(0, "before")
        assert done.returncode == 0, done.stderr
        made.writes, made.whole = int(done.stdout.splitlines()[-1]), fingerprint(kb.store)
        assert made.writes > 8 * DOCUMENTS
        yield made
    embedded.stop(killed.settings(place / "kb"))


def kill_and_resume(bench: Bench, number: int, moment: str) -> None:
    bench.empty()
    done = bench.client(number, moment)
    assert done.returncode == -signal.SIGKILL, (number, moment, done.stderr)
    committed = raw(bench.kb.store, "MATCH (d:Document) RETURN count(d) AS n")[0]["n"]
    whole = raw(bench.kb.store, "MATCH (d:Document) WHERE EXISTS { (d)<-[:PART_OF]-(:Chunk) } RETURN count(d) AS n")
    assert whole == [{"n": committed}], "a document is there with its chunks, or not at all"
    runs = bench.kb.status()["runs"]
    assert [run["state"] for run in runs] == (["interrupted"] if runs else []), (number, moment)
    assert len(runs) == 1 or number <= 3, "only before its first commit a run has left nothing"
    counted = bench.resume()
    assert counted == {name: n for name, n in (("unchanged", committed), ("created", DOCUMENTS - committed)) if n}
    bench.check()


def points(bench: Bench, many: int) -> list[tuple[int, str]]:
    order = random.Random(20261130)
    return [(order.randrange(1, bench.writes + 1), order.choice(["before", "after"])) for _ in range(many)]


def test_killed_at_sampled_points(bench: Bench) -> None:
    for number, moment in [*points(bench, 3), (bench.writes - 3, "after")]:
        kill_and_resume(bench, number, moment)


@pytest.mark.full
@pytest.mark.timeout(7000)
def test_killed_at_two_hundred_points(bench: Bench) -> None:
    for number, moment in points(bench, 200):
        kill_and_resume(bench, number, moment)


@pytest.mark.parametrize("delay_s", [0.4])
def test_the_store_is_killed_under_an_ingestion(bench: Bench, delay_s: float) -> None:
    """The client starts it again and goes on; nothing is half written, nothing is lost."""
    bench.empty()
    pid = embedded.start(killed.settings(bench.data_dir)).pid

    def strike() -> None:
        time.sleep(delay_s)
        os.kill(pid, signal.SIGKILL)

    thread = threading.Thread(target=strike)
    thread.start()
    try:
        counted = bench.resume()
    finally:
        thread.join()
    assert sum(counted.values()) == DOCUMENTS
    bench.resume()
    assert embedded.start(killed.settings(bench.data_dir)).pid != pid
    bench.check()


def test_two_processes_at_once(bench: Bench) -> None:
    bench.empty()
    command = [sys.executable, str(CLIENT), str(bench.data_dir), str(bench.texts), "0", "before"]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    ended = [process.communicate(timeout=250) for process in both]
    assert [process.returncode for process in both] == [0, 0], ended
    assert {run["state"] for run in bench.kb.status()["runs"]} == {"done"}
    assert bench.resume() == {"unchanged": DOCUMENTS}
    bench.check()
