"""Which documents are one published work, which have nearly one text, and which a notice has retracted.

All of it is derived, inside the transaction that writes or removes a document, from nothing but the documents that
are there, so that it does not depend on the order of ingestion and is never late:

- ``work``: documents of a scope that share a DOI, PMID or PMCID, directly or by others, are one work; it is named by
  the smallest of their identifiers.
- ``duplicate_of``: documents of a scope whose 64-bit simhash over word shingles differs in at most three bits
  (Charikar 2002; Manku, Jain and Das Sarma 2007), directly or by others, are a group; all but the one with the
  smallest key bear that key. Two hashes that differ in three bits at most share one of four bands of 16 bits.
- ``retracted_at``: the earliest date of the notices about a document's identifiers and of what its own record says.
  Notices lie in ``Meta`` nodes by identifier; a notice in ``public`` is about the documents of every scope.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphkb import ids
from graphkb.model import Prepared
from graphkb.store.protocol import Row, Tx

SHINGLE = 3
MIN_SHINGLES = 16
MAX_DISTANCE = 3
NO_DATE = "0000"  # a notice without a date: retracted at any time, the careful reading
OWN_RECORD = "self"  # `retracted_by` where a document's own record says that it is retracted
_WORD = re.compile(r"\w+")
_BANDS = ("simhash_0", "simhash_1", "simhash_2", "simhash_3")


# -- likeness ---------------------------------------------------------------------------------------------------------

def simhash(text: str) -> int | None:
    """Return the 64-bit simhash of a text's distinct word shingles; None where they are too few to tell texts apart."""
    words = _WORD.findall(unicodedata.normalize("NFKC", text).casefold())
    if len(words) < SHINGLE + MIN_SHINGLES - 1:
        return None
    number = {word: int.from_bytes(hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest(),
                                   "little") for word in set(words)}
    hashes = np.fromiter((number[word] for word in words), dtype=np.uint64, count=len(words))
    shingles = np.zeros(len(words) - SHINGLE + 1, dtype=np.uint64)
    for place in range(SHINGLE):
        shingles = _mixed(shingles ^ hashes[place:place + len(shingles)])
    distinct = np.unique(shingles)
    if len(distinct) < MIN_SHINGLES:
        return None
    ones = np.unpackbits(distinct.astype("<u8").view(np.uint8).reshape(-1, 8), axis=1, bitorder="little").sum(axis=0)
    return int.from_bytes(np.packbits(ones * 2 > len(distinct), bitorder="little").tobytes(), "little")


def _mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Spread every bit over all 64 (the finaliser of splitmix64, Steele, Lea and Flood 2014)."""
    values = values + np.uint64(0x9E3779B97F4A7C15)
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


def bands(value: int) -> dict[str, int]:
    """Return a simhash as its four bands of 16 bits, as a document keeps it."""
    return {name: value >> (16 * place) & 0xFFFF for place, name in enumerate(_BANDS)}


def _hash_of(row: Row) -> int | None:
    parts = [row[f"s{place}"] for place in range(4)]
    return None if None in parts else sum(part << (16 * place) for place, part in enumerate(parts))


def _alike(a: int, b: int) -> bool:
    return (a ^ b).bit_count() <= MAX_DISTANCE


def groups(keys: Sequence[str], linked: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Return the connected groups of keys, each sorted, in the order of their first keys."""
    parent = {key: key for key in keys}

    def root(key: str) -> str:
        while parent[key] != key:
            parent[key] = key = parent[parent[key]]
        return key

    for a, b in linked:
        first, second = sorted((root(a), root(b)))
        parent[second] = first
    found: dict[str, list[str]] = {}
    for key in sorted(parent):
        found.setdefault(root(key), []).append(key)
    return list(found.values())


def _sharing(members: Mapping[str, Iterable[Hashable]]) -> Iterable[tuple[str, str]]:
    """Yield pairs of members that share something, enough of them to connect all that do."""
    first: dict[Hashable, str] = {}
    for key, things in members.items():
        for thing in things:
            yield key, first.setdefault(thing, key)


