"""The new release's folder on disk, with what MRCUI says became of the concepts that it has not any more."""

from __future__ import annotations

from typing import NamedTuple, Self

from ingestion.sources.umls_spool import Spool


class Fate(NamedTuple):
    """What became of a concept: ``kind`` is merged, bequeathed or deleted; the successors are in the new release."""

    kind: str
    successors: tuple[str, ...] = ()
    how: tuple[str, ...] = ()
    explained: bool = True


class ReleaseSpool(Spool):
    """A spool that can be asked about single concepts."""

    def __enter__(self) -> Self:
        return self

    def has_concept(self, cui: str) -> bool:
        """Whether an atom of the release has this CUI."""
        return self._db.execute("SELECT 1 FROM concepts WHERE cui = ?", (cui,)).fetchone() is not None

    def fate(self, cui: str) -> Fate:
        """Return what MRCUI says about a concept: a merger counts before a mapping, both before a deletion.

        A successor that is gone itself is followed to its own; where that leads nowhere the concept is deleted.
        """
        rows = self._rows(cui)
        if not rows:
            return Fate("deleted", explained=False)
        for kind, wanted in (("merged", ("SY",)), ("bequeathed", ("RB", "RN", "RO"))):
            found: dict[str, str] = {}
            for rel, cui2 in rows:
                if rel in wanted:
                    for end in self._ends(cui2, {cui}):
                        found[end] = min(rel, found.get(end, rel))
            if found:
                return Fate(kind, tuple(sorted(found)), tuple(found[end] for end in sorted(found)))
        return Fate("deleted")

    def _rows(self, cui: str) -> list[tuple[str, str]]:
        return self._db.execute("SELECT rel, cui2 FROM cui_changes WHERE cui1 = ? ORDER BY rel, cui2",
                                (cui,)).fetchall()

    def _ends(self, cui: str, seen: set[str]) -> set[str]:
        """Return where a chain of mergers ends in the release; each CUI is followed once, so that circles end."""
        if self.has_concept(cui):
            return {cui}
        if cui in seen:
            return set()
        seen.add(cui)
        return {end for rel, cui2 in self._rows(cui) if rel == "SY" for end in self._ends(cui2, seen)}
