"""What readers of annotated sources share: codes as the vocabulary writes them, relations put into the text, and a set
of identifiers that stays on disk.
"""

from __future__ import annotations

import re
import sqlite3
import tempfile
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import lru_cache
from pathlib import Path
from typing import Any

from graphkb import ids
from graphkb.errors import InputError
from graphkb.model.records import Annotation, GivenStatement, Polarity
from ingestion import sentences
from ingestion.sources import files

# prefix of a CURIE (folded) -> the vocabulary's abbreviation; a second part is what its codes themselves begin with
_PREFIXES: dict[str, tuple[str, str]] = {
    "mesh": ("MSH", ""), "msh": ("MSH", ""), "omim": ("OMIM", ""), "mim": ("OMIM", ""), "doid": ("DO", "DOID:"),
    "hp": ("HPO", "HP:"), "hpo": ("HPO", "HP:"), "go": ("GO", "GO:"), "hgnc": ("HGNC", "HGNC:"),
    "drugbank": ("DRUGBANK", ""), "umls": ("UMLS", ""), "snomedct": ("SNOMEDCT_US", ""),
    "sctid": ("SNOMEDCT_US", ""), "snomed": ("SNOMEDCT_US", ""), "snomedct_us": ("SNOMEDCT_US", ""),
    "rxnorm": ("RXNORM", ""), "rxcui": ("RXNORM", ""),
    "ncit": ("NCI", ""), "nci": ("NCI", ""), "loinc": ("LNC", ""), "lnc": ("LNC", ""), "meddra": ("MDR", ""),
    "mdr": ("MDR", ""), "atc": ("ATC", ""), "icd10cm": ("ICD10CM", ""), "icd10": ("ICD10", ""),
    "icd9cm": ("ICD9CM", ""), "icd9": ("ICD9CM", ""), "icd10pcs": ("ICD10PCS", ""), "ncbitaxon": ("NCBI", ""),
    "taxonomy": ("NCBI", ""), "ncbigene": ("NCBIGene", ""), "entrez": ("NCBIGene", ""), "gene": ("NCBIGene", ""),
    "do": ("DO", ""), "chebi": ("CHEBI", ""), "rs#": ("dbSNP", ""),
}
_BARE = (  # what a code without a prefix is by its looks, and by the type of its annotation
    (re.compile(r"[DC]\d{6,9}"), "mesh", None), (re.compile(r"DB\d{5}"), "drugbank", None),
    (re.compile(r"CVCL_\w+"), "Cellosaurus", None), (re.compile(r"rs\d+"), "dbSNP", None),
    (re.compile(r"\d+"), "gene", re.compile(r"gene|protein", re.IGNORECASE)),
    (re.compile(r"\d+"), "taxonomy", re.compile(r"species|taxon|organism", re.IGNORECASE)),
)
_NOTHING = frozenset(("", "-", "-1", "none", "null", "nan", "na", "n/a"))
_SPLIT = re.compile(r"\s*[|,;+]\s*")
MOST_PAIRS = 100


@lru_cache(100_000)
def curie(code: str, type_: str = "", vocabulary: str = "") -> str:
    """Return a code as the vocabulary's own CURIE, ``""`` where it says nothing.

    Parameters
    ----------
    code
        ``MESH:D003000``, ``DOID:9206``, or bare (``D003000``).
    type_
        The source's type of what has the code: a bare number is a gene's or a species' by it.
    vocabulary
        What a bare code is of, where the caller knows.

    Examples
    --------
    >>> curie("MESH:D003000"), curie("DOID:9206"), curie("7157", "Gene"), curie("-1"), curie("DB00843")
    ('MSH:D003000', 'DO:DOID:9206', 'NCBIGene:7157', '', 'DRUGBANK:DB00843')
    """
    code = code.strip().strip("*")
    if code.casefold() in _NOTHING:
        return ""
    prefix, colon, rest = code.partition(":")
    if not colon:
        prefix, rest = vocabulary or next((name for looks, name, of in _BARE if looks.fullmatch(code)
                                           and (of is None or of.search(type_))), ""), code
    if not prefix or not rest.strip() or rest.casefold() in _NOTHING:
        return "" if not prefix and code.isdigit() else code if not prefix else ""
    known = _PREFIXES.get(prefix.strip().casefold())
    if known is None:
        return f"{prefix.strip()}:{rest.strip()}"
    name, start = known
    rest = rest.strip()
    return f"{name}:{rest if rest.casefold().startswith(start.casefold()) else start + rest}"


def curies(field: str, type_: str = "", vocabulary: str = "") -> tuple[str, ...]:
    """Return the CURIEs of a field with several codes (joined by ``|``, ``,``, ``;`` or ``+``), each once."""
    found = (curie(code, type_, vocabulary) for code in _SPLIT.split(field))
    return tuple(dict.fromkeys(code for code in found if code))


