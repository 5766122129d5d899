"""Files of our own that cannot be written: a full disk is one coded error, wherever it is met."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from graphkb.errors import StoreError


@contextmanager
def on_disk(where: str) -> Iterator[None]:
    """Raise GKB-212 for what the operating system says of files in ``where``.

    The error's own text is left out; the name of its number says enough (``ENOSPC``, ``EROFS``, ``EACCES``).
    """
    try:
        yield
    except OSError as error:
        name = errno.errorcode.get(error.errno or 0, type(error).__name__)
        raise StoreError("GKB-212", where=where, detail=name) from None
