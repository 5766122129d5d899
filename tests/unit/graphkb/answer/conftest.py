"""Small parts to build answers from: an encoder of a few words, a lexicon of a few names, pieces of evidence."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from graphkb import ids
from graphkb.embed import ModelStamp
from graphkb.model import Evidence, Link
from ingestion.lexicon import Match

AXES = ("metformin", "diabetes", "kidney", "tablet", "leprosy")


class Words:
    """An encoder whose vectors count five words."""

    stamp = ModelStamp("tiny", "0123456789abcdef", len(AXES) + 1, max_tokens=100)

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        rows = np.array([[*(text.lower().count(axis) for axis in AXES), 0.2] for text in texts], np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def count_tokens(self, text: str) -> int:
        return len(text.split())

    def token_offsets(self, text: str) -> list[tuple[int, int]]:
        return [match.span() for match in re.finditer(r"\S+", text)]


class Names:
    """A lexicon of given names."""

    def __init__(self, names: Mapping[str, Sequence[str]]) -> None:
        self.names = {name.casefold(): tuple(Link(key, 1.0 - n / 10, "exact") for n, key in enumerate(keys))
                      for name, keys in names.items()}

    def find(self, text: str, sections: Sequence[Any] = ()) -> list[Match]:
        found: list[Match] = []
        for name in sorted(self.names, key=len, reverse=True):
            for match in re.finditer(rf"\b{re.escape(name)}\b", text, re.IGNORECASE):
                if not any(match.start() < m.end and m.start < match.end() for m in found):
                    found.append(Match(match.start(), match.end(), name, self.names[name], "T047", "DISO"))
        return sorted(found, key=lambda m: m.start)

    def lookup(self, name: str, group: str = "") -> tuple[Link, ...]:
        return self.names.get(name.casefold(), ())


@dataclass
class Pieces:
    """Makes evidence."""

    def __call__(self, text: str, *, start: int = 0, document: str = "d1", tier: Any = "literature",
                 **more: Any) -> Evidence:
        key = more.pop("id", f"{document}:{start}")
        return Evidence(id=key, kind="span", text=text, score=1.0, why="test", tier=tier, scope="public",
                        document=document, location={"start": start, "end": start + len(text)}, chunk=key,
                        sha256=ids.text_sha256(text), **more)


@pytest.fixture
def encoder() -> Words:
    return Words()


@pytest.fixture
def piece() -> Pieces:
    return Pieces()


@pytest.fixture
def lexicon() -> Names:
    return Names({"metformin": ["C1"], "diabetes": ["C2"], "Hansen disease": ["C3"], "leprosy": ["C3"],
                  "cold": ["C4", "C5"], "ward 7": ["LOCAL:ward7"]})
