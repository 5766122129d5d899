"""Retraction: what is to go, the work in batches that a kill does not lose, proof that nothing is left, receipts."""

from __future__ import annotations

from ingestion.retraction.plan import Plan, Targets, pending
from ingestion.retraction.receipts import Receipt, receipts, verify
from ingestion.retraction.work import mark_all, remove_all

__all__ = ["Plan", "Receipt", "Targets", "mark_all", "pending", "receipts", "remove_all", "verify"]
