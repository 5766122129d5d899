"""The names that a scope's lexicon is built from, as the graph holds them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from graphkb import ids
from graphkb.config import Settings
from graphkb.model.semantic_groups import group_of
from graphkb.store.protocol import Row, Store
from ingestion.lexicon.names import Name, NameSource, drug_core, rank_of

# what a table's name is, and the group of a concept that no vocabulary types
_FACTS: dict[str, tuple[NameSource, str]] = {
    "HAS_DIAGNOSIS": ("title", "DISO"), "HAS_PROCEDURE": ("title", "PROC"), "PRESCRIBED": ("drug", "CHEM"),
    "ADMINISTERED": ("drug", "CHEM"), "GREW": ("title", "LIVB")}


def names_from_store(store: Store, scopes: Sequence[str], settings: Settings) -> Iterator[Name]:
    """Yield the names of all codes of the scopes, then those of the private scopes' own tables.

    Languages and suppressible names are taken as the settings say.
    """
    for row in store.stream("stream_code_names", scopes=list(scopes)):
        yield from _code_names(row, settings)
    private = [scope for scope in scopes if scope != ids.PUBLIC]
    if private:
        for row in store.stream("stream_fact_names", scopes=private):
            yield from _fact_names(row)


def _code_names(row: Row, settings: Settings) -> Iterator[Name]:
    types = tuple(sorted(row["semantic_types"] or ()))
    source: NameSource = "vocabulary" if row["scope"] == ids.PUBLIC else "title"
    for text, tty, language, suppress in zip(row["names"], row["ttys"], row["languages"], row["suppress"],
                                             strict=True):
        if language in settings.ingest.languages and (suppress == "N" or settings.ingest.suppressible):
            yield Name(text, row["concept"], types, group_of(types), source, rank_of(tty), language)


def _fact_names(row: Row) -> Iterator[Name]:
    source, group = _FACTS[row["kind"]]
    if not row["name"]:
        return
    types = tuple(sorted(row["semantic_types"] or ())) or (("drug",) if source == "drug" else ())
    group = group_of(types) or group
    yield Name(row["name"], row["concept"], types, group, source)
    if source == "drug":
        for core in drug_core(row["name"])[:1]:
            yield Name(core, row["concept"], types, group, source, 1)
