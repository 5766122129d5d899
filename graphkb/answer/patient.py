"""Answers about one patient, from that patient's tables and notes only.

What the record says is kept as it says it: a denied, possible, past, stopped or relative's finding is answered as
such and never as present. Orders are told as orders.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from graphkb import ids
from graphkb.answer.draft import Draft, narrow
from graphkb.answer.question import Part
from graphkb.model import Evidence
from graphkb.store.protocol import Store
from ingestion import sentences
from ingestion.lexicon import Lexicon
from ingestion.linking import heading_end
from ingestion.sections import role
from retrieval.concepts import same_concepts
from retrieval.fusion import Fused
from retrieval.index import Filter
from retrieval.patients import PatientMention, patient_facts, patient_mentions
from retrieval.spans import hydrate

MOST_NAMES = 12
MOST_ADMISSIONS = 3
MOST_NOTES = 2
MOST_QUOTES = 3
MOST_DESCENDANTS = 3000
# Words of a coded title that do not change what it names.
_NEUTRAL = frozenset(("acute", "benign", "chronic", "essential", "known", "other", "primary", "unspecified"))
_TITLE_END = re.compile(r"[,;(\[]|\b(?:without|with|not|due to|of unspecified|in diseases|in conditions)\b")
_FAMILY_TITLE = re.compile(r"family history", re.IGNORECASE)
_PAST_TITLE = re.compile(r"(?:personal )?history of|.*\bhistory of\b", re.IGNORECASE)
_TAIL = re.compile(r"(?: \((?:[A-Z0-9]+:[^()]*|[\d-]+(?: to [\d-]+)?|start [^()]*|status [^()]*)\)"
                   r"| on \d{4}-\d\d-\d\d)+$")
_BULLET = re.compile(r"^\s*(?:\d{1,3}[.)]|[-*•#])\s+")
_STATES = ("stopped", "present", "historical", "planned", "possible", "absent", "hypothetical", "family", "allergy")
# the frames whose state the evidence must carry; an allergy is told by the mention's type
_CHECKED = {state: state for state in _STATES if state != "allergy"}
_SAYS = {
    "present": "Yes: {name} is recorded as present.",
    "historical": "{name} is recorded as history.",
    "stopped": "{name} is recorded as stopped.",
    "planned": "{name} is recorded as planned, not as done.",
    "possible": "{name} is recorded as possible, not as confirmed.",
    "absent": "No: {name} is recorded as absent.",
    "hypothetical": "{name} is named only as something that could happen.",
    "family": "Not of the patient: {name} is recorded for somebody else (family).",
    "allergy": "{name} is recorded as an allergy.",
}


@dataclass(frozen=True, slots=True)
class Found:
    """Sentences about a patient, and findings that contradict each other."""

    drafts: list[Draft]
    conflicts: list[dict[str, object]]
    missing: str = ""


class PatientRecord:
    """What one patient's tables and notes say, read on demand and only within the given scopes."""

    def __init__(self, store: Store, subject_id: str, scopes: Sequence[str], lexicon: Lexicon) -> None:
        self._store = store
        self._lexicon = lexicon
        self.subject_id = subject_id
        self._scopes = tuple(scopes)
        self._keys = [ids.patient(subject_id, scope) for scope in scopes]

    def answer(self, part: Part) -> Found | None:
        """Return what the record says on a part, or None where its kind is answered from text."""
        match part.kind:
            case "finding":
                return self._finding(part) if part.concepts else None
            case "medications":
                return self._medications(part)
            case "allergies":
                return Found(self._sections("allergies"), [], "The record has no list of allergies.")
            case "family_history":
                return self._family(part)
            case "procedures":
                facts = self._by_admission(["HAS_PROCEDURE"], "procedure ")
                return Found(facts or self._sections("procedures"), [], "The record has no procedure.")
            case "diagnoses":
                facts = self._by_admission(["HAS_DIAGNOSIS"], "diagnosis ")
                return Found(facts or self._sections("diagnosis"), [], "The record has no diagnosis.")
            case _:
                return None

    # -- one finding --------------------------------------------------------------------------------------------

    def _finding(self, part: Part) -> Found:
        wanted = self._descendants(part.concepts)
        name = max((f.text for f in part.focus), key=len)
        groups: dict[str, list[Evidence]] = {}
        everything = patient_mentions(self._store, self.subject_id, self._scopes)
        sure = {m.key for m in everything if self._names(m.name, _best(m), wanted)}
        maybe = {m.key for m in everything if any(key in wanted for key, _, _ in m.concepts)} - sure
        for mention, quote in self._quotes([m for m in everything if m.key in sure | maybe]):
            groups.setdefault(_state(mention) if mention.key in sure else "unclear", []).append(quote)
        kinds = ("HAS_DIAGNOSIS", "HAS_PROCEDURE", "PRESCRIBED")
        for fact in patient_facts(self._store, self.subject_id, self._scopes, kinds):
            title = _title(fact)
            if self._names(title, fact.concepts, wanted):
                groups.setdefault(_fact_state(fact, title), []).append(fact)
        drafts = [draft for state in _STATES if state in groups
                  for draft in self._say(state, name, groups[state])][:3 * (1 + MOST_QUOTES)]
        if "ordered" in groups:
            drafts.append(_composed(f"{_capital(name)} was ordered; an order is not an intake.", groups["ordered"][:2]))
        if "unclear" in groups and not drafts:
            quotes = _distinct(groups["unclear"])[:MOST_QUOTES]
            drafts.append(_composed(f"{_capital(name)} may be meant, by a name with several meanings.", quotes))
            drafts += [Draft(" ".join(quote.text.split()), (quote,), "verbatim", 0.5) for quote in quotes]
        if "present" in groups:  # an order is no intake: beside it, a denial stays an answer
            # what is there answers; the rest is shown as a conflict, not as a second answer
            drafts = [draft for draft in drafts if not draft.text.startswith("No:")]
        if "stopped" in groups:
            drafts = [replace(draft, text=draft.text.replace("Yes:", "Elsewhere", 1)) for draft in drafts]
        return Found(drafts, _conflict(name, groups), f"The record does not mention {name}.")

    def _names(self, name: str, concepts: Iterable[str], wanted: set[str]) -> bool:
        """Return whether a name, by its concepts or by what a coded title is about, is one of the wanted concepts."""
        keys = set(concepts)
        if keys and keys <= wanted:
            return True
        words = _TITLE_END.split(name, maxsplit=1)[0].split()
        while words:
            links = self._lexicon.lookup(" ".join(words))
            if any(link.concept in wanted for link in links if link.score == links[0].score):
                return True
            if words[0].casefold() not in _NEUTRAL:
                return False
            words = words[1:]
        return False

    def _say(self, state: str, name: str, evidence: list[Evidence]) -> Iterable[Draft]:
        quotes = _distinct(evidence)[:MOST_QUOTES]
        told = replace(_composed(_capital(_SAYS[state].format(name=name)), quotes), state=_CHECKED.get(state, ""))
        yield told
        for quote in quotes:
            if quote.kind == "fact":
                yield replace(_composed(_shown(quote), [quote]), names=(quote.text,))
            else:
                yield Draft(_shown(quote), (quote,), "verbatim", 0.9)

    def _descendants(self, concepts: Iterable[str]) -> set[str]:
        """Return concepts with all that is below them or the same by review; a cap ends it, cycles too."""
        seen = same_concepts(self._store, concepts, self._scopes)
        level = sorted(seen)
        while level and len(seen) < MOST_DESCENDANTS:
            below = {row["key"] for row in self._store.read("list_isa_children", keys=level)}
            level = sorted(below - seen)
            seen |= below
        return same_concepts(self._store, seen, self._scopes)

    # -- lists --------------------------------------------------------------------------------------------------

    def _medications(self, part: Part) -> Found:
        ordered = {"order", "prescrib"} & part.terms
        drafts = [] if ordered else self._medication_list(part)
        if not drafts:
            drafts = self._by_admission(["PRESCRIBED"], "ordered ", skip="ordered as diluent")
        return Found(drafts, [], "The record has no medication.")

    def _medication_list(self, part: Part) -> list[Draft]:
        wanted = "medications_admission" if "admiss" in part.terms else "medications_discharge"
        notes: dict[str, list[tuple[PatientMention, Evidence]]] = {}
        for mention, quote in self._quotes(patient_mentions(self._store, self.subject_id, self._scopes)):
            if (role(mention.section) in (wanted, "medications") and mention.type != "allergy"
                    and mention.experiencer == "patient" and mention.assertion == "present"):
                notes.setdefault(mention.title, []).append((mention, quote))
        label = "admission" if wanted == "medications_admission" else "discharge"
        drafts: list[Draft] = []
        # before the admission is the past of the note: a list on admission is told as the list it is
        listed = ("current", "historical") if label == "admission" else ("current",)
        for title in sorted(notes, key=_natural, reverse=True)[:MOST_NOTES]:
            for states, frame in ((listed, f"Medications at {label}"), (("planned",), "Planned"),
                                  (("stopped",), "Stopped")):
                pairs = [(m, q) for m, q in notes[title] if m.temporality in states]
                if pairs:
                    drafts.append(self._joined(_list(f"{frame}, note {title}", pairs)))
        return drafts

    def _joined(self, draft: Draft) -> Draft:
        """Return the draft with neighbouring lines of one chunk as one piece of evidence."""
        lines: dict[str, list[Evidence]] = {}
        for piece in draft.evidence:
            lines.setdefault(piece.chunk or piece.id, []).append(piece)
        whole = {piece.chunk: piece for piece in self._chunks(list(lines), "list")}
        joined = []
        for chunk, pieces in lines.items():
            start = min(piece.location["start"] for piece in pieces) - whole[chunk].location["start"]
            end = max(piece.location["end"] for piece in pieces) - whole[chunk].location["start"]
            joined.append(narrow(whole[chunk], start, end, 1.0, f"{len(pieces)} lines of a list"))
        return replace(draft, evidence=tuple(joined))

    def _family(self, part: Part) -> Found:
        everything = patient_mentions(self._store, self.subject_id, self._scopes)
        mentions = [mention for mention in everything if mention.experiencer == "family"]
        focus = [f for f in part.focus if not _FAMILY_TITLE.match(f.text)]
        wanted = self._descendants(key for f in focus for key in f.concepts)
        about = [m for m in mentions if any(key in wanted for key, _, _ in m.concepts)]
        if focus and not about:
            return Found([], [], f"The record names no relative with {max((f.text for f in focus), key=len)}.")
        quotes = _distinct([quote for _, quote in self._quotes(about or mentions)])
        drafts = [Draft(" ".join(q.text.split()), (q,), "verbatim", 0.9) for q in quotes[:2 * MOST_QUOTES]]
        return Found(drafts or self._sections("family_history"), [], "The record says nothing of the family.")

    def _by_admission(self, kinds: Sequence[str], prefix: str, skip: str = "") -> list[Draft]:
        admissions: dict[str, list[Evidence]] = {}
        for fact in patient_facts(self._store, self.subject_id, self._scopes, kinds):
            head, words = fact.title, fact.text
            if words.startswith(prefix) and not (skip and words.startswith(skip)):
                admissions.setdefault(head, []).append(fact)
        drafts = []
        latest = sorted(admissions, key=lambda head: admissions[head][0].valid.get("admitted", ""), reverse=True)
        for head in latest[:MOST_ADMISSIONS]:
            names: dict[str, Evidence] = {}
            for fact in admissions[head]:
                words = fact.text.removeprefix(prefix)
                names.setdefault(_bare(words), fact)
            shown = dict(list(names.items())[:MOST_NAMES])
            more = ", and others" if len(names) > len(shown) else ""
            frame = "ordered " if prefix == "ordered " else ""
            listed = _composed(f"{head}: {frame}{'; '.join(shown)}{more}.", list(shown.values()))
            drafts.append(replace(listed, names=tuple(shown)))
        return drafts

    def _sections(self, wanted: str) -> list[Draft]:
        rows = self._store.read("list_patient_chunks", patients=self._keys, scopes=list(self._scopes))
        keys = [row["key"] for row in rows if role(row["section"] or "") == wanted]
        pieces = _distinct(_body(piece) for piece in self._chunks(keys, f"section {wanted.replace('_', ' ')}"))
        return [Draft(f"{piece.section} ({piece.title}): {' '.join(piece.text.split())}", (piece,), "composed", 0.8)
                for piece in pieces[:MOST_QUOTES] if piece.text]

    # -- reading ------------------------------------------------------------------------------------------------

    def _chunks(self, keys: Sequence[str], why: str) -> list[Evidence]:
        where = Filter(self._scopes, patient=self.subject_id)
        found = [Fused(key, 1.0, why) for key in dict.fromkeys(keys)]
        return hydrate(self._store, found, where, len(found)) if found else []

    def _quotes(self, mentions: Sequence[PatientMention]) -> list[tuple[PatientMention, Evidence]]:
        """Return each mention with the sentence it stands in."""
        chunks = {piece.chunk: piece for piece in self._chunks([m.chunk for m in mentions], "mention")}
        out = []
        for mention in mentions:
            piece = chunks.get(mention.chunk)
            if piece is None:
                continue
            at = mention.spans[0][0] - piece.location["start"]
            start, end = next(((s, e) for s, e in sentences.split(piece.text) if s <= at < e), (0, len(piece.text)))
            quote = narrow(piece, start, end, 1.0, f"mention of {mention.name}, {_state(mention)}")
            # two mentions of one sentence may be told in two states: each is evidence of its own
            out.append((mention, replace(quote, id=f"{quote.id}:{_state(mention)}", assertion=mention.state,
                                         concepts=tuple(key for key, _, _ in mention.concepts))))
        return out


