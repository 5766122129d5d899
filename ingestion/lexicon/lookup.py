"""Find the names of a lexicon in text.

Every window of up to eight words (stop words aside) has as its hash the sum of its words' hashes, so all windows of a
text are differences of one running sum, and "cancer of the breast" meets "breast cancer". The few windows whose hash
is in the table are then compared by second hashes: letter by letter (``exact``), by lemmas in order (``variant``), by
lemmas in any order (``reordered``), by what the words mean (``loose``). The longest names win; none overlap.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from graphkb.errors import IngestError
from graphkb.model import Link, Section
from ingestion.abbreviations import Definition, find_definitions
from ingestion.fold import Folded, fold, fold_name
from ingestion.lexicon.build import COLUMNS, INFO, WINDOW, second_hashes, version, write
from ingestion.lexicon.evidence import SHORT, needs_evidence, supported
from ingestion.lexicon.names import Name
from ingestion.lexicon.words import TOKEN, WordHashes
from ingestion.sections import role as role_of

LEVELS = ("exact", "variant", "reordered", "loose")
_LEVEL_WEIGHT = {"exact": 1.0, "variant": 0.95, "reordered": 0.8, "loose": 0.7, "abbreviation": 0.95}
_RANK_WEIGHT = (1.0, 0.9, 0.75, 0.6)
_HARD = re.compile(r"[.;:!?()\[\]{}|%]|,(?!\s)|\n\s*\n|\n\s*[-*#•\d]")
_LIST_BREAK = re.compile(r"\n\s*\n|\n\s*(?:[-*#•]|\d+[.)])\s")
_TURNED = re.compile(r"\b(?:of|in|from)\b|,")
_NOT_BEFORE = re.compile(r"(?:^|[^a-z])(?:non|anti|pre|pro)-$")
# what makes a chemical's name a part of another thing's: of an enzyme's; of a drug's, whose salt it is
_ENZYME_AFTER = re.compile(r"[ -](?!disease|increase|decrease|release|phase|base|case|purchase|please|grease|lease|"
                           r"erase|cease|crease|chase)[a-z]*ases?\b")
_SALT = frozenset(("sodium", "potassium", "calcium", "magnesium", "lithium", "chloride", "sulfate", "phosphate",
                   "acetate", "nitrate", "bromide", "hydrochloride", "maleate", "tartrate", "citrate", "propionate",
                   "succinate", "gluconate", "zinc"))
_SALT_AFTER = re.compile(r" [a-z]+(?:ate|ide|ite|in|ine|am|acin|one)\b(?! in\b)")
_SALT_BEFORE = re.compile(r"[a-z]{3,}(?:ate|ide|ine|in|am|ol|ac|en|ole|il|an|one) $")
_CHEM_ROLES = frozenset(("medications", "medications_admission", "medications_discharge", "allergies"))
_DISO_ROLES = frozenset(("diagnosis", "past_history", "chief_complaint", "family_history"))


_SUBSTANCE = re.compile(r"(?:m[iy]cin|cillin|cycline|azepine|azine|steroid|estrogen|quinolone|glycoside|thiazide|"
                        r"opioid|barbiturate|cephalosporin|statin|taxane|angiotensin|vasopressin|nucleoti?side)$")


_HEADING_END = re.compile(r"[ \t]*:")


@dataclass(frozen=True, slots=True)
class Match:
    """A name found in text. ``name`` is the folded surface, ``type`` the first type of the best candidate."""

    start: int
    end: int
    name: str
    candidates: tuple[Link, ...]
    type: str
    group: str

    @property
    def ambiguous(self) -> bool:
        """Whether more than one concept is still possible."""
        return len(self.candidates) > 1


@dataclass(frozen=True, slots=True)
class _Row:
    weight: float
    concept: str
    types: tuple[str, ...]
    group: str
    acronym: bool
    plural: bool
    own: bool
    level: str


def _other_number(surface: str, row: _Row) -> bool:
    """Whether a chemical's name is a class in the plural ("Acids") and the text has no such plural.

    "Valproic acid" is no mention of the class of acids, nor "dopamine receptor" of all receptors; substances that a
    vocabulary happens to name in the plural ("Gentamicins") go by their stem.
    """
    if not row.plural or row.level == "exact":
        return False
    return row.level == "reordered" or (not surface.endswith("s") and _SUBSTANCE.search(surface) is None)


def _part_of_more(text: str, start: int, end: int, rows: tuple[_Row, ...]) -> bool:
    """Whether a folded span is only a part of a longer word or name that the lexicon lacks."""
    if _NOT_BEFORE.search(text, max(0, start - 6), start):
        return True
    if rows[0].group != "CHEM" or rows[0].own:
        return False
    if _ENZYME_AFTER.match(text, end):
        return True
    return text[start:end] in _SALT and (_SALT_AFTER.match(text, end) is not None
                                         or _SALT_BEFORE.search(text, max(0, start - 40), start) is not None)


def _is_heading(text: str, start: int, end: int) -> bool:
    """Whether a span is the heading of a section ("Allergies:")."""
    line = text.rfind("\n", 0, start) + 1
    return (text[line:start].strip(" \t#*=-") == "" and _HEADING_END.match(text, end) is not None
            and role_of(text[start:end]) != "other")


class Lexicon:
    """A lexicon opened from its folder; see `build` and `open`."""

    def __init__(self, folder: Path) -> None:
        try:
            manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
            if manifest["version"] != version():
                raise IngestError("GKB-605", where=str(folder), detail="made by another version")
            arrays = {name: np.load(folder / f"{name}.npy", mmap_mode="r")
                      for name in (*COLUMNS, "filter", "concept_ends")}
            self._concepts = (folder / "concepts.txt").read_bytes()
        except (OSError, ValueError, KeyError) as error:
            raise IngestError("GKB-605", where=str(folder), detail=type(error).__name__) from None
        self.stamp: str = manifest["stamp"]
        self.names: int = manifest["names"]
        self._keys: NDArray[np.uint64] = arrays["keys"]
        self._columns = arrays
        self._filter: NDArray[np.uint8] = np.asarray(arrays["filter"])
        self._shift = np.uint64(64 - (len(self._filter).bit_length() - 1 + 3))
        self._hashes = WordHashes()
        # what a surface fits, and what it means in a kind of section: memories of pure functions
        self._seen: dict[str, tuple[_Row, ...]] = {}
        self._known: dict[tuple[str, str], tuple[str, tuple[Link, ...], str, str]] = {}

    @classmethod
    def open(cls, folder: Path) -> Lexicon:
        """Open a lexicon; raise `IngestError` GKB-605 where it is missing, damaged or of another version."""
        return cls(folder)

    def __len__(self) -> int:
        return self.names

    def _concept(self, number: int) -> tuple[str, tuple[str, ...], str]:
        ends = self._columns["concept_ends"]
        key, types, group = self._concepts[int(ends[number]):int(ends[number + 1]) - 1].decode().split("\t")
        return key, tuple(types.split(",")) if types else (), group

    def _row(self, at: int, level: str) -> _Row:
        info = int(self._columns["info"][at])
        key, types, group = self._concept(int(self._columns["owner"][at]))
        own = bool(info >> 2 & INFO["source"])
        weight = _LEVEL_WEIGHT[level] * _RANK_WEIGHT[info & INFO["rank"]] * (1.0 if own else 0.95)
        return _Row(weight, key, types, group, bool(info & INFO["acronym"]), bool(info & INFO["plural"]), own, level)

    def _compare(self, surface: str, low: int, high: int) -> tuple[_Row, ...]:
        """Return the rows of the best level that really fit a surface, one per concept, best first."""
        words = TOKEN.findall(surface)
        solid = sum(1 for word in words if self._hashes[word])
        want = {long: second_hashes(words, surface, long=long) for long in (False, True)}
        hard = _HARD.search(surface) is not None
        turned = _TURNED.search(surface) is not None
        levels: dict[str, list[int]] = {level: [] for level in LEVELS}
        for at in range(low, high):
            level = self._level(at, want, solid)
            if level is None or (level != "exact" and hard):
                continue
            if level == "reordered" or (level == "loose" and solid > 1):
                if "\n" in surface or surface.count(",") > 1 or not (turned or level == "loose"
                                                  or self._columns["info"][at] & INFO["movable"]):
                    continue
            elif level == "variant" and "," in surface:
                continue
            levels[level].append(at)
        # a spelling or a plural is as good as the letters themselves; what is less is asked only where these fail
        for group in (("exact", "variant"), ("reordered",), ("loose",)):
            best: dict[str, _Row] = {}
            for row in (self._row(at, level) for level in group for at in levels[level]):
                if row.group == "CHEM" and _other_number(surface, row):
                    continue
                if row.concept not in best or row.weight > best[row.concept].weight:
                    best[row.concept] = row
            if best:
                return tuple(sorted(best.values(), key=lambda row: (-row.weight, row.concept)))
        return ()

    def _level(self, at: int, want: dict[bool, dict[str, int]], solid: int) -> str | None:
        columns, length = self._columns, int(self._columns["words"][at])
        long = length > WINDOW
        hashes = want[long]
        if (long and length != solid) or columns["loose"][at] != hashes["loose"]:
            return None
        if columns["order"][at] == hashes["order"]:
            return "exact" if columns["exact"][at] == hashes["exact"] else "variant"
        return "reordered" if columns["bag"][at] == hashes["bag"] and not long else "loose"

    def _fitting(self, surface: str, low: int, high: int) -> tuple[_Row, ...]:
        found = self._seen.get(surface)
        if found is None:
            if len(self._seen) > 200_000:
                self._seen.clear()
                self._known.clear()
            found = self._seen[surface] = () if _LIST_BREAK.search(surface) else self._compare(surface, low, high)
        return found

    def _windows(self, hashes: NDArray[np.uint64]) -> Iterator[tuple[int, int, int, int]]:
        """Yield (words, first word, first row, end of rows) of the windows whose hash is in the table."""
        total = len(hashes)
        sums = np.zeros(total + 1, dtype=np.uint64)
        np.cumsum(hashes, out=sums[1:])
        sizes = range(1, min(WINDOW, total) + 1)
        values = np.concatenate([sums[n:] - sums[:-n] for n in sizes])
        at = values >> self._shift
        hit = np.flatnonzero((self._filter[at >> np.uint64(3)] >> (at & np.uint64(7)).astype(np.uint8)) & 1)
        wanted = values[hit]
        low = np.searchsorted(self._keys, wanted, side="left")
        there = np.flatnonzero(low < len(self._keys))
        there = there[self._keys[low[there]] == wanted[there]]
        high = np.searchsorted(self._keys, wanted[there], side="right")
        starts = np.cumsum([0, *(total - n + 1 for n in sizes)])
        size = np.searchsorted(starts, hit[there], side="right")
        first = hit[there] - starts[size - 1]
        yield from zip(size.tolist(), first.tolist(), low[there].tolist(), high.tolist(), strict=True)

    def _spans(self, folded: Folded) -> Iterator[tuple[int, int, str, tuple[_Row, ...]]]:
        """Yield (start, end, surface, rows) of all fitting windows, longest first, in folded offsets."""
        text = folded.text
        known = self._hashes
        words = [(match.span(), known[match[0]]) for match in TOKEN.finditer(text)]
        spans = [span for span, value in words if value]
        hashes = [value for _, value in words if value]
        if not hashes or not self.names:
            return
        lengths = self._columns["words"]
        wanted = []
        for size, first, low, high in self._windows(np.array(hashes, dtype=np.uint64)):
            wanted.append((size, first, low, high))
            if size == WINDOW:
                wanted += [(n, first, low, high) for n in sorted(set(lengths[low:high].tolist()))
                           if n > WINDOW and first + n <= len(spans)]
        wanted.sort(key=lambda item: (-item[0], item[1]))
        for size, first, low, high in wanted:
            start, end = spans[first][0], spans[first + size - 1][1]
            surface = text[start:end]
            rows = self._fitting(surface, low, high)
            if rows:
                yield start, end, surface, rows

    def find(self, text: str, sections: Sequence[Section] = ()) -> list[Match]:
        """Return the names in a text, in order, without overlaps; spans index ``text`` itself."""
        folded = fold(text)
        opens = [section.start for section in sections]
        roles = [role_of(section.name) for section in sections]
        taken = bytearray(len(folded.text))
        found: list[Match] = []
        for start, end, surface, rows in self._spans(folded):
            if taken[start] or taken[end - 1] or _part_of_more(folded.text, start, end, rows):
                continue
            first, last = folded.span(start, end)
            at = bisect_right(opens, first) - 1
            role = roles[at] if at >= 0 and first < sections[at].end else ""
            match = self._judged(text, first, last, surface, rows, role)
            if match is not None:
                found.append(match)
                taken[start:end] = b"\1" * (end - start)
        return self._with_definitions(text, sorted(found, key=lambda match: match.start))

    def _judged(self, text: str, start: int, end: int, surface: str, rows: tuple[_Row, ...],
                role: str) -> Match | None:
        """Ask for evidence where a name is weak, and keep what ambiguity is left."""
        weak = " " not in surface and any(needs_evidence(surface, row.acronym) for row in rows)
        if weak:
            rows = tuple(row for row in rows if not needs_evidence(surface, row.acronym)
                         or supported(text, start, end, role, acronym=row.acronym))
            if any(row.acronym for row in rows) and text[start:end].isupper():
                rows = tuple(row for row in rows if row.acronym)
        if not rows or _is_heading(text, start, end):
            return None
        liked = "CHEM" if role in _CHEM_ROLES else "DISO" if role in _DISO_ROLES else ""
        known = self._known.get((surface, liked)) if not weak else None
        if known is None:
            known = (re.sub(r"\s+", " ", surface), *_resolved(rows, liked))
            if not weak:
                self._known[surface, liked] = known
        if text[end:end + 1] == ")" and surface.count("(") > surface.count(")"):
            return Match(start, end + 1, known[0] + ")", *known[1:])  # "Heparin Flush (10 units/ml)"
        return Match(start, end, *known)

    def lookup(self, name: str, group: str = "") -> tuple[Link, ...]:
        """Return the concepts that have exactly this name (folded), best first, of one semantic group if given."""
        folded = fold_name(name)
        words = [word for word in TOKEN.findall(folded) if self._hashes[word]]
        if not words:
            return ()
        key = np.uint64(sum(self._hashes[word] for word in words[:WINDOW]) & 0xFFFFFFFFFFFFFFFF)
        low, high = (int(np.searchsorted(self._keys, key, side=side)) for side in ("left", "right"))
        spans = [match.span() for match in TOKEN.finditer(folded) if self._hashes[match[0]]]
        rows = tuple(row for row in self._fitting(folded[spans[0][0]:spans[-1][1]], low, high)
                     if row.level == "exact" and group in ("", row.group))
        return _resolved(rows, "")[0] if rows else ()

    def _with_definitions(self, text: str, matches: list[Match]) -> list[Match]:
        """Give each abbreviation that the text defines the meaning of its long form, wherever it stands."""
        definitions = find_definitions(text)
        if not definitions:
            return matches
        meanings = {item.short: _meaning(item, matches) for item in definitions}
        pattern = re.compile(r"(?<![^\W_])(" + "|".join(
            re.escape(short) for short in sorted(meanings, key=lambda s: (-len(s), s))) + r")(?=s?(?![^\W_]))")
        starts = [match.start for match in matches]
        dropped: set[int] = set()
        added: list[Match] = []
        for spot in pattern.finditer(text):
            start, end, meaning = spot.start(), spot.end(), meanings[spot[1]]
            low = max(0, bisect_left(starts, start) - 1)
            inside = [n for n in range(low, bisect_left(starts, end)) if matches[n].end > start]
            if any(matches[n].end - matches[n].start > end - start + 1 for n in inside):
                continue  # part of a longer name
            if meaning is None and end - start > SHORT + 1:
                continue  # long enough to speak for itself
            dropped.update(inside)
            if meaning is not None:
                links = tuple(Link(link.concept, round(link.score * _LEVEL_WEIGHT["abbreviation"], 4),
                                   "dictionary:abbreviation") for link in meaning.candidates)
                added.append(Match(start, end, fold_name(spot[1]), links, meaning.type, meaning.group))
        kept = [match for n, match in enumerate(matches) if n not in dropped]
        return sorted([*kept, *added], key=lambda match: match.start)


def _meaning(definition: Definition, matches: Iterable[Match]) -> Match | None:
    """Return the match that is the long form, or ends it and makes most of it."""
    best: Match | None = None
    for match in matches:
        overlap = min(match.end, definition.end) - max(match.start, definition.start)
        if overlap > 0 and abs(match.end - definition.end) <= 2 and match.start <= definition.end:
            best = match
    if best is None or 2 * (best.end - best.start) < definition.end - definition.start:
        return None
    return best


def _resolved(rows: tuple[_Row, ...], liked: str) -> tuple[tuple[Link, ...], str, str]:
    """Return links whose scores sum to at most 1, with type and group. Groups mix only where they tie, and say so."""
    top = max(row.weight for row in rows)
    groups = sorted({row.group for row in rows if row.weight == top})
    if liked and any(row.group == liked for row in rows):
        groups = [liked]
    rows = tuple(row for row in rows if row.group in groups)
    mixed = "" if len(groups) == 1 else "|groups"
    total, quality = sum(row.weight for row in rows), max(row.weight for row in rows)
    links = tuple(Link(row.concept, round(quality * row.weight / total, 4), f"dictionary:{row.level}{mixed}")
                  for row in rows)
    types = rows[0].types
    return links, types[0] if types else "", rows[0].group


def build(names: Iterable[Name], folder: Path) -> Lexicon:
    """Build a lexicon's files from names and open it."""
    write(names, folder)
    return Lexicon(folder)
