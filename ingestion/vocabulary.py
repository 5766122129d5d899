"""Load a UMLS META folder: concepts, their codes with all names, and relations in their true direction.

The folder is read and checked as a whole before anything is written. Then one writer commits batches while a thread
makes the next ones ready. A batch reads which of its keys the graph has, creates the missing, and updates what derives
from codes only where it differs; so loading again changes nothing, a load that was killed is finished by the same
command, and folders may come in any order.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Generator, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import structlog

from graphkb import ids
from graphkb.config import Settings
from graphkb.model.records import ReadReport
from graphkb.store.batches import CutRows
from graphkb.store.protocol import Counters, Row, Store, Tx
from ingestion.concepts import CodeContent, Derived, derive, shown
from ingestion.sources.umls import Filter, RrfReader
from ingestion.sources.umls_spool import ConceptBatch, Edge, Spool

log = structlog.get_logger()
T = TypeVar("T")
Progress = Callable[[str, int, int | None], None]
CONCEPTS_PER_TRANSACTION = 2_000
RELATIONS_PER_TRANSACTION = 10_000
_OF_RELATION = ("key", "object", "predicate", "sab", "from_release")


@dataclass(slots=True)
class VocabularyCounts:
    """What a folder holds, and what of it the load created or updated (a dry run: would have).

    ``relation_rows`` are the rows of MRREL that were kept; ``relations`` what they come to when each pair of inverse
    rows, and rows that differ only in their atoms, are one. ``cycles`` counts groups of concepts that are each other's
    ancestors in this folder: kept as they are, walks have a depth cap.
    """

    release: str = ""
    concepts: int = 0
    codes: int = 0
    atoms: int = 0
    definitions: int = 0
    semantic_types: int = 0
    relations: int = 0
    relation_rows: int = 0
    vocabularies: int = 0
    cycles: int = 0
    created: dict[str, int] = field(default_factory=dict)
    updated: dict[str, int] = field(default_factory=dict)
    relations_by_type: dict[str, int] = field(default_factory=dict)
    attributes: int = 0
    former_concepts: int = 0
    left_out: dict[str, int] = field(default_factory=dict)
    dry_run: bool = False

    @property
    def changed(self) -> int:
        """How many nodes and relations were created or updated."""
        return sum(self.created.values()) + sum(self.updated.values())

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return asdict(self)


def _quiet(_what: str, _done: int, _total: int | None) -> None:
    pass


def taken(settings: Settings) -> Filter:
    """Return what of a release the settings take."""
    own = settings.ingest
    return Filter(frozenset(own.umls_sources), frozenset(own.umls_exclude_sources), own.umls_restriction,
                  frozenset(own.umls_attributes))


def load_vocabulary(store: Store, folder: Path | str, *, settings: Settings, report: ReadReport,
                    release: str | None = None, dry_run: bool = False,
                    progress: Progress | None = None) -> VocabularyCounts:
    """Load a META folder into the public scope.

    Parameters
    ----------
    folder : Path
        Holds MRCONSO.RRF (or .RRF.gz) and, where they are there, MRSAB, MRSTY, MRDEF and MRREL.
    report : ReadReport
        Takes rows in, kept and rejected, by file; and notes about absent or empty files.
    release : str, optional
        The release, for instance ``2026AA``; without it the newest that MRSAB names, else "".
    dry_run : bool
        Read everything and count what would be created and updated; write nothing.

    Returns
    -------
    VocabularyCounts

    Raises
    ------
    InputError
        GKB-401, 402, 404 or 405 (see `RrfReader.rows`): nothing was written, the graph is as it was.
    StoreError
        The store's own errors: what was committed stays, and the same command goes on from there.
    """
    progress = progress or _quiet
    with Spool() as spool:
        spool.fill(RrfReader(Path(folder), report, taken(settings)), progress)
        spool.check_release(release)
        load = _Load(store, settings, spool, spool.release if release is None else release, dry_run)
        load.run(progress)
        sabs = spool.sabs()
        counts = VocabularyCounts(
            release=load.release, concepts=spool.counts["concepts"], codes=spool.counts["codes"],
            atoms=spool.counts["atoms"], definitions=spool.counts["definitions"],
            semantic_types=spool.counts["types"], relations=spool.counts["relations"],
            relation_rows=spool.counts["relation_rows"], vocabularies=len(sabs), cycles=spool.cycles(),
            created=dict(sorted(load.created.items())), updated=dict(sorted(load.updated.items())),
            relations_by_type=dict(sorted(load.by_type.items())), dry_run=dry_run,
            attributes=spool.counts.get("attributes", 0), former_concepts=spool.counts.get("former_concepts", 0),
            left_out={f"{file}: {reason}": rows for (file, reason), rows in sorted(report.left_out.items())})
    log.info("vocabulary loaded", folder=Path(folder).name, release=counts.release, concepts=counts.concepts,
             relations=counts.relations, changed=counts.changed, cycles=counts.cycles, dry_run=dry_run)
    return counts


@dataclass(slots=True)
class _Prepared:
    """A batch of concepts with everything that does not depend on the graph."""

    batch: ConceptBatch
    codes_of: dict[str, list[str]]
    derived: dict[str, Derived]
    rows: dict[str, Row]
    shared: bool
    new_concepts: CutRows
    new_codes: CutRows


@dataclass(slots=True)
class _Changes:
    """What one transaction did."""

    created: Counter[str] = field(default_factory=Counter)
    updated: Counter[str] = field(default_factory=Counter)

    def any(self) -> bool:
        return bool(self.created.total() or self.updated.total())


class _DryTx:
    """Reads as the transaction would, and writes nothing."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def read(self, name: str, /, **params: Any) -> list[Row]:
        return self._store.read(name, **params)

    def write(self, name: str, /, *, expect: Mapping[str, int] | None = None, **params: Any) -> Counters:
        del name, expect, params
        return Counters()


