"""`export`: the graph, or what a licence and a scope allow of it, in other formats."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from graphkb.cli import show
from graphkb.cli.app import OK, current, exits


class Format(StrEnum):
    """The formats; the same names as `graphkb.export.FORMATS`."""

    KGX = "kgx"
    PARQUET = "parquet"
    GRAPHML = "graphml"
    CSV = "csv"
    NEO4J = "neo4j-import"


def export(
    format_: Annotated[Format, typer.Argument(metavar="FORMAT", help="kgx, parquet, graphml, csv or neo4j-import")],
    out: Annotated[Path, typer.Option("--out", help="a folder that is not there yet")],
    source: Annotated[list[str] | None, typer.Option("--source", help="only what this source or SAB says; repeatable")]
    = None,
    max_restriction: Annotated[int, typer.Option("--max-restriction", min=0, max=9,
                                                 help="highest restriction level that may leave (9: SNOMED CT)")] = 0,
    vectors: Annotated[bool, typer.Option("--vectors", help="with the chunks' vectors")] = False,
    json: Annotated[bool, typer.Option("--json", help="one JSON object on stdout")] = False,
) -> int:
    """Export the public part of the graph; with --scope that private scope too, which nothing else exports."""
    scopes = (current.scope,) if current.scope else ()
    with current.open() as kb, show.progress(current.quiet) as progress:
        done = kb.export(format_.value, out, sources=source or (), max_restriction=max_restriction,
                         scopes=scopes, vectors=vectors, progress=progress)
    if json:
        show.print_json(done)
        return OK
    show.table(["what", "count"], [[name, n] for kind in ("nodes", "edges") for name, n in done[kind].items()],
               title=f"{format_.value} in {out}")
    if done["left_out"]:
        show.table(["left out", "because of", "count"], [[r["what"], r["why"], r["count"]] for r in done["left_out"]])
    for note, n in done["notes"].items():
        typer.echo(f"note: {n} {note}", err=True)
    return OK


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(exits(export))
