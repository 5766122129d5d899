"""From settings to a connected store."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable

from graphkb.config import Settings
from graphkb.errors import ConfigError
from graphkb.store import embedded
from graphkb.store.bolt import BoltStore
from graphkb.store.endpoint import Endpoint

_SCHEMES = re.compile(r"(bolt|neo4j)(\+s|\+ssc)?://[^\s/]+/?")


def opener(settings: Settings) -> Callable[[], Endpoint]:
    """Return what gives the endpoint; it starts the embedded store where it does not run."""
    store = settings.store
    if store.uri == "embedded":
        def open_embedded() -> Endpoint:
            access = embedded.start(settings)
            return Endpoint(access.uri, access.database, (access.user, access.password),
                            (access.reader, access.reader_password), access.http, embedded.folder(settings))

        return open_embedded
    if not _SCHEMES.fullmatch(store.uri):
        raise ConfigError("GKB-103", where="store.uri", detail='"embedded", or bolt://host:port or neo4j://host:port')
    auth = (store.user, store.password.get_secret_value()) if store.user else None
    return lambda: Endpoint(store.uri, store.database, auth)


def connect(settings: Settings) -> BoltStore:
    """Return a store whose server has answered."""
    # The driver logs whole messages: parameters at debug level, query texts in its notifications.
    log = logging.getLogger("neo4j")
    log.propagate = False
    if not log.handlers:
        log.addHandler(logging.NullHandler())
    return BoltStore(settings, opener(settings))
