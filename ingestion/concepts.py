"""A code's content, and the concept that is derived from all its codes.

What could differ by who came first is decided by rules that do not depend on order: two contents of one code are
united, and a concept's name, definition and search text are the first by a total order over everything its live codes
say. A code that stands for several concepts keeps, for each name, definition and type, the concept it belongs to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from graphkb import ids

# Term types that make a good display name, the best first; others come after, abbreviations last.
_TTY = {tty: n for n, tty in enumerate(("PN", "PT", "MH", "NM", "IN", "BN", "PEP", "HT", "SCN", "SY", "FN", "ET"))}
_TTY_OTHER = len(_TTY)
_TTY_LAST = {"AB": 1, "ACR": 1, "SB": 1, "OAB": 2, "OP": 2, "OF": 2, "IS": 2}
# Vocabularies whose definitions read best, the best first.
_DEFINERS = {sab: n for n, sab in enumerate(("MSH", "NCI", "HPO", "DO", "SNOMEDCT_US"))}
SEPARATOR = " | "


class CodeName(NamedTuple):
    """One name of a code, with the concept it belongs to and what decides its rank."""

    concept: str
    name: str
    tty: str
    language: str
    suppress: str
    rank: int


def _tty_rank(tty: str) -> int:
    return _TTY.get(tty, _TTY_OTHER) + _TTY_LAST.get(tty, 0)


def _name_order(name: CodeName) -> tuple[Any, ...]:
    return (name.suppress != "N", name.rank, _tty_rank(name.tty), name.name.casefold(), name)


@dataclass(frozen=True, slots=True)
class CodeContent:
    """What one source says under one code; the tuples are sorted and without duplicates.

    The code is live from ``from_release`` on, up to and without ``to_release`` ("": it is live). ``also`` are concepts
    that it stands for without a name (a drug's NDC, an earlier CUI); ``attributes`` are ``NAME=value``; ``source`` is
    name and version of the vocabulary that brings it where that is not its own.
    """

    vocabulary: str
    code: str
    version: str
    from_release: str
    names: tuple[CodeName, ...]
    definitions: tuple[tuple[str, str], ...] = ()
    types: tuple[tuple[str, str], ...] = ()
    to_release: str = ""
    also: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    source: tuple[str, str] | None = field(default=None, compare=False)

    @classmethod
    def of(cls, vocabulary: str, code: str, version: str, from_release: str, names: Iterable[CodeName],
           definitions: Iterable[tuple[str, str]] = (), types: Iterable[tuple[str, str]] = (),
           to_release: str = "", also: Iterable[str] = (), attributes: Iterable[str] = (),
           source: tuple[str, str] | None = None) -> CodeContent:
        """Make a content whose parts are in their fixed order; definitions and types are (concept, value)."""
        own = tuple(sorted(set(names), key=_name_order))
        return cls(vocabulary, code, version, from_release, own, tuple(sorted(set(definitions))),
                   tuple(sorted(set(types))), to_release, tuple(sorted(set(also) - {name.concept for name in own})),
                   tuple(sorted(set(attributes))), source)

    @property
    def key(self) -> str:
        """The key of the `Code` node."""
        return ids.code(self.vocabulary, self.code, self.version)

    @property
    def concepts(self) -> tuple[str, ...]:
        """The concepts that the code stands for."""
        return tuple(sorted({name.concept for name in self.names}.union(self.also)))

    @property
    def source_key(self) -> str:
        """The key of the `Source` that it comes from."""
        return ids.source(*(self.source or (self.vocabulary, self.version)))

    @property
    def shared(self) -> bool:
        """Whether it stands for several concepts."""
        return len(self.concepts) > 1

    @property
    def live(self) -> bool:
        """Whether the newest release has it."""
        return not self.to_release

    def united(self, other: CodeContent) -> CodeContent:
        """Return what both say, from the earlier of their releases on.

        A code that was withdrawn is live again where ``other`` is of the release that withdrew it or of a later one.
        """
        ended = self.to_release if other.from_release < self.to_release else other.to_release
        return CodeContent.of(self.vocabulary, self.code, self.version, min(self.from_release, other.from_release),
                              (*self.names, *other.names), (*self.definitions, *other.definitions),
                              (*self.types, *other.types), ended, (*self.also, *other.also),
                              (*self.attributes, *other.attributes), self.source or other.source)

    def to_row(self) -> dict[str, Any]:
        """Return the node's properties. ``cuis``, ``definition_cuis`` and ``type_cuis`` run parallel to ``names``,
        ``definitions`` and ``semantic_types`` where the code stands for several concepts, and are empty where one.
        """
        shared = self.shared
        return {
            "key": self.key, "vocabulary": self.vocabulary, "code": self.code,
            "curie": f"{self.vocabulary}:{self.code}", "version": self.version, "from_release": self.from_release,
            "to_release": self.to_release or None,
            "names": [n.name for n in self.names], "ttys": [n.tty for n in self.names],
            "languages": [n.language for n in self.names], "suppress": [n.suppress for n in self.names],
            "ranks": [n.rank for n in self.names], "cuis": [n.concept for n in self.names] if shared else [],
            "definition": self.definitions[0][1] if self.definitions else "",
            "definitions": [text for _, text in self.definitions],
            "definition_cuis": [concept for concept, _ in self.definitions] if shared else [],
            "semantic_types": [tui for _, tui in self.types],
            "type_cuis": [concept for concept, _ in self.types] if shared else [],
            "attributes": list(self.attributes),
        }

    @classmethod
    def from_row(cls, row: dict[str, Any], concepts: Sequence[str]) -> CodeContent:
        """Read a node's properties back; ``concepts`` are those it is linked to, needed where there is but one."""
        only = concepts[0] if concepts else ""

        def owners(field: str, values: Sequence[Any]) -> Sequence[str]:
            stored: Sequence[str] = row.get(field) or ()
            return stored if len(stored) == len(values) else [only] * len(values)

        names = row.get("names") or []
        definitions = row.get("definitions") or ([row["definition"]] if row.get("definition") else [])
        types = row.get("semantic_types") or []
        count = len(names)
        columns = [row.get(field) or [default] * count for field, default in
                   (("ttys", ""), ("languages", ""), ("suppress", "N"), ("ranks", 7))]
        return cls.of(row.get("vocabulary", ""), row.get("code", ""), row.get("version", ""),
                      row.get("from_release") or "",
                      map(CodeName, owners("cuis", names), names, *columns),
                      zip(owners("definition_cuis", definitions), definitions, strict=True),
                      zip(owners("type_cuis", types), types, strict=True), row.get("to_release") or "",
                      concepts, row.get("attributes") or ())


@dataclass(frozen=True, slots=True)
class Derived:
    """What a concept shows, derived from its codes."""

    name: str
    semantic_types: tuple[str, ...]
    definition: str
    search_text: str

    def to_row(self, key: str) -> dict[str, Any]:
        """Return the node's properties."""
        return {"key": key, "name": self.name, "semantic_types": list(self.semantic_types),
                "definition": self.definition, "search_text": self.search_text}


def shown(row: Mapping[str, Any]) -> Derived:
    """Return what a row of ``list_concepts_by_key`` shows."""
    return Derived(row["name"] or "", tuple(row["semantic_types"] or ()), row["definition"] or "",
                   row["search_text"] or "")


def derive(concept: str, codes: Iterable[CodeContent], languages: Sequence[str]) -> Derived:
    """Derive a concept from its live codes, whatever their order; where none is live, from those that ended last.

    The name is the first by: language (as the setting orders them), not suppressed, preferred form, term type, text.
    The search text holds every name in these languages that is not suppressed; where there is none, all names. A
    concept that no code keeps alive still shows its last name, and is not searched.
    """
    codes = list(codes)
    live = [code for code in codes if code.live]
    latest = max((code.to_release for code in codes), default="")
    order = {language: n for n, language in enumerate(languages)}
    names: list[tuple[tuple[Any, ...], CodeName]] = []
    definitions: list[tuple[int, int, str, str]] = []
    types: set[str] = set()
    for code in live or (code for code in codes if code.to_release == latest):
        own = [name for name in code.names if name.concept == concept]
        names.extend(((order.get(name.language, len(order)), *_name_order(name)), name) for name in own)
        types.update(tui for owner, tui in code.types if owner == concept)
        language = min((order.get(name.language, len(order)) for name in own), default=len(order))
        definitions.extend((language, _DEFINERS.get(code.vocabulary, len(_DEFINERS)), code.vocabulary, text)
                           for owner, text in code.definitions if owner == concept)
    names.sort()
    shown = [name for _, name in names if name.suppress == "N" and name.language in order]
    texts = dict.fromkeys(name.name for name in (shown or [name for _, name in names]))
    return Derived(names[0][1].name if names else concept, tuple(sorted(types)),
                   min(definitions)[3] if definitions else "", SEPARATOR.join(texts) if live else "")
