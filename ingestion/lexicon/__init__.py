"""The dictionary lane: names of the vocabularies and of a scope's tables, and where they stand in text."""

from __future__ import annotations

from ingestion.lexicon.lookup import Lexicon, Match, build
from ingestion.lexicon.names import Name, drug_core, rank_of
from ingestion.lexicon.stream import names_from_store

__all__ = ["Lexicon", "Match", "Name", "build", "drug_core", "names_from_store", "rank_of"]
