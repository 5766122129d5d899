"""A graph in memory that answers the vocabulary's named queries, and META folders written for a test."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

from graphkb.errors import StoreError
from graphkb.queries import Library, load
from graphkb.store.protocol import Counters, Row, Tx


def atom(cui: str, aui: str, sab: str, code: str, name: str, *, tty: str = "PT", lat: str = "ENG", suppress: str = "N",
         ts: str = "P", stt: str = "PF", ispref: str = "Y") -> str:
    return f"{cui}|{lat}|{ts}|L{aui}|{stt}|S{aui}|{ispref}|{aui}||||{sab}|{tty}|{code}|{name}|0|{suppress}|256|"


def relation(cui1: str, rel: str, cui2: str, rela: str = "", sab: str = "SRC", *, direction: str = "",
             suppress: str = "N") -> str:
    return f"{cui1}|A1|CUI|{rel}|{cui2}|A2|CUI|{rela}|R1||{sab}|{sab}||{direction}|{suppress}||"


def semantic_type(cui: str, tui: str) -> str:
    return f"{cui}|{tui}|B2|A type|AT1|256|"


def definition(cui: str, aui: str, text: str, sab: str = "SRC", *, suppress: str = "N") -> str:
    return f"{cui}|{aui}|AT1||{sab}|{text}|{suppress}||"


def vocabulary(sab: str, *, vsab: str = "", sver: str = "", srl: str = "0", imeta: str = "", curver: str = "Y") -> str:
    return (f"||{vsab or sab}|{sab}|{sab} title|{sab}|{sver}|||{imeta}||||{srl}|1|1|FULL|||ENG|UTF-8|{curver}|Y|{sab}|"
            f"{sab} citation|")


def write_meta(folder: Path, *, gz: bool = False, **tables: Iterable[str]) -> Path:
    """Write ``MRCONSO=[row, …]`` and so on; return the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for table, rows in tables.items():
        data = "".join(f"{row}\n" for row in rows).encode()
        if gz:
            (folder / f"{table}.RRF.gz").write_bytes(gzip.compress(data))
        else:
            (folder / f"{table}.RRF").write_bytes(data)
    return folder


