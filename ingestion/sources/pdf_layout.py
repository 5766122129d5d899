"""From the fragments of pages to a document's text: order, lines, headings, and where each line stands.

The text is what the pages show, line by line: a hyphen at a line end stays with its line end, cells of a row are
parted by a space. Only the order is decided here, and only where the file's own is none: a page of two columns whose
lines are drawn across both. Lines that run at the head or foot of at least three pages, and bare page numbers there,
are left out and counted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from statistics import median

from graphkb.model import PageLayout, Section
from ingestion.sources.pdf_process import Fragment, ReadPage

REFERENCES = "references"
MIXED = "mixed"  # the font of a line that has several
PAGE_BREAK = "\n\f"
MARGIN = 0.1  # of the page's height, where running lines are
_CAPTION = re.compile(r"(?:table|figure|fig\.?|box|scheme)\s*\d", re.IGNORECASE)
_REFERENCES = re.compile(r"(?:\d+\.?\s*)?(?:references|bibliography|literature cited|works cited)\W*", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
_MOST_HEADING = 300


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the text on its page."""

    text: str
    page: int
    box: tuple[float, float, float, float]
    size: float
    bold: bool
    font: str = ""
    parts: int = 1


@dataclass(slots=True)
class Laid:
    """A document's text with its sections and boxes, and what was left out."""

    text: str = ""
    title: str = ""
    sections: tuple[Section, ...] = ()
    layout: PageLayout = field(default_factory=PageLayout)
    hidden: int = 0
    running: int = 0
    first_page: tuple[str, ...] = ()


def lay_out(pages: Iterable[ReadPage]) -> Laid:
    """Return the text of pages."""
    laid = Laid()
    sizes: list[tuple[float, float]] = []
    lines: list[Line] = []
    for page in pages:
        sizes.append((page.width, page.height))
        laid.hidden += page.hidden
        lines += lines_of(page)
    kept = _without_running(lines, sizes)
    laid.running = len(lines) - len(kept)
    laid.first_page = tuple(line.text for line in lines if line.page == 1)
    pitch = _pitch(kept)
    headings = _headings(kept, pitch)
    starts = _join(kept, headings, pitch, laid)
    laid.layout = PageLayout(tuple(sizes), tuple(
        (start, start + len(line.text), line.page, *line.box) for start, line in zip(starts, kept, strict=True)))
    laid.title = _title(kept, headings)
    laid.sections = _sections(laid.text, kept, starts, headings)
    return laid


def lines_of(page: ReadPage) -> list[Line]:
    """Return the lines of a page in reading order."""
    fragments = page.fragments
    gutter = find_gutter(fragments, page.width)
    if gutter is not None and _interleaved(fragments, gutter):
        fragments = tuple(_by_column(fragments, gutter))
        groups = groupby(fragments, key=lambda f: (f.row, _side(f, gutter)))
    else:
        groups = groupby(fragments, key=lambda f: (f.row, 0))
    return [_line(tuple(group), page.number) for _, group in groups]


def _line(parts: Sequence[Fragment], page: int) -> Line:
    main = max(parts, key=lambda f: len(f.text))
    box = (min(f.x0 for f in parts), min(f.y0 for f in parts), max(f.x1 for f in parts), max(f.y1 for f in parts))
    return Line(" ".join(f.text for f in parts), page, box, main.size, main.bold, main.font, len(parts))


def _side(fragment: Fragment, gutter: float) -> int:
    """-1 left of the gap between the columns, 1 right of it, 0 across."""
    return -1 if fragment.x1 <= gutter else 1 if fragment.x0 >= gutter else 0


def find_gutter(fragments: Sequence[Fragment], width: float) -> float | None:
    """Return where the gap between two columns of prose is; None where there is none.

    Both columns must hold a fifth of the text in lines of at least a quarter of the page's width: cells of a table
    are narrower.
    """
    total = sum(len(f.text) for f in fragments)
    best: tuple[int, float] | None = None
    for step in range(35, 66):
        x = width * step / 100
        sides = {side: [f for f in fragments if _side(f, x) == side] for side in (-1, 0, 1)}
        weights = {side: sum(len(f.text) for f in members) for side, members in sides.items()}
        if not (sides[-1] and sides[1]) or min(weights[-1], weights[1]) * 5 < total or weights[0] * 3 > total:
            continue
        if min(median(f.x1 - f.x0 for f in sides[side]) for side in (-1, 1)) < width / 4:
            continue
        if best is None or weights[0] < best[0]:
            best = weights[0], x
    return best[1] if best else None


