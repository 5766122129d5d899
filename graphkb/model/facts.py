"""How a structured fact reads: one line, which an answer can cite. Orders read as orders, never as intake."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Values = Mapping[str, Any]
_ORDERS = {"BASE": "ordered as diluent", "ADDITIVE": "ordered as additive"}


def plain(value: object) -> str:
    """Return a value as it is read: a whole number without its ``.0``."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() and abs(value) < 1e15 else str(value)


def words(kind: str, name: str, code: str, values: Values) -> str:
    """Return a fact's line. ``code`` is its CURIE, or "".

    Examples
    --------
    >>> words("PRESCRIBED", "Lisinopril", "", {"dose": "10", "dose_unit": "mg", "route": "PO", "start": "2180-01-03"})
    'ordered Lisinopril 10 mg PO (2180-01-03)'
    >>> words("HAS_LAB", "Glucose", "MIMICLAB:50931", {"n": 2, "first": 90.0, "last": 101.5, "min": 90.0, "max": 101.5,
    ...                                                "unit": "mg/dL", "abnormal": 1})
    'laboratory Glucose: last 101.5 mg/dL, first 90, min 90, max 101.5, n 2, abnormal 1'
    """
    shown = f" ({code})" if code else ""
    match kind:
        case "HAS_DIAGNOSIS":
            return f"diagnosis {name}{shown}"
        case "HAS_PROCEDURE":
            return f"procedure {name}{shown}" + _day(values)
        case "PRESCRIBED":
            return _order(name, values)
        case "ADMINISTERED":
            return f"administered {name}: " + _given(values)
        case "HAS_LAB":
            return f"laboratory {name}: " + _measured(values)
        case "HAS_OBSERVATION":
            return f"observation {name}: " + _measured(values)
        case "TESTED" | "GREW":
            return _culture(kind, name, values)
        case "STAYED_IN":
            times = [str(values[part]).replace("T", " ") for part in ("start", "stop") if part in values]
            return f"{values.get('event', 'stay')} {name}" + (f" ({' to '.join(times)})" if times else "")
        case "ORDERED":
            return f"ordered {name}: " + _counted(values)
        case _:
            return f"billed as {name}{shown}" + _day(values)


def _day(values: Values) -> str:
    day = values.get("date") or values.get("start")
    return f" on {str(day)[:10]}" if day else ""


def _order(name: str, values: Values) -> str:
    parts = [str(values[part]) for part in ("dose", "dose_unit", "route", "frequency") if part in values]
    order = _ORDERS.get(str(values.get("drug_type")), "ordered")
    text = " ".join([order, name, *parts])
    times = [str(values[part])[:10] for part in ("start", "stop") if part in values]
    if values.get("stop_before_start"):
        text = f"{text} (start {times[0]}, stop {times[1]} recorded before it)"
    elif times:
        text = f"{text} ({' to '.join(times)})"
    status = str(values.get("status", "")).replace("(", "- ").replace(")", "")
    return f"{text} (status {status})" if status else text


def _at(values: Values, part: str) -> str:
    when = values.get(f"{part}_time")
    return f" at {str(when).replace('T', ' ')}" if when else ""


def _span(values: Values) -> list[str]:
    times = [str(values[part]).replace("T", " ") for part in ("first_time", "last_time") if part in values]
    return [" to ".join(dict.fromkeys(times))] if times else []


def _measured(values: Values) -> str:
    """Return one event's value, or what an aggregate says."""
    unit = f" {values['unit']}" if "unit" in values else ""
    if "n" not in values:
        value = values.get("value", plain(values["valuenum"]) if "valuenum" in values else values.get("comment", ""))
        flag = f" ({values['flag']})" if "flag" in values else ""
        when = str(values["charttime"]).replace("T", " ") if "charttime" in values else ""
        return (f"{value}{unit}" if value else "no value") + flag + (f" at {when}" if when else "")
    said = []
    if "last" in values:
        said.append(f"last {plain(values['last'])}{unit}{_at(values, 'last')}")
    if "first" in values and values["n"] > 1:
        said.append(f"first {plain(values['first'])}{_at(values, 'first')}")
    if values["n"] > 1:
        said += [f"{part} {plain(values[part])}" for part in ("min", "max") if part in values]
    if "total" in values:
        said.append(f"total {plain(values['total'])}{unit}")
    said += [f"{part} {plain(values[part])}" for part in ("n", "abnormal", "warnings", "masked") if values.get(part)]
    return ", ".join(said)


def _given(values: Values) -> str:
    said = [f"{plain(values['given'])} times"]
    if "total" in values:
        said.append(f"total {plain(values['total'])} {values.get('unit', '')}".rstrip())
    if "rate_max" in values:
        rates = dict.fromkeys(plain(values[part]) for part in ("rate_min", "rate_max"))
        said.append(f"rate {' to '.join(rates)} {values.get('rate_unit', '')}".rstrip())
    said += list(values.get("doses", ())) + _span(values)
    return ", ".join(said)


def _counted(values: Values) -> str:
    return ", ".join([f"n {plain(values['n'])}", *_span(values), *values.get("events", ()), *values.get("details", ())])


def _culture(kind: str, name: str, values: Values) -> str:
    specimen = f" of {values['specimen']}" if "specimen" in values else ""
    when = f" on {str(values['charttime']).replace('T', ' ')}" if "charttime" in values else ""
    if kind == "TESTED":
        comment = f"; {values['comment']}" if "comment" in values else ""
        return f"microbiology {name}{specimen}{when}: {values['result']}{comment}"
    against = "; ".join(values.get("susceptibilities", ()))
    return f"grew {name} in {values['test']}{specimen}{when}" + (f": {against}" if against else "")
