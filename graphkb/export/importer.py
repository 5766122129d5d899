"""The whole selection for Neo4j's ``database import``: another graphkb opens the result as its own."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, cast

from graphkb.export.spool import ExportSpool, Group, type_of
from graphkb.store.protocol import Row
from ingestion.bulk.importer import Column, DelimiterTaken, ImportFiles, Table, Type, free_delimiter

_ROWS = 5_000


def write(spool: ExportSpool, folder: Path) -> dict[str, Any]:
    """Write CSV files, options and script."""
    groups = [*spool.groups("nodes"), *spool.groups("edges")]
    files = ImportFiles(folder / "import", [group.label for group in spool.groups("edges")])
    try:
        try:
            _all(files, groups)
        except DelimiterTaken:
            files.begin(free_delimiter(value for group in groups for _, properties in group
                                       for value in properties.values()))
            _all(files, groups)
        files.finish({"what": "graph", "delimiter": f"U+{ord(files.delimiter):04X}"})
    finally:
        files.discard()
    for path in list((folder / "import").iterdir()):
        path.rename(folder / path.name)
    (folder / "import").rmdir()
    return {}


def _all(files: ImportFiles, groups: list[Group]) -> None:
    for group in groups:
        _Group(files, group).write()


class _Group:
    """A group in one table, or in several where a property has values of several types: a column has but one."""

    def __init__(self, files: ImportFiles, group: Group) -> None:
        self._files = files
        self._group = group
        # an empty list is written as no value: readers and fingerprints take them as the same
        self._types = {name: kinds - {"[]"} for name, kinds in group.types.items() if kinds - {"[]"}}
        self._mixed = sorted(name for name, kinds in self._types.items() if len(kinds) > 1)
        self._names = sorted(name for name in self._types if (group.kind, name) != ("nodes", "key"))
        self._tables: dict[tuple[str, ...], Table] = {}

    def write(self) -> None:
        """Write all rows."""
        rows = iter(self._group)
        while batch := list(islice(rows, _ROWS)):
            parts: dict[tuple[str, ...], list[tuple[Any, ...]]] = {}
            for ends, properties in batch:
                kinds = tuple(self._kind(properties, name) for name in self._mixed)
                parts.setdefault(kinds, []).append((*ends, *self._values(properties)))
            for kinds, part in parts.items():
                self._table(kinds).write(part)

    def _kind(self, properties: Row, name: str) -> str:
        kind = type_of(properties[name], name) if name in properties else "[]"
        return min(self._types[name]) if kind == "[]" else kind

    def _values(self, properties: Row) -> Iterator[Any]:
        return (None if (value := properties.get(name)) == [] else value for name in self._names)

    def _table(self, kinds: tuple[str, ...]) -> Table:
        if kinds not in self._tables:
            chosen = dict(zip(self._mixed, kinds, strict=True))
            columns = [Column(name, cast("Type", chosen.get(name) or min(self._types[name])))
                       for name in self._names]
            group = self._group
            self._tables[kinds] = (self._files.nodes(group.label, columns) if group.kind == "nodes" else
                                   self._files.relationships(group.label, group.ends[0], group.ends[1], columns))
        return self._tables[kinds]
