"""GraphML, written as it streams. XML cannot hold most control characters: they become U+FFFD, and are counted."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import IO, Any

from graphkb.export.spool import ExportSpool

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;", "\n": "&#10;",
                          "\t": "&#9;"})
_TYPES = {"string": "string", "long": "long", "double": "double", "boolean": "boolean"}


class _Text:
    """Text as XML takes it."""

    def __init__(self) -> None:
        self.replaced = 0

    def __call__(self, value: str) -> str:
        clean, n = _NO_XML.subn("\ufffd", value)
        self.replaced += n
        return clean.translate(_ESCAPES)


def _value(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, float):
        text = repr(value)
        return {"inf": "INF", "-inf": "-INF", "nan": "NaN"}.get(text, text)
    return str(value)


def write(spool: ExportSpool, folder: Path) -> dict[str, Any]:
    """Write ``graph.graphml``; a node's id is ``Label/key``, lists are JSON."""
    text = _Text()
    with (folder / "graph.graphml").open("w", encoding="utf-8", newline="\n") as out:
        out.write('<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n')
        keys = _declare(spool, out)
        out.write('<graph edgedefault="directed">\n')
        for group in spool.groups("nodes"):
            for ends, properties in group:
                out.write(f'<node id="{group.label}/{text(ends[0])}">')
                _data(out, keys["node"], {"label": group.label, **properties}, text)
                out.write("</node>\n")
        number = 0
        for group in spool.groups("edges"):
            for (a, b), properties in group:
                number += 1
                source, target = f"{group.ends[0]}/{text(a)}", f"{group.ends[1]}/{text(b)}"
                out.write(f'<edge id="e{number}" source="{source}" target="{target}">')
                _data(out, keys["edge"], {"type": group.label, **properties}, text)
                out.write("</edge>\n")
        out.write("</graph>\n</graphml>\n")
    return {"characters that XML cannot hold": text.replaced} if text.replaced else {}


def _declare(spool: ExportSpool, out: IO[str]) -> dict[str, dict[str, str]]:
    """Declare every property; one that differs in type between labels is text."""
    keys: dict[str, dict[str, str]] = {}
    for kind, short, own in (("nodes", "node", "label"), ("edges", "edge", "type")):
        types: dict[str, set[str]] = {own: {"string"}}
        for group in spool.groups(kind):
            for name, found in group.columns().items():
                types.setdefault(name, set()).add(_TYPES.get(found, "string"))
        keys[short] = {}
        for number, (name, kinds) in enumerate(sorted(types.items())):
            keys[short][name] = f"{short[0]}{number}"
            kind_name = next(iter(kinds)) if len(kinds) == 1 else "double" if kinds == {"long", "double"} else "string"
            out.write(f'<key id="{short[0]}{number}" for="{short}" attr.name="{name}" attr.type="{kind_name}"/>\n')
    return keys


def _data(out: IO[str], keys: dict[str, str], properties: dict[str, Any], text: _Text) -> None:
    for name, value in properties.items():
        out.write(f'<data key="{keys[name]}">{text(_value(value))}</data>')
