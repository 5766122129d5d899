"""Run the checks and tests in stages, each with a budget of minutes; a stage over its budget has failed.

Usage: ``python tests/run_stages.py [--full] [STAGE ...]``
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
REPORTS = ROOT / "build" / "test"
BIN = Path(sys.executable).parent


@dataclass(frozen=True)
class Stage:
    """A name, its budget in minutes, and what it runs: a program, or pytest over a path."""

    name: str
    minutes: float
    command: tuple[str, ...] = ()
    full_minutes: float = 0


STAGES = (
    Stage("lint", 0.5, ("ruff", "check", ".")),
    Stage("types", 1.5, ("mypy",)),
    Stage("imports", 0.5, ("lint-imports",)),
    Stage("unit", 3.5, full_minutes=30),
    Stage("contract", 13, full_minutes=30),
    Stage("e2e", 8, full_minutes=60),
    Stage("security", 5, full_minutes=30),
    Stage("faults", 9, full_minutes=120),
    Stage("bugs", 5.5, full_minutes=30),
)


@dataclass
class Counts:
    """Passed, failed and skipped, as a closing line counts them."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __str__(self) -> str:
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"


def run(command: list[str], limit_s: float) -> int | None:
    """Run a command; return its exit code, or None where it was ended at the limit."""
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, start_new_session=True) as process:
        try:
            return process.wait(timeout=limit_s)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return None
        except KeyboardInterrupt:
            os.killpg(process.pid, signal.SIGINT)
            raise


def pytest_counts(report: Path) -> Counts:
    """Read the counts from a JUnit report."""
    suite = ET.parse(report).getroot().find("testsuite")
    if suite is None:
        return Counts()
    bad = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
    skipped = int(suite.get("skipped", 0))
    return Counts(int(suite.get("tests", 0)) - bad - skipped, bad, skipped)


def run_stage(stage: Stage, *, full: bool) -> Counts:
    """Run one stage, print its time, return its counts."""
    minutes = stage.full_minutes if full and stage.full_minutes else stage.minutes
    report = REPORTS / f"{stage.name}.xml"
    report.unlink(missing_ok=True)
    command = [str(BIN / stage.command[0]), *stage.command[1:]] if stage.command else [
        sys.executable, "-m", "pytest", f"tests/{stage.name}", "-q", "--durations=5", "--durations-min=5",
        f"--junitxml={report}", *([] if full else ["-m", "not full"])]
    print(f"\n=== {stage.name} (budget {minutes:g} min) ===", flush=True)
    begin = time.monotonic()
    code = run(command, limit_s=minutes * 60 * 1.25)
    took = (time.monotonic() - begin) / 60
    counts = pytest_counts(report) if report.exists() else Counts(passed=int(code == 0))
    problem = ""
    if code is None or took > minutes:
        problem = "over its budget"
    elif code != 0:
        problem = "no test found" if code == 5 and not stage.command else f"exit code {code}"
    if problem and not counts.failed:
        counts.failed = 1
    verdict = f"; FAILED, {problem}" if problem else ""
    print(f"--- {stage.name}: {counts} in {took:.2f} of {minutes:g} min{verdict}", flush=True)
    return counts


def main() -> int:
    """Run the stages that are asked for, all by default."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true", help="full counts, larger budgets")
    parser.add_argument("stages", nargs="*", metavar="STAGE", help=", ".join(s.name for s in STAGES))
    args = parser.parse_args()
    unknown = set(args.stages) - {s.name for s in STAGES}
    if unknown:
        parser.error(f"unknown stage: {', '.join(sorted(unknown))}")
    REPORTS.mkdir(parents=True, exist_ok=True)
    begin = time.monotonic()
    results = {s.name: run_stage(s, full=args.full) for s in STAGES if not args.stages or s.name in args.stages}
    print(f"\nall stages: {(time.monotonic() - begin) / 60:.1f} min")
    failed = [name for name, counts in results.items() if counts.failed]
    if failed:
        print(f"failed stages: {', '.join(failed)}")
    print(Counts(sum(c.passed for c in results.values()), sum(c.failed for c in results.values()),
                 sum(c.skipped for c in results.values())), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
