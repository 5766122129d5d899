"""Facts that stand in no text, as evidence."""

from __future__ import annotations

from typing import Any

from graphkb import ids
from graphkb.model import Evidence


def fact(key: str, text: str, why: str, *, scope: str, **more: Any) -> Evidence:
    """Return a fact that stands in no text as evidence: its words, and their checksum."""
    return Evidence(id=key, kind="fact", text=text, score=more.pop("score", 1.0), why=why, scope=scope,
                    sha256=ids.text_sha256(text), **more)
