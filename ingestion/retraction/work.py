"""The work of a retraction: batch by batch, each a transaction, and the proof that each left nothing in the store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any

from graphkb import ids
from graphkb.store.protocol import Store, Tx
from ingestion import duplicates
from ingestion.pipeline import Progress
from ingestion.retract import Removed, remove_documents
from ingestion.retraction.plan import Plan

# asked about documents after all is done, in batches
_OF_DOCUMENTS = ("documents", "chunks", "mentions", "pages", "queue")
_CHECKED_AT_ONCE = 1000
_NODES, _EDGES = "removed_nodes_", "removed_edges_"


def remove_all(store: Store, plan: Plan, progress: Progress) -> tuple[Removed, Counter[str], set[str]]:
    """Remove the documents of a plan; what an earlier try removed is counted too.

    Returns
    -------
    tuple
        What went, what the residue queries found (by query), and the scopes whose names have changed.
    """
    residue: Counter[str] = Counter()
    total = _before(store, plan.run)
    scopes: set[str] = set()
    done, most = 0, int(plan.head["documents"])
    for batch in plan.batches():
        keys = [document["key"] for document in batch]
        removed = store.transaction(partial(_remove, keys=keys, run=plan.run, before=total))
        total.add(removed)
        if removed.names_gone:
            scopes |= {document["scope"] for document in batch}
        residue += _touched_residue(store, keys, removed)
        done += len(batch)
        progress("retracted", done, most)
    residue += _document_residue(store, plan)
    return total, residue, scopes


def _remove(tx: Tx, keys: Sequence[str], run: str, before: Removed) -> Removed:
    there = tx.read("list_document_places", documents=list(keys))
    if not there:
        return Removed()
    removed = remove_documents(tx, [row["key"] for row in there])
    if removed.names_gone:
        for scope in sorted({row["scope"] for row in there}):
            tx.write("bump_generation", key=ids.meta(f"lexicon:{scope}"))
    tx.write("bump_generation", key=ids.meta("graph"))
    # the counts are in the same transaction: a kill neither loses nor doubles them
    nodes, edges = before.nodes + removed.nodes, before.relationships + removed.relationships
    properties: dict[str, Any] = {f"{_NODES}{name}": n for name, n in nodes.items()}
    properties |= {f"{_EDGES}{name}": n for name, n in edges.items()}
    tx.write("put_runs", rows=[{"key": run, "properties": properties}])
    return removed


def _before(store: Store, run: str) -> Removed:
    """Return what an earlier try of the same run removed, as its node counts it."""
    rows = store.read("get_run", key=run)
    properties = rows[0]["properties"] if rows else {}
    return Removed(Counter({name.removeprefix(_NODES): n for name, n in properties.items() if name.startswith(_NODES)}),
                   Counter({name.removeprefix(_EDGES): n for name, n in properties.items() if name.startswith(_EDGES)}))


def _touched_residue(store: Store, keys: list[str], removed: Removed) -> Counter[str]:
    """Ask about what the documents shared with others, while it is known what that was."""
    ends = [{name: row[name] for name in ("key", "subject", "object")} for row in removed.statements]
    asked: dict[str, dict[str, Any]] = {
        "facts": {"documents": keys, "owners": sorted(removed.owners)},
        "statements": {"statements": [row["key"] for row in ends]},
        "relations": {"relations": ends},
        "concepts": {"concepts": sorted(removed.concepts)},
        "owners": {"owners": sorted(removed.owners)},
        "sources": {"sources": sorted(removed.sources)},
    }
    # a query that had nothing to ask about has found nothing
    return Counter({f"residue_{name}": sum(row["n"] for row in store.read(f"residue_{name}", **given))
                    if all(given.values()) else 0 for name, given in asked.items()})


def _document_residue(store: Store, plan: Plan) -> Counter[str]:
    found: Counter[str] = Counter()
    for batch in plan.batches(_CHECKED_AT_ONCE):
        keys = [document["key"] for document in batch]
        for name in _OF_DOCUMENTS:
            found[f"residue_{name}"] += sum(row["n"] for row in store.read(f"residue_{name}", documents=keys))
    return found


def residue_names() -> list[str]:
    """Return the residue queries that every retraction answers for."""
    shared = ("concepts", "facts", "owners", "relations", "sources", "statements")
    return sorted(f"residue_{name}" for name in (*_OF_DOCUMENTS, *shared))


def mark_all(store: Store, plan: Plan, values: dict[str, Any]) -> int:
    """Give the documents of a plan these values (a null takes one away); return how many there are."""
    def work(tx: Tx, keys: list[str]) -> int:
        there = tx.read("list_existing_document", keys=keys)
        tx.write("mark_documents", documents=keys, values=values)
        if not values["marked"]:
            duplicates.judge(tx, keys)
        tx.write("bump_generation", key=ids.meta("graph"))
        return len(there)

    total = 0
    for batch in plan.batches(_CHECKED_AT_ONCE):
        keys = [document["key"] for document in batch]
        total += store.transaction(partial(work, keys=keys))
    return total
