"""An ingestion in a process of its own, which kills itself at its n-th write to the store (0: it goes on).

    python killed.py DATA_DIR FOLDER N before|after

FOLDER holds text files, or the parts of the demo's sample (textbook, articles, mimic, notes).
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from graphkb import config
from graphkb.kb import KnowledgeBase
from graphkb.store import bolt
from ingestion.ledger import RunReport
from ingestion.sources import JatsSource, MimicSource, TextSource


def settings(data_dir: Path) -> config.Settings:
    return config.load(environ={}, data_dir=data_dir, chunk__threshold="none")


def ingest(kb: KnowledgeBase, folder: Path) -> list[RunReport]:
    """Take a folder of texts, or the parts of the sample as the demo does."""
    if not (folder / "mimic").is_dir():
        return [kb.ingest(TextSource([folder]), command="ingest text")]
    scope = kb.settings.scope
    return [kb.ingest(TextSource([folder / "textbook"]), command="ingest text"),
            kb.ingest(JatsSource([folder / "articles"]), command="ingest jats"),
            kb.ingest(MimicSource(folder / "mimic"), scope=scope, command="ingest mimic"),
            kb.ingest(TextSource([folder / "notes"], tier="user"), scope=scope, command="ingest text")]


def count_writes(number: int, moment: str) -> list[int]:
    """Count this process's writes to the store from here on, in a list of one; it dies before or after one of them."""
    count = [0]
    write = bolt._OpenTx.write

    def counted(self: Any, name: str, /, **params: Any) -> Any:
        count[0] += 1
        if count[0] == number and moment == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        done = write(self, name, **params)
        if count[0] == number:
            os.kill(os.getpid(), signal.SIGKILL)
        return done

    bolt._OpenTx.write = counted  # type: ignore[method-assign]
    return count


def main() -> None:
    data_dir, folder, number, moment = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    with KnowledgeBase(settings(data_dir)) as kb:
        kb.index  # noqa: B018 - everything is open before the writes are counted
        count = count_writes(number, moment)
        ingest(kb, folder)
        print(count[0])


if __name__ == "__main__":
    main()
