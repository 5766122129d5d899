"""Values of free Cypher as JSON has them."""

from __future__ import annotations

from typing import Any

from neo4j import graph, spatial, time


def plain(value: Any) -> Any:
    """Return nodes, relationships, paths and times as plain dictionaries, lists and strings."""
    if isinstance(value, graph.Node):
        return {"labels": sorted(value.labels), "properties": {key: plain(item) for key, item in value.items()}}
    if isinstance(value, graph.Relationship):
        return {"type": value.type, "properties": {key: plain(item) for key, item in value.items()}}
    if isinstance(value, graph.Path):
        return {"nodes": [plain(node) for node in value.nodes],
                "relationships": [plain(relationship) for relationship in value.relationships]}
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, spatial.Point):
        return list(value)
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, time.DateTime | time.Date | time.Time):
        return value.iso_format()
    if isinstance(value, time.Duration):
        return value.iso_format()
    return value
