"""`ingest` of literature and of your own files: one command per format, all by one door."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from graphkb import ids
from graphkb.cli import show
from graphkb.cli.app import current, exits
from graphkb.cli.ingest import Json, NoVectors, Paths, commands, print_report
from graphkb.errors import ConfigError

if TYPE_CHECKING:
    from graphkb.config import IngestSettings
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


@commands.command()
@exits
def pubtator(paths: Paths, tier: Tier = "literature", no_vectors: NoVectors = False, json: Json = False) -> int:
    """Take PubTator files: titles and abstracts with their own annotations and relations."""
    from ingestion.sources.pubtator import PubTatorSource

    return take("pubtator", lambda known, limits: PubTatorSource(paths, tier=known,
                                                                 max_bytes=limits.max_document_bytes),
                tier=tier, no_vectors=no_vectors, json=json)


@commands.command()
@exits
def bioc(paths: Paths, tier: Tier = "literature", no_vectors: NoVectors = False, json: Json = False) -> int:
    """Take BioC collections, XML or JSON, with their own annotations and relations."""
    from ingestion.sources.bioc import BioCSource

    return take("bioc", lambda known, limits: BioCSource(paths, tier=known, max_bytes=limits.max_document_bytes),
                tier=tier, no_vectors=no_vectors, json=json)


@commands.command()
@exits
def triples(paths: Paths, tier: Tier = "literature",
            column: Annotated[list[str] | None, typer.Option(
                "--column", help="WHAT=COLUMN, or WHAT==WORDS for all rows; WHAT is subject, predicate, object,"
                                 " subject_id, object_id, subject_type, object_type, negated, reference, score, text")
            ] = None,
            predicate: Annotated[list[str] | None, typer.Option(
                "--predicate", help="WORD=PREDICATE; WORD=!PREDICATE denies it, WORD=- leaves such rows out")] = None,
            vocabulary: Annotated[list[str] | None, typer.Option(
                "--vocabulary", help="subject=VOCABULARY or object=VOCABULARY of codes without a prefix")] = None,
            name: Annotated[str | None, typer.Option("--name", help="name of the fact base")] = None,
            release: Annotated[str, typer.Option("--release", help="its version")] = "",
            licence: Annotated[str, typer.Option("--licence", help="its licence")] = "",
            no_vectors: NoVectors = False, json: Json = False) -> int:
    """Take a fact base: a table of subject, predicate, object (TSV, CSV), or KGX nodes and edges (TSV, JSON Lines)."""
    from graphkb.model import SourceInfo
    from ingestion.sources.triples import TriplesSource
    from ingestion.sources.triples_rows import Mapping

    mapping = Mapping(_pairs(column, "--column"), _pairs(predicate, "--predicate"), _pairs(vocabulary, "--vocabulary"))
    source = SourceInfo(name, release, licence) if name else None
    return take("triples", lambda known, limits: TriplesSource(paths, tier=known, mapping=mapping, source=source,
                                                               max_bytes=limits.max_document_bytes),
                tier=tier, no_vectors=no_vectors, json=json)


@commands.command()
@exits
def claims(paths: Paths, tier: Tier = "literature",
           label: Annotated[list[str] | None, typer.Option(
               "--label", help="VERDICT=true|false|mixture|unproven, where the file's words are others")] = None,
           no_vectors: NoVectors = False, json: Json = False) -> int:
    """Take claims with a verdict and what was written about them (PubHealth, FakeHealth, SciFact, HealthFC)."""
    from ingestion.sources.claims import ClaimsSource

    labels = _pairs(label, "--label")
    return take("claims", lambda known, limits: ClaimsSource(paths, tier=known, labels=labels,
                                                             max_bytes=limits.max_document_bytes),
                tier=tier, no_vectors=no_vectors, json=json)


def _pairs(values: list[str] | None, option: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for value in values or ():
        name, sign, given = value.partition("=")
        if not sign or not name or not given:
            raise ConfigError("GKB-103", where=option, detail="it is NAME=VALUE")
        found[name] = given
    return found


@commands.command()
@exits
def textbook(paths: Paths, tier: Tier = "literature",
             licence: Annotated[str, typer.Option("--licence", help="licence of books that do not say theirs")] = "",
             no_vectors: NoVectors = False, json: Json = False) -> int:
    """Take textbooks: OpenStax JSON lines, CNXML, HTML and Markdown."""
    from ingestion.sources.textbook import TextbookSource

    return take("textbook", lambda known, limits: TextbookSource(paths, tier=known, licence=licence,
                                                                 max_bytes=limits.max_document_bytes),
                tier=tier, no_vectors=no_vectors, json=json)
