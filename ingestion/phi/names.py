"""Names of people: by a cue (a title, a label, a degree, a relation, a signature), or by both parts in the lists.

A single capitalised word without a cue is never a name: eponyms and the words of headings would drown the rest.
"""

from __future__ import annotations

import functools
import gzip
import re
from collections.abc import Iterator
from importlib.resources import files

_CAP = r"[A-ZÀ-ÖØ-Þ]"
_TOKEN = rf"(?:(?:O|D|Mc|Mac|al)['’-]?)?{_CAP}[^\W\d_]+(?:['’-]{_CAP}?[^\W\d_]+)*"
_INITIAL = rf"{_CAP}\.?(?![\w'’])"
_PARTICLE = r"(?:van|von|de|der|den|del|della|di|da|dos|la|le|el|al|bin|ben|ibn|ter)"
_PART = rf"(?:{_TOKEN}|{_INITIAL})"
_NEXT = rf"(?:[ \t]+(?:{_PARTICLE}[ \t]+)*{_PART})"
_FULL = rf"(?:{_PARTICLE}[ \t]+)*{_PART}{_NEXT}{{0,3}}"
_TURNED = rf"{_TOKEN}(?:[- ]{_TOKEN})?,[ \t]*{_TOKEN}(?:[ \t]+{_INITIAL})?"
_NAME = rf"({_TURNED}|{_FULL})"
_TITLE = r"(?:Dr|Drs|Mr|Mrs|Ms|Mx|Miss|Prof|Professor|Doctor|Rev|Reverend|Sister|Nurse|Father)"
_LABEL = (r"(?:(?:patient|pt|full|last|first|maiden|mother's|father's|family)?[ \t]*name|patient|pt|attending|resident|"
          r"intern|fellow|surgeon|assistant|anesthesiologist|radiologist|pathologist|cardiologist|consultant|provider|"
          r"physician|attending physician|primary care (?:physician|provider)|pcp|nurse|rn|md|therapist|author|"
          r"referring (?:physician|provider|md)|social worker|case manager|contact|emergency contact|next of kin|nok|"
          r"hcp|proxy|health ?care proxy|guardian|witness|interpreter|informant|cc|to|from|attn|signature|signed)")
_BY = (r"(?:dictated|signed|electronically signed|e-signed|authored|reviewed|transcribed|completed|verified|cosigned|"
       r"co-signed|attested|entered|prepared|written|performed|interpreted|ordered|seen|examined|evaluated|followed|"
       r"accompanied|read|approved|authenticated|administered)[ \t]+by")
_WITH = (r"(?:discussed|spoke|spoken|reviewed|consulted|discussion|conversation|meeting|appointment|"
         r"follow[- ]?up)[ \t]+with")
_DEGREE = (r"(?:M\.?D\.?|D\.?O\.?|R\.?N\.?|N\.?P\.?|P\.?A\.?(?:-C)?|Ph\.?D\.?|LPN|Pharm\.?D\.?|FACP|FACS|MBBS|DDS|DPM|"
           r"CRNA|MSW|LCSW|APRN|DNP|CNM|PT|OT)")
_KIN = (r"(?:wife|husband|spouse|partner|son|daughter|brother|sister|mother|father|mom|dad|niece|nephew|aunt|uncle|"
        r"cousin|granddaughter|grandson|grandmother|grandfather|girlfriend|boyfriend|fianc[ée]e?|friend|neighbou?r|roommate|"
        r"caregiver|caretaker|aide|landlord|employer)")

