"""D1: what a change costs against building everything again, on the sample times N.

    python benchmarks/d1_updates.py [--sample examples/sample] [--copies 20] [--quick]

The corpus is the bundled sample with its texts, articles, notes and tables N times, each copy with identifiers and
words of its own. Measured, each with links, vectors and indexes brought up to date: the full build; one more document;
1 % more documents; one document taken away again; and the same run with nothing new.
Gate: after the additions are taken away the content fingerprint is that of the full build, and `check` is clean.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from graphkb import config
from graphkb.kb import KnowledgeBase
from graphkb.store import embedded
from graphkb.store.fingerprint import fingerprint
from ingestion.sources import JatsSource, MimicSource, TextSource

SAMPLE = Path(__file__).resolve().parents[1] / "examples" / "sample"
IDS = ("subject_id", "hadm_id", "note_id")


def perturbed(text: str, copy: int) -> str:
    """Return a text that is another document: its words in another order of paragraphs, and a sentence of its own."""
    return f"{text.rstrip()}\n\nThis is copy {copy} of the text, number {copy * 7919}.\n"


def shifted(value: str, copy: int) -> str:
    """Return an identifier of another patient or encounter."""
    return re.sub(r"\d{8}", lambda match: f"{int(match[0]) + copy * 100_000:08d}", value)


def write_copies(sample: Path, out: Path, copies: range) -> None:
    """Write copies of the sample's records and literature; the tables of all copies are one folder."""
    for copy in copies:
        for path in (sample / "textbook").glob("*.md"):
            place = out / "textbook" / f"{copy}-{path.name}"
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(perturbed(path.read_text("utf-8"), copy), "utf-8")
        for path in (sample / "articles").glob("*.xml"):
            place = out / "articles" / f"{copy}-{path.name}"
            place.parent.mkdir(parents=True, exist_ok=True)
            text = re.sub(r"(10\.1371/journal\.\w+\.)(\d+)", rf"\g<1>9{copy:03d}\g<2>", path.read_text("utf-8"))
            place.write_text(re.sub(r"</abstract>", f"<p>Copy {copy}.</p></abstract>", text, count=1), "utf-8")
    for path in sorted((sample / "mimic").rglob("*.csv")):
        place = out / path.relative_to(sample)
        place.parent.mkdir(parents=True, exist_ok=True)
        with path.open(newline="", encoding="utf-8") as source, place.open("w", newline="", encoding="utf-8") as target:
            rows = list(csv.DictReader(source))
            writer = csv.DictWriter(target, list(rows[0]))
            writer.writeheader()
            for copy in copies if "subject_id" in rows[0] else copies[:1]:
                for row in rows:
                    row = {name: shifted(value, copy) if name in IDS else value for name, value in row.items()}
                    if "text" in row:
                        row["text"] = perturbed(row["text"], copy)
                    writer.writerow(row)


def timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def ingest(kb: KnowledgeBase, folder: Path) -> int:
    """Take what lies in a folder of copies; return how many documents there are."""
    scope = kb.settings.scope
    reports = [kb.ingest(source, scope=where) for source, where in (
        (TextSource([folder / "textbook"]), "public"), (JatsSource([folder / "articles"]), "public"),
        (MimicSource(folder / "mimic"), scope))]
    return sum(sum(report.documents.values()) for report in reports)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=None, help="not used: the sample is in the source tree")
    parser.add_argument("--sample", type=Path, default=SAMPLE)
    parser.add_argument("--copies", type=int, default=20)
    parser.add_argument("--quick", action="store_true")
    args = parser.parse_args()
    copies = 3 if args.quick else args.copies
    with tempfile.TemporaryDirectory() as place:
        out = Path(place)
        write_copies(args.sample, out / "all", range(1, copies + 1))
        settings = config.load(environ={}, data_dir=out / "kb")
        with KnowledgeBase(settings) as kb:
            result = measure(kb, args.sample, out, copies)
        embedded.stop(settings)
    print(json.dumps(result, indent=1))
    return 0 if result["gate"] else 1


def measure(kb: KnowledgeBase, sample: Path, out: Path, copies: int) -> dict[str, object]:
    vocabulary = timed(lambda: kb.ingest_vocabulary(sample / "umls" / "META"))
    counted: list[int] = []
    full = timed(lambda: counted.append(ingest(kb, out / "all")))
    documents = counted[0]
    before = fingerprint(kb.store)
    nothing = timed(lambda: ingest(kb, out / "all"))

    texts = sorted((sample / "textbook").glob("*.md"))
    few = max(1, round(documents * 0.01))
    new = out / "new"
    new.mkdir()
    for number in range(few + 1):
        text = texts[number % len(texts)].read_text("utf-8")
        (new / f"{number}.md").write_text(perturbed(text, 1000 + number), "utf-8")
    one = timed(lambda: kb.ingest(TextSource([new / "0.md"])))
    percent = timed(lambda: kb.ingest(TextSource([new / f"{n}.md" for n in range(1, few + 1)])))
    added = [row[0] for row in kb.query(
        "MATCH (d:Document) WHERE d.path STARTS WITH $new RETURN d.key AS key", {"new": str(new)}, limit=10_000).rows]
    away = timed(lambda: kb.retract(document=added[:1], reason="benchmark"))
    kb.retract(document=added[1:], reason="benchmark")
    same, clean = fingerprint(kb.store) == before, kb.check() == []
    return {"copies": copies, "documents": documents, "vocabulary_s": round(vocabulary, 2), "full_s": round(full, 2),
            "nothing_new_s": round(nothing, 2), "one_s": round(one, 3), "one_percent_documents": few,
            "one_percent_s": round(percent, 3), "retract_one_s": round(away, 3),
            "one_percent_share": round(percent / full, 4), "one_times_cheaper": round(full / one, 1),
            "retract_times_cheaper": round(full / away, 1), "fingerprint_back": same, "check_clean": clean,
            "gate": same and clean and len(added) == few + 1}


if __name__ == "__main__":
    raise SystemExit(main())
