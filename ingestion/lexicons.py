"""The current lexicon of each scope, cached on disk and rebuilt when its names have changed.

The graph counts changes of names in ``meta:lexicon:<scope>``; a cached lexicon says which counts it was built at. The
public lexicon holds the vocabulary; a private scope's lexicon holds that and the names of its own tables.
"""

from __future__ import annotations

import json
from pathlib import Path

import structlog

from graphkb import ids
from graphkb.config import Settings
from graphkb.errors import IngestError
from graphkb.store.disk import on_disk
from graphkb.store.protocol import Store
from ingestion import lexicon as lexicon_module
from ingestion.lexicon import Lexicon

log = structlog.get_logger()


class Lexicons:
    """Lexicons by scope, each built once per change of its names."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings
        self._folder = settings.data_dir / "index" / "lexicon"
        self._open: dict[str, tuple[str, Lexicon]] = {}

    def get(self, scope: str) -> Lexicon:
        """Return the lexicon of a scope as the graph has it now."""
        generation = self._generation(scope)
        cached = self._open.get(scope)
        if cached is not None and cached[0] == generation:
            return cached[1]
        folder = self._folder / scope
        lexicon = self._from_disk(folder, generation)
        if lexicon is None:
            scopes = [ids.PUBLIC] if scope == ids.PUBLIC else [ids.PUBLIC, scope]
            names = lexicon_module.names_from_store(self._store, scopes, self._settings)
            with on_disk(str(folder)):
                lexicon = lexicon_module.build(names, folder)
                (folder / "generation.json").write_text(json.dumps({"generation": generation}), encoding="utf-8")
            log.info("lexicon built", scope=scope, names=len(lexicon))
        self._open[scope] = (generation, lexicon)
        return lexicon

    def _generation(self, scope: str) -> str:
        parts = []
        for name in sorted({ids.PUBLIC, scope}):
            rows = self._store.read("get_meta", key=ids.meta(f"lexicon:{name}"))
            parts.append(f"{name}={rows[0]['properties'].get('generation', 0) if rows else 0}")
        taken = self._settings.ingest
        parts += [f"languages={','.join(taken.languages)}", f"suppressible={taken.suppressible}"]
        return ";".join(parts)

    @staticmethod
    def _from_disk(folder: Path, generation: str) -> Lexicon | None:
        marker = folder / "generation.json"
        try:
            if json.loads(marker.read_text(encoding="utf-8")).get("generation") != generation:
                return None
            return Lexicon.open(folder)
        except (FileNotFoundError, ValueError, AttributeError, IngestError):
            # absent, damaged, or made by another version: it is derived, so it is built again
            return None
