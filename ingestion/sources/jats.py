"""Articles in JATS XML (PMC, PLOS and others): the article's own text and identifiers, and nobody else's.

Identifiers, date and licence are read from the article's own front matter only: never from the reference list, a
related article, or a sub-article (reviews, decision letters, replies), which are left out and counted in the notes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from lxml import etree

from graphkb import ids
from graphkb.errors import InputError
from graphkb.model.records import ReadReport, Section, SourceDocument, SourceInfo, Tier
from ingestion.sources import files
from ingestion.sources.jats_text import Block, Element, blocks, inline, local_names

SUFFIXES = (".xml", ".nxml", ".xml.gz", ".nxml.gz")
_MONTHS = {name: number for number, name in enumerate(
    ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), start=1)}
_NOT_PUBLICATION = frozenset({"pmc-release", "retracted", "received", "accepted", "preprint"})
_RESTRICTED = (  # level, what says so; the first that is found counts
    ("2", re.compile(r"licenses/[a-z-]*n[cd]\b|non-?commercial|no-?deriv")),
    ("1", re.compile(r"licenses/by-sa|share-?alike")),
    ("0", re.compile(r"licenses/by/|public ?domain|\bcc0\b|\bcc[ -]by\b|commons attribution|unrestricted use")),
)


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
            text, sections = layout(_blocks(article, meta))
        except RecursionError:
            raise InputError("GKB-405", detail="elements are nested too deeply") from None
        if not text.strip():
            raise InputError("GKB-408", detail="neither abstract nor body")
        title = meta.find("title-group/article-title")
        if title is not None:
            etree.strip_elements(title, "fn", "xref", with_tail=False)
        identifiers = own_identifiers(meta)
        record = next((identifiers[name] for name in ("doi", "pmid", "pmcid") if name in identifiers), "")
        return SourceDocument(
            source=self.source, record=record or ids.content_hash(text),
            title=inline(title) or "(no title)", text=text, tier=self.tier,
            kind="article", path="" if record or path is None else str(path), sections=sections,
            published=published(meta), identifiers=identifiers | licence(meta) | _citation(article, meta))


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
    root_tag = re.search(r"<([A-Za-z_][\w:.-]*)", text)
    if "<!ENTITY" in text[:root_tag.start() if root_tag else None]:
        raise InputError("GKB-405", where=str(path), detail="it declares entities of its own")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False,
                             huge_tree=False, recover=False, remove_comments=True, remove_pis=True, encoding="utf-8")
    try:
        root = etree.fromstring(text.encode(), parser)
    except etree.XMLSyntaxError as error:
        line = error.position[0] if error.position else None
        early = root_tag is not None and not text.rstrip().endswith(f"</{root_tag[1]}>")
        raise InputError("GKB-404" if early else "GKB-405", where=f"{path}, line {line}",
                         detail="the root element is not closed" if early else "it is not well-formed XML") from None
    subset: Any = root.getroottree().docinfo.internalDTD
    if subset is not None and subset.entities():
        raise InputError("GKB-405", where=str(path), detail="it declares entities of its own")
    return root


def layout(lines: Iterable[Block]) -> tuple[str, tuple[Section, ...]]:
    """Join lines to a text; each run of lines of one section is one `Section`."""
    parts: list[str] = []
    sections: list[Section] = []
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
        name = line.section
    return "".join(parts), tuple(sections)


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


def own_identifiers(meta: Element) -> dict[str, str]:
    """Return doi, pmid and pmcid from the article's own ``article-id`` elements."""
    found: dict[str, str] = {}
    for element in meta.iterfind("article-id"):
        value = inline(element)
        match element.get("pub-id-type"):
            case "doi":
                value = re.sub(r"^(https?://(dx\.)?doi\.org/|doi:\s*)", "", value, flags=re.IGNORECASE).lower()
                if value.startswith("10."):
                    found.setdefault("doi", value)
            case "pmid" if value.isascii() and value.isdigit():
                found.setdefault("pmid", value)
            case "pmc" | "pmcid" if re.fullmatch(r"(PMC)?[0-9]+", value, re.IGNORECASE):
                found.setdefault("pmcid", f"PMC{value.upper().removeprefix('PMC')}")
    return found


def published(meta: Element) -> str | None:
    """Return the earliest date of publication that is whole, else the most exact one (``2015-02``, ``2015``)."""
    dates: list[str] = []
    for element in meta.iterfind("pub-date"):
        if (element.get("pub-type") or element.get("date-type")) in _NOT_PUBLICATION:
            continue
        year, month, day = (inline(element.find(name)) for name in ("year", "month", "day"))
        if not re.fullmatch(r"[0-9]{4}", year):
            continue
        number = int(month) if re.fullmatch(r"[0-9]{1,2}", month) else _MONTHS.get(month[:3].lower(), 0)
        if not 1 <= number <= 12:
            dates.append(year)
        elif re.fullmatch(r"[0-9]{1,2}", day) and 1 <= int(day) <= 31:
            dates.append(f"{year}-{number:02}-{int(day):02}")
        else:
            dates.append(f"{year}-{number:02}")
    return min(dates, key=lambda date: (-len(date), date), default=None)


def licence(meta: Element) -> dict[str, str]:
    """Return the licence (its address, else its words) and its restriction level."""
    permissions = meta.find("permissions")
    found = [] if permissions is None else list(permissions.iter("license", "license_ref", "ext-link"))
    address = next((value for element in found for value in (*map(str, element.attrib.values()), inline(element))
                    if "creativecommons.org" in value), "")
    said = "" if permissions is None else " ".join(inline(p) for p in permissions.iter("license-p", "p")) \
        or inline(permissions.find("license")) or inline(permissions.find("copyright-statement"))
    text = address.strip() or said[:300]
    words = f"{address} {said}".lower()
    level = next((level for level, pattern in _RESTRICTED if pattern.search(words)), "3")
    return {"licence": text, "restriction": level} if text else {"restriction": level}


def _citation(article: Element, meta: Element) -> dict[str, str]:
    journal = inline(article.find("front/journal-meta/journal-title-group/journal-title")) \
        or inline(article.find("front/journal-meta/journal-title"))
    authors = [inline(name) for name in meta.iterfind("contrib-group/contrib[@contrib-type='author']/name/surname")]
    who = f"{authors[0]} et al." if len(authors) > 2 else " and ".join(authors)
    volume, first = inline(meta.find("volume")), inline(meta.find("elocation-id")) or inline(meta.find("fpage"))
    year = (published(meta) or "")[:4]
    where = f"{year}{';' if volume else ''}{volume}{':' if first else ''}{first}"
    citation = ". ".join(part.rstrip(".") for part in (who, journal, where) if part)
    values = {"journal": journal, "citation": citation, "article_type": str(article.get("article-type") or ""),
              "language": str(article.get("{http://www.w3.org/XML/1998/namespace}lang") or "")}
    return {name: value for name, value in values.items() if value}
