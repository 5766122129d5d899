"""What the rows of one owner about one thing become, once they are all together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from graphkb.model.records import Fact, FactKind, Scalar
from ingestion.sources.mimic.groups import Group, Measure, Point
from ingestion.sources.mimic.rows import Fold, Names, each, with_lab_name
from ingestion.sources.mimic.values import present

_UNIT = re.compile(r"(.*?)\[(.*)\]", re.DOTALL)


def _whole(values: list[Any]) -> Group:
    group = Group.restore(values[0])
    for value in values[1:]:
        group.merge(Group.restore(value))
    return group


def _item(group: str) -> tuple[str, str | None]:
    match = _UNIT.fullmatch(group)
    return (match[1], match[2]) if match else (group, None)


def _value(point: Point | None) -> Scalar | None:
    return None if point is None else point[3] if point[3] is not None else point[2] or None


def measured(group: Group, unit: str | None, *, total: bool = False) -> dict[str, Scalar | list[str]]:
    """Return what an aggregate of measurements says."""
    numbers = group.measures.get("", Measure())
    first, last = group.first, group.last
    return present(
        n=group.n, first=_value(first), first_time=(first[0] or None) if first else None,
        last=_value(last), last_time=(last[0] or None) if last else None,
        min=numbers.low if numbers.n else None, max=numbers.high if numbers.n else None,
        total=numbers.sum if total and numbers.n else None, unit=unit,
        ref_low=last[4] if last else None, ref_high=last[5] if last else None, masked=group.masked or None)


def labs(names: Names, group: str, values: list[Any]) -> Iterator[Fact]:
    """Make one fact of an item's results in one unit, or one of each."""
    if group.startswith("event:"):
        yield from each(names, group, values)
        return
    itemid, unit = _item(group)
    whole = _whole(values)
    fact = Fact("HAS_LAB", f"labevents:{group}", "", "MIMICLAB", itemid,
                measured(whole, unit) | {"abnormal": whole.flags, "itemid": itemid})
    yield with_lab_name(fact, names)


def observations(table: str, *, total: bool = False) -> Fold:
    """Return the ``fold`` of a table of chart items."""
    def fold(names: Names, group: str, values: list[Any]) -> Iterator[Fact]:
        itemid, unit = _item(group)
        whole = _whole(values)
        more = {"warnings": whole.flags} if whole.flags else {}
        yield Fact("HAS_OBSERVATION", f"{table}:{group}", names.item(itemid), "MIMICITEM", itemid,
                   measured(whole, unit, total=total) | more)
    return fold


def omr(names: Names, group: str, values: list[Any]) -> Iterator[Fact]:
    """Make one fact of a patient's measurements of one name."""
    del names
    yield Fact("HAS_OBSERVATION", f"omr:{group}", group, "MIMICOMR", group, measured(_whole(values), None))


def _listed(events: dict[str, int], prefix: str = "") -> list[str] | None:
    found = [f"{event.removeprefix(prefix)} {n}" for event, n in sorted(events.items())
             if (event.startswith(prefix) if prefix else not event.startswith(("detail:", "route:")))]
    return found or None


def orders(names: Names, group: str, values: list[Any]) -> Iterator[Fact]:
    """Make one fact of an owner's orders of one type."""
    del names
    whole = _whole(values)
    name = group.removeprefix("detail:")
    table = "poe_detail" if group.startswith("detail:") else "poe"
    yield Fact("ORDERED", f"{table}:{name}", name, "MIMICORDER", name, present(
        n=whole.n, first_time=(whole.first[0] or None) if whole.first else None,
        last_time=(whole.last[0] or None) if whole.last else None, events=_listed(whole.events),
        details=_listed(whole.events, "detail:")))


def administrations(names: Names, group: str, values: list[Any]) -> Iterator[Fact]:
    """Make one fact of what was charted for a drug: given, or ordered where it never was."""
    del names
    whole = _whole(values)
    span = present(first_time=(whole.first[0] or None) if whole.first else None,
                   last_time=(whole.last[0] or None) if whole.last else None, events=_listed(whole.events))
    if not whole.counted:
        yield Fact("ORDERED", f"emar:{group}", group, properties={"n": whole.n, "given": 0, **span})
        return
    doses = {name.removeprefix("dose:"): m for name, m in sorted(whole.measures.items()) if name.startswith("dose:")}
    properties = {"n": whole.n, "given": whole.counted, **span} | present(routes=_listed(whole.events, "route:"))
    if len(doses) == 1:
        (unit, one), = doses.items()
        properties |= present(total=one.sum, unit=unit or None, dose_min=one.low, dose_max=one.high)
    elif doses:
        properties["doses"] = [f"{_plain(m.sum)} {unit or 'without unit'} in {m.n}" for unit, m in doses.items()]
    yield Fact("ADMINISTERED", f"emar:{group}", group, properties=properties)


def _plain(value: float) -> str:
    return f"{value:.6f}".rstrip("0").rstrip(".")


def infusions(table: str) -> Fold:
    """Return the ``fold`` of `inputevents` or `ingredientevents`."""
    def fold(names: Names, group: str, values: list[Any]) -> Iterator[Fact]:
        itemid, unit = _item(group)
        whole = _whole(values)
        amount = whole.measures.get("", Measure())
        rates = {n.removeprefix("rate:"): m for n, m in sorted(whole.measures.items()) if n.startswith("rate:")}
        one = next(iter(rates.items())) if len(rates) == 1 else ("", Measure())
        kind: FactKind = "ADMINISTERED" if whole.counted else "ORDERED"
        yield Fact(kind, f"{table}:{group}", names.item(itemid), properties=present(
            n=whole.n, given=whole.counted, itemid=itemid, unit=unit, total=amount.sum if amount.n else None,
            first_time=(whole.first[0] or None) if whole.first else None,
            last_time=(whole.last[0] or None) if whole.last else None, events=_listed(whole.events),
            rate_min=one[1].low if one[1].n else None, rate_max=one[1].high if one[1].n else None,
            rate_unit=one[0] or None), also=(f"MIMICITEM:{itemid}",))
    return fold


