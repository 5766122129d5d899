"""Read the tables of a UMLS META folder, row by row, with flat memory.

Each method checks what can be told from one row (identifiers, values) and rejects in the report, with file, row and
reason; what a setting or the release itself leaves out is counted apart. What needs other rows (duplicates, references)
is checked where the rows meet, in `ingestion.sources.umls_spool`, which also counts the rows that were kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

from graphkb.model.predicates import reading_of
from graphkb.model.records import ReadReport
from ingestion.sources.files import read_text
from ingestion.sources.rrf import COLUMNS, RrfFiles

_CHANGES = frozenset({"DEL", "SY", "RB", "RN", "RO"})
_CUI = re.compile(r"C[0-9]{7}")
_CUIS = re.compile(r"C[0-9]{7}\|C[0-9]{7}")
_TUI = re.compile(r"T[0-9]{3}")


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
    """A row of MRCONSO; the smaller its ``rank``, the better a name it is.

    The last three bits are 0 for the preferred form (TS=P, STT=PF, ISPREF=Y) up to 7; the bits above are the place of
    its vocabulary and term type in MRRANK, 0 where that does not say (see `RrfReader.rank`).
    """

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


def release_date(name: str) -> str:
    """Return the usual date of a release of the Metathesaurus: AA comes in May, AB in November; "" for other names.

    Examples
    --------
    >>> release_date("2026AA"), release_date("2026AB"), release_date("mine")
    ('2026-05-01', '2026-11-01', '')
    """
    match = re.fullmatch(r"([0-9]{4})A([AB])", name)
    return f"{match[1]}-{'05' if match[2] == 'A' else '11'}-01" if match else ""


class Attribute(NamedTuple):
    """A row of MRSAT about an atom."""

    row: int
    cui: str
    aui: str
    name: str
    sab: str
    value: str


@dataclass(frozen=True, slots=True)
class Filter:
    """What of a release is taken.

    Parameters
    ----------
    sources, exclude : sets of str
        Vocabularies to take (none named: all), and not to take.
    restriction : int
        The highest source restriction level (SRL, 0 to 9) that is taken; a vocabulary that MRSAB does not list has
        the level of its row in MRCONSO.
    attributes : set of str
        Names of attributes (ATN) that are taken.
    """

    sources: frozenset[str] = frozenset()
    exclude: frozenset[str] = frozenset()
    restriction: int = 9
    attributes: frozenset[str] = frozenset()

    @property
    def active(self) -> bool:
        """Whether it keeps any vocabulary out."""
        return bool(self.sources or self.exclude) or self.restriction < 9

    def takes(self, sab: str, restriction: int = 0) -> bool:
        """Whether a vocabulary is taken."""
        return (sab not in self.exclude and (not self.sources or sab in self.sources)
                and restriction <= self.restriction)


class RrfReader(RrfFiles):
    """The tables of one META folder (see `RrfFiles`), as far as a filter takes them."""

    name = "umls"

    def __init__(self, folder: Path, report: ReadReport, taken: Filter | None = None) -> None:
        super().__init__(folder, report)
        self.taken = taken or Filter()
        self._levels: dict[str, int] = {}

    def _reject(self, table: str, number: int, reason: str) -> None:
        self.report.reject(self.file(table), number, "GKB-407", reason)

    def leave_out(self, table: str, reason: str, rows: int = 1) -> None:
        """Count rows that are well formed and not wanted."""
        self.report.leave_out(self.file(table), reason, rows)

    def _takes(self, sab: str, level: str = "") -> bool:
        known = self._levels.get(sab)
        if known is None:
            known = int(level) if level.isascii() and level.isdigit() else 0
        return self.taken.takes(sab, known)

    def vocabularies(self) -> Iterator[Vocabulary]:
        """Yield the rows of MRSAB, the current version of each vocabulary last."""
        found: list[tuple[bool, Vocabulary]] = []
        for number, sab, version, vsab, title, level, citation, inserted, current in self.rows(
                "MRSAB", ("RSAB", "SVER", "VSAB", "SON", "SRL", "SCIT", "IMETA", "CURVER")):
            if not sab:
                self._reject("MRSAB", number, "RSAB is blank")
                continue
            if not (level.isascii() and level.isdigit()) and level:
                self._reject("MRSAB", number, "SRL is not a number")
                continue
            found.append((current == "Y", Vocabulary(sab, version or vsab, title, int(level or 0), citation, inserted)))
            self.report.keep(self.file("MRSAB"))
        for _, vocabulary in sorted(found, key=lambda pair: (pair[0], pair[1].version)):
            self._levels[vocabulary.sab] = vocabulary.restriction
            yield vocabulary

    def rank(self) -> dict[tuple[str, str, str], int]:
        """Return (vocabulary, term type, suppressed) -> place in MRRANK, the best first; empty where it is not there.

        In MRRANK the higher number wins; every release counts anew, so only the order is kept.
        """
        found: dict[tuple[str, str, str], int] = {}
        for number, rank, sab, tty, suppress in self.rows("MRRANK", COLUMNS["MRRANK"]):
            if not (rank.isascii() and rank.isdigit()):
                self._reject("MRRANK", number, "RANK is not a number")
            else:
                found[sab, tty, suppress] = int(rank)
                self.report.keep(self.file("MRRANK"))
        ordered = sorted(found, key=lambda key: (-found[key], key))
        return {key: place for place, key in enumerate(ordered, 1)}

    def atoms(self) -> Iterator[Atom]:
        """Yield the rows of MRCONSO, in the file's order, which need not be that of the CUIs."""
        places = self.rank()
        last = len(places) + 1 if places else 0
        is_cui, takes, filtered = _CUI.fullmatch, self._takes, self.taken.active
        atom = partial(tuple.__new__, Atom)  # half the time of a NamedTuple's own way
        for number, cui, language, ts, stt, preferred, aui, sab, tty, code, name, level, suppress in self.rows(
                "MRCONSO", ("CUI", "LAT", "TS", "STT", "ISPREF", "AUI", "SAB", "TTY", "CODE", "STR", "SRL",
                            "SUPPRESS")):
            if not is_cui(cui):
                self._reject("MRCONSO", number, "CUI is not C and seven digits")
            elif not (aui and sab and code):
                self._reject("MRCONSO", number, "AUI, SAB or CODE is blank")
            elif not name.strip():
                self._reject("MRCONSO", number, "the name is blank")
            elif filtered and not takes(sab, level):
                self.leave_out("MRCONSO", "a vocabulary that the settings leave out")
            else:
                # NOCODE says that the source gave none: as a code it would be one node for half a vocabulary
                rank = 4 * (ts != "P") + 2 * (stt != "PF") + (preferred != "Y")
                if last:
                    rank += 8 * places.get((sab, tty, suppress or "N"), last)
                yield atom((number, cui, aui, sab, f"NOCODE-{cui}" if code == "NOCODE" else code, language,
                            suppress or "N", rank, tty, name))

    def semantic_types(self) -> Iterator[tuple[int, str, str]]:
        """Yield row, CUI and TUI of MRSTY."""
        for number, cui, tui in self.rows("MRSTY", ("CUI", "TUI")):
            if not (_CUI.fullmatch(cui) and _TUI.fullmatch(tui)):
                self._reject("MRSTY", number, "CUI or TUI is malformed")
            else:
                yield number, cui, tui

    def definitions(self) -> Iterator[tuple[int, str, str, str]]:
        """Yield row, CUI, AUI and text of MRDEF."""
        for number, cui, aui, sab, text, suppress in self.rows("MRDEF", ("CUI", "AUI", "SAB", "DEF", "SUPPRESS")):
            if not (_CUI.fullmatch(cui) and aui):
                self._reject("MRDEF", number, "CUI or AUI is malformed")
            elif not text.strip():
                self._reject("MRDEF", number, "the definition is blank")
            elif suppress not in ("N", ""):
                self.leave_out("MRDEF", "the definition is suppressed")
            elif not self._takes(sab):
                self.leave_out("MRDEF", "a vocabulary that the settings leave out")
            else:
                yield number, cui, aui, text

    def attributes(self) -> Iterator[Attribute]:
        """Yield those rows of MRSAT that the filter takes: attributes of atoms, by their names."""
        wanted = self.taken.attributes
        if not wanted:
            return
        others = suppressed = 0
        for number, cui, aui, name, sab, value, suppress in self.rows(
                "MRSAT", ("CUI", "METAUI", "ATN", "SAB", "ATV", "SUPPRESS")):
            if name not in wanted:
                others += 1
            elif suppress not in ("N", "") or not self._takes(sab):
                suppressed += 1
            elif not (_CUI.fullmatch(cui) and aui[:1] == "A" and value.strip()):
                self._reject("MRSAT", number, "not an attribute of an atom, or without a value")
            else:
                yield Attribute(number, cui, aui, name, sab, value)
        for rows, reason in ((others, "an attribute that ingest.umls_attributes does not name"),
                             (suppressed, "an attribute that is suppressed or of a vocabulary left out")):
            if rows:
                self.leave_out("MRSAT", reason, rows)

    def documentation(self) -> dict[tuple[str, str], dict[str, str]]:
        """Return what MRDOC says: (key, type) -> value -> explanation, as ``("RELA", "rela_inverse")``."""
        found: dict[tuple[str, str], dict[str, str]] = {}
        for _, key, value, type_, explained in self.rows("MRDOC", COLUMNS["MRDOC"]):
            found.setdefault((key, type_), {})[value] = explained
            self.report.keep(self.file("MRDOC"))
        return found

    def changes(self) -> Iterator[CuiChange]:
        """Yield the rows of MRCUI, in the file's order."""
        for number, cui1, version, rel, rela, reason, cui2, mapped in self.rows("MRCUI", COLUMNS["MRCUI"]):
            if not (_CUI.fullmatch(cui1) and (_CUI.fullmatch(cui2) or not cui2)):
                self._reject("MRCUI", number, "CUI1 or CUI2 is malformed")
            elif rel not in _CHANGES or (rel == "DEL") == bool(cui2):
                self._reject("MRCUI", number, "REL is none of DEL (without CUI2), SY, RB, RN and RO (with it)")
            else:
                yield CuiChange(number, cui1, version, rel, rela, reason, cui2, mapped == "Y")

    def release(self) -> tuple[str, str]:
        """Return the name and the date (ISO 8601) that ``release.dat`` says, each "" where it does not."""
        path = self.folder / "release.dat"
        if not path.is_file():
            return "", ""
        said = dict(line.partition("=")[::2] for line in read_text(path).splitlines())
        date = re.fullmatch(r"(\d{4})-?(\d{2})-?(\d{2})", said.get("umls.release.date", "").strip(), re.ASCII)
        return said.get("umls.release.name", "").strip(), "-".join(date.groups()) if date else ""

    def network(self) -> dict[str, str]:
        """Return the semantic types that SRDEF has beside META, in ``../NET`` or with it: TUI -> name."""
        for path in (self.folder.parent / "NET" / "SRDEF", self.folder / "SRDEF"):
            if path.is_file():
                fields = (line.split("|") for line in read_text(path).splitlines())
                return {f[1]: f[2] for f in fields if len(f) > 2 and f[0] == "STY"}
        return {}

    def relations(self) -> Iterator[RelationRow]:
        """Yield the rows of MRREL, each in its true direction (see `graphkb.model.predicates.reading_of`)."""
        are_cuis, filtered, row = _CUIS.fullmatch, self.taken.active, partial(tuple.__new__, RelationRow)
        for number, cui1, rel, cui2, rela, sab, direction, suppress in self.rows(
                "MRREL", ("CUI1", "REL", "CUI2", "RELA", "SAB", "DIR", "SUPPRESS")):
            if not are_cuis(f"{cui1}|{cui2}"):
                self._reject("MRREL", number, "CUI1 or CUI2 is malformed")
            elif cui1 == cui2:
                self.leave_out("MRREL", "a relation of a concept to itself")
            elif suppress not in ("N", ""):
                self.leave_out("MRREL", "the relation is suppressed")
            elif filtered and not self._takes(sab):
                self.leave_out("MRREL", "a vocabulary that the settings leave out")
            elif (found := reading_of(rel, rela)) is None:
                self.leave_out("MRREL", "REL asserts no relation")
            else:
                subject, object_ = (cui1, cui2) if (cui1 < cui2 if found.symmetric else found.flipped) else (cui2, cui1)
                yield row((number, sab, found.type, found.predicate, subject, object_, found.known, direction == "Y"))
