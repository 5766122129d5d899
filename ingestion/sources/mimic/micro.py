"""Microbiology: what a test of a specimen came to, and which organisms grew with what they resist.

An organism is a result by itself. Without one the laboratory's comment decides, by the first thing it says: ``no
growth`` and its like are ``negative``, ``positive`` and ``reactive`` are ``positive``, a cancelled test is neither, and
a comment that says none of these (a Gram stain, a colony count) is ``reported``. A masked comment is ``reported`` too.
A test with neither comment nor organism is ``negative`` once it was stored, ``pending`` before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Literal

from graphkb.model.records import Fact
from ingestion.sources.mimic.rows import Desk, Fields, Names
from ingestion.sources.mimic.staging import Owner
from ingestion.sources.mimic.values import MASKED, identifier_or_none, needed, present, reference, time, words

Result = Literal["grown", "negative", "positive", "cancelled", "pending", "reported"]
CANCELLED = "CANCELLED"
MOST_COMMENT = 160
_SAYS = re.compile(
    r"(?P<cancelled>\bcancel+ed\b|\bnot performed\b|\bcredited\b|\bnot done\b)"
    r"|(?P<pending>\bpending\b)"
    r"|(?P<negative>^no\b(?! (?:result|report|specimen))|\bno (?:significant )?growth\b|\bno \w[^.]{0,80}"
    r"(?:isolated|found|seen|detected)\b|\bnot (?:detected|isolated|seen|found)\b|\bnon-?reactive\b"
    r"|(?<!gram )(?<!gram-)(?<!coagulase )(?<!reference range-)\bnegative\b)"
    r"|(?P<positive>(?<!gram )(?<!gram-)\bpositive\b|\breactive\b|\bdetected\b)", re.IGNORECASE)


def result_of(organism: bool, comment: str, stored: bool) -> Result:
    """Return what a test came to, by its organism, the laboratory's comment, and whether it was stored.

    Examples
    --------
    >>> [result_of(False, c, True) for c in ("NO GROWTH.", "POSITIVE BY EIA. (Reference Range-Negative).", "___", "")]
    ['negative', 'positive', 'reported', 'negative']
    >>> [result_of(False, c, True) for c in ("TEST CANCELLED, PATIENT CREDITED.", "GRAM NEGATIVE ROD(S).")]
    ['cancelled', 'reported']
    >>> result_of(True, "", True), result_of(False, "", False)
    ('grown', 'pending')
    """
    if organism:
        return "grown"
    if not comment:
        return "negative" if stored else "pending"
    match = _SAYS.search(comment)
    if match is None or match.lastgroup is None:
        return "reported"
    found: dict[str, Result] = {"cancelled": "cancelled", "pending": "pending", "negative": "negative",
                                "positive": "positive"}
    return found[match.lastgroup]


def culture(desk: Desk, row_number: int, row: Fields, owner: Owner) -> None:
    """Keep a row with the others of its specimen and test."""
    test = needed(row, "test_name")
    when = time(row, "charttime") or time(row, "chartdate")
    stored = bool(row["storetime"].strip() or row["storedate"].strip())
    comment = " ".join(row["comments"].split())
    dilution = " ".join(part for part in (words(row, "dilution_comparison"), words(row, "dilution_value")) if part)
    group = "/".join((reference(row, "micro_specimen_id") or f"row{row_number}", reference(row, "test_seq"),
                      reference(row, "test_itemid"))).rstrip("/")
    desk.staging.add(owner, desk.part, row_number, [
        test, identifier_or_none(row, "test_itemid") or "", words(row, "spec_type_desc"), when, comment, stored,
        identifier_or_none(row, "org_itemid") or "", words(row, "org_name"), row["isolate_num"].strip(),
        words(row, "quantity"), words(row, "ab_name"), words(row, "interpretation"),
        dilution or words(row, "dilution_text")], group)


def cultures(names: Names, group: str, values: list[Any]) -> Iterator[Fact]:
    """Make one fact of a test, and one of each organism that grew."""
    del names
    test, itemid, specimen, when, comment, stored = values[0][:6]
    grown = [value for value in values if value[7] and value[7] != CANCELLED]
    cancelled = any(value[7] == CANCELLED for value in values) and not grown
    result: Result = "cancelled" if cancelled else result_of(bool(grown), comment, stored)
    row = f"microbiologyevents:{group}"
    shared = present(specimen=specimen, charttime=when)
    said = {"comment": comment[:MOST_COMMENT]} if comment and comment != MASKED and not grown else {}
    vocabulary, code = ("MIMICMICRO", itemid) if itemid else ("", "")
    yield Fact("TESTED", row, test, vocabulary, code, {"result": result, "n": len(values), **shared, **said})
    organisms: dict[tuple[str, str, str], list[Any]] = {}
    for value in grown:
        organisms.setdefault((value[6], value[7], value[8]), []).append(value)
    for (org, name, isolate), rows in organisms.items():
        against = [" ".join(part for part in (one[10], one[11], one[12] and f"({' '.join(one[12].split())})") if part)
                   for one in rows if one[10]]
        vocabulary, code = ("MIMICMICRO", org) if org else ("", "")
        yield Fact("GREW", "/".join((row, org or name, isolate)).rstrip("/"), name, vocabulary, code, present(
            test=test, n=len(rows), quantity=rows[0][9], susceptibilities=against or None) | shared)
