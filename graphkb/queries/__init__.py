"""Named Cypher statements, loaded from ``cypher/`` and checked."""

from __future__ import annotations

from graphkb.queries.loader import Library, Query, load

__all__ = ["Library", "Query", "load"]
