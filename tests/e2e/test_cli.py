"""Every command: help, JSON, exit codes, global options in both places; damage is found, what is derived mended."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog
import typer

from graphkb.cli import app as frame
from graphkb.cli import hoist
from graphkb.kb import KnowledgeBase
from graphkb.store import Store, open_store
from graphkb.store.fingerprint import fingerprint
from ingestion.sources import TextSource
from tests.helpers import corpus as c
from tests.helpers.cli import Cli
from tests.servers import Servers, free_port, raw, wipe

COMMANDS = (
    "init", "ingest", *(f"ingest {kind}" for kind in (
        "umls", "mimic", "jats", "medline", "text", "pdf", "pubtator", "bioc", "triples", "claims", "textbook")),
    "update", "retract", "upgrade", "upgrade umls", "cypher", "ask", "retrieve", "status", "check", "doctor", "config",
    "config show", "store", "store start", "store stop", "store info", "review", "review merges",
    *(f"review merges {what}" for what in ("find", "list", "accept", "reject", "undo")),
    "export", "demo")


@pytest.fixture(scope="module")
def filled(servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """The embedded store with a vocabulary and texts, vectors and local index included."""
    settings = c.fast(servers.settings("arcadedb"))
    corpus = c.write(tmp_path_factory.mktemp("cli"))
    store = open_store(settings)
    store.migrate()
    wipe(store)
    with KnowledgeBase(settings) as kb:
        kb.ingest_vocabulary(corpus.meta)
        kb.ingest(TextSource([corpus.texts]))
    yield store
    store.close()


@pytest.fixture
def cli(servers: Servers, capsys: pytest.CaptureFixture[str], tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch) -> Iterator[Cli]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRAPHKB_CHUNK__THRESHOLD", "none")
    yield Cli(capsys, servers.settings("arcadedb").data_dir)
    structlog.reset_defaults()


def registered() -> list[str]:
    frame._register()

    def walk(app: typer.Typer, prefix: str) -> Iterator[str]:
        for command in app.registered_commands:
            assert command.callback is not None
            yield prefix + (command.name or command.callback.__name__)
        for group in app.registered_groups:
            assert group.typer_instance is not None
            yield f"{prefix}{group.name}"
            yield from walk(group.typer_instance, f"{prefix}{group.name} ")

    return sorted(set(walk(frame.app, "")))


def test_every_command_has_help(cli: Cli) -> None:
    assert registered() == sorted(COMMANDS)
    for command in ("", *COMMANDS):
        result = cli(*command.split(), "--help")
        assert result.code == 0
        assert "Usage: graphkb" in result.out
    assert cli("--version").out.startswith("graphkb ")


def test_hoist_moves_what_every_command_knows() -> None:
    assert hoist(["status", "--data-dir", "x", "--json", "-q"]) == ["--data-dir", "x", "-q", "status", "--json"]
    assert hoist(["cypher", "--store=bolt://h", "--", "--scope"]) == ["--store=bolt://h", "cypher", "--", "--scope"]


@pytest.mark.parametrize(("arguments", "code"), [
    ((), 2), (("nothing",), 2), (("status", "--no-such"), 2), (("ingest", "text"), 2),
    (("--config", "no.toml", "status"), 2),
    (("cypher", "CREATE (n)"), 2), (("cypher", "MATCH (n"), 2), (("cypher", "RETURN 1", "--param", "x"), 2),
    (("--scope", "No Scope", "status"), 2), (("ask", ""), 1), (("ask", "Why?", "--patient", "1"), 1),
    (("ask", "Why?", "--method", "magic"), 1), (("ingest", "text", "x.txt", "--tier", "other"), 2),
])
def test_wrong_use(cli: Cli, filled: Store, arguments: tuple[str, ...], code: int) -> None:
    result = cli(*arguments)
    assert result.code == code, result.err
    assert result.err or not arguments


def test_status(cli: Cli, filled: Store) -> None:
    found = cli("status", "--json", "--fingerprint").json()
    assert found["fingerprint"] == fingerprint(filled)
    assert (found["nodes"]["Document"], found["nodes"]["Concept"]) == (3, 6)
    assert found["waiting"] == {}
    assert [run["state"] for run in found["runs"]] == ["done", "done"]
    assert {run["command"] for run in found["runs"]} == {"text", "ingest umls"}
    assert found["store"]["kind"] == "embedded"
    assert "password" not in str(found).lower()
    plain = cli("status")
    assert "waiting: nothing" in plain.out


def test_cypher_forms(cli: Cli, filled: Store, tmp_path: Path) -> None:
    query = "MATCH (c:Concept) WHERE c.key = $key RETURN c.key AS k, c.name AS n"
    (tmp_path / "q.cypher").write_text(query + ";\n")
    for given in (query, "q.cypher"):
        assert cli("cypher", "--json", given, "--param", f"key={c.HTN}").lines() == [{"k": c.HTN, "n": "Hypertension"}]
    assert cli("cypher", "--csv", query, "--param", f"key={c.HTN}").out.splitlines() == ["k,n", f"{c.HTN},Hypertension"]
    assert cli("cypher", "--json", "MATCH (c:Concept) RETURN count(c) AS n").out == '{"n": 6}\n'
    cut = cli("cypher", "--json", "--limit", "2", "MATCH (c:Concept) RETURN c.key AS k ORDER BY k")
    assert (len(cut.lines()), "cut at 2 rows" in cut.err) == (2, True)
    assert cli("cypher", "--explain", query, "--param", "key=x").code == 0


def test_retrieve_and_ask(cli: Cli, filled: Store) -> None:
    pieces = cli("retrieve", "What treats hypertension?", "--json").lines()
    assert pieces[0]["n"] == 1
    assert "lisinopril" in pieces[0]["text"].lower() or "prinivil" in pieces[0]["text"].lower()
    answer = cli("ask", "What treats headache?", "--json").json()
    assert {"answer", "abstained", "sentences", "evidence", "confidence"} <= answer.keys()


def test_config_show_and_init(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cli("init", tmp_path / "new").code == 0
    assert cli("init", tmp_path / "new").code == 2
    monkeypatch.setenv("GRAPHKB_STORE__PASSWORD", "hunter2hunter2")
    result = cli("config", "show", "--json", "--config", tmp_path / "new" / "graphkb.toml")
    rows = {row["name"]: row for row in result.lines()}
    assert "hunter2" not in result.out + result.err
    assert rows["data_dir"]["value"] == str(cli.data_dir)
    assert rows["chunk.threshold"]["value"] == "none"


def test_store_info_start_and_doctor(cli: Cli, filled: Store) -> None:
    started, info = cli("store", "start", "--json").json(), cli("store", "info", "--json").json()
    assert (started["running"], started["uri"]) == (True, info["uri"])
    found = cli("doctor", "--json")
    assert found.code == 0, found.out
    assert found.json()["ok"] is True


def test_a_store_that_is_down_or_refuses(cli: Cli, monkeypatch: pytest.MonkeyPatch, servers: Servers) -> None:
    down = cli("status", "--store", f"bolt://127.0.0.1:{free_port()}")
    assert (down.code, "GKB-201" in down.err) == (1, True)
    uri = cli("store", "start", "--json").json()["uri"]
    monkeypatch.setenv("GRAPHKB_STORE__PASSWORD", "not-the-password")
    monkeypatch.setenv("GRAPHKB_STORE__USER", "root")
    refused = cli("status", "--store", uri)
    assert (refused.code, "GKB-202" in refused.err) == (1, True), refused.err
    assert "not-the-password" not in refused.err


def damage(store: Store, statement: str) -> None:
    assert raw(store, statement) != [{"n": 0}]


def problems(cli: Cli, *more: str) -> dict[str, Any]:
    result = cli("check", "--json", *more)
    found = result.json()
    assert result.code == (0 if found["ok"] else 4)
    return {item["check"]: item for item in found["problems"]}


def test_check_finds_damage_and_mends_what_is_derived(cli: Cli, filled: Store) -> None:
    assert problems(cli) == {}
    before = fingerprint(filled)

    damage(filled, "MATCH (c:Chunk) WITH c ORDER BY c.key LIMIT 1 SET c.embedding = null RETURN count(c) AS n")
    assert "check_vectors_there" in problems(cli)
    assert problems(cli, "--repair") == {}

    segment = sorted((cli.data_dir / "index" / "chunks").glob("seg-*/vectors.npy"))[0]
    segment.unlink()
    lost = cli("check", "--json")
    assert lost.code != 0
    assert problems(cli, "--repair") == {}
    assert problems(cli) == {}
    assert fingerprint(filled) == before

    damage(filled, "MATCH (:Statement)-[e:EVIDENCED_BY]->(:Chunk) DELETE e RETURN count(e) AS n")
    found = problems(cli, "--repair")
    assert "check_statements_backed" in found, "what is not derived is told, not mended"
    assert found["check_statements_backed"]["repairable"] is False
