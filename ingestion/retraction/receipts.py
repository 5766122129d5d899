"""Receipts of retractions: what went by number, hashes of the keys, and what the residue queries found; never content.

``receipts/NNNN-<run>.json``, readable by its owner only. Each has the SHA-256 of the one before, and the graph has that
of the last, so a receipt that was changed, removed or put in between shows.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from graphkb import ids
from graphkb.store.disk import on_disk
from graphkb.store.protocol import Store
from ingestion.retraction.plan import folder_of, private

_NAME = re.compile(r"(\d{4,})-([0-9a-f]+)\.json")
_FIRST = "0" * 64


@dataclass(frozen=True, slots=True)
class Receipt:
    """What one retraction did. ``targets`` and ``documents`` are salted hashes of names and keys."""

    number: int
    run: str
    action: str
    time: str
    who: str
    scope: str
    reason: str
    targets: list[dict[str, str]]
    documents: list[str]
    removed: dict[str, dict[str, int]]
    residue: dict[str, int]
    cleaned: dict[str, int] = field(default_factory=dict)
    previous: str = _FIRST

    def to_dict(self) -> dict[str, Any]:
        """Return the receipt as it is stored."""
        return {"receipt": 1, **asdict(self)}


def salted(store_id: str, text: str) -> str:
    """Return a hash of a name that nobody without the graph can try names against."""
    return hashlib.sha256(f"{store_id}\0{text}".encode("utf-8", "surrogatepass")).hexdigest()


def _files(data_dir: Path) -> list[tuple[int, str, Path]]:
    found = [(int(match[1]), match[2], path) for path in (data_dir / "receipts").glob("*.json")
             if (match := _NAME.fullmatch(path.name))]
    return sorted(found)


def receipts(data_dir: Path) -> list[dict[str, Any]]:
    """Return all receipts in order."""
    return [json.loads(path.read_text(encoding="utf-8")) for _, _, path in _files(data_dir)]


def _head(store: Store) -> dict[str, Any]:
    rows = store.read("get_meta", key=ids.meta("receipts"))
    return rows[0]["properties"] if rows else {"count": 0, "head": _FIRST}


def write(store: Store, data_dir: Path, receipt: Receipt) -> Receipt:
    """Write a receipt at the end of the chain; one of the same run that is there already is taken for it."""
    folder = folder_of(data_dir)
    files = _files(data_dir)
    digits = receipt.run.rpartition(":")[2]
    mine = next((one for one in files if one[1] == digits), None)
    if mine is None:
        previous = hashlib.sha256(files[-1][2].read_bytes()).hexdigest() if files else _FIRST
        number = files[-1][0] + 1 if files else 1
        values = {**asdict(receipt), "number": number, "previous": previous}
        receipt = Receipt(**values)
        path = folder / f"{number:04}-{digits}.json"
        with on_disk(str(folder)):
            beside = path.with_suffix(".new")
            with private(beside) as out:
                out.write(json.dumps(receipt.to_dict(), indent=1, sort_keys=True))
                out.flush()
                os.fsync(out.fileno())
            beside.replace(path)
    else:
        path = mine[2]
        receipt = Receipt(**{name: value for name, value in json.loads(path.read_text()).items() if name != "receipt"})
    head = {"count": receipt.number, "head": hashlib.sha256(path.read_bytes()).hexdigest(), "scope": ids.PUBLIC}
    store.write("put_meta", key=ids.meta("receipts"), properties=head)
    return receipt


def verify(store: Store, data_dir: Path) -> list[str]:
    """Return what is wrong with the chain of receipts, in words; nothing where it is whole."""
    wrong = []
    previous, expected, last = _FIRST, 1, _FIRST
    for number, _, path in _files(data_dir):
        content = path.read_bytes()
        try:
            told = json.loads(content)
        except ValueError:
            told = {}
        if number != expected:
            wrong.append(f"receipt {expected:04} is missing")
        elif told.get("previous") != previous or told.get("number") != number:
            wrong.append(f"receipt {number:04} does not follow the one before")
        previous = last = hashlib.sha256(content).hexdigest()
        expected = number + 1
    head = _head(store)
    if head["count"] != expected - 1 or head["head"] != last:
        wrong.append(f"the graph knows {head['count']} receipts and another last one")
    return wrong
