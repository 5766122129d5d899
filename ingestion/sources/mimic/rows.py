"""What a row of each table becomes: a fact of its own, or its share of a group.

A ``take`` puts a row into the staging database under its owner; a ``fold`` makes facts of what was staged for one
owner under one group. Drugs are named by their words, everything else by its code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from graphkb.model.records import Fact, FactKind
from ingestion.sources.mimic.gem import icd10_of
from ingestion.sources.mimic.groups import Sample
from ingestion.sources.mimic.staging import Owner, Staging
from ingestion.sources.mimic.values import (
    MASKED,
    BadValue,
    icd,
    identifier,
    identifier_or_none,
    integer,
    needed,
    number,
    present,
    reference,
    time,
    words,
)
from ingestion.sources.mimic.values import ndc as ndc_of

Fields = dict[str, str]
MOST_SHOWN = 160
# What emar writes where something was given; every other event is charted, and nothing was taken.
_GIVEN = re.compile(r"(?:delayed |partial |removed existing / )?(?:administered|(?:re)?started|applied)\b",
                    re.IGNORECASE)


class Rejected(ValueError):
    """A row that refers to what is not there; the message says what, never the value."""


@dataclass(slots=True)
class Names:
    """What MIMIC's dictionaries call things, and which codes occur."""

    titles: dict[tuple[str, str], str] = field(default_factory=dict)
    labs: dict[str, tuple[str, str]] = field(default_factory=dict)
    items: dict[str, str] = field(default_factory=dict)
    hcpcs: dict[str, str] = field(default_factory=dict)
    codes: dict[str, set[tuple[str, str]]] = field(default_factory=lambda: {"diagnosis": set(), "procedure": set()})
    billed: set[str] = field(default_factory=set)

    def item(self, itemid: str) -> str:
        """Return a chart item's label, or its id."""
        return self.items.get(itemid, itemid)


@dataclass(slots=True)
class Desk:
    """Where rows go: the staging database, the names, the part of the table, and the parts of others by name."""

    staging: Staging
    names: Names
    parts: dict[str, int]
    lab_events: bool = False
    part: int = 0


Take = Callable[[Desk, int, Fields, Owner], None]
Fold = Callable[[Names, str, list[Any]], Iterator[Fact]]


def pack(fact: Fact) -> list[Any]:
    """Return a fact as JSON keeps it."""
    return [fact.kind, fact.row, fact.name, fact.vocabulary, fact.code, fact.properties, list(fact.also)]


def unpack(packed: list[Any]) -> Fact:
    """Return the fact that was packed."""
    kind, row, name, vocabulary, code, properties, also = packed
    return Fact(kind, row, name, vocabulary, code, properties, also=tuple(also))


def single(fact: Callable[[Desk, int, Fields], Fact]) -> Take:
    """Return a ``take`` of a table whose rows are facts of their own."""
    def take(desk: Desk, row_number: int, row: Fields, owner: Owner) -> None:
        desk.staging.add(owner, desk.part, row_number, pack(fact(desk, row_number, row)))
    return take


def each(names: Names, group: str, values: list[Any]) -> Iterator[Fact]:
    """Make facts of rows that are facts already."""
    del group
    for packed in values:
        fact = unpack(packed)
        if fact.kind == "HAS_LAB":
            yield with_lab_name(fact, names)
        elif fact.vocabulary in ("ICD9CM", "ICD10CM", "ICD10PCS"):
            yield _named(fact, names.titles.get((fact.vocabulary, fact.code), ""))
        elif fact.vocabulary == "MIMICITEM":
            yield _named(fact, names.item(fact.code))
        elif fact.vocabulary == "HCPCS":
            yield _named(fact, names.hcpcs.get(fact.code) or fact.name)
        else:
            yield fact


def _named(fact: Fact, name: str) -> Fact:
    return Fact(fact.kind, fact.row, name, fact.vocabulary, fact.code, fact.properties, also=fact.also)


def with_lab_name(fact: Fact, names: Names) -> Fact:
    """Return a laboratory fact with its label, and its LOINC code where the dictionary has one."""
    label, loinc = names.labs.get(fact.code, ("", ""))
    also = (f"LNC:{loinc}",) if loinc else ()
    return Fact(fact.kind, fact.row, label or fact.code, fact.vocabulary, fact.code, fact.properties, also=also)


