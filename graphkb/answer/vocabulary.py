"""Answers from the vocabulary: what a thing is, what it is called, what it is related to."""

from __future__ import annotations

from collections.abc import Sequence

from graphkb.answer.draft import Draft
from graphkb.answer.question import Part
from graphkb.model import Evidence
from graphkb.store.protocol import Store
from retrieval.concepts import concept_card

MOST_MEANINGS = 3
MOST_RELATED = 10
_WIDE = 400


def answer(store: Store, part: Part, scopes: Sequence[str], *, as_of: str = "", release: str = "") -> list[Draft]:
    """Return what the vocabulary says on a part; nothing where its kind is answered from text."""
    keys = _longest(part)
    cards = (concept_card(store, key, scopes, as_of=as_of, release=release) for key in keys)
    if part.kind == "definition":
        found = [draft for card in cards for draft in _definition(card)]
        return [_meanings(part, found), *found] if len(found) > 1 else found
    if part.kind == "synonyms":
        return [draft for card in cards for draft in _names(card)]
    if part.kind == "relation" and part.relation is not None:
        return [draft for key in keys for draft in _related(store, key, part, scopes, as_of, release)]
    return []


def glossary(store: Store, keys: Sequence[str], scopes: Sequence[str], most: int,
             release: str = "") -> dict[str, str]:
    """Return the definitions of at most ``most`` concepts that have one: name -> definition."""
    meanings: dict[str, str] = {}
    rows = store.read("list_concept_cards", keys=list(dict.fromkeys(keys)), scopes=list(scopes),
                      release=release) if keys else []
    for row in sorted(rows, key=lambda row: str(row["name"])):
        if row["definition"] and len(meanings) < most:
            meanings[row["name"]] = row["definition"]
    return meanings


def _longest(part: Part) -> list[str]:
    focus = max(part.focus, key=lambda f: (f.end - f.start, -f.start), default=None)
    # what the scope's own tables name has no meaning beyond its name
    keys = [key for key in focus.concepts if not key.startswith("LOCAL:")] if focus else []
    return keys[:MOST_MEANINGS]


def _meanings(part: Part, found: Sequence[Draft]) -> Draft:
    pieces = tuple(draft.evidence[0] for draft in found)
    asked = max(part.focus, key=lambda f: f.end - f.start).text
    return Draft(f"{asked} has {len(pieces)} meanings here: {'; '.join(piece.title for piece in pieces)}.", pieces,
                 "composed", 0.9)


def _definition(card: Sequence[Evidence]) -> list[Draft]:
    return [Draft(piece.text, (piece,), "verbatim", 0.95) for piece in card if piece.section == "definition"]


def _names(card: Sequence[Evidence]) -> list[Draft]:
    return [Draft(piece.text, (piece,), "verbatim", 0.95) for piece in card
            if piece.section == "names" and "also called" in piece.text]


def _related(store: Store, key: str, part: Part, scopes: Sequence[str], as_of: str,
             release: str) -> list[Draft]:
    if part.relation is None:
        return []
    type_, end, words = part.relation
    query = "list_relations_from_concept" if end == "object" else "list_relations_to_concept"
    rows = store.read(query, key=key, scopes=list(scopes), limit=_WIDE, as_of=as_of, release=release)
    names = {row["key"]: row["name"] for row in rows if row["type"] == type_}
    card = concept_card(store, key, scopes, relations=_WIDE, as_of=as_of, release=release)
    found = [piece for piece in card if piece.id in names]
    if not found:
        return []
    shown = found[:MOST_RELATED]
    more = ", and others" if len(found) > len(shown) else ""
    listed = "; ".join(names[piece.id] for piece in shown)
    return [Draft(f"{shown[0].title} {words}: {listed}{more}.", tuple(shown), "composed", 0.9,
                  tuple(names[piece.id] for piece in shown))]