class MemoryGraph:
    """Concepts, codes, sources and relations by key; as the store does, a write that finds no end drops the row."""

    dialect = "memory"

    def __init__(self) -> None:
        self.nodes: dict[str, dict[str, dict[str, Any]]] = {"Concept": {}, "Code": {}, "Source": {}, "Meta": {}}
        self.edges: dict[tuple[str, str, str, str], dict[str, Any]] = {}
        self.writes: list[str] = []
        self.transactions = 0
        self.fail_at: int | None = None
        self.library: Library = load("arcadedb")

    def content(self) -> tuple[Any, ...]:
        """Everything but counters, to compare two graphs."""
        return ({label: nodes for label, nodes in self.nodes.items() if label != "Meta"}, self.edges)

    def relations(self) -> set[tuple[str, str, str, str]]:
        """Return (subject, type, predicate, object)."""
        return {(a, type_, edge["predicate"], b) for (type_, a, b, _), edge in self.edges.items()
                if "predicate" in edge}

    def transaction(self, work: Callable[[Tx], Any]) -> Any:
        self.transactions += 1
        before = deepcopy((self.nodes, self.edges))
        try:
            if self.fail_at == self.transactions:
                work(self)
                raise StoreError("GKB-201", where="memory")
            return work(self)
        except BaseException:
            self.nodes, self.edges = before
            raise

    def read(self, name: str, /, **params: Any) -> list[Row]:
        self.library[name].check(params)
        if name.startswith("count_nodes_"):
            return [{"n": len(self.nodes[name.removeprefix("count_nodes_").capitalize()])}]
        if name.startswith("list_relations_of_subjects_"):
            return [{"key": key, "from_release": e["from_release"], "to_release": e.get("to_release")}
                    for (type_, a, _, key), e in self.edges.items()
                    if type_.lower() == name.removeprefix("list_relations_of_subjects_") and a in params["subjects"]]
        return list(getattr(self, f"_{name}")(**params))

    def _get_meta(self, key: str) -> Iterator[Row]:
        return ({"properties": dict(self.nodes["Meta"][key])} for _ in range(key in self.nodes["Meta"]))

    def _put_meta(self, name: str, key: str, properties: dict[str, Any]) -> Counters:
        self.nodes["Meta"].setdefault(key, {"key": key}).update(properties)
        return Counters()

    def _list_existing_source(self, keys: list[str]) -> Iterator[Row]:
        return ({"key": key} for key in keys if key in self.nodes["Source"])

    def _list_concepts_by_key(self, keys: list[str]) -> Iterator[Row]:
        return (dict(self.nodes["Concept"][key]) for key in keys if key in self.nodes["Concept"])

    def _list_codes_of_concepts(self, keys: list[str]) -> Iterator[Row]:
        return ({"concept": b, "code": a} for (type_, a, b, _) in self.edges if type_ == "CODE_OF" and b in keys)

    def _list_codes_by_key(self, keys: list[str]) -> Iterator[Row]:
        return ({"properties": dict(self.nodes["Code"][key]),
                 "concepts": [b for (type_, a, b, _) in self.edges if type_ == "CODE_OF" and a == key]}
                for key in keys if key in self.nodes["Code"])

    def write(self, name: str, /, *, expect: Mapping[str, int] | None = None, **params: Any) -> Counters:
        self.library[name].check(params)
        self.writes.append(name)
        counters = getattr(self, f"_{name}" if "relations" not in name else "_relations")(name=name, **params)
        for counter, value in (expect or {}).items():
            if getattr(counters, counter) != value:
                raise StoreError("GKB-211", where=name)
        return counters

    def _bump_generation(self, name: str, key: str) -> Counters:
        node = self.nodes["Meta"].setdefault(key, {"generation": 0})
        node["generation"] += 1
        return Counters(properties_set=1)

    def _create(self, label: str, key: str, row: dict[str, Any]) -> None:
        row = {name: value for name, value in row.items() if value is not None}
        if key in self.nodes[label]:
            raise StoreError("GKB-204", where=key)
        self.nodes[label][key] = row

    def _edge(self, type_: str, a: str, b: str, key: str = "", **properties: Any) -> None:
        assert (type_, a, b, key) not in self.edges, "an edge twice"
        self.edges[type_, a, b, key] = properties

    def _create_sources(self, name: str, rows: list[Row]) -> Counters:
        for row in rows:
            self._create("Source", row["key"], {"scope": row["scope"], **row["properties"]})
        return Counters(nodes_created=len(rows))

    def _create_concepts(self, name: str, rows: list[Row], scope: str) -> Counters:
        for row in rows:
            self._create("Concept", row["key"], {**row, "scope": scope})
        return Counters(nodes_created=len(rows))

    def _update_concepts(self, name: str, rows: list[Row]) -> Counters:
        for row in rows:
            self.nodes["Concept"][row["key"]].update(row)
        return Counters(properties_set=4 * len(rows))

    def _create_codes(self, name: str, rows: list[Row], scope: str) -> Counters:
        whole = [r for r in rows if r["concept"] in self.nodes["Concept"] and r["source"] in self.nodes["Source"]]
        for row in whole:
            self._create("Code", row["key"],
                         {**{k: v for k, v in row.items() if k not in ("concept", "source")}, "scope": scope})
            self._edge("CODE_OF", row["key"], row["concept"])
            self._edge("FROM", row["key"], row["source"])
        return Counters(nodes_created=len(whole), relationships_created=2 * len(whole))

    def _update_codes(self, name: str, rows: list[Row]) -> Counters:
        for row in rows:
            node = self.nodes["Code"][row["key"]] | row
            self.nodes["Code"][row["key"]] = {name: value for name, value in node.items() if value is not None}
        return Counters(properties_set=12 * len(rows))

    def _link_codes(self, name: str, rows: list[Row]) -> Counters:
        whole = [r for r in rows if r["concept"] in self.nodes["Concept"] and r["code"] in self.nodes["Code"]]
        for row in whole:
            self._edge("CODE_OF", row["code"], row["concept"])
        return Counters(relationships_created=len(whole))

    def _relations(self, name: str, rows: list[Row]) -> Counters:
        verb, _, type_ = name.replace("_of_subjects", "").partition("_relations_")
        if "_of_subjects_" in name:
            rows = [{"subject": group["subject"], **row} for group in rows for row in group["relations"]]
        for row in rows:
            ends = (type_.upper(), row["subject"], row["object"])
            named = ("predicate", "sab", "from_release", "to_release")
            properties = {n: row[n] for n in named if row.get(n) is not None}
            if row.get("to_release", "") is None:  # set to null: it is no property then
                self.edges[*ends, row["key"]].pop("to_release", None)
            if verb == "create":
                assert {row["subject"], row["object"]} <= self.nodes["Concept"].keys()
                self._edge(*ends, row["key"], **properties)
            else:
                self.edges[*ends, row["key"]].update(properties)
        return Counters(relationships_created=len(rows) if verb == "create" else 0)