class _Load:
    """One load: batches from a spool into a store."""

    def __init__(self, store: Store, settings: Settings, spool: Spool, release: str, dry_run: bool) -> None:
        self._store = store
        self._languages = settings.ingest.languages
        self._spool = spool
        self._dry = _DryTx(store) if dry_run else None
        self._seen_dry: set[str] = set()
        # no vocabulary yet: then only a code of several concepts can be there before its batch
        self._fresh = not any(store.read(f"count_nodes_{label}")[0]["n"] for label in ("concept", "code"))
        self._generation = _generation(store)
        self._most_rows, self._most_bytes = settings.store.batch_rows, settings.store.max_batch_bytes
        self.release = release
        self.created: Counter[str] = Counter()
        self.updated: Counter[str] = Counter()
        self.by_type: Counter[str] = Counter()

    def run(self, progress: Progress) -> None:
        """Write the release and the sources, then concepts with their codes, then relations."""
        if self._dry is None and self.release:
            put_release(self._store, self.release, self._spool.date_of(self.release))
        self._commit(self._write_sources)
        done = 0
        batches = self._spool.concept_batches(CONCEPTS_PER_TRANSACTION, self.release)
        with closing(_ahead(map(self._prepared, batches))) as ready:
            for item in ready:
                self._commit(partial(self._write_concepts, item=item))
                done += len(item.batch.concepts)
                progress("concepts", done, self._spool.counts["concepts"])
        done = 0
        with closing(_ahead(map(self._relation_rows, self._spool.edge_batches(RELATIONS_PER_TRANSACTION)))) as edges:
            for type_, rows, grouped in edges:
                self._commit(partial(self._write_relations, type_=type_, rows=rows, grouped=grouped))
                self.by_type[type_] += len(rows)
                done += len(rows)
                progress("relations", done, self._spool.counts["relations"])

    def _commit(self, work: Callable[[Tx], _Changes]) -> None:
        attempts = 0

        def whole(tx: Tx) -> _Changes:
            nonlocal attempts
            # another process writes, too: then nothing may be taken for absent any more
            self._fresh = self._fresh and attempts == 0 and _generation(tx) == self._generation
            attempts += 1
            changes = work(tx)
            if changes.any():
                # in the same transaction: a load that is killed afterwards leaves no lexicon that thinks it is current
                tx.write("bump_generation", key=ids.meta(f"lexicon:{ids.PUBLIC}"))
                tx.write("bump_generation", key=ids.meta("graph"))
            return changes

        changes = whole(self._dry) if self._dry is not None else self._store.transaction(whole)
        self._generation += self._dry is None and changes.any()
        self.created.update(changes.created)
        self.updated.update(changes.updated)

    # -- sources --------------------------------------------------------------------------------------------------

    def _write_sources(self, tx: Tx) -> _Changes:
        wanted = {row["key"]: row for row in (source_row(self._spool, sab) for sab in self._spool.sabs())}
        there = {row["key"] for row in tx.read("list_existing_source", keys=sorted(wanted))}
        rows = [wanted[key] for key in sorted(wanted.keys() - there)]
        if rows:
            tx.write("create_sources", rows=rows, expect={"nodes_created": len(rows)})
        return _Changes(created=Counter({"sources": len(rows)}))

    # -- concepts and codes -----------------------------------------------------------------------------------------

    def _prepared(self, batch: ConceptBatch) -> _Prepared:
        codes_of: dict[str, list[str]] = defaultdict(list)
        rows: dict[str, Row] = {}
        for key, content in batch.codes.items():
            rows[key] = self._code_row(content)
            for concept in content.concepts:
                codes_of[concept].append(key)
        derived = {concept: derive(concept, (batch.codes[key] for key in codes_of[concept]), self._languages)
                   for concept in batch.concepts}
        shared = any(content.shared for content in batch.codes.values())
        fresh = [] if shared or not self._fresh else [
            row | {"concept": batch.codes[key].concepts[0]} for key, row in rows.items()]
        return _Prepared(batch, codes_of, derived, rows, shared,
                         self._cut("create_concepts", [derived[key].to_row(key) for key in batch.concepts]),
                         self._cut("create_codes", fresh))

    def _cut(self, name: str, rows: list[Row], weights: list[int] | None = None) -> CutRows:
        return CutRows(name, rows, most_rows=self._most_rows, most_bytes=self._most_bytes, weights=weights)

    @staticmethod
    def _code_row(content: CodeContent) -> Row:
        # an empty list is the same as none, and is not stored
        row = {name: None if value == [] else value for name, value in content.to_row().items()}
        return row | {"source": content.source_key}

    def _write_concepts(self, tx: Tx, item: _Prepared) -> _Changes:
        batch = item.batch
        if self._fresh and not item.shared and self._dry is None:
            self._create(tx, item.new_concepts, item.new_codes)
            return _Changes(Counter({"concepts": len(item.new_concepts), "codes": len(item.new_codes),
                                     "code_links": len(item.new_codes)}))
        there = {} if self._fresh else {
            row["key"]: row for row in tx.read("list_concepts_by_key", keys=batch.concepts)}
        elsewhere: dict[str, set[str]] = defaultdict(set)
        if there:
            for row in tx.read("list_codes_of_concepts", keys=sorted(there)):
                elsewhere[row["concept"]].add(row["code"])
        keys = sorted(key for key in set(batch.codes).union(*elsewhere.values())
                      if not self._fresh or batch.codes[key].shared)
        stored, linked = _stored(tx.read("list_codes_by_key", keys=keys) if keys else ())
        codes = dict(stored)
        changed: set[str] = set()
        for key, content in batch.codes.items():
            codes[key] = stored[key].united(content) if key in stored else content
            if key in stored and codes[key] != stored[key]:
                changed.add(key)
        new, updates = [], []
        for concept in batch.concepts:
            own = elsewhere[concept].union(item.codes_of[concept])
            fresh = not own & stored.keys()
            derived = item.derived[concept] if fresh else derive(concept, map(codes.__getitem__, own), self._languages)
            if concept not in there:
                new.append(derived.to_row(concept))
            elif derived != shown(there[concept]):
                updates.append(derived.to_row(concept))
        return self._commit_concepts(tx, item, codes, linked, changed, new, updates)

    def _commit_concepts(self, tx: Tx, item: _Prepared, codes: Mapping[str, CodeContent],
                         linked: Mapping[str, set[str]], changed: Iterable[str], new: list[Row],
                         updates: list[Row]) -> _Changes:
        here = set(item.batch.concepts)
        code_rows, link_rows = [], []
        for key, content in item.batch.codes.items():
            wanted = [c for c in content.concepts if c in here and c not in linked.get(key, ())]
            if key not in linked and key not in self._seen_dry:
                code_rows.append(item.rows[key] | {"concept": wanted.pop(0)})
            link_rows += [{"code": key, "concept": concept} for concept in wanted]
        changed_rows = [codes[key].to_row() for key in sorted(changed)]
        if self._dry is not None:
            self._seen_dry.update(row["key"] for row in code_rows if item.batch.codes[row["key"]].shared)
        self._create(tx, new, code_rows)
        if updates:
            tx.write("update_concepts", rows=updates)
        if link_rows:
            tx.write("link_codes", rows=link_rows, expect={"relationships_created": len(link_rows)})
        if changed_rows:
            tx.write("update_codes", rows=changed_rows)
        return _Changes(
            Counter({"concepts": len(new), "codes": len(code_rows), "code_links": len(code_rows) + len(link_rows)}),
            Counter({"concepts": len(updates), "codes": len(changed_rows)}))

    @staticmethod
    def _create(tx: Tx, concepts: list[Row], codes: list[Row]) -> None:
        if concepts:
            tx.write("create_concepts", rows=concepts, scope=ids.PUBLIC, expect={"nodes_created": len(concepts)})
        if codes:
            tx.write("create_codes", rows=codes, scope=ids.PUBLIC,
                     expect={"nodes_created": len(codes), "relationships_created": 2 * len(codes)})

    # -- relations --------------------------------------------------------------------------------------------------

    def _relation_rows(self, batch: list[Edge]) -> tuple[str, list[Row], CutRows]:
        rows = [
            {"key": ids.relation(edge.subject, edge.predicate, edge.object, edge.sab), "subject": edge.subject,
             "object": edge.object, "predicate": edge.predicate, "sab": edge.sab, "from_release": self.release}
            for edge in batch]
        return batch[0].type, rows, self._grouped(rows)

    def _grouped(self, rows: Iterable[Row]) -> CutRows:
        """Group relations by their subject, so that it is looked up once."""
        groups: dict[str, list[Row]] = {}
        for row in rows:
            groups.setdefault(row["subject"], []).append({name: row[name] for name in _OF_RELATION})
        return self._cut("create_relations_of_subjects",
                         [{"subject": subject, "relations": own} for subject, own in groups.items()],
                         [len(own) for own in groups.values()])

    def _write_relations(self, tx: Tx, type_: str, rows: list[Row], grouped: CutRows) -> _Changes:
        if self._fresh and self._dry is None:
            self._create_relations(tx, type_, grouped, len(rows))
            return _Changes(Counter({"relations": len(rows)}))
        subjects = sorted({row["subject"] for row in rows})
        there = {row["key"]: (row["from_release"] or "", row["to_release"] or "")
                 for row in tx.read(f"list_relations_of_subjects_{type_.lower()}", subjects=subjects)}
        new = [row for row in rows if row["key"] not in there]
        moved = []
        for row in rows:
            if row["key"] in there:
                from_release, to_release = there[row["key"]]
                # seen in the release that ended it or in a later one: it is live again
                known = (min(from_release, self.release), to_release if self.release < to_release else "")
                if known != (from_release, to_release):
                    moved.append(row | {"from_release": known[0], "to_release": known[1] or None})
        if new:
            self._create_relations(tx, type_, grouped if len(new) == len(rows) else self._grouped(new), len(new))
        if moved:
            tx.write(f"update_relations_{type_.lower()}", rows=moved)
        return _Changes(Counter({"relations": len(new)}), Counter({"relations": len(moved)}))

    @staticmethod
    def _create_relations(tx: Tx, type_: str, grouped: CutRows, number: int) -> None:
        tx.write(f"create_relations_of_subjects_{type_.lower()}", rows=grouped,
                 expect={"relationships_created": number})


