"""Blocks of a file that the file does not have any more: rows were taken out of it, or stand in another block now."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from graphkb import ids
from graphkb.store.protocol import Store, Tx
from ingestion.retract import remove_documents


def remove_gone(store: Store, scope: str, whole: Mapping[tuple[str, str], Collection[str]]) -> int:
    """Remove what files said before and do not say now; return how many documents went.

    Parameters
    ----------
    whole : mapping
        (source, what the paths of the file's documents begin with) -> records of all that the file has now; files
        that could not be read to their end are not in it.
    """
    gone: list[str] = []
    for (source, prefix), records in sorted(whole.items()):
        rows = store.read("list_documents_below", scope=scope, source=source, prefix=prefix)
        gone += [row["key"] for row in rows if row["record"] not in records]

    def work(tx: Tx, key: str) -> None:
        if remove_documents(tx, [key]).names_gone:
            tx.write("bump_generation", key=ids.meta(f"lexicon:{scope}"))
        tx.write("bump_generation", key=ids.meta("graph"))

    for key in gone:
        store.transaction(lambda tx, key=key: work(tx, key))  # type: ignore[misc]
    return len(gone)
