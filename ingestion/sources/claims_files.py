"""Files of claims, one claim at a time, whatever their shape."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphkb.errors import InputError
from graphkb.model.records import ReadReport
from ingestion.sources import files
from ingestion.sources.marks import Seen, first, lines, text_of

_CLAIM = ("claim", "claim_text", "en_claim", "statement", "title")
_EXPLANATION = ("explanation", "en_explanation", "justification", "rationale", "ruling_outline")
_EVIDENCE = ("main_text", "evidence_text", "en_text", "en_top_sentences", "evidence", "evidence_sentences", "sentences")
_LABEL = ("label", "verdict", "rating", "gold_label", "en_label")
_ID = ("claim_id", "id", "news_id")
_SOURCES = ("sources", "source", "source_link", "link", "url")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}|\d{4}")
GOOD_REVIEW = 3  # FakeHealth: fewer than three of five stars is fake news


@dataclass(slots=True)
class Claim:
    """A claim as it stands; ``problem`` says why it cannot be taken."""

    row: int
    id: str = ""
    claim: str = ""
    label: str = ""
    explanation: str = ""
    evidence: str = ""
    sources: str = ""
    published: str = ""
    problem: str = ""
    code: str = "GKB-406"


def is_corpus(path: Path, max_bytes: int) -> bool:
    """Whether a file is SciFact's corpus: abstracts as lists of sentences, by ``doc_id``."""
    for _, line in lines(path, max_bytes):
        if line.strip():
            value = _json(line)
            return isinstance(value, dict) and "doc_id" in value and isinstance(value.get("abstract"), list)
    return False


def read_corpus(path: Path, seen: Seen, report: ReadReport, max_bytes: int) -> None:
    """Remember the abstracts that the claims' evidence is in."""
    for number, line in lines(path, max_bytes):
        if not line.strip():
            continue
        value = _json(line)
        if not isinstance(value, dict) or not isinstance(value.get("abstract"), list) or "doc_id" not in value:
            report.reject(str(path), number, "GKB-407", "not an abstract of a corpus")
        elif seen.name(f"corpus:{value['doc_id']}", json.dumps([str(one) for one in value["abstract"]]), ""):
            report.keep(str(path))
        else:
            report.reject(str(path), number, "GKB-411", "an abstract of this id came before")


def claims(path: Path, seen: Seen, max_bytes: int) -> Iterator[Claim]:
    """Yield the claims of a TSV, CSV, JSON or JSON Lines file.

    Raises
    ------
    InputError
        The file as a whole: GKB-401 to 405, 410.
    """
    with files.open_binary(path) as handle, files.broken_gzip(path):
        opening = handle.read(64).lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    if opening == b"[":
        yield from _from_array(path, max_bytes)
    elif opening == b"{":
        yield from _from_lines(path, seen, max_bytes)
    else:
        yield from _from_table(path)


def _from_array(path: Path, max_bytes: int) -> Iterator[Claim]:
    try:
        values = json.loads(files.read_text(path, max_bytes))
    except (ValueError, RecursionError):
        raise InputError("GKB-405", where=str(path), detail="it is not JSON") from None
    for number, value in enumerate(values, 1):
        yield _claim(number, value, None)


def _from_lines(path: Path, seen: Seen, max_bytes: int) -> Iterator[Claim]:
    source = lines(path, max_bytes)
    read = [(number, line) for number, line in _take(source, 2)]
    if read and _json(read[0][1]) is None:  # one object over several lines
        value = _json(files.read_text(path, max_bytes))
        if value is None:
            raise InputError("GKB-405", where=str(path), detail="it is neither JSON nor JSON Lines")
        yield _claim(1, value, seen)
        return
    for number, line in (*read, *source):
        if line.strip():
            value = _json(line)
            yield Claim(number, problem="a line is not JSON") if value is None else _claim(number, value, seen)


def _take(source: Iterator[tuple[int, str]], count: int) -> Iterator[tuple[int, str]]:
    for _ in range(count):
        one = next(source, None)
        if one is not None:
            yield one


