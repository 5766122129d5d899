"""Semantic chunks of a document, as exact offsets.

A document falls into *stretches* (each section with its heading, and the text between sections); a chunk never leaves
its stretch. A stretch that fits is one chunk and needs no vectors. A larger one becomes *units* (a whole list item,
else a sentence; a heading goes with what follows it; what is too long is cut between words), whose neighbours'
distances give topic breaks (`ingestion.breakpoints`). Where to cut is then one shortest path over the units: no chunk
over the maximum ever, as few as possible under the minimum, topic breaks kept, other cuts where the text changes most.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graphkb.embed import token_windows
from graphkb.model.records import Section
from ingestion.breakpoints import DEFAULT_AMOUNT, distances, topic_breaks
from ingestion.sentences import VERSION, Block, blocks, in_block

if TYPE_CHECKING:
    from graphkb.config import ChunkSettings
    from graphkb.embed import Encoder

SPLITTER_VERSION = f"semantic-1+{VERSION}"
# A word longer than the tokenizer's limit is one unknown token: characters are bounded as well.
MAX_CHARS_PER_TOKEN = 16
# Heading lines before a section are looked for in so many characters.
MAX_HEADING = 400

# what is lost by ...
_SMALL = 8.0  # a chunk under the minimum
_UNCUT = 3.0  # a topic break inside a chunk
_CUT = 1.0  # a cut elsewhere, less up to _NEAR by the distance there
_NEAR = 0.5
_INSIDE = 0.25  # a cut inside a paragraph


@dataclass(frozen=True, slots=True)
class Piece:
    """A chunk before it has a key: ``text[start:end]``, stripped and never blank."""

    start: int
    end: int
    section: str
    tokens: int


@dataclass(frozen=True, slots=True)
class _Unit:
    start: int
    end: int
    tokens: int
    opens: bool  # begins a block


class SemanticChunker:
    """Splits documents for one encoder.

    Parameters
    ----------
    encoder : Encoder
        Counts tokens and, where a stretch does not fit, makes its sentences' vectors.
    settings : ChunkSettings
        ``threshold``, ``amount``, ``min_tokens`` and ``max_tokens`` (never more than the encoder takes).

    Attributes
    ----------
    version : str
        What the chunks depend on beside the text: it is part of their keys.
    """

    def __init__(self, encoder: Encoder, settings: ChunkSettings) -> None:
        self.encoder = encoder
        self.kind = settings.threshold
        self.amount = DEFAULT_AMOUNT[self.kind] if settings.amount is None else settings.amount
        self.max_tokens = min(settings.max_tokens, encoder.stamp.max_tokens)
        self.min_tokens = min(settings.min_tokens, self.max_tokens)
        made_by = encoder.stamp.model if self.kind == "none" else str(encoder.stamp)
        self.version = (f"{SPLITTER_VERSION};{self.kind}={self.amount:g};tokens={self.min_tokens}-{self.max_tokens};"
                        f"{made_by}")

    def split(self, text: str, sections: Sequence[Section] = ()) -> list[Piece]:
        """Return the chunks of ``text`` in order; they hold every non-blank character exactly once.

        Raises
        ------
        EncoderError
            GKB-501 where the encoder's vectors are not finite or all zeros.
        """
        return [piece for start, end, name in stretches(text, sections)
                for piece in self._stretch(text, start, end, name)]

    def _count(self, text: str, start: int, end: int) -> int | None:
        """Return the tokens of a stretch that fits, else None."""
        if end - start > MAX_CHARS_PER_TOKEN * self.max_tokens:
            return None
        tokens = self.encoder.count_tokens(text[start:end])
        return tokens if tokens <= self.max_tokens else None

    def _stretch(self, text: str, start: int, end: int, name: str) -> Iterator[Piece]:
        tokens = self._count(text, start, end)
        if tokens is not None:
            yield Piece(start, end, name, tokens)
            return
        units = self._joined(self._units(text, start, end))
        far = [0.0] * (len(units) - 1)
        breaks: list[int] = []
        if self.kind != "none" and len(units) > 1:
            values = distances(self.encoder, [text[unit.start:unit.end] for unit in units])
            breaks = topic_breaks(values, self.kind, self.amount)
            far = values.tolist()
        for first, last in _path(units, far, breaks, self.min_tokens, self.max_tokens):
            yield from self._piece(text, units[first].start, units[last].end, name)

    def _piece(self, text: str, start: int, end: int, name: str) -> Iterator[Piece]:
        """Yield the piece with its true token count: a tokenizer need not be additive over units."""
        tokens = self._count(text, start, end)
        if tokens is not None:
            yield Piece(start, end, name, tokens)
            return
        for begin, stop in token_windows(self.encoder, text, start, end, self.max_tokens):
            yield Piece(begin, stop, name, self.encoder.count_tokens(text[begin:stop]))

    def _units(self, text: str, start: int, end: int) -> Iterator[_Unit]:
        opening: int | None = None  # where the headings before this block begin
        for block in blocks(text, start, end):
            if block.heading and block.end < end:
                opening = block.start if opening is None else opening
                continue
            yield from self._block(text, block, block.start if opening is None else opening)
            opening = None

    def _joined(self, units: Iterable[_Unit]) -> list[_Unit]:
        """Join what is far below the minimum to what follows: "Stable." alone makes no topic."""
        found: list[_Unit] = []
        for unit in units:
            last = found[-1] if found else None
            if (last is not None and last.tokens < self.min_tokens // 4 and last.tokens + unit.tokens <= self.max_tokens
                    and unit.end - last.start <= MAX_CHARS_PER_TOKEN * self.max_tokens):
                found[-1] = _Unit(last.start, unit.end, last.tokens + unit.tokens, last.opens)
            else:
                found.append(unit)
        return found

    def _block(self, text: str, block: Block, opening: int) -> Iterator[_Unit]:
        """Yield the units of one block and the headings before it: a list item that fits whole, else sentences."""
        whole = self._count(text, opening, block.end) if block.item else None
        if whole is not None:
            yield _Unit(opening, block.end, whole, True)
            return
        for start, end in in_block(text, block):
            begin = opening if start == block.start else start
            tokens = self._count(text, begin, end)
            if tokens is not None:
                yield _Unit(begin, end, tokens, begin == opening)
                continue
            for first, last in token_windows(self.encoder, text, begin, end, self.max_tokens):
                yield _Unit(first, last, self.encoder.count_tokens(text[first:last]), first == opening)


def _path(units: Sequence[_Unit], far: Sequence[float], breaks: Sequence[int], low: int,
          high: int) -> list[tuple[int, int]]:
    """Return the first and last unit of each chunk on the path that loses least."""
    count = len(units)
    scale = max(far, default=0.0) or 1.0
    topics = [0] * (count + 1)  # topics[j]: topic breaks at or before the border in front of unit j
    cut = [0.0] * (count + 1)
    topic = {place + 1 for place in breaks}
    for border in range(1, count):
        topics[border] = topics[border - 1] + (border in topic)
        if border not in topic:
            cut[border] = _CUT - _NEAR * far[border - 1] / scale + (0.0 if units[border].opens else _INSIDE)
    loss = [0.0] * (count + 1)
    back = [0] * (count + 1)
    for end in range(1, count + 1):
        tokens, best, origin = 0, float("inf"), end - 1
        for start in range(end - 1, -1, -1):
            tokens += max(units[start].tokens, 1)
            if tokens > high and start < end - 1:
                break
            lost = loss[start] + _UNCUT * (topics[end - 1] - topics[start]) + (_SMALL if tokens < low else 0.0)
            if lost < best:
                best, origin = lost, start
        loss[end], back[end] = best + cut[end], origin
    path: list[tuple[int, int]] = []
    end = count
    while end > 0:
        path.append((back[end], end - 1))
        end = back[end]
    return path[::-1]


def stretches(text: str, sections: Sequence[Section]) -> Iterator[tuple[int, int, str]]:
    """Yield ``(start, end, section)``: each section with the heading lines before it, and what lies between sections.

    Stripped, in order and never blank. Sections that overlap an earlier one lose that part.
    """
    position = 0
    for section in sorted(sections, key=lambda s: (s.start, s.end)):
        start = min(max(section.start, position), len(text))
        end = min(max(section.end, start), len(text))
        heading = _heading(text, position, start, section.name)
        yield from _stripped(text, position, heading, "")
        yield from _stripped(text, heading, end, section.name)
        position = end
    yield from _stripped(text, position, len(text), "")


def _stripped(text: str, start: int, end: int, name: str) -> Iterator[tuple[int, int, str]]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        yield start, end, name


def _heading(text: str, low: int, high: int, name: str) -> int:
    """Return where the heading lines right before ``high`` begin; ``high`` where there are none."""
    begin = max(low, high - MAX_HEADING)
    lines = text[begin:high].splitlines(keepends=True)
    if begin > low and lines and text[begin - 1] not in "\r\n":
        del lines[0]  # not a whole line
    found = start = high
    for line in reversed(lines):
        start -= len(line)
        core = line.strip().strip("#:*=_ \t").casefold()
        if not line.strip():
            continue
        is_heading = line.rstrip().endswith(":") or line.startswith("#") or (len(core) > 2 and core in name.casefold())
        if len(line) > MAX_HEADING // 2 or not (is_heading or not core):
            break
        found = start
    return found
