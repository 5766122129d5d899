"""Sentences of clinical and scientific text, as exact offsets and without a model.

Two steps, both linear in the text. Lines become *blocks*: a line ends a block at a blank line, before a list item or a
heading, after a heading, and where it is so short that the next word would have fitted (a list without bullets);
otherwise the next line continues it (hard-wrapped prose). Blocks become sentences: a stop ends one unless what stands
before it is an abbreviation, an initial or the number of a list item.

A wrong break costs context, a missing one lets a negation reach too far, so clinical shorthand in lower case
("no cp. no sob.") does break, and an abbreviation that may end a sentence ("5 mg.", "q.d.") breaks before a capital.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

VERSION = "sentences-1"

_LINE = re.compile(r"[^\r\n\f\u2028\u2029]*")
_BREAK = re.compile(r"\r\n|[\r\n\f\u2028\u2029]")
_INK = re.compile(r"\S")
_ITEM = re.compile(r"(?:[-–—*•·◦▪‣●○■□✓➢>#+]|\(?(?:\d{1,3}|[A-Za-z]|[ivx]{1,4})\)"
                   r"|(?:\d{1,3}|[A-Za-z]|[ivx]{2,4})\.)[ \t\xa0]+\S|#\w")
_LABEL = re.compile(r"[A-Z][\w/&'’(),.% -]{0,60}:(?=\s|$)")
_RULE = re.compile(r"[=_*~#-]{3,}")
_LOWER_START = re.compile(r"[a-z(\[&/,;%]")
_OPEN_END = re.compile(r"(?:[,(\[&/+-]|\b(?:a|an|the|of|and|or|to|in|on|at|by|for|from|with|without|as|that|which|was"
                       r"|were|is|are|be|been|no|not|his|her|their|your|this|these|than|via|per|into|due|if|but|who|has|have|had"
                       r"|will|Dr\.|Mr\.|Mrs\.|Ms\.))$")
_WRAP = 50  # narrower paragraphs are lists of short lines, not wrapped prose

# possessive, and a run of stops is tried once: linear on any text
_CANDIDATE = re.compile(r"(?:(?<![.!?])[.!?]++|…)[\"'”’»)\]}]*+(?:\[\d[\d,; –-]{0,30}\])?+(?=\s)"
                        r"|[。！？]++[”’」』）)]*+")
_WORD_BEFORE = re.compile(r"[^\s(\[{\"“‘,;:!?]*$")
_WORD = re.compile(r"[^\W\d_]{1,30}(?:['’][^\W\d_]{1,9})?")
_LETTER = re.compile(r"\w")
_OPENERS = "\"'“‘«([{*_"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# never the end of a sentence
_ALWAYS = _words("""
    dr drs mr mrs ms mx prof rev hon gen col sgt capt lt st mt ft vs cf e.g i.e eg ie viz ca approx et resp subsp
    spp sp var staph strep h/o s/p r/o c/o w/o d/c f/u y/o a/w dept univ hosp incl excl esp temp avg est max wt ht
    tel ext lic reg attn
""")
# no end before a number or a letter that numbers
_BEFORE_NUMBER = _words("""
    fig figs eq eqs ref refs no nos vol ch sec sect p pp v ver art para jan feb mar apr jun jul aug sep sept oct nov
    dec rm bldg ste apt grp gr stg
""")
# the end only before a word that starts sentences
_BEFORE_STARTER = _words("""
    pt pts al hx dx tx rx fx sx pmh cont prev neg pos abd bilat freq diff hosp diag hgb vit p.o i.v i.m s.c s.q p.r
    s.l i.d n.p.o a.m p.m u.s u.k m.d d.o r.n ph.d b.s b.a m.s d.d.s pharm.d n.p p.a jr sr co inc ltd corp assoc
""")
# the end only before a capital
_BEFORE_CAPITAL = _words("""
    mg mcg ml dl cc kg g gm gms l lb lbs oz in cm mm hr hrs h wk wks mo mos yr yrs d min mins sec secs tab tabs cap
    caps inj susp supp amp soln sol oint q qd bid tid qid qhs qod prn po iv im sc sq pr sl hs ac pc am pm etc units
    u meq mmol iu misc int med meds lab labs exam rehab
""")
_STARTERS = _words("""
    a an the this that these those there he she it they we i you his her their its our my no not on in at as if when
    while after before during since for from with without upon by to and but however patient pt pts denies denied
    reports reported states stated was were is are will has had have please continue follow given plan also per then
    overall per all both each exam labs today tomorrow yesterday currently previously initially subsequently ct mri
    cxr ekg ecg discharge discharged admitted admission transferred started stopped increased decreased held seen
    here although because thus therefore moreover furthermore additionally results conclusion methods background
    objective our one two three several some most many such what how why who agreed family mother father stable
    afebrile negative positive vitals vital take call return see
""")
_SHORT_WORDS = _words("""
    it up ok so us me he we be do go in on to of is as at by or an my if id