def _body(piece: Evidence) -> Evidence:
    """Return a section's chunk without the heading that may stand at its start."""
    start = heading_end(piece.text, piece.section)
    return narrow(piece, start, len(piece.text), 1.0, piece.why) if start else piece


def _state(mention: PatientMention) -> str:
    if mention.type == "allergy":
        return "absent" if mention.assertion == "absent" else "allergy"
    if mention.experiencer != "patient":
        return "family"
    if mention.assertion != "present":
        return "hypothetical" if mention.assertion == "conditional" else mention.assertion
    return "present" if mention.temporality == "current" else mention.temporality


def _conflict(name: str, groups: dict[str, list[Evidence]]) -> list[dict[str, object]]:
    against = [state for state in ("absent", "stopped") if state in groups]
    if "present" not in groups or not against:
        return []
    sides = {state: [{"id": e.id, "title": e.title, "text": _shown(e)} for e in groups[state][:3]]
             for state in ("present", *against)}
    return [{"what": f"{name} is recorded as present and as {' and as '.join(against)}", "sides": sides}]


def _composed(text: str, evidence: Sequence[Evidence]) -> Draft:
    return Draft(text, tuple(evidence), "composed", 0.9)


def _shown(piece: Evidence) -> str:
    """Return a piece as a sentence of its own; a row of a table with the admission it is of."""
    text = " ".join(piece.text.split())
    return f"{piece.title}: {text}" if piece.kind == "fact" else text


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _distinct(pieces: Iterable[Evidence]) -> list[Evidence]:
    seen: dict[str, Evidence] = {}
    for piece in pieces:
        seen.setdefault(_shown(piece).casefold(), piece)
    return list(seen.values())


