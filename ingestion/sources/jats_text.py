"""The text of a JATS article: paragraphs, lists, tables and captions, in which nothing is fused and no number is made.

The rules, for the text is our rendition and offsets count in it:

- a paragraph, list item, table row or caption is one line; white space inside it is one blank
- a superscript is ``10^-3``, and ``10^{3}5`` where a letter or digit follows; ordinals and trade marks stay bare
- a subscript is joined as one writes it (``CO2``, ``HbA1c``) unless that would make a number: ``log_{10}2``
- a citation or footnote mark outside brackets stands in brackets of its own: ``aspirin [4]``
- table cells are separated by `` | `` (a bar in a cell becomes ``¦``); a cell that spans rows is repeated in each
- a formula without text is ``[formula]``; supplementary files, references and back matter but appendices are left out
"""

from __future__ import annotations

import html.entities
import re
from collections.abc import Iterator
from typing import NamedTuple

from lxml import etree

Element = etree._Element

# Marks that XML cannot contain, so no article's own text is taken for one.
_SUP, _SUP_END, _SUB, _SUB_END, _CITE, _CITE_END, _EDGE = "\x01\x02\x03\x04\x05\x06\x07"
_SKIPPED = frozenset({
    "graphic", "inline-graphic", "media", "object-id", "supplementary-material", "inline-supplementary-material",
    "label", "ref-list", "ack", "fn-group", "notes", "bio", "permissions", "attrib", "alt-text", "long-desc",
    "index-term", "sub-article", "response", "tex-math", "annotation", "annotation-xml", "title", "trans-abstract",
    "sec-meta",
})
_BLOCKS = frozenset({
    "p", "sec", "app", "app-group", "list", "def-list", "table-wrap", "table-wrap-group", "table", "fig", "fig-group",
    "boxed-text", "disp-quote", "statement", "preformat", "verse-group", "speech", "array", "caption",
})
_CONTAINERS = frozenset({"body", "back", "abstract", "app-group", "table-wrap-group", "fig-group", "disp-quote",
                         "statement", "verse-group", "speech", "floats-group", "floats-wrap", "alternatives",
                         "list-item", "def", "caption", "front-stub", "glossary", "table-wrap-foot", "fn"})
_SIGNS = frozenset({"st", "nd", "rd", "th", "®", "™", "©", "°", "′", "″"})
_MAX_SPAN = 200
_MAX_COLUMNS = 1000  # spans that would make a row longer are not followed; no cell's text is lost


class Cell(NamedTuple):
    """A cell of a table: its column, where its text stands in its line, and whether it is a header."""

    column: int
    start: int
    end: int
    header: bool = False


class Block(NamedTuple):
    """One line of the text and the section it stands in; a table's row has cells and says of which table."""

    section: str
    text: str
    cells: tuple[Cell, ...] = ()
    table: str = ""


def local_names(root: Element) -> list[str]:
    """Take namespaces off all tags, put known entities in; return the names of those that are not known."""
    unknown: list[str] = []
    for element in list(root.iter()):
        if element.tag is etree.Entity:
            name = str(element.text or "")[1:-1]
            value = html.entities.html5.get(f"{name};")
            if value is None:
                unknown.append(name)
            _replace(element, value if value is not None else f"&{name};")
        elif isinstance(element.tag, str) and "}" in element.tag:
            element.tag = element.tag.rpartition("}")[2]
    return unknown


def _replace(element: Element, text: str) -> None:
    """Put text where an element stands."""
    parent, before = element.getparent(), element.getprevious()
    if parent is None:
        return
    text += element.tail or ""
    element.tail = None
    if before is None:
        parent.text = (parent.text or "") + text
    else:
        before.tail = (before.tail or "") + text
    parent.remove(element)


def inline(element: Element | None) -> str:
    """Return an element's content as one line; ``""`` where there is no element."""
    return "" if element is None else finish(_content(element))


def blocks(element: Element, path: tuple[str, ...] = ()) -> Iterator[Block]:
    """Yield the lines of an element with their sections ("Methods > Patients")."""
    tag = element.tag
    if not isinstance(tag, str) or tag in _SKIPPED:
        return
    if tag in ("sec", "app", "boxed-text", "abstract", "glossary"):
        title = inline(_title(element)) or inline(element.find("label"))
        yield from _children(element, (*path, title) if title else path)
    elif tag == "table-wrap":
        yield from _table_wrap(element, path)
    elif tag == "fig":
        yield from _caption(element, (*path, inline(element.find("label")) or "Figure"))
    elif tag in ("table", "array"):
        yield from _rows(element, path)
    elif tag == "list":
        for item in element.iterfind("list-item"):
            for number, block in enumerate(_children(item, path)):
                yield block._replace(text=f"- {block.text}") if number == 0 else block
    elif tag == "def-list":
        for item in element.iterfind("def-item"):
            yield Block(" > ".join(path), f"{inline(item.find('term'))}: {inline(item.find('def'))}")
    elif tag in _CONTAINERS:
        yield from _children(element, path)
    else:
        yield from _paragraph(element, path)


