"""`update`: read known files again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from graphkb.cli import show
from graphkb.cli.app import OK, PARTIAL, current, exits
from graphkb.errors import ConfigError


def update(paths: Annotated[list[Path] | None, typer.Argument(help="files or folders that were taken before")] = None,
           kind: Annotated[str, typer.Option("--kind", help="the reader: jats, medline, mimic, pdf or text; told by "
                                                            "itself")] = "",
           tier: Annotated[str, typer.Option("--tier", help="literature or user, for files that are new")] = "",
           failed: Annotated[bool, typer.Option("--failed", help="the files that the latest runs rejected")] = False,
           remove_missing: Annotated[bool, typer.Option("--remove-missing", help="retract documents whose files are "
                                                                                 "gone")] = False,
           no_vectors: Annotated[bool, typer.Option("--no-vectors", help="leave the vectors to a later run")] = False,
           dry_run: Annotated[bool, typer.Option("--dry-run", help="only say what is missing or unknown")] = False,
           json: Annotated[bool, typer.Option("--json", help="one JSON object on stdout")] = False) -> int:
    """Read files again by the reader that took them; what changed takes the place of what was there."""
    if failed == bool(paths):
        raise ConfigError("GKB-103", where="update", detail="name files, or --failed")
    with current.open() as kb, show.progress(current.quiet) as progress:
        done = kb.update(paths or (), kind=kind, tier=tier, failed=failed, remove_missing=remove_missing,
                         vectors=not no_vectors, dry_run=dry_run, progress=progress)
    if json:
        show.print_json(done.to_dict())
        return PARTIAL if done.partial else OK
    show.table(["command", "scope", "created", "superseded", "unchanged", "rejected"],
               [[r.command, r.scope, *(r.documents[name] for name in ("created", "superseded", "unchanged",
                                                                       "rejected"))] for r in done.reports])
    if done.missing:
        show.table(["document", "file that is gone"], [[key, ", ".join(files)]
                                                       for key, files in sorted(done.missing.items())])
        typer.echo("removed, with a receipt" if done.retracted and done.retracted.receipt else
                   "still in the graph: --remove-missing takes them out")
    for file in done.unknown:
        typer.echo(f"{file} is not known here: name --kind and --tier", err=True)
    for error in done.unreadable:
        typer.echo(f"error: {error}", err=True)
    return PARTIAL if done.partial else OK


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(exits(update))
