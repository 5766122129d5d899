"""`cypher`: read-only Cypher on the command line, from a file, or in a small shell."""

from __future__ import annotations

import csv
import json as json_module
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphkb.cli import show
from graphkb.cli.app import OK, current, exits
from graphkb.errors import ConfigError, GraphKBError

if TYPE_CHECKING:
    from graphkb.kb import KnowledgeBase


def _params(given: list[str]) -> dict[str, Any]:
    params: dict[str, Any] = {}
    for item in given:
        name, separator, value = item.partition("=")
        if not separator or not name.isidentifier():
            raise ConfigError("GKB-103", where="--param", detail="write it as name=value")
        try:
            params[name] = json_module.loads(value)
        except json_module.JSONDecodeError:
            params[name] = value
    return params


def _print(kb: KnowledgeBase, statement: str, params: dict[str, Any], limit: int, form: str) -> None:
    result = kb.query(statement, params, limit=limit)
    if form == "json":
        for row in result.rows:
            show.print_json(dict(zip(result.columns, row, strict=True)))
    elif form == "csv":
        writer = csv.writer(sys.stdout)
        writer.writerow(result.columns)
        writer.writerows(result.rows)
    else:
        show.table(list(result.columns), [list(row) for row in result.rows])
    if result.truncated:
        typer.echo(f"note: cut at {limit} rows; raise --limit for more", err=True)


def _shell(kb: KnowledgeBase, params: dict[str, Any], limit: int, form: str) -> None:
    typer.echo("graphkb cypher: end a statement with ; - quit with :q", err=True)
    lines: list[str] = []
    while True:
        try:
            line = input("... " if lines else "cypher> ")
        except EOFError:
            return
        if not lines and line.strip() in (":q", ":quit", "exit"):
            return
        lines.append(line)
        if line.rstrip().endswith(";"):
            statement = "\n".join(lines).rstrip().rstrip(";")
            lines = []
            try:
                _print(kb, statement, params, limit, form)
            except GraphKBError as error:
                typer.echo(f"error: {error}", err=True)


def cypher(
    statement: Annotated[str | None, typer.Argument(help="the statement, or a .cypher file; nothing: a shell")] = None,
    param: Annotated[list[str] | None, typer.Option("--param", help="name=value; the value may be JSON")] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="most rows")] = 1000,
    json: Annotated[bool, typer.Option("--json", help="one JSON object per row")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="CSV with a header")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="show the server's plan; run nothing")] = False,
) -> int:
    """Ask the graph in Cypher. Only reading is possible."""
    form = "json" if json else "csv" if as_csv else "table"
    params = _params(param or [])
    with current.open() as kb:
        if statement is None:
            _shell(kb, params, limit, form)
            return OK
        if statement.endswith(".cypher") and Path(statement).is_file():
            statement = Path(statement).read_text(encoding="utf-8")
        statement = statement.strip().rstrip(";")
        if explain:
            typer.echo(kb.explain(statement, params))
        else:
            _print(kb, statement, params, limit, form)
    return OK


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(exits(cypher))
