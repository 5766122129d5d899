"""The rows of an export, gathered by label and type on disk: only then is it known which columns they have."""

from __future__ import annotations

import marshal
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from graphkb.errors import IngestError
from graphkb.model.predicates import NODE_LABELS
from graphkb.store.protocol import Row

_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")
_TYPE = re.compile(r"[A-Z][A-Z_]{0,63}")
_ATOMS: dict[type, str] = {str: "string", bool: "boolean", int: "long", float: "double"}


def type_of(value: Any, where: str) -> str:
    """Return the column type of a value, ``[]`` for an empty list.

    Raises
    ------
    IngestError
        GKB-609: no graph of ours holds such a value.
    """
    kind = _ATOMS.get(type(value))
    if kind is not None:
        return kind
    if isinstance(value, list):
        kinds = {_ATOMS.get(type(item), "") for item in value}
        if not kinds:
            return "[]"
        if kinds <= {"long", "double"}:
            return "double[]" if "double" in kinds else "long[]"
        if len(kinds) == 1 and "" not in kinds:
            return f"{kinds.pop()}[]"
    raise IngestError("GKB-609", where=where, detail=f"a value of type {type(value).__name__}")


class Group:
    """The rows of one label, or of one type between two labels."""

    def __init__(self, path: Path, kind: str, label: str, ends: tuple[str, ...]) -> None:
        self.kind, self.label, self.ends = kind, label, ends
        self.rows = 0
        self.types: dict[str, set[str]] = defaultdict(set)
        self._path = path
        self._handle: BinaryIO = path.open("wb", buffering=1 << 18)

    def add(self, ends: tuple[str, ...], properties: Row) -> None:
        """Add a row: the keys of the ends, and the properties."""
        self.rows += 1
        for name, value in properties.items():
            if name not in self.types and not _NAME.fullmatch(name):
                raise IngestError("GKB-609", where=self.label, detail="a property's name is not a-z, 0-9 and _")
            self.types[name].add(type_of(value, f"{self.label}.{name}"))
        marshal.dump((ends, properties), self._handle)

    def __iter__(self) -> Iterator[tuple[tuple[str, ...], Row]]:
        self._handle.flush()
        with self._path.open("rb", buffering=1 << 18) as handle:
            for _ in range(self.rows):
                yield marshal.load(handle)  # noqa: S302 - a file that this process wrote in its own folder

    def close(self) -> None:
        """Close the file."""
        self._handle.close()

    def columns(self) -> dict[str, str]:
        """Return each property's one type, by name; ``json`` where it has several that no number type unites."""
        found = {}
        for name, kinds in sorted(self.types.items()):
            lists = kinds - {"[]"}
            if not lists:
                found[name] = "string[]"
            elif len(kinds) == 1 or (len(lists) == 1 and next(iter(lists)).endswith("[]")):
                found[name] = next(iter(lists))
            elif kinds <= {"long", "double"}:
                found[name] = "double"
            elif lists <= {"long[]", "double[]"}:
                found[name] = "double[]"
            else:
                found[name] = "json"
        return found


class ExportSpool:
    """All groups of an export."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, mode=0o700)
        self._groups: dict[tuple[str, ...], Group] = {}

    def _group(self, kind: str, label: str, ends: tuple[str, ...]) -> Group:
        key = (kind, label, *ends)
        if key not in self._groups:
            names = {label} if kind == "nodes" else set(ends)
            if not names <= set(NODE_LABELS) or (kind == "edges" and not _TYPE.fullmatch(label)):
                raise IngestError("GKB-609", where="a label or type", detail="not one of the graph's")
            self._groups[key] = Group(self._folder / f"{len(self._groups)}", kind, label, ends)
        return self._groups[key]

    def node(self, label: str, properties: Row) -> None:
        """Add a node."""
        self._group("nodes", label, ()).add((properties["key"],), properties)

    def edge(self, type_: str, labels: tuple[str, str], ends: tuple[str, str], properties: Row) -> None:
        """Add a relationship."""
        self._group("edges", type_, labels).add(ends, properties)

    def groups(self, kind: str) -> list[Group]:
        """Return the groups of nodes or of edges."""
        return [group for group in self._groups.values() if group.kind == kind]

    def close(self) -> None:
        """Close all files."""
        for group in self._groups.values():
            group.close()
