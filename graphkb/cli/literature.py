"""`ingest` of literature and of your own files: one command per format, all by one door."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal

import typer

from graphkb import ids
from graphkb.cli import show
from graphkb.cli.app import current, exits
from graphkb.cli.ingest import Json, NoVectors, Paths, commands, print_report
from graphkb.config import IngestSettings
from graphkb.errors import ConfigError
from graphkb.model import Source

Tier = Annotated[str, typer.Option("--tier", help="literature (public), or user for your own files")]
TierName = Literal["literature", "user"]


def take(kind: str, make: Callable[[TierName, IngestSettings], Source], *, tier: str, no_vectors: bool,
         json: bool) -> int:
    """Take what a source yields, in the scope of its tier, and report it.

    Parameters
    ----------
    kind : str
        Name of the command after ``ingest``; it stands in the ledger.
    make : callable
        Builds the source of the tier and the settings of ingestion.
    """
    if tier not in ("literature", "user"):
        raise ConfigError("GKB-103", where="--tier", detail="literature or user")
    known: TierName = "user" if tier == "user" else "literature"
    with current.open() as kb, show.progress(current.quiet) as progress:
        scope = kb.settings.scope if known == "user" else ids.PUBLIC
        report = kb.ingest(make(known, kb.settings.ingest), scope=scope, command=f"ingest {kind}",
                           vectors=not no_vectors, progress=progress)
    return print_report(report, json)


@commands.command()
@exits
def jats(paths: Paths, tier: Tier = "literature", no_vectors: NoVectors = False, json: Json = False) -> int:
    """Take full-text articles in JATS XML."""
    from ingestion.sources import JatsSource

    return take("jats", lambda known, limits: JatsSource(paths, tier=known, max_bytes=limits.max_document_bytes),
                tier=tier, no_vectors=no_vectors, json=json)


@commands.command()
@exits
def medline(paths: Paths, tier: Tier = "literature", no_vectors: NoVectors = False, json: Json = False) -> int:
    """Take MEDLINE/PubMed XML: baseline and update files, in the order of their numbers, deletions too."""
    from ingestion.sources import MedlineSource

    return take("medline", lambda known, limits: MedlineSource(paths, tier=known, max_bytes=limits.max_document_bytes),
                tier=tier, no_vectors=no_vectors, json=json)


@commands.command()
@exits
def text(paths: Paths, tier: Tier = "literature",
         patient: Annotated[str | None, typer.Option("--patient", help="subject_id that the files are about")] = None,
         no_vectors: NoVectors = False, json: Json = False) -> int:
    """Take text and Markdown files; with --tier user into your own scope."""
    from ingestion.sources import TextSource

    return take("text", lambda known, limits: TextSource(paths, tier=known, patient=patient,
                                                         max_bytes=limits.max_document_bytes),
                tier=tier, no_vectors=no_vectors, json=json)


@commands.command()
@exits
def pdf(paths: Paths, tier: Tier = "literature",
        patient: Annotated[str | None, typer.Option("--patient", help="subject_id that the files are about")] = None,
        no_vectors: NoVectors = False, json: Json = False) -> int:
    """Take the text of PDF files, with the page and box of every line."""
    from ingestion.sources.pdf import PdfSource

    return take("pdf", lambda known, limits: PdfSource(paths, tier=known, settings=limits, patient=patient),
                tier=tier, no_vectors=no_vectors, json=json)
