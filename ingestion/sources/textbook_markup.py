"""HTML and CNXML to lines: headings become sections, tables stay tables; what a page hides or navigates by is out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy

from lxml import etree

from ingestion.sources.jats_text import Block, Element, inline, row_line, table_rows

_DROPPED = frozenset({"script", "style", "nav", "header", "footer", "aside", "noscript", "template", "iframe", "svg",
                      "canvas", "form", "button", "select", "input", "textarea", "object", "embed", "video", "audio",
                      "head", "metadata", "media", "image", "img", "featured-links", "glossary-link", "dialog", "menu"})
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LINES = frozenset({"p", "div", "section", "article", "main", "body", "html", "ul", "ol", "li", "dl", "dt", "dd", "pre",
                    "blockquote", "figure", "figcaption", "table", "tr", "address", "details", "summary", "hr",
                    "center", "para", "content", "document", "list", "item", "note", "example", "exercise", "problem",
                    "solution", "commentary", "definition", "term-list", "meaning", "statement", "proof", "rule",
                    "quote", "caption", "equation", "subfigure", "glossary", "code", "title", *_HEADINGS})
# elements of CNXML whose title is the name of a section
_TITLED = frozenset({"section", "note", "example", "figure", "definition", "rule", "list", "para", "exercise"})
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])|"
                           r"opacity\s*:\s*0(?![.\d])",
                           re.IGNORECASE)


def is_hidden(element: Element) -> bool:
    """Whether a reader of the page does not see an element."""
    return (element.tag in _DROPPED or element.get("hidden") is not None or element.get("aria-hidden") == "true"
            or element.get("role") in ("navigation", "banner", "contentinfo", "search")
            or bool(_HIDDEN_STYLE.search(element.get("style", ""))))


def visible(root: Element) -> None:
    """Take what is hidden out of a tree; the text behind it stays."""
    for element in list(root.iter()):
        parent = element.getparent()
        if element is root or parent is None:
            continue
        if not isinstance(element.tag, str) or is_hidden(element):
            before, tail = element.getprevious(), element.tail or ""
            if before is not None:
                before.tail = (before.tail or "") + tail
            else:
                parent.text = (parent.text or "") + tail
            parent.remove(element)


class Walker:
    """Goes through a tree in order; a heading holds until the next of its level."""

    def __init__(self) -> None:
        self._above: list[tuple[int, str]] = []
        self._tables = 0

    @property
    def _section(self) -> str:
        return " > ".join(name for _, name in self._above)

    def lines(self, element: Element, depth: int = 0) -> Iterator[Block]:
        """Yield the lines of an element."""
        tag = str(element.tag)
        if tag in _HEADINGS:
            if name := inline(_inner(element)):
                self._enter(_HEADINGS[tag], name)
        elif tag == "table":
            yield from self._table(element)
        elif tag in ("figcaption", "caption"):
            if text := inline(_inner(element)):
                yield Block(self._section, text)
        elif tag in _TITLED and (title := element.find("title")) is not None:
            name = inline(_inner(title))
            element.remove(title)
            before = list(self._above)
            self._enter(100 + depth, name)
            yield from self._flow(element, depth + 1)
            self._above = before
        else:
            yield from self._flow(element, depth)

    def _enter(self, level: int, name: str) -> None:
        self._above = [(higher, above) for higher, above in self._above if higher < level] + [(level, name)]

    def _flow(self, element: Element, depth: int) -> Iterator[Block]:
        """Runs of text and inline elements are lines; elements that make lines of their own stand between them."""
        mark = "- " if element.tag in ("li", "item") else ""
        run = etree.Element("p")
        run.text = element.text
        for child in element:
            if child.tag in _LINES or child.tag == "br" or any(inner.tag in _LINES for inner in child.iter()):
                if text := inline(run):
                    yield Block(self._section, mark + text)
                    mark = ""
                yield from self.lines(child, depth) if child.tag != "br" else ()
                run = etree.Element("p")
                run.text = child.tail
            else:
                run.append(deepcopy(child))
        if text := inline(run):
            yield Block(self._section, mark + text)

    def _table(self, table: Element) -> Iterator[Block]:
        self._tables += 1
        for caption in table.iter("caption", "title"):
            if text := inline(_inner(caption)):
                yield Block(self._section, text)
        for cells in table_rows(table):
            line, places = row_line(cells)
            yield Block(self._section, line, places, str(self._tables))


def _inner(element: Element) -> Element:
    """Return a paragraph with an element's content, whatever the element is called."""
    run = etree.Element("p")
    run.text = element.text
    run.extend([deepcopy(child) for child in element])
    return run