def _title(element: Element) -> Element | None:
    title = element.find("title")
    return title if title is not None else element.find("caption/title")


def _children(element: Element, path: tuple[str, ...]) -> Iterator[Block]:
    for child in element:
        yield from blocks(child, path)


def _paragraph(element: Element, path: tuple[str, ...]) -> Iterator[Block]:
    """A paragraph; tables, lists and figures inside it stand on lines of their own."""
    line: list[str] = [element.text or ""]
    for child in element:
        if child.tag in _BLOCKS and element.tag != "fn":
            if text := finish("".join(line)):
                yield Block(" > ".join(path), text)
            line.clear()
            yield from blocks(child, path)
        else:
            line.append(_inline(child))
        line.append(child.tail or "")
    if text := finish("".join(line)):
        yield Block(" > ".join(path), text)


def _caption(element: Element, path: tuple[str, ...]) -> Iterator[Block]:
    label = inline(element.find("label")).rstrip(".")
    parts = [inline(element.find("caption/title")), *(inline(p) for p in element.iterfind("caption/p"))]
    if text := " ".join(part for part in parts if part):
        yield Block(" > ".join(path), f"{label}. {text}" if label else text)


def _table_wrap(element: Element, path: tuple[str, ...]) -> Iterator[Block]:
    path = (*path, inline(element.find("label")) or "Table")
    yield from _caption(element, path)
    for table in element.iter("table", "tgroup"):
        yield from _rows(table, path)
    for foot in element.iterfind("table-wrap-foot"):
        for note in foot.iter("p"):
            if text := inline(note):
                yield Block(" > ".join(path), text)


def _rows(table: Element, path: tuple[str, ...]) -> Iterator[Block]:
    which = str(table.getroottree().getpath(table))
    for cells in table_rows(table):
        line, places = row_line(cells)
        yield Block(" > ".join(path), line, places, which)


def row_line(cells: list[tuple[str, bool]]) -> tuple[str, tuple[Cell, ...]]:
    """Join a row's cells (text, is it a header) by `` | ``; return the line and where each cell with text stands."""
    joined = " | ".join(text for text, _ in cells)
    start = len(joined.lstrip()) - len(joined)
    places: list[Cell] = []
    for column, (text, header) in enumerate(cells):
        if text:
            places.append(Cell(column, start, start + len(text), header))
        start += len(text) + 3
    return joined.strip(), tuple(places)


def table_rows(table: Element) -> Iterator[list[tuple[str, bool]]]:
    """Yield a table's rows, each cell with whether it is a header; empty rows are left out."""
    spanning: dict[int, tuple[int, tuple[str, bool]]] = {}  # column -> rows still to fill, cell
    for row in table.iter("tr", "row"):
        cells: list[tuple[str, bool]] = []

        def fill(cells: list[tuple[str, bool]] = cells) -> None:
            while len(cells) < _MAX_COLUMNS and (spanned := spanning.get(len(cells))) is not None:
                left, cell = spanned
                if left == 1:
                    del spanning[len(cells)]
                else:
                    spanning[len(cells)] = (left - 1, cell)
                cells.append(cell)

        for cell in row.iterchildren("td", "th", "entry"):
            fill()
            text = inline(cell).replace("|", "¦")
            header = cell.tag == "th" or next(row.iterancestors("thead"), None) is not None
            below = _span(cell, "rowspan") - 1 if cell.tag != "entry" else _span(cell, "morerows", 0)
            for place in range(min(_span(cell, "colspan"), max(_MAX_COLUMNS - len(cells), 1))):
                shown = (text if place == 0 else "", header)
                if below > 0:
                    spanning[len(cells)] = (below, shown)
                cells.append(shown)
        fill()
        if any(text for text, _ in cells):
            yield cells


def _span(cell: Element, name: str, default: int = 1) -> int:
    value = str(cell.get(name, ""))
    return min(int(value), _MAX_SPAN) if re.fullmatch(r"[0-9]{1,6}", value) and int(value) > 0 else default


def _content(element: Element) -> str:
    parts = [element.text or ""]
    for child in element:
        parts += (_inline(child), child.tail or "")
    return "".join(parts)


