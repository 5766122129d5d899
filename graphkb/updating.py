"""`update`: read again what is known; what changed supersedes, what is gone is told and removed only when asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphkb import ids
from graphkb.errors import InputError
from graphkb.retraction import Retracted
from ingestion.ledger import RunReport
from ingestion.pipeline import Progress, quiet
from ingestion.update import failed as failed_files
from ingestion.update import look

if TYPE_CHECKING:
    from graphkb.kb import KnowledgeBase


@dataclass(slots=True)
class Updated:
    """The runs of an update, documents whose files are gone, files that no reader takes, and a receipt of removals."""

    reports: list[RunReport] = field(default_factory=list)
    missing: dict[str, list[str]] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    unreadable: list[InputError] = field(default_factory=list)
    retracted: Retracted | None = None

    @property
    def partial(self) -> bool:
        """Whether something was rejected or not taken (exit code 3)."""
        return bool(self.unknown or self.unreadable) or any(report.partial for report in self.reports)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {"runs": [report.to_dict() for report in self.reports], "unknown": self.unknown,
                "unreadable": [error.to_dict() for error in self.unreadable],
                "missing": [{"document": key, "files": files} for key, files in sorted(self.missing.items())],
                "retracted": self.retracted.to_dict() if self.retracted else None}


def update(kb: KnowledgeBase, paths: Sequence[Path], *, kind: str = "", tier: str = "", failed: bool = False,
           remove_missing: bool = False, scope: str | None = None, vectors: bool = True, dry_run: bool = False,
           progress: Progress = quiet) -> Updated:
    """Read files again; see `graphkb.kb.KnowledgeBase.update`."""
    data_dir = kb.settings.data_dir
    wanted = failed_files(kb.store, data_dir) if failed else look(kb.store, kb.scopes(scope), paths, kind, tier)
    done = Updated(missing=wanted.missing, unknown=wanted.unknown)
    for group in wanted.groups if not dry_run else ():
        into = ids.PUBLIC if group.tier == "literature" else kb.scopes(scope)[-1]
        try:
            done.reports.append(kb.ingest(group.source(kb.settings.ingest), scope=into, command=f"update {group.kind}",
                                          vectors=vectors, progress=progress))
        except InputError as error:  # nothing of this group can be read; the others go on
            done.unreadable.append(error)
    if remove_missing and wanted.missing:
        done.retracted = kb.retract(document=sorted(wanted.missing), reason="its file is gone", scope=scope,
                                    dry_run=dry_run, progress=progress)
    return done
