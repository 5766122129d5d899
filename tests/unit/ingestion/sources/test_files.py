"""Files that cannot be read are told apart, by file and row."""

from __future__ import annotations

import contextlib
import csv
import gzip
import io
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphkb.errors import InputError
from graphkb.model import ReadReport
from ingestion.sources import files

CELL = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=12)


def write(path: Path, data: bytes | str) -> Path:
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def code_of(path: Path) -> tuple[str, str]:
    with pytest.raises(InputError) as caught:
        files.read_text(path)
    return caught.value.code, caught.value.where


def test_text_is_exactly_what_stands_in_the_file(tmp_path: Path) -> None:
    text = "a\r\nb\rc\n\u00a0\u2028d\n\n"
    assert files.read_text(write(tmp_path / "a.txt", text)) == text
    assert files.read_text(write(tmp_path / "b.txt", b"\xef\xbb\xbf" + text.encode())) == text
    assert files.read_text(write(tmp_path / "no-gz-in-the-name", gzip.compress(text.encode()))) == text


def test_each_fault_has_its_code_and_place(tmp_path: Path) -> None:
    missing = tmp_path / "missing.txt"
    assert code_of(missing) == ("GKB-401", str(missing))
    assert code_of(tmp_path)[0] == "GKB-401"
    assert code_of(write(tmp_path / "empty.txt", b""))[0] == "GKB-402"
    assert code_of(write(tmp_path / "empty.gz", gzip.compress(b"")))[0] == "GKB-402"
    latin = write(tmp_path / "latin.txt", "one\ntwo\nM\xe9ni\xe8re".encode("latin-1"))
    assert code_of(latin) == ("GKB-403", f"{latin}, line 3")
    whole = gzip.compress(b"some text " * 1000)
    assert code_of(write(tmp_path / "cut.gz", whole[:-12]))[0] == "GKB-404"
    assert code_of(write(tmp_path / "bad.gz", whole[:20] + bytes(8) + whole[28:]))[0] == "GKB-404"


def test_a_large_file_is_refused_before_it_fills_memory(tmp_path: Path) -> None:
    bomb = write(tmp_path / "bomb.gz", gzip.compress(b"0" * 5_000_000))
    with pytest.raises(InputError, match=r"GKB-410.*ingest\.max_document_bytes"):
        files.read_text(bomb, max_bytes=1000)


def rows(path: Path) -> list[tuple[int, dict[str, str], str]]:
    return [(row.number, row.fields, row.code) for row in files.Table(path, ["a"], ["b", "c"]).rows()]


def test_malformed_rows_come_with_their_number_and_the_rest_goes_on(tmp_path: Path) -> None:
    table = write(tmp_path / "t.csv", 'x,a,b\n1,2,3\n1,2\n\n1,"two\nlines",3\n1,"2"x,3\n1,2,3,4\n1,\0,3\n7,8,9\n')
    assert rows(table) == [
        (1, {"a": "2", "b": "3", "c": ""}, ""), (2, {}, "GKB-406"), (3, {"a": "two\nlines", "b": "3", "c": ""}, ""),
        (4, {}, "GKB-406"), (5, {}, "GKB-406"), (6, {}, "GKB-407"), (7, {"a": "8", "b": "9", "c": ""}, "")]


def test_a_table_of_another_shape_or_cut_off_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"GKB-405.*missing columns: a"):
        rows(write(tmp_path / "t.csv", "x,y\n1,2\n"))
    with pytest.raises(InputError, match=r"GKB-404.*quoted field.*after row 1"):
        rows(write(tmp_path / "u.csv", 'a,b\n1,2\n1,"cut o'))
    body = "a,b\n" + "".join(f"{i},{i * i}\n" for i in range(20_000))
    with pytest.raises(InputError, match=r"GKB-404.*after row \d+"):
        rows(write(tmp_path / "v.csv.gz", gzip.compress(body.encode())[:-2000]))
    with pytest.raises(InputError, match=r"GKB-403.*after row \d+"):
        rows(write(tmp_path / "w.csv", b"a,b\n" + b"1,2\n" * 9000 + b"\xe9,4\n"))


@given(st.lists(st.lists(CELL, min_size=3, max_size=3), max_size=6))
def test_any_table_that_csv_writes_is_read_back(tmp_path_factory: pytest.TempPathFactory,
                                                table: list[list[str]]) -> None:
    out = io.StringIO(newline="")
    writer = csv.writer(out, quoting=csv.QUOTE_ALL)
    writer.writerow(["a", "b", "c"])
    writer.writerows(table)
    path = write(tmp_path_factory.mktemp("t") / "t.csv", out.getvalue())
    assert [list(fields.values()) for _, fields, _ in rows(path)] == table


@given(st.binary(max_size=200))
def test_no_bytes_crash_the_reader(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = write(tmp_path_factory.mktemp("t") / "t.csv", b"a,b\n" + data)
    numbers: list[int] = []
    with contextlib.suppress(InputError):
        numbers += [number for number, _, _ in rows(path)]
    assert numbers == list(range(1, len(numbers) + 1))


def test_files_are_found_once_and_in_a_fixed_order(tmp_path: Path) -> None:
    for name in ("b.txt", "a/c.md", "a.txt", "x.csv"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        write(tmp_path / name, "x")
    (tmp_path / "empty").mkdir()
    report = ReadReport()
    found = list(files.find([tmp_path / "x.csv", tmp_path, tmp_path / "b.txt", tmp_path / "empty", tmp_path / "no"],
                            (".txt", ".md"), report))
    assert [path.relative_to(tmp_path).as_posix() for path in found] == ["x.csv", "a.txt", "a/c.md", "b.txt"]
    assert [(example.code, Path(example.file).name) for example in report.examples] == \
        [("GKB-402", "empty"), ("GKB-401", "no")]


def test_a_name_that_is_not_utf8_is_rejected_and_the_others_go_on(tmp_path: Path) -> None:
    (tmp_path / "good.md").write_text("Aspirin.", encoding="utf-8")
    try:
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff.md")).write_text("Heparin.", encoding="utf-8")
    except OSError:
        pytest.skip("this file system takes only UTF-8 names")
    report = ReadReport()
    assert [path.name for path in files.find([tmp_path], (".md",), report)] == ["good.md"]
    (rejection,) = report.examples
    assert rejection.code == "GKB-403"
    assert rejection.file.endswith(r"bad\xff.md")
