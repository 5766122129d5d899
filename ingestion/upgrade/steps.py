"""What an upgrade writes, step by step, and how each step is undone.

The live code and the live relation keep their keys, so that the graph's present is that of a fresh load of the new
release. What they said up to now is kept beside them, under their key and the release that ended it (`ids.ended`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from graphkb import ids
from graphkb.store.protocol import Row, Tx
from ingestion.pipeline import Progress
from ingestion.upgrade.plan import Plan
from ingestion.upgrade.state import Journal, Undo

# what mentions may refer to is taken away only after they have been linked again
UNDONE_AFTER_LINKING = frozenset({"concepts added", "sources added"})
_ORDER = (("sources", "added"), ("concepts", "added"), ("codes", "added"), ("codes", "changed"), ("codes", "ended"),
          ("concepts", "changed"), ("concepts", "retired"), ("relations", "ended"), ("relations", "returned"),
          ("relations", "added"))


class Steps:
    """Writes a plan."""

    def __init__(self, journal: Journal, plan: Plan, release: str) -> None:
        self._journal = journal
        self._plan = plan
        self._release = release
        self._writers: dict[tuple[str, str], Callable[[Tx, list[Row]], Undo]] = {
            ("sources", "added"): _add_sources, ("concepts", "added"): _add_concepts,
            ("codes", "added"): _add_codes, ("codes", "changed"): self._change_codes,
            ("codes", "ended"): self._end_codes, ("concepts", "changed"): _change_concepts,
            ("concepts", "retired"): _change_concepts, ("relations", "ended"): self._end_relations,
            ("relations", "returned"): _return_relations, ("relations", "added"): _add_relations}

    def run(self, progress: Progress) -> None:
        """Write everything, each batch in a transaction with its entry in the journal."""
        for table, op in _ORDER:
            write = self._writers[table, op]
            total, done = self._plan.count(table).get(op, 0), 0
            for rows in self._plan.batches(table, op):
                self._journal.commit(lambda tx, write=write, rows=rows: write(tx, rows))  # type: ignore[misc]
                done += len(rows)
                progress(f"{table} {op}", done, total)

    def _change_codes(self, tx: Tx, rows: list[Row]) -> Undo:
        """Keep what codes said, under the release that ends it, and let them say the new."""
        wanted = {row["row"]["key"]: row for row in rows}
        kept, links, unlinks, kept_links, changes, undo = [], [], [], [], [], []
        for stored in tx.read("list_codes_by_key", keys=sorted(wanted)):
            old = stored["properties"]
            key = old["key"]
            row = wanted[key]
            ended = old.get("to_release") or self._release
            other = ids.ended(key, ended)
            kept.append({"key": other, "of": key, "scope": old["scope"],
                         "properties": _without(old, "key") | {"to_release": ended}})
            kept_links += [{"code": other, "concept": concept} for concept in sorted(stored["concepts"])]
            changes.append({"key": key, "properties": _differing(old, row["row"])})
            before, after = set(stored["concepts"]), set(row["concepts"])
            links += [{"code": key, "concept": concept} for concept in sorted(after - before)]
            unlinks += [{"code": key, "concept": concept} for concept in sorted(before - after)]
            undo.append({"key": key, "other": other, "ended": old.get("to_release"), "links": sorted(after - before),
                         "unlinks": sorted(before - after)})
        tx.write("create_code_versions", rows=kept,
                 expect={"nodes_created": len(kept), "relationships_created": len(kept)})
        _link(tx, kept_links)
        tx.write("set_code_properties", rows=changes)
        _unlink(tx, unlinks)
        _link(tx, links)
        _forget(tx, (link["concept"] for link in (*kept_links, *links)))
        return [{"op": "codes changed", "rows": undo}]

    def _end_codes(self, tx: Tx, rows: list[Row]) -> Undo:
        keys = [row["key"] for row in rows]
        tx.write("set_code_properties", rows=[{"key": key, "properties": {"to_release": self._release}}
                                              for key in keys])
        _forget(tx, (concept for row in rows for concept in row["concepts"]))
        return [{"op": "codes ended", "keys": keys, "concepts": sorted({c for row in rows for c in row["concepts"]})}]

    def _end_relations(self, tx: Tx, rows: list[Row]) -> Undo:
        tx.write(f"update_relations_{_type(rows)}", rows=[row | {"to_release": self._release} for row in rows])
        return [{"op": "relations ended", "type": _type(rows), "rows": [_relation(row) for row in rows]}]


# -- writing ----------------------------------------------------------------------------------------------------------


def _add_sources(tx: Tx, rows: list[Row]) -> Undo:
    tx.write("create_sources", rows=rows, expect={"nodes_created": len(rows)})
    return [{"op": "sources added", "keys": [row["key"] for row in rows]}]


def _add_concepts(tx: Tx, rows: list[Row]) -> Undo:
    tx.write("create_concepts", rows=rows, scope=ids.PUBLIC, expect={"nodes_created": len(rows)})
    return [{"op": "concepts added", "keys": [row["key"] for row in rows]}]


def _add_codes(tx: Tx, rows: list[Row]) -> Undo:
    codes = [row["row"] | {"source": row["source"], "concept": row["concepts"][0]} for row in rows]
    tx.write("create_codes", rows=codes, scope=ids.PUBLIC,
             expect={"nodes_created": len(codes), "relationships_created": 2 * len(codes)})
    _link(tx, [{"code": row["row"]["key"], "concept": concept} for row in rows for concept in row["concepts"][1:]])
    return [{"op": "codes added", "keys": [row["row"]["key"] for row in rows]}]


def _change_concepts(tx: Tx, rows: list[Row]) -> Undo:
    tx.write("set_concept_properties", rows=[{"key": row["key"], "properties": row["properties"]} for row in rows])
    _forget(tx, (row["key"] for row in rows))
    return [{"op": "concepts changed", "rows": [{"key": row["key"], "properties": row["before"]} for row in rows]}]


def _add_relations(tx: Tx, rows: list[Row]) -> Undo:
    tx.write(f"create_relations_{_type(rows)}", rows=rows, expect={"relationships_created": len(rows)})
    return [{"op": "relations added", "type": _type(rows), "rows": [_relation(row) for row in rows]}]


def _return_relations(tx: Tx, rows: list[Row]) -> Undo:
    names = [_relation(row) | {"other": ids.ended(row["key"], row["ended"])} for row in rows]
    tx.write(f"rename_relations_{_type(rows)}", rows=names)
    tx.write(f"create_relations_{_type(rows)}", rows=rows, expect={"relationships_created": len(rows)})
    return [{"op": "relations returned", "type": _type(rows), "rows": names}]


# -- undoing ----------------------------------------------------------------------------------------------------------


def undo_step(tx: Tx, step: Row) -> None:
    """Undo one step of an entry of the journal."""
    _UNDO[step["op"]](tx, step)


def _undo_codes_changed(tx: Tx, step: Row) -> None:
    rows = {row["key"]: row for row in step["rows"]}
    others = [row["other"] for row in rows.values()]
    stored = {row["properties"]["key"]: row["properties"]
              for row in tx.read("list_codes_by_key", keys=sorted([*rows, *others]))}
    changes = [{"key": key, "properties": _differing(stored[key], stored[row["other"]] | {"to_release": row["ended"]})}
               for key, row in rows.items()]
    tx.write("set_code_properties", rows=changes)
    _unlink(tx, [{"code": key, "concept": concept} for key, row in rows.items() for concept in row["links"]])
    _link(tx, [{"code": key, "concept": concept} for key, row in rows.items() for concept in row["unlinks"]])
    tx.write("delete_code_versions", keys=others, expect={"nodes_deleted": len(others)})
    _forget(tx, {concept for row in rows.values() for concept in (*row["links"], *row["unlinks"])})


def _undo_codes_ended(tx: Tx, step: Row) -> None:
    tx.write("set_code_properties", rows=[{"key": key, "properties": {"to_release": None}} for key in step["keys"]])
    _forget(tx, step["concepts"])


def _undo_concepts_changed(tx: Tx, step: Row) -> None:
    tx.write("set_concept_properties", rows=step["rows"])
    _forget(tx, (row["key"] for row in step["rows"]))


def _undo_relations_returned(tx: Tx, step: Row) -> None:
    tx.write(f"delete_relation_rows_{step['type']}", rows=step["rows"],
             expect={"relationships_deleted": len(step["rows"])})
    tx.write(f"rename_relations_{step['type']}", rows=[row | {"key": row["other"], "other": row["key"]}
                                                       for row in step["rows"]])


def _undo_relations_ended(tx: Tx, step: Row) -> None:
    tx.write(f"update_relations_{step['type']}", rows=[row | {"to_release": None} for row in step["rows"]])


def _undo_relations_added(tx: Tx, step: Row) -> None:
    tx.write(f"delete_relation_rows_{step['type']}", rows=step["rows"],
             expect={"relationships_deleted": len(step["rows"])})


def _undo_concepts_added(tx: Tx, step: Row) -> None:
    tx.write("delete_concepts", keys=step["keys"], expect={"nodes_deleted": len(step["keys"])})


def _undo_codes_added(tx: Tx, step: Row) -> None:
    tx.write("delete_code_versions", keys=step["keys"], expect={"nodes_deleted": len(step["keys"])})


def _undo_sources_added(tx: Tx, step: Row) -> None:
    tx.write("delete_sources", keys=step["keys"], expect={"nodes_deleted": len(step["keys"])})


_UNDO: dict[str, Callable[[Tx, Row], None]] = {
    "sources added": _undo_sources_added, "concepts added": _undo_concepts_added, "codes added": _undo_codes_added,
    "codes changed": _undo_codes_changed, "codes ended": _undo_codes_ended,
    "concepts changed": _undo_concepts_changed, "relations ended": _undo_relations_ended,
    "relations returned": _undo_relations_returned, "relations added": _undo_relations_added}


# -- parts ------------------------------------------------------------------------------------------------------------


def _type(rows: list[Row]) -> str:
    return str(rows[0]["type"]).lower()


def _relation(row: Row) -> Row:
    return {name: row[name] for name in ("key", "subject", "object", "from_release")}


def _without(properties: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in properties.items() if name not in names and not name.startswith("@")}


def _differing(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """Return what must be set so that ``old`` becomes ``new``: null for what is not there any more."""
    fixed = ("key", "scope")
    changes = {name: value for name, value in _without(new, *fixed).items() if old.get(name) != value}
    gone = {name: None for name, value in _without(old, *fixed).items() if name not in new and value is not None}
    return gone | changes


def _link(tx: Tx, rows: list[Row]) -> None:
    if rows:
        tx.write("link_codes", rows=rows, expect={"relationships_created": len(rows)})


def _unlink(tx: Tx, rows: list[Row]) -> None:
    if rows:
        tx.write("unlink_codes", rows=rows, expect={"relationships_deleted": len(rows)})


def _forget(tx: Tx, concepts: Iterable[str]) -> None:
    """Have what hangs on these concepts linked again, whatever their names' lexicon says."""
    keys = sorted(set(concepts))
    tx.write("forget_mention_links", keys=keys)
    tx.write("forget_fact_links", keys=keys)
