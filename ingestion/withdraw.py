"""Withdraw a source vocabulary: the graph becomes what it would be had the vocabulary never been loaded.

Relations first, then codes with their names, definitions, types and attributes, in batches that are each one
transaction; the concepts they stood for are derived again from what is left. A concept without a named code goes, or,
where mentions, statements or facts refer to it, waits as a local one until `ingestion.relink` has moved them, which has
to run afterwards. Everything is found in the graph itself, so a withdrawal that was interrupted is finished by the same
call, and calling it again changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import partial

from graphkb import ids
from graphkb.config import Settings
from graphkb.model.predicates import RELATION_TYPES
from graphkb.store.protocol import Store, Tx
from ingestion.concepts import CodeContent, derive, shown

Progress = Callable[[str, int, int | None], None]
CODES_PER_TRANSACTION = 500
SUBJECTS_PER_TRANSACTION = 500


@dataclass(slots=True)
class Withdrawn:
    """What went. ``waiting`` concepts are local until linking again has moved what refers to them."""

    sources: int = 0
    codes: int = 0
    relations: int = 0
    concepts: int = 0
    rederived: int = 0
    waiting: int = 0

    @property
    def changed(self) -> int:
        """How many nodes and relations were removed or changed."""
        return sum(asdict(self).values())

    def to_dict(self) -> dict[str, int]:
        """Return plain data for JSON."""
        return asdict(self)


def _quiet(_what: str, _done: int, _total: int | None) -> None:
    pass


def withdraw_source(store: Store, sab: str, settings: Settings, progress: Progress = _quiet) -> Withdrawn:
    """Remove exactly what one vocabulary brought, all its versions; `relink` has to run afterwards.

    Parameters
    ----------
    sab : str
        The vocabulary's abbreviation, which is its `Source`'s name: ``ICD10CM``.

    Returns
    -------
    Withdrawn
        All zeros where the graph has nothing of it.
    """
    gone = Withdrawn()
    for type_ in RELATION_TYPES:
        subjects = sorted({row["key"] for row in store.stream(f"stream_relation_subjects_{type_.lower()}", sab=sab)})
        for start in range(0, len(subjects), SUBJECTS_PER_TRANSACTION):
            gone.relations += store.transaction(partial(
                _drop_relations, type_=type_, keys=subjects[start:start + SUBJECTS_PER_TRANSACTION], sab=sab))
            progress("relations withdrawn", gone.relations, None)
    sources = [row["key"] for row in store.read("list_sources_by_name", name=sab)]
    while sources:
        step = store.transaction(lambda tx: _drop_codes(tx, sources, settings.ingest.languages))
        if not step.codes:
            break
        for name, number in asdict(step).items():
            setattr(gone, name, getattr(gone, name) + number)
        progress("codes withdrawn", gone.codes, None)
    if sources:
        gone.sources = store.transaction(lambda tx: _drop_sources(tx, sources))
    return gone


def _count_change(tx: Tx) -> None:
    tx.write("bump_generation", key=ids.meta(f"lexicon:{ids.PUBLIC}"))
    tx.write("bump_generation", key=ids.meta("graph"))


def _drop_relations(tx: Tx, type_: str, keys: Sequence[str], sab: str) -> int:
    done = tx.write(f"delete_asserted_relations_{type_.lower()}", keys=list(keys), sab=sab).relationships_deleted
    if done:
        tx.write("bump_generation", key=ids.meta("graph"))
    return done


def _drop_codes(tx: Tx, sources: Sequence[str], languages: Sequence[str]) -> Withdrawn:
    rows = tx.read("list_codes_of_sources", keys=list(sources), limit=CODES_PER_TRANSACTION)
    if not rows:
        return Withdrawn()
    keys = sorted(row["key"] for row in rows)
    touched = sorted({concept for row in rows for concept in row["concepts"]})
    tx.write("delete_codes", keys=keys, expect={"nodes_deleted": len(keys)})
    step = _derive_again(tx, touched, languages)
    step.codes = len(keys)
    # codes may stand for other concepts now although no name changed: facts and given marks are linked again, too
    tx.write("forget_lexicons")
    _count_change(tx)
    return step


def _derive_again(tx: Tx, concepts: Sequence[str], languages: Sequence[str]) -> Withdrawn:
    codes_of: dict[str, set[str]] = {concept: set() for concept in concepts}
    for row in tx.read("list_codes_of_concepts", keys=list(concepts)):
        codes_of[row["concept"]].add(row["code"])
    keys = sorted(set().union(*codes_of.values()))
    codes = {row["properties"]["key"]: CodeContent.from_row(row["properties"], row["concepts"])
             for row in (tx.read("list_codes_by_key", keys=keys) if keys else ())}
    there = {row["key"]: row for row in tx.read("list_concepts_by_key", keys=list(concepts))}
    updates, alone = [], []
    for concept in sorted(there):
        own = [codes[key] for key in codes_of[concept]]
        if not any(name.concept == concept for code in own for name in code.names):
            alone.append(concept)
        elif (derived := derive(concept, own, languages)) != shown(there[concept]):
            updates.append(derived.to_row(concept))
    if updates:
        tx.write("update_concepts", rows=updates)
    removed, waiting = _drop_concepts(tx, alone, {key for concept in alone for key in codes_of[concept]}, codes)
    return Withdrawn(concepts=removed, waiting=waiting, rederived=len(updates))


def _drop_concepts(tx: Tx, keys: Sequence[str], nameless: Iterable[str],
                   codes: dict[str, CodeContent]) -> tuple[int, int]:
    """Delete concepts that no code names any more; return how many went, and how many wait for linking."""
    if not keys:
        return 0, 0
    # a code without a name (an earlier identifier) is held up by its concepts, not the other way round
    lost = sorted(key for key in nameless if set(codes[key].concepts) <= set(keys))
    if lost:
        tx.write("delete_codes", keys=lost)
    needed = sorted(row["key"] for row in tx.read("list_needed_concepts", keys=list(keys)))
    if needed:
        tx.write("delete_vocabulary_relations", keys=needed)
        tx.write("make_concepts_local", keys=needed)
    free = sorted(set(keys) - set(needed))
    if free:
        tx.write("delete_concepts", keys=free)
    return len(free), len(needed)


def _drop_sources(tx: Tx, keys: Sequence[str]) -> int:
    orphans = [row["key"] for row in tx.read("list_orphan_sources", keys=list(keys))]
    if orphans:
        tx.write("delete_sources", keys=orphans)
    return len(orphans)
