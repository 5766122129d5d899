"""I1, bulk: a UMLS META folder into Neo4j by CSV and `database import`, against a plain UNWIND/MERGE loop over Bolt.

    python benchmarks/i1_bulk.py [--data ../shared/data/mini_umls_open] [--part META] [--release 5] [--repeats 1]
    python benchmarks/i1_bulk.py --flat             # memory of our client: 1/4, 2/4, 3/4, 4/4 of the folder
    python benchmarks/i1_bulk.py --generated OUT    # 3 M atoms, 10 M rows of MRREL: rows a second and peak memory

Sides: ``bulk`` reads the RRF files, writes CSV and imports it; ``pandas`` does a simpler form of that work with pandas
before the same importer; ``loop`` is `i1_umls_load.plain_loop` into an empty Neo4j with constraints. Reading, writing
and importing count; starting a server does not. Gate: all graphs have the same numbers of concepts, codes, links,
relations and names (that the content is our Bolt load's is tested in tests/bugs/test_15_quotes_in_names_bulk.py).
On a busy machine the processor seconds (of client and server or importer) say more than the clock.
"""

from __future__ import annotations

import argparse
import gzip
import json
import multiprocessing
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psutil
from neo4j import GraphDatabase

from graphkb import config, ids
from graphkb.model.predicates import read_mrrel
from graphkb.store import open_store
from ingestion.bulk import write_umls

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.i1_umls_load import TOTALS, plain_loop, rows  # noqa: E402
from benchmarks.umls_release import write as write_release  # noqa: E402

NEO4J_LOCAL = [sys.executable, str(ROOT / "docker" / "neo4j-local" / "neo4j-local")]


