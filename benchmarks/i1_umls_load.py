"""I1: a UMLS META folder into the embedded store, against a plain batched UNWIND/MERGE loop with the same driver.

    python benchmarks/i1_umls_load.py [--data ../shared/data/mini_umls_open] [--part META] [--repeats 3] [--quick]

Each side loads into an empty store of its own, in a process of its own, the two in turn. The peer is what one writes by
hand: rows grouped in memory, batches of 1,000, MERGE of every node and edge by its key, one transaction a batch.
On a busy machine the processor seconds of both processes say more than the clock. ``parse`` is how many rows a second
of one core are read and checked (unpacking included), before they are gathered; ``rss_mb`` is the client's resident
memory when a quarter, half, three quarters and all of the load is done.
Gate: both graphs have the files' numbers of concepts, codes and relations, the same names, and ours changes nothing
when it is loaded again. ``--quick`` is one repeat of the small part.
"""

from __future__ import annotations

import argparse
import gzip
import json
import multiprocessing
import resource
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import psutil
from neo4j import GraphDatabase

from graphkb import config
from graphkb.model.predicates import read_mrrel
from graphkb.model.records import ReadReport
from graphkb.store import embedded, open_store

BATCH = 1000
CONCEPTS = ("UNWIND $rows AS r MERGE (c:Concept {key: r.key}) SET c.scope = 'public', c.cui = r.key, c.name = r.name,"
            " c.semantic_types = r.types, c.search_text = r.text, c.definition = r.definition")
CODES = ("UNWIND $rows AS r MATCH (c:Concept {key: r.concept}) MERGE (s:Source {key: r.sab})"
         " MERGE (k:Code {key: r.key}) SET k.scope = 'public', k.vocabulary = r.sab, k.code = r.code, k.curie = r.key,"
         " k.names = r.names, k.ttys = r.ttys, k.languages = r.languages, k.suppress = r.suppress, k.ranks = r.ranks,"
         " k.definition = r.definition, k.semantic_types = r.types"
         " MERGE (k)-[:CODE_OF]->(c) MERGE (k)-[:FROM]->(s)")
EDGES = ("UNWIND $rows AS r MATCH (a:Concept {{key: r.a}}) MATCH (b:Concept {{key: r.b}})"
         " MERGE (a)-[e:{type} {{key: r.key}}]->(b) SET e.predicate = r.p, e.sab = r.s, e.from_release = ''")
TOTALS = {"concepts": "MATCH (n:Concept) RETURN count(n) AS n", "codes": "MATCH (n:Code) RETURN count(n) AS n",
          "code_links": "MATCH (:Code)-[e:CODE_OF]->(:Concept) RETURN count(e) AS n",
          "relations": "MATCH (:Concept)-[e]->(:Concept) RETURN count(e) AS n",
          "names": "MATCH (k:Code) RETURN sum(size(k.names)) AS n"}


def rows(folder: Path, table: str) -> Iterator[list[str]]:
    packed = folder / f"{table}.RRF.gz"
    text = gzip.decompress(packed.read_bytes()) if packed.exists() else (folder / f"{table}.RRF").read_bytes()
    for line in text.decode("utf-8").split("\n")[:-1]:
        yield line.split("|")


def batches(items: Iterable[Any]) -> Iterator[list[Any]]:
    source = iter(items)
    while block := list(islice(source, BATCH)):
        yield block


def plain_loop(folder: Path, driver: Any, database: str) -> None:
    types: dict[str, list[str]] = defaultdict(list)
    for f in rows(folder, "MRSTY"):
        types[f[0]].append(f[1])
    texts = {f[1]: f[5] for f in rows(folder, "MRDEF")}
    concepts: dict[str, dict[str, Any]] = {}
    codes: dict[tuple[str, str, str], dict[str, Any]] = {}
    for f in rows(folder, "MRCONSO"):
        concept = concepts.setdefault(f[0], {"key": f[0], "name": f[14], "types": types[f[0]], "text": [],
                                             "definition": ""})
        concept["text"].append(f[14])
        concept["definition"] = concept["definition"] or texts.get(f[7], "")
        code = codes.setdefault((f[11], f[13], f[0]), {
            "key": f"{f[11]}:{f[13]}", "sab": f[11], "code": f[13], "concept": f[0], "names": [], "ttys": [],
            "languages": [], "suppress": [], "ranks": [], "definition": "", "types": types[f[0]]})
        rank = 4 * (f[2] != "P") + 2 * (f[4] != "PF") + (f[6] != "Y")
        for field, value in (("names", f[14]), ("ttys", f[12]), ("languages", f[1]), ("suppress", f[16]),
                             ("ranks", rank)):
            code[field].append(value)
        code["definition"] = code["definition"] or texts.get(f[7], "")
    for concept in concepts.values():
        concept["text"] = " | ".join(concept["text"])
    edges: dict[str, dict[str, dict[str, str]]] = defaultdict(dict)
    for f in rows(folder, "MRREL"):
        found = read_mrrel(f[3], f[7], f[0], f[4])
        assert found is not None
        key = f"{found.subject} {found.predicate} {found.object} {f[10]}"
        edges[found.type][key] = {"key": key, "a": found.subject, "b": found.object, "p": found.predicate, "s": f[10]}
    with driver.session(database=database) as session:
        for statement, items in ((CONCEPTS, concepts.values()), (CODES, codes.values()),
                                 *((EDGES.format(type=type_), items.values()) for type_, items in edges.items())):
            for block in batches(items):
                session.execute_write(lambda tx, s=statement, b=block: tx.run(s, rows=b).consume())


