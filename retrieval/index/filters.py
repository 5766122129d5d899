"""What a search may see. The filter works inside the scan, so a small scope never starves behind a big one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphkb.model import Query, Tier


@dataclass(frozen=True, slots=True)
class Filter:
    """The chunks that a search may read.

    Parameters
    ----------
    scopes : tuple of str
        Always bound; an empty tuple sees nothing.
    patient : str, optional
        A ``subject_id``: user-tier text is then this patient's only (text of no patient's belongs to nobody and stays
        out); literature stays in. Without it no patient is singled out.
    tiers, documents : tuple of str
        Empty means all.
    as_of : str
        An ISO date or the start of one, "" for now: literature published later stays out, what was retracted or
        superseded later is in. A patient's own clock is never compared with it.
    hidden : tuple of str
        Documents that stay out at that date (or now), as the index knows them; see `Life.hides`.
    """

    scopes: tuple[str, ...]
    patient: str | None = None
    tiers: tuple[Tier, ...] = ()
    documents: tuple[str, ...] = ()
    as_of: str = ""
    hidden: tuple[str, ...] = ()

    @classmethod
    def of(cls, query: Query) -> Filter:
        """Return the filter of a question."""
        return cls(query.scopes, query.patient, query.tiers, (), query.as_of)


@dataclass(frozen=True, slots=True)
class Life:
    """When a document was retracted or superseded; the index knows those that were, by their keys."""

    tier: str
    retracted_at: str = ""
    effective_to: str = ""

    def hides(self, as_of: str) -> bool:
        """Whether the document stays out of answers at a date; a user's own is compared with no date."""
        if not as_of or self.tier == "user":
            return True
        return any(end and end[: len(as_of)] <= as_of for end in (self.retracted_at, self.effective_to))


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk's key and its score in one lane."""

    key: str
    score: float


@dataclass(frozen=True, slots=True, eq=False)
class ChunkRow:
    """A chunk as the index takes it."""

    key: str
    text: str
    vector: NDArray[np.float32]
    scope: str
    tier: str
    document: str
    patient: str = ""
    title: str = ""
    published: str = ""  # or since when it holds, where that is later

    @property
    def searched(self) -> str:
        """The text that lexical search sees: an article's title belongs to each of its chunks, a note's id to none."""
        return f"{self.title}\n{self.text}" if self.tier != "user" and self.title else self.text
