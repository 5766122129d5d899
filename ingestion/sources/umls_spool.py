"""Gather the rows of a META folder on disk, check what needs other rows, and give them back by concept and relation.

The files are not sorted by what we need, and a full UMLS does not fit into memory: the rows go into an anonymous SQLite
database, which the system deletes when the process ends, however it ends. The whole folder is read and checked before
the first batch comes out, so that a file that ends too early leaves the graph as it was.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby, islice
from typing import Any

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from graphkb.errors import IngestError, InputError
from graphkb.model.predicates import RELATION_TYPES
from graphkb.model.records import ReadReport
from ingestion.concepts import CodeContent, CodeName
from ingestion.sources.umls import RrfReader, Vocabulary, release_date

Progress = Callable[[str, int, int], None]
_INSERT_ROWS = 20_000
_TABLES = """
CREATE TABLE atoms (row INTEGER PRIMARY KEY, cui TEXT, aui TEXT, sab TEXT, code TEXT, language TEXT, suppress TEXT,
                    rank INTEGER, tty TEXT, name TEXT);
CREATE TABLE types (row INTEGER PRIMARY KEY, cui TEXT, tui TEXT);
CREATE TABLE definitions (row INTEGER PRIMARY KEY, cui TEXT, aui TEXT, text TEXT, sab TEXT, code TEXT);
CREATE TABLE relations (row INTEGER PRIMARY KEY, sab TEXT, type TEXT, predicate TEXT, subject TEXT, object TEXT,
                        known INTEGER, asserted INTEGER);
CREATE TABLE edges (type TEXT, subject TEXT, predicate TEXT, object TEXT, sab TEXT,
                    PRIMARY KEY (type, subject, predicate, object, sab)) WITHOUT ROWID;
"""
_AFTER_ATOMS = """
CREATE INDEX atoms_cui ON atoms (cui);
CREATE INDEX atoms_code ON atoms (sab, code);
CREATE TABLE concepts (cui TEXT PRIMARY KEY) WITHOUT ROWID;
INSERT INTO concepts SELECT DISTINCT cui FROM atoms ORDER BY cui;
CREATE TABLE shared (sab TEXT, code TEXT, PRIMARY KEY (sab, code)) WITHOUT ROWID;
INSERT INTO shared SELECT sab, code FROM atoms GROUP BY sab, code HAVING min(cui) <> max(cui);
"""
_DUPLICATE_ATOMS = "SELECT row FROM atoms a WHERE EXISTS (SELECT 1 FROM atoms b WHERE b.aui = a.aui AND b.row < a.row)"
_DUPLICATE_TYPES = ("SELECT row FROM types a WHERE EXISTS"
                    " (SELECT 1 FROM types b WHERE b.cui = a.cui AND b.tui = a.tui AND b.row < a.row)")
_DANGLING_TYPES = "SELECT row FROM types WHERE cui NOT IN (SELECT cui FROM concepts)"
_DANGLING_DEFINITIONS = "SELECT row FROM definitions WHERE code IS NULL"
_DANGLING_RELATIONS = ("SELECT row FROM relations WHERE subject NOT IN (SELECT cui FROM concepts)"
                       " OR object NOT IN (SELECT cui FROM concepts)")


@dataclass(slots=True)
class ConceptBatch:
    """Some concepts and, complete, the codes that name them."""

    concepts: list[str] = field(default_factory=list)
    codes: dict[str, CodeContent] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation as it is stored: once, in its true direction."""

    type: str
    subject: str
    predicate: str
    object: str
    sab: str


