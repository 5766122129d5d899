"""Remove what documents brought, and exactly what only they supported.

Everything here runs inside the caller's transaction. Shared things are found first, while the edges that lead to
them are still there; then what the documents own is deleted; then of the shared things those without support.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from graphkb import ids
from graphkb.model.predicates import STATEMENT_PREDICATES
from graphkb.store.protocol import Row, Tx
from ingestion import duplicates, given_names
from ingestion.support import Owner, lower_owners, lower_sources


@dataclass(slots=True)
class Removed:
    """What went, by label and by relationship type, and whether the names of the scope have changed with it."""

    nodes: Counter[str] = field(default_factory=Counter)
    relationships: Counter[str] = field(default_factory=Counter)
    names_gone: bool = False
    # keys of what was looked at: what the residue queries ask about
    statements: list[Row] = field(default_factory=list)
    concepts: set[str] = field(default_factory=set)
    owners: set[str] = field(default_factory=set)
    sources: set[str] = field(default_factory=set)

    def add(self, other: Removed) -> None:
        """Add what another transaction removed."""
        self.nodes += other.nodes
        self.relationships += other.relationships
        self.names_gone = self.names_gone or other.names_gone


@dataclass(slots=True)
class Touched:
    """Shared things that may have lost their last support."""

    statements: list[str] = field(default_factory=list)
    concepts: list[str] = field(default_factory=list)
    ends: list[Row] = field(default_factory=list)
    named: list[Row] = field(default_factory=list)
    mentions: int = 0


def remove_links(tx: Tx, documents: Sequence[str]) -> Touched:
    """Delete mentions and evidence of documents; return what they may have held up."""
    keys = list(documents)
    backed = tx.read("list_document_statements", documents=keys)
    touched = Touched(
        statements=[row["key"] for row in backed], ends=backed,
        concepts=[row["key"] for row in tx.read("list_document_local_concepts", documents=keys)],
        named=given_names.names_in(tx, keys),
    )
    tx.write("delete_evidence", documents=keys)
    touched.mentions = tx.write("delete_mentions", documents=keys).nodes_deleted
    return touched


@dataclass(slots=True)
class RemovedFacts:
    """How many structured facts went of each type, and the local concepts they may have held up."""

    kinds: Counter[str] = field(default_factory=Counter)
    concepts: list[str] = field(default_factory=list)

    @property
    def removed(self) -> int:
        """How many facts went."""
        return self.kinds.total()


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
        gone.kinds.update(row.get("kind", "") for row in facts)
        if facts:
            tx.write(f"delete_{kind}_facts", owners=owner_keys, documents=keys,
                     expect={"relationships_deleted": len(facts)})
    return gone


def remove_unsupported(tx: Tx, touched: Touched) -> Removed:
    """Delete those statements without evidence and those local concepts without support."""
    done = Removed()
    if touched.statements:
        gone = tx.read("list_unbacked_statements", keys=sorted(set(touched.statements)))
        if gone:
            rows = [{"key": row["key"], "subject": row["subject"], "object": row["object"]} for row in gone]
            relations = tx.write("delete_statement_relations", rows=rows).relationships_deleted
            tx.write("delete_statements", keys=[row["key"] for row in gone])
            done.nodes["Statement"] += len(gone)
            done.relationships.update({"SUBJECT": len(gone), "OBJECT": len(gone)})
            if relations:
                done.relationships.update(STATEMENT_PREDICATES[row["predicate"]] for row in gone
                                          if row["scope"] == ids.PUBLIC and row["polarity"] == "affirmed")
    if touched.concepts:
        unsupported = tx.read("list_unsupported_concepts", keys=sorted(set(touched.concepts)))
        if unsupported:
            tx.write("delete_concepts", keys=[row["key"] for row in unsupported])
            done.nodes["Concept"] += len(unsupported)
    given_names.settle(tx, (), lost=touched.named)
    return done


def remove_documents(tx: Tx, documents: Sequence[str]) -> Removed:
    """Delete documents with all they own, and what only they supported."""
    keys = list(documents)
    owners = tx.read("list_document_owners", documents=keys)
    part = duplicates.before_removal(tx, keys)
    sources = tx.read("list_document_sources", documents=keys)
    done = Removed()
    for row in tx.read("count_document_edges", documents=keys):
        done.relationships[row["type"]] += row["n"]
    touched = remove_links(tx, keys)
    facts = remove_facts(tx, keys)
    touched.concepts += facts.concepts
    done.relationships += facts.kinds
    done.names_gone = facts.removed > 0
    done.nodes["Chunk"] += tx.write("delete_chunks", documents=keys).nodes_deleted
    done.nodes["Mention"] += touched.mentions
    tx.write("delete_dirty", keys=[ids.dirty("vectors", key) for key in keys])
    tx.write("delete_files", documents=keys)
    done.nodes["Document"] += tx.write("delete_documents", documents=keys).nodes_deleted
    part()
    done.add(remove_unsupported(tx, touched))
    _remove_owners(tx, owners, done)
    _remove_sources(tx, sources, done)
    done.statements, done.concepts = touched.ends, set(touched.concepts)
    done.owners = {row[kind] for row in owners for kind in ("encounter", "patient") if row[kind]}
    done.sources = {row["source"] for row in sources}
    return done


def _remove_sources(tx: Tx, sources: Sequence[Row], done: Removed) -> None:
    keys = sorted({row["source"] for row in sources})
    orphans = {row["key"] for row in tx.read("list_orphan_sources", keys=keys)} if keys else set()
    if orphans:
        tx.write("delete_sources", keys=sorted(orphans))
        done.nodes["Source"] += len(orphans)
    lower_sources(tx, [row for row in sources if row["source"] not in orphans])


def _remove_owners(tx: Tx, owners: Sequence[Row], done: Removed) -> None:
    kinds: tuple[tuple[Owner, str], ...] = (("encounter", "Encounter"), ("patient", "Patient"))
    for kind, label in kinds:
        gone: dict[str, list[Row]] = {}
        for row in owners:
            if row[kind]:
                gone.setdefault(row[kind], []).append(row.get(f"{kind}_values") or {})
        if not gone:
            continue
        orphans = [row["key"] for row in tx.read(f"list_orphan_{kind}s", keys=sorted(gone))]
        if orphans:
            tx.write(f"delete_{kind}s", keys=orphans)
            done.nodes[label] += len(orphans)
            if kind == "encounter":
                done.relationships["OF_PATIENT"] += len(orphans)
        lower_owners(tx, kind, {key: said for key, said in gone.items() if key not in set(orphans)})
