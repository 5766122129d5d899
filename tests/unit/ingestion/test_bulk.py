"""CSV for the importer: what is written reads back the same by a reader of RFC 4180, and what cannot be is refused."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphkb.config import Settings
from graphkb.errors import IngestError
from ingestion.bulk import Column, DelimiterTaken, ImportFiles, write_umls
from ingestion.bulk.importer import candidates, free_delimiter
from tests.helpers import vocabulary as v

csv.field_size_limit(1 << 30)
TEXT = st.text(st.characters(codec="utf-8"))
BOTH = (Column("name", "string"), Column("names", "string[]"))


def written(folder: Path, rows: list[tuple[Any, ...]], columns: tuple[Column, ...] = BOTH) -> list[list[str]]:
    """Write nodes and read them back as an independent reader does, in order of their key."""
    files = ImportFiles(folder, ())
    try:
        files.nodes("Run", columns).write(rows)
        files.finish({})
    finally:
        files.discard()
    found = []
    for path in (folder / "csv").glob("*.csv"):
        if not path.name.endswith(".header.csv"):
            with path.open(encoding="utf-8", newline="") as handle:
                found += list(csv.reader(handle))
    return sorted(found)


@given(st.lists(st.tuples(TEXT, st.lists(TEXT))))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_text_reads_back(tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, list[str]]]) -> None:
    folder = tmp_path_factory.mktemp("csv") / "out"
    numbered = [(f"{n:04}", name, names) for n, (name, names) in enumerate(rows)]
    lists = [names for _, names in rows]
    refused = next(((n, names == [""]) for n, names in enumerate(lists, 1)
                    if names == [""] or any("\x1f" in name for name in names)), None)
    if refused is None:
        assert written(folder, numbered) == [
            [key, name, "\x1f".join(names)] for key, name, names in numbered]
    elif refused[1]:
        with pytest.raises(IngestError, match=rf"GKB-609.*a list of one empty string \(Run, row {refused[0]}\)"):
            written(folder, numbered)
    else:
        with pytest.raises(DelimiterTaken):
            written(folder, numbered)


def test_a_megabyte_and_every_code_point(tmp_path: Path) -> None:
    points = "".join(chr(p) for p in range(0x110000) if not 0xD800 <= p <= 0xDFFF)
    assert written(tmp_path / "out", [("1", points, []), ("2", "x" * 1_000_000 + "\\", ["a\\", 'b"', "\r\n"])]) == [
        ["1", points, ""], ["2", "x" * 1_000_000 + "\\", 'a\\\x1fb"\x1f\r\n']]
    options = (tmp_path / "out" / "import.args").read_text().splitlines()
    assert "--array-delimiter=U+001F" in options
    assert [o for o in options if o.startswith("--read-buffer-size=")] == [
        f"--read-buffer-size={max(4 << 20, 4 * (len(points) + 8) + (1 << 16))}"]
    # both rows hold a line end, so both lie in the file that is read slowly
    assert [o for o in options if "lines" in o] == [
        "--multiline-fields=csv/nodes_0000_Run.lines.csv",
        "--nodes=Run=csv/nodes_0000_Run.header.csv,csv/nodes_0000_Run.lines.csv"]


def test_empty_and_absent_differ(tmp_path: Path) -> None:
    files = ImportFiles(tmp_path / "out", ())
    files.nodes("Run", BOTH).write([("1", "", ["", ""]), ("2", None, None)])
    files.finish({})
    text = (tmp_path / "out" / "csv" / "nodes_0000_Run.csv").read_text()
    assert text == '"1","","\x1f"\n"2",,\n'
    header = (tmp_path / "out" / "csv" / "nodes_0000_Run.header.csv").read_text()
    assert header == "key:ID(Run),name:string,names:string[]\n"


def test_numbers(tmp_path: Path) -> None:
    columns = (Column("a", "long"), Column("b", "double"), Column("c", "boolean"), Column("d", "double[]"))
    rows = [("1", -(2**63), 1e-300, True, [0.1, float("inf"), float("-inf")]), ("2", 7, 3, False, None)]
    assert written(tmp_path / "out", rows, columns) == [
        ["1", "-9223372036854775808", "1e-300", "true", "0.1\x1fInfinity\x1f-Infinity"],
        ["2", "7", "3.0", "false", ""]]
    with pytest.raises(IngestError, match=r"GKB-609.*more than 64 bits \(Run, row 1\)"):
        written(tmp_path / "more", [("1", 2**63, 0.0, True, None)], columns)


@pytest.mark.parametrize("row", [("k", "\ud800", []), ("k", "x", ["\udfff"]), ("k", 1, []), ("k", "x", [1]),
                                 ("\udc00", "x", [])])
def test_what_is_no_text_is_refused_with_its_row(tmp_path: Path, row: tuple[Any, ...]) -> None:
    with pytest.raises(IngestError, match=r"GKB-609.*Run, row 3"):
        written(tmp_path / "out", [("a", "x", []), ("b", "y", []), row])
    assert list(tmp_path.iterdir()) == []


def test_another_delimiter_is_found() -> None:
    assert free_delimiter([["a\x1fb", "c"], "\x1e", None, 3]) == "\x1e"
    taken = "".join(candidates())
    assert free_delimiter([[taken[:-1]]]) == taken[-1]
    with pytest.raises(IngestError, match="GKB-609"):
        free_delimiter([[taken]])


@pytest.mark.parametrize("name", ["a`b", "a b", "A", "1a", "", "a:ID", "a,b", "a\n", "é", "x" * 65])
def test_names_are_of_the_closed_kind(tmp_path: Path, name: str) -> None:
    with pytest.raises(IngestError, match="GKB-609"):
        Column(name, "string")
    files = ImportFiles(tmp_path / "out", ("ISA",))
    with pytest.raises(IngestError, match="GKB-609"):
        files.nodes(name, ())
    with pytest.raises(IngestError, match="GKB-609"):
        files.relationships(name, "Concept", "Concept", ())
    with pytest.raises(IngestError, match="GKB-609"):
        files.relationships("ISA", "Concept", name, ())
    files.discard()


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("x")
    with pytest.raises(IngestError, match="GKB-610"):
        ImportFiles(tmp_path, ())
    assert [p.name for p in tmp_path.iterdir()] == ["mine.txt"]


def meta(folder: Path, *names: str, **tables: Any) -> Path:
    return v.write_meta(folder, MRCONSO=[v.atom("C9000001", f"A{n}", "S1", "1", name) for n, name in enumerate(names)],
                        MRSAB=[v.vocabulary("S1", sver="2026", imeta="2026AA")], **tables)


def test_umls_of_one_code(tmp_path: Path) -> None:
    report = write_umls(meta(tmp_path / "META", 'say "aah"', "a|b".replace("|", "/")), tmp_path / "out",
                        settings=Settings(), progress=lambda *_: None)
    assert report.state == "done"
    assert report.counts["created"] == {"sources": 1, "concepts": 1, "codes": 1, "code_links": 1, "relations": 0}
    code = next((tmp_path / "out" / "csv").glob("*_Code.csv")).read_text()
    assert '""aah""' in code
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["csv", "import.args", "import.json", "import.sh"]
    assert '"meta:release:2026AA","public",,"2026AA","2026-05-01"' in next(
        (tmp_path / "out" / "csv").glob("*_Meta.csv")).read_text()


def test_umls_with_the_delimiter_in_a_name(tmp_path: Path) -> None:
    write_umls(meta(tmp_path / "META", "odd\x1fname", "other\x1ename"), tmp_path / "out", settings=Settings(),
               progress=lambda *_: None)
    assert "--array-delimiter=U+001D" in (tmp_path / "out" / "import.args").read_text()
    assert '"odd\x1fname\x1dother\x1ename"' in next((tmp_path / "out" / "csv").glob("*_Code.csv")).read_text()


def test_a_broken_folder_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "META").mkdir()
    with pytest.raises(Exception, match="GKB-401"):
        write_umls(tmp_path / "META", tmp_path / "out", settings=Settings(), progress=lambda *_: None)
    assert [p.name for p in tmp_path.iterdir()] == ["META"]
