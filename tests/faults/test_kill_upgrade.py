"""An upgrade or a rollback that is killed anywhere: the same command ends in the graph of an uninterrupted one."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from graphkb.kb import KnowledgeBase
from graphkb.store import embedded
from graphkb.store.fingerprint import fingerprint
from ingestion.sources import TextSource
from ingestion.upgrade import plan
from tests.helpers import killed, killed_upgrade
from tests.helpers import releases as r
from tests.servers import raw

CLIENT = Path(killed_upgrade.__file__)


@dataclass
class Bench:
    """A knowledge base at a release, the next one, and what the upgrade makes of it."""

    data_dir: Path
    meta: Path
    kb: KnowledgeBase
    before: str = ""
    after: str = ""
    writes: dict[str, int] = field(default_factory=dict)

    def client(self, what: str, number: int, moment: str = "before") -> subprocess.CompletedProcess[str]:
        folder = str(self.meta) if what == "apply" else "-"
        return subprocess.run([sys.executable, str(CLIENT), str(self.data_dir), folder, str(number), moment],
                              capture_output=True, text=True, timeout=250)

    def apply(self) -> None:
        self.kb.upgrade_vocabulary(self.meta, dry_run=False, vectors=False)
        assert fingerprint(self.kb.store) == self.after

    def back(self) -> None:
        self.kb.roll_back_vocabulary(vectors=False)
        assert fingerprint(self.kb.store) == self.before

    def back_if_any(self) -> None:
        """Take back what a killed client left: nothing where that was before its first commit or after its last."""
        if raw(self.kb.store, "MATCH (m:Meta {key: 'meta:upgrade'}) RETURN m.key AS key"):
            self.back()
        assert fingerprint(self.kb.store) == self.before

    def killed(self, what: str, number: int, moment: str) -> None:
        done = self.client(what, number, moment)
        assert done.returncode == -signal.SIGKILL, (what, number, moment, done.stderr)


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    place = tmp_path_factory.mktemp("killed-upgrade")
    rows, plan.MOST_ROWS = plan.MOST_ROWS, killed_upgrade.ROWS
    with KnowledgeBase(killed.settings(place / "kb")) as kb:
        made = Bench(place / "kb", r.second(place / "second"), kb)
        kb.ingest_vocabulary(r.first(place / "first"), vectors=False)
        kb.ingest(TextSource([r.texts(place / "texts")]), command="ingest text", vectors=False)
        made.before = fingerprint(kb.store)
        for what in ("apply", "back"):
            done = made.client(what, 0)
            assert done.returncode == 0, done.stderr
            made.writes[what] = int(done.stdout.splitlines()[-1])
            if what == "apply":
                made.after = fingerprint(kb.store)
        assert fingerprint(kb.store) == made.before != made.after
        yield made
    plan.MOST_ROWS = rows
    embedded.stop(killed.settings(place / "kb"))


def kill_one(bench: Bench, what: str, number: int, moment: str) -> None:
    """From the first release: killed while it is applied (and then finished, or taken back), or while taken back."""
    if what == "apply":
        bench.killed("apply", number, moment)
        bench.apply()
        bench.back()
        bench.killed("apply", number, moment)
        bench.back_if_any()
    else:
        bench.apply()
        bench.killed("back", number, moment)
        bench.back_if_any()


def points(bench: Bench, what: str, many: int) -> list[tuple[int, str]]:
    order = random.Random(20261201)
    return [(order.randrange(1, bench.writes[what] + 1), order.choice(["before", "after"])) for _ in range(many)]


@pytest.mark.parametrize("what", ["apply", "back"])
@pytest.mark.timeout(280)
def test_killed_at_a_sampled_point(bench: Bench, what: str) -> None:
    for number, moment in points(bench, what, 1):
        kill_one(bench, what, number, moment)
    assert bench.kb.check() == []


@pytest.mark.full
@pytest.mark.parametrize("what", ["apply", "back"])
@pytest.mark.timeout(3000)
def test_killed_at_ten_points(bench: Bench, what: str) -> None:
    for number, moment in points(bench, what, 10):
        kill_one(bench, what, number, moment)
    assert bench.kb.check() == []
