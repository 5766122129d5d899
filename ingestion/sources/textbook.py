"""Textbooks: OpenStax as JSON lines, CNXML modules, HTML pages; Markdown goes the way of `TextSource`.

The text is made of lines as in `jats_text`: a paragraph, list item, caption or table row is one, cells are parted by
`` | ``, nothing is fused. A document is a module (JSON lines, CNXML) or a page.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from lxml import etree
from lxml import html as lxml_html

from graphkb import ids
from graphkb.errors import InputError
from graphkb.model import ReadReport, SourceDocument, SourceInfo, Tier
from ingestion.sources import files
from ingestion.sources.jats import Layout, layout, parse
from ingestion.sources.jats_text import Block, Element, inline, local_names, row_line
from ingestion.sources.text import TextSource
from ingestion.sources.textbook_markup import Walker, visible

SUFFIXES = tuple(f"{suffix}{packed}" for suffix in (".jsonl", ".cnxml", ".html", ".htm", ".xhtml", ".md")
                 for packed in ("", ".gz"))
_MAX_MARKS = 2_000_000
_LICENCE = re.compile(r"creativecommons\.org/(?:licenses/(?P<kind>[a-z-]+)/(?P<version>[\d.]+)|publicdomain/zero)")


class TextbookSource:
    """Textbook files; folders are walked in a fixed order.

    Parameters
    ----------
    paths : iterable of Path
        ``*.jsonl`` (OpenStax rows), ``*.cnxml``, ``*.html``, ``*.md``, plain or gzip, and folders of them.
    tier : "user" or "literature"
        Whose text it is.
    licence : str
        Licence of books whose files do not say theirs.
    max_bytes : int
        A larger file is rejected, of JSON lines a larger line (GKB-410).
    """

    name = "textbook"

    def __init__(self, paths: Iterable[Path], tier: Tier = "literature", *, licence: str = "",
                 max_bytes: int = files.MAX_DOCUMENT_BYTES) -> None:
        self.paths = [Path(path) for path in paths]
        self.tier: Tier = tier
        self.licence = licence
        self.max_bytes = max_bytes

    def documents(self, report: ReadReport) -> Iterator[SourceDocument]:
        """Yield modules and pages; what cannot be taken is rejected and the rest goes on.

        Raises
        ------
        InputError
            Nothing could be taken.
        """
        seen: set[tuple[str, str]] = set()
        kept = 0
        for path in files.find(self.paths, SUFFIXES, report):
            kind = path.name.lower().removesuffix(".gz").rpartition(".")[2]
            try:
                for document, rows in self._read(path, kind, report):
                    identity = (document.source.name, document.record)
                    if identity in seen:
                        report.reject(str(path), None, "GKB-411", "another module or page is the same")
                        continue
                    seen.add(identity)
                    kept += 1
                    report.keep(str(path), rows)
                    yield document
            except InputError as error:
                files.reject_file(report, path, error)
        files.refuse_if_nothing(report, kept)

    def _read(self, path: Path, kind: str, report: ReadReport) -> Iterator[tuple[SourceDocument, int]]:
        if kind == "jsonl":
            yield from self._modules(path, report)
        elif kind == "cnxml":
            yield self._cnxml(path), 1
        elif kind == "md":
            inner = ReadReport()
            for document in TextSource([path], self.tier, source=SourceInfo("textbook", "", self.licence),
                                       max_bytes=self.max_bytes).documents(inner):
                yield document, 1
        else:
            yield self._html(path), 1

    def _document(self, path: Path, record: str, title: str, laid: Layout, *, source: str = "textbook",
                  licence: str = "") -> SourceDocument:
        if not laid.text.strip():
            raise InputError("GKB-408", where=str(path))
        tables = [table.to_json() for table in laid.tables]
        return SourceDocument(
            source=SourceInfo(source, "", self.licence or licence), record=record or ids.content_hash(laid.text),
            title=title or path.name.partition(".")[0], text=laid.text, tier=self.tier, kind="textbook",
            path="" if record else str(path), sections=laid.sections,
            properties={"tables": tables} if tables else {})

    # -- OpenStax as JSON lines ---------------------------------------------------------------------------------

    def _modules(self, path: Path, report: ReadReport) -> Iterator[tuple[SourceDocument, int]]:
        for (book, module), group in groupby(self._rows(path, report), key=lambda row: (row["book"], row["module"])):
            rows = list(group)
            record = f"{book}:{module}"
            lines = [line for number, row in enumerate(rows) for line in _row_lines(row, number)]
            try:
                yield (self._document(path, record, rows[0]["title"], layout(lines), source=f"openstax {book}"),
                       len(rows))
            except InputError as error:
                for _ in rows:
                    report.reject(str(path), None, error.code, "a module without text")

    def _rows(self, path: Path, report: ReadReport) -> Iterator[dict[str, Any]]:
        with files.open_binary(path) as handle, files.broken_gzip(path):
            number = 0
            while line := handle.readline(self.max_bytes + 1):
                number += 1
                if len(line) > self.max_bytes:
                    raise InputError("GKB-410", where=f"{path}, row {number}",
                                     detail=f"more than {self.max_bytes} bytes", hint="raise ingest.max_document_bytes")
                if not line.strip():
                    continue
                try:
                    row = json.loads(line)
                except UnicodeDecodeError:
                    report.reject(str(path), number, "GKB-403", "the line is not valid UTF-8")
                except ValueError:
                    report.reject(str(path), number, "GKB-405", "the line is no JSON")
                else:
                    if why := _wrong(row):
                        report.reject(str(path), number, "GKB-407", why)
                    else:
                        yield row

    # -- CNXML and HTML -----------------------------------------------------------------------------------------

    def _cnxml(self, path: Path) -> SourceDocument:
        root = parse(path, self.max_bytes)
        local_names(root)
        if root.tag != "document" or (content := root.find("content")) is None:
            raise InputError("GKB-405", where=str(path), detail="it is no CNXML document")
        module = root.findtext("metadata/content-id") or root.get("id") or ""
        licence = next((_licence(element.get("url", "")) for element in root.iter("license")), "")
        record = f"cnxml:{module}" if re.fullmatch(r"m\d+", module) else ""
        return self._document(path, record, inline(root.find("title")), _laid(content, path), licence=licence)

    def _html(self, path: Path) -> SourceDocument:
        text = files.read_text(path, self.max_bytes)
        if "\0" in text:
            raise InputError("GKB-405", where=str(path), detail="a NUL character: this is not text")
        if text.count("<") > _MAX_MARKS:
            raise InputError("GKB-410", where=str(path), detail=f"more than {_MAX_MARKS} marks of markup")
        parser = lxml_html.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True,
                                      huge_tree=False)
        try:
            root = lxml_html.document_fromstring(text.encode(), parser=parser)
        except (etree.ParserError, etree.XMLSyntaxError):
            raise InputError("GKB-405", where=str(path), detail="it is no HTML") from None
        local_names(root)
        titles = [" ".join("".join(map(str, element.itertext())).split()) for element in root.iter("title", "h1")]
        licence = next((found for link in root.iter("a", "link") if "license" in link.get("rel", "").split()
                        and (found := _licence(link.get("href", "")))), "")
        body = root.find("body")
        return self._document(path, "", next(filter(None, titles), ""), _laid(root if body is None else body, path),
                              licence=licence)


def _laid(root: Element, path: Path) -> Layout:
    visible(root)
    try:
        return layout(Walker().lines(root))
    except RecursionError:
        raise InputError("GKB-405", where=str(path), detail="elements are nested too deeply") from None


def _licence(url: str) -> str:
    match = _LICENCE.search(url)
    if match is None:
        return ""
    return f"CC {match['kind'].upper()} {match['version']}" if match["kind"] else "CC0"


def _wrong(row: Any) -> str:
    """Return what is wrong with a row; empty where nothing is."""
    if not isinstance(row, dict):
        return "the line is no object"
    wrong = [name for name in ("book", "module", "title", "text") if not isinstance(row.get(name), str)]
    if wrong:
        return f"no text in {', '.join(wrong)}"
    if not isinstance(row.get("section", ""), str):
        return "section is no text"
    for name in ("tables", "figures"):
        if not all(isinstance(one, dict) for one in row.get(name) or []):
            return f"{name} are no objects"
    tables = [table.get("rows", []) for table in row.get("tables") or []]
    if not all(isinstance(rows, list) and all(isinstance(cells, list) for cells in rows) for rows in tables):
        return "rows of a table are no lists"
    return ""


def _row_lines(row: dict[str, Any], number: int) -> Iterator[Block]:
    section = row.get("section", "") or row["title"]
    for paragraph in row["text"].split("\n"):
        if text := " ".join(paragraph.split()):
            yield Block(section, text)
    for place, table in enumerate(row.get("tables") or []):
        for caption in ("title", "caption"):
            if text := " ".join(str(table.get(caption) or "").split()):
                yield Block(section, text)
        for cells in table.get("rows", []):
            shown = [(" ".join(str(cell).split()).replace("|", "¦"), False) for cell in cells]
            if any(text for text, _ in shown):
                line, places = row_line(shown)
                yield Block(section, line, places, f"{number}.{place}")
    for figure in row.get("figures") or []:
        if text := " ".join(str(figure.get("caption") or "").split()):
            yield Block(section, text)
