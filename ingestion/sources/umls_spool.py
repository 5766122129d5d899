"""Gather the rows of a META folder on disk, check what needs other rows, and give them back by concept and relation.

The files are not sorted by what we need, and a full UMLS does not fit into memory: the rows go into an anonymous SQLite
database, which the system deletes when the process ends, however it ends. The whole folder is read and checked before
the first batch comes out, so that a file that ends too early leaves the graph as it was.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby, islice
from typing import Any

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from graphkb.errors import IngestError, InputError
from graphkb.model.predicates import RELATION_TYPES, contradictions
from graphkb.model.records import ReadReport
from graphkb.model.semantic_types import SEMANTIC_TYPES
from ingestion.concepts import CodeContent, CodeName
from ingestion.sources.umls import RrfReader, Vocabulary, release_date

Progress = Callable[[str, int, int], None]
_INSERT_ROWS = 20_000
_TABLES = """
CREATE TABLE atoms (row INTEGER PRIMARY KEY, cui TEXT, aui TEXT, sab TEXT, code TEXT, language TEXT, suppress TEXT,
                    rank INTEGER, tty TEXT, name TEXT);
CREATE TABLE types (row INTEGER PRIMARY KEY, cui TEXT, tui TEXT);
CREATE TABLE definitions (row INTEGER PRIMARY KEY, cui TEXT, aui TEXT, text TEXT, sab TEXT, code TEXT);
CREATE TABLE attributes (row INTEGER PRIMARY KEY, cui TEXT, aui TEXT, name TEXT, by TEXT, value TEXT, sab TEXT,
                         code TEXT);
CREATE TABLE nameless (vocabulary TEXT, code TEXT, by TEXT, cui TEXT,
                       PRIMARY KEY (vocabulary, code, by, cui)) WITHOUT ROWID;
