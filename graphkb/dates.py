"""The clock of publication: dates as users give them, and which release of the vocabulary was current then."""

from __future__ import annotations

import re
from datetime import date

from graphkb.errors import ConfigError
from graphkb.store.protocol import Store

_DATE = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?")


def check_date(text: str, where: str = "--as-of") -> str:
    """Return a date that is YYYY, YYYY-MM or YYYY-MM-DD (or empty: now).

    Raises
    ------
    ConfigError
        GKB-103: it is neither, or there is no such day.
    """
    match = _DATE.fullmatch(text) if text.isascii() else None
    if not text:
        return ""
    try:
        if match is None:
            raise ValueError
        date(int(match[1]), int(match[2] or 1), int(match[3] or 1))
    except ValueError:
        raise ConfigError("GKB-103", where=where, detail="a date is YYYY, YYYY-MM or YYYY-MM-DD") from None
    return text


def release_at(store: Store, as_of: str) -> str:
    """Return the newest release of the vocabulary that was out at a date; "" for now, or where none has a date.

    At a date before all of them the oldest is meant: no release says what the vocabulary was then.
    """
    if not as_of:
        return ""
    dated = sorted((row["date"], row["release"]) for row in store.read("list_releases") if row["date"])
    out = [release for day, release in dated if day[: len(as_of)] <= as_of]
    if not dated or (out and out[-1] == dated[-1][1]):
        return ""
    return str(out[-1] if out else dated[0][1])
