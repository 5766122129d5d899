"""The store: one adapter over Bolt for the embedded ArcadeDB and for Neo4j.

``open_store(settings)`` is the door. Importing this package costs nothing: the driver is loaded with the first store.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphkb.store.protocol import Counters, Row, Store, Table, Tx

if TYPE_CHECKING:
    from graphkb.config import Settings

__all__ = ["Counters", "Row", "Store", "Table", "Tx", "open_store"]


def open_store(settings: Settings) -> Store:
    """Connect to the store that the settings name; the embedded one is started or joined.

    The schema is not touched: call `Store.migrate` before the first write.

    Raises
    ------
    StoreUnavailable
        GKB-201: nothing answers there.
    StoreError
        GKB-202 (user or password), GKB-208 (the embedded store did not start).
    ConfigError
        GKB-103 (the address), GKB-106 (the embedded store is not installed).
    """
    from graphkb.store.connect import connect

    return connect(settings)
