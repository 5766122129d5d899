"""Retraction from the first word to the receipt: graph, indexes, caches, the ledger's files, and the proof.

The steps follow each other so that a kill anywhere is finished by the same command: the plan is written down, documents
go in batches, what is derived follows, files are cleaned, residue is looked for, the receipt is written, the plan goes.
"""

from __future__ import annotations

import getpass
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from graphkb import ids
from graphkb.dates import check_date
from graphkb.errors import ConfigError, IngestError
from graphkb.store.disk import on_disk
from ingestion.ledger import Ledger, RunReport, now
from ingestion.pipeline import Progress, quiet
from ingestion.retract import Removed
from ingestion.retraction import Plan, Receipt, Targets, mark_all, pending, remove_all
from ingestion.retraction.files import documents_named, purge_ledger, remove_files
from ingestion.retraction.receipts import salted, write
from ingestion.retraction.work import residue_names
from ingestion.upgrade import refuse_unfinished
from ingestion.withdraw import withdraw_source

if TYPE_CHECKING:
    from graphkb.kb import KnowledgeBase

ACTIONS = ("remove", "mark", "unmark")


@dataclass(frozen=True, slots=True)
class Retracted:
    """What a retraction did: its receipt, or in a dry run what it would do."""

    documents: int
    run: str = ""
    receipt: Receipt | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        shown = self.receipt.to_dict() if self.receipt else None
        if shown is not None:
            shown["documents"] = shown["documents"][:20]
        return {"documents": self.documents, "run": self.run, "dry_run": not self.run, "receipt": shown}


def retract(kb: KnowledgeBase, targets: Targets, *, reason: str, action: str = "remove", scope: str | None = None,
            date: str = "", dry_run: bool = False, progress: Progress = quiet) -> Retracted:
    """Retract what the targets name within a scope and ``public``.

    Parameters
    ----------
    action : {"remove", "mark", "unmark"}
        ``mark`` keeps the documents, out of answers and shown as retracted; ``unmark`` takes that back.
    date : str
        When a marked document was retracted; today by default.

    Raises
    ------
    IngestError
        GKB-630: a name stands for nothing in these scopes. GKB-631: something is left; there is no receipt then.
    ConfigError
        GKB-103: no reason, no target or a wrong date.
    """
    if not targets.named() or not (reason.strip() or dry_run):
        raise ConfigError("GKB-103", where="--reason" if targets.named() else "retract",
                          detail="say what to retract, and why")
    date = check_date(date, "--date")
    scopes = list(kb.scopes(scope))
    digest = targets.digest(action, scopes)
    begun = pending(kb.settings.data_dir, digest)
    vocabularies = _vocabularies(kb, targets) if action == "remove" else []
    rest = replace(targets, sources=tuple(name for name in targets.sources if name not in vocabularies))
    if dry_run:
        keys = {row["key"] for row in rest.resolve(kb.store, scopes, kb.settings.data_dir)}
        return Retracted(len(keys))
    ledger = Ledger(kb.store, kb.settings.data_dir)
    if begun:
        plan, report = begun[0], _again(kb, begun[0])
    else:
        documents = rest.resolve(kb.store, scopes, kb.settings.data_dir)
        first = list(islice(documents, 1))  # a name that is nothing raises before a run is begun
        report = ledger.open("retract" if action == "remove" else f"retract {action}", scopes[-1])
        plan = _plan(kb, targets, action, scopes, reason, date, report, digest, chain(first, documents),
                     vocabularies)
    with ledger.closing(report):
        receipt = _finish(kb, plan, report, progress)
        report.counts = {"documents": len(receipt.documents), **receipt.removed.get("nodes", {})}
    return Retracted(len(receipt.documents), plan.run, receipt)


def finish_all(kb: KnowledgeBase, progress: Progress = quiet) -> list[Retracted]:
    """Finish every retraction that was begun and interrupted."""
    done = []
    ledger = Ledger(kb.store, kb.settings.data_dir)
    for plan in pending(kb.settings.data_dir):
        report = _again(kb, plan)
        with ledger.closing(report):
            receipt = _finish(kb, plan, report, progress)
        done.append(Retracted(len(receipt.documents), plan.run, receipt))
    return done


def _again(kb: KnowledgeBase, plan: Plan) -> RunReport:
    rows = kb.store.read("get_run", key=plan.run)
    known = rows[0]["properties"] if rows else plan.head
    return RunReport(plan.run, str(known["command"]), str(known["scope"]), str(known["started"]))


