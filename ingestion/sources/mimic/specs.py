"""The tables of MIMIC-IV: where each lies, its columns, and what becomes of its rows.

Required are only the columns without which a row means nothing; every other one may be absent, and columns that are
not named here may be there. Header names count without case, and the names of older layouts are known.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from graphkb.errors import InputError
from ingestion.sources import files
from ingestion.sources.mimic import folds, micro, rows
from ingestion.sources.mimic.rows import Fold, Take

# an older or other name of a column -> the name here
ALIASES = {"ethnicity": "race", "hcpcs_code": "hcpcs_cd", "medication_name": "medication", "dose_val": "dose_val_rx",
           "dose_unit": "dose_unit_rx", "drug_name": "drug", "valueunit": "valueuom", "icd9_code": "icd_code"}


class Table(files.Table):
    """A CSV file whose header counts without case, and under its columns' other names."""

    def _header(self, reader: Iterator[list[str]]) -> list[str]:
        found = [name.strip().lower() for name in self.first_line(reader)]
        wanted = (*self.required, *self.optional)
        header = [name if name in wanted else new if (new := ALIASES.get(name)) and new not in found else name
                  for name in found]
        missing = [name for name in self.required if name not in header]
        if missing:
            raise InputError("GKB-405", where=str(self.path), detail=f"missing columns: {', '.join(missing)}")
        return header


@dataclass(frozen=True, slots=True)
class TableSpec:
    """A table: its folder, what it must have and may have, its primary key, and what its rows become."""

    name: str
    required: tuple[str, ...]
    optional: tuple[str, ...] = ()
    key: tuple[str, ...] = ()
    take: Take | None = None
    fold: Fold | None = None
    place: str = "hosp"


_OWNER = ("subject_id", "hadm_id")
_CHART = ("subject_id", "hadm_id", "itemid", "charttime", "value")
_CHART_MORE = ("stay_id", "valueuom", "warning")
_STAY_TIME_ITEM = ("stay_id", "charttime", "itemid")
_INFUSED = ("rate", "rateuom", "statusdescription", "orderid")

PATIENTS = TableSpec("patients", ("subject_id", "gender", "anchor_age", "anchor_year"), ("dod",))
ADMISSIONS = TableSpec(
    "admissions", (*_OWNER, "admittime", "dischtime"),
    ("admission_type", "discharge_location", "deathtime", "admission_location", "insurance", "language",
     "marital_status", "race", "edregtime", "edouttime", "hospital_expire_flag"))
