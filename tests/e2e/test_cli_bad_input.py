"""Bad input through the commands: a coded message naming file and row, the rest goes on, the next run resumes."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from graphkb.store import open_store
from tests.helpers import corpus as c
from tests.helpers.cli import Cli, Result
from tests.servers import Servers, raw, wipe


@pytest.fixture
def cli(servers: Servers, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Cli]:
    settings = servers.settings("arcadedb")
    store = open_store(settings)
    store.migrate()
    wipe(store)
    store.close()
    monkeypatch.setenv("GRAPHKB_CHUNK__THRESHOLD", "none")
    yield Cli(capsys, settings.data_dir)
    structlog.reset_defaults()


def reasons(result: Result) -> dict[str, list[tuple[int | None, str]]]:
    """What was rejected: (row, code) by file name."""
    found: dict[str, list[tuple[int | None, str]]] = {}
    for item in result.json()["rejections"]:
        found.setdefault(Path(item["file"]).name, []).append((item["row"], item["code"]))
    return found


def documents(result: Result) -> dict[str, int]:
    return {name: n for name, n in result.json()["documents"].items() if n}


def test_texts(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a-good.txt").write_text("Aspirin treats headache.")
    (tmp_path / "b-same.txt").write_text("Aspirin treats headache.")
    (tmp_path / "c-empty.txt").write_text("")
    (tmp_path / "d-latin.txt").write_bytes("Caf\xe9 au lait".encode("latin-1"))
    (tmp_path / "e-binary.txt").write_bytes(b"PK\x03\x04\x00\x00")
    (tmp_path / "f-blank.md").write_text("---\ntitle: Nothing\n---\n\n  \n")
    (tmp_path / "g-short.txt.gz").write_bytes(gzip.compress(b"A text that is cut off in the middle." * 9)[:-12])
    (tmp_path / "h-good.md").write_text("# Other\n\nMetformin treats diabetes.")
    command = ("ingest", "text", tmp_path, tmp_path / "i-missing.txt", "--no-vectors", "--json")
    first = cli(*command)
    assert first.code == 3
    assert reasons(first) == {
        "c-empty.txt": [(None, "GKB-402")], "d-latin.txt": [(None, "GKB-403")],
        "e-binary.txt": [(None, "GKB-405")], "f-blank.md": [(None, "GKB-408")], "g-short.txt.gz": [(None, "GKB-404")],
        "i-missing.txt": [(None, "GKB-401")]}
    assert documents(first) == {"created": 2, "unchanged": 1}
    rows = first.json()["rows"]
    assert sum(rows["in"].values()) == sum(rows["kept"].values()) + sum(rows["rejected"].values())
    (tmp_path / "d-latin.txt").write_text("Café au lait")
    second = cli(*command)
    assert (second.code, documents(second)) == (3, {"unchanged": 3, "created": 1})
    assert "d-latin.txt" not in reasons(second)


def test_nothing_that_can_be_taken_is_an_error(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("")
    for kind, path, code in (("text", tmp_path, "GKB-402"), ("text", tmp_path / "no", "GKB-401"),
                             ("jats", tmp_path / "no.xml", "GKB-401"), ("mimic", tmp_path / "no", "GKB-401"),
                             ("umls", tmp_path / "no", "GKB-401")):
        result = cli("ingest", kind, path)
        assert result.code == 1, (kind, result.err)
        assert code in result.err or code in result.out
        assert "error: [GKB-" in result.err
    assert [run["state"] for run in cli("status", "--json").json()["runs"]] == ["failed"] * 5


def test_an_article_that_ends_too_early(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "1.xml").write_text(c.ARTICLE.format(n=1))
    (tmp_path / "2.xml").write_text(c.ARTICLE.format(n=2)[:-200])
    (tmp_path / "3.xml").write_text("<html><body>no article</body></html>")
    result = cli("ingest", "jats", tmp_path, "--no-vectors", "--json")
    assert (result.code, documents(result)) == (3, {"created": 1})
    assert {name: codes[0][1] for name, codes in reasons(result).items()} == {"2.xml": "GKB-404", "3.xml": "GKB-405"}


def test_tables(cli: Cli, tmp_path: Path) -> None:
    mimic = c.write(tmp_path).mimic
    hosp, note = mimic / "hosp", mimic / "note" / "discharge.csv"
    with (hosp / "diagnoses_icd.csv").open("a") as out:
        out.write("99000001,88000001,3\n99000009,88000009,1,4019,9\n")
    with (hosp / "prescriptions.csv").open("a") as out:
        out.write("99000001,,2180-01-03 01:00:00,,MAIN,Aspirin,1,mg,PO\n")
    with note.open("a") as out:
        out.write('99000001-DS-2,99000001,88000001,DS,2,2180-01-04 00:00:00,2180-01-04 00:00:00,"  "\n'
                  '99000001-DS-1,99000001,88000001,DS,1,2180-01-04 00:00:00,2180-01-04 00:00:00,"again"\n')
    result = cli("ingest", "mimic", mimic, "--no-vectors", "--json")
    assert result.code == 3
    assert reasons(result) == {"diagnoses_icd.csv": [(4, "GKB-406"), (5, "GKB-409")],
                               "discharge.csv": [(3, "GKB-408"), (4, "GKB-411")]}
    assert documents(result) == {"created": 5}, "two admissions, one patient's row without one, two notes"
    again = cli("ingest", "mimic", mimic, "--no-vectors", "--json")
    assert (again.code, documents(again)) == (3, {"unchanged": 5})
    loose = cli("cypher", "--json", "MATCH (p:Patient)-[f:PRESCRIBED]->() RETURN p.subject_id AS s, f.name AS n")
    assert loose.lines() == [{"s": "99000001", "n": "Aspirin"}]


@pytest.mark.parametrize(("table", "content", "code", "orders", "diagnoses"), [
    ("diagnoses_icd", b"subject_id,code\n1,2\n", "GKB-405", 3, 0),
    ("prescriptions", c.TABLES["prescriptions"].encode() + b"99000001,88000001,,,MAIN,Caf\xe9,1,mg,PO\n", "GKB-403",
     0, 3),
])
def test_a_table_that_cannot_be_read_is_rejected_whole_and_the_rest_goes_on(
        cli: Cli, tmp_path: Path, table: str, content: bytes, code: str, orders: int, diagnoses: int) -> None:
    mimic = c.write(tmp_path).mimic
    (mimic / "hosp" / f"{table}.csv").write_bytes(content)
    result = cli("ingest", "mimic", mimic, "--no-vectors", "--json")
    assert result.code == 3
    assert {name: codes[-1][1] for name, codes in reasons(result).items()} == {f"{table}.csv": code}
    found = {kind: cli("cypher", "--json", f"MATCH (:Encounter)-[f:{kind}]->() RETURN count(f) AS n").lines()
             for kind in ("PRESCRIBED", "HAS_DIAGNOSIS")}
    assert found == {"PRESCRIBED": [{"n": orders}], "HAS_DIAGNOSIS": [{"n": diagnoses}]}


def test_without_admissions_there_is_nothing(cli: Cli, tmp_path: Path) -> None:
    mimic = c.write(tmp_path).mimic
    (mimic / "hosp" / "admissions.csv").write_bytes(b"")
    result = cli("ingest", "mimic", mimic, "--no-vectors")
    assert result.code == 1
    assert "GKB-402" in result.err
    assert "admissions.csv" in result.err
    assert cli("cypher", "--json", "MATCH (d:Document) RETURN count(d) AS n").lines() == [{"n": 0}]


def test_a_vocabulary_with_bad_lines(cli: Cli, tmp_path: Path) -> None:
    meta = c.write_meta(tmp_path / "META")
    with (meta / "MRCONSO.RRF").open("ab") as out:
        out.write(b"C9100001|ENG|P\n")
        out.write(b"C9100001|ENG|P|L9|PF|S9|Y|A99||||S1|PT|9|Caf\xe9|0|N|256|\n")
    result = cli("ingest", "umls", meta, "--json")
    assert result.code == 3, result.err
    assert reasons(result) == {"MRCONSO.RRF": [(11, "GKB-406"), (12, "GKB-403")]}
    assert cli("cypher", "--json", "MATCH (c:Concept) RETURN count(c) AS n").lines() == [{"n": 6}]
    (meta / "MRCONSO.RRF").unlink()
    gone = cli("ingest", "umls", meta)
    assert gone.code == 1
    assert "MRCONSO" in gone.err


def test_a_document_over_the_limit(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "long.txt").write_text("A sentence of a long text. " * 100)
    (tmp_path / "short.txt").write_text("A short text.")
    monkeypatch.setenv("GRAPHKB_INGEST__MAX_DOCUMENT_BYTES", "1000")
    result = cli("ingest", "text", tmp_path, "--no-vectors", "--json")
    assert (result.code, reasons(result)) == (3, {"long.txt": [(None, "GKB-410")]})
    monkeypatch.delenv("GRAPHKB_INGEST__MAX_DOCUMENT_BYTES")
    assert documents(cli("ingest", "text", tmp_path, "--no-vectors", "--json")) == {"unchanged": 1, "created": 1}


def test_nothing_of_a_rejected_record_is_in_the_messages(cli: Cli, tmp_path: Path, servers: Servers) -> None:
    """T6, a sample: thirty identifiers, in good text, in bad rows and in questions; files of the run, too."""
    planted = [f"Xyzzyq{n:02}" for n in range(30)]
    mimic = c.write(tmp_path).mimic
    with (mimic / "hosp" / "prescriptions.csv").open("a") as out:
        for name in planted[:10]:
            out.write(f"99000001,{name},{name},,MAIN,{name},1,mg,PO\n{name},,\n")
    with (mimic / "note" / "discharge.csv").open("a") as out:
        for name in planted[10:15]:
            out.write(f'{name},{name},88000001,DS,2,2180-01-04 00:00:00,2180-01-04 00:00:00,"{name} came."\n')
    for name in planted[15:20]:
        (tmp_path / "notes" / f"{planted.index(name)}.md").write_text(f"---\npatient: {name}\n---\n{name} was seen.\n")
    (tmp_path / "notes" / "good.md").write_text("---\npatient: 99000001\n---\n" + " ".join(planted) + " were seen.\n")
    said = [cli("ingest", "mimic", mimic, "--no-vectors"), cli("ingest", "text", tmp_path / "notes", "--tier", "user")]
    assert [result.code for result in said] == [3, 3]
    said += [cli("ask", f"Who is {name}?", "--patient", name) for name in planted[20:23]]
    said += [cli("cypher", f"MATCH (n {{name: '{name}'}} RETURN n") for name in planted[23:25]]
    said += [cli("cypher", f"CREATE (n {{name: '{name}'}})") for name in planted[25:27]]
    said += [cli("cypher", "MATCH (n) RETURN n.name + $x / 0", "--param", f"x={name}") for name in planted[27:]]
    assert [result.code for result in said[2:]] == [1] * 3 + [2] * 7
    texts = [result.err for result in said] + [result.out for result in said]
    texts += [path.read_text(errors="replace") for path in (cli.data_dir / "runs").iterdir()]
    texts += [path.read_text(errors="replace") for path in (cli.data_dir / "store").rglob("*.log*") if path.is_file()]
    store = open_store(servers.settings("arcadedb"))
    texts += [str(row) for row in raw(store, "MATCH (r:Run) RETURN properties(r) AS p")]
    store.close()
    assert len(texts) > 20
    assert [name for name in planted if any(name in text for text in texts)] == []
