"""Write the pages that say what the code says: commands.md, errors.md, queries.md, settings.md.

With ``--check``: only say which are out of date (exit code 1).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import typer.main

from graphkb import config, errors, queries
from graphkb.cli import app as frame

HERE = Path(__file__).resolve().parent
NOTE = "<!-- written by docs/generate.py (make docs); change the code, not this page -->\n"
GROUPS = {"1": "Configuration and installation", "2": "The store", "3": "Queries", "4": "Input",
          "5": "Encoders and indexes", "6": "Ingestion and the graph", "7": "Questions"}
FOLDERS = {"read": "Reading", "retrieve": "Retrieval", "write": "Writing", "maintain": "Keeping the graph"}


def cell(text: object) -> str:
    """Return text as it may stand in a table."""
    return " ".join(str(text).split()).replace("|", "\\|").replace("<", "&lt;")


def table(head: tuple[str, ...], rows: list[tuple[object, ...]]) -> str:
    """Return a Markdown table."""
    lines = [head, tuple("---" for _ in head), *rows]
    return "".join("| " + " | ".join(map(cell, line)) + " |\n" for line in lines) + "\n"


def error_page() -> str:
    """Return every error code, what it means and the next step."""
    text = f"# Errors\n\n{NOTE}\nAn error has a code, says where it happened and what to do, and never repeats record "
    text += "text, values or secrets.\n\n"
    for group, title in GROUPS.items():
        rows = [(f"`{code}`", info.title, info.hint) for code, info in errors.CODES.items() if code[4] == group]
        text += f"## {title}\n\n" + table(("code", "meaning", "what to do"), rows)
    return text


def settings_page() -> str:
    """Return every setting with its default."""
    text = f"# Settings\n\n{NOTE}\n`graphkb init` writes all of them, commented, into `graphkb.toml`. A variable of "
    text += "the environment overrides the file (`store.uri` is `GRAPHKB_STORE__URI`), a flag overrides both. "
    text += "`graphkb config show` says where each value came from.\n\n"
    rows: list[tuple[object, ...]] = [
        (f"`{row['name']}`", f"`{row['value']}`" if row["value"] not in ("", None) else "unset", row["what"])
        for row in config.show(config.Settings())]
    return text + table(("setting", "default", "meaning"), rows)


def query_page() -> str:
    """Return every named query."""
    library = queries.load("neo4j")
    text = f"# Named queries\n\n{NOTE}\nAll Cypher of the product lies in `cypher/`; how a file looks is in "
    text += "[cypher.md](cypher.md). From Python: `kb.run(name, **params)`.\n\n"
    families: dict[Path, list[Any]] = {}
    for query in library:
        families.setdefault(query.path, []).append(query)
    for folder, title in FOLDERS.items():
        rows: list[tuple[object, ...]] = []
        for path in sorted(families, key=lambda p: p.stem):
            first = families[path][0]
            if first.mode != "schema" and {"read": "read", "write": "write"}.get(folder, folder) in path.parts:
                name = path.stem if len(families[path]) == 1 else f"{path.stem}_…"
                rows.append((f"`{name}`", first.what, ", ".join(f"`{p}`" for p in first.params)))
        text += f"## {title}\n\n" + table(("query", "what", "parameters"), rows)
    return text


def commands(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Yield each command with its full name, groups before their members."""
    yield name, command
    for part, inner in getattr(command, "commands", {}).items():
        yield from commands(inner, f"{name} {part}")


def command_page() -> str:
    """Return every command with its arguments and options."""
    frame._register()
    text = f"# Commands\n\n{NOTE}\nThe options of `graphkb` itself may stand before or after a command. Exit codes: "
    text += "0 ok, 1 failed, 2 usage, 3 partial (some inputs rejected, listed), 4 `check` found problems.\n\n"
    for name, command in commands(typer.main.get_command(frame.app), "graphkb"):
        text += f"## {name}\n\n{(command.help or '').strip()}\n\n"
        rows: list[tuple[object, ...]] = []
        for param in command.params:
            shown = ", ".join(param.opts) if param.param_type_name == "option" else f"{param.name.upper()}"
            if shown != "--help":
                rows.append((f"`{shown}`", getattr(param, "help", "") or ""))
        if rows:
            text += table(("argument or option", "meaning"), rows)
    return text


PAGES: dict[str, Callable[[], str]] = {
    "commands.md": command_page, "errors.md": error_page, "queries.md": query_page, "settings.md": settings_page,
}


def main() -> int:
    """Write the pages, or with --check only say which are out of date."""
    old = []
    for name, make in PAGES.items():
        path, text = HERE / name, make().rstrip("\n") + "\n"
        if not path.is_file() or path.read_text("utf-8") != text:
            old.append(name)
            if "--check" not in sys.argv:
                path.write_text(text, "utf-8")
    sys.stdout.write(f"{'out of date' if '--check' in sys.argv else 'written'}: {', '.join(old) or 'none'}\n")
    return 1 if old and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
