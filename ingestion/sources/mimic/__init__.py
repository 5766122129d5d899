"""MIMIC-IV: all tables of ``hosp`` and ``icu``, and the notes of ``note``."""

from __future__ import annotations

from ingestion.sources.mimic.source import CodeTitle, MimicSource

__all__ = ["CodeTitle", "MimicSource"]