def _pairs_alike(members: Mapping[str, int]) -> Iterable[tuple[str, str]]:
    keys = sorted(members)
    values = np.array([members[key] for key in keys], dtype=np.uint64)
    for place in range(len(keys) - 1):
        near = np.bitwise_count(values[place + 1:] ^ values[place]) <= MAX_DISTANCE
        yield from ((keys[place], keys[place + 1 + int(other)]) for other in np.flatnonzero(near))


# -- a document comes -------------------------------------------------------------------------------------------------

def place(tx: Tx, prepared: Prepared) -> dict[str, Any]:
    """Find a new document's place among those that are there, and move these where it changes theirs.

    Returns
    -------
    dict
        Properties that the document is to be created with.
    """
    document, scope = prepared.document, prepared.scope
    properties: dict[str, Any] = {}
    if forms := ids.identifier_forms(document.identifiers):
        properties["work"] = _join_work(tx, scope, document.identifiers, forms)
        properties |= _retraction(_notices(tx, _scopes_over(scope), forms), document.says_retracted)
        if document.says_retracted:
            properties["says_retracted"] = document.says_retracted
    if document.patient is None and document.kind != "table" and (value := simhash(document.text)) is not None:
        properties |= bands(value)
        if (root := _join_group(tx, scope, prepared.key, value)) != prepared.key:
            properties["duplicate_of"] = root
    if document.retracts:
        properties["retracts"] = sorted(document.retracts)
        _announce(tx, prepared)
    return properties


