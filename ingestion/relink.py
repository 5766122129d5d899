"""Link again what was linked with another lexicon, so that the order of loading leaves no trace.

Structured facts first (their names make a private scope's lexicon), then text, scope by scope.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from graphkb import ids
from graphkb.model import Chunk, Fact
from graphkb.store.protocol import Row, Store, Tx
from ingestion import given, given_names, linking
from ingestion.lexicons import Lexicons
from ingestion.pipeline import Progress, concepts_of_codes, quiet
from ingestion.retract import Touched, remove_facts, remove_links, remove_unsupported
from ingestion.writer import create_concepts, create_fact_rows, create_mentions, create_statements


@dataclass(slots=True)
class Relinked:
    """How many documents were linked again."""

    facts: int = 0
    texts: int = 0


def relink(store: Store, lexicons: Lexicons, run: str = "", progress: Progress = quiet) -> Relinked:
    """Bring every document's links up to the current lexicon of its scope."""
    done = Relinked()
    names = linking.ConceptNames(store)
    scopes = [row["scope"] for row in store.read("list_document_scopes")]
    for scope in scopes:
        public = lexicons.get(ids.PUBLIC)
        stale = store.read("list_stale_documents", scope=scope, lexicon=linking.stamp(public))
        for row in stale:
            if row["kind"] == "table":
                _relink_facts(store, scope, row["key"], lexicons)
                done.facts += 1
        lexicon = lexicons.get(scope)
        stamp = linking.stamp(lexicon)
        stale = [row for row in store.read("list_stale_documents", scope=scope, lexicon=stamp)
                 if row["kind"] != "table"]
        for number, row in enumerate(stale, 1):
            _relink_text(store, scope, row, lexicons, names, run)
            done.texts += 1
            progress("linked again", number, len(stale))
    return done


def _relink_text(store: Store, scope: str, row: Row, lexicons: Lexicons, names: Mapping[str, str], run: str) -> None:
    document, kind = row["key"], row["kind"]
    lexicon = lexicons.get(scope)
    chunks = [_chunk(row) for row in store.read("list_document_chunks", documents=[document])]
    patients = store.read("list_document_patients", documents=[document])
    subject = patients[0]["subject_id"] if patients else ""
    marks = given.loads(next((row["given"] for row in store.read("list_document_marks", documents=[document])), ""))
    linked = linking.link_text(chunks, lexicon, scope=scope, patient=subject, names=names, marks=marks,
                               codes=concepts_of_codes(store, marks.codes), kind=kind)

    def work(tx: Tx) -> None:
        if not tx.read("list_document_states", keys=[document]):
            return  # another process removed it meanwhile
        touched = remove_links(tx, [document])
        create_concepts(tx, linked.concepts)
        create_mentions(tx, document, scope, linked.mentions)
        create_statements(tx, scope, linked.statements, run)
        if marks:
            given_names.settle(tx, [document], linked.statements)
        remove_unsupported(tx, touched)
        tx.write("set_document_lexicon", rows=[{"key": document, "lexicon": linking.stamp(lexicon)}])
        tx.write("bump_generation", key=ids.meta("graph"))

    store.transaction(work)


def _chunk(row: Row) -> Chunk:
    return Chunk(row["key"], row["document"], row["start"], row["end"], row["ordinal"], row["text"], row["section"],
                 row["tokens"])


def _relink_facts(store: Store, scope: str, document: str, lexicons: Lexicons) -> None:
    lexicon = lexicons.get(ids.PUBLIC)

    def work(tx: Tx) -> None:
        stored = list(_stored_facts(tx, document))
        facts = [_fact(row) for row in stored]
        codes = concepts_of_codes(tx, linking.curies_of(facts))
        linked, local = linking.link_facts(facts, codes, lexicon, scope)
        moved = list(zip(stored, linked, strict=True))
        if any((row["concept"], row["properties"].get("method")) != (fact.concept, fact.method) for row, fact in moved):
            touched = Touched(concepts=remove_facts(tx, [document]).concepts)
            create_concepts(tx, local)
            for kind in ("encounter", "patient"):
                create_fact_rows(tx, kind, [
                    (row["kind"], {"key": row["key"], "owner": row["owner"], "concept": fact.concept,
                                   "properties": _without_key(row["properties"]) | {"method": fact.method}})
                    for row, fact in moved if row["owner_kind"] == kind])
            remove_unsupported(tx, touched)
            tx.write("bump_generation", key=ids.meta(f"lexicon:{scope}"))
            tx.write("bump_generation", key=ids.meta("graph"))
        tx.write("set_document_lexicon", rows=[{"key": document, "lexicon": linking.stamp(lexicon)}])

    store.transaction(work)


def _stored_facts(store: Tx, document: str) -> Iterator[Row]:
    owners = store.read("list_document_owners", documents=[document])
    for kind in ("encounter", "patient"):
        keys = sorted({row[kind] for row in owners if row[kind]})
        if keys:
            for row in store.read(f"list_{kind}_facts", owners=keys, documents=[document]):
                yield {**row, "owner_kind": kind}


def _without_key(properties: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in properties.items() if name != "key"}


def _fact(row: Row) -> Fact:
    properties = row["properties"]
    vocabulary, _, code = properties["code"].partition(":")
    return Fact(row["kind"], properties["row"], properties["name"], vocabulary, code,
                also=tuple(properties.get("also", ())))
