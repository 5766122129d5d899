"""The closed list of concept relations, and which predicate belongs to which.

A relation's *type* is one of `RELATION_TYPES` (a Biolink group); its ``predicate`` property keeps the exact word.
Subject and object are those of the true direction: ``(drug)-[TREATS]->(disease)``.
"""

from __future__ import annotations

RELATION_TYPES: tuple[str, ...] = (
    "AFFECTS",
    "ASSOCIATED_WITH",
    "CAUSES",
    "CONTRAINDICATED_FOR",
    "DIAGNOSES",
    "HAS_PART",
    "HAS_PHENOTYPE",
    "INTERACTS_WITH",
    "ISA",
    "LOCATED_IN",
    "PREVENTS",
    "RELATED",
    "TREATS",
)

FACT_TYPES: tuple[str, ...] = ("HAS_DIAGNOSIS", "HAS_PROCEDURE", "PRESCRIBED", "HAS_LAB")

# Biolink predicate -> relation type, for statements read from text.
STATEMENT_PREDICATES: dict[str, str] = {
    "affects": "AFFECTS",
    "associated_with": "ASSOCIATED_WITH",
    "causes": "CAUSES",
    "contraindicated_in": "CONTRAINDICATED_FOR",
    "diagnoses": "DIAGNOSES",
    "has_phenotype": "HAS_PHENOTYPE",
    "interacts_with": "INTERACTS_WITH",
    "located_in": "LOCATED_IN",
    "preventative_for_condition": "PREVENTS",
    "subclass_of": "ISA",
    "treats": "TREATS",
}

NODE_LABELS: tuple[str, ...] = (
    "Source", "Document", "Chunk", "Mention", "Concept", "Code", "Statement", "TagSummary", "Page", "Patient",
    "Encounter", "Run", "Dirty", "Meta",
)

# What the content fingerprint covers; chunks have a query of their own, without vectors.
CONTENT_LABELS: tuple[str, ...] = (
    "Source", "Document", "Mention", "Concept", "Code", "Statement", "Patient", "Encounter",
)
CONTENT_RELATIONSHIPS: tuple[str, ...] = (
    "FROM", "OF_PATIENT", "DURING", "PART_OF", "NEXT", "HAS_MENTION", "REFERS_TO", "SUBJECT", "OBJECT",
    "EVIDENCED_BY", "CODE_OF", *FACT_TYPES, *RELATION_TYPES,
)

# Closed sets that a query file may be expanded over (`// each: NAME`); see `graphkb.queries.loader`.
CLOSED_SETS: dict[str, tuple[str, ...]] = {
    "relation_type": RELATION_TYPES,
    "fact_type": FACT_TYPES,
    "node_label": NODE_LABELS,
    "content_label": CONTENT_LABELS,
    "content_relationship": CONTENT_RELATIONSHIPS,
}
