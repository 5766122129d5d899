"""The bundled sample, taken once into the embedded store, for all end-to-end tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from graphkb import config
from graphkb.errors import ConfigError
from graphkb.kb import KnowledgeBase
from graphkb.store import embedded
from ingestion.sources import JatsSource, MimicSource, TextSource
from tests.conftest import ROOT, missing

SAMPLE = ROOT / "examples" / "sample"


@pytest.fixture(scope="session")
def sample_kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    """The knowledge base of the demo. Tests only read it: what one changed the next would see."""
    settings = config.load(environ={}, data_dir=tmp_path_factory.mktemp("sample") / "kb")
    kb = KnowledgeBase(settings)
    try:
        kb.store.info()
    except ConfigError as error:
        if error.code != "GKB-106":
            raise
        missing("embedded", "pip install 'graphkb-med[embedded]'")
    try:
        kb.ingest_vocabulary(SAMPLE / "umls" / "META")
        kb.ingest(TextSource([SAMPLE / "textbook"]))
        kb.ingest(JatsSource([SAMPLE / "articles"]))
        kb.ingest(MimicSource(SAMPLE / "mimic"), scope=settings.scope)
        kb.ingest(TextSource([SAMPLE / "notes"], tier="user"), scope=settings.scope)
        yield kb
    finally:
        kb.close()
        embedded.stop(settings)
