"""`init`, `status`, `check`, `doctor`, `config` and `store`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from graphkb.cli import show
from graphkb.cli.app import FAILED, OK, PROBLEMS, current, exits
from graphkb.errors import ConfigError

Json = Annotated[bool, typer.Option("--json", help="one JSON object on stdout")]
config_commands = typer.Typer(help="Look at the settings.", no_args_is_help=True)
store_commands = typer.Typer(help="The embedded store.", no_args_is_help=True)


def init(directory: Annotated[Path, typer.Argument(help="where graphkb.toml is written")]) -> int:
    """Write a commented graphkb.toml in which every setting stands with its default."""
    from graphkb import config

    path = directory / config.FILE_NAME
    if path.exists():
        raise ConfigError("GKB-104", where=str(path))
    directory.mkdir(parents=True, exist_ok=True)
    path.write_text(config.default_file(), encoding="utf-8")
    typer.echo(f"wrote {path}; next: graphkb --config {path} ingest --help", err=True)
    return OK


def status(
    fingerprint: Annotated[bool, typer.Option("--fingerprint", help="and the fingerprint of the content")] = False,
    run: Annotated[str | None, typer.Option("--run", help="the documents of one run, by its key, instead")] = None,
    json: Json = False,
) -> int:
    """Show what the graph holds, the latest runs, and what is waiting."""
    if run is not None:
        return _run_documents(run, json)
    with current.open() as kb:
        found = kb.status(fingerprint=fingerprint)
    if json:
        show.print_json(found)
        return OK
    show.table(["label", "nodes"], [[name, n] for name, n in found["nodes"].items() if n])
    show.table(["relationship", "count"], [[name, n] for name, n in found["relationships"].items() if n])
    runs = [[r.get("key"), str(r.get("started", ""))[:19], r.get("command"), r.get("scope"), r.get("state"),
             r.get("documents_created", 0), r.get("documents_rejected", 0)] for r in found["runs"]]
    show.table(["run", "started", "command", "scope", "state", "created", "rejected"], runs, title="latest runs")
    waiting = ", ".join(f"{n} {kind}" for kind, n in found["waiting"].items()) or "nothing"
    typer.echo(f"waiting: {waiting}")
    if likes := ", ".join(f"{n} {what}" for what, n in found["likes"].items() if n):
        typer.echo(f"alike: {likes}")
    if fingerprint:
        typer.echo(f"fingerprint: {found['fingerprint']}")
    return OK


def _run_documents(run: str, json: bool) -> int:
    from ingestion.ledger import documents_of

    found = list(documents_of(current.settings().data_dir, run))
    if json:
        for line in found:
            show.print_json(line)
    else:
        show.table(["document", "record", "state", "code"],
                   [[line["key"], line["record"], line["state"], line.get("code", "")] for line in found])
    return OK


def check(repair: Annotated[bool, typer.Option("--repair", help="mend what is derived, then look again")] = False,
          json: Json = False) -> int:
    """Prove the graph's invariants; exit code 4 where one is broken."""
    with current.open() as kb:
        problems = kb.check(repair=repair)
    shown = [{**problem, "keys": problem["keys"][:20]} for problem in problems]
    if json:
        show.print_json({"ok": not problems, "problems": shown})
    elif problems:
        show.table(["check", "found", "what", "for instance"],
                   [[p["check"], p["found"], p["what"], ", ".join(p["keys"][:3])] for p in shown])
    else:
        typer.echo("every invariant holds")
    return PROBLEMS if problems else OK


def doctor(json: Json = False) -> int:
    """Look at the installation: packages, models, store, rights; say what to do where something is wrong."""
    from graphkb.cli.doctor import examine

    findings = examine(current.settings)
    if json:
        show.print_json({"ok": all(f["ok"] for f in findings), "findings": findings})
    else:
        show.table(["part", "", "finding", "next step"],
                   [[f["part"], "ok" if f["ok"] else "WRONG", f["finding"], f["next"]] for f in findings])
    return OK if all(f["ok"] for f in findings) else FAILED


@config_commands.command("show")
@exits
def config_show(json: Json = False) -> int:
    """Show every setting, its value and where that came from; secrets are masked."""
    from graphkb import config

    rows = config.show(current.settings())
    if json:
        for row in rows:
            show.print_json(row)
    else:
        show.table(["setting", "value", "from", "what"],
                   [[r["name"], r["value"], r["origin"], r["what"]] for r in rows])
    return OK


def _store_info(info: dict[str, Any], json: bool) -> None:
    if json:
        show.print_json(info)
    else:
        show.table(["", ""], [[name, value] for name, value in info.items()])


@store_commands.command("start")
@exits
def store_start(json: Json = False) -> int:
    """Start the embedded store and print its Bolt address for other clients."""
    from graphkb.store import embedded

    settings = current.settings()
    embedded.start(settings)
    _store_info(embedded.info(settings), json)
    return OK


@store_commands.command("stop")
@exits
def store_stop() -> int:
    """Stop the embedded store."""
    from graphkb.store import embedded

    stopped = embedded.stop(current.settings())
    typer.echo("stopped" if stopped else "it was not running")
    return OK


@store_commands.command("info")
@exits
def store_info(json: Json = False) -> int:
    """Show the embedded store's state without starting it."""
    from graphkb.store import embedded

    _store_info(embedded.info(current.settings()), json)
    return OK


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (init, status, check, doctor):
        app.command()(exits(command))
    app.add_typer(config_commands, name="config")
    app.add_typer(store_commands, name="store")
