"""Files of the data directory that tell of documents: the ledger's lines, and whatever was made for one document.

A part that makes files for a document either puts them below ``files/<part>/<the key's digits>…`` or adds a function to
`FINDERS`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from graphkb.store.disk import on_disk
from ingestion.retraction.plan import private

FINDERS: list[Callable[[Path, str], Iterable[Path]]] = []
_KEY = re.compile(rb"doc:[0-9a-f]{32}")
# the database's own files are asked by queries; receipts have hashes of keys only
_NOT_SCANNED = ("store/databases", "store/backups", "receipts")
_BLOCK = 1 << 22


def files_of_document(data_dir: Path, key: str) -> Iterator[Path]:
    """Yield the files and folders that were made for one document."""
    digits = key.rpartition(":")[2]
    yield from sorted((data_dir / "files").glob(f"*/{digits}*"))
    for find in FINDERS:
        yield from find(data_dir, key)


def remove_files(data_dir: Path, keys: Iterable[str]) -> int:
    """Remove what was made for documents; return how many files and folders went."""
    gone = 0
    with on_disk(str(data_dir)):
        for key in keys:
            for path in list(files_of_document(data_dir, key)):
                if path.is_dir():
                    shutil.rmtree(path)
                else:
                    path.unlink(missing_ok=True)
                gone += 1
    return gone


def purge_ledger(data_dir: Path, keys: set[str], paths: set[str]) -> int:
    """Remove the lines of the ledger's files that tell of documents (by key) or of their files; return how many."""
    gone = 0
    folder = data_dir / "runs"
    with on_disk(str(folder)):
        for path in sorted(folder.glob("*.jsonl")):
            lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
            kept = [line for line in lines if not any(key.decode() in keys for key in _KEY.findall(line.encode()))]
            gone += len(lines) - len(kept)
            _rewrite(path, "".join(kept), changed=len(kept) < len(lines))
        for path in sorted(folder.glob("*.json")):
            report = json.loads(path.read_text(encoding="utf-8"))
            before = json.dumps(report)
            for part in ("rejections", "reasons"):
                report[part] = [one for one in report.get(part, []) if one["file"] not in paths]
            rows = report.get("rows", {})
            for name, counts in rows.items():
                rows[name] = {file: n for file, n in counts.items() if file not in paths}
            changed = json.dumps(report) != before
            gone += changed
            _rewrite(path, json.dumps(report, indent=1), changed=changed)
    return gone


def _rewrite(path: Path, text: str, *, changed: bool) -> None:
    if changed:
        beside = path.with_name(path.name + ".new")
        with private(beside) as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        beside.replace(path)


def documents_named(data_dir: Path, keys: set[str]) -> list[str]:
    """Return the files of the data directory that still name one of the documents, relative to it."""
    found = []
    for path in sorted(data_dir.rglob("*")):
        name = path.relative_to(data_dir).as_posix()
        if path.is_file() and not name.startswith(_NOT_SCANNED) and any(key in keys for key in _keys_in(path)):
            found.append(name)
    return found


def _keys_in(path: Path) -> Iterator[str]:
    tail = b""
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            yield from (key.decode() for key in _KEY.findall(tail + block))
            tail = block[-35:]