class Spool:
    """The rows of one folder; a context manager."""

    def __init__(self) -> None:
        # "": an unnamed file in SQLite's temporary folder (SQLITE_TMPDIR, TMPDIR, /var/tmp), unlinked once it is open
        self._db = sqlite3.connect("", check_same_thread=False, isolation_level=None)
        self._db.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = FILE;"
                               " PRAGMA cache_size = -65536;" + _TABLES)
        self.vocabularies: dict[str, Vocabulary] = {}
        self._said = ("", "")
        self.counts: dict[str, int] = {}

    def __enter__(self) -> Spool:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def fill(self, reader: RrfReader, progress: Progress) -> None:
        """Read the whole folder, check it, and count every row as kept or rejected.

        Raises
        ------
        InputError
            What `RrfReader.rows` raises, and GKB-405 where no row of MRCONSO could be kept.
        IngestError
            GKB-212: the disk of the temporary folder is full.
        """
        try:
            self._fill(reader, progress)
        except sqlite3.OperationalError:
            raise IngestError("GKB-212", where="the temporary folder of SQLite",
                              hint="free space there, or name another folder in SQLITE_TMPDIR") from None

    def _fill(self, reader: RrfReader, progress: Progress) -> None:
        report = reader.report
        self._said = reader.release()
        self.vocabularies = {v.sab: v for v in reader.vocabularies()}
        self._insert("atoms (row, cui, aui, sab, code, language, suppress, rank, tty, name)", 10, reader.atoms(),
                     progress)
        self._db.executescript("CREATE INDEX atoms_aui ON atoms (aui)")
        file = reader.file("MRCONSO")
        self._reject("atoms", _DUPLICATE_ATOMS, report, file, "GKB-411", "the AUI occurs twice")
        self._keep("atoms", report, file)
        if self.counts["atoms"] == 0:
            raise InputError("GKB-405", where=str(reader.folder / file), detail="not one row could be taken")
        self._db.executescript(_AFTER_ATOMS)
        self.counts["concepts"] = self._count("concepts")
        self.counts["codes"] = int(self._one("SELECT count(*) FROM (SELECT DISTINCT sab, code FROM atoms)"))
        self._fill_types(reader, progress)
        self._fill_definitions(reader, progress)
        self._fill_relations(reader, progress)
        unknown = [s for (s,) in self._db.execute("SELECT DISTINCT sab FROM atoms ORDER BY sab")
                   if s not in self.vocabularies]
        if unknown and self.vocabularies:
            report.notes.append(f"{len(unknown)} vocabularies are not in MRSAB: {', '.join(unknown[:10])}")

    def _fill_types(self, reader: RrfReader, progress: Progress) -> None:
        file = reader.file("MRSTY")
        self._insert("types (row, cui, tui)", 3, reader.semantic_types(), progress)
        self._db.execute("CREATE INDEX types_cui ON types (cui, tui)")
        self._reject("types", _DANGLING_TYPES, reader.report, file, "GKB-409", "no atom has this CUI")
        self._reject("types", _DUPLICATE_TYPES, reader.report, file, "GKB-411", "the type occurs twice")
        self._keep("types", reader.report, file)

    def _fill_definitions(self, reader: RrfReader, progress: Progress) -> None:
        file = reader.file("MRDEF")
        self._insert("definitions (row, cui, aui, text)", 4, reader.definitions(), progress)
        self._db.execute("UPDATE definitions SET (sab, code) = (SELECT a.sab, a.code FROM atoms a"
                         " WHERE a.aui = definitions.aui AND a.cui = definitions.cui)")
        self._reject("definitions", _DANGLING_DEFINITIONS, reader.report, file, "GKB-409",
                     "no atom has this CUI and AUI")
        self._db.execute("CREATE INDEX definitions_cui ON definitions (cui)")
        self._keep("definitions", reader.report, file)

    def _fill_relations(self, reader: RrfReader, progress: Progress) -> None:
        file = reader.file("MRREL")
        self._insert("relations (row, sab, type, predicate, subject, object, known, asserted)", 8,
                     reader.relations(), progress)
        self._reject("relations", _DANGLING_RELATIONS, reader.report, file, "GKB-409", "no atom has CUI1 or CUI2")
        self._keep("relations", reader.report, file)
        self.counts["relation_rows"] = self.counts.pop("relations")
        self._db.execute("INSERT INTO edges SELECT DISTINCT type, subject, predicate, object, sab FROM relations"
                         " WHERE known ORDER BY type, subject, predicate, object, sab")
        self._insert("edges", 5, self._paired())
        self._db.execute("DROP TABLE relations")
        self.counts["relations"] = self._count("edges")

    def _insert(self, target: str, width: int, rows: Iterable[tuple[Any, ...]],
                progress: Progress | None = None) -> None:
        statement = f"INSERT OR IGNORE INTO {target} VALUES ({', '.join('?' * width)})"  # noqa: S608 - names of ours
        rows = iter(rows)
        done = 0
        while block := list(islice(rows, _INSERT_ROWS)):
            self._db.execute("BEGIN")
            self._db.executemany(statement, block)
            self._db.execute("COMMIT")
            done += len(block)
            if progress is not None:
                progress(f"reading {target.partition(' ')[0]}", done, 0)

    def _reject(self, table: str, select: str, report: ReadReport, file: str, code: str, reason: str) -> None:
        rows = [row for (row,) in self._db.execute(select + " ORDER BY row")]
        for row in rows:
            report.reject(file, row, code, reason)
        self._db.executemany(f"DELETE FROM {table} WHERE row = ?", ((row,) for row in rows))  # noqa: S608

    def _keep(self, table: str, report: ReadReport, file: str) -> None:
        self.counts[table] = kept = self._count(table)
        if kept:
            report.keep(file, kept)

    def _count(self, table: str) -> int:
        return int(self._one(f"SELECT count(*) FROM {table}"))  # noqa: S608

    def _one(self, statement: str) -> Any:
        return self._db.execute(statement).fetchone()[0]

    def _paired(self) -> list[tuple[str, str, str, str, str]]:
        """Store each pair of rows whose RELA no table knows once: between two concepts of one vocabulary, a word from
        one end and a word from the other are inverses where only one of each is there or their wording says so.
        """
        rows = self._db.execute(
            "SELECT type, sab, min(subject, object) AS low, max(subject, object) AS high, subject, predicate,"
            " max(asserted) FROM relations WHERE NOT known GROUP BY type, sab, low, high, subject, predicate"
            " ORDER BY type, sab, low, high, subject, predicate")
        out: list[tuple[str, str, str, str, str]] = []
        for (type_, sab, low, high), group in groupby(rows, key=lambda row: row[:4]):
            forward: dict[str, bool] = {}
            backward: dict[str, bool] = {}
            for row in group:
                (forward if row[4] == low else backward)[row[5]] = bool(row[6])
            for predicate, from_low in _one_direction(forward, backward):
                subject, object_ = (low, high) if from_low else (high, low)
                out.append((type_, subject, predicate, object_, sab))
        return out

    @property
    def release(self) -> str:
        """What release.dat says, else the newest release that MRSAB names: every one inserts some vocabulary anew."""
        return self._said[0] or max((v.inserted for v in self.vocabularies.values()), default="")

    def date_of(self, release: str) -> str:
        """Return the date of a release: what release.dat says where it is that one's, else the usual date."""
        name, date = self._said
        return date if date and release in (name, self.release) else release_date(release)

    def version(self, sab: str) -> str:
        """Return a vocabulary's version, "" where MRSAB does not have it."""
        found = self.vocabularies.get(sab)
        return found.version if found else ""

    def sabs(self) -> list[str]:
        """Return the vocabularies that codes come from."""
        return [sab for (sab,) in self._db.execute("SELECT DISTINCT sab FROM atoms ORDER BY sab")]

    def concept_batches(self, size: int, release: str) -> Iterator[ConceptBatch]:
        """Yield the concepts in the order of their keys, each batch with the whole content of their codes."""
        keys = (cui for (cui,) in self._db.cursor().execute("SELECT cui FROM concepts ORDER BY cui"))
        while concepts := list(islice(keys, size)):
            bounds = (concepts[0], concepts[-1])
            rows = self._db.execute(
                "SELECT a.sab, a.code, a.cui, a.name, a.tty, a.language, a.suppress, a.rank FROM atoms a"
                " WHERE a.cui BETWEEN ? AND ?", bounds).fetchall()
            shared = self._db.execute(
                "SELECT DISTINCT b.sab, b.code, b.cui, b.name, b.tty, b.language, b.suppress, b.rank FROM shared s"
                " JOIN atoms a ON a.sab = s.sab AND a.code = s.code AND a.cui BETWEEN ? AND ?"
                " JOIN atoms b ON b.sab = s.sab AND b.code = s.code AND b.cui NOT BETWEEN ? AND ?",
                bounds + bounds).fetchall()
            yield ConceptBatch(concepts, self._contents(rows + shared, bounds, release))

    def _contents(self, rows: list[tuple[Any, ...]], bounds: tuple[str, str],
                  release: str) -> dict[str, CodeContent]:
        names: dict[tuple[str, str], list[CodeName]] = defaultdict(list)
        for sab, code, *name in rows:
            names[sab, code].append(CodeName(*name))
        types: dict[str, list[str]] = defaultdict(list)
        for cui, tui in self._db.execute("SELECT cui, tui FROM types WHERE cui BETWEEN ? AND ?", bounds):
            types[cui].append(tui)
        definitions: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
        for sab, code, cui, text in self._db.execute(
                "SELECT sab, code, cui, text FROM definitions WHERE cui BETWEEN ? AND ?", bounds):
            definitions[sab, code].append((cui, text))
        contents: dict[str, CodeContent] = {}
        for (sab, code), own in sorted(names.items()):
            concepts = {name.concept for name in own}
            for cui in concepts:
                if not bounds[0] <= cui <= bounds[1]:
                    self._add_elsewhere(sab, code, cui, types, definitions)
            content = CodeContent.of(sab, code, self.version(sab), release, own, definitions.get((sab, code), ()),
                                     ((cui, tui) for cui in concepts for tui in types.get(cui, ())))
            contents[content.key] = content
        return contents

    def _add_elsewhere(self, sab: str, code: str, cui: str, types: dict[str, list[str]],
                       definitions: dict[tuple[str, str], list[tuple[str, str]]]) -> None:
        """Add what a shared code says about a concept of another batch."""
        if cui not in types:
            types[cui].extend(tui for (tui,) in self._db.execute("SELECT tui FROM types WHERE cui = ?", (cui,)))
        definitions[sab, code].extend(self._db.execute(
            "SELECT cui, text FROM definitions WHERE cui = ? AND sab = ? AND code = ?", (cui, sab, code)))

    def edge_batches(self, size: int) -> Iterator[list[Edge]]:
        """Yield the relations by type and subject; a batch holds one type."""
        for type_ in RELATION_TYPES:
            rows = self._db.cursor().execute(
                "SELECT subject, predicate, object, sab FROM edges WHERE type = ?"
                " ORDER BY subject, predicate, object, sab", (type_,))
            while block := rows.fetchmany(size):
                yield [Edge(type_, *row) for row in block]

    def cycles(self) -> int:
        """Return how many groups of concepts are each other's ancestors."""
        number: dict[str, int] = {}
        ends = np.array([[number.setdefault(key, len(number)) for key in pair] for pair in self._db.execute(
            "SELECT DISTINCT subject, object FROM edges WHERE type = ?", ("ISA",))],
            dtype=np.int32).reshape(-1, 2)
        if not len(ends):
            return 0
        graph = coo_array((np.ones(len(ends), dtype=np.int8), (ends[:, 0], ends[:, 1])), shape=(len(number),) * 2)
        _, labels = connected_components(graph.tocsr(), directed=True, connection="strong")
        return int((np.bincount(labels) > 1).sum())


