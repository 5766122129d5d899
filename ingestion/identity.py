"""Which local concepts are the same as concepts of the vocabulary: proposals, and a reviewer's decisions.

A local concept is one that only a table or a source's own annotation names. Candidates come from the aliases of the
public lexicon and from the full-text index of concept names; they are scored by their words and, where an encoder is
given, by their vectors. A candidate is of the same semantic group or it is none, and two names that differ in a
number, a side, a stage of time or a denial are two things however alike they look. Nothing is merged destructively: an
accepted proposal gives the local concept its ``canonical`` one, and undoing takes that away again. A local concept is
the same as one concept of the vocabulary at most, so no scope's decision joins two public concepts.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from rapidfuzz.fuzz import token_sort_ratio

from graphkb import ids
from graphkb.errors import IngestError
from graphkb.model.predicates import FACT_TYPES
from graphkb.model.semantic_groups import GROUP_OF
from graphkb.store.lucene import escape
from graphkb.store.protocol import Row, Store, Tx
from ingestion.fold import fold_name
from ingestion.ledger import now

if TYPE_CHECKING:
    from graphkb.config import IdentitySettings
    from graphkb.embed import Encoder
    from ingestion.lexicon import Lexicon

Status = Literal["proposed", "accepted", "rejected"]
PAGE = 200
POOL = 20
MOST_PER_CONCEPT = 3
# which groups a concept can be of, by the facts that are about it
FACT_GROUPS: dict[str, frozenset[str]] = {
    "HAS_DIAGNOSIS": frozenset({"DISO"}), "HAS_PROCEDURE": frozenset({"PROC"}), "PRESCRIBED": frozenset({"CHEM"}),
    "ADMINISTERED": frozenset({"CHEM"}), "HAS_LAB": frozenset({"PROC", "PHYS"}), "GREW": frozenset({"LIVB"}),
}
# names that differ in one of these are two things
_TELLING = frozenset((
    "with", "without", "not", "no", "non", "left", "right", "bilateral", "unilateral", "upper", "lower", "acute",
    "chronic", "primary", "secondary", "benign", "malignant", "initial", "subsequent", "sequela", "history", "family",
    "personal", "open", "closed", "male", "female", "child", "adult", "congenital", "acquired", "partial", "total",
))
_ROMAN = {"i": "1", "ii": "2", "iii": "3", "iv": "4", "v": "5", "vi": "6"}
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Merge:
    """A proposal or decision. ``score`` is in 0..1; ``method`` alias, lexical or vector."""

    key: str
    local: str
    local_name: str
    scope: str
    concept: str
    concept_name: str
    score: float
    method: str
    status: Status = "proposed"
    reviewer: str = ""
    decided: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return asdict(self)


@dataclass(slots=True)
class Found:
    """What a search for merges did: local concepts looked at, proposals by what became of them."""

    examined: int = 0
    without_group: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    proposals: list[Merge] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {"examined": self.examined, "without_group": self.without_group,
                **{name: self.counts[name] for name in ("new", "kept", "withdrawn", "decided")},
                "proposals": [merge.to_dict() for merge in self.proposals]}


def telling_words(name: str) -> frozenset[str]:
    """Return the numbers of a name (Roman ones as Arabic) and its words of side, time, denial and the like."""
    return frozenset(word for word in _words(name) if word in _TELLING or any(c.isdigit() for c in word))


def likeness(one: str, other: str) -> float:
    """Return how alike two names are by their words, 0..1; 0 where a telling word differs."""
    if telling_words(one) != telling_words(other):
        return 0.0
    return token_sort_ratio(" ".join(_words(one)), " ".join(_words(other))) / 100.0


def _words(name: str) -> list[str]:
    return [_ROMAN.get(word, word) for word in _WORD.findall(fold_name(name))]


def find(store: Store, scopes: Sequence[str], lexicon: Lexicon, settings: IdentitySettings,
         encoder: Encoder | None = None, *, dry_run: bool = False) -> Found:
    """Propose merges for the local concepts of some scopes; proposals that no longer hold are withdrawn.

    Parameters
    ----------
    lexicon : Lexicon
        The public one, for aliases.
    encoder : Encoder, optional
        Without it names are compared by their words only.
    dry_run : bool
        Say what would be proposed; write nothing.
    """
    found = Found()
    for page in _pages(store, scopes):
        groups = _groups(store, page)
        merges: dict[str, list[Merge]] = {}
        for row in page:
            found.examined += 1
            if not groups[row["key"]]:
                found.without_group += 1
            merges[row["key"]] = _propose(store, row, groups[row["key"]], lexicon, settings, encoder)
        _put(store, merges, found, dry_run=dry_run)
    return found


def _pages(store: Store, scopes: Sequence[str]) -> Iterator[list[Row]]:
    after = ""
    while page := store.read("list_local_concepts", scopes=list(scopes), after=after, limit=PAGE):
        yield page
        after = page[-1]["key"]


def _groups(store: Store, page: list[Row]) -> dict[str, frozenset[str]]:
    keys = [row["key"] for row in page]
    groups: dict[str, set[str]] = defaultdict(set)
    for row in page:
        groups[row["key"]].update(GROUP_OF[tui] for tui in row["semantic_types"] or () if tui in GROUP_OF)
    for kind in FACT_GROUPS.keys() & FACT_TYPES:
        for row in store.read(f"list_fact_concepts_{kind.lower()}", keys=keys):
            groups[row["key"]] |= FACT_GROUPS[kind]
    for row in store.read("list_mention_types", keys=keys):
        if row["type"] in GROUP_OF:
            groups[row["key"]].add(GROUP_OF[row["type"]])
    return {key: frozenset(groups[key]) for key in keys}


def _propose(store: Store, row: Row, groups: frozenset[str], lexicon: Lexicon, settings: IdentitySettings,
             encoder: Encoder | None) -> list[Merge]:
    name = row["name"] or ""
    query = escape(name)
    if not groups or not query:
        return []
    best: dict[str, tuple[float, str, str]] = {}
    aliases = {link.concept for group in groups for link in lexicon.lookup(name, group)}
    if aliases:
        for card in store.read("list_concepts_by_key", keys=sorted(aliases)):
            best[card["key"]] = (1.0, "alias", card["name"] or "")
    pool = [card for card in store.read("search_concept_text", query=query, limit=POOL)
            if card["key"] not in best and groups & {GROUP_OF.get(t, "") for t in card["semantic_types"] or ()}]
    for card in pool:
        score = max((likeness(name, other) for other in _names(card)), default=0.0)
        if score >= settings.lexical:
            best[card["key"]] = (round(score, 4), "lexical", card["name"] or "")
    if encoder is not None:
        for key, score, title in _by_vector(name, pool, encoder):
            if key not in best and score >= settings.vector:
                best[key] = (score, "vector", title)
    ranked = sorted(best.items(), key=lambda item: (-item[1][0], item[0]))[:MOST_PER_CONCEPT]
    return [Merge(ids.same_as(row["key"], key), row["key"], name, row["scope"], key, title, score, method)
            for key, (score, method, title) in ranked]


def _names(card: Row) -> set[str]:
    return {card["name"] or "", *(name for names in card["names"] for name in names or ())} - {""}


def _by_vector(name: str, pool: list[Row], encoder: Encoder) -> Iterator[tuple[str, float, str]]:
    """Yield the cosine of the best name of each card that differs in no telling word."""
    told = telling_words(name)
    pairs = [(card, other) for card in pool for other in sorted(_names(card)) if telling_words(other) == told
             and encoder.count_tokens(other) <= encoder.stamp.max_tokens]
    if not pairs or encoder.count_tokens(name) > encoder.stamp.max_tokens:
        return
    vectors = encoder.encode([name, *(other for _, other in pairs)])
    scores: dict[str, float] = {}
    for (card, _), score in zip(pairs, vectors[1:] @ vectors[0], strict=True):
        scores[card["key"]] = max(scores.get(card["key"], 0.0), round(min(1.0, float(score)), 4))
    titles = {card["key"]: card["name"] or "" for card in pool}
    for key in sorted(scores):
        yield key, scores[key], titles[key]


def _put(store: Store, merges: dict[str, list[Merge]], found: Found, *, dry_run: bool) -> None:
    wanted = {merge.key: merge for own in merges.values() for merge in own}
    found.proposals += [wanted[key] for key in sorted(wanted)]

    def changes(reader: Store | Tx) -> tuple[list[Merge], list[Row], Counter[str]]:
        there = {row["key"]: row for row in reader.read("list_merges_of_concepts", keys=sorted(merges))}
        settled = {row["local"] for row in there.values() if row["status"] == "accepted"}
        new = [merge for key, merge in sorted(wanted.items()) if key not in there and merge.local not in settled]
        gone = [row for key, row in sorted(there.items()) if row["status"] == "proposed"
                and (key not in wanted or row["local"] in settled)]
        decided = sum(row["status"] != "proposed" for row in there.values())
        return new, gone, Counter({"new": len(new), "withdrawn": len(gone), "decided": decided,
                                   "kept": len(there) - decided - len(gone)})

    def work(tx: Tx) -> Counter[str]:
        new, gone, counts = changes(tx)
        if new:
            rows = [{name: getattr(merge, name) for name in ("key", "local", "concept", "score", "method")}
                    for merge in new]
            tx.write("create_merges", rows=rows, expect={"relationships_created": len(rows)})
        if gone:
            rows = [{name: row[name] for name in ("key", "local", "concept")} for row in gone]
            tx.write("delete_merges", rows=rows, expect={"relationships_deleted": len(rows)})
        return counts

    found.counts += changes(store)[2] if dry_run else store.transaction(work)


def merges(store: Store, scopes: Sequence[str], status: str = "") -> Iterator[Merge]:
    """Yield proposals and decisions of some scopes, by local concept; of one status where given."""
    after = ""
    while page := store.read("list_merges", scopes=list(scopes), status=status, after=after, limit=PAGE):
        # a concept's proposals are few: a page that is full is cut before its last concept, which comes again
        last = page[-1]["local"]
        whole = page if len(page) < PAGE else [row for row in page if row["local"] != last] or page
        for row in whole:
            yield Merge(row["key"], row["local"], row["local_name"] or "", row["scope"], row["concept"],
                        row["concept_name"] or "", row["score"], row["method"], row["status"], row["reviewer"] or "",
                        row["decided"] or "")
        if len(page) < PAGE:
            return
        after = whole[-1]["local"]


def decide(store: Store, scopes: Sequence[str], keys: Iterable[str], status: Status, reviewer: str) -> list[Merge]:
    """Accept, reject, or (``proposed``) undo the decision on some merges, all or none.

    Raises
    ------
    IngestError
        GKB-607 (there is no such merge in these scopes), GKB-608 (the local concept has another accepted merge).
    """
    wanted = sorted(set(keys))
    chosen = {merge.key: merge for merge in merges(store, scopes) if merge.key in set(wanted)}
    for key in wanted:
        if key not in chosen:
            raise IngestError("GKB-607", where=key)
    decided = now()

    def work(tx: Tx) -> None:
        locals_ = sorted({chosen[key].local for key in wanted})
        accepted = {row["local"]: row["concept"] for row in tx.read("list_merges_of_concepts", keys=locals_)
                    if row["status"] == "accepted" and row["key"] not in chosen}
        for key in wanted if status == "accepted" else ():
            merge = chosen[key]
            if accepted.setdefault(merge.local, merge.concept) != merge.concept:
                raise IngestError("GKB-608", where=key)
        rows = [{"key": key, "local": chosen[key].local, "concept": chosen[key].concept, "status": status,
                 "reviewer": reviewer, "decided": decided, "canonical": accepted.get(chosen[key].local)}
                for key in wanted]
        tx.write("decide_merges", rows=rows)
        tx.write("bump_generation", key=ids.meta("graph"))

    store.transaction(work)
    return [merge for merge in merges(store, scopes) if merge.key in chosen]
