"""Values of MIMIC-IV tables: each is checked, and none is guessed.

Identifiers stay strings of digits. ICD codes get their dot. ICD-9 procedures are in ``ICD9CM`` as in UMLS, which has
no vocabulary of its own for them (two digits before the dot tell them from diagnoses); ICD-10 procedures are in
``ICD10PCS``, which has no dot.
"""

from __future__ import annotations

import re
from datetime import datetime

from graphkb.model.records import Encounter, Patient, Scalar

MASKED = "___"
_NULL = frozenset({"", MASKED})


class BadValue(ValueError):
    """A field that cannot be taken; the message holds the column and the rule, never the value."""


def identifier(row: dict[str, str], column: str) -> str:
    """Return an id that must be there: a string of digits, never a number."""
    value = row[column].strip()
    if not (value.isascii() and value.isdigit()):
        raise BadValue(f"{column} is not a string of digits")
    return value


def identifier_or_none(row: dict[str, str], column: str) -> str | None:
    """Return an id, or None where the field is empty."""
    return identifier(row, column) if row[column].strip() else None


def integer(row: dict[str, str], column: str) -> int | None:
    """Return a whole number, or None where the field is empty."""
    value = row[column].strip()
    if not value:
        return None
    if not re.fullmatch(r"-?[0-9]{1,18}", value):
        raise BadValue(f"{column} is not a whole number")
    return int(value)


def number(row: dict[str, str], column: str) -> float | None:
    """Return a finite number, or None where the field is empty."""
    value = row[column].strip()
    if not value:
        return None
    if not re.fullmatch(r"[+-]?(\d{1,30}\.?\d{0,30}|\.\d{1,30})([eE][+-]?\d{1,2})?", value, re.ASCII):
        raise BadValue(f"{column} is not a number")
    return float(value)


def time(row: dict[str, str], column: str) -> str | None:
    """Return a date or a time as ISO 8601, on the patient's own shifted clock, or None where the field is empty."""
    value = row[column].strip()
    if not value:
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        raise BadValue(f"{column} is not a date or time") from None
    return moment.date().isoformat() if len(value) <= 10 else moment.isoformat(timespec="seconds")


def words(row: dict[str, str], column: str) -> str | None:
    """Return a text, or None where it is empty or masked."""
    value = row[column].strip()
    return None if value in _NULL else value


def dotted(code: str, version: int, kind: str) -> tuple[str, str]:
    """Return (vocabulary, code with its dot) of an ICD code as MIMIC writes it.

    Examples
    --------
    >>> dotted("4019", 9, "diagnosis"), dotted("E8490", 9, "diagnosis"), dotted("3961", 9, "procedure")
    (('ICD9CM', '401.9'), ('ICD9CM', 'E849.0'), ('ICD9CM', '39.61'))
    >>> dotted("E1165", 10, "diagnosis"), dotted("I10", 10, "diagnosis"), dotted("02HV33Z", 10, "procedure")
    (('ICD10CM', 'E11.65'), ('ICD10CM', 'I10'), ('ICD10PCS', '02HV33Z'))
    """
    plain = code.replace(".", "")
    if version == 10 and kind == "procedure":
        return "ICD10PCS", plain
    place = 2 if kind == "procedure" else 4 if version == 9 and plain.startswith("E") else 3
    return ("ICD9CM" if version == 9 else "ICD10CM",
            plain if len(plain) <= place else f"{plain[:place]}.{plain[place:]}")


def icd(row: dict[str, str], kind: str) -> tuple[str, str, int]:
    """Return (vocabulary, dotted code, version) of a row of `diagnoses_icd`, `procedures_icd` or a dictionary."""
    version = integer(row, "icd_version")
    if version not in (9, 10):
        raise BadValue("icd_version is neither 9 nor 10")
    code = row["icd_code"].strip().upper()
    if not re.fullmatch(r"[A-Z0-9]{1,4}\.?[A-Z0-9]{0,6}", code):
        raise BadValue("icd_code is not an ICD code")
    return *dotted(code, version, kind), version


def present(**values: Scalar | list[str] | None) -> dict[str, Scalar | list[str]]:
    """Return the values that are there."""
    return {name: value for name, value in values.items() if value is not None}


def patient(row: dict[str, str]) -> Patient:
    """Return a row of `patients`."""
    return Patient(identifier(row, "subject_id"), words(row, "gender"), integer(row, "anchor_age"),
                   integer(row, "anchor_year"), time(row, "dod"))


def encounter(row: dict[str, str]) -> Encounter:
    """Return a row of `admissions`."""
    return Encounter(identifier(row, "hadm_id"), identifier(row, "subject_id"), time(row, "admittime"),
                     time(row, "dischtime"), words(row, "admission_type"), words(row, "discharge_location"))


def ndc(row: dict[str, str]) -> str | None:
    """Return a drug code as the string of digits it is, leading zeros too; None where it is zero or empty."""
    value = row["ndc"].strip()
    if value and not (value.isascii() and value.isdigit()):
        raise BadValue("ndc is not a string of digits")
    return value if value.strip("0") else None


def needed(row: dict[str, str], column: str) -> str:
    """Return a text that must be there."""
    value = words(row, column)
    if value is None:
        raise BadValue(f"{column} is empty")
    return value


def reference(row: dict[str, str], column: str) -> str:
    """Return an id that another table has, such as ``10002930-456``, or "" where the field is empty."""
    value = row[column].strip()
    if value and not re.fullmatch(r"[A-Za-z0-9.-]{1,40}", value):
        raise BadValue(f"{column} is not an id")
    return value
