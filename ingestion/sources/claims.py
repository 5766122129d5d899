"""Claims with evidence: PubHealth (TSV), FakeHealth reviews (JSON), and JSON Lines as SciFact and HealthFC have them.

A document's text is what was written *about* the claim: explanation and evidence. The claim itself is the document's
``claim``, its verdict the document's ``label``. Only a true claim is part of the text as well: words that were found to
be false, mixed or unproven are never evidence for an answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from graphkb import ids
from graphkb.errors import InputError
from graphkb.model.records import ReadReport, Section, SourceDocument, SourceInfo, Tier
from ingestion.sources import files
from ingestion.sources.claims_files import Claim, claims, is_corpus, read_corpus
from ingestion.sources.marks import Seen

SUFFIXES = (".tsv", ".csv", ".json", ".jsonl", ".tsv.gz", ".csv.gz", ".json.gz", ".jsonl.gz")
LABELS = ("true", "false", "mixture", "unproven")
# a source's word for a verdict -> ours; a bare number means something else in every data set
_LABELS = {
    "true": "true", "supported": "true", "supports": "true", "support": "true", "supports_claim": "true",
    "correct": "true", "real": "true", "entailment": "true", "false": "false", "refuted": "false",
    "refutes": "false", "refute": "false", "contradict": "false", "contradiction": "false", "contradicts": "false",
    "fake": "false", "incorrect": "false", "mixture": "mixture", "mixed": "mixture", "partly true": "mixture",
    "half true": "mixture", "unproven": "unproven", "unverified": "unproven", "nei": "unproven",
    "not enough info": "unproven", "not enough information": "unproven", "not_enough_info": "unproven",
    "neutral": "unproven", "unknown": "unproven",
}


class ClaimsSource:
    """Fact-checked claims, plain or gzip; folders are walked in a fixed order, SciFact's corpus before its claims.

    Parameters
    ----------
    paths : iterable of Path
        Files and folders.
    labels : mapping, optional
        A verdict of the files -> ``true``, ``false``, ``mixture`` or ``unproven``; needed where they are numbers.
    """

    name = "claims"

    def __init__(self, paths: Iterable[Path], tier: Tier = "literature", *, labels: Mapping[str, str] | None = None,
                 source: SourceInfo | None = None, max_bytes: int = files.MAX_DOCUMENT_BYTES) -> None:
        for label in (labels or {}).values():
            if label not in LABELS:
                raise InputError("GKB-407", where="labels", detail=f"a verdict is one of {', '.join(LABELS)}")
        self.paths = [Path(path) for path in paths]
        self.tier: Tier = tier
        self.labels = _LABELS | {name.casefold(): label for name, label in (labels or {}).items()}
        self.source = source or SourceInfo("claims", "")
        self.max_bytes = max_bytes

    def documents(self, report: ReadReport) -> Iterator[SourceDocument]:
        """Yield one document per claim; what cannot be taken is rejected and the others go on.

        Raises
        ------
        InputError
            Not one claim could be taken.
        """
        kept = 0
        with Seen() as seen:
            paths = []
            for path in files.find(self.paths, SUFFIXES, report):
                try:
                    if is_corpus(path, self.max_bytes):
                        read_corpus(path, seen, report, self.max_bytes)
                    else:
                        paths.append(path)
                except InputError as error:
                    files.reject_file(report, path, error)
            for path in paths:
                try:
                    for claim in claims(path, seen, self.max_bytes):
                        try:
                            document = self._document(claim, seen)
                        except InputError as error:
                            report.reject(str(path), claim.row, error.code, error.detail)
                            continue
                        report.keep(str(path))
                        kept += 1
                        yield document
                except InputError as error:
                    files.reject_file(report, path, error)
        files.refuse_if_nothing(report, kept)

    def _document(self, claim: Claim, seen: Seen) -> SourceDocument:
        if claim.problem:
            raise InputError(claim.code, detail=claim.problem)
        said = " ".join(claim.claim.split())
        if not said:
            raise InputError("GKB-408", detail="the claim has no words")
        label = self.labels.get(claim.label.casefold().strip(), "")
        if not label:
            raise InputError("GKB-407", detail="the verdict is no word that is known")
        bodies = [claim.explanation.strip(), claim.evidence.strip()]
        if label != "true":
            bodies = [_without(said, body) for body in bodies]
        parts = [("Claim", said if label == "true" else ""), *zip(("Explanation", "Evidence"), bodies, strict=True)]
        text, sections = _lay_out(parts)
        if "\0" in text + said:
            raise InputError("GKB-407", detail="a NUL character: this is not text")
        record = claim.id or ids.content_hash(said)
        if not seen.add("claim", record):
            raise InputError("GKB-411", detail="a claim of this identifier came before")
        properties = {"claim": said, "label": label}
        if claim.sources:
            properties["sources"] = claim.sources
        return SourceDocument(source=self.source, record=record, title=f"Claim {claim.id or record[:12]} ({label})",
                              text=text, tier=self.tier, kind="claim", sections=sections,
                              published=claim.published or None, properties={**properties})


def _without(claim: str, body: str) -> str:
    """Return a text without the very words of a claim: who explains why it is false quotes it."""
    return re.sub(r"\s+".join(map(re.escape, claim.rstrip(".!?").split())), "[the claim]", body, flags=re.IGNORECASE)


def _lay_out(parts: Iterable[tuple[str, str]]) -> tuple[str, tuple[Section, ...]]:
    text = ""
    sections: list[Section] = []
    for name, body in parts:
        if body:
            text += ("\n\n" if text else "") + f"{name}\n"
            sections.append(Section(name, len(text), len(text) + len(body)))
            text += body
    return text, tuple(sections)
