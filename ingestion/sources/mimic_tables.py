"""The tables of MIMIC-IV: their columns, how their values are checked, and what a row becomes.

Identifiers stay strings of digits. ICD codes get their dot. ICD-9 procedures are in ``ICD9CM`` as in UMLS, which has
no vocabulary of its own for them (two digits before the dot tell them from diagnoses); ICD-10 procedures are in
``ICD10PCS``, which has no dot.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from graphkb.model.records import Encounter, Fact, FactKind, Patient, Scalar

MASKED = "___"
_NULL = frozenset({"", MASKED})


class BadValue(ValueError):
    """A field that cannot be taken; the message holds the column and the rule, never the value."""


@dataclass(frozen=True, slots=True)
class TableSpec:
    """A table: where it lies, what it must have and may have, and which facts its rows become."""

    name: str
    required: tuple[str, ...]
    optional: tuple[str, ...] = ()
    fact: Callable[[int, dict[str, str]], Fact] | None = None


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


def _present(**values: Scalar | None) -> dict[str, Scalar]:
    return {name: value for name, value in values.items() if value is not None}


def patient(row: dict[str, str]) -> Patient:
    """Return a row of `patients`."""
    return Patient(identifier(row, "subject_id"), words(row, "gender"), integer(row, "anchor_age"),
                   integer(row, "anchor_year"), time(row, "dod"))


def encounter(row: dict[str, str]) -> Encounter:
    """Return a row of `admissions`."""
    return Encounter(identifier(row, "hadm_id"), identifier(row, "subject_id"), time(row, "admittime"),
                     time(row, "dischtime"), words(row, "admission_type"), words(row, "discharge_location"))


def _coded(kind: FactKind, table: str, what: str) -> Callable[[int, dict[str, str]], Fact]:
    def fact(row_number: int, row: dict[str, str]) -> Fact:
        vocabulary, code, _ = icd(row, what)
        date = time(row, "chartdate") if what == "procedure" else None
        return Fact(kind, f"{table}:{row_number}", "", vocabulary, code,
                    _present(seq_num=integer(row, "seq_num"), date=date))
    return fact


def _prescription(row_number: int, row: dict[str, str]) -> Fact:
    """An order, not an intake: an interval that stops before it starts is flagged and kept."""
    drug = words(row, "drug")
    if drug is None:
        raise BadValue("drug is empty")
    ndc = row["ndc"].strip()
    if ndc and not (ndc.isascii() and ndc.isdigit()):
        raise BadValue("ndc is not a string of digits")
    start, stop = time(row, "starttime"), time(row, "stoptime")
    return Fact("PRESCRIBED", f"prescriptions:{row_number}", drug, properties=_present(
        drug_type=words(row, "drug_type"), dose=words(row, "dose_val_rx"), dose_unit=words(row, "dose_unit_rx"),
        route=words(row, "route"), start=start, stop=stop, ndc=ndc if ndc.strip("0") else None,
        strength=words(row, "prod_strength"), stop_before_start=True if start and stop and stop < start else None))


def _lab(row_number: int, row: dict[str, str]) -> Fact:
    """A laboratory result. ``name`` is the item's id until `mimic` gives it its label."""
    return Fact("HAS_LAB", f"labevents:{row_number}", identifier(row, "itemid"), properties=_present(
        value=words(row, "value"), valuenum=number(row, "valuenum"), unit=words(row, "valueuom"),
        flag=words(row, "flag"), charttime=time(row, "charttime"), ref_low=number(row, "ref_range_lower"),
        ref_high=number(row, "ref_range_upper"), itemid=identifier(row, "itemid")))


_OWNER = ("subject_id", "hadm_id")
PATIENTS = TableSpec("patients", ("subject_id", "gender", "anchor_age", "anchor_year"), ("dod",))
ADMISSIONS = TableSpec("admissions", ("subject_id", "hadm_id", "admittime", "dischtime"),
                       ("admission_type", "discharge_location"))
FACT_TABLES = (
    TableSpec("diagnoses_icd", (*_OWNER, "seq_num", "icd_code", "icd_version"), (),
              _coded("HAS_DIAGNOSIS", "diagnoses_icd", "diagnosis")),
    TableSpec("procedures_icd", (*_OWNER, "seq_num", "icd_code", "icd_version"), ("chartdate",),
              _coded("HAS_PROCEDURE", "procedures_icd", "procedure")),
    TableSpec("prescriptions", (*_OWNER, "starttime", "stoptime", "drug"),
              ("drug_type", "ndc", "prod_strength", "dose_val_rx", "dose_unit_rx", "route"), _prescription),
)
LAB_EVENTS = TableSpec("labevents", (*_OWNER, "itemid", "charttime", "value", "valuenum", "valueuom"),
                       ("ref_range_lower", "ref_range_upper", "flag"), _lab)
LAB_ITEMS = TableSpec("d_labitems", ("itemid", "label"))
DICTIONARIES = {"diagnosis": TableSpec("d_icd_diagnoses", ("icd_code", "icd_version", "long_title")),
                "procedure": TableSpec("d_icd_procedures", ("icd_code", "icd_version", "long_title"))}
NOTES = TableSpec("discharge", ("note_id", *_OWNER, "text"), ("charttime", "storetime", "note_type", "note_seq"))
