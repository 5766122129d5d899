"""The options and the script of an import."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ingestion.bulk.importer import Table

_LEAST_BUFFER = 4 << 20
_SCRIPT = """#!/bin/sh
# Imports this folder into an empty Neo4j database (5.26 or 2026), whose server must be stopped:
#   NEO4J_HOME=/path/to/neo4j sh import.sh [DATABASE]
# The first `graphkb` command on the database then makes constraints and indexes.
set -e
cd "$(dirname "$0")"
exec "${NEO4J_ADMIN:-${NEO4J_HOME:-/var/lib/neo4j}/bin/neo4j-admin}" database import full "${1:-neo4j}" @import.args
"""


def command(tables: Iterable[Table], delimiter: str) -> tuple[str, str]:
    """Return the options of ``database import full``, one a line, and the script that gives them to it.

    Paths are relative to the folder, which the script enters: the importer reads paths as regular expressions.
    """
    tables = list(tables)
    lines = ["--id-type=string", "--ignore-empty-strings=false", "--trim-strings=false",
             f"--array-delimiter=U+{ord(delimiter):04X}"]
    longest = max((table.longest for table in tables), default=0)
    # characters to bytes, and room for the whole row beside its longest value
    buffer = max(_LEAST_BUFFER, 4 * longest + (1 << 16))
    lines.append(f"--read-buffer-size={buffer}")
    slow = [f"csv/{name}" for table in tables for name, own in table.files() if own]
    if slow:
        lines += [f"--multiline-fields={','.join(slow)}", "--multiline-fields-format=v2"]
    for table in tables:
        for name, _ in table.files():
            lines.append(f"--{table.kind}={table.label}=csv/{table.name}.header.csv,csv/{name}")
    return "\n".join(lines) + "\n", _SCRIPT