def parse_rate(folder: Path) -> dict[str, int]:
    """Return checked rows a second of processor time, by table and over all."""
    from ingestion.sources.umls import RrfReader

    reader = RrfReader(folder, ReadReport())
    found: dict[str, int] = {}
    all_rows, all_seconds = 0, 0.0
    for table, read in (("MRCONSO", reader.atoms), ("MRSTY", reader.semantic_types), ("MRDEF", reader.definitions),
                        ("MRREL", reader.relations)):
        began = time.process_time()
        number = sum(1 for _ in read())
        seconds = time.process_time() - began
        found[table] = round(number / seconds)
        all_rows, all_seconds = all_rows + number, all_seconds + seconds
    return found | {"all": round(all_rows / all_seconds)}


class Memory:
    """The client's resident memory at each quarter of what is written."""

    def __init__(self, total: int) -> None:
        self.total, self.before, self.at = total, 0, {}
        self.process = psutil.Process()

    def __call__(self, what: str, done: int, _: int | None) -> None:
        """Note the memory; called as the progress of a load."""
        if what in ("concepts", "relations"):
            written = done + (self.before if what == "relations" else 0)
            if what == "concepts":
                self.before = done
            self.at[min(4, 4 * written // self.total)] = self.process.memory_info().rss >> 20


def measure(side: str, folder: Path, place: str, queue: Any) -> None:
    """Load once into an empty store; put seconds, totals and peak memory."""
    from ingestion.vocabulary import load_vocabulary

    settings = config.load(environ={}, data_dir=Path(place))
    store = open_store(settings)
    store.migrate()
    access = embedded.start(settings)
    driver = GraphDatabase.driver(access.uri, auth=(access.user, access.password))
    server = psutil.Process(access.pid)
    before = sum(server.cpu_times()[:2])
    memory = Memory(sum(expected(folder)[name] for name in ("concepts", "relations")) if side == "ours" else 1)
    own, started = time.process_time(), time.perf_counter()
    if side == "ours":
        load_vocabulary(store, folder, settings=settings, report=ReadReport(), progress=memory)
    else:
        plain_loop(folder, driver, access.database)
    seconds = time.perf_counter() - started
    cpu = {"server_cpu_s": round(sum(server.cpu_times()[:2]) - before, 2),
           "client_cpu_s": round(time.process_time() - own, 2)}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    with driver.session(database=access.database) as session:
        totals = {name: session.run(text).single()["n"] for name, text in TOTALS.items()}
    again = None
    if side == "ours":
        started = time.perf_counter()
        again = {"changed": load_vocabulary(store, folder, settings=settings, report=ReadReport()).changed,
                 "seconds": round(time.perf_counter() - started, 2)}
    queue.put({"side": side, "seconds": round(seconds, 2), "peak_rss_mb": peak, "rss_mb": memory.at, **cpu,
               "totals": totals, "again": again})
    driver.close()
    store.close()
    embedded.stop(settings)


def run(side: str, folder: Path) -> dict[str, Any]:
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    with tempfile.TemporaryDirectory() as place:
        process = context.Process(target=measure, args=(side, folder, place, queue))
        process.start()
        result: dict[str, Any] = queue.get(timeout=3600)
        process.join()
    print(json.dumps(result), flush=True)
    return result


def expected(folder: Path) -> dict[str, int]:
    atoms = [(f[0], f[11], f[13], f[14], f[12], f[1], f[16], f[2], f[4], f[6]) for f in rows(folder, "MRCONSO")]
    edges = {(r.subject, r.predicate, r.object, f[10]) for f in rows(folder, "MRREL")
             if (r := read_mrrel(f[3], f[7], f[0], f[4]))}
    return {"concepts": len({a[0] for a in atoms}), "codes": len({a[1:3] for a in atoms}),
            "code_links": len({a[:3] for a in atoms}), "relations": len(edges), "names": len(set(atoms))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path,
                        default=Path(__file__).resolve().parents[2] / "shared" / "data" / "mini_umls_open")
    parser.add_argument("--part", choices=("META", "small_META"), default="META")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--build", type=Path, default=Path("build/bench"))
    options = parser.parse_args()
    folder = options.data / ("small_META" if options.quick else options.part)
    results: dict[str, list[dict[str, Any]]] = {"ours": [], "peer": []}
    for _ in range(1 if options.quick else options.repeats):
        for side in results:
            results[side].append(run(side, folder))
    want = expected(folder)
    gate = (all(r["totals"] == want for side in results.values() for r in side)
            and all(r["again"]["changed"] == 0 for r in results["ours"]))
    middle = {side: statistics.median(r["seconds"] for r in rows_) for side, rows_ in results.items()}
    report = {"id": "I1", "part": folder.name, "expected": want, "gate": gate, "median_s": middle,
              "min_s": {side: min(r["seconds"] for r in rows_) for side, rows_ in results.items()},
              "ratio": round(middle["peer"] / middle["ours"], 2) if gate else None,
              "peak_rss_mb": max(r["peak_rss_mb"] for r in results["ours"]),
              "parse": parse_rate(folder), "runs": results}
    options.build.mkdir(parents=True, exist_ok=True)
    (options.build / "i1_umls_load.json").write_text(json.dumps(report, indent=1), encoding="utf-8")
    print(json.dumps({name: value for name, value in report.items() if name != "runs"}))


if __name__ == "__main__":
    main()
