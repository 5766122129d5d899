"""Run it again where that may help."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import TypeVar

import structlog

from graphkb.errors import StoreError, StoreUnavailable

T = TypeVar("T")
CONFLICTS = 10
BREAKS = 3
_log = structlog.get_logger()


def retrying(action: Callable[[], T], *, on_break: Callable[[], None],
             sleep: Callable[[float], None] = time.sleep) -> T:
    """Return what the action returns; run it again after a retryable error.

    A conflict (deadlock, write conflict, key created by another) is tried `CONFLICTS` times with a doubling,
    jittered pause of at most 2 s; a broken connection `BREAKS` times, with ``on_break`` before each.
    """
    conflicts = breaks = 0
    while True:
        try:
            return action()
        except StoreError as error:
            if not error.retryable:
                raise
            if isinstance(error, StoreUnavailable):
                breaks += 1
                if breaks > BREAKS:
                    raise
                pause = 0.2 * breaks
            else:
                conflicts += 1
                if conflicts > CONFLICTS:
                    raise
                pause = min(2.0, 0.02 * 2**conflicts)
            _log.debug("store_retry", code=error.code, where=error.where, conflicts=conflicts, breaks=breaks)
            sleep(pause * random.uniform(0.5, 1.5))
            if isinstance(error, StoreUnavailable):
                on_break()
