"""From a question to an answer: parts, evidence, sentences, checks, abstention."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from graphkb.answer import question as asking
from graphkb.answer import vocabulary
from graphkb.answer.aims import WEIGHT
from graphkb.answer.draft import Draft, number
from graphkb.answer.extract import Candidate, candidates, in_order, select, sufficiency
from graphkb.answer.options import choose
from graphkb.answer.patient import PatientRecord
from graphkb.answer.question import Part
from graphkb.answer.verify import verify
from graphkb.config import Settings
from graphkb.embed import Encoder, encode_pooled
from graphkb.errors import AnswerError
from graphkb.model import Answer, Evidence, Query, Sentence, Tier
from graphkb.store.protocol import Store
from ingestion.lexicons import Lexicons
from retrieval.evidence import reread
from retrieval.hybrid import HybridRetriever
from retrieval.index import ChunkIndex, Filter
from retrieval.patients import has_patient
from retrieval.text import terms

MOST_GLOSSARY = 4
# A patient that no record can have: user-tier text that is about some patient stays out of general questions.
NOBODY = ""


@dataclass(slots=True)
class Work:
    """What is gathered while an answer is made."""

    drafts: list[Draft] = field(default_factory=list)
    conflicts: list[dict[str, Any]] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    unanswered: list[str] = field(default_factory=list)
    confidence: list[float] = field(default_factory=list)
    trace: dict[str, Any] = field(default_factory=dict)
    choice: str | None = None

    def miss(self, part: Part, why: str) -> None:
        """Note a part of the question that stays without an answer."""
        self.missing.append(why)
        self.unanswered.append(part.text.strip(" ?") + "?")


class Engine:
    """Answers questions from one store."""

    def __init__(self, store: Store, index: ChunkIndex, retriever: HybridRetriever, encoder: Encoder,
                 lexicons: Lexicons, settings: Settings) -> None:
        self._store = store
        self._index = index
        self._retriever = retriever
        self._encoder = encoder
        self._lexicons = lexicons
        self._settings = settings

    def answer(self, query: Query, method: str = "auto") -> Answer:
        """Answer a question, each sentence with its checked evidence, or abstain and say what is missing.

        Raises
        ------
        AnswerError
            GKB-701 (empty question), GKB-702 (no such patient in these scopes).
        """
        began = time.monotonic()
        if not query.question.strip():
            raise AnswerError("GKB-701")
        patient = query.patient or asking.patient_in(query.question)
        if patient and not has_patient(self._store, patient, query.scopes):
            raise AnswerError("GKB-702", where="--patient" if query.patient else "question")
        query = replace(query, patient=patient or NOBODY)
        work = Work()
        others = asking.patients_in(query.question) - {patient}
        if others:
            work.missing.append("The question names more than one patient: ask about one at a time.")
        elif patient is None and asking.about_a_patient(query.question):
            work.missing.append("The question is about a patient and does not say whom: name one with --patient.")
        else:
            self._work(query, work)
        answer = self._finish(query, work, method)
        answer.usage["ms"] = round(1000 * (time.monotonic() - began), 1)
        return answer

    def _work(self, query: Query, work: Work) -> None:
        lexicon = self._lexicons.get(query.scopes[-1])
        parts = asking.parts(query.question, lexicon, patient=bool(query.patient))
        work.trace["parts"] = [{"text": p.text, "kind": p.kind, "concepts": sorted(p.concepts)} for p in parts]
        if query.options:
            self._choose(query, parts, work)
            return
        share = max(1, self._settings.answer.max_sentences // len(parts))
        for part in parts:
            if query.patient:
                self._patient_part(query, part, share, work)
            else:
                self._general_part(query, part, share, work)

    # -- parts --------------------------------------------------------------------------------------------------

    def _patient_part(self, query: Query, part: Part, share: int, work: Work) -> None:
        notes = replace(query, tiers=("user",))
        if part.kind in asking.LISTS and part.beyond and self._text_part(notes, part, share, work, must=False):
            return
        record = PatientRecord(self._store, query.patient or NOBODY, query.scopes, self._lexicons.get(query.scopes[-1]))
        found = record.answer(part)
        if found is None:
            self._text_part(notes, part, share, work)
            return
        work.drafts += found.drafts
        work.conflicts += found.conflicts
        if found.drafts:
            work.confidence.append(0.9)
        else:
            work.miss(part, found.missing)

    def _general_part(self, query: Query, part: Part, share: int, work: Work) -> None:
        drafts = vocabulary.answer(self._store, part, query.scopes, as_of=query.as_of,
                                   release=query.release)
        if drafts:
            work.drafts += drafts
            work.confidence.append(max(draft.score for draft in drafts))
        else:
            self._text_part(query, part, share, work)

    def _text_part(self, query: Query, part: Part, share: int, work: Work, *, must: bool = True) -> bool:
        """Answer from text; return whether it could be. ``must``: nothing else answers it where text does not."""
        pieces = self._retriever.retrieve(replace(query, question=part.text))
        rarity = self._rarity(part.wanted, query)
        question = encode_pooled(self._encoder, part.text)[0]
        found = candidates(pieces, question, part, rarity, self._encoder, self._lexicons.get(query.scopes[-1]))
        chosen = [one for one in select(found, part.wanted, rarity, share) if one.span.about]
        unknown = frozenset(term for term in part.asked if rarity.get(term, 0.0) >= rarity["?"])
        confidence = sufficiency(chosen, part.wanted, rarity, unknown)
        work.trace.setdefault("sufficiency", []).append({"part": part.text, "confidence": round(confidence, 3)})
        if confidence >= self._settings.answer.min_confidence:
            work.drafts += [candidate.draft() for candidate in in_order(chosen)]
            work.confidence.append(confidence)
            return True
        if must:
            work.miss(part, _missing(part, chosen, rarity))
        return False

    def _rarity(self, wanted: Iterable[str], query: Query) -> dict[str, float]:
        """Return how rare the wanted terms are; under "?" the rarity of a term that no text has."""
        known = self._index.rarity(["?", *sorted(term for term in wanted if term[0] != "?")], Filter.of(query))
        return {**dict.fromkeys(wanted, WEIGHT), **known}

    def _choose(self, query: Query, parts: Sequence[Part], work: Work) -> None:
        lexicon = self._lexicons.get(query.scopes[-1])
        whole = parts[0] if len(parts) == 1 else asking.part(query.question, lexicon, patient=bool(query.patient))
        tiers: tuple[Tier, ...] = ("user",) if query.patient else query.tiers
        pieces = self._retriever.retrieve(replace(query, tiers=tiers, k=max(query.k, 10)))
        rarity = self._rarity(whole.wanted.union(*(terms(option) for option in query.options)), query)
        choice = choose(whole, query.options, pieces, rarity, self._encoder, lexicon)
        work.trace["options"] = {option: round(worth, 3) for option, worth in choice.worth.items()}
        if choice.best is None or choice.sentence is None:
            work.miss(whole, choice.missing)
            return
        work.choice = choice.best
        work.drafts.append(choice.sentence.draft())
        work.confidence.append(min(0.95, choice.worth[choice.best] + 0.2))

    # -- the end ------------------------------------------------------------------------------------------------

    def _finish(self, query: Query, work: Work, method: str) -> Answer:
        pieces = list({piece.id: piece for draft in work.drafts for piece in draft.evidence}.values())
        holds = dict(zip((piece.id for piece in pieces), self._reread(pieces, query), strict=True))
        kept, struck = verify(work.drafts, lambda piece: holds[piece.id])
        if struck:
            work.trace["struck"] = struck
        missing = list(dict.fromkeys(work.missing))
        if not kept:
            text = " ".join(missing) or "The evidence did not pass the check."
            return Answer(query.question, text, True, 0.0, [], [], method, conflicts=work.conflicts, trace=work.trace)
        evidence, numbers = number(kept)
        sentences = [Sentence(draft.text, own, True) for draft, own in zip(kept, numbers, strict=True)]
        texts = [sentence.text for sentence in sentences]
        if missing:
            work.trace |= {"missing": missing, "unanswered": work.unanswered}
            texts.append("Not answered: " + " ".join(f"{part} {why}" for part, why in
                                                     zip(work.unanswered, work.missing, strict=True)))
        confidence = sum(work.confidence) / (len(work.confidence) + len(work.missing))
        return Answer(query.question, " ".join(texts), False, round(confidence, 3), sentences, evidence, method,
                      choice=work.choice, conflicts=work.conflicts, trace=work.trace,
                      glossary=self._glossary(evidence, query))

    def _reread(self, pieces: Sequence[Evidence], query: Query) -> list[bool]:
        return reread(self._store, pieces, query.scopes, as_of=query.as_of, release=query.release)

    def _glossary(self, evidence: Sequence[Evidence], query: Query) -> dict[str, str]:
        asked = [key for part in self._parts_concepts(query) for key in part]
        return vocabulary.glossary(self._store, asked, query.scopes, MOST_GLOSSARY, query.release) if any(
            piece.kind == "span" for piece in evidence) else {}

    def _parts_concepts(self, query: Query) -> list[tuple[str, ...]]:
        lexicon = self._lexicons.get(query.scopes[-1])
        return [tuple(link.concept for link in match.candidates[:1]) for match in lexicon.find(query.question, ())]


def _missing(part: Part, chosen: Sequence[Candidate], rarity: dict[str, float]) -> str:
    have = frozenset[str]().union(*(candidate.terms for candidate in chosen if candidate.span.about))
    words = [word.strip(".,;:?!()\"'") for word in part.text.split()
             if (own := frozenset(terms(word))) and own <= part.wanted and not own <= have]
    rare = sorted(dict.fromkeys(words), key=lambda word: -max(rarity.get(term, 0.0) for term in terms(word)))
    about = f": nothing that was found speaks of {', '.join(rare[:3])}" if rare else ""
    return f"There is not enough evidence for an answer{about}."
