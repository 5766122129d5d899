"""Reads ``rules.toml`` into a trie of words that finds every cue of a sentence in one pass."""

from __future__ import annotations

import functools
import re
import tomllib
from dataclasses import dataclass, field
from importlib.resources import files

_TOKEN = re.compile(r"['’]\d\d\b|[-=]>|\w+(?:['’.]\w+)*|[^\w\s]")
_GROUP = re.compile(r"\((?! )|(?<! )\)|\|")
_YEAR = re.compile(r"(?:19|20)\d\d")
_APOSTROPHE_YEAR = re.compile(r"['’]\d\d")
ANY = "~"


@dataclass(frozen=True, slots=True)
class Cue:
    """What a phrase does: its kind, where the name stands, how far it reaches, in which sections (all if empty)."""

    kind: str
    where: str
    reach: str
    roles: frozenset[str] = frozenset()


@dataclass(slots=True)
class Node:
    """One word of the trie."""

    children: dict[str, Node] = field(default_factory=dict)
    cues: list[Cue] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Hit:
    """A phrase found at the words ``first`` up to, not including, ``end``."""

    first: int
    end: int
    cues: tuple[Cue, ...]


def tokens(text: str, start: int, end: int) -> list[tuple[str, int, int]]:
    """Return the folded words and signs of ``text[start:end]`` with their offsets."""
    return [(m.group().casefold().replace("’", "'"), m.start(), m.end()) for m in _TOKEN.finditer(text, start, end)]


@functools.lru_cache(maxsize=8192)
def expand(phrase: str) -> tuple[str, ...]:
    """Return every reading of a phrase with choices.

    Examples
    --------
    >>> expand("no (sign|signs) (of|)")
    ('no sign of', 'no sign ', 'no signs of', 'no signs ')
    """
    depth = begin = mark = 0
    options: list[str] = []
    for match in _GROUP.finditer(phrase):
        depth += match.group() == "("
        if depth == 1 and match.group() == "(":
            begin, mark = match.start(), match.end()
        elif depth == 1:
            options.append(phrase[mark : match.start()])
            mark = match.end()
        depth -= match.group() == ")"
        if depth == 0:
            heads = [phrase[:begin] + head for option in options for head in expand(option)]
            return tuple(head + tail for head in heads for tail in expand(phrase[match.end() :]))
    return (phrase,)


@dataclass(frozen=True, slots=True)
class Rules:
    """The trie of all phrases, and the classes that a word belongs to."""

    root: Node
    classes: dict[str, str]

    def names(self, word: str) -> tuple[str, ...]:
        """Return what a word may be called in a phrase."""
        if _YEAR.fullmatch(word):
            return (word, "{year}", "{num}", ANY)
        if _APOSTROPHE_YEAR.fullmatch(word):
            return (word, "{apoyear}", ANY)
        name = "{num}" if word.isdigit() else self.classes.get(word)
        return (word, name, ANY) if name else (word, ANY)


@functools.lru_cache(maxsize=4096)
def _parts(word: str) -> tuple[str, ...]:
    return (word,) if word.startswith("{") else tuple(part for part, _, _ in tokens(word, 0, len(word)))


def _add(root: Node, phrase: str, cue: Cue) -> None:
    for reading in expand(phrase):
        node = root
        for word in reading.split():
            for part in _parts(word):
                node = node.children.setdefault(part, Node())
        if node is not root and cue not in node.cues:
            node.cues.append(cue)


@functools.cache
def load() -> Rules:
    """Return the rules; read once per process."""
    data = tomllib.loads(files(__package__).joinpath("rules.toml").read_text(encoding="utf-8"))
    sets: dict[str, str] = data["sets"]
    root = Node()

    def filled(phrase: str) -> str:
        for name, words in sets.items():
            phrase = phrase.replace("{" + name + "}", words)
        return phrase

    for rule in data["rule"]:
        roles = frozenset(rule.get("roles", ()))
        for phrase in rule["phrases"]:
            for kind in rule["kind"].split():
                _add(root, filled(phrase), Cue(kind, rule["where"], rule["reach"], roles))
    for kind, phrases in data["stops"].items():
        for phrase in phrases:
            _add(root, filled(phrase), Cue(kind, "stop", ""))
    return Rules(root, {word: "{" + name + "}" for name, words in data["words"].items() for word in words})


def _longest(rules: Rules, node: Node, words: list[tuple[str, int, int]], at: int) -> tuple[int, Node | None]:
    best: tuple[int, Node | None] = (at, node if node.cues else None)
    if at == len(words):
        return best
    word = words[at][0]
    for name in rules.names(word):
        child = node.children.get(name)
        if child is not None:
            found = _longest(rules, child, words, at + 1)
            if found[1] is not None and found[0] > best[0]:
                best = found
    return best


def find(words: list[tuple[str, int, int]]) -> list[Hit]:
    """Return the longest phrases in order, none overlapping."""
    rules = load()
    hits: list[Hit] = []
    at = 0
    while at < len(words):
        end, node = _longest(rules, rules.root, words, at)
        if node is not None and end > at:
            hits.append(Hit(at, end, tuple(node.cues)))
        at = max(end, at + 1)
    return hits
