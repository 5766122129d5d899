"""Screening of user-tier text for personal identifiers.

It finds most of what looks like one and cannot promise more: it is screening, and text that went through it is to be
treated as before. Own patterns and names by cue or list always run; Presidio's pattern recognisers where they are asked
for (the extra ``phi``).
"""

from __future__ import annotations

from ingestion.phi.find import Finding, find
from ingestion.phi.screen import Screen

__all__ = ["Finding", "Screen", "find"]
