"""`demo`: the bundled sample, from files to cited answers."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphkb import ids
from graphkb.cli import show
from graphkb.cli.app import FAILED, OK, current, exits
from graphkb.errors import InputError

if TYPE_CHECKING:
    from graphkb.kb import KnowledgeBase
    from graphkb.model import Answer

SAMPLE = Path(__file__).resolve().parents[2] / "examples" / "sample"


def demo(
    out: Annotated[Path, typer.Option("--out", help="folder of the report and the data")] = Path("build/demo"),
    sample: Annotated[Path, typer.Option("--sample", help="folder of the sample")] = SAMPLE,
    install_seconds: Annotated[float, typer.Option("--install-seconds", hidden=True)] = 0.0,
    keep: Annotated[bool, typer.Option("--keep", help="keep what an earlier demo left")] = False,
    json: Annotated[bool, typer.Option("--json", help="print the report on stdout")] = False,
) -> int:
    """Ingest the bundled sample (records, articles, textbook, vocabulary) and answer questions with evidence."""
    if not (sample / "questions.json").is_file():
        raise InputError("GKB-401", where=str(sample), detail="the sample comes with the source tree")
    began = time.monotonic()
    current.data_dir = out / "kb"
    if not keep:
        _wipe(out)
    with current.open() as kb, show.progress(current.quiet) as progress:
        ingested = _ingest(kb, sample, progress)
        typer.echo("", err=True)
        answers = [_ask(kb, question, json) for question in
                   _read_json(sample / "questions.json")]
        counts = kb.status()["nodes"]
    report = {
        "elapsed_s": round(time.monotonic() - began + install_seconds, 1), "install_s": round(install_seconds, 1),
        "documents": counts["Document"], "chunks": counts["Chunk"], "mentions": counts["Mention"],
        "concepts": counts["Concept"], "statements": counts["Statement"], "ingested": ingested, "questions": answers,
    }
    out.mkdir(parents=True, exist_ok=True)
    (out / "report.json").write_text(json_text(report), encoding="utf-8")
    if json:
        show.print_json(report)
    else:
        show.table(["documents", "chunks", "mentions", "concepts", "statements", "seconds"],
                   [[report["documents"], report["chunks"], report["mentions"], report["concepts"],
                     report["statements"], report["elapsed_s"]]], title="demo")
        typer.echo(f"report: {out / 'report.json'}; look around: graphkb --data-dir {out / 'kb'} ask '...'")
    wrong = [a["question"] for a in answers if a["abstained"] != a["expected_abstention"]]
    for question in wrong:
        typer.echo(f"unexpected: {question}", err=True)
    return FAILED if wrong else OK


def json_text(value: Any) -> str:
    """Return indented JSON with a last line end."""
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def _read_json(path: Path) -> list[dict[str, Any]]:
    content: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return content


def _wipe(out: Path) -> None:
    from graphkb.store import embedded

    settings = current.settings()
    if settings.store.uri == "embedded":
        embedded.stop(settings)
    shutil.rmtree(out / "kb", ignore_errors=True)


def _ingest(kb: KnowledgeBase, sample: Path, progress: show.Progress) -> list[dict[str, Any]]:
    from ingestion.sources import JatsSource, MimicSource, TextSource

    scope = kb.settings.scope
    reports = [
        kb.ingest_vocabulary(sample / "umls" / "META", progress=progress),
        kb.ingest(TextSource([sample / "textbook"]), command="ingest text", progress=progress),
        kb.ingest(JatsSource([sample / "articles"]), command="ingest jats", progress=progress),
        kb.ingest(MimicSource(sample / "mimic"), scope=scope, command="ingest mimic", progress=progress),
        kb.ingest(TextSource([sample / "notes"], tier="user"), scope=scope, command="ingest text --tier user",
                  progress=progress),
    ]
    done = []
    for report in reports:
        documents = report.documents
        taken = f"{report.counts['concepts']} concepts" if "concepts" in report.counts else (
            f"{sum(documents.values())} documents")
        typer.echo(f"{report.command:<24} {report.state:<8} {taken:>14} {report.seconds:6.1f} s", err=True)
        done.append({"command": report.command, "scope": ids.PUBLIC if report.scope == ids.PUBLIC else report.scope,
                     "state": report.state, "documents": dict(documents), "seconds": round(report.seconds, 1)})
    return done


def _ask(kb: KnowledgeBase, item: dict[str, Any], json: bool) -> dict[str, Any]:
    found: Answer = kb.ask(item["question"], options=item.get("options", ()), patient=item.get("patient"))
    if not json:
        patient = f"  (patient {item['patient']})" if item.get("patient") else ""
        typer.secho(f"Q: {item['question']}{patient}", bold=True)
        for letter, option in zip("ABCDEFGH", item.get("options", ()), strict=False):
            typer.echo(f"   {letter}. {option}")
        show.answer(found)
        typer.echo("")
    return {"question": item["question"], "answer": found.answer, "abstained": found.abstained,
            "evidence": len(found.evidence), "choice": found.choice, "sentences": len(found.sentences),
            "expected_abstention": bool(item.get("abstain"))}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(exits(demo))
