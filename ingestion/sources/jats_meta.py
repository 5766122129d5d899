"""What a JATS article says of itself: identifiers, date, licence, citation, and the notices it is or bears."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ingestion.sources.jats_text import Element, inline

_MONTHS = {name: number for number, name in enumerate(
    ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), start=1)}
_NOT_PUBLICATION = frozenset({"pmc-release", "retracted", "received", "accepted", "preprint"})
_RESTRICTED = (  # level, what says so; the first that is found counts
    ("2", re.compile(r"licenses/[a-z-]*n[cd]\b|non-?commercial|no-?deriv")),
    ("1", re.compile(r"licenses/by-sa|share-?alike")),
    ("0", re.compile(r"licenses/by/|public ?domain|\bcc0\b|\bcc[ -]by\b|commons attribution|unrestricted use")),
)

_HREF = "{http://www.w3.org/1999/xlink}href"
_RETRACTIONS = frozenset({"retraction", "retraction-notice"})
_CONCERNS = frozenset({"expression-of-concern", "concern"})
_ID_KINDS = {"doi": "doi", "pmid": "pmid", "pmc": "pmcid", "pmcid": "pmcid", "pubmed": "pmid"}


class Notices(NamedTuple):
    """What an article is a notice about, by identifier, and since when it says itself that it is retracted."""

    retracts: tuple[str, ...] = ()
    concerns: tuple[str, ...] = ()
    corrects: tuple[str, ...] = ()
    says_retracted: str | None = None


def identifier(kind: str, value: str) -> str:
    """Return a ``doi``, ``pmid`` or ``pmcid`` in the one form we keep; ``""`` where it is none."""
    value = value.strip()
    match kind:
        case "doi":
            value = re.sub(r"^(https?://(dx\.)?doi\.org/|info:doi/|doi:\s*)", "", value, flags=re.IGNORECASE).lower()
            return value if re.fullmatch(r"10\.\S+", value) else ""
        case "pmid" if re.fullmatch(r"0*[1-9][0-9]{0,11}", value, re.ASCII):
            return value.lstrip("0")
        case "pmcid" if re.fullmatch(r"(PMC)?[0-9]+", value, re.IGNORECASE | re.ASCII):
            return f"PMC{value.upper().removeprefix('PMC')}"
    return ""


def own_identifiers(meta: Element) -> dict[str, str]:
    """Return doi, pmid and pmcid from the article's own ``article-id`` elements."""
    found: dict[str, str] = {}
    for element in meta.iterfind("article-id"):
        kind = _ID_KINDS.get(str(element.get("pub-id-type")), "")
        if value := identifier(kind, inline(element)):
            found.setdefault(kind, value)
    return found


def published(meta: Element) -> str | None:
    """Return the earliest date of publication that is whole, else the most exact one (``2015-02``, ``2015``)."""
    return min(_dates(meta), key=lambda date: (-len(date), date), default=None)


