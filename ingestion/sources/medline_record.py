"""One PubMed record: identifiers, dates, text and headings of the article itself, and of nobody it cites."""

from __future__ import annotations

import re

from graphkb.errors import InputError
from graphkb.model.records import Scalar, Section, SourceDocument, SourceInfo, Tier
from ingestion.sources.jats_meta import date, identifier
from ingestion.sources.jats_text import Element, inline, local_names

_ID_KINDS = {"doi": "doi", "pubmed": "pmid", "pmc": "pmcid"}
_NOTICES = {"RetractionOf": "retracts", "ErratumFor": "corrects", "CorrectedandRepublishedFrom": "corrects",
            "ExpressionOfConcernFor": "concerns"}
_MONTH = re.compile(r"\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)", re.IGNORECASE)


def named(pmid: Element | None, number: int, revised: str) -> tuple[str, str]:
    """Return the PMID and the revision: version, number of the file, date of the last revision."""
    if pmid is None:
        return "", ""
    version = str(pmid.get("Version") or "1")
    known = int(version) if re.fullmatch(r"[0-9]{1,3}", version) else 1
    return identifier("pmid", inline(pmid)), f"{known:03}.{number:07}.{revised}"


def document(article: Element, source: SourceInfo, tier: Tier, number: int) -> SourceDocument:
    """Return a record as a document.

    Parameters
    ----------
    number : int
        Place of the file in the order of releases.

    Raises
    ------
    InputError
        GKB-405 (no citation in it), 407 (no PMID), 408 (neither title nor abstract).
    """
    local_names(article)
    citation = article.find("MedlineCitation")
    if citation is None:
        raise InputError("GKB-405", detail="the record has no MedlineCitation")
    revised = _date(citation.find("DateRevised"))
    record, revision = named(citation.find("PMID"), number, revised)
    if not record:
        raise InputError("GKB-407", detail="the record has no PMID")
    title, text, sections = _text(citation)
    if not text:
        raise InputError("GKB-408", detail="neither title nor abstract")
    identifiers = {"pmid": record} | _identifiers(article)
    types = _texts(citation, "Article/PublicationTypeList/PublicationType")
    notices = _notices(citation)
    when = published(article, citation)
    return SourceDocument(
        source=source, record=record, title=title or "(no title)", text=text, tier=tier, kind="abstract",
        sections=sections, published=when, revision=revision,
        identifiers=identifiers | _citation(citation, (when or "")[:4]),
        retracts=tuple(notices.pop("retracts", ())), says_retracted=_retracted(citation, types),
        properties=_properties(article, citation, types) | dict(notices.items()))


def _text(citation: Element) -> tuple[str, str, tuple[Section, ...]]:
    """Return title, text and sections: the title is the first section, each part of an abstract another."""
    title = inline(citation.find("Article/ArticleTitle"))
    parts = [("Title", title)]
    parts += [_part(element, "Abstract") for element in citation.iterfind("Article/Abstract/AbstractText")]
    for other in citation.iterfind("OtherAbstract"):
        kind, language = str(other.get("Type") or ""), str(other.get("Language") or "eng")
        name = "Plain-language summary" if "plain" in kind.lower() else "Abstract"
        name += f" ({language})" if language != "eng" else ""
        parts += [_part(element, name) for element in other.iterfind("AbstractText")]
    sections: list[Section] = []
    text = ""
    for name, part in parts:
        if not part:
            continue
        text += "\n\n" if text else ""
        sections.append(Section(name, len(text), len(text) + len(part)))
        text += part
    return title, text, tuple(sections)


def _part(element: Element, name: str) -> tuple[str, str]:
    label = " ".join(str(element.get("Label") or "").split())
    if not label or label.upper() == "UNLABELLED":
        return name, inline(element)
    return f"{name} > {label.capitalize() if label.isupper() else label}", inline(element)


def _identifiers(article: Element) -> dict[str, str]:
    """Return the identifiers of the article's own list: one level deep, so never those of a reference."""
    found: dict[str, str] = {}
    for element in article.iterfind("PubmedData/ArticleIdList/ArticleId"):
        kind = _ID_KINDS.get(str(element.get("IdType")), "")
        if value := identifier(kind, inline(element)):
            found.setdefault(kind, value)
    for element in article.iterfind("MedlineCitation/Article/ELocationID[@EIdType='doi']"):
        if element.get("ValidYN", "Y") == "Y" and (value := identifier("doi", inline(element))):
            found.setdefault("doi", value)
    found.pop("pmid", None)  # the citation's own stands already
    return found


def _date(element: Element | None) -> str:
    return "" if element is None else date(*(inline(element.find(name)) for name in ("Year", "Month", "Day")))


