"""CSV files for Neo4j's ``database import``, which gives back every string byte for byte.

Strings are always quoted, quotes doubled (RFC 4180), nothing is escaped with a backslash; an absent value is an empty
field, an empty string is ``""``. The importer splits a list at one character after it has unquoted the field, and
cannot escape that character: so the character is one that no list of the whole folder holds. The first choice is the
unit separator; where a value has it, `DelimiterTaken` asks for another pass with another. A value that is not text in
UTF-8, and a list of one empty string, which the importer reads as no list, are refused with their row.

Rows that hold a line end go to files of their own: only those are read by the importer in its slow way.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Literal

from graphkb.errors import IngestError
from graphkb.model.predicates import NODE_LABELS
from graphkb.store.disk import on_disk
from ingestion.bulk.script import command

Type = Literal["string", "long", "double", "boolean", "string[]", "long[]", "double[]", "boolean[]"]
FIRST_DELIMITER = "\x1f"
_PROPERTY = re.compile(r"[a-z][a-z0-9_]{0,63}")
_RELATIONSHIP = re.compile(r"[A-Z][A-Z0-9_]{0,63}")
_LIMITS = (-(2**63), 2**63 - 1)


class DelimiterTaken(Exception):
    """A list holds the character that separates lists: write the folder again with another."""


def candidates() -> Iterator[str]:
    """Yield the characters that may separate lists: controls, private use, then all of the basic plane."""
    first = [0x1F, 0x1E, 0x1D, 0x1C, *range(0x01, 0x09), *range(0x0E, 0x1C), *range(0x80, 0xA0)]
    yield from map(chr, [*first, *range(0xE000, 0xF900), *range(0x100, 0xD800), *range(0xF900, 0xFFFE)])


def free_delimiter(values: Iterable[Any]) -> str:
    """Return the first candidate that no list among the values holds.

    Raises
    ------
    IngestError
        GKB-609: every candidate occurs.
    """
    used: set[str] = set()
    for value in values:
        if isinstance(value, list | tuple):
            for item in value:
                if isinstance(item, str):
                    used.update(item)
    found = next((c for c in candidates() if c not in used), None)
    if found is None:
        raise IngestError("GKB-609", where="a list", detail="no character is left to separate its values")
    return found


@dataclass(frozen=True, slots=True)
class Column:
    """A property: its name and the importer's type."""

    name: str
    type: Type

    def __post_init__(self) -> None:
        if not _PROPERTY.fullmatch(self.name):
            raise IngestError("GKB-609", where="a property's name", detail="not a-z, 0-9 and _")


def quoted(value: str) -> str:
    """Return a field of text: in quotes, with the quotes inside doubled."""
    return '"' + value.replace('"', '""') + '"' if '"' in value else f'"{value}"'


def _number(value: float) -> str:
    text = repr(value)
    return {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}.get(text, text)


def _long(value: int) -> str:
    if not _LIMITS[0] <= value <= _LIMITS[1]:
        raise ValueError("a whole number of more than 64 bits")
    return str(int(value))


_ONE: dict[str, Callable[[Any], str]] = {
    "long": _long, "double": lambda value: _number(float(value)), "boolean": lambda value: "true" if value else "false",
}


def _formatter(type_: Type, delimiter: str) -> Callable[[Any], str]:
    """Return what turns a value of this type into its field."""
    if type_ == "string":
        return lambda value: "" if value is None else quoted(value)
    if type_ == "string[]":
        def strings(value: Sequence[str] | None) -> str:
            if not value:
                return ""
            joined = delimiter.join(value)
            if len(value) == 1:
                if not joined:
                    raise ValueError("a list of one empty string")
                if delimiter in joined:
                    raise DelimiterTaken
            elif joined.count(delimiter) != len(value) - 1:
                raise DelimiterTaken
            return quoted(joined)
        return strings
    if type_.endswith("[]"):
        each = _ONE[type_[:-2]]
        return lambda value: quoted(delimiter.join(map(each, value))) if value else ""
    one = _ONE[type_]
    return lambda value: "" if value is None else one(value)


