"""Readers: each is a small class with a ``name`` and ``documents(report)`` (see `graphkb.model.records.Source`)."""

from __future__ import annotations

from ingestion.sources.jats import JatsSource
from ingestion.sources.medline import MedlineSource
from ingestion.sources.mimic import MimicSource
from ingestion.sources.text import TextSource

__all__ = ["JatsSource", "MedlineSource", "MimicSource", "TextSource"]
