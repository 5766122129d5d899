"""`retract`: take documents, subjects, runs or sources back, with a receipt."""

from __future__ import annotations

from typing import Annotated

import typer

from graphkb.cli import show
from graphkb.cli.app import OK, PROBLEMS, current, exits
from graphkb.errors import ConfigError

Documents = Annotated[list[str] | None, typer.Option("--document", help="key, record id, DOI, PMID or PMCID; may be "
                                                                      "repeated")]
Subjects = Annotated[list[str] | None, typer.Option("--subject", help="subject_id of a patient; may be repeated")]
Runs = Annotated[list[str] | None, typer.Option("--run", help="key of a run: what it brought; may be repeated")]
Sources = Annotated[list[str] | None, typer.Option("--source", help="name of a source, or a vocabulary's abbreviation")]
Reason = Annotated[str, typer.Option("--reason", help="why; it stands in the receipt")]


def retract(document: Documents = None, subject: Subjects = None, run: Runs = None, source: Sources = None,
            reason: Reason = "",
            mark: Annotated[bool, typer.Option("--mark", help="keep the documents, shown as retracted and out of "
                                                              "answers")] = False,
            unmark: Annotated[bool, typer.Option("--unmark", help="take a mark back")] = False,
            date: Annotated[str, typer.Option("--date", help="with --mark: when it was retracted; today by "
                                                             "default")] = "",
            dry_run: Annotated[bool, typer.Option("--dry-run", help="count what would go; change nothing")] = False,
            resume: Annotated[bool, typer.Option("--resume", help="finish what was interrupted")] = False,
            receipts: Annotated[bool, typer.Option("--receipts", help="list the receipts")] = False,
            verify_receipts: Annotated[bool, typer.Option("--verify-receipts", help="prove the chain; exit code 4 "
                                                                                    "where it is broken")] = False,
            json: Annotated[bool, typer.Option("--json", help="JSON on stdout")] = False) -> int:
    """Remove documents with all that only they supported, and write a receipt; or mark them as retracted."""
    if receipts or verify_receipts:
        return _receipts(json=json, verify=verify_receipts)
    if mark and unmark:
        raise ConfigError("GKB-103", where="--mark", detail="either --mark or --unmark")
    with current.open() as kb, show.progress(current.quiet) as progress:
        if resume:
            from graphkb.retraction import finish_all

            done = finish_all(kb, progress)
        else:
            done = [kb.retract(document=document or (), subject=subject or (), run=run or (), source=source or (),
                               reason=reason, action="mark" if mark else "unmark" if unmark else "remove", date=date,
                               dry_run=dry_run, progress=progress)]
    for one in done:
        if json:
            show.print_json(one.to_dict())
        elif one.receipt is None:
            typer.echo(f"{one.documents} documents would be retracted")
        else:
            told = one.receipt
            show.table(["what", "count"], [[name, n] for part in told.removed.values() for name, n in part.items()],
                       title=f"{told.action}, {one.documents} documents: receipt {told.number:04}")
            if told.residue:
                typer.echo(f"residue: {sum(told.residue.values())} in {len(told.residue)} checks")
    if resume and not done and not json:
        typer.echo("nothing was interrupted")
    return OK


def _receipts(*, json: bool, verify: bool) -> int:
    from ingestion import retraction

    settings = current.settings()
    told = retraction.receipts(settings.data_dir)
    wrong: list[str] = []
    if verify:
        with current.open() as kb:
            wrong = retraction.verify(kb.store, settings.data_dir)
    if json:
        if verify:
            show.print_json({"ok": not wrong, "receipts": len(told), "problems": wrong})
        else:
            for one in told:
                show.print_json(one)
    elif verify:
        typer.echo("\n".join(wrong) if wrong else f"{len(told)} receipts, the chain is whole")
    else:
        show.table(["receipt", "time", "who", "action", "documents", "reason"],
                   [[f"{one['number']:04}", one["time"][:19], one["who"], one["action"], len(one["documents"]),
                     one["reason"]] for one in told])
    return PROBLEMS if wrong else OK


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(exits(retract))