def _interleaved(fragments: Sequence[Fragment], gutter: float) -> bool:
    sides = [side for f in fragments if (side := _side(f, gutter))]
    turns = sum(1 for a, b in pairwise(sides) if a != b)
    return turns > max(6, len(sides) // 4)


def _by_column(fragments: Sequence[Fragment], gutter: float) -> list[Fragment]:
    """Order by bands between lines that go across: the left column down, then the right one."""
    across = sorted(f.y0 for f in fragments if _side(f, gutter) == 0)

    def place(fragment: Fragment) -> tuple[int, int, float, float]:
        side = _side(fragment, gutter)
        band = sum(1 for y in across if y <= fragment.y0)
        return (band, side if side else -2, round(fragment.y0), fragment.x0)

    return sorted(fragments, key=place)


def _without_running(lines: list[Line], sizes: list[tuple[float, float]]) -> list[Line]:
    def mark(line: Line) -> tuple[str, int] | None:
        height = sizes[line.page - 1][1]
        if MARGIN * height < line.box[1] and line.box[3] < (1 - MARGIN) * height:
            return None
        words = _DIGITS.sub("", line.text).split()
        return " ".join(words), round(line.box[1] / 6)

    marks = [mark(line) for line in lines]
    seen = Counter(m for m, _ in {(m, line.page) for m, line in zip(marks, lines, strict=True) if m})
    return [line for m, line in zip(marks, lines, strict=True)
            if m is None or not (seen[m] >= 3 or (m[0] == "" and line.text.isdigit()))]


def _headings(lines: list[Line], pitch: float) -> list[tuple[int, int, str]]:
    """Return (first line, line after the last, name) of what stands out from the body by size, weight or font."""
    if not lines:
        return []
    weights: Counter[tuple[float, bool, str]] = Counter()
    for line in lines:
        weights[(line.size, line.bold, line.font)] += len(line.text)
    body = max(weights.items(), key=lambda item: (item[1], item[0]))[0]

    def apart(number: int) -> bool:
        """Whether a line of another font has a gap above and the body's text below."""
        line, before = lines[number], lines[number - 1]
        after = lines[number + 1] if number + 1 < len(lines) else line
        near = number and line.page == before.page and 0 <= line.box[1] - before.box[1] < 1.25 * pitch
        return (line.font not in (body[2], MIXED) and not near and line.text[-1] not in ".,;:"
                and (after.size, after.font) == (body[0], body[2]))

    def style(number: int) -> tuple[int, float, bool, str] | None:
        line = lines[number]
        if _REFERENCES.fullmatch(line.text):
            return line.page, line.size, line.bold, REFERENCES
        stands_out = line.size > 1.12 * body[0] or (line.size > 0.95 * body[0] and (
            (line.bold and not body[1]) or apart(number)))
        if not stands_out or not _names(line):
            return None
        return line.page, line.size, line.bold, "" if line.size > 1.12 * body[0] else line.font

    found: list[tuple[int, int, str]] = []
    for look, group in groupby(range(len(lines)), key=style):
        numbers = list(group)
        name = " ".join(" ".join(lines[n].text for n in numbers).split())
        if look is not None and len(name) <= _MOST_HEADING and (name[0].isupper() or name[0].isdigit()):
            found.append((numbers[0], numbers[-1] + 1, name))
    return found


def _names(line: Line) -> bool:
    """Whether a line may be a heading by its words: no caption, no row of a table."""
    letters = sum(map(str.isalpha, line.text))
    return (letters > 2 and letters >= 0.6 * len(line.text.replace(" ", "")) and line.parts == 1
            and not _CAPTION.match(line.text))


def _pitch(lines: list[Line]) -> float:
    """Return the usual distance from line to line."""
    steps = [b.box[1] - a.box[1] for a, b in pairwise(lines) if a.page == b.page and b.box[1] > a.box[1] + 1]
    return median(steps) if steps else 12.0


def _join(lines: list[Line], headings: list[tuple[int, int, str]], pitch: float, laid: Laid) -> list[int]:
    """Write the text; return where each line starts in it."""
    edges = {edge for first, last, _ in headings for edge in (first, last)}
    parts: list[str] = []
    starts: list[int] = []
    length = 0
    for number, line in enumerate(lines):
        between = ""
        if number:
            before = lines[number - 1]
            if line.page != before.page:
                between = PAGE_BREAK
            else:
                between = "\n\n" if number in edges or line.box[1] - before.box[1] > 1.5 * pitch else "\n"
        parts += [between, line.text]
        starts.append(length + len(between))
        length = starts[-1] + len(line.text)
    laid.text = "".join(parts)
    return starts


def _title(lines: list[Line], headings: list[tuple[int, int, str]]) -> str:
    first = [(lines[start].size, name) for start, _, name in headings if lines[start].page == 1]
    largest = max((size for size, _ in first), default=0.0)
    return max((name for size, name in first if size > 0.85 * largest), key=len, default="")


def _sections(text: str, lines: list[Line], starts: list[int],
              headings: list[tuple[int, int, str]]) -> tuple[Section, ...]:
    if len(headings) > 1:
        cuts = [(last, following, name) for (_, last, name), following in
                zip(headings, [*(first for first, _, _ in headings[1:]), len(lines)], strict=True)]
        if headings[0][0]:
            cuts.insert(0, (0, headings[0][0], "page 1"))
    else:
        numbers = groupby(range(len(lines)), key=lambda number: lines[number].page)
        cuts = [((members := list(group))[0], members[-1] + 1, f"page {page}") for page, group in numbers]
    found = []
    for first, after, name in cuts:
        if first < after:
            end = starts[after - 1] + len(lines[after - 1].text)
            found.append(Section(REFERENCES if _REFERENCES.fullmatch(name) else name, starts[first], end))
    return tuple(found)
