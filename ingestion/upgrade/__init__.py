"""Bring the vocabulary from one release to the next, and back: what only one of them has is dated, nothing is lost."""

from ingestion.upgrade.state import refuse_unfinished
from ingestion.upgrade.upgrade import apply_release, dry_run, roll_back

__all__ = ["apply_release", "dry_run", "refuse_unfinished", "roll_back"]
