"""What is to be retracted, written down before anything goes: a kill loses none of it, the same command finishes it.

A plan is a file ``receipts/pending-<digest>.jsonl`` of the data directory, readable by its owner only: a line about the
run, then one line for each document (key, scope, places of its files). It is removed with the last step.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from graphkb import ids
from graphkb.errors import IngestError
from graphkb.store.disk import on_disk
from graphkb.store.protocol import Row, Store
from ingestion.ledger import documents_of

BATCH = 20
_FOLDER = "receipts"


@dataclass(frozen=True, slots=True)
class Targets:
    """What a retraction names: documents (key, record, DOI, PMID, PMCID), subjects, runs, sources."""

    documents: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()

    def named(self) -> list[tuple[str, str]]:
        """Return (kind, name) of each."""
        return [(kind, name) for kind in ("document", "subject", "run", "source")
                for name in sorted(set(getattr(self, f"{kind}s")))]

    def digest(self, action: str, scopes: Iterable[str]) -> str:
        """Return what tells this retraction from others: the same command finishes the same plan."""
        return ids.digest("retraction", action, *sorted(scopes), *(f"{kind}={name}" for kind, name in self.named()))

    def resolve(self, store: Store, scopes: list[str], data_dir: Path) -> Iterator[Row]:
        """Yield the documents meant, each with scope and places; one may come twice.

        Raises
        ------
        IngestError
            GKB-630: a name stands for nothing in these scopes; the message has its kind and number, not the name.
        """
        for number, (kind, name) in enumerate(self.named(), 1):
            found = False
            for row in _of(store, kind, name, scopes, data_dir):
                found = True
                yield row
            if not found:
                raise IngestError("GKB-630", where=f"--{kind}, name {number}")


def _of(store: Store, kind: str, name: str, scopes: list[str], data_dir: Path) -> Iterator[Row]:
    if kind == "document":
        yield from store.read("list_documents_by_name", scopes=scopes, names=_spellings(name))
    elif kind == "subject":
        yield from store.stream("stream_documents_of_patients", scopes=scopes,
                                patients=[ids.patient(name, scope) for scope in scopes])
    elif kind == "source":
        yield from store.stream("stream_documents_of_source", scopes=scopes, source=name)
    else:
        run = name if name.startswith("run:") else f"run:{name}"
        yield from store.stream("stream_documents_of_run", scopes=scopes, run=run)
        # documents that an earlier version took do not say by which run
        lines = iter([line["key"] for line in documents_of(data_dir, run) if line["state"] != "rejected"])
        while batch := list(islice(lines, 500)):
            yield from (row for row in store.read("list_document_places", documents=batch)
                        if row["scope"] in scopes and row["run"] in (run, None))


def _spellings(name: str) -> list[str]:
    """Return how a document may be named: as given, and a DOI, PMID or PMCID without its prefix."""
    head, colon, rest = name.partition(":")
    bare = rest.strip() if colon and head.casefold() in ("doi", "pmid", "pmcid", "pmc") else name
    bare = bare.removeprefix("https://doi.org/").removeprefix("http://dx.doi.org/")
    return sorted({name, bare, bare.lower()})


@dataclass(frozen=True, slots=True)
class Plan:
    """A retraction that was begun: its run, and the file of what it removes."""

    path: Path
    head: dict[str, Any]

    @property
    def run(self) -> str:
        """Key of the run."""
        return str(self.head["run"])

    def documents(self) -> Iterator[dict[str, Any]]:
        """Yield the documents: key, scope, paths; each once."""
        with self.path.open(encoding="utf-8") as lines:
            next(lines)
            for line in lines:
                yield json.loads(line)

    def batches(self, size: int = BATCH) -> Iterator[list[dict[str, Any]]]:
        """Yield the documents in batches."""
        documents = self.documents()
        while batch := list(islice(documents, size)):
            yield batch

    def close(self) -> None:
        """Remove the plan: all of it is done."""
        self.path.unlink(missing_ok=True)

    @classmethod
    def write(cls, data_dir: Path, digest: str, head: dict[str, Any], documents: Iterable[Row]) -> Plan:
        """Write a plan down; it is there as a whole or not at all."""
        folder = folder_of(data_dir)
        path = folder / f"pending-{digest}.jsonl"
        beside = path.with_suffix(".new")
        seen: set[str] = set()
        with on_disk(str(folder)), private(beside) as out:
            out.write(json.dumps(head) + "\n")
            for row in documents:
                if row["key"] not in seen:
                    seen.add(row["key"])
                    paths = [path for path in row["paths"] or () if path]
                    out.write(json.dumps({"key": row["key"], "scope": row["scope"], "paths": paths}) + "\n")
            out.flush()
            os.fsync(out.fileno())
        beside.replace(path)
        return cls(path, head)

    @classmethod
    def read(cls, path: Path) -> Plan:
        """Read a plan that was left behind."""
        with path.open(encoding="utf-8") as lines:
            return cls(path, json.loads(next(lines)))


def folder_of(data_dir: Path) -> Path:
    """Return the folder of receipts and plans, made private to this user."""
    folder = data_dir / _FOLDER
    with on_disk(str(folder)):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def private(path: Path) -> Any:
    """Open a text file for writing that nobody else may read."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8")


def pending(data_dir: Path, digest: str = "") -> list[Plan]:
    """Return the retractions that were begun and not finished; the one of a digest where given."""
    folder = data_dir / _FOLDER
    return [Plan.read(path) for path in sorted(folder.glob(f"pending-{digest or '*'}.jsonl"))]
