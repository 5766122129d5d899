"""Where the lines of a document stand on its pages: one small file a document, beside the graph.

``<data_dir>/pages/<hash of the document's key>.json.gz`` holds the key, the sizes of the pages, and of each line
``[start, end, page, x0, y0, x1, y1]``: points from the top left, the first page is 1. A file is written whole or not
at all. It holds no text, but belongs to its document: it goes when the document goes (`files_of_document`, `prune`).
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

from graphkb.errors import InputError
from graphkb.model import PageLayout
from graphkb.store.disk import on_disk
from graphkb.store.protocol import Store

FOLDER = "pages"
_SUFFIX = ".json.gz"


def file_of(data_dir: Path, document: str) -> Path:
    """Return where a document's pages are kept, whether they are there or not."""
    return data_dir / FOLDER / (hashlib.sha256(document.encode()).hexdigest()[:32] + _SUFFIX)


def files_of_document(data_dir: Path, document: str) -> list[Path]:
    """Return the files that are kept for a document."""
    path = file_of(data_dir, document)
    return [path] if path.exists() else []


def save(data_dir: Path, document: str, layout: PageLayout) -> Path:
    """Write a document's layout, the same bytes for the same layout."""
    path = file_of(data_dir, document)
    body = json.dumps({"document": document, **asdict(layout)}, separators=(",", ":")).encode()
    with on_disk(str(path.parent)):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        part = path.with_name(f"{path.name}.{os.getpid()}.part")
        try:
            with part.open("wb") as handle:
                handle.write(gzip.compress(body, mtime=0))
                handle.flush()
                os.fsync(handle.fileno())
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    return path


def load(data_dir: Path, document: str) -> PageLayout | None:
    """Return a document's layout; None where it has no pages.

    Raises
    ------
    InputError
        GKB-404: the file is damaged; ingest the PDF again.
    """
    path = file_of(data_dir, document)
    try:
        said = json.loads(gzip.decompress(path.read_bytes()))
        return PageLayout(tuple((w, h) for w, h in said["pages"]), tuple(map(tuple, said["lines"])))
    except FileNotFoundError:
        return None
    except (OSError, EOFError, ValueError, KeyError, TypeError, zlib.error):
        raise InputError("GKB-404", where=str(path), detail="the file of pages is damaged") from None


def regions(layout: PageLayout, start: int, end: int) -> Iterator[tuple[int, float, float, float, float]]:
    """Yield (page, x0, y0, x1, y1) of the lines that ``text[start:end]`` touches."""
    for first, after, *place in layout.lines:
        if first < end and start < after:
            yield int(place[0]), place[1], place[2], place[3], place[4]


def remove(data_dir: Path, documents: Iterable[str]) -> int:
    """Delete the files of documents; return how many there were."""
    gone = 0
    with on_disk(str(data_dir / FOLDER)):
        for document in documents:
            for path in files_of_document(data_dir, document):
                path.unlink(missing_ok=True)
                gone += 1
    return gone


def prune(store: Store, data_dir: Path) -> int:
    """Delete files whose document is not in the graph: superseded, retracted, or never committed."""
    folder = data_dir / FOLDER
    if not folder.is_dir():
        return 0
    gone = 0
    with on_disk(str(folder)):
        owners = {path: _owner(path) for path in sorted(folder.glob(f"*{_SUFFIX}"))}
        keys = sorted({owner for owner in owners.values() if owner})
        there: set[str] = set()
        for first in range(0, len(keys), 500):
            there |= {row["key"] for row in store.read("list_document_states", keys=keys[first:first + 500])}
        for path, owner in owners.items():
            if owner not in there:
                path.unlink(missing_ok=True)
                gone += 1
        for part in folder.glob("*.part"):
            part.unlink(missing_ok=True)
    return gone


def _owner(path: Path) -> str:
    """Return the key of the document that a file belongs to; empty where the file does not say."""
    try:
        with gzip.open(path, "rb") as handle:
            head = handle.read(600)
    except (OSError, EOFError, zlib.error):
        return ""
    try:
        key, _ = json.JSONDecoder().raw_decode(head.decode("utf-8", "ignore").partition(":")[2])
    except ValueError:
        return ""
    return str(key)
