"""Answers: composed from evidence, each sentence checked against the store, or an abstention that says why."""

from __future__ import annotations

from graphkb.answer.engine import Engine

__all__ = ["Engine"]
