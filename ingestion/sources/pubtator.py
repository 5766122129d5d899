"""PubTator files: titles and abstracts with a source's own annotations and relations.

```
227508|t|Naloxone reverses the antihypertensive effect of clonidine.
227508|a|In unanesthetized, ...
227508	0	8	Naloxone	Chemical	D009270
227508	CID	D003000	D003866
```

Offsets count in the title, one character, and the abstract. An annotation whose text does not stand at its offsets is
rejected, never moved.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from graphkb.errors import InputError
from graphkb.model.records import Annotation, GivenStatement, ReadReport, SourceDocument, SourceInfo, Tier
from ingestion.sources import files
from ingestion.sources.marks import Placer, Seen, curies, lines

SUFFIXES = (".txt", ".pubtator", ".txt.gz", ".pubtator.gz")
_PART = re.compile(r"([^|\t]+)\|([ta])\|(.*)")


@dataclass(slots=True)
class _Block:
    """The lines of one document."""

    record: str
    line: int
    title: str | None = None
    abstract: str | None = None
    rows: list[tuple[int, list[str]]] = field(default_factory=list)
    size: int = 0


class PubTatorSource:
    """PubTator files, classic and PubTator 3, plain or gzip; folders are walked in a fixed order.

    The record is the document's identifier; where it is a number it is a PMID.
    """

    name = "pubtator"

    def __init__(self, paths: Iterable[Path], tier: Tier = "literature", *, source: SourceInfo | None = None,
                 max_bytes: int = files.MAX_DOCUMENT_BYTES) -> None:
        self.paths = [Path(path) for path in paths]
        self.tier: Tier = tier
        self.source = source or SourceInfo("pubtator", "")
        self.max_bytes = max_bytes

    def documents(self, report: ReadReport) -> Iterator[SourceDocument]:
        """Yield one document per title and abstract; what cannot be taken is rejected and the others go on.

        Raises
        ------
        InputError
            Not one document could be taken.
        """
        kept = 0
        with Seen() as seen:
            for path in files.find(self.paths, SUFFIXES, report):
                try:
                    for block in self._blocks(path, report):
                        document = self._take(block, path, report, seen)
                        if document is not None:
                            kept += 1
                            yield document
                except InputError as error:
                    files.reject_file(report, path, error)
        files.refuse_if_nothing(report, kept)

    def _blocks(self, path: Path, report: ReadReport) -> Iterator[_Block]:
        block: _Block | None = None
        for number, line in lines(path, self.max_bytes):
            if not line.strip():
                if block is not None:
                    yield block
                block = None
                continue
            part = _PART.match(line)
            record = (part[1] if part else line.partition("\t")[0]).strip()
            if not part and "\t" not in line:
                report.reject(str(path), number, "GKB-405", "a line is neither text nor an annotation")
                continue
            # a second title opens a document of its own: one without a blank line before it, or one given twice
            if block is None or record != block.record or (part and part[2] == "t" and block.title is not None):
                if block is not None:
                    yield block
                block = _Block(record, number)
            block.size += len(line)
            if part and part[2] == "t":
                block.title = part[3]
            elif part:
                block.abstract = part[3]
            else:
                block.rows.append((number, line.split("\t")))
        if block is not None:
            yield block

    def _take(self, block: _Block, path: Path, report: ReadReport, seen: Seen) -> SourceDocument | None:
        problem = self._problem(block, seen)
        if problem:
            report.reject(str(path), block.line, *problem)
            return None
        text = block.title or ""
        if block.abstract:
            text += "\n" + block.abstract
        annotations = tuple(self._annotations(block, text, path, report))
        statements = tuple(self._statements(block, text, annotations, path, report))
        report.keep(str(path))
        pmid = {"pmid": block.record} if block.record.isascii() and block.record.isdigit() else {}
        title = (block.title or "").strip() or block.record
        return SourceDocument(source=self.source, record=block.record, title=title, text=text, tier=self.tier,
                              kind="abstract", identifiers=pmid, annotations=annotations, statements=statements)

    def _problem(self, block: _Block, seen: Seen) -> tuple[str, str] | None:
        if block.title is None:
            return "GKB-405", "a document without a title line"
        if block.size > self.max_bytes:
            return "GKB-410", f"more than {self.max_bytes} bytes"
        if not (block.title + (block.abstract or "")).strip():
            return "GKB-408", "neither title nor abstract"
        if "\0" in block.title + (block.abstract or ""):
            return "GKB-407", "a NUL character: this is not text"
        if not seen.add(block.record):
            return "GKB-411", "a document of this identifier came before"
        return None

    @staticmethod
    def _annotations(block: _Block, text: str, path: Path, report: ReadReport) -> Iterator[Annotation]:
        part = f"{path}: annotations"
        for number, row in block.rows:
            if len(row) < 3 or not row[1].strip().lstrip("-").isdigit():
                continue
            if len(row) < 5:
                report.reject(part, number, "GKB-406", "an annotation has fewer than five fields")
                continue
            start, end = row[1].strip(), row[2].strip()
            if not (_is_place(start) and _is_place(end) and int(start) < int(end) <= len(text)):
                report.reject(part, number, "GKB-407", "the offsets lie outside the text")
            elif text[int(start):int(end)] != row[3]:
                report.reject(part, number, "GKB-407", "another text stands at the offsets")
            else:
                report.keep(part)
                codes = curies(row[5], row[4]) if len(row) > 5 else ()
                yield Annotation(int(start), int(end), row[4].strip(), codes)

    @staticmethod
    def _statements(block: _Block, text: str, annotations: tuple[Annotation, ...], path: Path,
                    report: ReadReport) -> Iterator[GivenStatement]:
        part = f"{path}: relations"
        placer = Placer(text, annotations)
        for number, row in block.rows:
            if len(row) >= 3 and row[1].strip().lstrip("-").isdigit():
                continue
            if len(row) < 4 or not row[1].strip():
                report.reject(part, number, "GKB-406", "a relation has fewer than four fields")
                continue
            # a bare number is a gene's or a species', by what the text marks with it
            ends = [tuple(dict.fromkeys((*curies(end, "gene"), *curies(end, "species")))) for end in row[2:4]]
            statement = placer.between_codes(row[1].strip(), *ends)
            if statement is None:
                report.reject(part, number, "GKB-409", "an end of the relation is not marked in the text")
            else:
                report.keep(part)
                yield statement


def _is_place(value: str) -> bool:
    return value.isascii() and value.isdigit() and len(value) < 10