def _dates(meta: Element, kinds: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield the dates of these kinds, or without any those of publication."""
    for element in meta.iterfind("pub-date"):
        kind = element.get("pub-type") or element.get("date-type")
        if kind not in kinds if kinds else kind in _NOT_PUBLICATION:
            continue
        parts = (inline(element.find(name)) for name in ("year", "month", "day"))
        if value := date(*parts):
            yield value


def date(year: str, month: str = "", day: str = "") -> str:
    """Return ``YYYY-MM-DD``, ``YYYY-MM`` or ``YYYY``, as exact as the parts are; a month may be a name."""
    if not re.fullmatch(r"[0-9]{4}", year):
        return ""
    number = int(month) if re.fullmatch(r"[0-9]{1,2}", month) else _MONTHS.get(month[:3].lower(), 0)
    if not 1 <= number <= 12:
        return year
    if re.fullmatch(r"[0-9]{1,2}", day) and 1 <= int(day) <= 31:
        return f"{year}-{number:02}-{int(day):02}"
    return f"{year}-{number:02}"


def licence(meta: Element) -> dict[str, str]:
    """Return the licence (its address, else its words) and its restriction level."""
    permissions = meta.find("permissions")
    places = [] if permissions is None else list(permissions.iter("license", "license_ref", "ext-link"))
    address = next((value for element in places for value in (*map(str, element.attrib.values()), inline(element))
                    if "creativecommons.org" in value), "")
    said = "" if permissions is None else " ".join(inline(p) for p in permissions.iter("license-p", "p")) \
        or inline(permissions.find("license")) or inline(permissions.find("copyright-statement"))
    text = address.strip() or said[:300]
    words = f"{address} {said}".lower()
    level = next((level for level, pattern in _RESTRICTED if pattern.search(words)), "3")
    found = {"licence": text, "licence_text": said[:300] if address else "", "restriction": level}
    return {name: value for name, value in found.items() if value}


def citation(article: Element, meta: Element) -> dict[str, str]:
    """Return journal, citation line, type and language of an article."""
    journal = inline(article.find("front/journal-meta/journal-title-group/journal-title")) \
        or inline(article.find("front/journal-meta/journal-title"))
    authors = [inline(name) for name in meta.iterfind("contrib-group/contrib[@contrib-type='author']/name/surname")]
    who = f"{authors[0]} et al." if len(authors) > 2 else " and ".join(authors)
    volume, first = inline(meta.find("volume")), inline(meta.find("elocation-id")) or inline(meta.find("fpage"))
    year = (published(meta) or "")[:4]
    where = f"{year}{';' if volume else ''}{volume}{':' if first else ''}{first}"
    line = ". ".join(part.rstrip(".") for part in (who, journal, where) if part)
    values = {"journal": journal, "citation": line, "article_type": str(article.get("article-type") or ""),
              "language": str(article.get("{http://www.w3.org/XML/1998/namespace}lang") or "")}
    return {name: value for name, value in values.items() if value}


def notices(article: Element, meta: Element) -> Notices:
    """Return what an article is a notice about: by its type and its ``related-article`` elements."""
    kind = str(article.get("article-type") or "")
    found: dict[str, list[str]] = {"retracts": [], "concerns": [], "corrects": []}
    says = next((date for date in _dates(meta, ("retracted",))), None)
    for related in meta.iter("related-article"):
        relation = str(related.get("related-article-type") or "")
        forms = list(_forms(related))
        if relation == "retracted-article" or (kind in _RETRACTIONS and relation in ("", "companion", "object-of")):
            found["retracts"] += forms
        elif relation == "object-of-concern" or (kind in _CONCERNS and relation != "companion"):
            found["concerns"] += forms
        elif relation in ("corrected-article", "partial-retraction", "addended-article"):
            found["corrects"] += forms
        elif relation in ("retraction-forward", "retraction-notice") and says is None:
            says = "0000"
    retracts, concerns, corrects = (tuple(sorted(set(forms))) for forms in found.values())
    return Notices(retracts, concerns, corrects, says)


def _forms(related: Element) -> Iterator[str]:
    """Yield the identifiers that an element points to: by its link, and by what stands inside it."""
    address = str(related.get(_HREF) or "")
    given = str(related.get("ext-link-type") or "")
    kinds = [_ID_KINDS[given]] if given in _ID_KINDS else ["doi"] if "10." in address else ["pmid"]
    pairs = [(kind, address) for kind in kinds]
    pairs += [(_ID_KINDS.get(str(element.get("pub-id-type")), ""), inline(element))
              for element in related.iter("pub-id", "article-id")]
    for kind, value in pairs:
        if value := identifier(kind, value):
            yield f"{kind}:{value}"


def cites(article: Element, own: dict[str, str]) -> list[str]:
    """Return the identifiers in an article's reference lists, sorted; references are not its text."""
    mine = {f"{kind}:{value}" for kind, value in own.items()}
    found: set[str] = set()
    for references in article.iterfind("back//ref-list"):
        for element in references.iter("pub-id", "article-id"):
            kind = _ID_KINDS.get(str(element.get("pub-id-type")), "")
            if value := identifier(kind, inline(element)):
                found.add(f"{kind}:{value}")
    return sorted(found - mine)
