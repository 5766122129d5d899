"""Fusion: several ranked lists of the same things become one.

``rrf``: reciprocal ranks, ``sum of weight / (constant + rank)`` (Cormack, Clarke and Büttcher 2009).
``relative``: each list's scores scaled to 0..1 between its floor and its best, ``sum of weight * scaled`` (Bruch, Gai
and Ingber 2023, "An analysis of fusion functions for hybrid retrieval", convex combination).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from retrieval.index import Hit

Method = Literal["relative", "rrf"]


@dataclass(frozen=True, slots=True)
class Lane:
    """One ranked list, best first. ``floor`` is the score worth nothing; None: that of the list's last hit."""

    name: str
    weight: float
    hits: Sequence[Hit]
    floor: float | None = None


@dataclass(frozen=True, slots=True)
class Fused:
    """A key with its fused score and the ranks it comes from."""

    key: str
    score: float
    why: str


def _worth(lane: Lane, rank: int, method: Method, constant: int) -> float:
    if method == "rrf":
        return lane.weight / (constant + rank)
    best = lane.hits[0].score
    floor = lane.hits[-1].score if lane.floor is None else lane.floor
    return lane.weight * (lane.hits[rank - 1].score - floor) / (best - floor) if best > floor else lane.weight


def fuse(lanes: Sequence[Lane], method: Method = "relative", constant: int = 60) -> list[Fused]:
    """Return all keys of the lanes, the best first; equal scores in the order of keys."""
    scores: dict[str, float] = {}
    ranks: dict[str, dict[str, int]] = {}
    for lane in lanes:
        for rank, hit in enumerate(lane.hits, 1):
            scores[hit.key] = scores.get(hit.key, 0.0) + _worth(lane, rank, method, constant)
            mine = ranks.setdefault(hit.key, {})
            mine[lane.name] = min(rank, mine.get(lane.name, rank))
    return [Fused(key, scores[key], ", ".join(f"{name} rank {rank}" for name, rank in ranks[key].items()))
            for key in sorted(scores, key=lambda key: (-scores[key], key))]
