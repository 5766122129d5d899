"""KGX: concepts and their relations with Biolink categories and predicates, as TSV.

KGX's TSV has neither quotes nor escapes: a tab or a line end inside a value becomes a space, and is counted.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from graphkb.errors import IngestError
from graphkb.export.spool import ExportSpool
from graphkb.model.semantic_groups import GROUPS
from graphkb.store.protocol import Row

PREDICATES = {
    "AFFECTS": "affects", "ASSOCIATED_WITH": "associated_with", "CAUSES": "causes",
    "CONTRAINDICATED_FOR": "contraindicated_in", "DIAGNOSES": "diagnoses", "HAS_PART": "has_part",
    "HAS_PHENOTYPE": "has_phenotype", "INTERACTS_WITH": "interacts_with", "ISA": "subclass_of",
    "LOCATED_IN": "located_in", "PREVENTS": "preventative_for_condition", "RELATED": "related_to", "TREATS": "treats",
}
_OF_GROUP = {
    "ACTI": "Activity", "ANAT": "AnatomicalEntity", "CHEM": "ChemicalEntity", "CONC": "InformationContentEntity",
    "DEVI": "Device", "DISO": "Disease", "GENE": "NucleicAcidEntity", "GEOG": "GeographicLocation",
    "LIVB": "OrganismTaxon", "OBJC": "PhysicalEntity", "OCCU": "NamedThing", "ORGA": "Agent", "PHEN": "Phenomenon",
    "PHYS": "PhysiologicalProcess", "PROC": "Procedure",
}
_OF_TYPE = {
    "T025": "Cell", "T026": "CellularComponent", "T028": "Gene", "T033": "PhenotypicFeature",
    "T046": "PathologicalProcess", "T116": "Protein", "T121": "Drug", "T126": "Protein", "T184": "PhenotypicFeature",
    "T195": "Drug", "T200": "Drug",
}
CATEGORIES: dict[str, str] = {tui: _OF_TYPE.get(tui, _OF_GROUP[group]) for group, tuis in GROUPS.items()
                              for tui in tuis}
NODE_COLUMNS = ("id", "category", "name", "description", "semantic_type")
EDGE_COLUMNS = ("id", "subject", "predicate", "object", "category", "original_predicate", "primary_knowledge_source",
                "knowledge_level", "agent_type")
_CUI = re.compile(r"C[0-9]{7}")
_BREAKS = re.compile(r"[\t\r\n\x0b\x0c\x1c-\x1e\x85\u2028\u2029]+")


def identifier(key: str) -> str:
    """Return a concept's CURIE."""
    return f"UMLS:{key}" if _CUI.fullmatch(key[:8]) and key[8:9] in ("", "#") else key


def categories(types: list[str]) -> list[str]:
    """Return the Biolink categories of semantic types."""
    return sorted({f"biolink:{CATEGORIES.get(tui, 'NamedThing')}" for tui in types}) or ["biolink:NamedThing"]


def information_resource(sab: str) -> str:
    """Return the InfoRes identifier of a vocabulary, or of what was read from text."""
    name = re.sub(r"[^a-z0-9]+", "-", sab.lower()).strip("-")
    return "infores:graphkb" if sab == "TEXT" else f"infores:{name or 'unknown'}"


class _Sheet:
    """One TSV file."""

    def __init__(self, path: Path, columns: tuple[str, ...]) -> None:
        self._out = path.open("w", encoding="utf-8", newline="")
        self._columns = columns
        self._out.write("\t".join(columns) + "\n")
        self.replaced = self.rows = 0

    def row(self, values: dict[str, str]) -> None:
        """Write a row."""
        self.rows += 1
        cells = []
        for column in self._columns:
            cell, n = _BREAKS.subn(" ", values[column])
            self.replaced += n
            cells.append(cell)
        try:
            self._out.write("\t".join(cells) + "\n")
        except UnicodeEncodeError:
            raise IngestError("GKB-609", where=f"row {self.rows}", detail="half a surrogate pair") from None

    def close(self) -> None:
        """Close the file."""
        self._out.close()


def write(spool: ExportSpool, folder: Path) -> dict[str, Any]:
    """Write ``nodes.tsv`` and ``edges.tsv``."""
    nodes, edges = _Sheet(folder / "nodes.tsv", NODE_COLUMNS), _Sheet(folder / "edges.tsv", EDGE_COLUMNS)
    try:
        for group in spool.groups("nodes"):
            if group.label == "Concept":
                for (key,), properties in group:
                    nodes.row(_node(key, properties))
        for group in spool.groups("edges"):
            for (a, b), properties in group:
                edges.row(_edge(group.label, a, b, properties))
    finally:
        nodes.close()
        edges.close()
    replaced = nodes.replaced + edges.replaced
    return {"tabs and line ends written as spaces": replaced} if replaced else {}


def _node(key: str, properties: Row) -> dict[str, str]:
    types = [str(tui) for tui in properties.get("semantic_types") or ()]
    return {"id": identifier(key), "category": "|".join(categories(types)), "name": str(properties.get("name") or ""),
            "description": str(properties.get("definition") or ""), "semantic_type": "|".join(types)}


def _edge(type_: str, a: str, b: str, properties: Row) -> dict[str, str]:
    sab = str(properties.get("sab") or "")
    return {"id": str(properties.get("key") or ""), "subject": identifier(a),
            "predicate": f"biolink:{PREDICATES[type_]}", "object": identifier(b), "category": "biolink:Association",
            "original_predicate": str(properties.get("predicate") or ""),
            "primary_knowledge_source": information_resource(sab), "knowledge_level": "not_provided",
            "agent_type": "text_mining_agent" if sab == "TEXT" else "not_provided"}
