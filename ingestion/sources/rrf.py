"""The files of a META folder as blocks of rows: plain, gzip or split, with the columns as MRFILES orders them.

A block of about a megabyte is decoded and split at once; where one of its rows is not whole, the block is read again
row by row, so that exactly that row is rejected. Layouts: UMLS Reference Manual, chapter "Metathesaurus - Rich Release
Format". Every field ends with ``|``.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from graphkb.errors import InputError
from graphkb.model.records import ReadReport
from ingestion.sources.files import open_binary

# table -> its columns, in the usual order
COLUMNS: dict[str, list[str]] = {table: columns.split() for table, columns in {
    "MRCONSO": "CUI LAT TS LUI STT SUI ISPREF AUI SAUI SCUI SDUI SAB TTY CODE STR SRL SUPPRESS CVF",
    "MRSTY": "CUI TUI STN STY ATUI CVF",
    "MRDEF": "CUI AUI ATUI SATUI SAB DEF SUPPRESS CVF",
    "MRREL": "CUI1 AUI1 STYPE1 REL CUI2 AUI2 STYPE2 RELA RUI SRUI SAB SL RG DIR SUPPRESS CVF",
    "MRSAB": "VCUI RCUI VSAB RSAB SON SF SVER VSTART VEND IMETA RMETA SLC SCC SRL TFR CFR CXTY TTYL ATNL LAT CENC"
             " CURVER SABIN SSN SCIT",
    "MRCUI": "CUI1 VER REL RELA MAPREASON CUI2 MAPIN",
    "MRRANK": "RANK SAB TTY SUPPRESS",
    "MRSAT": "CUI LUI SUI METAUI STYPE CODE ATUI SATUI ATN SAB ATV SUPPRESS CVF",
    "MRDOC": "DOCKEY VALUE TYPE EXPL",
    "MRFILES": "FIL DES FMT CLS RWS BTS",
}.items()}
# what the graph lacks without a table; the others are not missed
WHAT = {"MRSAB": "no versions or licences of vocabularies", "MRSTY": "no semantic types",
        "MRDEF": "no definitions", "MRREL": "no relations"}
_BLOCK = 1 << 20
_LONGEST = 64 * _BLOCK
_BOM = b"\xef\xbb\xbf"
_PART = re.compile(r"\.RRF\.([a-z]{2})(\.gz)?")


class RrfFiles:
    """The files of one META folder.

    Parameters
    ----------
    folder : Path
        Holds ``MRCONSO.RRF``, ``MRCONSO.RRF.gz`` or its parts ``MRCONSO.RRF.aa.gz``, ``.ab.gz``, and so the others.
    report : ReadReport
        Takes rejected rows and notes about absent files.

    Raises
    ------
    InputError
        GKB-401: no such folder, no MRCONSO in it, or a part is missing. GKB-405: MRFILES lacks a needed column.
    """

    def __init__(self, folder: Path, report: ReadReport) -> None:
        self.folder = folder
        self.report = report
        if not folder.is_dir():
            raise InputError("GKB-401", where=str(folder), detail="a META folder is needed")
        self._parts = {table: self._find(table) for table in COLUMNS}
        if not self._parts["MRCONSO"]:
            raise InputError("GKB-401", where=str(folder / "MRCONSO.RRF"),
                             detail="neither it nor MRCONSO.RRF.gz nor parts of it (MRCONSO.RRF.aa.gz)")
        self._order = dict(COLUMNS)
        self._rows_said: dict[str, int] = {}
        if self._parts["MRFILES"]:
            self._read_layout()

    def _find(self, table: str) -> list[Path]:
        for name in (f"{table}.RRF", f"{table}.RRF.gz"):
            if (self.folder / name).is_file():
                return [self.folder / name]
        found = sorted((match[1], path) for path in self.folder.glob(f"{table}.RRF.*")
                       if (match := _PART.fullmatch(path.name.removeprefix(table))))
        for number, (part, path) in enumerate(found):
            if part != chr(ord("a") + number // 26) + chr(ord("a") + number % 26):
                raise InputError("GKB-401", where=str(path), detail="the part before it is not there, or it is twice")
        return [path for _, path in found]

    def _read_layout(self) -> None:
        for _, file, columns, rows in self.rows("MRFILES", ("FIL", "FMT", "RWS")):
            table = file.removesuffix(".RRF")
            if table not in COLUMNS or table == "MRFILES" or not file.endswith(".RRF"):
                continue
            listed = columns.split(",")
            if missing := [column for column in COLUMNS[table] if column not in listed and column != "CVF"]:
                raise InputError("GKB-405", where=self.file("MRFILES"),
                                 detail=f"{file} is of another release: no column {', '.join(missing)}")
            self._order[table] = listed
            if rows.isascii() and rows.isdigit():
                self._rows_said[table] = int(rows)

    def has(self, table: str) -> bool:
        """Whether a table is there."""
        return bool(self._parts[table])

    def file(self, table: str) -> str:
        """Return the name under which the report counts a table's rows."""
        parts = self._parts[table]
        return parts[0].name if len(parts) == 1 else f"{table}.RRF"

    def rows(self, table: str, columns: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """Yield the row number (1-based) and the named fields of every row that has the right number of them.

        Raises
        ------
        InputError
            GKB-402 (an empty MRCONSO; an empty optional file is a note), GKB-404 (a gzip stream that is cut off or
            damaged, with the last whole row), GKB-405 (rows, but not one of the table's shape).
        """
        parts, file = self._parts[table], self.file(table)
        if not parts:
            if table in WHAT:
                self.report.notes.append(f"[GKB-401] {table} is not there: {WHAT[table]}")
            return
        order = self._order[table]
        places = [order.index(column) for column in columns]
        number = good = 0
        for block in self._blocks(table, parts):
            first = number + 1
            number += block.count(b"\n")
            fields = _split(block, len(order), first == 1)
            if fields is None:
                for at, one in self._singly(file, first, block, len(order)):
                    good += 1
                    yield at, *(one[place] for place in places)
            else:
                good += number - first + 1
                yield from zip(range(first, number + 1), *(fields[place::len(order)] for place in places), strict=True)
        self._judge(table, parts[0], number, good)

    def _judge(self, table: str, path: Path, number: int, good: int) -> None:
        if number == 0:
            if table == "MRCONSO":
                raise InputError("GKB-402", where=str(path))
            self.report.notes.append(f"[GKB-402] {path.name} is empty: {WHAT.get(table, 'nothing is taken from it')}")
        elif good == 0:
            raise InputError("GKB-405", where=str(path), detail=f"not one of {number} rows has the fields of {table}")
        elif self._rows_said.get(table, number) != number:
            self.report.notes.append(f"[GKB-405] {path.name} has {number} rows, MRFILES says {self._rows_said[table]}")

    def _blocks(self, table: str, parts: Sequence[Path]) -> Iterator[bytes]:
        """Yield whole lines, each with its newline, about a megabyte at once; a row may go over into the next part."""
        rest, done = b"", 0
        for path in parts:
            try:
                with open_binary(path) as handle:
                    while block := handle.read(_BLOCK):
                        end = block.rfind(b"\n") + 1
                        if end:
                            done += block.count(b"\n")
                            yield rest + block[:end]
                            rest = block[end:]
                        else:
                            rest += block
                        if len(rest) > _LONGEST:
                            raise InputError("GKB-405", where=str(path), detail=f"a row of more than {_LONGEST} bytes")
            except (EOFError, gzip.BadGzipFile, zlib.error):
                raise InputError("GKB-404", where=f"{path}, after row {done}",
                                 detail="the gzip stream is cut off or damaged") from None
            except InputError as error:
                if error.code != "GKB-402":
                    raise
        if rest:
            yield rest + b"\n"

    def _singly(self, file: str, first: int, block: bytes, width: int) -> Iterator[tuple[int, list[str]]]:
        for number, raw in enumerate(block.split(b"\n")[:-1], first):
            fields = self._fields(file, number, raw, width)
            if fields is not None:
                yield number, fields

    def _fields(self, file: str, number: int, raw: bytes, width: int) -> list[str] | None:
        if number == 1:
            raw = raw.removeprefix(_BOM)
        try:
            line = raw.decode("utf-8")
        except UnicodeDecodeError:
            self.report.reject(file, number, "GKB-403", "the row is not valid UTF-8")
            return None
        fields = line.removesuffix("\r").split("|")
        if len(fields) != width + 1 or fields[-1]:
            # told apart from a whole row also where the last line was cut off: every field ends with a bar
            few = "few" if len(fields) <= width else "many"
            self.report.reject(file, number, "GKB-406", f"too {few} fields, {width} are needed, each ended by a bar")
            return None
        if "\0" in line:
            self.report.reject(file, number, "GKB-407", "a NUL character")
            return None
        return fields


def _split(block: bytes, width: int, first: bool) -> list[str] | None:
    """Return all fields of a block's rows one after the other, or None where a row is not whole."""
    if first:
        block = block.removeprefix(_BOM)
    if b"\0" in block or b"\r" in block:
        return None
    try:
        text = block.decode("utf-8")
    except UnicodeDecodeError:
        return None
    rows = text.count("\n")
    fields = text.split("|")
    # a field that starts with a newline is the first of its row: they are where they belong if all rows are whole
    if len(fields) != rows * width + 1 or fields.pop() != "\n":
        return None
    starts = fields[width::width]
    if not all(field[:1] == "\n" for field in starts):
        return None
    fields[width::width] = [field[1:] for field in starts]
    return fields
