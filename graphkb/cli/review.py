"""`review merges`: proposals that a local concept is one of the vocabulary's, and a reviewer's decisions."""

from __future__ import annotations

import getpass
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from graphkb.cli import show
from graphkb.cli.app import OK, current, exits

if TYPE_CHECKING:
    from ingestion.identity import Merge

review = typer.Typer(help="Review what graphkb proposes and does not decide.", no_args_is_help=True)
commands = typer.Typer(help="Merges of local concepts with concepts of the vocabulary.", no_args_is_help=True)
review.add_typer(commands, name="merges")

Keys = Annotated[list[str], typer.Argument(help="keys of merges, as the list shows them")]
Json = Annotated[bool, typer.Option("--json", help="JSON on stdout")]
Reviewer = Annotated[str | None, typer.Option("--reviewer", help="who decides; without it the user of this system")]


def _show(merges: Sequence[Merge], json: bool, title: str = "") -> None:
    if json:
        for merge in merges:
            show.print_json(merge.to_dict())
        return
    show.table(["merge", "local concept", "concept", "score", "by", "status", "reviewer"],
               [[m.key, m.local_name, f"{m.concept_name} ({m.concept})", f"{m.score:.2f}", m.method, m.status,
                 m.reviewer] for m in merges], title=title)


@commands.command("find")
@exits
def find(vectors: Annotated[bool, typer.Option("--vectors", help="compare names by their vectors, too")] = False,
         dry_run: Annotated[bool, typer.Option("--dry-run", help="show what would be proposed; write nothing")] = False,
         json: Json = False) -> int:
    """Propose merges for the local concepts of your scope; what no longer holds is withdrawn."""
    with current.open() as kb:
        found = kb.find_merges(vectors=vectors, dry_run=dry_run)
    if json:
        show.print_json(found.to_dict())
    else:
        counts = [found.examined, found.without_group,
                  *(found.counts[name] for name in ("new", "kept", "withdrawn", "decided"))]
        show.table(["local concepts", "of no group", "new", "kept", "withdrawn", "decided"], [counts],
                   title="merges proposed" + (" (dry run)" if dry_run else ""))
        if dry_run:
            _show(found.proposals, json=False)
    return OK


@commands.command("list")
@exits
def list_(status: Annotated[str, typer.Option("--status", help="proposed, accepted or rejected; all without it")] = "",
          json: Json = False) -> int:
    """List proposals and decisions of your scope."""
    with current.open() as kb:
        _show(kb.merges(status=status), json)
    return OK


def _decide(keys: list[str], status: Literal["accepted", "rejected", "proposed"], reviewer: str | None,
            json: bool) -> int:
    with current.open() as kb:
        _show(kb.decide_merges(keys, status, reviewer=reviewer or getpass.getuser()), json)
    return OK


@commands.command()
@exits
def accept(keys: Keys, reviewer: Reviewer = None, json: Json = False) -> int:
    """Accept merges: a local concept then counts as the vocabulary's."""
    return _decide(keys, "accepted", reviewer, json)


@commands.command()
@exits
def reject(keys: Keys, reviewer: Reviewer = None, json: Json = False) -> int:
    """Reject merges: they are not proposed again."""
    return _decide(keys, "rejected", reviewer, json)


@commands.command()
@exits
def undo(keys: Keys, reviewer: Reviewer = None, json: Json = False) -> int:
    """Take decisions back: the merges are proposals again."""
    return _decide(keys, "proposed", reviewer, json)


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(review, name="review")