""")


@dataclass(frozen=True, slots=True)
class Block:
    """Lines that belong together: ``text[start:end]``, and whether they are a list item or nothing but a heading."""

    start: int
    end: int
    item: bool
    heading: bool


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int
    item: bool
    heading: bool  # nothing but a heading
    label: bool  # begins with "Heading:"


def _line(text: str, start: int, end: int) -> _Line:
    label = _LABEL.match(text, start, end)
    head = text[start:min(end, start + 80)]
    short = end - start <= 60
    upper = short and head.isupper() and sum(map(str.isalpha, head)) >= 4 and head[-1] not in ".,;"
    heading = (label is not None and label.end() == end) or upper or (short and _RULE.fullmatch(head) is not None)
    return _Line(start, end, _ITEM.match(text, start, end) is not None, heading, label is not None)


def _paragraphs(text: str, start: int, end: int) -> Iterator[list[_Line]]:
    """Yield runs of lines without a blank line between them, each line stripped."""
    lines: list[_Line] = []
    position = start
    while position < end:
        match = _LINE.match(text, position, end)
        stop = match.end() if match else position
        first = _INK.search(text, position, stop)
        if first:
            lines.append(_line(text, first.start(), first.start() + len(text[first.start():stop].rstrip())))
        elif lines:
            yield lines
            lines = []
        newline = _BREAK.match(text, stop, end)
        position = newline.end() if newline else end
    if lines:
        yield lines


def _continues(text: str, line: _Line, following: _Line, width: int) -> bool:
    """Whether ``following`` goes on with the sentence of ``line``."""
    if following.item or following.heading or following.label or line.heading:
        return False
    if _LOWER_START.match(text, following.start, following.end):
        return True
    if _OPEN_END.search(text[max(line.start, line.end - 12):line.end]):
        return True
    space = text.find(" ", following.start, min(following.end, following.start + 40))
    word = (space if space >= 0 else min(following.end, following.start + 40)) - following.start
    # a greedy wrap breaks only where the next word no longer fits
    return width >= _WRAP and line.end - line.start + 1 + word > width


def blocks(text: str, start: int = 0, end: int | None = None) -> list[Block]:
    """Return the blocks of ``text[start:end]`` in order: list items, headings, paragraphs; blank lines lie between."""
    end = len(text) if end is None else end
    found: list[Block] = []
    for lines in _paragraphs(text, start, end):
        width = max(line.end - line.start for line in lines)
        head = previous = lines[0]
        for line in lines[1:]:
            if not _continues(text, previous, line, width):
                found.append(Block(head.start, previous.end, head.item, head.heading))
                head = line
            previous = line
        found.append(Block(head.start, previous.end, head.item, head.heading))
    return found


def _ends(text: str, begin: int, stop: int, mark: str, next_ink: int, end: int) -> bool:
    """Whether the stop ``mark`` at ``stop`` ends the sentence that began at ``begin``."""
    if not _LETTER.search(text, begin, min(stop, begin + 80)):
        return False
    inner = next_ink + 1 if text[next_ink] in _OPENERS and next_ink + 1 < end else next_ink
    following = text[inner]
    if mark[0] in "!?…" or ".." in mark:
        return not following.islower()
    match = _WORD_BEFORE.search(text[max(begin, stop - 24):stop])
    word = match.group().lstrip("'’*_-–—<>~=+#") if match else ""
    if stop - begin == len(word) and re.fullmatch(r"\d{1,3}|[A-Za-z]|[ivx]+", word):
        return False  # the number of a list item
    return _word_ends(word, following, _WORD.match(text, inner, end))


def _word_ends(word: str, following: str, match: re.Match[str] | None) -> bool:
    """Whether a full stop between ``word`` and what follows (its first character and first word) ends a sentence."""
    folded = word.lower()
    opening = match.group() if match else ""
    starter = opening.lower() in _STARTERS and not following.islower()
    if folded in _ALWAYS:
        return False
    if folded in _BEFORE_NUMBER and (following.isdigit() or following == "#" or len(opening) == 1
                                     or (following.islower() and folded != "no")):
        return False
    if folded in _BEFORE_STARTER or (len(word) == 1 and word.isupper()):
        return starter
    if folded in _BEFORE_CAPITAL or ("." in word and re.fullmatch(r"(?:[a-z]\.)+[a-z]", word)):
        return following.isupper()
    if "." in word and re.fullmatch(r"(?:[A-Za-z]{1,2}\.)+[A-Za-z]{1,2}", word):
        return starter
    if following.islower() and word.isalpha() and len(word) < 3:
        return folded in _SHORT_WORDS or word.isupper() or opening in _STARTERS
    return True


def in_block(text: str, block: Block) -> Iterator[tuple[int, int]]:
    """Yield the sentences of one block."""
    begin, end = block.start, block.end
    for match in _CANDIDATE.finditer(text, begin, end):
        ink = _INK.search(text, match.end(), end)
        if ink is None:
            break
        mark = re.match(r"[.!?…。！？]+", match.group())
        if mark is None or match.start() < begin:
            continue
        if mark.group()[0] in "。！？" or _ends(text, begin, match.start(), mark.group(), ink.start(), end):
            yield begin, match.end()
            begin = ink.start()
    yield begin, end


def split(text: str, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
    """Return the sentences of ``text[start:end]`` as offsets into ``text``.

    They are in order, never blank, never overlap, begin and end with ink, and hold all of it. A list item or a heading
    line never shares a sentence with its neighbours; a very long stretch without a stop stays one sentence.
    """
    return [span for block in blocks(text, start, end) for span in in_block(text, block)]
