"""What passes between the parts: records in, things of the graph, evidence out."""

from __future__ import annotations

from graphkb.model.evidence import Answer, Evidence, Query, Sentence
from graphkb.model.graph import (
    Assertion,
    Chunk,
    Experiencer,
    Link,
    LinkedFact,
    LocalConcept,
    Mention,
    Prepared,
    Statement,
    StatementEvidence,
    Temporality,
)
from graphkb.model.records import (
    Annotation,
    Deletion,
    Encounter,
    Fact,
    GivenStatement,
    PageLayout,
    Patient,
    ReadReport,
    Rejection,
    Section,
    Source,
    SourceDocument,
    SourceInfo,
    Tier,
)

__all__ = [
    "Annotation", "Answer", "Assertion", "Chunk", "Deletion", "Encounter", "Evidence", "Experiencer", "Fact",
    "GivenStatement", "Link", "LinkedFact", "LocalConcept", "Mention", "PageLayout", "Patient", "Prepared",
    "Query", "ReadReport", "Rejection",
    "Section", "Sentence", "Source", "SourceDocument", "SourceInfo", "Statement", "StatementEvidence",
    "Temporality", "Tier",
]
