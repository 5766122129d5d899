"""What the tables and the notes say of one patient."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from graphkb import ids
from graphkb.model import Evidence
from graphkb.model.facts import words
from graphkb.model.predicates import FACT_TYPES
from graphkb.store.protocol import Row, Store
from retrieval.facts import fact

_TIMES = ("start", "stop", "charttime", "date", "first_time", "last_time")
# after every numbered row
_LAST = 1_000_000


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
    """Return a patient's structured facts by admission, type and place in the table; orders read as orders.

    The text of each is its line in its record's text, with its place there (``location``, ``chunk``); ``title`` says
    which admission it is of.
    """
    parameters = {"patients": _patients(subject_id, scopes), "scopes": list(scopes), "kinds": list(kinds)}
    rows = store.read("list_facts_of_encounters", **parameters) + store.read("list_facts_of_patients", **parameters)
    rows.sort(key=lambda row: (row["admitted"] or "", row["hadm_id"] or "", FACT_TYPES.index(row["kind"]),
                               row["properties"].get("seq_num", _LAST), str(row["properties"].get("start", "")),
                               row["key"]))
    lines = _Lines(store, rows)
    return [_fact(row, subject_id, lines) for row in rows]


class _Lines:
    """The chunks of records' texts, to read the lines of facts from."""

    def __init__(self, store: Store, rows: Sequence[Row]) -> None:
        documents = sorted({row["properties"]["document"] for row in rows if row["properties"].get("text_end")})
        chunks = store.read("list_document_chunks", documents=documents) if documents else []
        self._chunks: dict[str, list[Row]] = {}
        for chunk in sorted(chunks, key=lambda chunk: (chunk["document"], chunk["start"])):
            self._chunks.setdefault(chunk["document"], []).append(chunk)

    def line(self, properties: Row) -> tuple[str, str, dict[str, int]] | None:
        """Return a fact's line, its chunk and its place; None where it has none."""
        start, end = properties.get("text_start", 0), properties.get("text_end", 0)
        chunks = self._chunks.get(properties["document"], ())
        place = bisect_right(chunks, start, key=lambda chunk: chunk["start"]) - 1
        if not end or place < 0 or chunks[place]["end"] < end:
            return None
        chunk = chunks[place]
        return chunk["text"][start - chunk["start"] : end - chunk["start"]], chunk["key"], {"start": start, "end": end}


def _fact(row: Row, subject_id: str, lines: _Lines) -> Evidence:
    properties = row["properties"]
    valid = {name: row[name] for name in ("admitted", "discharged") if row[name]}
    valid |= {name: str(properties[name]) for name in _TIMES if name in properties}
    text, chunk, location = lines.line(properties) or (
        words(row["kind"], properties.get("name") or row["name"], properties.get("code", ""), properties), None, {})
    return fact(row["key"], text, f"patient table, {row['kind']}", scope=row["scope"], tier="user",
                document=properties["document"], title=_admission(row), section=row["kind"],
                concepts=(row["concept"],), patient=subject_id, valid=valid, chunk=chunk, location=location)


def _admission(row: Row) -> str:
    if not row["hadm_id"]:
        return "Outside an admission"
    days = [str(row[name])[:10] for name in ("admitted", "discharged") if row[name]]
    return f"Admission {row['hadm_id']}" + (f" ({' to '.join(days)})" if days else "")


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