CREATE INDEX nameless_cui ON nameless (cui);
CREATE TABLE cui_changes (cui1 TEXT, rel TEXT, cui2 TEXT, PRIMARY KEY (cui1, rel, cui2)) WITHOUT ROWID;
CREATE TABLE kinds (kind INTEGER PRIMARY KEY, sab TEXT, type TEXT, predicate TEXT, known INTEGER);
CREATE TABLE relations (row INTEGER PRIMARY KEY, kind INTEGER, subject TEXT, object TEXT, asserted INTEGER);
CREATE TABLE edges (kind INTEGER, subject TEXT, object TEXT, PRIMARY KEY (kind, subject, object)) WITHOUT ROWID;
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
_DANGLING_ATTRIBUTES = "SELECT row FROM attributes WHERE code IS NULL"
# one step back in a chain of mergers: what was merged into a concept that is known by now
_FORMER = ("INSERT OR IGNORE INTO nameless SELECT 'UMLS', h.cui1, 'UMLS', {end} FROM cui_changes h {join}"
           " WHERE h.rel = 'SY' AND h.cui1 NOT IN (SELECT cui FROM concepts)")
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
        self._inverses: Mapping[str, str] = {}
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
        documented = reader.documentation()
        said = documented.get(("RELA", "rela_inverse"), {})
        self._inverses = {inverse: word for word, inverse in said.items()} | said
        self._fill_types(reader, progress)
        self._fill_definitions(reader, progress)
        self._fill_attributes(reader, progress)
        self._fill_changes(reader)
        self._fill_relations(reader, progress)
        if self.vocabularies:
            self._note(report, "vocabularies are not in MRSAB", "SELECT DISTINCT sab FROM atoms", self.vocabularies)
        if documented:
            self._note(report, "term types are not in MRDOC", "SELECT DISTINCT tty FROM atoms WHERE tty <> ''",
                       documented.get(("TTY", "expanded_form"), {}))
            report.notes += [f"MRDOC pairs {a} with {b}, we read it otherwise"
                             for a, b in contradictions(said)]

    def _note(self, report: ReadReport, what: str, select: str, known: Container[str]) -> None:
        unknown = sorted(value for (value,) in self._db.execute(select) if value not in known)
        if unknown:
            report.notes.append(f"{len(unknown)} {what}: {', '.join(unknown[:10])}")

    def _fill_types(self, reader: RrfReader, progress: Progress) -> None:
        file = reader.file("MRSTY")
        self._insert("types (row, cui, tui)", 3, reader.semantic_types(), progress)
        self._db.execute("CREATE INDEX types_cui ON types (cui, tui)")
        self._dangling("types", _DANGLING_TYPES, reader, "MRSTY", "no atom has this CUI")
        self._reject("types", _DUPLICATE_TYPES, reader.report, file, "GKB-411", "the type occurs twice")
        self._keep("types", reader.report, file)
        self._note(reader.report, "semantic types are not in the Semantic Network", "SELECT DISTINCT tui FROM types",
                   SEMANTIC_TYPES.keys() | reader.network().keys())

    def _fill_attributes(self, reader: RrfReader, progress: Progress) -> None:
        if not reader.has("MRSAT"):
            return
        self._insert("attributes (row, cui, aui, name, by, value)", 6, reader.attributes(), progress)
        self._db.execute("UPDATE attributes SET (sab, code) = (SELECT a.sab, a.code FROM atoms a"
                         " WHERE a.aui = attributes.aui AND a.cui = attributes.cui)")
        self._dangling("attributes", _DANGLING_ATTRIBUTES, reader, "MRSAT", "no atom has this CUI and METAUI")
        bad = []
        for row, by, value, cui in self._db.execute("SELECT row, by, value, cui FROM attributes WHERE name = 'NDC'"):
            if ndc := ndc11(value):
                self._db.execute("INSERT OR IGNORE INTO nameless VALUES ('NDC', ?, ?, ?)", (ndc, by, cui))
            else:
                bad.append(row)
        for row in bad:
            reader.report.reject(reader.file("MRSAT"), row, "GKB-407", "an NDC of other than ten or eleven digits")
        self._db.executemany("DELETE FROM attributes WHERE row = ?", ((row,) for row in bad))
        self._keep("attributes", reader.report, reader.file("MRSAT"))
        self._db.execute("DELETE FROM attributes WHERE name = 'NDC'")  # a code of its own is enough
        self._db.execute("CREATE INDEX attributes_code ON attributes (sab, code)")

    def _fill_changes(self, reader: RrfReader) -> None:
        """Keep what became of earlier concepts; one that was merged is a code of the concept it is part of now."""
        if not reader.has("MRCUI"):
            return
        kept = 0

        def rows() -> Iterator[tuple[str, str, str]]:
            nonlocal kept
            for kept, change in enumerate(reader.changes(), 1):  # noqa: B007 - the count is what is wanted
                yield change.cui1, change.rel, change.cui2

        self._insert("cui_changes", 3, rows())
        if kept:
            reader.report.keep(reader.file("MRCUI"), kept)
        found = self._db.execute(_FORMER.format(end="c.cui", join="JOIN concepts c ON c.cui = h.cui2")).rowcount
        while found > 0:
            found = self._db.execute(_FORMER.format(
                end="n.cui", join="JOIN nameless n ON n.vocabulary = 'UMLS' AND n.code = h.cui2")).rowcount
        self.counts["former_concepts"] = int(self._one("SELECT count(DISTINCT code) FROM nameless"
                                                       " WHERE vocabulary = 'UMLS'"))

    def _fill_definitions(self, reader: RrfReader, progress: Progress) -> None:
        file = reader.file("MRDEF")
        self._insert("definitions (row, cui, aui, text)", 4, reader.definitions(), progress)
        self._db.execute("UPDATE definitions SET (sab, code) = (SELECT a.sab, a.code FROM atoms a"
                         " WHERE a.aui = definitions.aui AND a.cui = definitions.cui)")
        self._dangling("definitions", _DANGLING_DEFINITIONS, reader, "MRDEF", "no atom has this CUI and AUI")
        self._db.execute("CREATE INDEX definitions_cui ON definitions (cui)")
        self._keep("definitions", reader.report, file)

    def _fill_relations(self, reader: RrfReader, progress: Progress) -> None:
        file = reader.file("MRREL")
        kinds: dict[tuple[str, str, str, bool], int] = {}

        def rows() -> Iterator[tuple[int, int, str, str, bool]]:
            for row, sab, type_, predicate, subject, object_, known, asserted in reader.relations():
                yield row, kinds.setdefault((sab, type_, predicate, known), len(kinds)), subject, object_, asserted

        self._insert("relations", 5, rows(), progress)
        self._insert("kinds", 5, ((number, *kind) for kind, number in kinds.items()))
        self._dangling("relations", _DANGLING_RELATIONS, reader, "MRREL", "no atom has CUI1 or CUI2")
        self._keep("relations", reader.report, file)
        self.counts["relation_rows"] = self.counts.pop("relations")
        self._db.execute("INSERT INTO edges SELECT DISTINCT kind, subject, object FROM relations"
                         " WHERE kind IN (SELECT kind FROM kinds WHERE known) ORDER BY kind, subject, object")
        self._insert("edges", 3, self._paired(kinds))
        self._db.execute("DELETE FROM kinds")
        self._insert("kinds", 5, ((number, *kind) for kind, number in kinds.items()))
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

    def _dangling(self, table: str, select: str, reader: RrfReader, name: str, reason: str) -> None:
        """Reject rows that refer to what is not there; where vocabularies are left out, that is why."""
        if not reader.taken.active:
            self._reject(table, select, reader.report, reader.file(name), "GKB-409", reason)
            return
        if found := self._db.execute(f"DELETE FROM {table} WHERE row IN ({select})").rowcount:  # noqa: S608
            reader.leave_out(name, "a concept of vocabularies that the settings leave out", found)

    def _keep(self, table: str, report: ReadReport, file: str) -> None:
        self.counts[table] = kept = self._count(table)
        if kept:
            report.keep(file, kept)

    def _count(self, table: str) -> int:
        return int(self._one(f"SELECT count(*) FROM {table}"))  # noqa: S608

    def _one(self, statement: str) -> Any:
        return self._db.execute(statement).fetchone()[0]

    def _paired(self, kinds: dict[tuple[str, str, str, bool], int]) -> list[tuple[int, str, str]]:
        """Store each pair of rows whose RELA no table knows once: between two concepts of one vocabulary, a word from
        one end and a word from the other are inverses where MRDOC or their wording says so or each is alone.
        """
        rows = self._db.execute(
            "SELECT type, sab, min(subject, object) AS low, max(subject, object) AS high, subject, predicate,"
            " max(asserted) FROM relations JOIN kinds USING (kind) WHERE NOT known"
            " GROUP BY type, sab, low, high, subject, predicate"
            " ORDER BY type, sab, low, high, subject, predicate")
        out: list[tuple[int, str, str]] = []
        for (type_, sab, low, high), group in groupby(rows, key=lambda row: row[:4]):
            forward: dict[str, bool] = {}
            backward: dict[str, bool] = {}
            for row in group:
                (forward if row[4] == low else backward)[row[5]] = bool(row[6])
            for predicate, from_low in _one_direction(forward, backward, self._inverses):
                subject, object_ = (low, high) if from_low else (high, low)
                out.append((kinds.setdefault((sab, type_, predicate, False), len(kinds)), subject, object_))
        return out

    @property
    def release(self) -> str:
        """What release.dat says, else the newest release that MRSAB names: every one inserts some vocabulary anew."""
        return self._said[0] or max((v.inserted for v in self.vocabularies.values()), default="")

    def check_release(self, given: str | None) -> None:
        """Refuse a release's name that release.dat contradicts.

        Raises
        ------
        InputError
            GKB-405: the folder is of another release.
        """
        if given and self._said[0] and given != self._said[0]:
            raise InputError("GKB-405", where="release.dat", detail=f"it is of {self._said[0]}, not of {given}")

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
        return [sab for (sab,) in self._db.execute("SELECT sab FROM atoms UNION SELECT by FROM nameless ORDER BY 1")]

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
        attributes: dict[tuple[str, str], list[str]] = defaultdict(list)
        if self.counts.get("attributes"):
            for sab, code in names:
                attributes[sab, code] = [f"{name}={value}" for name, value in self._db.execute(
                    "SELECT DISTINCT name, value FROM attributes WHERE sab = ? AND code = ?", (sab, code))]
        contents: dict[str, CodeContent] = {}
        for (sab, code), own in sorted(names.items()):
            concepts = {name.concept for name in own}
            for cui in concepts:
                if not bounds[0] <= cui <= bounds[1]:
                    self._add_elsewhere(sab, code, cui, types, definitions)
            content = CodeContent.of(sab, code, self.version(sab), release, own, definitions.get((sab, code), ()),
                                     ((cui, tui) for cui in concepts for tui in types.get(cui, ())),
                                     attributes=attributes.get((sab, code), ()))
            contents[content.key] = content
        for content in self._nameless(bounds, release):
            contents[content.key] = content
        return contents

    def _nameless(self, bounds: tuple[str, str], release: str) -> Iterator[CodeContent]:
        """Yield the codes without a name of some concepts, each whole: with all its concepts."""
        rows = self._db.execute(
            "SELECT DISTINCT b.vocabulary, b.code, b.by, b.cui FROM nameless a JOIN nameless b"
            " USING (vocabulary, code, by) WHERE a.cui BETWEEN ? AND ? ORDER BY 1, 2, 3, 4", bounds)
        for (vocabulary, code, by), group in groupby(rows, key=lambda row: row[:3]):
            source = (by, self.version(by))
            yield CodeContent.of(vocabulary, code, "" if vocabulary == by else " ".join(source).strip(), release, (),
                                 also=[row[3] for row in group], source=source)

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
                "SELECT subject, predicate, object, sab FROM kinds JOIN edges USING (kind) WHERE type = ?"
                " ORDER BY subject, predicate, object, sab", (type_,))
            while block := rows.fetchmany(size):
                yield [Edge(type_, *row) for row in block]

    def cycles(self) -> int:
        """Return how many groups of concepts are each other's ancestors."""
        number: dict[str, int] = {}
        ends = np.array([[number.setdefault(key, len(number)) for key in pair] for pair in self._db.execute(
            "SELECT DISTINCT subject, object FROM edges JOIN kinds USING (kind) WHERE type = ?", ("ISA",))],
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


def ndc11(text: str) -> str:
    """Return a National Drug Code as its eleven digits (5-4-2), "" where it is none.

    Examples
    --------
    >>> ndc11("00071015523"), ndc11("0071-0155-23"), ndc11("000071015523"), ndc11("71-1")
    ('00071015523', '00071015523', '00071015523', '')
    """
    parts = text.strip().split("-")
    if len(parts) == 3:
        parts = [part.zfill(width) for part, width in zip(parts, (5, 4, 2), strict=True)]
    digits = "".join(parts)
    if len(digits) == 12 and digits[0] == "0":  # as the Veterans Health Administration writes it
        digits = digits[1:]
    return digits if len(digits) == 11 and digits.isascii() and digits.isdigit() and int(digits) else ""


def _one_direction(forward: dict[str, bool], backward: dict[str, bool],
                   inverses: Mapping[str, str]) -> Iterator[tuple[str, bool]]:
    """Yield (predicate, whether from the low concept) once for each pair of inverse words, and for each lone word.

    Of a pair that word is stored which the source asserts (DIR=Y), else the active one (``uses`` before ``used_by``,
    ``has_focus`` before ``focus_of``), else the first by text.
    """
    left = dict(sorted(backward.items()))
    lone: list[str] = []
    for predicate in sorted(forward):
        said = inverses.get(predicate)
        partner = said if said in left else next((other for other in left if _stem(other) == _stem(predicate)), None)
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
