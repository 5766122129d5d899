"""What an encoder of text is, and what every vector must satisfy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from graphkb.errors import EncoderError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class ModelStamp:
    """Which model made a vector: vectors are comparable only where their stamps are equal.

    Attributes
    ----------
    model, revision
        Name, and the first 16 hex digits of the SHA-256 of its weights.
    dimension
        Length of a vector.
    pooling, metric
        How token vectors become one, and how two vectors are compared.
    max_tokens
        Longest text in the encoder's own tokens, without the special ones that the encoder adds.
    """

    model: str
    revision: str
    dimension: int
    pooling: Literal["mean", "cls", "none"] = "mean"
    metric: Literal["cosine", "dot"] = "cosine"
    max_tokens: int = 254

    def __str__(self) -> str:
        return f"{self.model}@{self.revision}/{self.dimension}/{self.pooling}/{self.metric}/{self.max_tokens}"


class Encoder(Protocol):
    """Text to unit vectors. A text's vector does not depend on what else is in the call."""

    @property
    def stamp(self) -> ModelStamp:
        """The model's stamp."""
        ...

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one unit row per text, ``float32[len(texts), dimension]``.

        Raises
        ------
        EncoderError
            GKB-501 a vector is not finite or all zeros; GKB-502 a text is over ``stamp.max_tokens``.
        """
        ...

    def count_tokens(self, text: str) -> int:
        """Return how many tokens the text has, without special ones."""
        ...

    def token_offsets(self, text: str) -> list[tuple[int, int]]:
        """Return each token's ``(start, end)`` in characters of ``text``, in order."""
        ...


def unit_rows(vectors: NDArray[np.float32], where: str) -> NDArray[np.float32]:
    """Return the rows scaled to length 1, or raise `EncoderError` GKB-501: a plausible zero is worse than a crash."""
    import numpy as np

    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    bad = ~np.isfinite(vectors).all(axis=1) | ~(np.isfinite(norms[:, 0]) & (norms[:, 0] > 1e-12))
    if bad.any():
        raise EncoderError("GKB-501", where=where, detail=f"{int(bad.sum())} of {len(vectors)} vectors")
    return np.asarray(vectors / norms, dtype=np.float32)


def encode_pooled(encoder: Encoder, text: str) -> tuple[NDArray[np.float32], int]:
    """Return one vector for a text of any length, and over how many windows it was pooled (1: the text fitted).

    A text over the limit is cut between words into windows of at most ``max_tokens``; its vector is their mean, scaled
    to length 1. Meant for questions; documents are chunked instead.
    """
    limit = encoder.stamp.max_tokens
    if encoder.count_tokens(text) <= limit:
        return encoder.encode([text])[0], 1
    windows = token_windows(encoder, text, 0, len(text), limit)
    vectors = encoder.encode([text[start:end] for start, end in windows])
    return unit_rows(vectors.mean(axis=0, keepdims=True), encoder.stamp.model)[0], len(windows)


def token_windows(encoder: Encoder, text: str, start: int, end: int, limit: int) -> list[tuple[int, int]]:
    """Cut ``text[start:end]`` into stripped, non-blank stretches of at most ``limit`` tokens each.

    Cuts fall on white space where there is some in the second half of a window, else between two tokens.
    """
    found: list[tuple[int, int]] = []
    while True:
        while start < end and text[start].isspace():
            start += 1
        if start >= end:
            return found
        # no token is counted twice over: a window holds `limit` tokens, so tokenize not much more than that
        reach = min(end, start + 16 * limit)
        offsets = encoder.token_offsets(text[start:reach])
        if len(offsets) <= limit:
            stop = reach if reach == end else _last_space(text, start, reach)
        else:
            stop = _last_space(text, start, start + max(1, offsets[limit][0]))
        piece = text[start:stop].rstrip()
        while len(piece) > 1 and encoder.count_tokens(piece) > limit:
            # tokens depend on their neighbours: a cut may make more of them
            piece = text[start:_last_space(text, start, start + max(1, len(piece) * 3 // 4))].rstrip()
        found.append((start, start + len(piece)))
        start += len(piece)


def _last_space(text: str, start: int, stop: int) -> int:
    """Return the end of the last word that ends before ``stop`` in its second half, else ``stop``."""
    if stop < len(text) and text[stop].isspace():
        return stop
    for position in range(stop - 1, start + (stop - start) // 2, -1):
        if text[position].isspace():
            return position
    return stop