def _plan(kb: KnowledgeBase, targets: Targets, action: str, scopes: Sequence[str], reason: str, date: str,
          report: RunReport, digest: str, documents: Iterator[dict[str, Any]], vocabularies: list[str]) -> Plan:
    if vocabularies:
        refuse_unfinished(kb.store)
    rows = list({row["key"]: row for row in documents}.values())
    salt = _store_id(kb)
    head = {"run": report.key, "action": action, "scope": scopes[-1], "scopes": list(scopes), "reason": reason,
            "command": report.command, "started": report.started, "date": date or now()[:10], "documents": len(rows),
            "vocabularies": vocabularies,
            "targets": [{"kind": kind, "sha256": salted(salt, name)} for kind, name in targets.named()]}
    return Plan.write(kb.settings.data_dir, digest, head, rows)


def _vocabularies(kb: KnowledgeBase, targets: Targets) -> list[str]:
    names = sorted(set(targets.sources))
    return [row["name"] for row in kb.store.read("list_vocabularies", names=names)] if names else []


def _withdraw(kb: KnowledgeBase, plan: Plan, removed: Removed, progress: Progress) -> int:
    """Withdraw vocabularies; return how much a second look still found to withdraw."""
    left = 0
    for name in plan.head["vocabularies"]:
        gone = withdraw_source(kb.store, name, kb.settings, progress)
        removed.nodes += Counter({"Source": gone.sources, "Code": gone.codes, "Concept": gone.concepts})
        removed.relationships["(of the vocabulary)"] += gone.relations
        left += withdraw_source(kb.store, name, kb.settings).changed
    return left


def _store_id(kb: KnowledgeBase) -> str:
    return str(kb.store.read("get_meta", key=ids.meta("store"))[0]["properties"]["id"])


def _finish(kb: KnowledgeBase, plan: Plan, report: RunReport, progress: Progress) -> Receipt:
    action = plan.head["action"]
    removed, cleaned, residue = Removed(), Counter[str](), Counter[str]()
    if action == "remove":
        removed, found, scopes = remove_all(kb.store, plan, progress)
        residue = found
        if plan.head["vocabularies"]:
            residue["vocabulary"] += _withdraw(kb, plan, removed, progress)
            scopes.add(ids.PUBLIC)
        _follow(kb, scopes, report, progress)
        keys = {document["key"] for document in plan.documents()}
        paths = {path for document in plan.documents() for path in document["paths"]}
        cleaned["files"] = remove_files(kb.settings.data_dir, sorted(keys))
        cleaned["ledger_lines"] = purge_ledger(kb.settings.data_dir, keys, paths)
        residue["index"] += len(kb.index.documents() & keys)
        residue["files"] += len(documents_named(kb.settings.data_dir, keys))
    else:
        values = ({"retracted_at": plan.head["date"], "retracted_by": None, "retraction_reason": plan.head["reason"],
                   "marked": True}
                  if action == "mark" else {"retracted_at": None, "retraction_reason": None, "marked": None})
        removed.nodes[f"{action}ed"] = mark_all(kb.store, plan, values)
        kb.index.sync(kb.store)
    places = (*residue_names(), "vocabulary", "index", "files") if action == "remove" else ()
    left = {name: residue[name] for name in places}
    if any(left.values()):
        told = ", ".join(f"{name} {n}" for name, n in left.items() if n)
        raise IngestError("GKB-631", where=plan.run, detail=told)
    salt = _store_id(kb)
    receipt = write(kb.store, kb.settings.data_dir, Receipt(
        0, plan.run, action, now(), getpass.getuser(), plan.head["scope"], plan.head["reason"], plan.head["targets"],
        [salted(salt, document["key"]) for document in plan.documents()],
        {"nodes": dict(sorted(removed.nodes.items())), "relationships": dict(sorted(removed.relationships.items()))},
        left, dict(cleaned)))
    plan.close()
    return receipt


def _follow(kb: KnowledgeBase, scopes: set[str], report: RunReport, progress: Progress) -> None:
    """Let what is derived follow: lexicons whose names went, links made by them, the index without a trace."""
    alive = {row["scope"] for row in kb.store.read("list_document_scopes")}
    for scope in sorted(scopes - alive - {ids.PUBLIC}):
        folder = kb.settings.data_dir / "index" / "lexicon" / scope
        with on_disk(str(folder)):
            if folder.is_dir():
                shutil.rmtree(folder)
    if scopes:
        kb.refresh(report, vectors=False, progress=progress)
    kb.index.sync(kb.store, purge=True)