def put_release(store: Store, release: str, date: str) -> None:
    """Record a release and its date (ISO 8601, "" where nobody says it); one that is known is left as it is."""
    key = ids.meta(f"release:{release}")
    properties = {"release": release, "date": date, "scope": ids.PUBLIC}

    def work(tx: Tx) -> None:
        there = tx.read("get_meta", key=key)
        if not there or (date and there[0]["properties"].get("date") != date):
            tx.write("put_meta", key=key, properties=properties)

    rows = store.read("get_meta", key=key)
    if not rows or (date and rows[0]["properties"].get("date") != date):
        store.transaction(work)


def _generation(store: Store | Tx) -> int:
    rows = store.read("get_meta", key=ids.meta("graph"))
    return int(rows[0]["properties"].get("generation") or 0) if rows else 0


def source_row(spool: Spool, sab: str) -> Row:
    """Return the `Source` node of a vocabulary in the version that the folder holds."""
    known = spool.vocabularies.get(sab)
    properties: dict[str, Any] = {"name": sab, "restriction": known.restriction if known else 0}
    for name, value in (("version", known.version), ("title", known.name),
                        ("citation", known.citation)) if known else ():
        if value:
            properties[name] = value
    return {"key": ids.source(sab, spool.version(sab)), "scope": ids.PUBLIC, "properties": properties}


def _stored(rows: Iterable[Row]) -> tuple[dict[str, CodeContent], dict[str, set[str]]]:
    """Return the content of each code that the graph has, and the concepts it is linked to."""
    stored: dict[str, CodeContent] = {}
    linked: dict[str, set[str]] = {}
    for row in rows:
        key = row["properties"]["key"]
        stored[key] = CodeContent.from_row(row["properties"], row["concepts"])
        linked[key] = set(row["concepts"])
    return stored, linked


def _ahead(items: Iterable[T], depth: int = 2) -> Generator[T, None, None]:
    """Yield items that a thread makes ready while the caller works on those before; its errors are raised here."""
    source = iter(items)
    with ThreadPoolExecutor(1, thread_name_prefix="graphkb-vocabulary") as pool:
        pending = deque(pool.submit(next, source, None) for _ in range(depth))
        try:
            while (item := pending.popleft().result()) is not None:
                pending.append(pool.submit(next, source, None))
                yield item
        finally:
            pool.shutdown(cancel_futures=True)
