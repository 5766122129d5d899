"""Bug 15 by the bulk path: Neo4j's own importer gives back every string, and the graph is the Bolt load's."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from graphkb import config
from graphkb.config import Settings
from graphkb.export import Selection, export
from graphkb.model.records import ReadReport
from graphkb.store import open_store
from graphkb.store.fingerprint import fingerprint
from ingestion.bulk import Column, ImportFiles, write_umls
from ingestion.vocabulary import load_vocabulary
from tests.conftest import missing
from tests.helpers import vocabulary as v
from tests.servers import NEO4J, NEO4J_LOCAL, free_port, raw, start_neo4j, stop_neo4j

POINTS = "".join(chr(p) for p in range(0x110000) if not 0xD800 <= p <= 0xDFFF and chr(p) != "\x1f")
NAMES = ["Crohn's colitis", "3',5'-nucleotide", 'say "aah"', "a|b", "a;b", "a,b", "a\tb", "a\nb", "\r", "\r\n", "\\",
         "ends with \\", "", " ", "\x00", '"', '""', "'", "\u0085\u2028\ufeff", "\U0001f9ec", "x" * 1_000_000,
         *(POINTS[n:n + 100_000] for n in range(0, len(POINTS), 100_000))]
LISTS = [["x|y", "z"], ["", ""], ["a", ""], ["", "a"], [" a "], ['"', "\\"], ["a;b", "c,d", "\n"], NAMES]


class Imported:
    """A Neo4j that was filled by its importer."""

    def __init__(self, kind: str, home: Path) -> None:
        self._kind, self._home, self._port = kind, home, free_port()

    def settings(self, folder: Path, data_dir: Path) -> Settings:
        done = subprocess.run([sys.executable, str(NEO4J_LOCAL), "import", NEO4J[self._kind], str(folder), "--home",
                               str(self._home), "--fresh"], capture_output=True, text=True, timeout=280)
        if done.returncode == 3:
            missing("neo4j", "a JDK and Maven are needed: docker/neo4j-local/README.md")
        assert done.returncode == 0, done.stderr[-3000:]
        uri = start_neo4j(self._kind, self._port, self._home)
        assert uri is not None
        return config.load(environ={}, data_dir=data_dir, store__uri=uri)

    def stop(self) -> None:
        stop_neo4j(self._port)


# an import is a server's start and stop as well: the ordinary run makes two of them
@pytest.fixture(params=[pytest.param(name, marks=pytest.mark.full) if number else name
                        for number, name in enumerate(sorted(NEO4J, reverse=True))])
def imported(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Imported]:
    server = Imported(request.param, tmp_path / "home")
    yield server
    server.stop()


def names(folder: Path) -> None:
    """Write each name as a node, and the lists."""
    files = ImportFiles(folder, ())
    files.nodes("Run", (Column("scope", "string"), Column("name", "string"), Column("names", "string[]"))).write(
        [*((f"{n:04}", "x", name, None) for n, name in enumerate(NAMES)),
         *((f"list{n}", "x", None, value) for n, value in enumerate(LISTS))])
    files.finish({})


def meta_folder(folder: Path) -> Path:
    """A vocabulary with a code of two concepts and odd names, one of which holds the importer's first delimiter."""
    return v.write_meta(
        folder,
        MRCONSO=[v.atom("C9000001", "A1", "S1", "1", 'say "aah", 3\',5\'-x'),
                 v.atom("C9000001", "A2", "S1", "1", "Crohn's; colitis \\"), v.atom("C9000002", "A3", "S2", "X", "a"),
                 v.atom("C9000001", "A4", "S2", "X", "b"), v.atom("C9000003", "A5", "S1", "2", "c\x1fd", tty="SY")],
        MRSTY=[v.semantic_type("C9000001", "T047")], MRDEF=[v.definition("C9000001", "A1", 'A "definition".', "S1")],
        MRREL=[v.relation("C9000001", "PAR", "C9000002", "", "S1"), v.relation("C9000001", "RO", "C9000003",
                                                                               "may_treat", "S2")],
        MRSAB=[v.vocabulary("S1", sver="2026", srl="3", imeta="2026AA")])


@pytest.mark.timeout(900)
def test_every_string(imported: Imported, tmp_path: Path) -> None:
    names(tmp_path / "names")
    store = open_store(imported.settings(tmp_path / "names", tmp_path / "kb"))
    try:
        rows = raw(store, "MATCH (r:Run) RETURN r.key AS key, r.name AS name, r.names AS names ORDER BY r.key")
        assert [r["name"] for r in rows if r["name"] is not None] == NAMES
        assert [r["names"] for r in rows if r["names"] is not None] == LISTS
    finally:
        store.close()


@pytest.mark.timeout(900)
@pytest.mark.parametrize("way", ["umls", pytest.param("graph", marks=pytest.mark.full)])
def test_the_same_graph_as_over_bolt(imported: Imported, tmp_path: Path, servers: Any, way: str) -> None:
    meta = meta_folder(tmp_path / "META")
    other = open_store(servers.settings("arcadedb"))
    try:
        other.migrate()
        raw(other, "MATCH (n) WHERE NOT n.key STARTS WITH 'meta:migration:' DETACH DELETE n")
        load_vocabulary(other, meta, settings=Settings(), report=ReadReport())
        wanted = fingerprint(other)
        if way == "graph":
            export(other, "neo4j-import", tmp_path / way, Selection(max_restriction=9, work=True), lambda *_: None)
        else:
            write_umls(meta, tmp_path / way, settings=Settings(), progress=lambda *_: None)
    finally:
        other.close()
    store = open_store(imported.settings(tmp_path / way, tmp_path / "kb"))
    try:
        assert store.migrate()
        assert store.migrate() == []
        assert fingerprint(store) == wanted
        assert load_vocabulary(store, meta, settings=Settings(), report=ReadReport()).changed == 0
    finally:
        store.close()
