"""A retraction in a process of its own, which kills itself at its n-th write to the store (0: it goes on).

    python killed_retraction.py DATA_DIR SOURCE N before|after
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from graphkb.kb import KnowledgeBase
from graphkb.store import bolt
from tests.helpers.killed import settings


def main() -> None:
    data_dir, source, number, moment = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4]
    with KnowledgeBase(settings(data_dir)) as kb:
        kb.index  # noqa: B018 - everything is open before the writes are counted
        count = 0
        write = bolt._OpenTx.write

        def counted(self: Any, name: str, /, **params: Any) -> Any:
            nonlocal count
            count += 1
            if count == number and moment == "before":
                os.kill(os.getpid(), signal.SIGKILL)
            done = write(self, name, **params)
            if count == number:
                os.kill(os.getpid(), signal.SIGKILL)
            return done

        bolt._OpenTx.write = counted  # type: ignore[method-assign]
        kb.retract(source=[source], reason="a test")
        print(count)


if __name__ == "__main__":
    main()
