"""Which documents a new one takes the place of: earlier versions of its record, and what its file said before.

A record with a name of its own (a DOI, a note's number) is known by it; another text by its file. One text may lie at
several places: it stays while one of them still has it. What is superseded goes; with ``ingest.keep_versions`` a text
stays, bears ``superseded_by`` and ``effective_to``, and is found only by questions as of a date before that.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from graphkb import ids
from graphkb.model import Prepared, SourceDocument
from graphkb.store.protocol import Row, Store, Tx
from ingestion.retract import remove_documents


@dataclass(frozen=True, slots=True)
class Earlier:
    """What becomes of earlier documents: removed, kept as superseded, or only told that a file is theirs no more."""

    remove: list[str] = field(default_factory=list)
    keep: list[Row] = field(default_factory=list)
    elsewhere: list[Row] = field(default_factory=list)


def find(tx: Tx, scope: str, document: SourceDocument, key: str, *, record: bool = True) -> list[Row]:
    """Return the documents that are there of the same record (where asked), or at the same place."""
    return tx.read("list_earlier_versions", scope=scope, source=document.source.name,
                   record=document.record if record else "", path=document.path, key=key,
                   file=ids.file(scope, document.source.name, document.path))


def sort_out(rows: Iterable[Row], document: SourceDocument, *, keep: bool) -> Earlier:
    """Decide what becomes of earlier documents."""
    out = Earlier()
    for row in {row["key"]: row for row in rows}.values():
        others = [path for path in row["paths"] or () if path and path != document.path]
        if row["record"] != document.record and others:
            out.elsewhere.append({**row, "paths": others})
        elif keep and row["kind"] != "table":
            out.keep.append(row)
        else:
            out.remove.append(row["key"])
    return out


def apply(tx: Tx, earlier: Earlier, by: str, since: str) -> bool:
    """Remove, keep or release; return whether the names of the scope have changed with it."""
    for row in earlier.elsewhere:
        place(tx, row["key"], row["scope"], row["source"], row["paths"], row["files"])
    for row in earlier.keep:
        tx.write("mark_documents", documents=[row["key"]],
                 values={"superseded_by": by, "effective_to": since, "paths": None, "files": None})
    if earlier.keep:
        files = sorted({file for row in earlier.keep for file in row["files"] or ()})
        tx.write("delete_places", keys=files)
    return bool(earlier.remove) and remove_documents(tx, sorted(earlier.remove)).names_gone


def since_when(document: SourceDocument, kept: Sequence[Row]) -> str:
    """Return since when a version holds that follows kept ones: its own date where that is later, else today."""
    own = max(document.effective_from or "", document.published or "")
    before = max((max(row["effective_from"] or "", row["published"] or "") for row in kept), default="")
    return own if own > before else datetime.now(UTC).date().isoformat()


def place(tx: Tx, key: str, scope: str, source: str, paths: Sequence[str], files: Sequence[str] | None) -> None:
    """Say where a document's text lies; several places have a node each, by which the document is found."""
    several = list(paths) if len(paths) > 1 else []
    now = [ids.file(scope, source, path) for path in several]
    gone = sorted(set(files or ()) - set(now))
    if gone:
        tx.write("delete_places", keys=gone)
    if now:
        tx.write("put_places", rows=[{"key": file, "document": key, "scope": scope} for file in sorted(set(now))])
    values: dict[str, Any] = {"path": paths[-1], "paths": several or None, "files": now or None}
    tx.write("mark_documents", documents=[key], values=values)


def keep_places(tx: Tx, prepared: Prepared, again: Sequence[Row]) -> None:
    """Let a document that was made again lie where it lay, too."""
    path = prepared.document.path
    paths = [one for row in again for one in row["paths"] or () if one and one != path]
    if paths and path:
        place(tx, prepared.key, prepared.scope, prepared.document.source.name, [*paths, path], None)


def also_at(tx: Tx, scope: str, key: str, document: SourceDocument, state: Row) -> None:
    """Let an unchanged document know a further place of its text, and what lay there before go.

    A place that has no file any more is left out: the file was moved.
    """
    known = [path for path in state["paths"] or () if path]
    if not document.path or document.path in known:
        return
    earlier = sort_out(find(tx, scope, document, key, record=False), document, keep=False)
    if apply(tx, earlier, key, ""):
        tx.write("bump_generation", key=ids.meta(f"lexicon:{scope}"))
    if earlier.remove:
        tx.write("bump_generation", key=ids.meta("graph"))
    paths = [*(path for path in known if os.path.exists(path)), document.path]
    place(tx, key, scope, document.source.name, paths, state["files"])


def follow(store: Store, scope: str, documents: Iterable[tuple[str, SourceDocument]],
           states: Mapping[str, Row]) -> None:
    """Do `also_at` for those of a batch whose place is not known."""
    for key, document in documents:
        state = states.get(key)
        if state is None or state["superseded_by"] or not document.path or document.path in (state["paths"] or ()):
            continue

        def work(tx: Tx, key: str = key, document: SourceDocument = document) -> None:
            for now in tx.read("list_document_states", keys=[key]):
                also_at(tx, scope, key, document, now)

        store.transaction(work)


def supersede(tx: Tx, prepared: Prepared, rows: Sequence[Row], again: Sequence[Row]) -> tuple[Earlier, bool, str]:
    """Make room for a document; return what became of earlier ones, whether names went, and since when it holds.

    Parameters
    ----------
    rows, again : sequence of Row
        Earlier documents, and the same one where another pipeline made it or it came back.
    """
    earlier = sort_out(rows, prepared.document, keep=prepared.keep_versions)
    earlier.remove.extend(row["key"] for row in again)
    since = since_when(prepared.document, earlier.keep) if earlier.keep else ""
    return earlier, apply(tx, earlier, prepared.key, since), since
