from __future__ import annotations

from pathlib import Path

import pytest

from graphkb.errors import InputError
from graphkb.model import PageLayout
from ingestion import pages
from ingestion.retraction.files import files_of_document

LAYOUT = PageLayout(((612.0, 792.0),), ((0, 5, 1, 72.0, 90.0, 120.0, 101.5), (6, 9, 1, 72.0, 102.0, 100.0, 113.0)))


class Graph:
    """A store that knows some documents."""

    def __init__(self, *keys: str) -> None:
        self.keys = keys

    def read(self, name: str, *, keys: list[str]) -> list[dict[str, str]]:
        assert name == "list_document_states"
        return [{"key": key} for key in keys if key in self.keys]


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    path = pages.save(tmp_path, "doc:1", LAYOUT)
    first = path.read_bytes()
    assert pages.load(tmp_path, "doc:1") == LAYOUT
    assert pages.save(tmp_path, "doc:1", LAYOUT).read_bytes() == first
    assert list(files_of_document(tmp_path, "doc:1")) == [path]  # so that retracting finds it
    assert [p.name for p in path.parent.iterdir()] == [path.name]


def test_a_document_without_pages(tmp_path: Path) -> None:
    assert pages.load(tmp_path, "doc:1") is None


def test_regions_are_the_lines_that_a_span_touches() -> None:
    assert list(pages.regions(LAYOUT, 4, 7)) == [(1, 72.0, 90.0, 120.0, 101.5), (1, 72.0, 102.0, 100.0, 113.0)]
    assert list(pages.regions(LAYOUT, 5, 6)) == []


def test_prune_keeps_what_the_graph_has(tmp_path: Path) -> None:
    for key in ("doc:1", "doc:2"):
        pages.save(tmp_path, key, LAYOUT)
    (tmp_path / "files" / "pages" / "x.json.gz").write_bytes(b"no gzip")
    (tmp_path / "files" / "pages" / "x.json.gz.7.part").write_bytes(b"")
    assert pages.prune(Graph("doc:2"), tmp_path) == 2  # type: ignore[arg-type]
    assert list((tmp_path / "files" / "pages").iterdir()) == [pages.file_of(tmp_path, "doc:2")]


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    pages.save(tmp_path, "doc:1", LAYOUT).write_bytes(b"\x1f\x8bxx")
    with pytest.raises(InputError, match="GKB-404"):
        pages.load(tmp_path, "doc:1")
