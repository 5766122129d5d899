"""Names of local concepts that a source gives a code of: derived from all that mention them, whatever the order.

Two documents may call one code by two names. The concept shows the first of all by `rank`, and statements about it
are worded with that name; when a document comes or goes both follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from graphkb.model import Statement
from graphkb.store.protocol import Row, Tx
from ingestion.statements import wording

LONGEST = 80


def rank(name: str) -> tuple[bool, int, str]:
    """Order names: the longest first (an abbreviation says least), but for those that are no name but a phrase."""
    return (len(name) > LONGEST, -len(name), name)


def names_in(tx: Tx, documents: Sequence[str]) -> list[Row]:
    """Return the coded local concepts that documents mention: ``key``, name ``now``, and what it is called there."""
    return tx.read("list_given_names_in", documents=list(documents))


def settle(tx: Tx, documents: Sequence[str], statements: Iterable[Statement] = (), lost: Sequence[Row] = ()) -> None:
    """Name coded local concepts after documents have come or gone, and word the statements about them.

    Parameters
    ----------
    documents
        Those that have come.
    statements
        What they state.
    lost
        What `names_in` said of those that have gone, before they went.
    """
    now, best = _candidates(names_in(tx, documents)) if documents else ({}, {})
    own = frozenset(now)
    leaders = sorted({row["key"] for row in lost if row["said"] == row["now"]})
    if leaders:
        rows = tx.read("list_given_names_of", keys=leaders)
        current, others = _candidates(rows, keep_current=False)
        now |= current
        best |= others
    changed = [{"key": key, "name": best[key]} for key in sorted(best) if best[key] != now[key]]
    if changed:
        tx.write("set_local_names", rows=changed)
    touched = {one.key for one in statements if one.subject in own or one.object in own}
    if changed:
        rows = tx.read("list_statements_of_concepts", keys=[row["key"] for row in changed])
        touched.update(row["key"] for row in rows)
    if touched:
        _reword(tx, sorted(touched))


def _candidates(rows: Iterable[Row], *, keep_current: bool = True) -> tuple[dict[str, str], dict[str, str]]:
    now: dict[str, str] = {}
    best: dict[str, str] = {}
    for row in rows:
        now[row["key"]] = row["now"]
        said = [row["said"], *([row["now"]] if keep_current else []), *filter(None, [best.get(row["key"])])]
        best[row["key"]] = min(said, key=rank)
    return now, best


def _reword(tx: Tx, keys: list[str]) -> None:
    reworded: list[Row] = []
    for row in tx.read("list_statement_words", keys=keys):
        text = wording(row["predicate"], row["polarity"], row["subject"], row["object"])
        if text != row["text"]:
            reworded.append({"key": row["key"], "text": text})
    if reworded:
        tx.write("set_statement_texts", rows=reworded)
