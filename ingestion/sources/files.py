"""Opening of input files: plain or gzip, strict UTF-8, nothing guessed and nothing silently dropped.

Every way in which a file can be unreadable has its code (GKB-401 to 404, 410) and names the file, and the row where
there is one. Whether a file is gzip is decided by its first two bytes, not by its name.
"""

from __future__ import annotations

import contextlib
import csv
import gzip
import io
import os
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from graphkb.errors import InputError
from graphkb.model import ReadReport

MAX_DOCUMENT_BYTES = 20_000_000
MAX_FIELD_CHARS = 20_000_000
_GZIP = b"\x1f\x8b"


@contextlib.contextmanager
def open_binary(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for reading its bytes, decompressed where it is gzip.

    Raises
    ------
    InputError
        GKB-401 (missing, a folder, or not readable) or GKB-402 (no bytes at all).
    """
    try:
        raw = path.open("rb")
    except FileNotFoundError:
        raise InputError("GKB-401", where=str(path)) from None
    except IsADirectoryError:
        raise InputError("GKB-401", where=str(path), detail="it is a folder, a file is needed") from None
    except OSError as error:
        raise InputError("GKB-401", where=str(path), detail=error.strerror or "it cannot be opened") from None
    with raw:
        magic = raw.read(2)
        if not magic:
            raise InputError("GKB-402", where=str(path))
        raw.seek(0)
        if magic == _GZIP:
            with gzip.GzipFile(fileobj=raw, mode="rb") as unpacked:
                yield cast(IO[bytes], unpacked)
        else:
            yield raw


def read_bytes(path: Path, max_bytes: int = MAX_DOCUMENT_BYTES) -> bytes:
    """Return all bytes of a file, decompressed.

    Raises
    ------
    InputError
        GKB-401, 402 (nothing in it), 404 (gzip that ends early or is damaged), 410 (more than ``max_bytes``).
    """
    with open_binary(path) as handle, broken_gzip(path):
        data = handle.read(max_bytes + 1)
    if not data:
        raise InputError("GKB-402", where=str(path))
    if len(data) > max_bytes:
        raise InputError("GKB-410", where=str(path), detail=f"more than {max_bytes} bytes",
                         hint="raise ingest.max_document_bytes")
    return data


def read_text(path: Path, max_bytes: int = MAX_DOCUMENT_BYTES) -> str:
    """Return a file's text exactly as it stands (line ends too), without a byte order mark.

    Raises
    ------
    InputError
        What `read_bytes` raises, and GKB-403 with the line of the first byte that is not UTF-8.
    """
    data = read_bytes(path, max_bytes)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError("GKB-403", where=f"{path}, line {line}") from None


@dataclass(slots=True)
class Row:
    """A data row of a table: its 1-based number, and either its fields by column or why it cannot be taken."""

    number: int
    fields: dict[str, str]
    code: str = ""
    reason: str = ""


class Table:
    """A CSV file with a header, streamed.

    Parameters
    ----------
    path : Path
        The file, plain or gzip.
    required : iterable of str
        Columns without which the file is refused (GKB-405, naming those that are missing).
    optional : iterable of str
        Columns that are read where they are there and are ``""`` otherwise.
    """

    def __init__(self, path: Path, required: Iterable[str], optional: Iterable[str] = ()) -> None:
        self.path = path
        self.required = tuple(required)
        self.optional = tuple(optional)
        self.number = 0

    def rows(self) -> Iterator[Row]:
        """Yield every row; one that is malformed comes with a code and a reason instead of fields.

        Raises
        ------
        InputError
            The file as a whole: GKB-401 to 405; GKB-403 and 404 name the last row that was whole.
        """
        csv.field_size_limit(MAX_FIELD_CHARS)
        self.number = 0
        with open_binary(self.path) as binary, broken_gzip(self.path, self):
            handle = io.TextIOWrapper(binary, encoding="utf-8-sig", newline="")
            reader = csv.reader(handle, strict=True)
            try:
                yield from self._read(reader)
            except UnicodeDecodeError:
                raise InputError("GKB-403", where=f"{self.path}, after row {self.number}") from None

    def _read(self, reader: Iterator[list[str]]) -> Iterator[Row]:
        header = self._header(reader)
        width = len(header)
        places = [(name, header.index(name)) for name in (*self.required, *self.optional) if name in header]
        absent = dict.fromkeys((name for name in self.optional if name not in header), "")
        while True:
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                if "unexpected end of data" in str(error):
                    raise InputError("GKB-404", where=f"{self.path}, after row {self.number}",
                                     detail="it ends inside a quoted field") from None
                self.number += 1
                too_long = "field larger" in str(error)
                yield Row(self.number, {}, "GKB-410" if too_long else "GKB-406",
                          "a field is too long" if too_long else "a quoted field is malformed")
                continue
            if not cells:
                continue  # a blank line is no row
            self.number += 1
            if len(cells) != width:
                yield Row(self.number, {}, "GKB-406", f"{len(cells)} fields instead of {width}")
            elif "\0" in "".join(cells):
                yield Row(self.number, {}, "GKB-407", "a field holds a NUL character")
            else:
                yield Row(self.number, {name: cells[place] for name, place in places} | absent)

    def first_line(self, reader: Iterator[list[str]]) -> list[str]:
        """Return the header as it stands; GKB-402 or 405 where there is none."""
        try:
            header = next(reader, None)
        except csv.Error:
            raise InputError("GKB-405", where=str(self.path), detail="the header is malformed") from None
        if header is None:
            raise InputError("GKB-402", where=str(self.path))
        return header

    def _header(self, reader: Iterator[list[str]]) -> list[str]:
        header = self.first_line(reader)
        missing = [name for name in self.required if name not in header]
        if missing:
            raise InputError("GKB-405", where=str(self.path), detail=f"missing columns: {', '.join(missing)}")
        return header


@contextlib.contextmanager
def broken_gzip(path: Path, table: Table | None = None) -> Iterator[None]:
    """Make what a damaged or cut-off gzip stream raises an `InputError` GKB-404."""
    try:
        yield
    except EOFError:
        raise InputError("GKB-404", where=_after(path, table), detail="the gzip stream is cut off") from None
    except (gzip.BadGzipFile, zlib.error):
        raise InputError("GKB-404", where=_after(path, table), detail="the gzip stream is damaged") from None


def _after(path: Path, table: Table | None) -> str:
    return str(path) if table is None else f"{path}, after row {table.number}"


def find(paths: Iterable[Path], suffixes: tuple[str, ...], report: ReadReport) -> Iterator[Path]:
    """Yield the files that the paths name; a folder gives its files with these suffixes, sorted by path.

    What is missing, and a folder without such a file, is rejected in the report. A file that is named itself is taken
    whatever its suffix, and no file twice.
    """
    seen: set[Path] = set()
    for path in paths:
        if path.is_dir():
            found = sorted((p for p in path.rglob("*") if p.name.lower().endswith(suffixes) and p.is_file()),
                           key=lambda p: p.relative_to(path).as_posix())
            if not found:
                report.reject(str(path), None, "GKB-402", f"no {', '.join('*' + s for s in suffixes)} in the folder")
        elif path.exists():
            found = [path]
        else:
            report.reject(str(path), None, "GKB-401", "no such file or folder")
            continue
        for file in found:
            place = os.path.abspath(file)
            if (shown := os.fsencode(place).decode("utf-8", "backslashreplace")) != place:  # no store takes such a path
                report.reject(shown, None, "GKB-403", "its name is not valid UTF-8: rename it")
            elif (real := file.resolve()) not in seen:
                seen.add(real)
                yield file


def reject_file(report: ReadReport, path: Path, error: InputError) -> None:
    """Put an error about a whole file into the report."""
    place = error.where.removeprefix(str(path)).lstrip(", ")
    reason = "; ".join(part for part in (error.detail, place) if part)
    report.reject(str(path), None, error.code, reason or "the file cannot be taken")


def refuse_if_nothing(report: ReadReport, kept: int) -> None:
    """Raise the first rejection as an `InputError` where not one record could be taken."""
    if kept == 0 and report.examples:
        first = report.examples[0]
        where = first.file if first.row is None else f"{first.file}, row {first.row}"
        raise InputError(first.code, where=where, detail=first.reason)