def published(article: Element, citation: Element) -> str | None:
    """Return the earliest whole date of publication, else the most exact one; a range counts from its beginning."""
    issue = citation.find("Article/Journal/JournalIssue/PubDate")
    dates = [_date(element) for element in citation.iterfind("Article/ArticleDate")]
    if issue is not None:
        dates += [_date(issue), _medline_date(inline(issue.find("MedlineDate")))]
    if not any(dates):
        history = article.iterfind("PubmedData/History/PubMedPubDate[@PubStatus='pubmed']")
        dates = [_date(element) for element in history]
    return min((value for value in dates if value), key=lambda value: (-len(value), value), default=None)


def _medline_date(text: str) -> str:
    """Return the beginning of a date in words: ``1998 Dec-1999 Jan``, ``2000 Spring``, ``1976-1977``."""
    year = re.search(r"\b(1[6-9]|20)[0-9]{2}\b", text)
    if year is None:
        return ""
    month = _MONTH.match(text, year.end() + 1)
    day = re.match(r"[a-z]* ([0-9]{1,2})\b", text[month.end():]) if month else None
    return date(year[0], month[0] if month else "", day[1] if day else "")


def _notices(citation: Element) -> dict[str, list[str]]:
    """Return what the record is a notice about, by PMID."""
    found: dict[str, set[str]] = {}
    for element in citation.iterfind("CommentsCorrectionsList/CommentsCorrections"):
        name = _NOTICES.get(str(element.get("RefType")))
        value = identifier("pmid", inline(element.find("PMID")))
        if name and value:
            found.setdefault(name, set()).add(f"pmid:{value}")
    return {name: sorted(forms) for name, forms in found.items()}


def _retracted(citation: Element, types: list[str]) -> str | None:
    """Return since when the record says that it is retracted: the date in its reference to the notice."""
    notices = [_medline_date(inline(element.find("RefSource"))) or "0000" for element in citation.iterfind(
        "CommentsCorrectionsList/CommentsCorrections[@RefType='RetractionIn']")]
    if not notices and "retracted publication" not in (kind.lower() for kind in types):
        return None
    return min((value for value in notices if value != "0000"), default="0000")


def _texts(citation: Element, path: str) -> list[str]:
    return list(dict.fromkeys(text for element in citation.iterfind(path) if (text := inline(element))))


def _headings(citation: Element) -> list[str]:
    """Return MeSH headings as PubMed shows them: ``Asthma/drug therapy*``, with the star at a major topic."""
    found = []
    for heading in citation.iterfind("MeshHeadingList/MeshHeading"):
        descriptor = heading.find("DescriptorName")
        name = inline(descriptor)
        parts = [inline(q) + ("*" if q.get("MajorTopicYN") == "Y" else "") for q in heading.iterfind("QualifierName")]
        star = "*" if descriptor is not None and descriptor.get("MajorTopicYN") == "Y" else ""
        found += [f"{name}{star}/{part}" for part in parts] or [f"{name}{star}"] if name else []
    return list(dict.fromkeys(found))


def _properties(article: Element, citation: Element, types: list[str]) -> dict[str, Scalar | list[str]]:
    """Return what the record says beside its text; headings and keywords are no evidence, so they are no text."""
    cited: set[str] = set()
    for element in article.iterfind("PubmedData//Reference/ArticleIdList/ArticleId"):
        kind = _ID_KINDS.get(str(element.get("IdType")), "")
        if value := identifier(kind, inline(element)):
            cited.add(f"{kind}:{value}")
    values: dict[str, Scalar | list[str]] = {
        "mesh": _headings(citation),
        "mesh_ids": sorted({str(element.get("UI")) for element in citation.iterfind(
            "MeshHeadingList/MeshHeading/DescriptorName") if element.get("UI")}),
        "chemicals": _texts(citation, "ChemicalList/Chemical/NameOfSubstance"),
        "keywords": _texts(citation, "KeywordList/Keyword"), "publication_types": types, "cites": sorted(cited),
        "vernacular_title": inline(citation.find("Article/VernacularTitle")),
        "status": str(citation.get("Status") or ""),
    }
    return {name: value for name, value in values.items() if value}


def _citation(citation: Element, year: str) -> dict[str, str]:
    journal = inline(citation.find("MedlineJournalInfo/MedlineTA")) or inline(citation.find("Article/Journal/Title"))
    issue = citation.find("Article/Journal/JournalIssue")
    volume = inline(issue.find("Volume")) if issue is not None else ""
    pages = inline(citation.find("Article/Pagination/MedlinePgn")) or inline(
        citation.find("Article/Pagination/StartPage"))
    names = _texts(citation, "Article/AuthorList/Author/LastName")
    who = f"{names[0]} et al." if len(names) > 2 else " and ".join(names)
    where = f"{year}{';' if volume else ''}{volume}{':' if pages else ''}{pages}"
    values = {"journal": journal, "citation": ". ".join(part.rstrip(".") for part in (who, journal, where) if part),
              "language": ",".join(_texts(citation, "Article/Language")),
              "licence_text": inline(citation.find("Article/Abstract/CopyrightInformation"))[:300]}
    return {name: value for name, value in values.items() if value}
