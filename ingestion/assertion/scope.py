"""Paints what each cue of a sentence says onto the words in its reach."""

from __future__ import annotations

from dataclasses import dataclass, field

from ingestion.assertion.rules import Cue, Hit, find

Words = list[tuple[str, int, int]]
LIMIT = 60  # words: no cue reaches further, which keeps a text without stops linear
_ARTICLES = frozenset(("a", "an", "the", "any", "his", "her", "of", "your", "some"))
_CARRIES = frozenset(("with", "to", "on", "for", "in", "has", "had"))  # right after a cue they end nothing
_JOINS = frozenset(("and", "or", "nor", "&"))
_NOTHING: frozenset[str] = frozenset()
_ALWAYS = frozenset(("hard", "turn"))
_STOPS = {
    "wide": _ALWAYS | {"now"},
    "open": _ALWAYS | {"now"},
    "list": _ALWAYS | {"now"},
    "segment": _ALWAYS | {"now"},
    "few": _ALWAYS | {"now", "aside"},
    "near": _ALWAYS | {"now", "aside"},
    "person": frozenset(("turn", "patient")),
}
_MORE_STOPS = {
    "hypothetical": frozenset(("main",)),
    "planned": frozenset(("aside",)),
    "stopped": frozenset(("aside",)),
}


@dataclass(slots=True)
class Painted:
    """For each word the kinds that cues before it (``before``) and after it (``after``) say about it.

    The value is the place of the cue: the nearest one counts where two exclude each other.
    """

    before: list[dict[str, int]]
    after: list[dict[str, int]]
    whole: dict[str, int] = field(default_factory=dict)


class Sentence:
    """The words and cues of one sentence, and what they say about each word."""

    def __init__(self, words: Words, role: str) -> None:
        # "- STOP warfarin": a list's dash says nothing
        if len(words) > 1 and words[0][0] in "-–" and words[1][1] > words[0][2]:
            words = words[1:]
        self.words = words
        self.starts = [start for _, start, _ in words]
        self.ends = [end for _, _, end in words]
        self.role = role
        self.hits = find(words)
        self.stops: dict[int, frozenset[str]] = {}
        for hit in self.hits:
            kinds = frozenset(cue.kind for cue in hit.cues if cue.where == "stop")
            if kinds:
                self.stops[hit.first] = kinds
        count = len(words)
        self.painted = Painted([{} for _ in range(count)], [{} for _ in range(count)])
        self._signs()
        for hit in self.hits:
            for cue in hit.cues:
                self._apply(hit, cue)

    def inside(self, first: int, last: int) -> dict[str, int]:
        """Return what a cue that reaches into a name says about its rest: "no [family history of stroke]"."""
        after = next((hit.end for hit in self.hits if hit.first < first < hit.end <= last), None)
        return self.painted.before[after] if after is not None else {}

    def _signs(self) -> None:
        """A dash before a finding, in a row of findings with dashes and plus signs, denies it."""
        marks = [
            i for i, (word, _, _) in enumerate(self.words[:-1])
            if word in "-–+"
            and (i == 0 or self.words[i - 1][0] in ",;")
            and self.words[i + 1][1] - self.words[i][2] < 2
        ]
        if len(marks) < 2:
            return
        for i in marks:
            if self.words[i][0] != "+":
                self._paint_right(i + 1, Cue("absent", "pre", "segment"), i)

    def _apply(self, hit: Hit, cue: Cue) -> None:
        if cue.where == "stop" or cue.kind == "skip" or (cue.roles and self.role not in cue.roles):
            return
        where = cue.where
        if where == "both":
            where = "pre" if self._leads(hit.end) else "post"
        if cue.kind == "present":
            self._take_back(hit)
        elif where == "pre":
            self._paint_right(hit.end, cue, hit.first)
        else:
            self._paint_left(hit.first, cue)

    def _leads(self, at: int) -> bool:
        """Whether words that a cue could be about follow it."""
        return at < len(self.words) and self.words[at][0] not in ",;.)" and at not in self.stops

    def _goes_on(self, comma: int) -> bool:
        """Whether the list goes on after this comma: an "and" or "or" comes before anything that ends a scope."""
        since = 0
        for i in range(comma + 1, min(len(self.words), comma + 40)):
            word = self.words[i][0]
            since = 0 if word in ",/" else since + 1
            if self.stops.get(i, _NOTHING) & _ALWAYS or since > 6:
                return False
            if word in _JOINS:
                return True
        return False

    def _paint_right(self, at: int, cue: Cue, place: int) -> None:
        stops = _STOPS[cue.reach] | _MORE_STOPS.get(cue.kind, frozenset())
        colon = at < len(self.words) and self.words[at][0] == ":"
        left = {"near": 2, "few": 3}.get(cue.reach, LIMIT)
        for i in range(at, len(self.words)):
            word = self.words[i][0]
            ending = self.stops.get(i, _NOTHING) & stops
            if left == 0 or (ending and not (colon and word == ";") and i > at):
                return
            if ending and i == at and word not in _CARRIES:
                return
            if word == "," and not self._passes(cue.reach, i):
                return
            self.painted.before[i][cue.kind] = place
            left -= word not in _ARTICLES

    def _passes(self, reach: str, comma: int) -> bool:
        return reach in ("wide", "open", "person") or (reach == "list" and self._goes_on(comma))

    def _paint_left(self, first: int, cue: Cue) -> None:
        stops = _STOPS[cue.reach] | _MORE_STOPS.get(cue.kind, frozenset())
        at = first - 1
        while at >= 0 and self.words[at][0] in ("which", "that", ",") and cue.reach != "near":
            at -= 1
        left = {"near": 2, "few": 3}.get(cue.reach, LIMIT)
        for i in range(at, -1, -1):
            word = self.words[i][0]
            if left == 0 or (word == "," and cue.reach != "wide") or self.stops.get(i, _NOTHING) & stops:
                return
            self.painted.after[i].setdefault(cue.kind, first)
            left -= word not in _ARTICLES

    def _take_back(self, hit: Hit) -> None:
        """"no LAD, thyroid nodule palpable": what is said to be there is not denied from beyond the comma."""
        for i in range(hit.first - 1, max(-1, hit.first - LIMIT), -1):
            if self.words[i][0] == ",":
                for j in range(i + 1, hit.first):
                    if self.painted.before[j].get("absent", hit.first) < i:
                        del self.painted.before[j]["absent"]
                return
