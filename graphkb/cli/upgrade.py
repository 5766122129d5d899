"""`upgrade`: bring the vocabulary to a newer release, and back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from graphkb.cli import show
from graphkb.cli.app import OK, current, exits
from graphkb.errors import ConfigError

commands = typer.Typer(help="Bring the vocabulary to a newer release, and back.", no_args_is_help=True)


def _rows(report: dict[str, Any]) -> Iterator[list[Any]]:
    for part in ("sources", "concepts", "codes", "relations"):
        yield from ([part, what, n] for what, n in report.get(part, {}).items())
    for kind, scopes in report.get("touches", {}).items():
        yield from ([f"{kind} touched", f"scope {scope}", n] for scope, n in scopes.items())


@commands.command()
@exits
def umls(meta: Annotated[Path | None, typer.Argument(help="META folder of the new release, plain or .gz")] = None,
         release: Annotated[str | None, typer.Option("--release", help="name of the release, as 2026AB")] = None,
         dry_run: Annotated[bool, typer.Option("--dry-run", help="say what would change; write nothing")] = False,
         apply: Annotated[bool, typer.Option("--apply", help="change it, or go on with it after a stop")] = False,
         rollback: Annotated[bool, typer.Option("--rollback", help="take the latest upgrade back")] = False,
         no_vectors: Annotated[bool, typer.Option("--no-vectors", help="leave the vectors to a later run")] = False,
         json: Annotated[bool, typer.Option("--json", help="one JSON object on stdout, with keys")] = False) -> int:
    """Bring UMLS to a newer release: see what changes, apply it, or take it back."""
    if dry_run + apply + rollback != 1:
        raise ConfigError("GKB-103", where="upgrade umls", detail="one of --dry-run, --apply and --rollback is needed")
    if (meta is None) != rollback:
        raise ConfigError("GKB-103", where="upgrade umls", detail="a META folder goes with --dry-run and --apply only")
    with current.open() as kb, show.progress(current.quiet) as progress:
        if meta is None:
            report = kb.roll_back_vocabulary(vectors=not no_vectors, progress=progress)
        else:
            report = kb.upgrade_vocabulary(meta, release=release, dry_run=dry_run, vectors=not no_vectors,
                                           progress=progress)
    if json:
        show.print_json(report)
    else:
        show.table(["part", "what", "count"], list(_rows(report)),
                   title=f"{report['state']}: {report['present'] or '(no name)'} to {report['release']}")
    return OK


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(commands, name="upgrade")
