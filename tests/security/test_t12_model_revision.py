"""T12: a drift of the model shows. 50 golden vectors, and eight of the original float32 weights."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from graphkb.embed.minilm import STAMP, MiniLM

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "minilm_vectors.json").read_text(encoding="utf-8"))


def _unit(encoded: str) -> NDArray[np.float32]:
    row = np.frombuffer(base64.b64decode(encoded), dtype="<f2").astype(np.float32)
    return np.asarray(row / np.linalg.norm(row))


def test_golden_vectors() -> None:
    assert GOLDEN["stamp"] == str(STAMP)
    rows = GOLDEN["texts"]
    assert len(rows) == 50
    vectors = MiniLM(threads=1).encode([row["text"] for row in rows])
    cosines = (vectors * np.array([_unit(row["vector"]) for row in rows])).sum(axis=1)
    assert cosines.min() >= 0.9999
    original = [(vector, _unit(row["fp32"])) for vector, row in zip(vectors, rows, strict=True) if "fp32" in row]
    assert len(original) == 8
    # right pooling and the right tokenizer: int8 weights alone cost less than 0.002
    assert min(float(a @ b) for a, b in original) >= 0.998
