"""What the tables and the notes say of one patient."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphkb import ids
from graphkb.model import Evidence
from graphkb.model.predicates import FACT_TYPES
from graphkb.store.protocol import Row, Store
from retrieval.facts import fact


@dataclass(frozen=True, slots=True)
class PatientMention:
    """A mention in a patient's own documents. ``spans`` are document offsets; ``concepts`` (key, name, score)."""

    key: str
    name: str
    type: str
    assertion: str
    experiencer: str
    temporality: str
    spans: tuple[tuple[int, int], ...]
    context: str
    chunk: str
    section: str
    document: str
    title: str
    scope: str
    hadm_id: str
    concepts: tuple[tuple[str, str, float], ...]

    @property
    def state(self) -> dict[str, str]:
        """The assertion as evidence carries it."""
        return {"assertion": self.assertion, "experiencer": self.experiencer, "temporality": self.temporality}


def _patients(subject_id: str, scopes: Sequence[str]) -> list[str]:
    return [ids.patient(subject_id, scope) for scope in scopes]


def has_patient(store: Store, subject_id: str, scopes: Sequence[str]) -> bool:
    """Whether the patient is there, in these scopes."""
    return bool(store.read("list_patients_by_key", keys=_patients(subject_id, scopes), scopes=list(scopes)))


def patient_facts(store: Store, subject_id: str, scopes: Sequence[str],
                  kinds: Sequence[str] = FACT_TYPES) -> list[Evidence]:
    """Return a patient's structured facts by admission, type and place in the table; orders read as orders."""
    parameters = {"patients": _patients(subject_id, scopes), "scopes": list(scopes), "kinds": list(kinds)}
    rows = store.read("list_facts_of_encounters", **parameters) + store.read("list_facts_of_patients", **parameters)
    rows.sort(key=lambda row: (row["admitted"] or "", row["hadm_id"] or "", FACT_TYPES.index(row["kind"]),
                               row["properties"].get("seq_num", 0), row["properties"].get("start", ""), row["key"]))
    return [_fact(row, subject_id) for row in rows]


def _fact(row: Row, subject_id: str) -> Evidence:
    valid = {name: row[name] for name in ("admitted", "discharged") if row[name]}
    valid |= {name: str(row["properties"][name]) for name in ("start", "stop", "charttime", "date")
              if name in row["properties"]}
    return fact(row["key"], f"{_admission(row)}: {_words(row)}", f"patient table, {row['kind']}", scope=row["scope"],
                tier="user", document=row["properties"]["document"], title=row["hadm_id"] or "", section=row["kind"],
                concepts=(row["concept"],), patient=subject_id, valid=valid)


def _admission(row: Row) -> str:
    if not row["hadm_id"]:
        return "Outside an admission"
    days = [str(row[name])[:10] for name in ("admitted", "discharged") if row[name]]
    return f"Admission {row['hadm_id']}" + (f" ({' to '.join(days)})" if days else "")


def _words(row: Row) -> str:
    properties, kind = row["properties"], row["kind"]
    name = properties.get("name") or row["name"]
    code = f" ({properties['code']})" if properties.get("code") else ""
    if kind == "HAS_DIAGNOSIS":
        return f"diagnosis {name}{code}"
    if kind == "HAS_PROCEDURE":
        return f"procedure {name}{code}" + (f" on {properties['date'][:10]}" if "date" in properties else "")
    if kind == "PRESCRIBED":
        return _order(name, properties)
    value = " ".join(str(properties[part]) for part in ("value", "unit") if part in properties)
    return (f"laboratory {name}: {value or 'no value'}" + (f" ({properties['flag']})" if "flag" in properties else "")
            + (f" at {properties['charttime']}" if "charttime" in properties else ""))


def _order(name: str, properties: Row) -> str:
    parts = [str(properties[part]) for part in ("dose", "dose_unit", "route") if part in properties]
    text = " ".join(["ordered as diluent" if properties.get("drug_type") == "BASE" else "ordered", name, *parts])
    times = [str(properties[part])[:10] for part in ("start", "stop") if part in properties]
    if properties.get("stop_before_start"):
        return f"{text} (start {times[0]}, stop {times[1]} recorded before it)"
    return f"{text} ({' to '.join(times)})" if times else text


def patient_mentions(store: Store, subject_id: str, scopes: Sequence[str], *, types: Sequence[str] = (),
                     concepts: Sequence[str] = ()) -> list[PatientMention]:
    """Return the mentions in a patient's documents, in reading order; of these types and concepts where given."""
    rows = store.read("list_mentions_of_patients", patients=_patients(subject_id, scopes), scopes=list(scopes),
                      types=list(types), concepts=list(concepts))
    found = [_mention(row) for row in rows]
    return sorted(found, key=lambda one: (one.title, one.document, one.spans, one.key))


def _mention(row: Row) -> PatientMention:
    flat = row["spans"]
    links = sorted((link["key"], link["name"], float(link["score"])) for link in row["concepts"] if link["key"])
    return PatientMention(
        row["key"], row["name"], row["type"], row["assertion"], row["experiencer"], row["temporality"],
        tuple(zip(flat[::2], flat[1::2], strict=True)), row["context"] or "", row["chunk"], row["section"] or "",
        row["document"], row["title"] or "", row["scope"], row["hadm_id"] or "",
        tuple(sorted(links, key=lambda link: (-link[2], link[0]))))
