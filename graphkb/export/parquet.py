"""Apache Parquet: a file for each label and for each type, with typed columns; needs the extra ``parquet``."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

from graphkb.errors import ConfigError
from graphkb.export.spool import ExportSpool, Group
from graphkb.export.tables import name_of

_ROWS = 20_000


def write(spool: ExportSpool, folder: Path) -> dict[str, Any]:
    """Write every group.

    Raises
    ------
    ConfigError
        GKB-106: pyarrow is not installed.
    """
    try:
        import pyarrow as arrow
        import pyarrow.parquet as files
    except ImportError:
        raise ConfigError("GKB-106", where="export parquet",
                          hint="install it: pip install 'graphkb-med[parquet]'") from None
    atoms = {"string": arrow.string(), "long": arrow.int64(), "double": arrow.float64(), "boolean": arrow.bool_(),
             "json": arrow.string()}
    types = atoms | {f"{name}[]": arrow.list_(kind) for name, kind in atoms.items()}
    for group in (*spool.groups("nodes"), *spool.groups("edges")):
        head = ["key"] if group.kind == "nodes" else ["from", "to"]
        columns = {name: kind for name, kind in group.columns().items() if name not in head}
        schema = arrow.schema([(name, arrow.string()) for name in head]
                              + [(name, types[kind]) for name, kind in columns.items()])
        with files.ParquetWriter(folder / f"{name_of(group)}.parquet", schema, compression="zstd") as out:
            for block in _blocks(group, head, columns):
                out.write_table(arrow.Table.from_pydict(block, schema=schema))
    return {}


def _blocks(group: Group, head: list[str], columns: dict[str, str]) -> Any:
    rows = iter(group)
    while batch := list(islice(rows, _ROWS)):
        block: dict[str, list[Any]] = {name: [ends[place] for ends, _ in batch] for place, name in enumerate(head)}
        for name, kind in columns.items():
            values = [properties.get(name) for _, properties in batch]
            if kind == "json":
                values = [None if value is None else json.dumps(value, ensure_ascii=False) for value in values]
            elif kind.startswith("double"):
                values = [_double(value) for value in values]
            block[name] = values
        yield block


def _double(value: Any) -> Any:
    if isinstance(value, list):
        return list(map(float, value))
    return None if value is None else float(value)