# The order is that of the facts in a record; pharmacy, poe and emar come before the tables that refer to them.
FACT_TABLES: tuple[TableSpec, ...] = (
    TableSpec("diagnoses_icd", (*_OWNER, "seq_num", "icd_code", "icd_version"), (),
              ("hadm_id", "seq_num", "icd_code", "icd_version"),
              rows.single(rows.coded("HAS_DIAGNOSIS", "diagnoses_icd", "diagnosis")), rows.each),
    TableSpec("procedures_icd", (*_OWNER, "seq_num", "icd_code", "icd_version"), ("chartdate",),
              ("hadm_id", "seq_num", "icd_code", "icd_version"),
              rows.single(rows.coded("HAS_PROCEDURE", "procedures_icd", "procedure")), rows.each),
    TableSpec("procedureevents", (*_OWNER, "itemid", "starttime"),
              ("stay_id", "endtime", "value", "valueuom", "location", "statusdescription", "orderid"), ("orderid",),
              rows.single(rows.procedure_event), rows.each, "icu"),
    TableSpec("pharmacy", (*_OWNER, "pharmacy_id"),
              ("medication", "proc_type", "frequency", "status", "route", "duration", "duration_interval", "starttime",
               "stoptime"), ("pharmacy_id",), rows.pharmacy, rows.each),
    TableSpec("prescriptions", (*_OWNER, "starttime", "stoptime", "drug"),
              ("drug_type", "ndc", "prod_strength", "dose_val_rx", "dose_unit_rx", "route", "pharmacy_id",
               "doses_per_24_hrs"), ("pharmacy_id", "drug_type", "drug"), rows.single(rows.prescription), rows.each),
    TableSpec("poe", (*_OWNER, "poe_id", "ordertime", "order_type"), ("order_subtype", "transaction_type"), ("poe_id",),
              rows.order, folds.orders),
    TableSpec("poe_detail", ("subject_id", "poe_id", "field_name"), ("field_value",), ("poe_id", "field_name"),
              rows.order_detail),
    TableSpec("emar", (*_OWNER, "charttime", "medication"), ("emar_id", "pharmacy_id", "event_txt"), ("emar_id",),
              rows.administration, folds.administrations),
    TableSpec("emar_detail", ("subject_id", "emar_id"), ("dose_given", "dose_given_unit", "route"), (),
              rows.administration_detail),
    TableSpec("inputevents", (*_OWNER, "itemid", "starttime", "amount", "amountuom"), ("endtime", *_INFUSED),
              ("orderid", "itemid"), rows.infusion, folds.infusions("inputevents"), "icu"),
    TableSpec("ingredientevents", (*_OWNER, "itemid", "starttime", "amount", "amountuom"), ("endtime", *_INFUSED), (),
              rows.infusion, folds.infusions("ingredientevents"), "icu"),
    TableSpec("labevents", (*_OWNER, "itemid", "charttime", "value", "valuenum", "valueuom"),
              ("labevent_id", "ref_range_lower", "ref_range_upper", "flag", "comments"), ("labevent_id",),
              rows.lab, folds.labs),
    TableSpec("microbiologyevents", (*_OWNER, "test_name", "org_name"),
              ("microevent_id", "micro_specimen_id", "test_seq", "test_itemid", "chartdate", "charttime", "storedate",
               "storetime", "spec_type_desc", "org_itemid", "isolate_num", "quantity", "ab_name", "dilution_text",
               "dilution_comparison", "dilution_value", "interpretation", "comments"), ("microevent_id",),
              micro.culture, micro.cultures),
    TableSpec("omr", ("subject_id", "chartdate", "result_name", "result_value"), (), (),
              rows.observation("result_value", at="chartdate", name="result_name"), folds.omr),
    TableSpec("chartevents", _CHART, (*_CHART_MORE, "valuenum"), (), rows.observation("value"),
              folds.observations("chartevents"), "icu"),
    TableSpec("outputevents", _CHART, _CHART_MORE, _STAY_TIME_ITEM, rows.observation("value"),
              folds.observations("outputevents", total=True), "icu"),
    TableSpec("datetimeevents", _CHART, _CHART_MORE, _STAY_TIME_ITEM, rows.observation("value", numeric=False),
              folds.observations("datetimeevents"), "icu"),
    TableSpec("transfers", (*_OWNER, "intime"), ("transfer_id", "eventtype", "careunit", "outtime"), ("transfer_id",),
              rows.single(rows.transfer), rows.each),
    TableSpec("services", (*_OWNER, "transfertime", "curr_service"), ("prev_service",),
              ("hadm_id", "transfertime", "curr_service"), rows.single(rows.service), rows.each),
    TableSpec("icustays", (*_OWNER, "stay_id", "first_careunit", "intime"), ("last_careunit", "outtime", "los"),
              ("stay_id",), rows.single(rows.icu_stay), rows.each, "icu"),
    TableSpec("drgcodes", (*_OWNER, "drg_type", "drg_code"), ("description", "drg_severity", "drg_mortality"), (),
              rows.single(rows.drg), rows.each),
    TableSpec("hcpcsevents", (*_OWNER, "hcpcs_cd"), ("chartdate", "seq_num", "short_description"),
              ("hadm_id", "hcpcs_cd", "seq_num"), rows.single(rows.hcpcs), rows.each),
)
PART = {spec.name: part for part, spec in enumerate(FACT_TABLES)}
LAB_ITEMS = TableSpec("d_labitems", ("itemid", "label"), ("loinc_code",), ("itemid",))
ITEMS = TableSpec("d_items", ("itemid", "label"), (), ("itemid",), place="icu")
HCPCS = TableSpec("d_hcpcs", ("code",), ("long_description", "short_description"), ("code",))
# Lists of ids that other tables name: counted and checked for doubles; there is nothing more in them.
ID_LISTS = (TableSpec("provider", ("provider_id",), (), ("provider_id",)),
            TableSpec("caregiver", ("caregiver_id",), (), ("caregiver_id",), place="icu"))
DICTIONARIES = {"diagnosis": TableSpec("d_icd_diagnoses", ("icd_code", "icd_version", "long_title")),
                "procedure": TableSpec("d_icd_procedures", ("icd_code", "icd_version", "long_title"))}
_NOTE_MORE = ("charttime", "storetime", "note_type", "note_seq")
NOTES = (TableSpec("discharge", ("note_id", *_OWNER, "text"), _NOTE_MORE, place="note"),
         TableSpec("radiology", ("note_id", *_OWNER, "text"), _NOTE_MORE, place="note"))
NOTE_DETAILS = tuple(TableSpec(name, ("note_id", "subject_id", "field_name", "field_value"), (), place="note")
                     for name in ("discharge_detail", "radiology_detail"))
