"""Build a lexicon's files from a stream of names.

One row per name and concept, 23 bytes, in arrays sorted by key and mapped into memory; a filter of one byte per name
says quickly that a hash is not there. Files are written beside the folder and renamed: a reader sees the old lexicon
or the new one.

========== ====== =====================================================================================
``keys``   uint64 sum of the hashes of the name's words without stop words, of the first `WINDOW` if longer
``loose``  uint16 second hash of what the key is over (in their order for a longer name): keys may collide
``bag``    uint16 hash of the words' lemmas, sorted
``order``  uint16 hash of the words' lemmas in their order
``exact``  uint16 hash of the folded name letter by letter
``owner``  uint32 number of the concept
``info``   uint16 rank, source, acronym, movable, plural (see `INFO`)
``words``  uint8  words without stop words
========== ====== =====================================================================================
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from array import array
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphkb import ids
from ingestion.fold import fold_name
from ingestion.lexicon.evidence import is_acronym
from ingestion.lexicon.names import Name, derived, synonyms, upright
from ingestion.lexicon.words import (
    STOPS,
    TOKEN,
    WordHashes,
    exact_form,
    hash64,
    in_any_order,
    is_plural,
    loose_form,
    strict_form,
)

RULES = "2"  # raise it when the rules of words, names, evidence or lookup change
WINDOW = 8
MAX_WORDS = 64
INFO = {"rank": 3, "source": 3, "acronym": 1 << 4, "movable": 1 << 5, "plural": 1 << 6}
SOURCES = ("vocabulary", "title", "drug")
COLUMNS = {"keys": ("Q", "<u8"), "loose": ("H", "<u2"), "bag": ("H", "<u2"), "order": ("H", "<u2"),
           "exact": ("H", "<u2"), "owner": ("I", "<u4"), "info": ("H", "<u2"), "words": ("B", "u1")}


@cache
def version() -> str:
    """Return what a lexicon is made by: the rules, and the bundled lists as they are."""
    texts = [files("ingestion.lexicon").joinpath(name).read_text(encoding="utf-8")
             for name in ("common_words.txt", "synonyms.txt")]
    return f"lexicon-{RULES}-{ids.content_hash(*texts)[:12]}"


def second_hashes(words: list[str], surface: str, *, long: bool) -> dict[str, int]:
    """Return the second hashes of a name: see the table above."""
    strict, loose = strict_form(words), loose_form(words)
    return {"loose": hash64(loose if long else in_any_order(loose)) & 0xFFFF,
            "bag": hash64(in_any_order(strict)) & 0xFFFF,
            "order": hash64(strict) & 0xFFFF,
            "exact": hash64(exact_form(surface)) & 0xFFFF}


class _Rows:
    def __init__(self) -> None:
        self.columns = {name: array(code) for name, (code, _) in COLUMNS.items()}
        self.hashes = WordHashes()
        self.concepts: dict[str, int] = {}
        self.records: list[tuple[tuple[str, ...], str]] = []

    def owner(self, name: Name) -> int:
        number = self.concepts.setdefault(name.concept, len(self.records))
        if number == len(self.records):
            self.records.append((name.types, name.group))
        return number

    def add(self, folded: str, name: Name, rank: int) -> None:
        spans = [match.span() for match in TOKEN.finditer(folded)]
        words = [folded[a:b] for a, b in spans]
        solid = [n for n, word in enumerate(words) if word not in STOPS]
        if not solid or len(solid) > MAX_WORDS:
            return
        first, last = solid[0], solid[-1]
        words, surface = words[first:last + 1], folded[spans[first][0]:spans[last][1]]
        if surface.isdigit() or len(surface) < 2:
            return
        long = len(solid) > WINDOW
        key = sum(self.hashes[folded[spans[n][0]:spans[n][1]]] for n in solid[:WINDOW]) & 0xFFFFFFFFFFFFFFFF
        movable = not long and len(solid) > 1 and ("," in surface or len(words) > len(solid))
        info = rank | SOURCES.index(name.source) << 2 | INFO["acronym"] * is_acronym(name.text.strip())
        info |= INFO["plural"] * is_plural(words[-1])
        values = {"keys": key, "owner": self.owner(name), "info": info | INFO["movable"] * movable,
                  "words": len(solid), **second_hashes(words, surface, long=long)}
        for column, value in values.items():
            self.columns[column].append(value)


def _collect(names: Iterable[Name]) -> tuple[_Rows, str]:
    rows = _Rows()
    digests: list[str] = []
    for name in names:
        folded = fold_name(name.text)
        if name.suppressed or not folded:
            continue
        digests.append(ids.content_hash(folded, name.text, name.concept, *name.types, name.group, name.source,
                                        str(name.rank)))
        rows.add(folded, name, name.rank)
        turned = upright(folded, name.group)
        if turned:
            rows.add(turned, name, name.rank)
        for further in {*derived(folded, name.group), *synonyms().get(exact_form(folded), ())}:
            rows.add(further, name, 3)
    # a set: a name streamed twice (by two codes) is the same name
    return rows, ids.content_hash(ids.combine(set(digests)), version())


def _filter(keys: NDArray[Any]) -> NDArray[Any]:
    """Return a bit table of a power of two of bits, about eight per key, in which every key's bit is set."""
    bits = max(10, int(max(1, len(keys)) - 1).bit_length() + 3)
    at = keys >> np.uint64(64 - bits)
    table = np.zeros(1 << (bits - 3), dtype=np.uint8)
    np.bitwise_or.at(table, (at >> np.uint64(3)).astype(np.int64), np.uint8(1) << (at & np.uint64(7)).astype(np.uint8))
    return table


