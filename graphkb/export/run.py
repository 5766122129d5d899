"""One export: select, gather, write in a format, and say what was left out."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from graphkb.errors import IngestError
from graphkb.export import graphml, importer, kgx, parquet, tables
from graphkb.export.select import Selection, Selector
from graphkb.export.spool import ExportSpool
from graphkb.model.predicates import RELATION_TYPES
from graphkb.store.disk import on_disk
from graphkb.store.protocol import Store

Progress = Callable[[str, int, int | None], None]
Writer = Callable[[ExportSpool, Path], dict[str, Any]]
FORMATS: dict[str, Writer] = {
    "kgx": kgx.write, "parquet": parquet.write, "graphml": graphml.write, "csv": tables.write,
    "neo4j-import": importer.write,
}
_TICK = 1_000


def export(store: Store, format_: str, out: Path, selection: Selection, progress: Progress) -> dict[str, Any]:
    """Write what a selection lets out into a new folder.

    Returns
    -------
    dict
        ``nodes`` and ``edges`` by label and type as written, ``left_out`` (what, why, how many), ``notes`` of the
        format.

    Raises
    ------
    IngestError
        GKB-611: a source is asked for that may not leave. GKB-610: the folder is not empty. GKB-609: a value that the
        format cannot hold. Nothing is left behind.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise IngestError("GKB-610", where=str(out))
    part = out.with_name(out.name + ".part")
    selector = Selector(store, selection)
    try:
        with on_disk(str(part)):
            shutil.rmtree(part, ignore_errors=True)
            spool = ExportSpool(part / ".rows")
            try:
                # KGX holds concepts and their relations; all nodes are looked at, because they decide what leaves
                _gather(selector, spool, progress, RELATION_TYPES if format_ == "kgx" else None)
                result = _counts(spool, selector) | {"notes": FORMATS[format_](spool, part)}
            finally:
                spool.close()
            shutil.rmtree(part / ".rows")
            (part / "export.json").write_text(json.dumps(result | {"format": format_}, indent=1) + "\n", "utf-8")
            if out.exists():
                out.rmdir()
            part.rename(out)
    finally:
        selector.close()
        shutil.rmtree(part, ignore_errors=True)
    return result


def _gather(selector: Selector, spool: ExportSpool, progress: Progress, types: tuple[str, ...] | None) -> None:
    for done, node in enumerate(selector.nodes(), 1):
        if types is None or node.label == "Concept":
            spool.node(node.label, node.properties)
        if not done % _TICK:
            progress("nodes", done, None)
    edges = selector.edges() if types is None else selector.edges(types)
    for done, edge in enumerate(edges, 1):
        spool.edge(edge.type, (edge.a_label, edge.b_label), (edge.a, edge.b), edge.properties)
        if not done % _TICK:
            progress("edges", done, None)


def _counts(spool: ExportSpool, selector: Selector) -> dict[str, Any]:
    found: dict[str, dict[str, int]] = {"nodes": {}, "edges": {}}
    for kind, counts in found.items():
        for group in spool.groups(kind):
            counts[group.label] = counts.get(group.label, 0) + group.rows
    left_out = [{"what": what, "why": why, "count": n} for (what, why), n in sorted(selector.left_out.items())]
    return {**found, "left_out": left_out}
