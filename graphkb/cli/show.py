"""What people see: progress with rate and time left, tables, answers. Machines get JSON Lines on stdout.

Texts come from documents that anybody may have written: control characters (terminal sequences among them), lone
surrogates and marks that turn the direction of writing are shown by their code, never sent to the terminal.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graphkb.model import Answer, Evidence

Progress = Callable[[str, int, int | None], None]
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def safe(text: str) -> str:
    """Return a text that a terminal shows and does not obey; line ends and tabs stay."""
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def print_json(value: Any) -> None:
    """Print one JSON line; what a terminal might obey stands as an escape of JSON, so the value is the same."""
    sys.stdout.write(safe(json.dumps(value, ensure_ascii=False, default=str)) + "\n")


@contextmanager
def progress(quiet: bool) -> Iterator[Progress]:
    """Yield a callback ``(what, done, total)``: bars with rate and time left on a terminal, nothing elsewhere."""
    if quiet or not sys.stderr.isatty():
        yield lambda _what, _done, _total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.description:<14}"), BarColumn(), MofNCompleteColumn(),
               TextColumn("{task.fields[rate]}"), TimeElapsedColumn(), TimeRemainingColumn())
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        tasks: dict[str, Any] = {}

        def report(what: str, done: int, total: int | None) -> None:
            if what not in tasks:
                tasks[what] = bars.add_task(what, total=total, rate="")
            task = next(t for t in bars.tasks if t.id == tasks[what])
            rate = f"{done / task.elapsed:,.0f}/s" if task.elapsed else ""
            bars.update(tasks[what], completed=done, total=total, rate=rate)

        yield report


def table(columns: list[str], rows: list[list[Any]], title: str = "") -> None:
    """Print a table to stdout."""
    from rich.console import Console
    from rich.table import Table

    out = Table(title=safe(title) or None, title_justify="left", header_style="bold")
    for column in columns:
        out.add_column(safe(column), overflow="fold")
    for row in rows:
        out.add_row(*("" if cell is None else f"{cell:,}" if isinstance(cell, int) and not isinstance(cell, bool)
                      else safe(str(cell)) for cell in row))
    Console(highlight=False, markup=False).print(out)


def answer(value: Answer) -> None:
    """Print an answer as a person reads it: sentences with numbers, then the evidence they point to."""
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    console = Console(highlight=False, markup=False, soft_wrap=False)
    if value.abstained:
        console.print(Text("No answer. ", style="bold yellow") + Text(safe(value.answer)))
    else:
        if value.choice is not None:
            console.print(Text(safe(f"Choice: {value.choice}"), style="bold green"))
        for sentence in value.sentences:
            marks = "".join(f"[{n}]" for n in sentence.evidence)
            console.print(Text(safe(sentence.text) + " ") + Text(marks, style="cyan"))
        for part in value.trace.get("unanswered", ()):
            console.print(Text("Not answered: ", style="yellow") + Text(safe(part)))
        console.print(Text(f"confidence {value.confidence:.2f}, method {value.method}", style="dim"))
    for conflict in value.conflicts:
        console.print(Text(safe(f"Conflict: {conflict['what']}"), style="yellow"))
    for number, piece in enumerate(value.evidence, 1):
        console.print(Padding(_evidence(number, piece), (0, 0, 0, 2)))
    for term, meaning in value.glossary.items():
        console.print(Padding(Text(safe(f"{term}: "), style="italic") + Text(safe(meaning), style="dim"), (0, 0, 0, 2)))


def evidence(pieces: list[Evidence]) -> None:
    """Print evidence, best first."""
    from rich.console import Console

    console = Console(highlight=False, markup=False)
    for number, piece in enumerate(pieces, 1):
        console.print(_evidence(number, piece, full=True))


def _evidence(number: int, piece: Evidence, *, full: bool = False) -> Any:
    from rich.text import Text

    if piece.kind == "fact" and not full:
        return Text(f"[{number}] ", style="cyan") + Text(f"{piece.tier}: ", style="dim") + Text(safe(piece.text))
    place = " > ".join(part for part in (piece.title, piece.section) if part) or piece.document
    where = f", characters {piece.location['start']}-{piece.location['end']}" if "start" in piece.location else ""
    head = Text(f"[{number}] ", style="cyan") + Text(safe(f"{piece.tier}, {place}{where}"), style="dim")
    for what, word in (("retracted_at", "retracted"), ("effective_to", "superseded")):
        if piece.valid.get(what):
            head += Text(safe(f" [{word} {piece.valid[what]}]"), style="yellow")
    body = safe(" ".join(piece.text.split()))
    if not full and len(body) > 240:
        body = body[:239] + "…"
    out = head + Text(f"\n    {body}")
    return out + Text(safe(f"\n    score {piece.score:.3f}: {piece.why}"), style="dim") if full else out
