"""Names as they come, and the further names that can be read off them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from ingestion.fold import fold_name
from ingestion.lexicon.words import exact_form

NameSource = Literal["vocabulary", "title", "drug"]

# Term types of UMLS sources and of ours: 0 preferred, 1 synonym, 2 entry term or abbreviation.
_PREFERRED = frozenset(("PT", "MH", "PN", "HT", "PSN", "NM", "IN", "LN", "PTGB", "MTH_PT", "PF", "FN", "BN"))
_SYNONYM = frozenset(("SY", "SYN", "PM", "CE", "SYGB", "EP", "PEP", "CD", "SBD", "SCD", "PIN", "MIN"))


def rank_of(tty: str) -> int:
    """Return how good a name a term type makes: 0 preferred, 1 synonym, 2 any other."""
    return 0 if tty in _PREFERRED else 1 if tty in _SYNONYM else 2


@dataclass(frozen=True, slots=True)
class Name:
    """One name of one concept.

    Attributes
    ----------
    types, group
        TUIs of the concept (or a local type such as ``drug``) and its semantic group.
    source
        ``vocabulary``; ``title`` or ``drug`` for names of the scope's own tables, which come first there.
    rank
        0 preferred, 1 synonym, 2 other, 3 derived here from another name.
    """

    text: str
    concept: str
    types: tuple[str, ...]
    group: str
    source: NameSource = "vocabulary"
    rank: int = 0
    language: str = "ENG"
    suppressed: bool = False


_ASIDE = re.compile(r"\s+(?:\([^()]*\)|\[[^\[\]]*\])\s*$")
_VAGUE = re.compile(r"(?:, (?:unspecified|nos|not otherwise specified)| nos|, unspecified site)$|^unspecified ")
_SALT = re.compile(
    r" (?:hydrochlorides?|hcl|hydrobromide|dihydrochloride|sodium|disodium|potassium|calcium|sulfates?|sulphate|"
    r"citrate|bitartrate|tartrate|maleate|mesylate|mesilate|succinate|phosphate|acetate|besylate|fumarate|bromide|"
    r"chloride|gluconate|hyclate|nitrate|lactate|tosylate|pamoate|hydrate|monohydrate|dihydrate|anhydrous|hemihydrate)$")
_ELEMENT = frozenset(("sodium", "potassium", "calcium", "magnesium", "ferrous", "ferric", "zinc", "lithium", "iron",
                      "ammonium", "aluminum", "silver", "copper", "hydrogen", "methyl", "ethyl", "vinyl", "cadmium",
                      "barium", "mercuric", "nickel", "lead", "manganese", "sodium bicarbonate", "benzalkonium"))


def _without_salt(folded: str) -> str:
    base = _SALT.sub("", folded)
    return folded if base in _ELEMENT or len(base) < 4 or base.endswith((" and", ",")) else base


_TURNABLE = re.compile(r"([^,]+), ([^,]+)")
_NOT_TURNABLE = re.compile(r"\b(?:and|or|with|without|not|unspecified|other|type|nos|due|in|of|stage|grade|left|"
                           r"right)\b|[();:]")


def upright(folded: str, group: str) -> str | None:
    """Return an inverted name of a disorder in its natural order ("hypotension, orthostatic"), or None."""
    turned = _TURNABLE.fullmatch(folded)
    if group != "DISO" or turned is None or _NOT_TURNABLE.search(folded) or folded.count(" ") > 4:
        return None
    return f"{turned[2]} {turned[1]}"


def derived(folded: str, group: str) -> Iterator[str]:
    """Yield further folded names: without a closing aside, a vague word, a salt (of a chemical)."""
    seen = {folded}
    current = folded
    for _ in range(3):
        shorter = _VAGUE.sub("", _ASIDE.sub("", current))
        if shorter in seen or len(shorter) <= 3:
            break
        seen.add(shorter)
        yield shorter
        current = shorter
    if group == "CHEM":
        base = _without_salt(current)
        if base not in seen:
            yield base


@cache
def synonyms() -> dict[str, tuple[str, ...]]:
    """Return the bundled further names, by the exact form of the name that a vocabulary has."""
    text = files("ingestion.lexicon").joinpath("synonyms.txt").read_text(encoding="utf-8")
    found: dict[str, tuple[str, ...]] = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            name, aliases = line.split(" = ")
            found[exact_form(name)] = tuple(aliases.split(" | "))
    return found


_BRACKETED = re.compile(r"\([^()]*\)?|\[[^\[\]]*\]|\*nf\*|_+$|\*")
_STRENGTH = re.compile(
    r"(?<![\w.])(?:\d[\d.,/-]*)\s*(?:%|mg|mcg|g|gm|grams?|ml|l|units?|unt|iu|meq|mmol|hr|hour|day)?"
    r"(?:/\s*[\d.]*\s*(?:ml|mg|hr|hour|h|l|kg|day|g|dose|actuation))?(?![\w/])")
_FORM = re.compile(
    r"\b(?:iv|im|po|pr|sc|sq|oral|orally|liquid|solution|soln|oint|ointment|cream|crm|patch|neb|nebs|nebulizer|gel|"
    r"suspension|susp|suspensions|tab|tabs|tablet|tablets|cap|caps|capsule|capsules|xl|sr|er|xr|cr|la|ec|dr|hfa|mdi|"
    r"inhaler|inhalation|inh|nasal|ophth|ophthalmic|otic|drops?|enema|flush|desensitization|taper|powder|pwd|lotion|"
    r"syrup|elixir|spray|rectal|suppository|supp|topical|injection|inj|premix|bag|syringe|vial|chewable|chew|odt|"
    r"disintegrating|disintegrate|extended release|sustained release|immediate release|delayed release|"
    r"enteric coated|infant|pediatric|adult|dose|once daily|basal|bolus|pca|infusion|drip|rinse|mouthwash|buffered|"
    r"paste|foam|wipes?|pads?|shampoo|jelly|viscous|concentrate|preservative free|sugar free|ointments?)\b\.?")


def drug_core(name: str) -> list[str]:
    """Return the folded names under which a vocabulary may know an ordered drug, best first.

    Examples
    --------
    >>> drug_core("OxycoDONE (Immediate Release) ")
    ['oxycodone']
    >>> drug_core("*NF* Ertapenem Sodium")
    ['ertapenem sodium', 'ertapenem']
    >>> drug_core("Heparin Flush (10 units/ml)")
    ['heparin']
    """
    folded = fold_name(name)
    bare = _BRACKETED.sub(" ", folded)
    plain = re.sub(r"\s+", " ", _STRENGTH.sub(" ", bare)).strip(" ,;:-/.&")
    core = re.sub(r"\s+", " ", _FORM.sub(" ", plain)).strip(" ,;:-/.&")
    found: list[str] = []
    for form in (plain if plain == core else "", core, _without_salt(core)):
        if len(form) > 1 and form not in found:
            found.append(form)
    return found or ([folded] if folded else [])
