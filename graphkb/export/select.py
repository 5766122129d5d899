"""What of a graph may leave it: by scope, by source, and by the restriction level of a vocabulary or document.

A restriction level is that of the UMLS licence (SRL: 0 free, 1-4 with conditions, 9 SNOMED CT). A source above the
allowed level is left out with all that only it says: its documents with their chunks, mentions and statements, its
codes and relations. A concept's name, types, definition and search text are derived again from the codes that leave; a
concept that only other codes name is left out. A relation whose vocabulary nobody knows counts as of the highest level.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from graphkb.errors import IngestError
from graphkb.export.kept import Kept
from graphkb.model.predicates import CONTENT_RELATIONSHIPS, FACT_TYPES, NODE_LABELS, RELATION_TYPES
from graphkb.store.protocol import Row, Store
from ingestion.concepts import CodeContent, derive

HIGHEST = 9
_BATCH = 1_000
_OF_DOCUMENT = ("Chunk", "Mention")
_WORK = ("Run", "Dirty", "Meta")


@dataclass(frozen=True, slots=True)
class Selection:
    """What is asked for.

    Parameters
    ----------
    scopes : tuple of str
        Only what is in these scopes; ``public`` without more.
    sources : tuple of str
        Only what these sources (names of `Source`, SABs) say; without one, all.
    max_restriction : int
        The highest restriction level that may leave.
    vectors : bool
        With the chunks' vectors.
    work : bool
        With runs, waiting work and versions, as another store of graphkb needs them.
    languages : tuple of str
        Of the names that concepts are derived from.
    """

    scopes: tuple[str, ...] = ("public",)
    sources: tuple[str, ...] = ()
    max_restriction: int = 0
    vectors: bool = False
    work: bool = False
    languages: tuple[str, ...] = ("ENG",)


@dataclass(frozen=True, slots=True)
class Node:
    """A node that leaves."""

    label: str
    properties: Row


@dataclass(frozen=True, slots=True)
class Edge:
    """A relationship that leaves, with the labels and keys of its ends."""

    type: str
    a_label: str
    a: str
    b_label: str
    b: str
    properties: Row


def _plain(properties: Mapping[str, Any]) -> Row:
    return {name: value for name, value in properties.items() if value is not None and not name.startswith("@")}


class Selector:
    """Streams what a selection lets out, and counts what it leaves out and why."""

    def __init__(self, store: Store, selection: Selection) -> None:
        self._store = store
        self.selection = selection
        self.left_out: Counter[tuple[str, str]] = Counter()
        self._levels: dict[str, int] = {}
        for node in self._all("Source"):
            name, level = str(node.get("name", "")), int(node.get("restriction") or 0)
            self._levels[name] = max(level, self._levels.get(name, 0))
        self._refuse()
        self._filtered = bool(selection.sources) or any(
            level > selection.max_restriction for level in self._levels.values())
        self._kept = Kept()

    def close(self) -> None:
        """Give the temporary file back."""
        self._kept.close()

    def _refuse(self) -> None:
        """Raise `IngestError` GKB-611 where a source is asked for by name that may not leave or is not there."""
        for name in self.selection.sources:
            if name not in self._levels:
                raise IngestError("GKB-611", where=name, detail="there is no such source",
                                  hint="sources are the nodes labelled Source: look with `graphkb cypher`")
            if self._levels[name] > self.selection.max_restriction:
                raise IngestError("GKB-611", where=name, detail=f"restriction level {self._levels[name]}, allowed is "
                                  f"{self.selection.max_restriction}")

    def _all(self, label: str) -> Iterator[Row]:
        name = "stream_export_chunks" if label == "Chunk" and not self.selection.vectors else \
            f"stream_export_nodes_{label.lower()}"
        for row in self._store.stream(name, scopes=list(self.selection.scopes)):
            yield _plain(row["properties"])

    def _all_edges(self, type_: str) -> Iterator[Edge]:
        name = "stream_export_merges" if type_ == "SAME_AS" else f"stream_export_edges_{type_.lower()}"
        for row in self._store.stream(name, scopes=list(self.selection.scopes)):
            yield Edge(type_, row["a_label"], row["a"], row["b_label"], row["b"], _plain(row["properties"]))

    def _why_not(self, source: str, level: int | None = None) -> str:
        """Return why what a source says stays here, or "" where it may leave."""
        level = max(level or 0, self._levels.get(source, HIGHEST))
        if level > self.selection.max_restriction:
            return f"restriction level {level}" if source in self._levels else "a vocabulary of unknown licence"
        if self.selection.sources and source not in self.selection.sources:
            return "another source"
        return ""

    # -- nodes ----------------------------------------------------------------------------------------------------

    def nodes(self) -> Iterator[Node]:
        """Yield the nodes that leave. To be read to its end before `edges`."""
        yield from self._judged("Source", lambda n: self._why_not(str(n.get("name", ""))))
        yield from self._judged("Document", self._document)
        for label in _OF_DOCUMENT:
            yield from self._judged(label, self._of_document)
        self._look_ahead()
        yield from self._concepts()
        yield from self._judged("Code", lambda n: self._why_not(str(n.get("vocabulary", ""))))
        rest = [label for label in NODE_LABELS
                if label not in ("Source", "Document", *_OF_DOCUMENT, "Concept", "Code", *_WORK)]
        for label in rest:
            yield from self._judged(label, self._supported)
        if self.selection.work:
            for label in _WORK:
                yield from self._judged(label, self._work)

    def _judged(self, label: str, why_not: Callable[[Row], str]) -> Iterator[Node]:
        rows = self._all(label)
        while batch := list(islice(rows, _BATCH)):
            leaving = []
            for properties in batch:
                reason = why_not(properties) if self._filtered or label in _WORK else ""
                if reason:
                    self.left_out[label, reason] += 1
                else:
                    leaving.append(Node(label, properties))
            if self._filtered:
                self._kept.add(node.properties["key"] for node in leaving)
            yield from leaving

    def _document(self, node: Row) -> str:
        own = node.get("id_restriction", node.get("restriction"))
        level = int(str(own)) if str(own or "").isdigit() else None
        return self._why_not(str(node.get("source", "")), level)

    def _of_document(self, node: Row) -> str:
        return "" if node.get("document") in self._kept else "a document that stays"

    def _supported(self, node: Row) -> str:
        return "" if node["key"] in self._kept.wanted else "nothing that leaves speaks of it"

    def _work(self, node: Row) -> str:
        key = str(node["key"])
        if key in ("meta:store", "meta:lock") or key.startswith("meta:migration:"):
            return "of this store only"
        scope = key.removeprefix("meta:lexicon:")
        if scope != key and scope not in self.selection.scopes:
            return "another scope"
        return "part of a graph" if self._filtered else ""

    def _look_ahead(self) -> None:
        """Mark what documents that leave speak of: statements, patients, encounters, local concepts."""
        if not self._filtered:
            return
        wanted, kept = self._kept.wanted, self._kept
        for type_ in ("OF_PATIENT", "DURING"):
            wanted.update(e.b for e in self._all_edges(type_) if e.a_label == "Document" and e.a in kept)
        wanted.update(e.a for e in self._all_edges("EVIDENCED_BY") if e.b in kept)
        for type_ in ("SUBJECT", "OBJECT"):
            wanted.update(e.b for e in self._all_edges(type_) if e.a in wanted)
        wanted.update(e.b for e in self._all_edges("REFERS_TO") if e.a in kept)
        for type_ in FACT_TYPES:
            wanted.update(e.b for e in self._all_edges(type_) if e.properties.get("document") in kept)

    def _concepts(self) -> Iterator[Node]:
        if not self._filtered:
            yield from self._judged("Concept", lambda _: "")
            return
        rows = self._all("Concept")
        while batch := list(islice(rows, _BATCH)):
            leaving = list(self._derived(batch))
            self._kept.add(node.properties["key"] for node in leaving)
            yield from leaving

    def _derived(self, batch: list[Row]) -> Iterator[Node]:
        codes_of: dict[str, list[str]] = {row["key"]: [] for row in batch}
        for row in self._store.read("list_codes_of_concepts", keys=list(codes_of)):
            codes_of[row["concept"]].append(row["code"])
        keys = sorted(set().union(*codes_of.values()))
        codes: dict[str, CodeContent] = {}
        for row in self._store.read("list_codes_by_key", keys=keys):
            content = CodeContent.from_row(row["properties"], row["concepts"])
            if not self._why_not(content.vocabulary):
                codes[row["properties"]["key"]] = content
        for properties in batch:
            key = properties["key"]
            mine = codes_of[key]
            allowed = [codes[code] for code in mine if code in codes]
            if allowed:
                if len(allowed) < len(mine):
                    shown = derive(key, allowed, self.selection.languages)
                    properties = {**properties, "name": shown.name, "semantic_types": list(shown.semantic_types),
                                  "definition": shown.definition, "search_text": shown.search_text}
                yield Node("Concept", properties)
            elif not mine and key in self._kept.wanted:
                yield Node("Concept", properties)
            else:
                reason = "only sources that stay name it" if mine else "nothing that leaves speaks of it"
                self.left_out["Concept", reason] += 1

    # -- edges ----------------------------------------------------------------------------------------------------

    def edges(self, types: Iterable[str] = CONTENT_RELATIONSHIPS) -> Iterator[Edge]:
        """Yield the relationships that leave: both ends do, and what the edge itself says may."""
        types = tuple(types)
        for type_ in (*types, "SAME_AS") if self.selection.work and "SAME_AS" not in types else types:
            for edge in self._all_edges(type_):
                reason = self._edge(edge) if self._filtered else ""
                if reason:
                    self.left_out[type_, reason] += 1
                else:
                    yield edge

    def _edge(self, edge: Edge) -> str:
        if edge.a not in self._kept or edge.b not in self._kept:
            return "an end stays"
        if edge.type in RELATION_TYPES and edge.a_label == edge.b_label == "Concept":
            sab = str(edge.properties.get("sab", ""))
            if sab == "TEXT":
                return "" if edge.properties.get("key") in self._kept else "its statement stays"
            return self._why_not(sab)
        if edge.type in FACT_TYPES and edge.properties.get("document") not in self._kept:
            return "a document that stays"
        return ""