_CUED = tuple(re.compile(pattern) for pattern in (
    rf"\b{_TITLE}\b(?:\.[ \t]*|[ \t]+){_NAME}",
    rf"\bDrs\.?[ \t]+{_TOKEN}(?:,[ \t]+{_TOKEN})*,?[ \t]+(?:and|&)[ \t]+{_NAME}",
    r"(?<![\w.])(?:dr|mr|mrs|ms)\.[ \t]+([a-z][a-z'’-]{2,})",
    rf"(?i:(?<![\w'])(?:{_LABEL})[ \t]*(?:\([^)\n]{{1,20}}\))?[ \t]*:[ \t]*){_NAME}",
    rf"(?i:\bname[ \t]*[=–-][ \t]*){_NAME}",
    rf"(?i:\b(?:{_BY}|{_WITH})[ \t]*:?[ \t]+)(?:{_TITLE}\.?[ \t]+)?{_NAME}",
    rf"(?i:\b{_KIN}(?:[ \t]*,|[ \t]+(?:named|called|is|was))?[ \t]+\(?){_NAME}",
    rf"(?i:\b(?:named|known as|goes by|name is|addressed as|a\.?k\.?a\.?)[ \t]+){_NAME}",
    rf"(?i:\b(?:sincerely|regards|respectfully|yours truly|thank you|thanks)(?:[ \t]+yours)?,?[ \t]*\r?\n\s*){_NAME}",
    rf"(?<![\w.'’-])({_TURNED}|{_PART}(?:{_NEXT}){{0,3}}),?[ \t]+{_DEGREE}(?![\w.]*\w)",
    rf"(?m)^[ \t]*({_TOKEN}(?:{_NEXT}){{1,2}})[ \t]+(?:is|was)[ \t]+an?[ \t]+\d{{1,3}}",
    rf"(?i:\b(?:pt|patient)[ \t]+)({_TOKEN}{_NEXT})",
    r"(?m)^[ \t]*/s/[ \t]*(" + _FULL + r")",
))
_PAIR = re.compile(rf"(?<![\w.'’-])({_TOKEN})([ \t]+{_INITIAL})?[ \t]+({_TOKEN})(?![\w'’-])")
_REVERSED = re.compile(rf"(?<![\w.'’-])({_TOKEN}),[ \t]?({_TOKEN})(?![\w'’-])")



@functools.cache
def _words_of(kind: str) -> frozenset[str]:
    """Return a list of `data/words.txt`: eponyms, things (with which an eponym is no person), and what is no name."""
    text = files("ingestion.phi").joinpath("data/words.txt").read_text(encoding="utf-8")
    return frozenset(text.partition(f"[{kind}]")[2].partition("[")[0].split())


EPONYMS = _words_of("eponyms")
_THINGS = _words_of("things")
_NOT = _words_of("not names")


@functools.cache
def _lists() -> tuple[frozenset[str], frozenset[str]]:
    raw = files("ingestion.phi").joinpath("data/names.txt.gz").read_bytes()
    first, _, last = gzip.decompress(raw).decode().partition("\n\n")
    return frozenset(first.split()), frozenset(last.split())


def _words(text: str) -> list[tuple[int, int, str]]:
    return [(m.start(), m.end(), m.group()) for m in re.finditer(r"[^\W\d_][\w'’-]*\.?", text)]


def _trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return the part of a candidate up to its first word that is no name; None where nothing is left."""
    last = start
    strong = False
    for _, after, word in _words(text[start:end]):
        plain = word.rstrip(".").lower()
        initial = len(plain) == 1 and word[0].isupper()
        if plain in _NOT and not initial:
            break
        strong = strong or not initial
        last = start + after
    return (start, last - (text[last - 1] == "." and last - start > 2)) if strong else None


def _is_thing(text: str, start: int, end: int) -> bool:
    """Whether a name stands for a disease, a device or a test."""
    words = [word.rstrip(".").removesuffix("'s").removesuffix("’s").lower() for _, _, word in _words(text[start:end])]
    after = re.match(r"(?:['’]s)?[ \t-]*([A-Za-z]+)", text[end:end + 30])
    follows = after[1].lower() if after else ""
    parts = {part for word in words for part in word.split("-")}
    return bool(parts & EPONYMS) and (follows in _THINGS or bool(parts & _THINGS) or parts <= EPONYMS)


def by_cue(text: str) -> Iterator[tuple[int, int]]:
    """Yield the names that a cue marks."""
    for number, pattern in enumerate(_CUED):
        place = 0
        while match := pattern.search(text, place):
            found = _trimmed(text, *match.span(1))
            place = match.start(1) + 1 if found is None else found[1]
            if found is not None and not (number and _is_thing(text, *found)):
                yield found


def by_list(text: str) -> Iterator[tuple[int, int]]:
    """Yield a first and a last name that stand together, both of them in the lists."""
    firsts, lasts = _lists()
    for pattern, first, last in ((_PAIR, 1, 3), (_REVERSED, 2, 1)):
        place = 0
        while match := pattern.search(text, place):
            place = match.end(1)
            given, family = match[first].lower(), match[last].lower()
            if (given in firsts and given not in _NOT and family not in _NOT
                    and all(part in lasts for part in family.split("-")) and not _is_thing(text, *match.span())):
                place = match.end()
                yield match.span()