def _from_table(path: Path) -> Iterator[Claim]:
    """Read a table with a header; fields may be quoted and hold line ends, as PubHealth's do."""
    csv.field_size_limit(files.MAX_FIELD_CHARS)
    number = 0
    with files.open_binary(path) as binary, files.broken_gzip(path):
        handle = io.TextIOWrapper(binary, encoding="utf-8-sig", newline="")
        try:
            head = handle.readline(files.MAX_FIELD_CHARS)
            tab = "\t" in head
            header = [name.strip().strip('"').casefold() for name in head.rstrip("\r\n").split("\t" if tab else ",")]
            if not set(header) & set(_CLAIM) or not set(header) & set(_LABEL):
                raise InputError("GKB-405", where=str(path), detail="missing columns: claim, label")
            for cells in csv.reader(handle, delimiter="\t" if tab else ","):
                if not any(cells):
                    continue
                number += 1
                if len(cells) != len(header):
                    yield Claim(number, problem=f"{len(cells)} fields instead of {len(header)}")
                else:
                    yield _claim(number, dict(zip(header, cells, strict=True)), None)
        except UnicodeDecodeError:
            raise InputError("GKB-403", where=f"{path}, after row {number}") from None
        except csv.Error:
            raise InputError("GKB-406", where=f"{path}, after row {number}", detail="a field is malformed") from None


def _json(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _claim(number: int, value: Any, seen: Seen | None) -> Claim:
    if not isinstance(value, dict):
        return Claim(number, problem="a claim is not an object")
    fields = {str(name).casefold(): one for name, one in value.items()}
    if isinstance(fields.get("criteria"), list):
        return _review(number, fields)
    evidence, labels, missing = _evidence(fields.get("evidence"), seen)
    if missing:
        return Claim(number, problem="its evidence is in a corpus that is not among the files", code="GKB-409")
    if not evidence:
        evidence = first(fields, [name for name in _EVIDENCE if name != "evidence"])
        evidence = evidence.replace("|", "\n") if isinstance(fields.get("sentences"), list) else evidence
    label = first(fields, _LABEL)
    if not label and len(labels) == 1:
        label = next(iter(labels))
    if not label and "evidence" in fields and not fields["evidence"]:
        label = "not enough info"  # SciFact: a claim that no abstract speaks of
    day = _DATE.match(first(fields, ("date_published", "published", "date")))
    return Claim(number, first(fields, _ID), first(fields, _CLAIM), label if len(labels) < 2 else "mixture",
                 first(fields, _EXPLANATION), evidence, first(fields, _SOURCES), day[0] if day else "")


def _evidence(value: Any, seen: Seen | None) -> tuple[str, set[str], bool]:
    """Return the evidence's text, the verdicts that stand with it, and whether an abstract of it is missing."""
    if isinstance(value, Mapping):
        return _of_corpus(value, seen)
    found: list[str] = []
    labels: set[str] = set()
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, Mapping):
            found.append(first(dict(one), ("text", "sentence", "evidence", "content")))
            labels.update(filter(None, [text_of(one.get("label")).casefold()]))
        elif isinstance(one, list):
            found.extend(text_of(part) for part in one)
        else:
            found.append(text_of(one))
    return "\n".join(filter(None, found)), labels, False


def _of_corpus(value: Mapping[Any, Any], seen: Seen | None) -> tuple[str, set[str], bool]:
    found: list[str] = []
    labels: set[str] = set()
    for document, sets in value.items():
        abstract = json.loads(seen.named(f"corpus:{document}")[0] or "[]") if seen is not None else []
        for one in sets if isinstance(sets, list) else []:
            if not isinstance(one, Mapping):
                continue
            labels.update(filter(None, [text_of(one.get("label")).casefold()]))
            for place in one.get("sentences") or []:
                if not isinstance(place, int) or not 0 <= place < len(abstract):
                    return "", labels, True
                found.append(" ".join(abstract[place].split()))
    return "\n".join(dict.fromkeys(found)), labels, False


def _review(number: int, fields: dict[str, Any]) -> Claim:
    """Read a FakeHealth review: the news is the claim, the reviewers' words are the explanation."""
    try:
        rating = float(fields.get("rating"))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return Claim(number, problem="a review without a rating", code="GKB-407")
    answers = []
    for one in fields["criteria"]:
        if isinstance(one, dict) and (words := text_of(one.get("explanation"))):
            answers.append(f"{text_of(one.get('question'))} {text_of(one.get('answer'))}: {words}".strip())
    summary = fields.get("summary")
    said = [text_of(one) for one in summary.values()] if isinstance(summary, dict) else [text_of(summary)]
    day = _DATE.match(first(fields, ("publish_date", "published", "date")))
    return Claim(number, first(fields, _ID), first(fields, ("original_title", "title")),
                 "true" if rating >= GOOD_REVIEW else "false", "\n\n".join(filter(None, said)), "\n\n".join(answers),
                 first(fields, ("source_link", "link", "source")), day[0] if day else "")
