"""https://github.com/HKUDS/LightRAG/issues/1956: killed while processing, the next start failed or did all again."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from graphkb.kb import KnowledgeBase
from graphkb.store import embedded
from graphkb.store.fingerprint import fingerprint
from ingestion.sources import TextSource
from tests.helpers import killed
from tests.servers import raw, wipe

CLIENT = Path(killed.__file__)
WRITES_OF_A_DOCUMENT = 6  # the lock, document, link, chunks, queue, generation


def test_killed_after_the_seventh_commit_and_in_the_middle_of_one(tmp_path: Path) -> None:
    texts = tmp_path / "texts"
    texts.mkdir()
    for n in range(20):
        (texts / f"{n:02}.txt").write_text(f"Document number {n} is about nothing that anybody knows.")
    settings = killed.settings(tmp_path / "kb")
    try:
        with KnowledgeBase(settings) as kb:
            kb.ingest(TextSource([texts]), vectors=False)
            expected = fingerprint(kb.store)
            wipe(kb.store)
            before = 0
            # the run's own two writes and the source's node come first; then six writes a document, then a seventh lock
            for number in (3 + 7 * WRITES_OF_A_DOCUMENT + 1, 2 + 3 * WRITES_OF_A_DOCUMENT + 4):
                done = subprocess.run([sys.executable, str(CLIENT), str(tmp_path / "kb"), str(texts), str(number),
                                       "after"], capture_output=True, text=True, timeout=250)
                assert done.returncode == -signal.SIGKILL, done.stderr
                assert kb.status()["runs"][0]["state"] == "interrupted"
                there = raw(kb.store, "MATCH (d:Document) RETURN count(d) AS n")[0]["n"]
                assert there == before + (7 if before == 0 else 3), "what was committed stays, no more"
                before = there
            report = kb.ingest(TextSource([texts]), command="ingest text")
            assert (report.state, dict(report.documents)) == ("done", {"unchanged": 10, "created": 10})
            assert fingerprint(kb.store) == expected
            assert kb.check() == []
            assert [run["state"] for run in kb.status()["runs"]] == ["done", "interrupted", "interrupted"]
    finally:
        embedded.stop(settings)