def write(names: Iterable[Name], folder: Path) -> None:
    """Build the files in ``folder``, replacing a lexicon that is there at once. The order of names does not matter."""
    rows, stamp = _collect(names)
    # concepts are numbered by their keys, so that the files do not depend on the order of names
    order = sorted(rows.concepts)
    renumber = np.zeros(max(1, len(order)), dtype=np.uint32)
    for new, key in enumerate(order):
        renumber[rows.concepts[key]] = new
    columns = {name: np.frombuffer(rows.columns[name], dtype=dtype) if len(rows.columns[name]) else
               np.empty(0, dtype=dtype) for name, (_, dtype) in COLUMNS.items()}
    columns["owner"] = renumber[columns["owner"]]
    # of equal rows the one to keep comes first: the better rank, then the scope's own table
    worth = (columns["info"] & INFO["rank"]) * 2 + (columns["info"] >> 2 & INFO["source"] == 0)
    by = np.lexsort([columns["info"], worth, *(columns[name] for name in (
        "words", "loose", "bag", "order", "exact", "owner", "keys"))])
    columns = {name: column[by] for name, column in columns.items()}
    same = np.ones(len(by), dtype=bool)
    for name in ("keys", "owner", "exact", "order", "bag", "loose", "words"):
        same[1:] &= columns[name][1:] == columns[name][:-1]
    same[:1] = False
    columns = {name: column[~same] for name, column in columns.items()}
    folder.parent.mkdir(parents=True, exist_ok=True)
    beside = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        for name, column in columns.items():
            np.save(beside / f"{name}.npy", column)
        np.save(beside / "filter.npy", _filter(columns["keys"]))
        _write_concepts(beside, order, rows)
        manifest = {"stamp": stamp, "version": version(), "names": len(columns["keys"]), "concepts": len(order)}
        (beside / "manifest.json").write_text(json.dumps(manifest, indent=1), encoding="utf-8")
        _publish(beside, folder)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _write_concepts(folder: Path, order: list[str], rows: _Rows) -> None:
    """Write one line per concept (key, types, group), and where each line ends."""
    ends = np.zeros(len(order) + 1, dtype=np.uint64)
    with (folder / "concepts.txt").open("wb") as out:
        for number, key in enumerate(order):
            types, group = rows.records[rows.concepts[key]]
            out.write(f"{key}\t{','.join(types)}\t{group}\n".encode())
            ends[number + 1] = out.tell()
    np.save(folder / "concept_ends.npy", ends)


def _publish(beside: Path, folder: Path) -> None:
    for path in beside.iterdir():
        with path.open("rb") as stream:
            os.fsync(stream.fileno())
    if folder.exists():
        old = Path(tempfile.mkdtemp(prefix=f".{folder.name}-old-", dir=folder.parent))
        folder.rename(old / "lexicon")
        beside.rename(folder)
        shutil.rmtree(old, ignore_errors=True)
    else:
        beside.rename(folder)
    os.chmod(folder, 0o700)
