"""A full disk: a coded error, nothing half written, and the same command resumes when there is room again."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphkb.errors import StoreError
from graphkb.kb import KnowledgeBase
from graphkb.store.fingerprint import fingerprint
from ingestion.sources import TextSource
from tests.conftest import ROOT, missing
from tests.helpers import corpus as c
from tests.servers import Servers, wipe

# a small file system of its own, seen by this shell and its children only
STEPS = """
set -u
mount -t tmpfs -o size=64m full "$PLACE" || exit 77
graphkb() { "$PYTHON" -c 'from graphkb.cli import main; main()' --quiet --data-dir "$PLACE/kb" "$@"; }
say() { echo "$1 $2"; }
graphkb status >/dev/null;                      say opened $?
cat /dev/zero > "$PLACE/fill" 2>/dev/null
graphkb ingest text "$TEXTS";                   say full $?
rm "$PLACE/fill"
graphkb ingest text "$TEXTS" >/dev/null;        say resumed $?
graphkb check;                                  say checked $?
graphkb cypher --json "MATCH (d:Document) RETURN count(d) AS n"
graphkb store stop
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="name spaces are Linux's")
def test_a_disk_that_is_really_full(tmp_path: Path) -> None:
    texts, place = tmp_path / "texts", tmp_path / "disk"
    texts.mkdir()
    place.mkdir()
    for n in range(8):
        (texts / f"{n}.txt").write_text(f"Document number {n} is about nothing that anybody knows. " * 20)
    if shutil.which("unshare") is None:
        missing("unshare", "it comes with util-linux")
    environment = {**os.environ, "PLACE": str(place), "TEXTS": str(texts), "PYTHON": sys.executable,
                   "PYTHONPATH": str(ROOT), "GRAPHKB_CHUNK__THRESHOLD": "none"}
    done = subprocess.run(["unshare", "--user", "--map-root-user", "--mount", "bash", "-c", STEPS], env=environment,
                          capture_output=True, text=True, timeout=280)
    if done.returncode == 77 or "unshare" in done.stderr:
        missing("unshare", "this machine does not let its users make name spaces")
    said = done.stdout
    assert "opened 0" in said, done.stderr
    assert "full 1" in said, said
    assert "GKB-212" in done.stderr
    assert "Traceback" not in done.stderr
    assert "resumed 0" in said, done.stderr
    assert "checked 0" in said, said
    assert '{"n": 8}' in said


@pytest.fixture
def kb(servers: Servers, tmp_path: Path) -> Iterator[KnowledgeBase]:
    base = c.fast(servers.settings("arcadedb"))
    with KnowledgeBase(base) as opened:
        wipe(opened.store)
    with KnowledgeBase(base) as opened:
        yield opened


@pytest.mark.parametrize("where", ["lexicon", "index", "ledger"])
def test_our_own_files_have_no_room(kb: KnowledgeBase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                    where: str) -> None:
    """The graph is whole whichever file failed, and the next run is the one that would have been."""
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    (tmp_path / "a.txt").write_text("Aspirin treats headache.")
    (tmp_path / "b.txt").write_text("")
    source = TextSource([tmp_path])
    with monkeypatch.context() as broken:
        if where == "lexicon":
            broken.setattr("ingestion.lexicon.build", full)
        elif where == "index":
            broken.setattr("retrieval.index.files.os.fsync", full)
        else:
            broken.setattr("ingestion.ledger.json.dumps", full)
        with pytest.raises(StoreError) as caught:
            kb.ingest(source)
    assert caught.value.code == "GKB-212"
    report = kb.ingest(source)
    assert report.state == "partial"
    assert sum(report.documents.values()) == 1
    assert kb.check() == []
    first = fingerprint(kb.store)
    kb.ingest(source)
    assert fingerprint(kb.store) == first
