"""The command line, run in this process."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from graphkb.cli import hoist
from graphkb.cli.app import run


@dataclass(frozen=True)
class Result:
    """How a command ended and what it said."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        return json.loads(self.out)

    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


class Cli:
    """Runs ``graphkb --data-dir DIR ARGUMENTS``; no command ever ends in a traceback."""

    def __init__(self, capsys: pytest.CaptureFixture[str], data_dir: Path) -> None:
        self._capsys = capsys
        self.data_dir = data_dir

    def __call__(self, *arguments: object) -> Result:
        self._capsys.readouterr()
        code = run(hoist([*map(str, arguments), "--data-dir", str(self.data_dir)]))
        said = self._capsys.readouterr()
        assert "Traceback" not in said.err
        return Result(code, said.out, said.err)
