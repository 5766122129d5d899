"""Bugs 10 and 19 from end to end: a note through the command, its mentions' states read back by a named query."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from graphkb import ids
from graphkb.kb import KnowledgeBase
from graphkb.store import open_store
from tests.helpers import corpus as c
from tests.helpers import vocabulary as v
from tests.helpers.cli import Cli
from tests.servers import Servers, wipe

DISEASES = ("diabetes", "hypertension", "psychosis", "glaucoma", "pneumonia", "effusion", "MI", "PE",
            "asthma", "breast cancer")
DRUGS = ("penicillins", "warfarin", "apixaban")
NEGATED = ("Patient suffers from diabetes. Denies hypertension, psychosis and glaucoma. No evidence of pneumonia or "
           "effusion. Father had MI. Rule out PE. History of asthma.\n")
SECTIONS = ("Allergies: Penicillins\nFamily History: Mother - breast cancer\nMedications on Admission: warfarin\n"
            "Discharge Medications: apixaban 5 mg; STOP warfarin\n")


@pytest.fixture
def cli(servers: Servers, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
        tmp_path: Path) -> Iterator[Cli]:
    settings = servers.settings("arcadedb")
    store = open_store(settings)
    store.migrate()
    wipe(store)
    store.close()
    monkeypatch.setenv("GRAPHKB_CHUNK__THRESHOLD", "none")
    names = [*((name, "T047") for name in DISEASES), *((name, "T121") for name in DRUGS)]
    meta = v.write_meta(
        tmp_path / "META",
        MRCONSO=[v.atom(f"C92000{n:02}", f"A{n}", "S1", str(n), name) for n, (name, _) in enumerate(names)],
        MRSTY=[v.semantic_type(f"C92000{n:02}", type_) for n, (_, type_) in enumerate(names)],
        MRSAB=[v.vocabulary("S1", sver="2026")])
    run = Cli(capsys, settings.data_dir)
    assert run("ingest", "umls", meta).code == 0
    yield run
    structlog.reset_defaults()


def states(cli: Cli, servers: Servers, note: Path) -> set[tuple[str, str, str, str]]:
    result = cli("ingest", "text", note, "--tier", "user", "--patient", "99000001", "--no-vectors")
    assert result.code == 0, result.err
    with KnowledgeBase(c.fast(servers.settings("arcadedb"))) as kb:
        rows = kb.run("list_mentions_of_patients", patients=[ids.patient("99000001", "local")], types=[], concepts=[])
    return {(row["name"], row["assertion"], row["experiencer"], row["temporality"]) for row in rows}


def test_every_item_of_a_negated_list_is_negated(cli: Cli, servers: Servers, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text(NEGATED)
    found = states(cli, servers, tmp_path / "note.txt")
    absent = {(name, "absent", "patient", "current") for name in ("hypertension", "psychosis", "glaucoma", "pneumonia",
                                                                  "effusion")}
    assert found >= absent | {
        ("diabetes", "present", "patient", "current"), ("asthma", "present", "patient", "historical"),
        ("mi", "present", "family", "current"), ("pe", "possible", "patient", "current")}
    assert len(found) == 9, "each name in one state"


def test_a_section_keeps_its_meaning(cli: Cli, servers: Servers, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text(SECTIONS)
    found = states(cli, servers, tmp_path / "note.txt")
    assert ("breast cancer", "present", "family", "current") in found
    assert ("warfarin", "present", "patient", "historical") in found
    assert ("warfarin", "present", "patient", "stopped") in found
    current = {name for name, *state in found if state == ["present", "patient", "current"]}
    assert current == {"apixaban"}, "what the patient takes now"
