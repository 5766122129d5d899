"""Reads the trigger rules for statements (``relation_rules.toml``, which says how they are written)."""

from __future__ import annotations

import functools
import re
import tomllib
from dataclasses import dataclass
from importlib.resources import files

_PART = re.compile(r"\{([A-Z]+)\}")
_STEM = re.compile(r"(?<![\\a-z])([a-z]{2,})(\??)")
_EMPTY = frozenset(("the", "an", "who", "also", "then", "has", "have", "had", "be", "as"))


@dataclass(frozen=True, slots=True)
class RelationRule:
    """One rule.

    Attributes
    ----------
    subject, object
        Semantic groups of the two ends.
    forward
        Whether the subject stands first.
    hint
        A quick look for one of the rule's own words, before the whole pattern is tried.
    between
        What the text between the names must be, all of it.
    before
        What must stand just before the first name, if anything.
    risk
        Whether the object may be spoken of as something that may happen (a risk, something prevented).
    """

    name: str
    predicate: str
    subject: str
    object: str
    forward: bool
    certainty: float
    hint: re.Pattern[str]
    between: re.Pattern[str]
    before: re.Pattern[str] | None
    risk: bool


@functools.cache
def load() -> dict[tuple[str, str], tuple[RelationRule, ...]]:
    """Return the rules by the groups of the first and the second name, the surest first; read once per process."""
    data = tomllib.loads(files(__package__).joinpath("relation_rules.toml").read_text(encoding="utf-8"))
    parts: dict[str, str] = data["parts"]

    def filled(pattern: str) -> str:
        return _PART.sub(lambda match: filled(parts[match[1]]), pattern)

    table: dict[tuple[str, str], list[RelationRule]] = {}
    for row in data["rule"]:
        first, arrow, second = row["ends"].split()
        forward = arrow == ">"
        before = re.compile(filled(row["before"]) + r"\Z") if "before" in row else None
        subject, object_ = (first, second) if forward else (second, first)
        rule = RelationRule(row["name"], row["predicate"], subject, object_, forward, row["certainty"],
                            _hint(row["between"].replace("{CAUSED}", parts["CAUSED"])),
                            re.compile(filled(row["between"])), before, row.get("risk", False))
        table.setdefault((first, second), []).append(rule)
    return {ends: tuple(sorted(rules, key=lambda rule: -rule.certainty)) for ends, rules in table.items()}


def _hint(between: str) -> re.Pattern[str]:
    bare = re.sub(r"\[[^\]]*\]|\{[^}]*\}", " ", between)
    stems = {word[:-1] if optional else word for word, optional in _STEM.findall(bare)} - _EMPTY
    return re.compile(r"\b(?:" + "|".join(sorted(stems)) + ")")
