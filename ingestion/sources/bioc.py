"""BioC collections, XML and JSON: passages with offsets, annotations, relations.

A document's text is its passages one after the other; an annotation lies where its passage lies. Offsets that count
bytes (UTF-8) are read as such where the annotation's text stands there; an annotation whose text stands at neither
place is rejected, never moved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from graphkb.errors import InputError
from graphkb.model.records import (
    Annotation,
    GivenStatement,
    Polarity,
    ReadReport,
    Section,
    SourceDocument,
    SourceInfo,
    Tier,
)
from ingestion.sources import files
from ingestion.sources.bioc_files import Marked, Passage, Record, Related, records
from ingestion.sources.marks import Placer, Seen, curies

SUFFIXES = (".xml", ".json", ".jsonl", ".bioc", ".xml.gz", ".json.gz", ".jsonl.gz", ".bioc.gz")
_LEFT_OUT = frozenset(("REF", "COMP_INT", "AUTH_CONT", "ACK_FUND"))
_CODE_NAMES = ("identifier", "mesh", "omim", "umls", "ncbi gene", "ncbi_gene", "id", "cui", "concept_id", "dbid")
_VOCABULARIES = {"mesh": "mesh", "omim": "omim", "umls": "umls", "cui": "umls", "ncbi gene": "gene",
                 "ncbi_gene": "gene"}
_SUBJECTS = ("subject", "arg1", "head", "cause", "agent", "chemical", "drug", "gene", "entity1", "role1", "source")
_OBJECTS = ("object", "arg2", "tail", "theme", "target", "disease", "entity2", "role2")
_IDENTIFIERS = {"article-id_pmid": "pmid", "article-id_doi": "doi", "article-id_pmc": "pmcid", "pmid": "pmid",
                "doi": "doi", "pmcid": "pmcid", "license": "licence", "journal": "journal"}


@dataclass(slots=True)
class _Placed:
    passage: Passage
    start: int


class BioCSource:
    """BioC XML and JSON files, plain or gzip; folders are walked in a fixed order.

    The record is the document's ``id``. Reference lists and statements of funding or interest are left out and
    counted in the notes.
    """

    name = "bioc"

    def __init__(self, paths: Iterable[Path], tier: Tier = "literature", *, source: SourceInfo | None = None,
                 max_bytes: int = files.MAX_DOCUMENT_BYTES) -> None:
        self.paths = [Path(path) for path in paths]
        self.tier: Tier = tier
        self.source = source or SourceInfo("bioc", "")
        self.max_bytes = max_bytes

    def documents(self, report: ReadReport) -> Iterator[SourceDocument]:
        """Yield one document per BioC document; what cannot be taken is rejected and the others go on.

        Raises
        ------
        InputError
            Not one document could be taken.
        """
        kept = 0
        notes: Counter[str] = Counter()
        with Seen() as seen:
            for path in files.find(self.paths, SUFFIXES, report):
                try:
                    for number, record in enumerate(records(path, self.max_bytes), 1):
                        try:
                            document = self._document(record, path, report, seen, notes)
                        except InputError as error:
                            report.reject(str(path), number, error.code, error.detail)
                            continue
                        report.keep(str(path))
                        kept += 1
                        yield document
                except InputError as error:
                    files.reject_file(report, path, error)
        report.notes += [f"{count} {what}" for what, count in sorted(notes.items())]
        files.refuse_if_nothing(report, kept)

    def _document(self, record: Record, path: Path, report: ReadReport, seen: Seen,
                  notes: Counter[str]) -> SourceDocument:
        if record.problem:
            raise InputError("GKB-407", detail=record.problem)
        if not record.id:
            raise InputError("GKB-407", detail="a document without an id")
        text, placed = _lay_out(record.passages, notes)
        if not text.strip():
            raise InputError("GKB-408", detail="no passage has text")
        if "\0" in text:
            raise InputError("GKB-407", detail="a NUL character: this is not text")
        if len(text) > self.max_bytes:
            raise InputError("GKB-410", detail=f"more than {self.max_bytes} characters")
        if not seen.add(record.id):
            raise InputError("GKB-411", detail="a document of this id came before")
        by_id: dict[str, Annotation] = {}
        annotations = list(self._annotations(placed, text, by_id, path, report, notes))
        statements = tuple(self._statements(record, placed, text, annotations, by_id, path, report))
        titles = (text[one.start:one.start + len(one.passage.text)] for one in placed if one.passage.kind == "title")
        identifiers = _identifiers(record)
        return SourceDocument(
            source=self.source, record=record.id, title=" ".join(next(titles, record.id).split()), text=text,
            tier=self.tier, kind="article" if len(placed) > 2 else "abstract", sections=_sections(placed),
            published=identifiers.pop("published", None), identifiers=identifiers, annotations=tuple(annotations),
            statements=statements)

    @staticmethod
    def _annotations(placed: list[_Placed], text: str, by_id: dict[str, Annotation], path: Path, report: ReadReport,
                     notes: Counter[str]) -> Iterator[Annotation]:
        part = f"{path}: annotations"
        for one in placed:
            for marked in one.passage.annotations:
                problem, start = _start(marked, one, text)
                if problem:
                    report.reject(part, None, "GKB-407", problem)
                    continue
                if start != one.start + marked.offset - one.passage.offset:
                    notes["annotations with offsets in bytes"] += 1
                report.keep(part)
                type_ = marked.infons.get("type", "") or "entity"
                annotation = Annotation(start, start + len(marked.text), type_, _codes(marked.infons, type_))
                if marked.id:
                    by_id.setdefault(marked.id, annotation)
                yield annotation

    @staticmethod
    def _statements(record: Record, placed: list[_Placed], text: str, annotations: list[Annotation],
                    by_id: dict[str, Annotation], path: Path, report: ReadReport) -> Iterator[GivenStatement]:
        part = f"{path}: relations"
        placer = Placer(text, annotations)
        for relation in (*record.relations, *(found for one in placed for found in one.passage.relations)):
            statement = _statement(relation, placer, by_id)
            if statement is None:
                report.reject(part, None, "GKB-409", "the two ends of the relation are not marked in the text")
            else:
                report.keep(part)
                yield statement


def _lay_out(passages: Iterable[Passage], notes: Counter[str]) -> tuple[str, list[_Placed]]:
    parts: list[str] = []
    placed: list[_Placed] = []
    at = 0
    for passage in passages:
        if passage.section in _LEFT_OUT:
            notes["passages left out (references, funding, interests)"] += 1
        elif passage.text.strip():
            placed.append(_Placed(passage, at))
            parts.append(passage.text)
            at += len(passage.text) + 1
    return "\n".join(parts), placed


def _sections(placed: list[_Placed]) -> tuple[Section, ...]:
    found: list[Section] = []
    for one in placed:
        name = one.passage.section or ("abstract" if one.passage.kind.startswith("abstract") else "")
        end = one.start + len(one.passage.text)
        if not name or one.passage.kind == "title" or name == "TITLE":
            continue
        if found and found[-1].name == name.capitalize() and one.start - found[-1].end <= 1:
            found[-1] = Section(found[-1].name, found[-1].start, end)
        else:
            found.append(Section(name.capitalize(), one.start, end))
    return tuple(found)


def _start(marked: Marked, one: _Placed, text: str) -> tuple[str, int]:
    """Return where an annotation stands, or why it cannot be told."""
    if marked.problem:
        return marked.problem, 0
    if not marked.text.strip():
        return "the annotation has no text", 0
    within = marked.offset - one.passage.offset
    size = len(one.passage.text)
    if within >= 0 and one.passage.text[within:within + len(marked.text)] == marked.text:
        return "", one.start + within
    data = one.passage.text.encode()
    if len(data) != size and 0 <= within < len(data):
        wanted = marked.text.encode()
        if data[within:within + len(wanted)] == wanted:
            return "", one.start + len(data[:within].decode())
    if not 0 <= within < size:
        return "the offset lies outside its passage", 0
    return "another text stands at the offset", 0


def _codes(infons: dict[str, str], type_: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    vocabulary = infons.get("database", "") or ""
    for name in _CODE_NAMES:
        if infons.get(name):
            found.update(dict.fromkeys(curies(infons[name], type_, _VOCABULARIES.get(name, vocabulary))))
    return tuple(found)


def _statement(relation: Related, placer: Placer, by_id: dict[str, Annotation]) -> GivenStatement | None:
    predicate = relation.infons.get("relation") or relation.infons.get("type") or "related_to"
    denied = relation.infons.get("negated", "").casefold() in ("true", "1", "yes")
    polarity: Polarity = "negated" if denied else "affirmed"
    marked = [(role.casefold(), by_id[id_]) for id_, role in relation.nodes if id_ in by_id]
    if len(relation.nodes) > 2 or (relation.nodes and len(marked) < len(relation.nodes)):
        return None
    if len(marked) == 2:
        (role, one), (other_role, other) = marked
        if _order(role) > _order(other_role):
            one, other = other, one
        return placer.between(predicate, one, other, polarity=polarity)
    ends = [next((relation.infons[name] for name in names if relation.infons.get(name)), "")
            for names in (_SUBJECTS, _OBJECTS)]
    codes = [tuple(dict.fromkeys((*curies(end, "gene"), *curies(end, "species")))) for end in ends]
    return placer.between_codes(predicate, *codes, polarity=polarity)


def _order(role: str) -> int:
    return 0 if role in _SUBJECTS else 2 if role in _OBJECTS else 1


def _identifiers(record: Record) -> dict[str, str]:
    found: dict[str, str] = {}
    for infons in (record.infons, *(passage.infons for passage in record.passages[:1])):
        for name, ours in _IDENTIFIERS.items():
            if infons.get(name):
                found.setdefault(ours, infons[name])
        if len(year := infons.get("year", "")) == 4 and year.isdigit():
            found.setdefault("published", year)
    if record.id.isascii() and record.id.isdigit():
        found.setdefault("pmid", record.id)
    elif record.id.startswith("PMC"):
        found.setdefault("pmcid", record.id)
    return found
