"""A release made from the shared one: what the upgrade counts equals what an independent reading of the files says."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from graphkb.config import Settings
from graphkb.model.records import ReadReport
from graphkb.store import open_store
from graphkb.store.fingerprint import fingerprint
from ingestion import upgrade
from ingestion.vocabulary import load_vocabulary
from tests.helpers.releases import mrcui
from tests.helpers.vocabulary import write_meta

EACH = 20
FORWARD = ("isa", "has_manifestation", "may_treat", "may_palliate")
Rows = list[list[str]]
Tables = dict[str, Rows]


def read(folder: Path) -> Tables:
    return {table: [line.split("|") for line in (folder / f"{table}.RRF").read_text("utf-8").split("\n") if line]
            for table in ("MRCONSO", "MRSTY", "MRDEF", "MRREL", "MRSAB")}


def write(folder: Path, tables: Tables, changes: Iterable[str]) -> Path:
    return write_meta(folder, **{table: ["|".join(row) for row in rows] for table, rows in tables.items()},
                      MRCUI=changes)


def next_release(old: Tables) -> tuple[Tables, dict[str, list[str]]]:
    """Merge, delete, rename and retype some concepts; drop the relations of some and add as many."""
    named = sorted({f[0] for f in old["MRCONSO"] if (f[1], f[2], f[4], f[6], f[16]) == ("ENG", "P", "PF", "Y", "N")})
    parts = [named[n * EACH:(n + 1) * EACH] for n in range(6)]
    merged, deleted, renamed, retyped, into, related = parts
    target = dict(zip(merged, into, strict=True))
    new: Tables = {"MRSAB": old["MRSAB"], "MRCONSO": []}
    gone = {*merged, *deleted}
    for f in old["MRCONSO"]:
        if f[0] in target:
            new["MRCONSO"].append([target[f[0]], f[1], "S", f[3], "VO", f[5], "N", *f[7:]])
        elif f[0] not in deleted:
            new["MRCONSO"].append([*f[:14], f[14] + " anew", *f[15:]] if f[0] in renamed else f)
    new["MRSTY"] = [[f[0], "T116", *f[2:]] if f[0] in retyped else f for f in old["MRSTY"] if f[0] not in gone]
    new["MRDEF"] = [f for f in old["MRDEF"] if f[0] not in gone]
    lost = {*gone, *related}
    new["MRREL"] = [f for f in old["MRREL"] if not {f[0], f[4]} & lost]
    for n, key in enumerate(related):  # MRREL reads CUI2 RELA CUI1
        new["MRREL"].append([into[n], "", "CUI", "RO", key, "", "CUI", "may_treat", f"R{n}", "", "MED-RT", "MED-RT",
                             "", "", "N", "", ""])
    return new, {"merged": merged, "deleted": deleted, "renamed": renamed, "into": into}


def codes(tables: Tables) -> dict[tuple[str, str], frozenset[tuple[str, ...]]]:
    """What each code says: names with their concepts and ranks, definitions, and its concepts' types."""
    said: dict[tuple[str, str], set[tuple[str, ...]]] = defaultdict(set)
    types = defaultdict(set)
    atoms = {}
    for f in tables["MRSTY"]:
        types[f[0]].add(f[1])
    for f in tables["MRCONSO"]:
        code = f[11], f[13]
        atoms[f[0], f[7]] = code
        rank = str(4 * (f[2] != "P") + 2 * (f[4] != "PF") + (f[6] != "Y"))
        said[code].add(("name", f[0], f[14], f[12], f[1], f[16], rank))
        said[code].update(("type", f[0], tui) for tui in types[f[0]])
    for f in tables["MRDEF"]:
        said[atoms[f[0], f[1]]].add(("definition", f[0], f[5]))
    return {code: frozenset(parts) for code, parts in said.items()}


def relations(tables: Tables) -> set[tuple[str, ...]]:
    return {(f[4], f[7], f[0], f[10]) for f in tables["MRREL"] if f[7] in FORWARD}


def types(tables: Tables) -> dict[str, set[str]]:
    found = defaultdict(set)
    for f in tables["MRSTY"]:
        found[f[0]].add(f[1])
    return found


@pytest.mark.full
@pytest.mark.timeout(600)
def test_small_meta(shared_data: Path, embedded_settings: Settings, tmp_path: Path) -> None:
    first = shared_data / "mini_umls_open" / "small_META"
    old = read(first)
    new, made = next_release(old)
    second = write(tmp_path / "second", new, [
        *(mrcui(key, "SY", into) for key, into in zip(made["merged"], made["into"], strict=True)),
        *(mrcui(key, "DEL") for key in made["deleted"])])
    store = open_store(embedded_settings)

    def nothing() -> None:
        """No documents: nothing hangs on the vocabulary."""

    def difference(release: str) -> dict[str, Any]:
        return upgrade.dry_run(store, embedded_settings, second, release=release)

    try:
        store.migrate()
        load_vocabulary(store, first, settings=embedded_settings, report=ReadReport(), release="2025AB")
        before = fingerprint(store)
        report = difference("2026AA")
        was, now = codes(old), codes(new)
        kept = {code for code in was.keys() & now.keys() if was[code] != now[code]}
        assert report["codes"] == {"added": len(now.keys() - was.keys()) + EACH, "changed": len(kept),
                                   "ended": len(was.keys() - now.keys())}
        assert report["relations"] == {"added": len(relations(new) - relations(old)),
                                       "ended": len(relations(old) - relations(new))}
        counted = report["concepts"]
        assert (counted["merged"], counted["deleted"], counted["renamed"]) == (EACH, EACH, EACH)
        assert counted["types changed"] == sum(
            types(old)[key] != types(new)[key] for key in {f[0] for f in new["MRCONSO"]})
        assert "added" not in counted
        assert upgrade.apply_release(store, embedded_settings, second, nothing, release="2026AA")["codes"] == (
            report["codes"])
        rest = difference("2026AB")
        assert (rest["codes"], rest["relations"], rest["concepts"], rest["sources"]) == ({}, {}, {}, {})
        assert load_vocabulary(store, second, settings=embedded_settings, report=ReadReport(), release="2026AA",
                               dry_run=True).changed == 0
        upgrade.roll_back(store, nothing)
        assert fingerprint(store) == before
    finally:
        store.close()
