"""Records that their source gives again and again: an earlier revision never takes the place of a later one.

MEDLINE is such a source: a baseline, then numbered files of updates and deletions. Whatever order its files are taken
in, the graph ends with the latest revision of each record, and without those that were deleted after it. What was
deleted is remembered in ``Meta`` nodes, so that an earlier file that comes late does not bring it back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from graphkb import ids
from graphkb.model import Deletion, Prepared, SourceDocument
from graphkb.store.protocol import Row, Store, Tx
from ingestion.retract import remove_documents


def _tombstone(scope: str, source: str, record: str) -> str:
    return ids.meta(f"deleted:{scope}:{source}:{record}")


def is_outdated(tx: Tx, prepared: Prepared, there: Sequence[Row]) -> bool:
    """Whether a later revision of a document is there, or its record was deleted after this one."""
    document = prepared.document
    if not document.revision:
        return False
    if any((row["revision"] or "") > document.revision for row in there):
        return True
    key = _tombstone(prepared.scope, document.source.name, document.record)
    return any(row["properties"]["revision"] >= document.revision for row in tx.read("list_meta", keys=[key]))


def renewed(documents: Iterable[tuple[str, SourceDocument]], states: Mapping[str, Row]) -> list[Row]:
    """Return the rows that say of documents with the same content that a later revision has it, too."""
    latest: dict[str, str] = {}
    for key, document in documents:
        if not document.revision or key not in states:
            continue
        if document.revision > max(latest.get(key, ""), states[key]["revision"] or ""):
            latest[key] = document.revision
    return [{"key": key, "properties": {"revision": revision}} for key, revision in sorted(latest.items())]


def delete(store: Store, scope: str, deletions: Iterable[Deletion]) -> int:
    """Remove records that their source has withdrawn, one transaction each; return how many documents went."""
    return sum(_delete(store, scope, deletion) for deletion in deletions)


def _delete(store: Store, scope: str, deletion: Deletion) -> int:
    tombstone = _tombstone(scope, deletion.source, deletion.record)

    def work(tx: Tx) -> int:
        there = tx.read("list_meta", keys=[tombstone])
        if not there or there[0]["properties"]["revision"] < deletion.revision:
            tx.write("put_meta", key=tombstone, properties={"revision": deletion.revision})
        rows = tx.read("list_documents_of_record", scope=scope, source=deletion.source, record=deletion.record)
        gone = sorted({row["key"] for row in rows if (row["revision"] or "") <= deletion.revision})
        if gone:
            if remove_documents(tx, gone).names_gone:
                tx.write("bump_generation", key=ids.meta(f"lexicon:{scope}"))
            tx.write("bump_generation", key=ids.meta("graph"))
        return len(gone)

    return store.transaction(work)
