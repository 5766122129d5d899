"""The documentation says what the code says: generated pages are current, what is named exists, links lead on."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from graphkb import config, errors

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*DOCS.rglob("*.md"), *ROOT.glob("*.md"), *(ROOT / "docker").rglob("*.md")])
SOURCES = sorted(p for folder in ("graphkb", "ingestion", "retrieval", "cypher", "docker")
                 for p in (ROOT / folder).rglob("*") if p.suffix in (".py", ".cypher", ".md", ".yaml"))


def code_of(page: Path) -> str:
    """Everything between backticks, fenced or not."""
    return "\n".join(re.findall(r"```.*?```|`[^`\n]+`", page.read_text("utf-8"), re.DOTALL))


def test_the_generated_pages_are_current() -> None:
    command = [sys.executable, str(DOCS / "generate.py"), "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"run make docs: {done.stdout}{done.stderr[-2000:]}"


def test_every_code_setting_and_query_has_its_line() -> None:
    page = {name: (DOCS / f"{name}.md").read_text("utf-8") for name in ("errors", "settings", "queries")}
    assert [code for code in errors.CODES if f"`{code}`" not in page["errors"]] == []
    assert [r["name"] for r in config.show(config.Settings()) if f"`{r['name']}`" not in page["settings"]] == []
    files = {p.stem for p in (ROOT / "cypher").rglob("*.cypher") if not {"migrations", "dialect"} & set(p.parts)}
    assert sorted(name for name in files if not re.search(rf"`{name}(?:_…)?`", page["queries"])) == []


def test_every_command_is_explained_somewhere_besides_its_reference() -> None:
    commands = re.findall(r"^## graphkb ([a-z ]+)$", (DOCS / "commands.md").read_text("utf-8"), re.M)
    assert len(commands) >= 10
    pages = [p for p in PAGES if p.name not in ("commands.md", "CHANGELOG.md") and "adr" not in p.parts]
    told = "\n".join(map(code_of, pages))
    assert [c for c in commands if not re.search(rf"graphkb {c}\b", told)] == []


def test_codes_named_anywhere_exist() -> None:
    found = {code for path in [*PAGES, *SOURCES] for code in re.findall(r"\bGKB-\d{3}\b", path.read_text("utf-8"))}
    assert sorted(found - set(errors.CODES)) == []


def test_pages_named_in_the_code_exist() -> None:
    named = {name for path in SOURCES for name in re.findall(r"\bdocs/[a-z_]+\.md", path.read_text("utf-8"))}
    assert sorted(name for name in named if not (ROOT / name).is_file()) == []


def test_settings_named_in_the_pages_exist() -> None:
    known = {str(row["name"]) for row in config.show(config.Settings())}
    sections = "|".join(sorted({name.split(".")[0] for name in known if "." in name}))
    named = {name for page in PAGES for name in re.findall(rf"`((?:{sections})\.[a-z_]+)`", page.read_text("utf-8"))}
    variables = {name for page in PAGES for name in re.findall(r"GRAPHKB_([A-Z_]+__[A-Z_]+)", page.read_text("utf-8"))}
    assert sorted(named - known) == []
    assert sorted(v for v in variables if v.lower().replace("__", ".") not in known) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    broken = [target for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)", text)
              if "://" not in target and not target.startswith("mailto:") and not (page.parent / target).exists()]
    assert broken == []
