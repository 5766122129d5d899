"""Remove what documents brought, and exactly what only they supported.

Everything here runs inside the caller's transaction. Shared things are found first, while the edges that lead to
them are still there; then what the documents own is deleted; then of the shared things those without support.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from graphkb import ids
from graphkb.store.protocol import Counters, Row, Tx


@dataclass(slots=True)
class Touched:
    """Shared things that may have lost their last support."""

    statements: list[str] = field(default_factory=list)
    concepts: list[str] = field(default_factory=list)


def remove_links(tx: Tx, documents: Sequence[str]) -> Touched:
    """Delete mentions and evidence of documents; return what they may have held up."""
    keys = list(documents)
    touched = Touched(
        statements=[row["key"] for row in tx.read("list_document_statements", documents=keys)],
        concepts=[row["key"] for row in tx.read("list_document_local_concepts", documents=keys)],
    )
    tx.write("delete_evidence", documents=keys)
    tx.write("delete_mentions", documents=keys)
    return touched


@dataclass(slots=True)
class RemovedFacts:
    """How many structured facts went, and the local concepts they may have held up."""

    removed: int = 0
    concepts: list[str] = field(default_factory=list)


def remove_facts(tx: Tx, documents: Sequence[str]) -> RemovedFacts:
    """Delete the structured facts of documents."""
    keys = list(documents)
    owners = tx.read("list_document_owners", documents=keys)
    gone = RemovedFacts()
    for kind in ("encounter", "patient"):
        owner_keys = sorted({row[kind] for row in owners if row[kind]})
        if not owner_keys:
            continue
        facts = tx.read(f"list_{kind}_facts", owners=owner_keys, documents=keys)
        gone.concepts += [row["concept"] for row in facts if row["local"]]
        gone.removed += len(facts)
        if facts:
            tx.write(f"delete_{kind}_facts", owners=owner_keys, documents=keys,
                     expect={"relationships_deleted": len(facts)})
    return gone


def remove_unsupported(tx: Tx, touched: Touched) -> Counters:
    """Delete those statements without evidence and those local concepts without support."""
    total = Counters()
    if touched.statements:
        gone = tx.read("list_unbacked_statements", keys=sorted(set(touched.statements)))
        if gone:
            rows = [{"key": row["key"], "subject": row["subject"], "object": row["object"]} for row in gone]
            total += tx.write("delete_statement_relations", rows=rows)
            total += tx.write("delete_statements", keys=[row["key"] for row in gone])
    if touched.concepts:
        unsupported = tx.read("list_unsupported_concepts", keys=sorted(set(touched.concepts)))
        if unsupported:
            total += tx.write("delete_concepts", keys=[row["key"] for row in unsupported])
    return total


def remove_documents(tx: Tx, documents: Sequence[str]) -> bool:
    """Delete documents with all they own, and what only they supported.

    Returns
    -------
    bool
        Whether structured facts went: the names of their scope have changed then.
    """
    keys = list(documents)
    owners = tx.read("list_document_owners", documents=keys)
    sources = sorted({row["source"] for row in tx.read("list_document_sources", documents=keys)})
    touched = remove_links(tx, keys)
    facts = remove_facts(tx, keys)
    touched.concepts += facts.concepts
    tx.write("delete_chunks", documents=keys)
    tx.write("delete_dirty", keys=[ids.dirty("vectors", key) for key in keys])
    tx.write("delete_documents", documents=keys)
    remove_unsupported(tx, touched)
    _remove_owners(tx, owners)
    orphans = tx.read("list_orphan_sources", keys=sources)
    if orphans:
        tx.write("delete_sources", keys=[row["key"] for row in orphans])
    return facts.removed > 0


def _remove_owners(tx: Tx, owners: Sequence[Row]) -> None:
    encounters = sorted({row["encounter"] for row in owners if row["encounter"]})
    if encounters:
        orphans = tx.read("list_orphan_encounters", keys=encounters)
        if orphans:
            tx.write("delete_encounters", keys=[row["key"] for row in orphans])
    patients = sorted({row["patient"] for row in owners if row["patient"]})
    if patients:
        orphans = tx.read("list_orphan_patients", keys=patients)
        if orphans:
            tx.write("delete_patients", keys=[row["key"] for row in orphans])