def coded(kind: FactKind, table: str, what: str) -> Callable[[Desk, int, Fields], Fact]:
    """Return what makes a fact of a row of `diagnoses_icd` or `procedures_icd`."""
    def fact(desk: Desk, row_number: int, row: Fields) -> Fact:
        vocabulary, code, _ = icd(row, what)
        desk.names.codes[what].add((vocabulary, code))
        date = time(row, "chartdate") if what == "procedure" else None
        equal = icd10_of(code) if vocabulary == "ICD9CM" and what == "diagnosis" else ""
        return Fact(kind, f"{table}:{row_number}", "", vocabulary, code,
                    present(seq_num=integer(row, "seq_num"), date=date), also=(f"ICD10CM:{equal}",) if equal else ())
    return fact


def procedure_event(desk: Desk, row_number: int, row: Fields) -> Fact:
    """Return a procedure of an ICU stay."""
    del desk
    return Fact("HAS_PROCEDURE", f"procedureevents:{row_number}", "", "MIMICITEM", identifier(row, "itemid"), present(
        start=time(row, "starttime"), stop=time(row, "endtime"), value=number(row, "value"),
        unit=words(row, "valueuom"), location=words(row, "location"), status=words(row, "statusdescription"),
        stay_id=identifier_or_none(row, "stay_id")))


# -- orders of drugs --------------------------------------------------------------------------------------------------

def pharmacy(desk: Desk, row_number: int, row: Fields, owner: Owner) -> None:
    """Keep what the pharmacy says of an order, for `prescription`."""
    start, stop = time(row, "starttime"), time(row, "stoptime")
    desk.staging.add_link(desk.part, identifier(row, "pharmacy_id"), owner, row_number, [
        words(row, "medication") or words(row, "proc_type") or "",
        present(frequency=words(row, "frequency"), status=words(row, "status"), route=words(row, "route"),
                duration=number(row, "duration"), duration_unit=words(row, "duration_interval"),
                start=start, stop=stop)])


def prescription(desk: Desk, row_number: int, row: Fields) -> Fact:
    """Return an order, not an intake: an interval that stops before it starts is flagged and kept."""
    drug = needed(row, "drug")
    ndc = ndc_of(row)
    start, stop = time(row, "starttime"), time(row, "stoptime")
    pharmacy_id = identifier_or_none(row, "pharmacy_id")
    joined = desk.staging.link(desk.parts["pharmacy"], pharmacy_id) if pharmacy_id else None
    more: dict[str, Any] = {}
    if joined is not None and joined[0].subject_id == row["subject_id"].strip():
        desk.staging.unique(-1, [str(pharmacy_id)])
        more = {name: value for name, value in joined[1][1].items() if name not in ("start", "stop", "route")}
    own = present(
        drug_type=words(row, "drug_type"), dose=words(row, "dose_val_rx"), dose_unit=words(row, "dose_unit_rx"),
        route=words(row, "route"), start=start, stop=stop, ndc=ndc, strength=words(row, "prod_strength"),
        doses_per_day=number(row, "doses_per_24_hrs"), pharmacy_id=pharmacy_id,
        stop_before_start=True if start and stop and stop < start else None)
    return Fact("PRESCRIBED", f"prescriptions:{row_number}", drug, properties=more | own,
                also=(f"NDC:{ndc}",) if ndc else ())


def loose_pharmacy(desk: Desk) -> Iterator[tuple[Owner, int, Fact | None]]:
    """Yield the pharmacy's orders that no prescription has, as orders of their own; None where one names nothing."""
    for pharmacy_id, owner, row_number, (name, properties) in desk.staging.links(desk.parts["pharmacy"]):
        if not desk.staging.unique(-1, [pharmacy_id]):
            continue
        start, stop = properties.get("start"), properties.get("stop")
        odd = {"stop_before_start": True} if start and stop and stop < start else {}
        yield owner, row_number, Fact("PRESCRIBED", f"pharmacy:{row_number}", name, properties={
            **properties, **odd, "pharmacy_id": pharmacy_id}) if name else None


