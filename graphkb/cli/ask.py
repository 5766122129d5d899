"""`ask` and `retrieve`."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from graphkb.cli import show
from graphkb.cli.app import OK, current, exits

Question = Annotated[str, typer.Argument(help='the question, or "-" for standard input')]
Options = Annotated[list[str] | None, typer.Option("--option", help="an answer to choose from; may be repeated")]
PatientId = Annotated[str | None, typer.Option("--patient", help="subject_id of the patient the question is about")]
Pieces = Annotated[int | None, typer.Option("--k", min=1, max=200, help="pieces of evidence")]
AsOf = Annotated[str, typer.Option("--as-of", help="what was published and stood at a date: YYYY, YYYY-MM or "
                                                 "YYYY-MM-DD")]
Json = Annotated[bool, typer.Option("--json", help="one JSON object on stdout")]
Method = Annotated[str, typer.Option("--method", help="auto or hybrid")]


def _text(question: str) -> str:
    return sys.stdin.read() if question == "-" else question


def ask(question: Question, option: Options = None, patient: PatientId = None, k: Pieces = None,
        method: Method = "auto", as_of: AsOf = "", json: Json = False) -> int:
    """Answer a question; every sentence carries its checked evidence, or the answer says what is missing."""
    with current.open() as kb:
        found = kb.ask(_text(question), options=option or (), patient=patient, k=k, method=method, as_of=as_of)
    if json:
        show.print_json(found.to_dict())
    else:
        show.answer(found)
    return OK


def retrieve(question: Question, option: Options = None, patient: PatientId = None, k: Pieces = None,
             as_of: AsOf = "", json: Json = False) -> int:
    """Return evidence for a question, best first, without an answer."""
    with current.open() as kb:
        pieces = kb.retrieve(_text(question), options=option or (), patient=patient, k=k, as_of=as_of)
    if json:
        for number, piece in enumerate(pieces, 1):
            show.print_json({"n": number, **piece.to_dict()})
    else:
        show.evidence(pieces)
    return OK


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(exits(ask))
    app.command()(exits(retrieve))