def _by_kind(forms: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {"dois": [], "pmids": [], "pmcids": []}
    for form in sorted(set(forms)):
        kind, _, value = form.partition(":")
        if f"{kind}s" in found:
            found[f"{kind}s"].append(value)
    return found


def _join_work(tx: Tx, scope: str, identifiers: Mapping[str, str], forms: Sequence[str]) -> str:
    others = tx.read("list_documents_of_identifiers", scope=scope, **_by_kind(forms))
    works: set[str] = {row["work"] for row in others if row["work"]}
    work = min({ids.work(identifiers), *works})
    moved = tx.read("list_documents_of_work", scope=scope, works=sorted(works - {work})) if works - {work} else []
    _set(tx, [{"key": row["key"], "properties": {"work": work}} for row in moved])
    return work


def _join_group(tx: Tx, scope: str, key: str, value: int) -> str:
    rows = tx.read("list_documents_of_bands", scope=scope,
                   **{f"s{number}": band for number, band in enumerate(bands(value).values())})
    near = [row for row in rows if row["key"] != key and (other := _hash_of(row)) is not None and _alike(value, other)]
    roots: set[str] = {row["duplicate_of"] or row["key"] for row in near}
    root = min({key, *roots})
    if roots - {root}:
        moved = tx.read("list_duplicates", roots=sorted(roots - {root}))
        _set(tx, [{"key": row["key"], "properties": {"duplicate_of": root}} for row in moved])
    return root


def _set(tx: Tx, rows: Sequence[Row]) -> None:
    if rows:
        tx.write("set_document_values", rows=sorted(rows, key=lambda row: str(row["key"])))


# -- documents go -----------------------------------------------------------------------------------------------------

def before_removal(tx: Tx, documents: Sequence[str]) -> Callable[[], None]:
    """Note what documents hold together; the returned function, called once they are gone, parts the others."""
    rows = tx.read("list_document_likes", keys=list(documents))

    def part() -> None:
        for scope in sorted({row["scope"] for row in rows}):
            mine = [row for row in rows if row["scope"] == scope]
            _part_works(tx, scope, sorted({row["work"] for row in mine if row["work"]}))
        roots = sorted({row["duplicate_of"] or row["key"] for row in rows if row["s0"] is not None})
        _part_groups(tx, roots)
        for row in rows:
            if row["retracts"]:
                _withdraw(tx, row["scope"], row["key"], row["retracts"])

    return part


def _part_works(tx: Tx, scope: str, works: Sequence[str]) -> None:
    left = {row["key"]: row for row in tx.read("list_documents_of_work", scope=scope, works=works)} if works else {}
    forms = {key: ids.identifier_forms(row) for key, row in left.items()}
    rows = []
    for group in groups(list(left), _sharing(forms)):
        work = min(form for key in group for form in forms[key])
        rows += [{"key": key, "properties": {"work": work}} for key in group if left[key]["work"] != work]
    _set(tx, rows)


def _part_groups(tx: Tx, roots: Sequence[str]) -> None:
    left = {row["key"]: row for row in tx.read("list_duplicates", roots=roots)} if roots else {}
    values = {key: value for key, row in left.items() if (value := _hash_of(row)) is not None}
    rows = []
    for group in groups(list(values), _pairs_alike(values)):
        for key in group:
            before = left[key]["root"] if left[key]["root"] != key else None
            after = group[0] if group[0] != key else None
            if before != after:
                rows.append({"key": key, "properties": {"duplicate_of": after}})
    _set(tx, rows)


# -- notices of retraction --------------------------------------------------------------------------------------------

def _scopes_over(scope: str) -> list[str]:
    """Return the scopes whose notices are about a document of a scope."""
    return sorted({ids.PUBLIC, scope})


def _notice_key(scope: str, form: str) -> str:
    return ids.meta(f"retraction:{scope}:{form}")


def _notices(tx: Tx, scopes: Iterable[str], forms: Iterable[str]) -> list[str]:
    """Return the notices about identifiers, each ``date|document``."""
    keys = sorted({_notice_key(scope, form) for scope in scopes for form in forms})
    return sorted({notice for row in tx.read("list_meta", keys=keys) for notice in row["properties"]["notices"]})


def _retraction(notices: Sequence[str], own: str | None) -> dict[str, str]:
    """Return what makes a document retracted: the earliest notice, else its own record; nothing where it is not."""
    found = [*notices, *([f"{own}|{OWN_RECORD}"] if own else [])]
    dated = [notice for notice in found if not notice.startswith(NO_DATE)]
    date, _, by = min(dated or found, default="").partition("|")
    return {"retracted_at": date, "retracted_by": by} if found else {}


def _announce(tx: Tx, prepared: Prepared) -> None:
    document = prepared.document
    notice = f"{document.published or NO_DATE}|{prepared.key}"
    for form in sorted(set(document.retracts)):
        key = _notice_key(prepared.scope, form)
        there = tx.read("list_meta", keys=[key])
        notices = {notice, *(there[0]["properties"]["notices"] if there else ())}
        tx.write("put_meta", key=key, properties={"notices": sorted(notices)})
    _judge(tx, prepared.scope, document.retracts)


def _withdraw(tx: Tx, scope: str, document: str, forms: Sequence[str]) -> None:
    for form in sorted(set(forms)):
        key = _notice_key(scope, form)
        there = tx.read("list_meta", keys=[key])
        notices = [notice for row in there for notice in row["properties"]["notices"]
                   if notice.partition("|")[2] != document]
        if notices:
            tx.write("put_meta", key=key, properties={"notices": notices})
        elif there:
            tx.write("delete_meta", keys=[key])
    _judge(tx, scope, forms)


def _judge(tx: Tx, scope: str, forms: Iterable[str]) -> None:
    """Bring the state of the documents of these identifiers up to the notices; a user's own mark is left alone."""
    rows = []
    scopes = [] if scope == ids.PUBLIC else [scope]
    for row in tx.read("list_retraction_states", scopes=scopes, **_by_kind(forms)):
        if row["retracted_at"] and not row["retracted_by"]:
            continue
        notices = _notices(tx, _scopes_over(row["scope"]), ids.identifier_forms(row))
        now = {"retracted_at": None, "retracted_by": None} | _retraction(notices, row["says_retracted"])
        if any(row[name] != value for name, value in now.items()):
            rows.append({"key": row["key"], "properties": now})
    _set(tx, rows)


def judge(tx: Tx, documents: Sequence[str]) -> None:
    """Let notices and their own records say again of these documents what a user's mark had overruled."""
    for row in tx.read("list_document_places", documents=list(documents)):
        if row["says_retracted"]:
            _set(tx, [{"key": row["key"], "properties": _retraction([], row["says_retracted"])}])
        _judge(tx, row["scope"], ids.identifier_forms(row))