def _list(head: str, pairs: Sequence[tuple[PatientMention, Evidence]]) -> Draft:
    lines = list(dict.fromkeys(_BULLET.sub("", " ".join(quote.text.split())) for _, quote in pairs))
    draft = _composed(f"{head}: {'; '.join(lines)}.", [quote for _, quote in pairs])
    return replace(draft, names=tuple(lines))


def _best(mention: PatientMention) -> list[str]:
    """Return the concepts of the best link, where it is one meaning or several that are as good and all alike."""
    return [key for key, _, score in mention.concepts if score == mention.concepts[0][2]]


def _natural(title: str) -> list[tuple[int, str]]:
    """Return a sort key in which numbers count as numbers: note 9 before note 21."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", title)]


def _title(fact: Evidence) -> str:
    """Return the name in a fact's words: "diagnosis NAME (ICD9CM:...)"."""
    return _bare(fact.text.removeprefix("diagnosis ").removeprefix("procedure ").removeprefix("ordered "))


def _fact_state(fact: Evidence, title: str) -> str:
    if fact.section == "PRESCRIBED":
        return "ordered"
    if _FAMILY_TITLE.match(title):
        return "family"
    return "historical" if _PAST_TITLE.match(title) else "present"


def _bare(words: str) -> str:
    """Return a fact's words without its code and dates: what a list shows."""
    return _TAIL.sub("", words)
