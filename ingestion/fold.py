"""Fold text for look-up, and find the way back: what is shown and cited is always the original text.

A character folds by itself to zero or more characters, so spans map back exactly whatever the text holds:
compatibility decomposition (NFKD), case folding, Latin diacritics dropped (so composed, decomposed and plain spellings
agree), every dash to ``-``, every space to one space, quotes and primes to ``'``, format characters (zero-width
spaces, soft hyphens) to nothing, Greek letters spelled.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ζ": "zeta", "η": "eta", "θ": "theta",
    "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "ο": "omicron", "π": "pi", "ρ": "rho",
    "σ": "sigma", "ς": "sigma", "τ": "tau", "υ": "upsilon", "φ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega",
}
_MINUS = frozenset("\u2212\u02d7\u2796")
_QUOTES = frozenset("\u2018\u2019\u201a\u201b\u2032\u2035\u02bc\u02b9\u02bb\u0060\u00b4\u02bd\u02c8")
_SPACES = re.compile(r"\s+")


def _simple(char: str) -> str:
    category = unicodedata.category(char)
    if category == "Cf" or "\u0300" <= char <= "\u036f" or "\ufe00" <= char <= "\ufe0f":
        return ""
    if category == "Pd" or char in _MINUS:
        return "-"
    if category in ("Zs", "Zl", "Zp", "Cc"):
        return "\n" if char in "\n\r\v\f\x85\u2028\u2029" else " "
    if char in _QUOTES:
        return "'"
    return GREEK.get(char, char)


class _Table(dict[int, str]):
    """`str.translate` table that fills itself."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        # quotes first: some decompose to a space and an accent
        text = "'" if char in _QUOTES else unicodedata.normalize("NFKD", char).casefold()
        for _ in range(3):
            text = unicodedata.normalize("NFKD", "".join(map(_simple, text))).casefold()
        self[code] = text
        return text


_TABLE = _Table()


@dataclass(frozen=True, slots=True)
class Folded:
    """Folded text with the original offsets of each of its characters (None: every offset is the same)."""

    text: str
    origin: NDArray[np.int32] | None
    original: str

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the original whose folding holds ``text[start:end]`` (``start < end``).

        Combining marks that follow the last character belong to it.
        """
        if self.origin is None:
            return start, end
        first, last = int(self.origin[start]), int(self.origin[end - 1]) + 1
        while last < len(self.original) and unicodedata.combining(self.original[last]):
            last += 1
        return first, last


def fold(text: str) -> Folded:
    """Fold a text and keep the way back. White space is made plain, not collapsed."""
    if text.isascii():
        folded = text.lower().translate(_TABLE)
        return Folded(folded, None, text)
    folded = text.translate(_TABLE)
    widths = {char: len(_TABLE[ord(char)]) for char in set(text)}
    if all(width == 1 for width in widths.values()):
        return Folded(folded, None, text)
    counts = np.fromiter((widths[char] for char in text), dtype=np.int64, count=len(text))
    return Folded(folded, np.repeat(np.arange(len(text), dtype=np.int32), counts), text)


def fold_name(text: str) -> str:
    """Fold a name: as `fold`, with white space collapsed and trimmed."""
    return _SPACES.sub(" ", fold(text).text).strip()
