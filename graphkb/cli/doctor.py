"""What `graphkb doctor` looks at. Each finding says what is there, whether it is right, and the next step."""

from __future__ import annotations

import importlib
import importlib.metadata
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphkb.errors import GraphKBError

if TYPE_CHECKING:
    from graphkb.config import Settings

Finding = dict[str, Any]


def examine(load_settings: Callable[[], Settings]) -> list[Finding]:
    """Return the findings, the installation first; a part that cannot be looked at is a finding too."""
    findings = [_python(), *_shadowing(), *_packages()]
    try:
        settings = load_settings()
    except GraphKBError as error:
        return [*findings, _wrong("settings", error)]
    findings.append(_data_dir(settings.data_dir))
    for part, look in (("encoder", _encoder), ("store", _store)):
        try:
            findings.append(_right(part, look(settings)))
        except GraphKBError as error:
            findings.append(_wrong(part, error))
    return findings


def _right(part: str, finding: str) -> Finding:
    return {"part": part, "ok": True, "finding": finding, "next": ""}


def _wrong(part: str, error: GraphKBError) -> Finding:
    return {"part": part, "ok": False, "finding": f"[{error.code}] {error.detail or error.where}", "next": error.hint}


def _python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    return {"part": "python", "ok": sys.version_info >= (3, 11), "finding": version,
            "next": "" if sys.version_info >= (3, 11) else "graphkb needs Python 3.11 or later"}


def _shadowing() -> Iterator[Finding]:
    import graphkb

    if getattr(graphkb, "DISTRIBUTION", "") != "graphkb-med":
        yield {"part": "package", "ok": False, "finding": "another package named graphkb is imported",
               "next": "uninstall `graphkb`, then install `graphkb-med`"}
    try:
        other = importlib.metadata.version("graphkb")
    except importlib.metadata.PackageNotFoundError:
        yield _right("package", f"graphkb-med {graphkb.__version__}")
        return
    yield {"part": "package", "ok": False, "finding": f"another product, graphkb {other}, is installed beside",
           "next": "uninstall `graphkb`, then install `graphkb-med` again"}


def _packages() -> Iterator[Finding]:
    for name, module, needed in (("neo4j", "neo4j", True), ("neo4j-rust-ext", "neo4j", True),
                                 ("arcadedb-embedded", "arcadedb_embedded", False)):
        try:
            yield _right(name, importlib.metadata.version(name))
        except importlib.metadata.PackageNotFoundError:
            yield {"part": name, "ok": not needed, "finding": f"not installed ({module})",
                   "next": "pip install 'graphkb-med[embedded]'"}


def _data_dir(folder: Path) -> Finding:
    place = folder
    while not place.exists():
        place = place.parent
    usable = os.access(place, os.W_OK)
    return {"part": "data_dir", "ok": usable, "finding": str(folder),
            "next": "" if usable else f"{place} is not writable: set data_dir"}


def _encoder(settings: Settings) -> str:
    from graphkb.embed import load_encoder

    encoder = load_encoder(settings)
    encoder.encode(["doctor"])
    return str(encoder.stamp)


def _store(settings: Settings) -> str:
    from graphkb.store import open_store

    store = open_store(settings)
    try:
        info = store.info()
        return f"{info['kind']} {info['dialect']} {info['version']} at {info['uri']}"
    finally:
        store.close()
