"""`ingest`: one command per kind of source (literature: `graphkb.cli.literature`)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from graphkb.cli import show
from graphkb.cli.app import OK, PARTIAL, current, exits

commands = typer.Typer(help="Take records, literature or a vocabulary into the graph.", no_args_is_help=True)

Paths = Annotated[list[Path], typer.Argument(help="files or folders")]
Json = Annotated[bool, typer.Option("--json", help="one JSON object on stdout")]
NoVectors = Annotated[bool, typer.Option("--no-vectors", help="leave the vectors to a later run")]


def _flat(counts: dict[str, Any], prefix: str = "") -> Iterator[list[Any]]:
    for name, value in counts.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{name}: ")
        elif value not in ("", False):
            yield [f"{prefix}{name}", value]


def print_report(report: object, json: bool) -> int:
    """Print the report of a run; return the exit code."""
    from ingestion.ledger import RunReport

    assert isinstance(report, RunReport)  # noqa: S101 - for the type checker
    data = report.to_dict()
    if json:
        show.print_json(data)
    else:
        done = data["documents"]
        show.table(["created", "superseded", "unchanged", "rejected", "seconds"],
                   [[done["created"], done["superseded"], done["unchanged"], done["rejected"], data["seconds"]]],
                   title=f"{report.command}, scope {report.scope}: {report.state}")
        if data["counts"]:
            show.table(["what", "count"], list(_flat(data["counts"])))
        if data["reasons"]:
            show.table(["file", "code", "reason", "rows"],
                       [[r["file"], r["code"], r["reason"], r["rows"]] for r in data["reasons"]], title="rejected rows")
        if report.rejections:
            show.table(["file", "code", "reason"], [[r.file, r.code, r.reason] for r in report.rejections],
                       title="rejected documents")
        for note in data["notes"]:
            typer.echo(f"note: {note}", err=True)
    return PARTIAL if report.partial else OK


@commands.command()
@exits
def umls(meta: Annotated[Path, typer.Argument(help="a META folder of RRF files, plain or .gz")],
         release: Annotated[str | None, typer.Option("--release", help="name of the release, as 2026AA")] = None,
         dry_run: Annotated[bool, typer.Option("--dry-run", help="read and count; write nothing")] = False,
         bulk: Annotated[Path | None, typer.Option("--bulk", help="write CSV for Neo4j's `database import` into this "
                                                                  "folder, not into the store")] = None,
         json: Json = False) -> int:
    """Load a UMLS vocabulary (MRCONSO, MRSTY, MRDEF, MRREL, MRSAB)."""
    with current.open() as kb, show.progress(current.quiet) as progress:
        if bulk is not None:
            return print_report(kb.write_vocabulary(meta, bulk, release=release, progress=progress), json)
        report = kb.ingest_vocabulary(meta, release=release, dry_run=dry_run, progress=progress)
    return print_report(report, json)


@commands.command()
@exits
def mimic(folder: Annotated[Path, typer.Argument(help="a MIMIC-IV folder with hosp/")],
          notes: Annotated[Path | None, typer.Option("--notes", help="discharge.csv, where it lies elsewhere")] = None,
          lab_events: Annotated[bool, typer.Option("--lab-events", help="keep each lab event as a fact")] = False,
          no_vectors: NoVectors = False, json: Json = False) -> int:
    """Take MIMIC-IV tables and discharge notes into your scope."""
    from ingestion.sources import MimicSource

    source = MimicSource(folder, notes=notes, lab_events=lab_events)
    with current.open() as kb, show.progress(current.quiet) as progress:
        report = kb.ingest(source, scope=kb.settings.scope, command="ingest mimic", vectors=not no_vectors,
                           progress=progress)
    return print_report(report, json)


def register(app: typer.Typer) -> None:
    """Add the commands."""
    from graphkb.cli import literature  # noqa: F401 - adds its commands to `commands`

    app.add_typer(commands, name="ingest")