def local(*arguments: object) -> str:
    """Run neo4j-local; return what it prints."""
    done = subprocess.run([*NEO4J_LOCAL, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    return done.stdout.strip()


def cpu() -> float:
    """Processor seconds of this process and of its ended children."""
    return sum(sum((use.ru_utime, use.ru_stime)) for use in map(
        resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))


def ours(folder: Path, out: Path, home: Path, release: str) -> dict[str, Any]:
    """Read, write, import."""
    began, used = time.perf_counter(), cpu()
    write_umls(folder, out, settings=config.Settings(), progress=lambda *_: None)
    half, half_used = time.perf_counter(), cpu()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    local("import", release, out, "--home", home, "--fresh")
    return {"seconds": time.perf_counter() - began, "cpu_s": cpu() - used, "csv_s": half - began,
            "csv_cpu_s": half_used - used, "peak_rss_mb": peak}


def with_pandas(folder: Path, out: Path, home: Path, release: str) -> dict[str, Any]:
    """Do what one writes by hand with pandas: group, join, to_csv; then the same importer."""
    import pandas as pd

    began, used = time.perf_counter(), cpu()
    (out / "csv").mkdir(parents=True)
    place = out / "csv"
    # list(), not from_records of a generator: as rows are few, pandas takes them at once
    atoms = pd.DataFrame([(f[0], f[1], f[2], f[4], f[6], f[7], f[11], f[12], f[13], f[14], f[16])
                          for f in rows(folder, "MRCONSO")],
                         columns=["cui", "lat", "ts", "stt", "ispref", "aui", "sab", "tty", "code", "name", "suppress"])
    atoms["rank"] = (4 * (atoms.ts != "P") + 2 * (atoms.stt != "PF") + (atoms.ispref != "Y")).astype(str)
    types = pd.DataFrame([(f[0], f[1]) for f in rows(folder, "MRSTY")], columns=["cui", "tui"])
    texts = pd.DataFrame([(f[1], f[5]) for f in rows(folder, "MRDEF")], columns=["aui", "text"]).drop_duplicates("aui")
    atoms = atoms.merge(texts, on="aui", how="left")
    tuis = types.groupby("cui").tui.agg("\x1f".join)
    concepts = atoms.groupby("cui").agg(name=("name", "first"), search_text=("name", " | ".join),
                                        definition=("text", "first")).join(tuis).reset_index()
    codes = atoms.groupby(["sab", "code", "cui"]).agg(
        names=("name", "\x1f".join), ttys=("tty", "\x1f".join), languages=("lat", "\x1f".join),
        suppress=("suppress", "\x1f".join), ranks=("rank", "\x1f".join), definition=("text", "first")).reset_index()
    codes["key"] = codes["sab"] + ":" + codes["code"]
    pairs = [(r.type, r.subject, r.object, r.predicate, f[10]) for f in rows(folder, "MRREL")
             if (r := read_mrrel(f[3], f[7], f[0], f[4]))]
    edges = pd.DataFrame(pairs, columns=["type", "s", "o", "predicate", "sab"]).drop_duplicates()
    edges["key"] = [ids.relation(s, p, o, sab) for s, p, o, sab in
                    zip(edges.s, edges.predicate, edges.o, edges.sab, strict=True)]
    lines = ["--array-delimiter=U+001F"]

    def save(frame: Any, kind: str, label: str, header: str) -> None:
        name = f"{kind}_{label}"
        (place / f"{name}.header.csv").write_text(header + "\n")
        frame.to_csv(place / f"{name}.csv", index=False, header=False)
        lines.append(f"--{kind}={label}=csv/{name}.header.csv,csv/{name}.csv")

    concepts["scope"] = "public"
    save(concepts[["cui", "scope", "name", "search_text", "definition", "tui"]], "nodes", "Concept",
         "key:ID(Concept),scope:string,name:string,search_text:string,definition:string,semantic_types:string[]")
    once = codes.drop_duplicates("key")
    save(once[["key", "sab", "code", "names", "ttys", "languages", "suppress", "ranks", "definition"]], "nodes", "Code",
         "key:ID(Code),vocabulary:string,code:string,names:string[],ttys:string[],languages:string[],suppress:string[],"
         "ranks:long[],definition:string")
    save(atoms[["sab"]].drop_duplicates(), "nodes", "Source", "key:ID(Source)")
    save(codes[["key", "cui"]], "relationships", "CODE_OF", ":START_ID(Code),:END_ID(Concept)")
    save(once[["key", "sab"]], "relationships", "FROM", ":START_ID(Code),:END_ID(Source)")
    for type_, part in edges.groupby("type"):
        save(part[["s", "o", "key", "predicate", "sab"]], "relationships", str(type_),
             ":START_ID(Concept),:END_ID(Concept),key:string,predicate:string,sab:string")
    (out / "import.args").write_text("\n".join(lines) + "\n")
    half, half_used = time.perf_counter(), cpu()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    local("import", release, out, "--home", home, "--fresh")
    return {"seconds": time.perf_counter() - began, "cpu_s": cpu() - used, "csv_s": half - began,
            "csv_cpu_s": half_used - used, "peak_rss_mb": peak}


def loop(folder: Path, uri: str, port: int) -> dict[str, Any]:
    """Load by hand over Bolt into a migrated, empty database."""
    store = open_store(config.load(environ={}, store__uri=uri))
    store.migrate()
    store.close()
    record = next(p for p in psutil.process_iter(["cmdline"]) if f"{port}" in " ".join(p.info["cmdline"] or ())
                  and "Main.java" in " ".join(p.info["cmdline"] or ()))
    with GraphDatabase.driver(uri) as driver:
        before, began, used = sum(record.cpu_times()[:2]), time.perf_counter(), cpu()
        plain_loop(folder, driver, "neo4j")
        return {"seconds": time.perf_counter() - began, "cpu_s": cpu() - used + sum(record.cpu_times()[:2]) - before}


def totals(uri: str) -> dict[str, int]:
    """Count what every side must have."""
    with GraphDatabase.driver(uri) as driver, driver.session() as session:
        return {name: session.run(text).single()["n"] for name, text in TOTALS.items()}


def measure(side: str, folder: str, release: str, port: int, queue: Any) -> None:
    """Load once, in a process of its own."""
    with tempfile.TemporaryDirectory(prefix=f"i1-{port}-") as place:
        home = Path(place) / f"home-{port}"
        out = Path(place) / "csv"
        result: dict[str, Any] = {"side": side}
        if side == "loop":
            uri = local("start", release, "--port", port, "--home", home)
            result |= loop(Path(folder), uri, port)
        else:
            result |= (ours if side == "bulk" else with_pandas)(Path(folder), out, home, release)
            uri = local("start", release, "--port", port, "--home", home)
        try:
            result["totals"] = totals(uri)
        finally:
            local("stop", "--port", port)
    queue.put(result)


def in_process(target: Any, *arguments: Any) -> Any:
    """Run in a new process, so that its peak memory is its own."""
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    process = context.Process(target=target, args=(*arguments, queue))
    process.start()
    result = queue.get(timeout=7200)
    process.join()
    print(json.dumps(result), flush=True)
    return result


def only_csv(folder: str, queue: Any) -> None:
    """Write the CSV; report rows a second and peak memory."""
    with tempfile.TemporaryDirectory() as place:
        began, used = time.perf_counter(), time.process_time()
        peaks: dict[str, int] = {}

        def note(what: str, _done: int, _total: int | None) -> None:
            peaks[what] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024

        report = write_umls(Path(folder), Path(place) / "csv", settings=config.Settings(), progress=note)
        used = time.process_time() - used
        read = sum(report.read.rows_in.values())
        queue.put({"rows": read, "seconds": round(time.perf_counter() - began, 1), "cpu_s": round(used, 1),
                   "rows_per_cpu_s": round(read / used), "peak_rss_mb": resource.getrusage(
                       resource.RUSAGE_SELF).ru_maxrss // 1024, "peak_by_stage_mb": peaks,
                   "bytes": report.counts["bytes"]})


def quarter(folder: Path, out: Path, part: int) -> Path:
    """Write the first quarters of MRCONSO, MRSTY, MRDEF and MRREL; MRSAB whole."""
    out.mkdir(parents=True)
    for path in folder.glob("MR*.RRF*"):
        text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        lines = text.splitlines(keepends=True)
        kept = lines if path.name.startswith("MRSAB") else lines[:len(lines) * part // 4]
        (out / path.name.removesuffix(".gz")).write_bytes(b"".join(kept))
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data" / "mini_umls_open")
    parser.add_argument("--part", choices=("META", "small_META"), default="META")
    parser.add_argument("--release", choices=("5", "2026"), default="5")
    parser.add_argument("--port", type=int, default=7971)
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--flat", action="store_true")
    parser.add_argument("--generated", type=Path)
    parser.add_argument("--build", type=Path, default=Path("build/bench"))
    options = parser.parse_args()
    folder = options.data / options.part
    report: dict[str, Any] = {"id": "I1-bulk", "part": options.part}
    if options.generated is not None:
        if not options.generated.exists():
            write_release(options.generated, atoms=3_000_000, relation_rows=10_000_000)
        report["generated"] = in_process(only_csv, str(options.generated))
    elif options.flat:
        with tempfile.TemporaryDirectory() as place:
            report["flat"] = [in_process(only_csv, str(quarter(folder, Path(place) / str(n), n))) for n in range(1, 5)]
    else:
        report |= sides(options, folder)
    options.build.mkdir(parents=True, exist_ok=True)
    (options.build / "i1_bulk.json").write_text(json.dumps(report, indent=1), encoding="utf-8")
    print(json.dumps(report))
    shutil.rmtree(options.build / "tmp", ignore_errors=True)


def sides(options: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Measure all sides in turn; take the fastest of each."""
    runs: dict[str, list[dict[str, Any]]] = {"bulk": [], "pandas": [], "loop": []}
    for _ in range(options.repeats):
        for side, found in runs.items():
            found.append(in_process(measure, side, str(folder), options.release, options.port))
    gate = len({json.dumps(run["totals"], sort_keys=True) for found in runs.values() for run in found}) == 1
    best = {side: min(found, key=lambda run: run["seconds"]) for side, found in runs.items()}
    return {"gate": gate, "runs": runs, **{
        f"{measure_}_ratio_to_{side}": round(best[side][measure_] / best["bulk"][measure_], 2)
        for side in ("loop", "pandas") for measure_ in ("seconds", "cpu_s")}}


if __name__ == "__main__":
    main()
