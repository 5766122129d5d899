"""Articles in JATS XML (PMC, PLOS and others): the article's own text and identifiers, and nobody else's.

Identifiers, date and licence are read from the article's own front matter only: never from the reference list, a
related article, or a sub-article (reviews, decision letters, replies), which are left out and counted in the notes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any

from lxml import etree

from graphkb import ids
from graphkb.errors import InputError
from graphkb.model.records import ReadReport, Scalar, Section, SourceDocument, SourceInfo, Tier
from graphkb.model.tables import TableCell, TableGrid
from ingestion.sources import files, jats_meta
from ingestion.sources.jats_text import Block, Element, blocks, inline, local_names

MAX_MARKS = 1_000_000
SUFFIXES = (".xml", ".nxml", ".xml.gz", ".nxml.gz")



class JatsSource:
    """JATS articles, one or several per file; folders are walked in a fixed order.

    The record is the article's DOI, else its PMID, else its PMCID, else the hash of its text. All articles are of the
    source ``jats``; journal, citation, licence and its restriction level are the document's identifiers, because they
    differ by article. Restriction: 0 open (CC BY, CC0, public domain), 1 share-alike, 2 non-commercial or no
    derivatives, 3 not said.
    """

    name = "jats"

    def __init__(self, paths: Iterable[Path], tier: Tier = "literature", *, source: SourceInfo | None = None,
                 max_bytes: int = files.MAX_DOCUMENT_BYTES) -> None:
        self.paths = [Path(path) for path in paths]
        self.tier: Tier = tier
        self.source = source or SourceInfo("jats", "")
        self.max_bytes = max_bytes

    def documents(self, report: ReadReport) -> Iterator[SourceDocument]:
        """Yield one document per article; what cannot be taken is rejected and the others go on.

        Raises
        ------
        InputError
            Not one article could be taken.
        """
        seen: set[str] = set()
        left_out: Counter[str] = Counter()
        for path in files.find(self.paths, SUFFIXES, report):
            try:
                articles = self._articles(path, report)
            except InputError as error:
                files.reject_file(report, path, error)
                continue
            for number, article in enumerate(articles, start=1):
                try:
                    document = self._document(article, path if len(articles) == 1 else None)
                    if document.record in seen:
                        raise InputError("GKB-411", where=str(path), detail="an article of this identifier came before")
                except InputError as error:
                    report.reject(str(path), number, error.code, error.detail or "the article cannot be taken")
                    continue
                left_out.update(str(part.get("article-type") or part.tag)
                                for part in article.iter("sub-article", "response"))
                seen.add(document.record)
                report.keep(str(path))
                yield document
        if left_out:
            report.notes.append("left out, for they are not the article: "
                                + ", ".join(f"{count} {kind}" for kind, count in sorted(left_out.items())))
        files.refuse_if_nothing(report, len(seen))

    def _articles(self, path: Path, report: ReadReport) -> list[Element]:
        root = parse(path, self.max_bytes)
        try:
            unknown = local_names(root)
        except RecursionError:
            raise InputError("GKB-405", where=str(path), detail="elements are nested too deeply") from None
        if unknown:
            report.notes.append(f"{path}: entities left as they are: {', '.join(sorted(set(unknown)))}")
        articles = [root] if root.tag == "article" else [
            article for article in root.iter("article") if article.find("front") is not None]
        if not articles:
            raise InputError("GKB-405", where=str(path), detail=f"the root element is {root.tag}, not a JATS article")
        return articles

    def _document(self, article: Element, path: Path | None) -> SourceDocument:
        meta = article.find("front/article-meta")
        if meta is None:
            raise InputError("GKB-405", detail="the article has no article-meta")
        try:
            laid = layout(_blocks(article, meta))
        except RecursionError:
            raise InputError("GKB-405", detail="elements are nested too deeply") from None
        title = meta.find("title-group/article-title")
        if title is not None:
            etree.strip_elements(title, "fn", "xref", with_tail=False)
        notices = jats_meta.notices(article, meta)
        if not laid.text.strip() and not (notices.retracts and inline(title)):
            raise InputError("GKB-408", detail="neither abstract nor body")
        text = laid.text or inline(title)  # a notice may have no more than its title
        identifiers = jats_meta.own_identifiers(meta)
        record = next((identifiers[name] for name in ("doi", "pmid", "pmcid") if name in identifiers), "")
        return SourceDocument(
            source=self.source, record=record or ids.content_hash(text),
            title=inline(title) or "(no title)", text=text, tier=self.tier,
            kind="article", path="" if record or path is None else str(path), sections=laid.sections,
            published=jats_meta.published(meta),
            identifiers=identifiers | jats_meta.licence(meta) | jats_meta.citation(article, meta),
            retracts=notices.retracts, says_retracted=notices.says_retracted,
            properties=_properties(article, identifiers, laid, notices))


def parse(path: Path, max_bytes: int = files.MAX_DOCUMENT_BYTES) -> Element:
    """Return a file's root element. No entity is expanded, no DTD loaded, nothing fetched.

    Raises
    ------
    InputError
        What `files.read_bytes` raises; GKB-403 (not UTF-8); GKB-405 (not XML, or it declares entities of its own).
    """
    text = files.read_text(path, max_bytes)
    declared = re.match(r"\s*<\?xml[^>]*\bencoding\s*=\s*[\"']([\w.-]+)", text)
    if declared and declared[1].lower() not in ("utf-8", "utf8", "us-ascii", "ascii") and not text.isascii():
        raise InputError("GKB-403", where=str(path), detail="it declares another encoding")
    if text.count("<") > MAX_MARKS:  # a tree takes many times the bytes of its empty elements
        raise InputError("GKB-410", where=str(path), detail=f"more than {MAX_MARKS} marks of markup")
    root_tag = re.search(r"<([A-Za-z_][\w:.-]*)", text)
    if "<!ENTITY" in text[:root_tag.start() if root_tag else None]:
        raise InputError("GKB-405", where=str(path), detail="it declares entities of its own")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False,
                             huge_tree=False, recover=False, remove_comments=True, remove_pis=True, encoding="utf-8")
    try:
        root = etree.fromstring(text.encode(), parser)
    except etree.XMLSyntaxError as error:
        if "imit exceeded" in str(error.msg):
            raise InputError("GKB-410", where=str(path), detail="a text beyond what the parser takes") from None
        line = error.position[0] if error.position else None
        early = root_tag is not None and not text.rstrip().endswith(f"</{root_tag[1]}>")
        raise InputError("GKB-404" if early else "GKB-405", where=f"{path}, line {line}",
                         detail="the root element is not closed" if early else "it is not well-formed XML") from None
    subset: Any = root.getroottree().docinfo.internalDTD
    if subset is not None and subset.entities():
        raise InputError("GKB-405", where=str(path), detail="it declares entities of its own")
    return root


@dataclass(frozen=True, slots=True)
class Layout:
    """A text, its sections, and the tables in it."""

    text: str
    sections: tuple[Section, ...]
    tables: tuple[TableGrid, ...]


def layout(lines: Iterable[Block]) -> Layout:
    """Join lines to a text; each run of lines of one section is one `Section`, the rows of a table one `TableGrid`."""
    parts: list[str] = []
    sections: list[Section] = []
    rows: dict[str, list[tuple[int, Block]]] = {}
    length = 0
    name = None
    for line in lines:
        gap = "" if not parts else "\n" if line.section == name else "\n\n"
        start = length + len(gap)
        length = start + len(line.text)
        parts += (gap, line.text)
        if line.section and line.section == name:
            sections[-1] = Section(name, sections[-1].start, length)
        elif line.section:
            sections.append(Section(line.section, start, length))
        if line.cells:
            rows.setdefault(line.table, []).append((start, line))
        name = line.section
    return Layout("".join(parts), tuple(sections), tuple(_grid(table) for table in rows.values()))


def _grid(rows: list[tuple[int, Block]]) -> TableGrid:
    cells = tuple(TableCell(number, cell.column, start + cell.start, start + cell.end)
                  for number, (start, line) in enumerate(rows) for cell in line.cells)
    head = sum(1 for _ in takewhile(lambda row: all(cell.header for cell in row[1].cells), rows))
    last, line = rows[-1]
    return TableGrid(line.section, rows[0][0], last + len(line.text), head, cells)


def _properties(article: Element, own: dict[str, str], laid: Layout,
                notices: jats_meta.Notices) -> dict[str, Scalar | list[str]]:
    values = {"cites": jats_meta.cites(article, own), "tables": [table.to_json() for table in laid.tables],
              "corrects": list(notices.corrects), "concerns": list(notices.concerns)}
    return {name: value for name, value in values.items() if value}


def _blocks(article: Element, meta: Element) -> Iterator[Block]:
    for abstract in meta.iterfind("abstract"):
        if abstract.get("abstract-type") not in ("graphical", "toc", "teaser"):
            yield from blocks(abstract, () if abstract.find("title") is not None else ("Abstract",))
    for body in article.iterfind("body"):
        yield from blocks(body)
    for part in ("floats-group", "back/floats-group", "floats-wrap", "back/app-group", "back/app", "back/sec",
                 "back/glossary"):
        for element in article.iterfind(part):
            yield from blocks(element)
