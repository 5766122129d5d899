"""Write one prepared document in one transaction.

Read which shared keys exist, create only the missing ones, and check every counter: a missing end of an edge would
otherwise drop a row without a sign. What a document owns (chunks, mentions, evidence) is new whenever the document
is; a document that is there already with the same content and pipeline changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Literal

from graphkb import ids
from graphkb.errors import IngestError
from graphkb.model import LinkedFact, LocalConcept, Mention, Prepared, Statement
from graphkb.model.predicates import STATEMENT_PREDICATES
from graphkb.store.protocol import Row, Store, Tx
from ingestion import duplicates, given, given_names, revisions, versions
from ingestion.lines import TABLE
from ingestion.support import SOURCE_VALUES, raised

State = Literal["created", "superseded", "unchanged"]


def write_document(store: Store, prepared: Prepared, run: str) -> State:
    """Commit a document; return what became of it.

    Raises
    ------
    StoreError
        GKB-211 where a counter is not the expected one (the transaction is rolled back), or the store's own errors.
    """

    def work(tx: Tx) -> State:
        there = tx.read("list_document_states", keys=[prepared.key])
        if there and there[0]["pipeline"] == prepared.pipeline and not there[0]["superseded_by"]:
            versions.also_at(tx, prepared.scope, prepared.key, prepared.document, there[0])
            return "unchanged"
        rows = versions.find(tx, prepared.scope, prepared.document, prepared.key)
        if revisions.is_outdated(tx, prepared, [*rows, *there]):
            return "unchanged"
        earlier, names_gone, since = versions.supersede(tx, prepared, rows, there)
        _create_document(tx, prepared, run, since)
        versions.keep_places(tx, prepared, there)
        _create_chunks(tx, prepared)
        create_concepts(tx, prepared.concepts)
        create_mentions(tx, prepared.key, prepared.scope, prepared.mentions)
        create_statements(tx, prepared.scope, prepared.statements, run)
        if given.marks_of(prepared.document):
            given_names.settle(tx, [prepared.key], prepared.statements)
        if prepared.facts:
            create_facts(tx, prepared, prepared.facts)
        if prepared.facts or names_gone:
            tx.write("bump_generation", key=ids.meta(f"lexicon:{prepared.scope}"))
        tx.write("bump_generation", key=ids.meta("graph"))
        return "superseded" if earlier.remove or earlier.keep else "created"

    return store.transaction(work)


def missing(tx: Tx, label: str, keys: Sequence[str]) -> set[str]:
    """Return those keys that no node of the label has yet."""
    wanted = sorted(set(keys))
    if not wanted:
        return set()
    found = tx.read(f"list_existing_{label.lower()}", keys=wanted)
    return set(wanted) - {row["key"] for row in found}


def _present(properties: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in properties.items() if value is not None and value != ""}


def _create_document(tx: Tx, prepared: Prepared, run: str, since: str) -> None:
    document, scope = prepared.document, prepared.scope
    info = document.source
    source_key = ids.source(info.name, info.version)
    says = _present({name: getattr(info, name) for name in SOURCE_VALUES})
    _create_source(tx, source_key, info.name, info.version, says)
    properties = _present({
        "source": info.name, "record": document.record, "version": prepared.version, "title": document.title,
        "tier": document.tier, "kind": document.kind, "path": document.path, "published": document.published,
        "effective_from": document.effective_from, "run": run, "since": since,
        "lexicon": prepared.lexicon, "pipeline": prepared.pipeline, "revision": document.revision,
        **{f"id_{name}": value for name, value in document.identifiers.items()},
        "given": given.dumps(given.marks_of(document)),
        **document.properties, **duplicates.place(tx, prepared),
    })
    tx.write("create_document", rows=[{"key": prepared.key, "scope": scope, "properties": properties}],
             expect={"nodes_created": 1})
    tx.write("link_document_source", rows=[{"document": prepared.key, "source": source_key, "properties": says}],
             expect={"relationships_created": 1})
    _create_patient(tx, prepared)


def _create_patient(tx: Tx, prepared: Prepared) -> None:
    document, scope = prepared.document, prepared.scope
    if document.patient is None:
        return
    patient = document.patient
    key = ids.patient(patient.subject_id, scope)
    says = _present({"gender": patient.gender, "anchor_age": patient.anchor_age,
                     "anchor_year": patient.anchor_year, "died": patient.died})
    now = tx.read("list_node_properties_patient", keys=[key])
    if not now:
        tx.write("create_patients", rows=[{"key": key, "scope": scope, "subject_id": patient.subject_id}],
                 expect={"nodes_created": 1})
    _raise(tx, "set_patient_values", key, now, says)
    tx.write("link_document_patient", rows=[{"document": prepared.key, "patient": key, "properties": says}],
             expect={"relationships_created": 1})
    if document.encounter is None:
        return
    encounter = document.encounter
    encounter_key = ids.encounter(encounter.hadm_id, patient.subject_id, scope)
    says = _present({"admitted": encounter.admitted, "discharged": encounter.discharged,
                     "type": encounter.type, "disposition": encounter.disposition})
    now = tx.read("list_node_properties_encounter", keys=[encounter_key])
    if not now:
        tx.write("create_encounters",
                 rows=[{"key": encounter_key, "scope": scope, "hadm_id": encounter.hadm_id,
                        "subject_id": patient.subject_id, "patient": key}],
                 expect={"nodes_created": 1, "relationships_created": 1})
    _raise(tx, "set_encounter_values", encounter_key, now, says)
    tx.write("link_document_encounter",
             rows=[{"document": prepared.key, "encounter": encounter_key, "properties": says}],
             expect={"relationships_created": 1})


def _create_source(tx: Tx, key: str, name: str, version: str, says: dict[str, Any]) -> None:
    now = tx.read("list_node_properties_source", keys=[key])
    if now:
        _raise(tx, "set_source_values", key, now, says)
    else:
        tx.write("create_sources", rows=[{"key": key, "scope": ids.PUBLIC,
                                          "properties": _present({"name": name, "version": version}) | says}],
                 expect={"nodes_created": 1})


def _raise(tx: Tx, write: str, key: str, now: list[Row], says: dict[str, Any]) -> None:
    """Let a further supporter's values change the node's, where they are greater (see `ingestion.support`)."""
    changed = raised(now[0]["properties"] if now else {}, says)
    if changed:
        tx.write(write, rows=[{"key": key, "properties": changed}])


def _create_chunks(tx: Tx, prepared: Prepared) -> None:
    chunks = prepared.chunks
    if not chunks:
        return
    rows = [{"key": c.key, "scope": prepared.scope, "document": prepared.key, "start": c.start, "end": c.end,
             "ordinal": c.ordinal, "section": c.section, "text": c.text, "tokens": c.tokens,
             "tier": prepared.document.tier} for c in chunks]
    tx.write("create_chunks", rows=rows, expect={"nodes_created": len(rows), "relationships_created": len(rows)})
    following = [{"from": a.key, "to": b.key} for a, b in pairwise(chunks)]
    if following:
        tx.write("link_next_chunks", rows=following, expect={"relationships_created": len(following)})
    if prepared.document.kind == TABLE:
        return
    tx.write("create_dirty", rows=[{"key": ids.dirty("vectors", prepared.key), "kind": "vectors",
                                    "target": prepared.key, "scope": prepared.scope}])


def create_concepts(tx: Tx, concepts: Sequence[LocalConcept]) -> None:
    """Create those local concepts that are not there yet; a title names one that had only its code."""
    by_key = {concept.key: concept for concept in concepts}
    new = missing(tx, "Concept", list(by_key))
    titled = [{"key": c.key, "name": c.name, "code": c.code} for c in concepts
              if c.code and c.name != c.code and c.key not in new]
    if titled:
        # a row without a title may have made it: a title beats a code, whichever came first
        tx.write("name_local_concepts", rows=titled)
    if not new:
        return
    rows: list[Row] = []
    for key in sorted(new):
        concept = by_key[key]
        properties = _present({"name": concept.name, "search_text": concept.name, "code": concept.code, "local": True,
                               "semantic_types": sorted(concept.types) or None})
        rows.append({"key": key, "scope": concept.scope, "properties": properties})
    tx.write("create_local_concepts", rows=rows, expect={"nodes_created": len(rows)})


def create_mentions(tx: Tx, document: str, scope: str, mentions: Sequence[Mention]) -> None:
    """Create mentions with their edges; the document has none yet."""
    if not mentions:
        return
    rows = [{"key": m.key, "scope": scope, "chunk": m.chunk, "document": document, "name": m.name, "type": m.type,
             "assertion": m.assertion, "experiencer": m.experiencer, "temporality": m.temporality,
             "spans": [offset for span in m.spans for offset in span], "context": m.context, "method": m.method,
             "codes": list(m.codes) or None}
            for m in sorted(mentions, key=lambda m: m.key)]
    tx.write("create_mentions", rows=rows, expect={"nodes_created": len(rows), "relationships_created": len(rows)})
    links = [{"mention": m.key, "concept": link.concept, "score": link.score, "method": link.method}
             for m in mentions for link in m.links]
    links.sort(key=lambda row: (row["concept"], row["mention"]))
    if links:
        tx.write("link_mentions", rows=links, expect={"relationships_created": len(links)})


def create_statements(tx: Tx, scope: str, statements: Sequence[Statement], run: str) -> None:
    """Create those statements that are not there yet, and the evidence of one document for all of them."""
    if not statements:
        return
    by_key = {statement.key: statement for statement in statements}
    known = {row["key"]: row["text"] for row in tx.read("list_statement_texts", keys=sorted(by_key))}
    reworded = [{"key": key, "text": by_key[key].text} for key, text in sorted(known.items())
                if text != by_key[key].text]
    if reworded:
        tx.write("set_statement_texts", rows=reworded)
    new = [by_key[key] for key in sorted(by_key.keys() - known.keys())]
    if new:
        rows = [{"key": s.key, "scope": scope, "subject": s.subject, "predicate": s.predicate, "object": s.object,
                 "polarity": s.polarity, "patient": s.patient, "text": s.text} for s in new]
        tx.write("create_statements", rows=rows,
                 expect={"nodes_created": len(rows), "relationships_created": 2 * len(rows)})
        if scope == ids.PUBLIC:
            _create_relations(tx, [s for s in new if s.polarity == "affirmed"])
    evidence = {}
    for statement in statements:
        for item in statement.evidence:
            key = ids.evidence_edge(statement.key, item.chunk, item.start, item.end)
            evidence[key] = {"key": key, "statement": statement.key, "chunk": item.chunk, "start": item.start,
                             "end": item.end, "certainty": item.certainty, "method": item.method,
                             "said": item.said or None, "run": run}
    tx.write("link_statement_evidence", rows=[evidence[key] for key in sorted(evidence)],
             expect={"relationships_created": len(evidence)})


def _create_relations(tx: Tx, statements: Sequence[Statement]) -> None:
    by_type: dict[str, list[Row]] = {}
    for s in statements:
        row = {"key": s.key, "subject": s.subject, "object": s.object, "predicate": s.predicate}
        by_type.setdefault(STATEMENT_PREDICATES[s.predicate], []).append(row)
    for type_, rows in sorted(by_type.items()):
        tx.write(f"create_statement_relations_{type_.lower()}", rows=rows,
                 expect={"relationships_created": len(rows)})


def create_facts(tx: Tx, prepared: Prepared, facts: Sequence[LinkedFact]) -> None:
    """Create the structured facts of a document, on its encounter, or on its patient where it has none."""
    document, scope = prepared.document, prepared.scope
    if document.patient is None:
        raise IngestError("GKB-602", where=prepared.key, detail="structured facts without a patient")
    subject = document.patient.subject_id
    if document.encounter is not None:
        kind, owner = "encounter", ids.encounter(document.encounter.hadm_id, subject, scope)
    else:
        kind, owner = "patient", ids.patient(subject, scope)
    create_fact_rows(tx, kind, [(linked.fact.kind, _fact_row(linked, owner, prepared.key)) for linked in facts])


def create_fact_rows(tx: Tx, owner_kind: str, facts: Sequence[tuple[str, Row]]) -> None:
    """Create fact edges given as (relationship type, row), each key once."""
    by_type: dict[str, dict[str, Row]] = {}
    for type_, row in facts:
        by_type.setdefault(type_, {})[row["key"]] = row
    for type_, rows in sorted(by_type.items()):
        ordered = sorted(rows.values(), key=lambda row: (row["concept"], row["key"]))
        tx.write(f"create_{owner_kind}_facts_{type_.lower()}", rows=ordered,
                 expect={"relationships_created": len(ordered)})


def _fact_row(linked: LinkedFact, owner: str, document: str) -> Row:
    fact = linked.fact
    key = ids.fact(owner, fact.kind, fact.row)
    curie = f"{fact.vocabulary}:{fact.code}" if fact.code else ""
    properties = {**fact.properties, "document": document, "row": fact.row, "name": fact.name, "code": curie,
                  "method": linked.method}
    if fact.also:
        properties["also"] = list(fact.also)
    if fact.end:
        # not start and end: those are times of the row
        properties |= {"text_start": fact.start, "text_end": fact.end}
    return {"key": key, "owner": owner, "concept": linked.concept, "properties": properties}
