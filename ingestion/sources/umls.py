"""Read the RRF files of a UMLS META folder, row by row, plain or gzip, with flat memory.

Each method checks what can be told from one row (encoding, number of fields, identifiers) and rejects in the report,
with file, row and reason; what needs other rows (duplicates, references) is checked where the rows meet, in
`ingestion.sources.umls_spool`, which also counts the rows that were kept.

Layouts: UMLS Reference Manual, chapter "Metathesaurus - Rich Release Format". Every field ends with ``|``.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, NamedTuple

from graphkb.errors import InputError
from graphkb.model.predicates import ends, reading_of
from graphkb.model.records import ReadReport
from ingestion.sources.files import open_binary, read_text

# table -> fields in a row
WIDTHS = {"MRCONSO": 18, "MRSTY": 6, "MRDEF": 8, "MRREL": 16, "MRSAB": 25, "MRCUI": 7}
WHAT = {"MRSAB": "no versions or licences of vocabularies", "MRSTY": "no semantic types",
        "MRDEF": "no definitions", "MRREL": "no relations", "MRCUI": "no concepts of earlier releases"}
_CHANGES = frozenset({"DEL", "SY", "RB", "RN", "RO"})
_CUI = re.compile(r"C[0-9]{7}")
_TUI = re.compile(r"T[0-9]{3}")
_BLOCK = 1 << 20
_LONGEST = 64 * _BLOCK
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """A row of MRSAB. ``version`` is SVER, else VSAB; ``inserted`` the first release that held this version."""

    sab: str
    version: str
    name: str = ""
    restriction: int = 0
    citation: str = ""
    inserted: str = ""


class Atom(NamedTuple):
    """A row of MRCONSO. ``rank`` is 0 for the preferred form (TS=P, STT=PF, ISPREF=Y), 7 for the least preferred."""

    row: int
    cui: str
    aui: str
    sab: str
    code: str
    language: str
    suppress: str
    rank: int
    tty: str
    name: str


class CuiChange(NamedTuple):
    """A row of MRCUI: what became of a concept that the release has not any more.

    ``rel`` is DEL (no successor), SY (merged into ``cui2``), or RB, RN, RO (``cui2`` is broader, narrower or otherwise
    related); ``version`` the last release that had ``cui1``; ``mapped_in`` whether this release has ``cui2``.
    """

    row: int
    cui1: str
    version: str
    rel: str
    rela: str
    reason: str
    cui2: str
    mapped_in: bool


class RelationRow(NamedTuple):
    """A row of MRREL in its true direction; ``asserted`` where the source itself states this direction (DIR=Y)."""

    row: int
    sab: str
    type: str
    predicate: str
    subject: str
    object: str
    known: bool
    asserted: bool


def _lines(handle: IO[bytes], path: Path) -> Iterator[bytes]:
    """Yield lines without their newline: by blocks, because GzipFile is slow at giving lines."""
    rest = b""
    while block := handle.read(_BLOCK):
        lines = (rest + block).split(b"\n")
        rest = lines.pop()
        if len(rest) > _LONGEST:
            raise InputError("GKB-405", where=str(path), detail=f"a row of more than {_LONGEST} bytes")
        yield from lines
    if rest:
        yield rest


def release_date(name: str) -> str:
    """Return the usual date of a release of the Metathesaurus: AA comes in May, AB in November; "" for other names.

    Examples
    --------
    >>> release_date("2026AA"), release_date("2026AB"), release_date("mine")
    ('2026-05-01', '2026-11-01', '')
    """
    match = re.fullmatch(r"([0-9]{4})A([AB])", name)
    return f"{match[1]}-{'05' if match[2] == 'A' else '11'}-01" if match else ""


class RrfReader:
    """The files of one META folder.

    Parameters
    ----------
    folder : Path
        Holds ``MRCONSO.RRF`` or ``MRCONSO.RRF.gz`` and, where they are there, MRSAB, MRSTY, MRDEF and MRREL.
    report : ReadReport
        Takes rejected rows and notes about absent files.

    Raises
    ------
    InputError
        GKB-401: no such folder, or no MRCONSO in it.
    """

    name = "umls"

    def __init__(self, folder: Path, report: ReadReport) -> None:
        self.folder = folder
        self.report = report
        if not folder.is_dir():
            raise InputError("GKB-401", where=str(folder), detail="a META folder is needed")
        self._paths = {table: self._find(table) for table in WIDTHS}
        if self._paths["MRCONSO"] is None:
            raise InputError("GKB-401", where=str(folder / "MRCONSO.RRF"), detail="neither it nor MRCONSO.RRF.gz")

    def _find(self, table: str) -> Path | None:
        for name in (f"{table}.RRF", f"{table}.RRF.gz"):
            if (self.folder / name).is_file():
                return self.folder / name
        return None

    def file(self, table: str) -> str:
        """Return the name under which the report counts a table's rows."""
        path = self._paths[table]
        return path.name if path is not None else f"{table}.RRF"

    def rows(self, table: str) -> Iterator[tuple[int, list[str]]]:
        """Yield the row number (1-based) and the fields of every row that has the right number of them.

        Raises
        ------
        InputError
            GKB-402 (an empty MRCONSO; an empty optional file is a note), GKB-404 (a gzip stream that is cut off or
            damaged, with the last whole row).
        """
        path = self._paths[table]
        if path is None:
            self.report.notes.append(f"[GKB-401] {table} is not there: {WHAT[table]}")
            return
        number, file, width = 0, path.name, WIDTHS[table]
        try:
            with open_binary(path) as handle:
                for number, raw in enumerate(_lines(handle, path), 1):
                    fields = self._fields(file, number, raw, width)
                    if fields is not None:
                        yield number, fields
        except (EOFError, gzip.BadGzipFile, zlib.error):
            raise InputError("GKB-404", where=f"{path}, after row {number}",
                             detail="the gzip stream is cut off or damaged") from None
        except InputError as error:
            if error.code != "GKB-402" or table == "MRCONSO":
                raise
        if number == 0:
            if table == "MRCONSO":
                raise InputError("GKB-402", where=str(path))
            self.report.notes.append(f"[GKB-402] {path.name} is empty: {WHAT[table]}")

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

    def _reject(self, table: str, number: int, reason: str) -> None:
        self.report.reject(self.file(table), number, "GKB-407", reason)

    def vocabularies(self) -> Iterator[Vocabulary]:
        """Yield the rows of MRSAB, the current version of each vocabulary last."""
        found: list[tuple[bool, Vocabulary]] = []
        for number, f in self.rows("MRSAB"):
            if not f[3]:
                self._reject("MRSAB", number, "RSAB is blank")
                continue
            if not (f[13].isascii() and f[13].isdigit()) and f[13]:
                self._reject("MRSAB", number, "SRL is not a number")
                continue
            vocabulary = Vocabulary(f[3], f[6] or f[2], f[4], int(f[13] or 0), f[24], f[9])
            found.append((f[21] == "Y", vocabulary))
            self.report.keep(self.file("MRSAB"))
        yield from (v for _, v in sorted(found, key=lambda pair: (pair[0], pair[1].version)))

    def atoms(self) -> Iterator[Atom]:
        """Yield the rows of MRCONSO, in the file's order, which need not be that of the CUIs."""
        for number, f in self.rows("MRCONSO"):
            if not _CUI.fullmatch(f[0]):
                self._reject("MRCONSO", number, "CUI is not C and seven digits")
            elif not (f[7] and f[11] and f[13]):
                self._reject("MRCONSO", number, "AUI, SAB or CODE is blank")
            elif not f[14].strip():
                self._reject("MRCONSO", number, "the name is blank")
            else:
                # NOCODE says that the source gave none: as a code it would be one node for half a vocabulary
                code = f"NOCODE-{f[0]}" if f[13] == "NOCODE" else f[13]
                rank = 4 * (f[2] != "P") + 2 * (f[4] != "PF") + (f[6] != "Y")
                yield Atom(number, f[0], f[7], f[11], code, f[1], f[16] or "N", rank, f[12], f[14])

    def semantic_types(self) -> Iterator[tuple[int, str, str]]:
        """Yield row, CUI and TUI of MRSTY."""
        for number, f in self.rows("MRSTY"):
            if not (_CUI.fullmatch(f[0]) and _TUI.fullmatch(f[1])):
                self._reject("MRSTY", number, "CUI or TUI is malformed")
            else:
                yield number, f[0], f[1]

    def definitions(self) -> Iterator[tuple[int, str, str, str]]:
        """Yield row, CUI, AUI and text of MRDEF."""
        for number, f in self.rows("MRDEF"):
            if not (_CUI.fullmatch(f[0]) and f[1]):
                self._reject("MRDEF", number, "CUI or AUI is malformed")
            elif not f[5].strip():
                self._reject("MRDEF", number, "the definition is blank")
            elif f[6] not in ("N", ""):
                self._reject("MRDEF", number, "the definition is suppressed")
            else:
                yield number, f[0], f[1], f[5]

    def changes(self) -> Iterator[CuiChange]:
        """Yield the rows of MRCUI, in the file's order."""
        for number, f in self.rows("MRCUI"):
            if not (_CUI.fullmatch(f[0]) and (_CUI.fullmatch(f[5]) or not f[5])):
                self._reject("MRCUI", number, "CUI1 or CUI2 is malformed")
            elif f[2] not in _CHANGES or (f[2] == "DEL") == bool(f[5]):
                self._reject("MRCUI", number, "REL is none of DEL (without CUI2), SY, RB, RN and RO (with it)")
            else:
                yield CuiChange(number, f[0], f[1], f[2], f[3], f[4], f[5], f[6] == "Y")

    def release(self) -> tuple[str, str]:
        """Return the name and the date (ISO 8601) that ``release.dat`` says, each "" where it does not."""
        path = self.folder / "release.dat"
        if not path.is_file():
            return "", ""
        said = dict(line.partition("=")[::2] for line in read_text(path).splitlines())
        date = re.fullmatch(r"(\d{4})-?(\d{2})-?(\d{2})", said.get("umls.release.date", "").strip(), re.ASCII)
        return said.get("umls.release.name", "").strip(), "-".join(date.groups()) if date else ""

    def relations(self) -> Iterator[RelationRow]:
        """Yield the rows of MRREL, each in its true direction (see `graphkb.model.predicates.reading_of`)."""
        for number, f in self.rows("MRREL"):
            if not (_CUI.fullmatch(f[0]) and _CUI.fullmatch(f[4])):
                self._reject("MRREL", number, "CUI1 or CUI2 is malformed")
            elif f[0] == f[4]:
                self._reject("MRREL", number, "a relation of a concept to itself")
            elif f[14] not in ("N", ""):
                self._reject("MRREL", number, "the relation is suppressed")
            elif (found := reading_of(f[3], f[7])) is None:
                self._reject("MRREL", number, "REL asserts no relation")
            else:
                yield RelationRow(number, f[10], found.type, found.predicate, *ends(found, f[0], f[4]), found.known,
                                  f[13] == "Y")
