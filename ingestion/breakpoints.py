"""Topic breaks from the distances between neighbouring sentences.

The four kinds and their default amounts are those of langchain-experimental's ``SemanticChunker`` (which follows Greg
Kamradt's "5 Levels of Text Splitting", level 4): a break where the distance is over a percentile, over the mean by so
many standard deviations or interquartile ranges, or where the distances' gradient is over a percentile.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from graphkb.embed import unit_rows
from graphkb.errors import EncoderError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from graphkb.embed import Encoder

DEFAULT_AMOUNT = {"percentile": 95.0, "standard_deviation": 3.0, "interquartile": 1.5, "gradient": 95.0, "none": 0.0}
_BLOCK = 1024  # sentences whose vectors are held at once


def _encode(encoder: Encoder, texts: Sequence[str]) -> NDArray[np.float32]:
    import numpy as np

    vectors = np.asarray(encoder.encode(texts), dtype=np.float32)
    if vectors.shape != (len(texts), encoder.stamp.dimension):
        raise EncoderError("GKB-506", where=encoder.stamp.model, detail=f"shape {vectors.shape}")
    return unit_rows(vectors, encoder.stamp.model)


def distances(encoder: Encoder, texts: Sequence[str]) -> NDArray[np.float64]:
    """Return the cosine distances between neighbours, ``float64[len(texts) - 1]``.

    Each sentence stands with its neighbours (a buffer of 1): its vector is the mean of the three unit vectors. So every
    sentence is encoded once, and no window can be too long for the encoder.

    Raises
    ------
    EncoderError
        GKB-501 where a vector is not finite or all zeros, GKB-506 where it has a wrong length.
    """
    import numpy as np

    count = len(texts)
    found: list[NDArray[np.float64]] = []
    nothing = np.zeros((1, encoder.stamp.dimension), dtype=np.float32)  # beside the first and the last sentence
    held = nothing
    for begin in range(0, count, _BLOCK):
        held = np.concatenate([held, _encode(encoder, texts[begin:begin + _BLOCK])])
        last = begin + _BLOCK >= count
        padded = (np.concatenate([held, nothing]) if last else held).astype(np.float64)
        windows = padded[:-2] + padded[1:-1] + padded[2:]
        norms = np.linalg.norm(windows, axis=1)
        dots = np.einsum("ij,ij->i", windows[:-1], windows[1:])
        # opposite vectors may cancel out: such a window is near to nothing
        found.append(1.0 - dots / np.maximum(norms[:-1] * norms[1:], 1e-12))
        held = held[-3:]
    return np.concatenate(found) if found else np.zeros(0)


def topic_breaks(values: NDArray[np.float64], kind: str, amount: float | None = None) -> list[int]:
    """Return the places ``i`` with a topic break between sentences ``i`` and ``i + 1``.

    Parameters
    ----------
    values : float64[n - 1]
        Distances between neighbours.
    kind : str
        ``percentile``, ``standard_deviation``, ``interquartile``, ``gradient`` or ``none``.
    amount : float, optional
        By default 95, 3, 1.5 or 95.
    """
    import numpy as np

    if len(values) < 2 or kind == "none":
        return []  # one distance has no spread to stand out of
    amount = DEFAULT_AMOUNT[kind] if amount is None else amount
    if kind == "gradient":
        values = np.gradient(values)
    if kind in ("percentile", "gradient"):
        threshold = float(np.percentile(values, min(max(amount, 0.0), 100.0)))
    elif kind == "standard_deviation":
        threshold = float(values.mean() + amount * values.std())
    else:
        low, high = np.percentile(values, [25, 75])
        threshold = float(values.mean() + amount * (high - low))
    return [int(place) for place in np.flatnonzero(values > threshold)]
