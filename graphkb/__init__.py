"""graphkb: a medical knowledge graph and answers over it with checked evidence.

Import only from here; the packages below are the house, not the door.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
# Another product on the package index carries the import name too; `graphkb doctor` looks for this marker.
DISTRIBUTION = "graphkb-med"

if TYPE_CHECKING:
    from graphkb.errors import GraphKBError
    from graphkb.kb import KnowledgeBase, open

__all__ = ["DISTRIBUTION", "GraphKBError", "KnowledgeBase", "__version__", "open"]

_LAZY = {
    "GraphKBError": "graphkb.errors",
    "KnowledgeBase": "graphkb.kb",
    "open": "graphkb.kb",
}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'graphkb' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_LAZY[name]), name)