class Table:
    """The rows of one label or relationship type in one set of columns."""

    def __init__(self, folder: Path, name: str, kind: str, label: str, header: Sequence[str],
                 columns: Sequence[Column], ends: int, delimiter: str) -> None:
        self.name, self.kind, self.label = name, kind, label
        self.rows = 0
        self.longest = 0
        self._folder = folder
        string = _formatter("string", delimiter)
        self._formatters = [string] * ends + [_formatter(column.type, delimiter) for column in columns]
        self._plain: BinaryIO | None = None
        self._lines: BinaryIO | None = None
        (folder / f"{name}.header.csv").write_text(",".join(header) + "\n", encoding="utf-8", newline="")

    def write(self, rows: Iterable[Sequence[Any]]) -> None:
        """Write rows: the ends of a relationship (a node's key), then the values of the columns.

        Raises
        ------
        IngestError
            GKB-609: a value that the importer cannot take, with the row.
        DelimiterTaken
            A list holds the delimiter.
        """
        formatters = self._formatters
        plain: list[str] = []
        lines: list[str] = []
        start = self.rows
        for row in rows:
            try:
                line = ",".join([form(value) for form, value in zip(formatters, row, strict=True)])
            except (ValueError, TypeError, AttributeError) as error:
                detail = str(error) if type(error) is ValueError else "a value of another type than its column"
                raise IngestError("GKB-609", where=f"{self.label}, row {self.rows + 1}", detail=detail) from None
            self.rows += 1
            (lines if "\n" in line or "\r" in line else plain).append(line)
        for part, own in ((plain, False), (lines, True)):
            if part:
                self._put(part, own, start)

    def _put(self, part: list[str], own: bool, start: int) -> None:
        self.longest = max(self.longest, len(max(part, key=len)))
        part.append("")
        try:
            data = "\n".join(part).encode("utf-8")
        except UnicodeEncodeError:
            wrong = next(n for n, line in enumerate(part) if not _is_text(line))
            raise IngestError("GKB-609", where=f"{self.label}, row {start + wrong + 1} or near",
                              detail="half a surrogate pair") from None
        self._handle(own).write(data)

    def _handle(self, lines: bool) -> BinaryIO:
        if lines:
            if self._lines is None:
                self._lines = (self._folder / f"{self.name}.lines.csv").open("wb", buffering=1 << 20)
            return self._lines
        if self._plain is None:
            self._plain = (self._folder / f"{self.name}.csv").open("wb", buffering=1 << 20)
        return self._plain

    def close(self) -> None:
        """Close the files."""
        for handle in (self._plain, self._lines):
            if handle is not None:
                handle.close()

    def files(self) -> Iterator[tuple[str, bool]]:
        """Yield the names of the files of rows, and whether their rows hold line ends."""
        for handle, own in ((self._plain, False), (self._lines, True)):
            if handle is not None:
                yield Path(handle.name).name, own


def _is_text(value: str) -> bool:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


class ImportFiles:
    """A folder for the importer, made beside its name and given that name when it is whole.

    Parameters
    ----------
    folder : Path
        Must not be there, or be empty.
    types : iterable of str
        The relationship types that may occur (a closed set).
    """

    def __init__(self, folder: Path, types: Iterable[str]) -> None:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise IngestError("GKB-610", where=str(folder))
        self.folder = folder
        self._types = frozenset(types)
        self._part = folder.with_name(folder.name + ".part")
        self.tables: list[Table] = []
        self.delimiter = FIRST_DELIMITER
        self.begin(FIRST_DELIMITER)

    def begin(self, delimiter: str) -> None:
        """Start (again) with an empty folder and this delimiter."""
        self.close()
        self.tables = []
        self.delimiter = delimiter
        with on_disk(str(self._part)):
            shutil.rmtree(self._part, ignore_errors=True)
            (self._part / "csv").mkdir(parents=True, mode=0o700)

    def nodes(self, label: str, columns: Sequence[Column]) -> Table:
        """Return a table of nodes; a row is the key, then the columns."""
        if label not in NODE_LABELS:
            raise IngestError("GKB-609", where="a label", detail="not one of the graph's")
        return self._table("nodes", label, [f"key:ID({label})"], columns)

    def relationships(self, type_: str, start: str, end: str, columns: Sequence[Column]) -> Table:
        """Return a table of relationships between two labels; a row is both keys, then the columns."""
        if type_ not in self._types or not _RELATIONSHIP.fullmatch(type_) or not {start, end} <= set(NODE_LABELS):
            raise IngestError("GKB-609", where="a relationship type", detail="not one of the graph's")
        return self._table("relationships", type_, [f":START_ID({start})", f":END_ID({end})"], columns)

    def _table(self, kind: str, label: str, ends: list[str], columns: Sequence[Column]) -> Table:
        name = f"{kind}_{len(self.tables):04}_{label}"
        header = [*ends, *(f"{column.name}:{column.type}" for column in columns)]
        table = Table(self._part / "csv", name, kind, label, header, columns, len(ends), self.delimiter)
        self.tables.append(table)
        return table

    def finish(self, about: dict[str, Any]) -> dict[str, Any]:
        """Write the script and what the folder holds, then give the folder its name."""
        self.close()
        with on_disk(str(self._part)):
            for table in self.tables:
                if not table.rows:
                    (self._part / "csv" / f"{table.name}.header.csv").unlink()
            self.tables = [table for table in self.tables if table.rows]
            counts = {kind: {label: sum(t.rows for t in self.tables if (t.kind, t.label) == (kind, label))
                             for label in dict.fromkeys(t.label for t in self.tables if t.kind == kind)}
                      for kind in ("nodes", "relationships")}
            size = sum(path.stat().st_size for path in (self._part / "csv").iterdir())
            result = {**about, **counts, "bytes": size}
            options, script = command(self.tables, self.delimiter)
            (self._part / "import.args").write_text(options, encoding="utf-8")
            (self._part / "import.sh").write_text(script, encoding="utf-8")
            (self._part / "import.sh").chmod(0o755)
            (self._part / "import.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
            if self.folder.exists():
                self.folder.rmdir()
            self._part.rename(self.folder)
        return result

    def close(self) -> None:
        """Close all files."""
        for table in self.tables:
            table.close()

    def discard(self) -> None:
        """Throw an unfinished folder away."""
        self.close()
        shutil.rmtree(self._part, ignore_errors=True)
