"""Tables in a document's text: which cell stands where, so that evidence can name a cell with its row and column.

A document keeps them in its property ``tables``, one JSON text a table: ``{"name", "start", "end", "head", "cells"}``
with ``cells`` a flat list of ``row, column, start, end``. Rows and columns count from 0; cells without text are left
out; ``head`` is how many rows on top are headings.
"""

from __future__ import annotations

import json
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell with text, ``document.text[start:end]``."""

    row: int
    column: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TableGrid:
    """A table: the section it stands in, its span, how many rows on top are headings, and its cells."""

    name: str
    start: int
    end: int
    head: int
    cells: tuple[TableCell, ...]

    def to_json(self) -> str:
        """Return the table as a document keeps it."""
        flat = [number for c in self.cells for number in (c.row, c.column, c.start, c.end)]
        return json.dumps({"name": self.name, "start": self.start, "end": self.end, "head": self.head, "cells": flat},
                          ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> TableGrid:
        """Return the table that a document keeps."""
        data = json.loads(text)
        flat = iter(data["cells"])
        cells = tuple(TableCell(*numbers) for numbers in zip(flat, flat, flat, flat, strict=True))
        return cls(data["name"], data["start"], data["end"], data["head"], cells)

    def at(self, start: int, end: int) -> list[TableCell]:
        """Return the cells that a span of the document's text touches."""
        return [cell for cell in self.cells if cell.start < end and start < cell.end]

    def headings(self, cell: TableCell) -> tuple[list[TableCell], TableCell | None]:
        """Return what a cell stands under, and the first cell of its row where that is another."""
        over = [c for c in self.cells if c.column == cell.column and c.row < min(self.head, cell.row)]
        first = next((c for c in self.cells if c.row == cell.row and c.column == 0 and c != cell), None)
        return over, first