def order(desk: Desk, row_number: int, row: Fields, owner: Owner) -> None:
    """Count an order by its type."""
    kind = "/".join(part for part in (needed(row, "order_type"), words(row, "order_subtype")) if part)
    desk.staging.sample(owner, desk.part, row_number, Sample(
        kind, time(row, "ordertime") or "", event=words(row, "transaction_type") or ""))
    if poe_id := reference(row, "poe_id"):
        desk.staging.add_link(desk.part, poe_id, owner, row_number, kind)


def order_detail(desk: Desk, row_number: int, row: Fields, owner: Owner) -> None:
    """Add what a detail says to its order's group; without `poe` it is counted by its field, on the patient."""
    del row_number
    name, value = needed(row, "field_name"), words(row, "field_value")
    part = desk.parts["poe"]
    found = desk.staging.link(part, reference(row, "poe_id"))
    if found is not None and found[0].subject_id != owner.subject_id:
        raise Rejected("poe_id belongs to another subject_id")
    owner, group = (found[0], str(found[1])) if found is not None else (owner, f"detail:{name}")
    own = desk.staging.group(owner, part, group)
    if found is None:
        own.n += 1
    event = f"detail:{name} = {value}" if value else f"detail:{name}"
    own.events[event] = own.events.get(event, 0) + 1


# -- what was given ---------------------------------------------------------------------------------------------------

def given(event: str) -> bool:
    """Whether an emar event says that something was given."""
    return bool(_GIVEN.match(event))


def administration(desk: Desk, row_number: int, row: Fields, owner: Owner) -> None:
    """Count what was charted for a drug."""
    drug, event = words(row, "medication"), words(row, "event_txt") or ""
    if drug is None:
        pharmacy_id = identifier_or_none(row, "pharmacy_id")
        joined = desk.staging.link(desk.parts["pharmacy"], pharmacy_id) if pharmacy_id else None
        drug = joined[1][0] if joined else ""
        if not drug:
            raise BadValue("medication is empty")
    desk.staging.sample(owner, desk.part, row_number, Sample(
        drug, time(row, "charttime") or "", event=event or "no event", counts=given(event)))
    if emar_id := reference(row, "emar_id"):
        desk.staging.add_link(desk.part, emar_id, owner, row_number, [drug, given(event)])


def administration_detail(desk: Desk, row_number: int, row: Fields, owner: Owner) -> None:
    """Add a dose that was given to its drug's group."""
    del row_number
    part = desk.parts["emar"]
    found = desk.staging.link(part, reference(row, "emar_id"))
    if found is None:
        raise Rejected("emar_id is not in emar")
    if found[0].subject_id != owner.subject_id:
        raise Rejected("emar_id belongs to another subject_id")
    drug, was_given = found[1]
    dose, unit, route = words(row, "dose_given"), words(row, "dose_given_unit"), words(row, "route")
    group = desk.staging.group(found[0], part, drug)
    if was_given and route:
        group.events[f"route:{route}"] = group.events.get(f"route:{route}", 0) + 1
    if not was_given or dose is None:
        return
    try:
        amount = number({"x": dose.replace(",", "")}, "x")
    except BadValue:  # "1-2", "per sliding scale": a dose in words stays out of the sums
        return
    if amount is not None:
        group.measure(f"dose:{unit or ''}", amount)


def infusion(desk: Desk, row_number: int, row: Fields, owner: Owner) -> None:
    """Count what was infused, or was in it, by item and unit; a row that was rewritten was not given."""
    status, unit = words(row, "statusdescription") or "", words(row, "amountuom") or ""
    desk.staging.sample(owner, desk.part, row_number, Sample(
        _keyed(identifier(row, "itemid"), unit), time(row, "starttime") or "", value=number(row, "amount"),
        event=status, counts=status != "Rewritten", rate=number(row, "rate"),
        rate_unit=words(row, "rateuom") or "", until=time(row, "endtime") or ""))


# -- measurements -----------------------------------------------------------------------------------------------------

def _keyed(itemid: str, unit: str) -> str:
    return f"{itemid}[{unit}]" if unit else itemid


