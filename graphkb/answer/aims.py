"""What property of a thing a question asks for, and how a sentence that answers it reads.

An aim stands in for the words that name it: "What is X used for?" is answered by "X is indicated in ...", which has
no word "used". A sentence that shows the aim counts as having the term `aim.term`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from retrieval.text import terms

# The weight of a shown aim beside the rarity (idf) of the asked terms.
WEIGHT = 2.5


@dataclass(frozen=True, slots=True)
class Aim:
    """One property: the wording of the question, of a sentence that answers, and the question's words it replaces."""

    name: str
    asked: re.Pattern[str]
    shown: re.Pattern[str]
    words: frozenset[str]

    @property
    def term(self) -> str:
        """The term that a sentence has where it shows the aim; no text has such a term."""
        return f"?{self.name}"


def _aim(name: str, asked: str, shown: str, words: str = "") -> Aim:
    return Aim(name, re.compile(asked, re.IGNORECASE), re.compile(shown, re.IGNORECASE), frozenset(terms(words)))


AIMS = (
    _aim("use", r"\bused (?:for|to treat|in|clinically)\b|\bindicat(?:ed|ions?)\b|\b(?:approved|prescribed|good) for\b"
                r"|\b(?:purpose|use) of\b|\bwhat .* treat\b",
         r"\b(?:used|approved|recommended|prescribed|given|administered|effective) (?:\w+ )?(?:for|to)\b"
         r"|\b(?:indicated|used) in (?:the (?:treatment|management)|patients|clients|adults|people)\b"
         r"|\bindications?(?::| are)|\bto (?:treat|manage|control)\b|\btreats\b|\bindicated (?:for|to)\b"
         r"|\b(?:treatment|management|prevention|relief) of\b",
         "use used indicated indication approved prescribed purpose treat good"),
    _aim("contraindication", r"\bcontra-?indicat|\bshould(?: not|n't)\b|\bavoid|\bnot be (?:used|given|taken)\b",
         r"\bcontra-?indicat|\b(?:should|must|do|can) not\b|\bavoid|\bexcept\b",
         "contraindicated contraindication contraindications avoid use used given"),
    _aim("harm", r"\b(?:adverse|side)[ -](?:effects?|events?|reactions?)\b",
         r"\b(?:adverse|side)[ -](?:effects?|events?|reactions?)\b|\bcan cause\b|\bmay cause\b|\btoxicit",
         "adverse side effect effects event events reaction reactions"),
    _aim("mechanism", r"\bmechanism\b|\bhow (?:do|does) .*\bworks?\b",
         r"\bmechanism\b|\bworks? by\b|\binhibit|\bblock(?:s|ing)\b|\bbinds?\b|\bby \w+ing\b|\bstimulat|\bsuppress",
         "mechanism action work works"),
    _aim("number", r"\bhow (?:many|much|often|long|tall|old|high|low|large|common)\b|\bwhat (?:is the )?"
                   r"(?:percentage|proportion|number)\b|\b(?:dos(?:e|es|age)|price|incidence|prevalence|mortality"
                   r"|range|maximum|limit|half-life|cost)\b",
         r"(?<![\w\[^.–-])\d+(?:[.,]\d+)*(?![\w\]^]|[–-]?\d*\])"
         r"|\b(?:two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|forty|fifty|once|twice|neither|none)\b",
         "many much often long number"),
    _aim("year", r"\b(?:which|what) year\b|\bwhen was\b.*\b(?:approved|discovered|introduced|invented|founded)\b",
         r"\b(?:1[5-9]|20)\d\d\b", "year"),
    _aim("reason", r"^\s*why\b", r"\bbecause\b|\bdue to\b|\bsince\b|\bas (?:it|they)\b|\bmay\b|\bcan\b|\bso that\b"
                                 r"|\btherefore\b|\bcauses?\b|\ballows?\b|\brisk\b"),
    _aim("treatment", r"\bhow (?:is|are) .*\btreated\b|\btreatments? (?:of|for)\b|\bantidote\b",
         r"\btreat|\btherap|\bantidote\b|\bmanage"),
)


_COUNTED = re.compile(
    r"\bhow many (?P<what>.+?)(?:\s+(?:is|are|was|were|do|does|did|have|has|had|in|with|of|on|to)\b|\?|$)",
    re.IGNORECASE)
_NUMBER = r"(?:(?<![\w\[^.–-])\d+(?:,\d+)*|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|no))"


def aims(question: str) -> tuple[Aim, ...]:
    """Return the properties that a question asks for; a count is asked of the thing that is counted."""
    found = tuple(aim for aim in AIMS if aim.asked.search(question))
    counted = _COUNTED.search(question)
    names = [word[:6] for word in re.findall(r"\w{4,}", counted["what"])] if counted else []
    if not names:
        return found
    count = re.compile(rf"{_NUMBER}\s+(?:[\w-]+\s+){{0,3}}(?:{'|'.join(names)})", re.IGNORECASE)
    return tuple(replace(aim, shown=count) if aim.name == "number" else aim for aim in found)


def shown(text: str, wanted: tuple[Aim, ...]) -> Iterator[str]:
    """Yield the terms of the wanted aims that a sentence shows."""
    return (aim.term for aim in wanted if aim.shown.search(text))