def _stem(predicate: str) -> str:
    """Reduce a RELA to what it shares with its inverse: ``has_focus`` and ``focus_of`` are both ``focus``."""
    for prefix in ("inverse_of_", "inverse_", "has_", "is_"):
        predicate = predicate.removeprefix(prefix)
    return predicate.removesuffix("_of").removesuffix("_by")


def _one_direction(forward: dict[str, bool], backward: dict[str, bool]) -> Iterator[tuple[str, bool]]:
    """Yield (predicate, whether from the low concept) once for each pair of inverse words, and for each lone word.

    Of a pair that word is stored which the source asserts (DIR=Y), else the active one (``uses`` before ``used_by``,
    ``has_focus`` before ``focus_of``), else the first by text.
    """
    left = dict(sorted(backward.items()))
    lone: list[str] = []
    for predicate in sorted(forward):
        partner = next((other for other in left if _stem(other) == _stem(predicate)), None)
        if partner is None:
            lone.append(predicate)
            continue
        yield _preferred((predicate, forward[predicate]), (partner, left.pop(partner)))
    if len(lone) == len(left) == 1:
        (partner, asserted), = left.items()
        yield _preferred((lone[0], forward[lone[0]]), (partner, asserted))
        return
    yield from ((predicate, True) for predicate in lone)
    yield from ((predicate, False) for predicate in left)


def _preferred(low: tuple[str, bool], high: tuple[str, bool]) -> tuple[str, bool]:
    def order(word: tuple[str, bool]) -> tuple[bool, bool, str]:
        predicate, asserted = word
        return (not asserted, predicate.endswith(("_by", "_of")) or predicate.startswith("inverse_"), predicate)

    return (low[0], True) if order(low) <= order(high) else (high[0], False)
