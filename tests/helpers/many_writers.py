"""Documents that all need the same local concepts, each in an order of its own; also a process that writes some.

    python many_writers.py DATA_DIR ROUND FIRST LAST
"""

from __future__ import annotations

import random
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from graphkb import config, ids
from graphkb.model import (
    Encounter,
    Fact,
    LinkedFact,
    LocalConcept,
    Patient,
    Prepared,
    SourceDocument,
    SourceInfo,
)
from graphkb.store import Store, open_store
from ingestion.writer import write_document

CONCEPTS = 1000
SCOPE = "local"


def prepared(round_: int, number: int) -> Prepared:
    """One document of one writer: an order for each concept."""
    order = list(range(CONCEPTS))
    random.Random(round_ * 1000 + number).shuffle(order)
    names = [f"substance {n}" for n in order]
    concepts = [LocalConcept(ids.local_concept(name, "drug", SCOPE), SCOPE, name) for name in names]
    facts = [LinkedFact(Fact("PRESCRIBED", f"prescriptions:{n}", name), concept.key)
             for n, (name, concept) in enumerate(zip(names, concepts, strict=True), 1)]
    person = f"{9900000 + number}"
    document = SourceDocument(
        SourceInfo("tables", "1"), f"encounter-{round_}-{number}", "", "", "user", "table", patient=Patient(person),
        encounter=Encounter(f"{8800000 + round_ * 100 + number}", person), facts=tuple(fact.fact for fact in facts))
    key = ids.document(SCOPE, "tables", document.record, "v")
    return Prepared(document, key, SCOPE, "v", "p", "l", facts=facts, concepts=concepts)


def settings(data_dir: Path) -> config.Settings:
    return config.load(environ={}, data_dir=data_dir)


def write(store: Store, round_: int, numbers: range) -> list[str]:
    """Write documents, each by a thread of its own, all at once."""
    with ThreadPoolExecutor(len(numbers)) as pool:
        return list(pool.map(lambda number: write_document(store, prepared(round_, number), "run:x"), numbers))


if __name__ == "__main__":
    store = open_store(settings(Path(sys.argv[1])))
    print(write(store, int(sys.argv[2]), range(int(sys.argv[3]), int(sys.argv[4]))))
    store.close()
