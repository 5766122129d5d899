"""What to read again: files that are known, by the reader and the tier that took them, and files that were rejected.

A reader is known by its name in the ledger: the run that brought a document says ``ingest jats``. A file that nobody
took yet is told by its name and first bytes, and goes where the others of its folder went.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from graphkb import ids
from graphkb.config import IngestSettings
from graphkb.errors import ConfigError
from graphkb.model import Source
from graphkb.store.protocol import Store

Tier = Literal["user", "literature"]
Make = Callable[[list[Path], Tier, IngestSettings, str], Source]
_PEEK = 4096
_LATEST_RUNS = 50


def _jats(paths: list[Path], tier: Tier, limits: IngestSettings, _patient: str) -> Source:
    from ingestion.sources import JatsSource

    return JatsSource(paths, tier=tier, max_bytes=limits.max_document_bytes)


def _text(paths: list[Path], tier: Tier, limits: IngestSettings, patient: str) -> Source:
    from ingestion.sources import TextSource

    return TextSource(paths, tier=tier, patient=patient or None, max_bytes=limits.max_document_bytes)


def _medline(paths: list[Path], tier: Tier, limits: IngestSettings, _patient: str) -> Source:
    from ingestion.sources import MedlineSource

    return MedlineSource(paths, tier=tier, max_bytes=limits.max_document_bytes)


def _pdf(paths: list[Path], tier: Tier, limits: IngestSettings, patient: str) -> Source:
    from ingestion.sources.pdf import PdfSource

    return PdfSource(paths, tier=tier, settings=limits, patient=patient or None)


def _pubtator(paths: list[Path], tier: Tier, limits: IngestSettings, _patient: str) -> Source:
    from ingestion.sources.pubtator import PubTatorSource

    return PubTatorSource(paths, tier=tier, max_bytes=limits.max_document_bytes)


def _bioc(paths: list[Path], tier: Tier, limits: IngestSettings, _patient: str) -> Source:
    from ingestion.sources.bioc import BioCSource

    return BioCSource(paths, tier=tier, max_bytes=limits.max_document_bytes)


def _textbook(paths: list[Path], tier: Tier, limits: IngestSettings, _patient: str) -> Source:
    from ingestion.sources.textbook import TextbookSource

    return TextbookSource(paths, tier=tier, max_bytes=limits.max_document_bytes)


def _mimic(paths: list[Path], _tier: Tier, _limits: IngestSettings, _patient: str) -> Source:
    from ingestion.sources import MimicSource

    return MimicSource(paths[0])


# by the name of the command after `ingest`; tables of triples and of claims need the options of their command again
READERS: dict[str, Make] = {"bioc": _bioc, "jats": _jats, "medline": _medline, "mimic": _mimic, "pdf": _pdf,
                            "pubtator": _pubtator, "text": _text, "textbook": _textbook}


@dataclass(frozen=True, slots=True)
class Group:
    """Files that one reader takes in one run."""

    kind: str
    tier: Tier
    patient: str
    paths: tuple[Path, ...]

    def source(self, limits: IngestSettings) -> Source:
        """Return the reader of these files."""
        return READERS[self.kind](list(self.paths), self.tier, limits, self.patient)


@dataclass(slots=True)
class Wanted:
    """What an update reads again, documents whose every file is gone, and files that nobody can read."""

    groups: list[Group] = field(default_factory=list)
    missing: dict[str, list[str]] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)


def look(store: Store, scopes: Sequence[str], paths: Sequence[Path], kind: str = "", tier: str = "") -> Wanted:
    """Return what lies at these places, by who takes it.

    Parameters
    ----------
    kind, tier : str
        The reader of all files, and the tier of those that are not known; told by what is known where not given.

    Raises
    ------
    ConfigError
        GKB-103: there is no such kind or tier.
    """
    if tier not in ("", "literature", "user"):
        raise ConfigError("GKB-103", where="--tier", detail="literature or user")
    if kind and kind not in READERS:
        raise ConfigError("GKB-103", where="--kind", detail=f"one of {', '.join(READERS)}")
    wanted = Wanted()
    files: dict[tuple[str, Tier, str], list[Path]] = {}
    for path in paths:
        place = os.path.abspath(path)
        known: dict[str, tuple[str, Tier, str]] = {}
        for row in store.stream("stream_documents_under", scopes=list(scopes), path=place, below=place + os.sep):
            here = [one for one in row["paths"] if one]
            reader = str(row["command"] or "").split(" ")[-1]
            known.update(dict.fromkeys(here, (reader, row["tier"], row["patient"] or "")))
            if not any(os.path.exists(one) for one in here):
                wanted.missing[row["key"]] = here
        usual = Counter((tier, patient) for _, tier, patient in known.values()).most_common(1)
        others: Tier = usual[0][0][0] if usual else "literature"
        if tier:
            others = "user" if tier == "user" else "literature"
        for file in _files(path):
            reader, own, patient = known.get(os.path.abspath(file), ("", others, ""))
            reader = kind or (reader if reader in READERS else "") or told_by(file)
            if reader and (usual or tier or reader == "mimic"):  # nobody's private file becomes public by a guess
                files.setdefault((reader, "user" if reader == "mimic" else own, patient), []).append(file)
            else:
                wanted.unknown.append(str(file))
    wanted.groups = [Group(reader, own, patient, tuple(found))
                     for (reader, own, patient), found in sorted(files.items())]
    return wanted


def _files(path: Path) -> Iterator[Path]:
    if path.is_dir() and not (path / "hosp").is_dir():
        yield from (file for file in sorted(path.rglob("*")) if file.is_file() and not file.name.startswith("."))
    elif path.exists():
        yield path


def told_by(path: Path) -> str:
    """Return which reader takes a file, by its name and first bytes; "" where none does."""
    if path.is_dir():
        return "mimic"
    name = path.name.lower().removesuffix(".gz")
    if name.endswith((".txt", ".md")):
        return "text"
    if name.endswith(".pdf"):
        return "pdf"
    if name.endswith((".xml", ".nxml")):
        from ingestion.sources.files import open_binary

        with open_binary(path) as file:
            return "medline" if b"<PubmedArticleSet" in file.read(_PEEK) else "jats"
    return ""


def failed(store: Store, data_dir: Path) -> Wanted:
    """Return the files that the latest runs rejected and that are there; of a file its latest rejection counts."""
    wanted = Wanted()
    groups: dict[tuple[str, Tier], dict[Path, None]] = {}
    seen: set[str] = set()
    for row in store.read("list_runs", limit=_LATEST_RUNS):
        run = row["properties"]
        kind = str(run.get("command", "")).split(" ")[-1]
        report = data_dir / "runs" / f"{str(run.get('key', '')).partition(':')[2]}.json"
        if kind not in READERS or kind == "mimic" or not report.is_file():
            continue
        tier: Tier = "literature" if run.get("scope") == ids.PUBLIC else "user"
        for rejection in json.loads(report.read_text(encoding="utf-8"))["rejections"]:
            file = os.path.abspath(rejection["file"])
            if file not in seen and os.path.isfile(file):
                seen.add(file)
                groups.setdefault((kind, tier), {})[Path(file)] = None
    wanted.groups = [Group(kind, tier, "", tuple(files)) for (kind, tier), files in sorted(groups.items())]
    return wanted
