"""What the vocabulary says of a concept, as evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from graphkb.model import Evidence
from graphkb.model.predicates import verbalise
from graphkb.store.protocol import Row, Store
from retrieval.facts import fact

MOST_RELATIONS = 25
MOST_NAMES = 12


def concept_card(store: Store, key: str, scopes: Sequence[str], *, relations: int = MOST_RELATIONS,
                 as_of: str = "", release: str = "") -> list[Evidence]:
    """Return what is known of a concept, now or at a release: its names, its definition with the source, its relations.

    One piece of evidence each: ids are the concept's key, the defining code's key and the relations' keys. Empty where
    the concept is not there, or not in these scopes. At most ``relations`` in each direction, by type and name.
    """
    rows = store.read("list_concept_cards", keys=[key], scopes=list(scopes), release=release)
    if not rows:
        return []
    card = rows[0]
    return [_names(card), *_definition(card), *_relations(store, card, scopes, relations, as_of, release)]


def same_concepts(store: Store, keys: Iterable[str], scopes: Sequence[str]) -> set[str]:
    """Return the concepts with those that accepted merges make the same, within the scopes.

    A local concept brings its canonical one, and that one the other local concepts that are it.
    """
    seen = set(keys)
    level = seen
    for _ in range(2):
        found: set[str] = set()
        for row in store.read("list_same_concepts", keys=sorted(level), scopes=list(scopes)) if level else ():
            found |= {row["canonical"] or row["key"], *row["locals"]}
        level = found - seen
        seen = seen | found
    return seen


def _names(card: Row) -> Evidence:
    names = {name for code in card["codes"] for name in code["names"] or [] if name != card["name"]}
    shown = sorted(names, key=lambda name: (len(name), name))[:MOST_NAMES]
    codes = sorted({code["curie"] for code in card["codes"] if code["curie"]})[:MOST_NAMES]
    text = f"{card['name']} ({card['key']})"
    text += f"; also called {', '.join(shown)}" if shown else ""
    text += f"; codes {', '.join(codes)}" if codes else ""
    if card.get("retired") and not codes:
        text += f"; retired in {card['retired']}"
        text += f", now {', '.join(card['replaced_by'])}" if card["replaced_by"] else ""
    return fact(card["key"], f"{text}.", "names of the concept", scope=card["scope"], tier="vocabulary",
                document="", title=card["name"], section="names", concepts=(card["key"],))


def _definition(card: Row) -> Iterator[Evidence]:
    if not card["definition"]:
        return
    definers = sorted((code for code in card["codes"] if card["definition"] in
                       [code["definition"], *(code["definitions"] or [])]), key=lambda code: str(code["key"]))
    key, source = (definers[0]["key"], definers[0]["vocabulary"]) if definers else (f"{card['key']}:definition", "")
    text = f"{card['name']}: {card['definition']}" + (f" [{source}]" if source else "")
    yield fact(key, text, "definition of the concept", scope=card["scope"], tier="vocabulary", document="",
               title=card["name"], section="definition", concepts=(card["key"],))


def _relations(store: Store, card: Row, scopes: Sequence[str], most: int, as_of: str,
               release: str) -> Iterator[Evidence]:
    for name in ("list_relations_from_concept", "list_relations_to_concept"):
        for row in store.read(name, key=card["key"], scopes=list(scopes), limit=most, as_of=as_of, release=release):
            other = (row["name"], row["other"])
            subject, object_ = ((card["name"], card["key"]), other) if name.endswith("from_concept") else (
                other, (card["name"], card["key"]))
            text = f"{verbalise(row['predicate'], subject[0], object_[0])} [{row['sab']}]"
            from_text = row["sab"] == "TEXT"
            yield fact(row["key"], text, f"relation {row['type']}", scope=card["scope"], document="",
                       tier="literature" if from_text else "vocabulary", title=card["name"], section="relation",
                       concepts=(card["key"], row["other"]), statement=row["key"] if from_text else None)
