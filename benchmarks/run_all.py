"""Run the benchmarks one after the other; outputs and a summary go to build/bench.

Usage: ``python benchmarks/run_all.py [--quick] [--data ../shared/data] [NAME ...]``
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "build" / "bench"


@dataclass(frozen=True)
class Benchmark:
    """A script, where below the data folder its inputs are, and its options; no quick options: only in the full run."""

    name: str
    inputs: str
    full: tuple[str, ...] = ()
    quick: tuple[str, ...] | None = None


BENCHMARKS = (
    Benchmark("i1_umls_load", "mini_umls_open", quick=("--quick",)),
    Benchmark("bc5cdr_linking", ".", full=("--peers",)),
    Benchmark("bc5cdr_relations", ".", full=("--part", "dev"), quick=("--part", "dev")),
    Benchmark("synth_notes_linking", "."),
    Benchmark("bioasq_retrieval", "bioasq_7_8"),
)


def run(benchmark: Benchmark, data: Path, *, quick: bool) -> dict[str, object]:
    """Run one benchmark; show and keep what it prints."""
    options = benchmark.quick if quick else benchmark.full
    command = [sys.executable, str(ROOT / "benchmarks" / f"{benchmark.name}.py"), "--data",
               str((data / benchmark.inputs).resolve()), *(options or ())]
    # older OpenBLAS builds are slowed by these; a benchmark measures the machine as it is
    environment = {k: v for k, v in os.environ.items() if k not in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")}
    print(f"\n=== {benchmark.name}", flush=True)
    begin = time.monotonic()
    done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    seconds = round(time.monotonic() - begin, 1)
    print(done.stdout, end="", flush=True)
    (OUT / f"{benchmark.name}.txt").write_text(done.stdout, "utf-8")
    print(f"--- {benchmark.name}: exit code {done.returncode} in {seconds} s", flush=True)
    return {"name": benchmark.name, "exit_code": done.returncode, "seconds": seconds, "quick": quick}


def main() -> int:
    """Run those that are asked for, all by default."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--data", type=Path,
                        default=Path(os.environ.get("GRAPHKB_SHARED_DATA", ROOT.parent / "shared" / "data")))
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(b.name for b in BENCHMARKS))
    args = parser.parse_args()
    if unknown := set(args.names) - {b.name for b in BENCHMARKS}:
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    if not args.data.is_dir():
        print(f"the public inputs are not in {args.data}: put them there or name their folder in GRAPHKB_SHARED_DATA")
        return 1
    OUT.mkdir(parents=True, exist_ok=True)
    chosen = [b for b in BENCHMARKS
              if (b.name in args.names or not args.names) and (b.quick is not None or not args.quick)]
    rows = [run(b, args.data, quick=args.quick) for b in chosen]
    (OUT / "report.json").write_text(json.dumps(rows, indent=1) + "\n", "utf-8")
    return 1 if any(row["exit_code"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
