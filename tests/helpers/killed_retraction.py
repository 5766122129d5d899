"""A retraction in a process of its own, which kills itself at its n-th write to the store (0: it goes on).

    python killed_retraction.py DATA_DIR SOURCE N before|after
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from graphkb.kb import KnowledgeBase
from tests.helpers.killed import count_writes, settings


def main() -> None:
    data_dir, source, number, moment = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4]
    with KnowledgeBase(settings(data_dir)) as kb:
        kb.index  # noqa: B018 - everything is open before the writes are counted
        count = count_writes(number, moment)
        kb.retract(source=[source], reason="a test")
        print(count[0])


if __name__ == "__main__":
    main()