class Placer:
    """Puts relations between codes where the text shows them best: at the nearest two mentions of its two ends."""

    def __init__(self, text: str, annotations: Sequence[Annotation]) -> None:
        self._text = text
        self._annotations = annotations
        self._by_code: dict[str, list[Annotation]] = {}
        for one in annotations:
            for code in one.codes:
                self._by_code.setdefault(code, []).append(one)
        self._sentences: list[tuple[int, int]] | None = None

    def between_codes(self, predicate: str, subject: Sequence[str], object_: Sequence[str], *,
                      polarity: Polarity = "affirmed", certainty: float = 1.0) -> GivenStatement | None:
        """Return the statement between two codes, None where one is not marked in the text."""
        ends = [[(one, code) for code in codes for one in self._by_code.get(code, ())][:MOST_PAIRS]
                for codes in (subject, object_)]
        pairs = [(_gap(a, b), a.start, b.start, a, code_a, b, code_b)
                 for a, code_a in ends[0] for b, code_b in ends[1] if code_a != code_b]
        if not pairs:
            return None
        _, _, _, a, code_a, b, code_b = min(pairs, key=lambda pair: pair[:3])
        return self.between(predicate, a, b, code_a, code_b, polarity=polarity, certainty=certainty)

    def between(self, predicate: str, subject: Annotation, object_: Annotation, subject_code: str = "",
                object_code: str = "", *, polarity: Polarity = "affirmed", certainty: float = 1.0) -> GivenStatement:
        """Return the statement between two annotations; it stands in the sentences that hold them."""
        start, end = min(subject.start, object_.start), max(subject.end, object_.end)
        if self._sentences is None:
            self._sentences = sentences.split(self._text, 0, len(self._text))
        starts = [low for low, _ in self._sentences]
        first, last = bisect_right(starts, start) - 1, bisect_right(starts, end - 1) - 1
        if first >= 0:
            start, end = min(start, self._sentences[first][0]), max(end, self._sentences[last][1])
        return GivenStatement(self._words(subject), predicate, self._words(object_), start, end,
                              subject_code or next(iter(subject.codes), ""),
                              object_code or next(iter(object_.codes), ""), polarity, certainty)

    def _words(self, one: Annotation) -> str:
        return re.sub(r"\s+", " ", self._text[one.start:one.end])


def _gap(a: Annotation, b: Annotation) -> int:
    return max(a.start, b.start) - min(a.end, b.end)


class Seen(AbstractContextManager["Seen"]):
    """Which identifiers came before, in a file of their own: memory stays flat however many there are."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="graphkb-seen-")
        self._db = sqlite3.connect(Path(self._folder.name) / "seen.db", isolation_level=None)
        self._db.execute("PRAGMA journal_mode = OFF")
        self._db.execute("PRAGMA synchronous = OFF")
        self._db.execute("CREATE TABLE seen (id BLOB PRIMARY KEY) WITHOUT ROWID")
        self._db.execute("CREATE TABLE named (id TEXT PRIMARY KEY, name TEXT, type TEXT) WITHOUT ROWID")
        self._db.execute("BEGIN")

    def add(self, *parts: str) -> bool:
        """Remember an identifier; return whether it is new."""
        key = bytes.fromhex(ids.digest("seen", *parts))
        return self._db.execute("INSERT OR IGNORE INTO seen VALUES (?)", (key,)).rowcount == 1

    def name(self, identifier: str, name: str, type_: str) -> bool:
        """Remember what an identifier is called; return False where it has a name already."""
        values = (identifier, name, type_)
        return self._db.execute("INSERT OR IGNORE INTO named VALUES (?, ?, ?)", values).rowcount == 1

    def named(self, identifier: str) -> tuple[str, str]:
        """Return what an identifier is called and its type, both ``""`` where no one said."""
        row = self._db.execute("SELECT name, type FROM named WHERE id = ?", (identifier,)).fetchone()
        return (row[0], row[1]) if row else ("", "")

    def __exit__(self, *exc: object) -> None:
        self._db.close()
        self._folder.cleanup()


def lines(path: Path, max_bytes: int) -> Iterator[tuple[int, str]]:
    """Yield the lines of a file with their numbers, without their ends; nothing but a line feed ends one.

    Raises
    ------
    InputError
        GKB-401, 402, 404; GKB-403 with the line; GKB-410 where one line is longer than ``max_bytes``.
    """
    number = 0
    with files.open_binary(path) as handle, files.broken_gzip(path):
        while raw := handle.readline(max_bytes + 2):
            number += 1
            if len(raw) > max_bytes + 1:
                raise InputError("GKB-410", where=f"{path}, line {number}",
                                 detail=f"a line of more than {max_bytes} bytes",
                                 hint="raise ingest.max_document_bytes")
            try:
                line = raw.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError:
                raise InputError("GKB-403", where=f"{path}, line {number}") from None
            yield number, line.rstrip("\n").removesuffix("\r")


def text_of(value: Any) -> str:
    """Return a JSON value as text: a list's parts joined by a bar, ``""`` for nothing."""
    if isinstance(value, (list, tuple)):
        return "|".join(filter(None, map(text_of, value)))
    return "" if value is None or isinstance(value, dict) else str(value).strip()


def first(fields: dict[str, Any], names: Iterable[str]) -> str:
    """Return the first of these fields that says something."""
    return next((text for name in names if (text := text_of(fields.get(name)))), "")
