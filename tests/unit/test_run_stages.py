"""The stage runner: counts, budgets, exit codes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests import run_stages
from tests.run_stages import STAGES, Counts, Stage, pytest_counts, run, run_stage


@pytest.fixture(autouse=True)
def reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(run_stages, "REPORTS", tmp_path)
    monkeypatch.setattr(run_stages, "BIN", Path(sys.executable).parent)
    return tmp_path


def python(code: str) -> tuple[str, ...]:
    return (Path(sys.executable).name, "-c", code)


def test_the_budgets_leave_a_busy_machine_room_and_no_more() -> None:
    """The stages take about half of their budgets on two idle cores."""
    assert sum(stage.minutes for stage in STAGES) <= 48
    assert [stage.name for stage in STAGES] == [
        "lint", "types", "imports", "unit", "contract", "e2e", "security", "faults", "bugs"]


def test_counts_come_from_the_report(tmp_path: Path) -> None:
    report = tmp_path / "r.xml"
    report.write_text('<testsuites><testsuite tests="10" failures="2" errors="1" skipped="3"/></testsuites>')
    assert pytest_counts(report) == Counts(passed=4, failed=3, skipped=3)
    assert str(pytest_counts(report)) == "4 passed, 3 failed, 3 skipped"


@pytest.mark.parametrize(("code", "counts"), [("pass", Counts(1, 0, 0)), ("raise SystemExit(3)", Counts(0, 1, 0))])
def test_a_stage_without_a_report_counts_as_one(code: str, counts: Counts, capfd: pytest.CaptureFixture[str]) -> None:
    assert run_stage(Stage("x", 1, python(code)), full=False) == counts
    assert ("FAILED, exit code 3" in capfd.readouterr().out) == (counts.failed == 1)


def test_over_its_budget_is_a_failure(capfd: pytest.CaptureFixture[str]) -> None:
    counts = run_stage(Stage("x", 0.002, python("import time; time.sleep(0.13)")), full=False)
    assert counts.failed == 1
    assert "over its budget" in capfd.readouterr().out


def test_a_command_is_ended_at_the_limit_with_its_children() -> None:
    code = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import time; time.sleep(60)'])"
    assert run([sys.executable, "-c", code], limit_s=0.5) is None
