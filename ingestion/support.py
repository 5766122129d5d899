"""Values that several documents support: each document's own stand on its edge, the node's are derived from them.

The node has, of each property, the greatest value that a document gives (numbers before texts; for a restriction that
is the strictest). So the order of ingestion leaves no trace, and a removed document takes its values with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from graphkb.store.protocol import Row, Tx

Owner = Literal["patient", "encounter"]
SOURCE_VALUES = ("licence", "restriction", "citation", "sha256")


def _rank(value: Any) -> tuple[bool, Any]:
    return isinstance(value, str), value


def derived(said: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the greatest value of each property that somebody gives."""
    out: dict[str, Any] = {}
    for one in said:
        for name, value in one.items():
            if value is not None and (name not in out or _rank(value) > _rank(out[name])):
                out[name] = value
    return out


def raised(now: Mapping[str, Any], said: Mapping[str, Any]) -> dict[str, Any]:
    """Return those properties of a node that another supporter's values change."""
    return {name: value for name, value in derived([{n: now.get(n) for n in said}, said]).items()
            if now.get(name) != value}


def lower_owners(tx: Tx, kind: Owner, gone: Mapping[str, Iterable[Mapping[str, Any]]]) -> None:
    """Derive the values of patients or encounters again after documents went.

    Parameters
    ----------
    gone : mapping
        Key of the owner -> what the removed documents said of it; nothing is read where they said nothing.
    """
    said = {key: derived(values) for key, values in gone.items()}
    keys = sorted(key for key, values in said.items() if values)
    rows = []
    for row in tx.read(f"list_{kind}_support", keys=keys) if keys else []:
        left = derived(row["support"])
        changed = {name: left.get(name) for name, value in said[row["key"]].items()
                   if row["properties"].get(name) == value != left.get(name)}
        if changed:
            rows.append({"key": row["key"], "properties": changed})
    if rows:
        tx.write(f"set_{kind}_values", rows=rows)


def lower_sources(tx: Tx, gone: Sequence[Row]) -> None:
    """Derive the values of sources again; of a source with many documents one that says the same is enough."""
    rows = []
    for key, name, value in sorted({(row["source"], name, value) for row in gone
                                    for name, value in (row["values"] or {}).items()}, key=repr):
        if not tx.read("list_source_support", key=key, name=name, value=value):
            left = derived({name: row["value"]} for row in tx.read("list_source_values", key=key, name=name))
            rows.append({"key": key, "properties": {name: left.get(name)}})
    if rows:
        tx.write("set_source_values", rows=rows)
