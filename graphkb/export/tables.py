"""CSV as RFC 4180 has it: a file for each label and for each type; text in quotes, lists as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from graphkb.errors import IngestError
from graphkb.export.spool import ExportSpool, Group

_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def field(value: Any) -> str:
    """Return a value as a field: nothing for an absent one, so that an empty text (``""``) differs from it."""
    if value is None:
        return ""
    if isinstance(value, str):
        return '"' + value.replace('"', '""') + '"'
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return '"' + _json(value).replace('"', '""') + '"'
    return repr(value)


def name_of(group: Group) -> str:
    """Return the file name of a group, without its ending."""
    return f"nodes_{group.label}" if group.kind == "nodes" else f"edges_{group.label}_{group.ends[0]}_{group.ends[1]}"


def write(spool: ExportSpool, folder: Path) -> dict[str, Any]:
    """Write every group."""
    for group in (*spool.groups("nodes"), *spool.groups("edges")):
        columns = [name for name in group.columns() if (group.kind, name) != ("nodes", "key")]
        head = ["key"] if group.kind == "nodes" else ["from", "to"]
        with (folder / f"{name_of(group)}.csv").open("w", encoding="utf-8", newline="") as out:
            out.write(",".join([*head, *columns]) + "\r\n")
            for number, (ends, properties) in enumerate(group, 1):
                try:
                    out.write(",".join([*map(field, ends), *(field(properties.get(n)) for n in columns)]) + "\r\n")
                except UnicodeEncodeError:
                    raise IngestError("GKB-609", where=f"{group.label}, row {number}",
                                      detail="half a surrogate pair") from None
    return {}