def lab(desk: Desk, row_number: int, row: Fields, owner: Owner) -> None:
    """Take a laboratory result: into its group, or as a fact of its own."""
    itemid, value, valuenum = identifier(row, "itemid"), words(row, "value"), number(row, "valuenum")
    unit, flag, charttime = words(row, "valueuom"), words(row, "flag"), time(row, "charttime")
    low, high = number(row, "ref_range_lower"), number(row, "ref_range_upper")
    said = words(row, "comments")
    if desk.lab_events:
        fact = Fact("HAS_LAB", f"labevents:{row_number}", "", "MIMICLAB", itemid, present(
            value=value, valuenum=valuenum, unit=unit, flag=flag, charttime=charttime, ref_low=low, ref_high=high,
            itemid=itemid, comment=" ".join(said.split())[:MOST_SHOWN] if said else None))
        desk.staging.add(owner, desk.part, row_number, pack(fact), f"event:{itemid}")
        return
    masked = row["value"].strip() == MASKED
    shown = value or ("" if valuenum is not None else " ".join(said.split()) if said else "")
    desk.staging.sample(owner, desk.part, row_number, Sample(
        _keyed(itemid, unit or ""), charttime or "", shown[:MOST_SHOWN], valuenum, low, high,
        flag=flag == "abnormal", masked=masked))


def observation(value: str, *, at: str = "charttime", name: str = "itemid", numeric: bool = True) -> Take:
    """Return the ``take`` of a table of observations: by item and unit."""
    def take(desk: Desk, row_number: int, row: Fields, owner: Owner) -> None:
        item = identifier(row, name) if name == "itemid" else needed(row, name)
        shown = words(row, value)
        if not numeric:
            shown, valuenum = time(row, value) if shown else None, None
        elif "valuenum" in row:
            valuenum = number(row, "valuenum")
        else:
            valuenum = _number_or_none(shown)
        unit = words(row, "valueuom") if "valueuom" in row else None
        desk.staging.sample(owner, desk.part, row_number, Sample(
            _keyed(item, unit or ""), time(row, at) or "", (shown or "")[:MOST_SHOWN], valuenum,
            flag=row.get("warning", "").strip() == "1", masked=row[value].strip() == MASKED))
    return take


def _number_or_none(shown: str | None) -> float | None:
    try:
        return number({"x": shown or ""}, "x")
    except BadValue:
        return None


# -- care units and bills ---------------------------------------------------------------------------------------------

def transfer(desk: Desk, row_number: int, row: Fields) -> Fact:
    """Return a stay in a unit; a discharge is no stay, and has no name."""
    del desk
    event, unit = words(row, "eventtype") or "transfer", words(row, "careunit")
    name = unit or ("" if event == "discharge" else "unknown unit")
    return Fact("STAYED_IN", f"transfers:{row_number}", name, "MIMICUNIT", name, present(
        event=event, start=time(row, "intime"), stop=time(row, "outtime")))


def service(desk: Desk, row_number: int, row: Fields) -> Fact:
    """Return a service that cared for the patient."""
    del desk
    name = needed(row, "curr_service")
    return Fact("STAYED_IN", f"services:{row_number}", name, "MIMICSERVICE", name, present(
        event="service", start=time(row, "transfertime"), previous=words(row, "prev_service")))


def icu_stay(desk: Desk, row_number: int, row: Fields) -> Fact:
    """Return an ICU stay, by its first unit."""
    del desk
    name = needed(row, "first_careunit")
    return Fact("STAYED_IN", f"icustays:{row_number}", name, "MIMICUNIT", name, present(
        event="ICU stay", start=time(row, "intime"), stop=time(row, "outtime"), days=number(row, "los"),
        stay_id=identifier_or_none(row, "stay_id"), last_unit=words(row, "last_careunit")))


def drg(desk: Desk, row_number: int, row: Fields) -> Fact:
    """Return a diagnosis-related group."""
    del desk
    kind, code = needed(row, "drg_type"), needed(row, "drg_code")
    return Fact("BILLED_AS", f"drgcodes:{row_number}", words(row, "description") or code, "MIMICDRG", f"{kind}-{code}",
                present(drg_type=kind, severity=integer(row, "drg_severity"), mortality=integer(row, "drg_mortality")))


def hcpcs(desk: Desk, row_number: int, row: Fields) -> Fact:
    """Return a billed service; a code of five digits is CPT's as well."""
    code = needed(row, "hcpcs_cd")
    desk.names.billed.add(code)
    return Fact("BILLED_AS", f"hcpcsevents:{row_number}", words(row, "short_description") or code, "HCPCS", code,
                present(date=time(row, "chartdate"), seq_num=integer(row, "seq_num")),
                also=(f"CPT:{code}",) if code.isdigit() else ())
