"""Export a graph, or the part of it that a licence and a scope allow."""

from __future__ import annotations

from graphkb.export.run import FORMATS, export
from graphkb.export.select import Selection

__all__ = ["FORMATS", "Selection", "export"]
