"""Bulk loading: CSV files for Neo4j's ``database import``, and a UMLS folder written as such."""

from __future__ import annotations

from ingestion.bulk.importer import Column, DelimiterTaken, ImportFiles, Table
from ingestion.bulk.umls import write_umls

__all__ = ["Column", "DelimiterTaken", "ImportFiles", "Table", "write_umls"]