def _inline(element: Element) -> str:
    tag = element.tag
    if not isinstance(tag, str) or (tag in _SKIPPED and tag != "label"):
        return ""
    if tag in ("sup", "sub"):
        return _raised(element, tag)
    if tag == "xref":
        text = re.sub("[\x01-\x07]", "", _content(element))
        cites = element.get("ref-type", "bibr") in ("bibr", "fn", "table-fn")
        return f"{_CITE}{text}{_CITE_END}" if cites and text.strip() else f"{_EDGE}{text}{_EDGE}"
    if tag in ("inline-formula", "disp-formula", "chem-struct-wrap", "math"):
        return f" {_formula(element)} "
    if tag in _BLOCKS or tag in ("break", "td", "th", "list-item", "label", "tr"):
        return f" {_content(element)} "
    if tag == "fn":
        return f" ({_content(element).strip()}) "
    return _content(element)


def _raised(element: Element, tag: str) -> str:
    text = _content(element)
    if _CITE in text and not re.sub(f"{_CITE}.*?{_CITE_END}", "", text).strip(" ,;–-[]()"):
        return text.strip()
    return f"{_SUP}{text}{_SUP_END}" if tag == "sup" else f"{_SUB}{text}{_SUB_END}"


def _formula(element: Element) -> str:
    math = element if element.tag == "math" else next(element.iter("math"), None)
    text = (_math(math) if math is not None else _content(element)).strip()
    return text or "[formula]"


def _math(element: Element) -> str:
    """MathML as a line: powers, indices and fractions are told apart, everything else is joined by blanks."""
    if not isinstance(element.tag, str) or element.tag in ("annotation", "annotation-xml"):
        return ""
    parts = [_math(child) for child in element]
    if element.tag in ("msup", "msub", "mfrac") and len(parts) == 2:
        first, second = (part.strip() for part in parts)
        return {"msup": f"{first}^{{{second}}}", "msub": f"{first}_{{{second}}}",
                "mfrac": f"({first})/({second})"}[element.tag]
    return " ".join(part for part in ((element.text or "").strip(), *parts) if part)


def finish(text: str) -> str:
    """Resolve the marks in a line and make its white space one blank."""
    text = re.sub(r"\s+", " ", text)
    while (match := re.search(f"[{_SUP}{_SUB}]([^{_SUP}-{_SUB_END}]*)[{_SUP_END}{_SUB_END}]", text)) is not None:
        rule = _superscript if match[0][0] == _SUP else _subscript
        text = text[:match.start()] + rule(match[1], text[:match.start()], text[match.end():]) + text[match.end():]
    text = _citations(text)
    text = re.sub(rf"(?<=\w){_EDGE}+(?=\w)", " ", text).replace(_EDGE, "")
    return re.sub(r"\s+", " ", text).strip()


def _superscript(content: str, _before: str, after: str) -> str:
    content = content.strip()
    if not content or content in _SIGNS:
        return content
    if re.match(r"[−–]\d", content):
        content = "-" + content[1:]
    alone = re.fullmatch(r"[+-]?\w+|[-+−–*†‡§¶#]+", content) and not re.match(r"\.?\w", after.lstrip(_EDGE))
    return f"^{content}" if alone else f"^{{{content}}}"


def _subscript(content: str, before: str, after: str) -> str:
    content = content.strip()
    if not content:
        return ""
    fused = (content[0].isdigit() and before[-1:].isdigit()) or (content[-1].isdigit() and re.match(r"[.,]?\d", after))
    return f"_{{{content}}}" if fused or not re.fullmatch(r"[\w+,.()/-]+", content) else content


_CITED = re.compile(f"{_CITE}[^{_CITE_END}]*{_CITE_END}(?:\\s*[,;–-]?\\s*{_CITE}[^{_CITE_END}]*{_CITE_END})*")


def _citations(text: str) -> str:
    out: list[str] = []
    done = depth = 0
    for match in _CITED.finditer(text):
        before = text[done:match.start()]
        depth = max(0, depth + sum(before.count(c) for c in "[(") - sum(before.count(c) for c in "])"))
        out.append(before)
        joined = re.sub(f"{_CITE_END}\\s*{_CITE}", ",", match[0])
        marks = re.sub(f"[{_CITE}{_CITE_END}]", "", joined).strip()
        so_far, after = "".join(out[-2:]), text[match.end():match.end() + 1]
        fused = bool(so_far) and not so_far[-1].isspace() and so_far[-1] not in "[(/–-"
        if depth == 0 and (fused or not re.search(r"[^\W\d]{2}", marks)):
            marks = f"{' ' if fused else ''}[{marks.strip('[]()')}]"
        elif fused and so_far[-1].isalnum():
            marks = f" {marks}"
        out.append(marks + (" " if after.isalnum() else ""))
        done = match.end()
    return "".join(out) + text[done:]
