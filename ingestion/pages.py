"""Where the lines of a document stand on its pages: one small file a document, beside the graph.

``<data_dir>/files/pages/<the key's digits>.json.gz`` holds the key, the sizes of the pages, and of each line
``[start, end, page, x0, y0, x1, y1]``: points from the top left, the first page is 1. A file is written whole or not
at all. It holds no text, but belongs to its document: it goes when the document is retracted
(`ingestion.retraction.files`) or superseded (`prune`).
"""

from __future__ import annotations

import gzip
import json
import os
import zlib
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from graphkb.errors import InputError
from graphkb.model import PageLayout
from graphkb.store.disk import on_disk
from graphkb.store.protocol import Store

FOLDER = "files/pages"
_SUFFIX = ".json.gz"
_PREFIX = "doc:"


def file_of(data_dir: Path, document: str) -> Path:
    """Return where a document's pages are kept, whether they are there or not."""
    return data_dir / FOLDER / (document.rpartition(":")[2] + _SUFFIX)


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


def prune(store: Store, data_dir: Path) -> int:
    """Delete files whose document is not in the graph: superseded, retracted, or never committed."""
    folder = data_dir / FOLDER
    if not folder.is_dir():
        return 0
    gone = 0
    with on_disk(str(folder)):
        files = {f"{_PREFIX}{path.name.removesuffix(_SUFFIX)}": path for path in sorted(folder.glob(f"*{_SUFFIX}"))}
        keys = list(files)
        for first in range(0, len(keys), 500):
            batch = keys[first:first + 500]
            there = {row["key"] for row in store.read("list_document_states", keys=batch)}
            for key in batch:
                if key not in there:
                    files[key].unlink(missing_ok=True)
                    gone += 1
        for part in folder.glob("*.part"):
            part.unlink(missing_ok=True)
    return gone
