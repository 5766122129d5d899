"""An upgrade in a process of its own, which kills itself at its n-th write to the store (0: it goes on).

    python killed_upgrade.py DATA_DIR META|- N before|after
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from graphkb.kb import KnowledgeBase
from ingestion.upgrade import plan
from tests.helpers import killed

ROWS = 2  # small transactions: more places to be killed at


def main() -> None:
    data_dir, meta, number, moment = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4]
    plan.MOST_ROWS = ROWS
    with KnowledgeBase(killed.settings(data_dir)) as kb:
        kb.store  # noqa: B018 - opened and migrated before the writes are counted
        count = killed.count_writes(number, moment)
        if meta == "-":
            kb.roll_back_vocabulary(vectors=False)
        else:
            kb.upgrade_vocabulary(meta, dry_run=False, vectors=False)
        print(count[0])


if __name__ == "__main__":
    main()
