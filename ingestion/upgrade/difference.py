"""Compare the graph with a new release, concept by concept and relation by relation, with flat memory.

Whatever of the new release is in the graph already does not show: the difference of a graph that an upgrade was killed
in is what is left to do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from graphkb import ids
from graphkb.model.predicates import RELATION_TYPES
from graphkb.store.protocol import Row, Store
from ingestion.concepts import CodeContent, derive
from ingestion.pipeline import Progress, quiet
from ingestion.sources.umls_spool import ConceptBatch
from ingestion.upgrade.history import codes_of, content
from ingestion.upgrade.plan import Plan
from ingestion.upgrade.spool import ReleaseSpool
from ingestion.vocabulary import source_row

CONCEPTS = 1_000
RELATIONS = 20_000
RETIREMENT: dict[str, Any] = {"retired": None, "replaced_by": None, "replaced_how": None}


class Difference:
    """Fills a plan."""

    def __init__(self, store: Store, spool: ReleaseSpool, release: str, languages: Sequence[str], plan: Plan) -> None:
        self._store = store
        self._spool = spool
        self._release = release
        self._languages = languages
        self._plan = plan

    def take(self, progress: Progress = quiet) -> None:
        """Compare everything."""
        self._sources()
        done, total = 0, self._spool.counts["concepts"]
        for batch in self._spool.concept_batches(CONCEPTS, self._release):
            self._concepts(batch)
            done += len(batch.concepts)
            progress("comparing concepts", done, total)
        self._find_gone()
        for keys in self._plan.lacking(CONCEPTS):
            self._gone(keys)
        self._plan.end_codes()
        self._relations(progress)
        self._touched()

    # -- sources --------------------------------------------------------------------------------------------------

    def _sources(self) -> None:
        wanted = {}
        for sab in self._spool.sabs():
            row = source_row(self._spool, sab)
            wanted[row["key"]] = row
        there = {row["key"] for row in self._store.read("list_existing_source", keys=sorted(wanted))}
        for key in wanted.keys() - there:
            self._plan.add("sources", key, "added", wanted[key])

    # -- concepts and their codes ---------------------------------------------------------------------------------

    def _concepts(self, batch: ConceptBatch) -> None:
        there = self._there(batch.concepts)
        stored = codes_of(self._store, sorted(there))
        known = {key: row for own in stored.values() for key, row in own.items()}
        absent = sorted(batch.codes.keys() - known.keys())
        if absent:
            known |= {row["properties"]["key"]: row for row in self._store.read("list_codes_by_key", keys=absent)}
        self._plan.meet_codes(batch.codes)
        own: dict[str, list[CodeContent]] = {concept: [] for concept in batch.concepts}
        for key, new in batch.codes.items():
            self._code(new, known.get(key))
            for concept in new.concepts:
                if concept in own:
                    own[concept].append(new)
        for concept in batch.concepts:
            rows = stored.get(concept, {})
            self._missing(rows)
            foreign = [content(row) for row in rows.values() if _foreign(row)]
            derived = derive(concept, [*own[concept], *foreign], self._languages)
            before = [content(row) for row in rows.values() if not _foreign(row) and _live(row)]
            self._concept(concept, derived.to_row(concept), there.get(concept), before, own[concept])

    def _there(self, keys: Sequence[str]) -> dict[str, dict[str, Any]]:
        rows = self._store.read("list_concept_properties", keys=list(keys))
        return {row["properties"]["key"]: row["properties"] for row in rows}

    def _code(self, new: CodeContent, row: Row | None) -> None:
        if row is None:
            self._plan.add("codes", new.key, "added", self._code_row(new))
        elif not _live(row) or _said(content(row)) != _said(new) or sorted(row["concepts"]) != list(new.concepts):
            self._plan.add("codes", new.key, "changed", self._code_row(new))

    def _code_row(self, new: CodeContent) -> Row:
        return {"row": replace(new, from_release=self._release, to_release="").to_row(),
                "source": new.source_key, "concepts": list(new.concepts)}

    def _missing(self, rows: Mapping[str, Row]) -> None:
        """Note live codes: those that the new release has nowhere are going to end."""
        for key, row in rows.items():
            if _live(row) and not _foreign(row):
                self._plan.miss_code(key, {"key": key, "concepts": sorted(row["concepts"])})

    def _concept(self, key: str, row: Row, there: Mapping[str, Any] | None, before: Sequence[CodeContent],
                 after: Sequence[CodeContent]) -> None:
        note = self._plan.note
        if there is None:
            note("added", [key])
            self._plan.add("concepts", key, "added", row)
            return
        if there.get("retired"):
            note("returned", [key])
        changes = {name: value for name, value in (row | RETIREMENT).items()
                   if (there.get(name) or None) != (value or None)}
        for heading, name in (("renamed", "name"), ("types changed", "semantic_types"),
                              ("definition changed", "definition")):
            if name in changes:
                note(heading, [key])
        if before:
            self._names(key, before, after)
        if changes:
            self._plan.add("concepts", key, "changed", self._change(key, changes, there))

    def _names(self, key: str, before: Sequence[CodeContent], after: Sequence[CodeContent]) -> None:
        for what, of in (("names", _names), ("definitions", _definitions)):
            old, new = of(key, before), of(key, after)
            self._plan.tally(f"{what} added", len(new - old))
            self._plan.tally(f"{what} removed", len(old - new))
            if what == "names" and old != new:
                self._plan.note("names changed", [key])

    def _change(self, key: str, changes: dict[str, Any], there: Mapping[str, Any]) -> Row:
        """Return a change with what it undoes; what the concept showed until now is kept in lists of its own."""
        if changes.keys() & {"name", "definition", "semantic_types"}:
            shown = {"past_until": self._release, "past_names": there.get("name") or "",
                     "past_definitions": there.get("definition") or "",
                     "past_types": ",".join(there.get("semantic_types") or ())}
            changes = changes | {name: [*(there.get(name) or ()), value] for name, value in shown.items()}
        return {"key": key, "properties": dict(changes), "before": {name: there.get(name) for name in changes}}

    # -- concepts that the release has not any more ---------------------------------------------------------------

    def _find_gone(self) -> None:
        keys = (row["key"] for row in self._store.stream("stream_vocabulary_concepts", scope=ids.PUBLIC))
        while block := list(islice(keys, CONCEPTS)):
            self._plan.lacks(key for key in block if not self._spool.has_concept(key))

    def _gone(self, keys: Sequence[str]) -> None:
        there = self._there(keys)
        for key, rows in codes_of(self._store, keys).items():
            self._missing(rows)
            codes = [replace(content(row), to_release=self._release) if _live(row) else content(row)
                     for row in rows.values() if not _foreign(row)]
            foreign = [content(row) for row in rows.values() if _foreign(row)]
            if not any(code.to_release == self._release for code in codes):
                continue  # retired before, or never a concept of this vocabulary
            row = derive(key, foreign or codes, self._languages).to_row(key)
            self._retire(key, row, there[key], bool(foreign))

    def _retire(self, key: str, row: Row, there: Mapping[str, Any], kept: bool) -> None:
        retirement = dict(RETIREMENT)
        if not kept:
            fate = self._spool.fate(key)
            retirement = {"retired": self._release, "replaced_by": list(fate.successors) or None,
                          "replaced_how": list(fate.how) or None}
        changes = {name: value for name, value in (row | retirement).items()
                   if (there.get(name) or None) != (value or None)}
        if not changes:
            return
        if not kept:
            self._plan.note(fate.kind, [key])
            if not fate.explained:
                self._plan.note("deleted without a row of MRCUI", [key])
        self._plan.add("concepts", key, "changed" if kept else "retired", self._change(key, changes, there))

    # -- relations ------------------------------------------------------------------------------------------------

    def _relations(self, progress: Progress) -> None:
        for edges in self._spool.edge_batches(RELATIONS):
            self._plan.expect_relations(edges[0].type, (
                {"key": ids.relation(edge.subject, edge.predicate, edge.object, edge.sab), "subject": edge.subject,
                 "object": edge.object, "predicate": edge.predicate, "sab": edge.sab, "from_release": self._release}
                for edge in edges))
        done = 0
        for type_ in RELATION_TYPES:
            for row in self._store.stream(f"stream_vocabulary_relations_{type_.lower()}"):
                self._plan.meet_relation(type_, row)
                done += 1
                if done % RELATIONS == 0:
                    progress("comparing relations", done, self._spool.counts["relations"])

    def _touched(self) -> None:
        for keys in self._plan.changed_concepts(CONCEPTS):
            for kind in ("mentions", "statements", "facts"):
                rows = self._store.stream(f"list_{kind}_of_concepts", keys=keys)
                while block := list(islice(rows, RELATIONS)):
                    self._plan.touch(kind, block)


def _live(row: Row) -> bool:
    return not row["properties"].get("to_release")


def _foreign(row: Row) -> bool:
    """Whether a code is of no release: another source than the vocabulary brought it."""
    return row["properties"].get("from_release") is None


def _said(code: CodeContent) -> CodeContent:
    return replace(code, from_release="", to_release="")


def _names(concept: str, codes: Iterable[CodeContent]) -> set[str]:
    return {name.name for code in codes for name in code.names if name.concept == concept}


def _definitions(concept: str, codes: Iterable[CodeContent]) -> set[tuple[str, str]]:
    return {(code.vocabulary, text) for code in codes for owner, text in code.definitions if owner == concept}


