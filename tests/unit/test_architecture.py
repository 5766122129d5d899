"""The walls of the house: import directions, one place for Cypher, one place that talks to the driver, small files."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("graphkb", "ingestion", "retrieval")
SOURCES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
QUERIES = sorted((ROOT / "cypher").rglob("*.cypher"))

# A reading or writing clause and what follows it in Cypher: prose does not look like this.
_CYPHER = re.compile(
    r"\b(?:MATCH|MERGE|CREATE|OPTIONAL MATCH)\s*\(|\bMATCH\s+\w+\s*=\s*\(|\bDETACH\s+DELETE\b|\bDELETE\s+\w+\s*$"
    r"|\bUNWIND\s+\S+\s+AS\s+\w|\bSET\s+\w+\s*(?:\.\s*\w+\s*)?\+?=|\bREMOVE\s+\w+[.:]\w|\bFOREACH\s*\(|\bLOAD\s+CSV\b"
    r"|\bCALL\s+(?:\{|\(|\w+(?:\.\w+)+\s*\()|\bRETURN\s+(?:count\s*\(|\w+\.\w+|\w+\s+AS\b)"
    r"|\b(?:CREATE|DROP)\s+(?:\w+\s+)?(?:INDEX|CONSTRAINT|DATABASE|USER)\b(?!\s+\w+\s+ON\s+\w+\s*\()|-\[\s*:?\w*[^\]]*\]-|\)\s*-->|<--\s*\("
)
_LOADER = "graphkb/queries/"
_HELLO = "RETURN 1 AS one"  # asked by the store before it knows the dialect, and so the query files


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _docstrings(tree: ast.AST) -> set[int]:
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                found.add(id(first.value))
    return found


def _strings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield line and text of every string, f-strings joined with a gap for each value."""
    skip = _docstrings(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            skip.update(id(part) for part in node.values)
            text = "".join(str(p.value) if isinstance(p, ast.Constant) else "X" for p in node.values)
            yield node.lineno, text
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skip:
            yield node.lineno, node.value


def cypher_in(source: str) -> list[int]:
    """Return the lines whose strings look like Cypher."""
    return [line for line, text in _strings(ast.parse(source)) if _CYPHER.search(text) and text != _HELLO]


@pytest.mark.parametrize("source", [
    'q = "MATCH (n) RETURN n"', 'q = f"MATCH (n:{label}) RETURN n"', 'q = "UNWIND $rows AS r CREATE (n)"',
    'q = "CREATE INDEX x FOR (n:X) ON (n.p)"', 'q = f"CREATE {kind} INDEX x"', 'q = "CALL db.labels()"',
    'q = "a" + " SET n.p = 1"', 'q = "OPTIONAL MATCH (a)-[r]->(b)"',
    'q = "RETURN count(n)"', 'q = "MATCH (n) DETACH DELETE n"',
    'q = "(a)-[:R]->(b)"', 'q = "MERGE (n:X {k: $k})"', 'def f():\n    "doc"\n    return "CALL { RETURN 1 }"',
])
def test_the_check_sees_cypher(source: str) -> None:
    assert cypher_in(source)


@pytest.mark.parametrize("source", [
    '"""MATCH (n) RETURN n is only talked about."""', 'x = "nothing to return"', 'x = "create one with graphkb init"',
    'x = "CREATE INDEX atoms_cui ON atoms (cui)"', 'x = f"{n} rows match (see the report)"',
    'x = "set store.user and store.password"', 'x = "[a]-[b]"',
])
def test_the_check_lets_prose_pass(source: str) -> None:
    assert not cypher_in(source)


def test_nothing_but_the_query_loader_holds_cypher() -> None:
    found = [f"{_name(path)}:{line}" for path in SOURCES if not _name(path).startswith(_LOADER)
             for line in cypher_in(path.read_text("utf-8"))]
    assert found == []


def _driver_calls(tree: ast.AST) -> Iterator[int]:
    """Yield the lines that run text on a driver, session or transaction, or import the driver."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            modules = [a.name for a in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            if any(m.split(".")[0] == "neo4j" for m in modules):
                yield node.lineno
        elif isinstance(node, ast.Attribute) and node.attr in ("execute_query", "execute_read", "execute_write"):
            yield node.lineno


def test_only_the_store_talks_to_the_driver() -> None:
    found = [f"{_name(path)}:{line}" for path in SOURCES if not _name(path).startswith("graphkb/store/")
             for line in _driver_calls(ast.parse(path.read_text("utf-8")))]
    assert found == []


def test_files_stay_small() -> None:
    lengths = {_name(path): len(path.read_text("utf-8").splitlines()) for path in SOURCES}
    assert {name: n for name, n in lengths.items() if n > 600} == {}


def test_query_files_are_short_and_named_once() -> None:
    assert {_name(path): n for path in QUERIES if (n := len(path.read_text("utf-8").splitlines())) > 80} == {}
    names = [path.stem for path in QUERIES if not {"dialect", "migrations"} & set(path.parts)]
    assert sorted({name for name in names if names.count(name) > 1}) == []
    assert all(re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)+", name) for name in names), names


def test_no_file_names_a_place_of_one_machine() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    suspicious = re.compile(r"/(?:work|root)/(?:main|shared|\.)|/tmp/w/|/home/[a-z]+/")
    found = []
    for name in filter(None, listed.stdout.split("\0")):
        path = ROOT / name
        if path.suffix in (".py", ".md", ".sh", ".toml", ".cypher", ".yaml", "") and path.is_file():
            text = path.read_text("utf-8", errors="replace")
            found += [name] if suspicious.search(text) and path != Path(__file__).resolve() else []
    assert found == []


def test_import_directions_hold() -> None:
    program = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([str(program), "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False,
                          env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert done.returncode == 0, done.stdout[-3000:]


def test_the_lock_files_hold_what_pyproject_asks_for() -> None:
    import tomllib

    from packaging.requirements import Requirement

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = {"requirements.lock": project["dependencies"] + extras["embedded"],
              "requirements-dev.lock": project["dependencies"] + extras["embedded"] + extras["dev"],
              "requirements-bench.lock": project["dependencies"] + extras["dev"] + extras["bench"]}
    for lock, requirements in wanted.items():
        text = (ROOT / lock).read_text("utf-8")
        assert "http" not in re.sub(r"^(?:httpx?|httpcore)\S*==.*$", "", text, flags=re.M), f"{lock} names an index"
        pinned: dict[str, list[str]] = {}
        for name, version in re.findall(r"^([a-zA-Z0-9._-]+)==([^\s;\\]+)", text, re.M):
            pinned.setdefault(re.sub(r"[-_.]+", "-", name).lower(), []).append(version)
        for requirement in map(Requirement, requirements):
            versions = pinned.get(re.sub(r"[-_.]+", "-", requirement.name).lower(), [])
            assert versions, f"{lock} lacks {requirement.name}: run make lock"
            assert all(requirement.specifier.contains(v) for v in versions), f"{lock}: {requirement}: run make lock"
