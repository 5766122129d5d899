"""Keys: the only place where identity is made.

A key names what a thing *is*, not when or by whom it was written, so that writing it again changes nothing and
the order of writing does not matter. Hashed keys are the first 128 bits of SHA-256 over the canonical JSON of
``[kind, *parts]``: an array of strings has one reading, so no two different part lists share an input.

Every kind that can hold private text takes the scope as its first part; things that are public by nature
(a vocabulary's concept) have a readable key, and the same thing known only from a private table is salted by scope.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping

from graphkb.errors import ConfigError

PUBLIC = "public"
LOCAL = "local"
# one encoder for all keys: making one per key costs more than the hash
_canonical = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_SCOPE = re.compile(r"[a-z][a-z0-9_-]{0,63}")


def digest(kind: str, *parts: str) -> str:
    """Return 32 hex digits that name ``(kind, parts)``.

    Raises
    ------
    TypeError
        A part is not a string: ``1``, ``"1"`` and ``1.0`` must not be one key by accident.
    """
    for part in parts:
        if not isinstance(part, str):
            raise TypeError(f"a key's parts are strings, got {type(part).__name__} for {kind}")
    # surrogatepass: a lone surrogate must not crash the run, and must not collide with anything either.
    return hashlib.sha256(_canonical([kind, *parts]).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def check_scope(scope: str) -> str:
    """Return the scope, or raise `ConfigError` GKB-105 where it is not a valid name."""
    if not _SCOPE.fullmatch(scope):
        raise ConfigError("GKB-105", where="scope")
    return scope


def content_hash(text: str, *more: str) -> str:
    """Return the SHA-256 (64 hex digits) of a document's text and of whatever else makes its content."""
    return hashlib.sha256(_canonical([text, *more]).encode("utf-8", "surrogatepass")).hexdigest()


def text_sha256(text: str) -> str:
    """Return the SHA-256 (64 hex digits) of a piece of text, as evidence carries it."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def source(name: str, version: str) -> str:
    """Key of a `Source`: its name and its version or release."""
    return "src:" + digest("source", name, version)


def document(scope: str, source_name: str, record: str, version: str) -> str:
    """Key of a `Document`: scope, source, record id and content hash. A path is no identity."""
    return "doc:" + digest("document", scope, source_name, record, version)


def identifier_forms(identifiers: Mapping[str, str | None]) -> list[str]:
    """Return ``doi:``, ``pmcid:`` and ``pmid:`` forms of those published identifiers that are there, sorted."""
    return sorted(f"{name}:{identifiers[name]}" for name in ("doi", "pmcid", "pmid") if identifiers.get(name))


def work(identifiers: Mapping[str, str | None]) -> str:
    """Return which published work a document is: the smallest form of its identifiers; ``""`` without any."""
    return min(identifier_forms(identifiers), default="")


def chunk(document_key: str, start: int, end: int, splitter: str) -> str:
    """Key of a `Chunk`: its document (which holds scope and content), offsets and splitter version."""
    return "chk:" + digest("chunk", document_key, str(int(start)), str(int(end)), splitter)


def mention(chunk_key: str, name: str, type_: str, assertion: str, experiencer: str, temporality: str) -> str:
    """Key of a `Mention`: one name of one type in one chunk in one assertion state."""
    return "men:" + digest("mention", chunk_key, name, type_, assertion, experiencer, temporality)


def concept(identifier: str, scope: str = PUBLIC) -> str:
    """Key of a `Concept` with a public identifier (a CUI, else a CURIE); salted where only a private scope knows it."""
    return identifier if scope == PUBLIC else f"{identifier}#{digest('concept', scope, identifier)[:16]}"


def local_concept(folded_name: str, type_: str, scope: str) -> str:
    """Key of a `Concept` that no loaded vocabulary has: ``LOCAL:`` and a hash salted by scope."""
    return "LOCAL:" + digest("local-concept", scope, folded_name, type_)


def coded_concept(curie: str, scope: str) -> str:
    """Key of a `Concept` that a source gives a code of, where no loaded vocabulary has that code."""
    return curie if scope == PUBLIC else local_concept(curie, "code", scope)


def code(vocabulary: str, code_: str, version: str, scope: str = PUBLIC) -> str:
    """Key of a `Code`: vocabulary, code and version, always as strings; salted in a private scope."""
    readable = f"{vocabulary}:{code_}@{version}"
    return readable if scope == PUBLIC else f"{readable}#{digest('code', scope, readable)[:16]}"


def statement(subject: str, predicate: str, object_: str, polarity: str, scope: str, patient: str = "") -> str:
    """Key of a `Statement`: subject, predicate, object, polarity, scope, and the patient it is about."""
    return "stm:" + digest("statement", scope, subject, predicate, object_, polarity, patient)


def evidence_edge(owner: str, target: str, start: int, end: int) -> str:
    """Key of an `EVIDENCED_BY` edge."""
    return "evi:" + digest("evidence", owner, target, str(int(start)), str(int(end)))


def relation(subject: str, predicate: str, object_: str, sab: str) -> str:
    """Key of a vocabulary relation between concepts, in its true direction."""
    return "rel:" + digest("relation", subject, predicate, object_, sab)


def same_as(local: str, concept_: str) -> str:
    """Key of a `SAME_AS` edge from a local concept (whose key holds its scope) to one of the vocabulary."""
    return "mrg:" + digest("same-as", local, concept_)


def ended(key: str, release: str) -> str:
    """Key of what a code or a vocabulary relation was up to a release: the live one keeps the key itself."""
    return f"{key}~{release}"


def patient(subject_id: str, scope: str) -> str:
    """Key of a `Patient`."""
    return "pat:" + digest("patient", scope, subject_id)


def encounter(hadm_id: str, subject_id: str, scope: str) -> str:
    """Key of an `Encounter`; the patient is part of it, so that one number in two sources never joins two patients."""
    return "enc:" + digest("encounter", scope, subject_id, hadm_id)


def fact(owner: str, kind: str, row: str) -> str:
    """Key of a structured fact's edge: its encounter (or patient), its type and the table row."""
    return "fct:" + digest("fact", owner, kind, row)


def run(started: str, command: str, nonce: str) -> str:
    """Key of a `Run`: the one thing here that is made anew each time."""
    return "run:" + digest("run", started, command, nonce)


def dirty(kind: str, target: str) -> str:
    """Key of a `Dirty` item: one piece of derived work for one target."""
    return "dty:" + digest("dirty", kind, target)


def file(scope: str, source_name: str, path: str) -> str:
    """Key of the `Meta` node of a place where one of several copies of a text lies."""
    return "meta:file:" + digest("file", scope, source_name, path)


def meta(name: str) -> str:
    """Key of a `Meta` node."""
    return f"meta:{name}"


def combine(digests: Iterable[str]) -> str:
    """Combine hex digests into one that does not depend on their order (sum modulo 2^256)."""
    total = 0
    for item in digests:
        total = (total + int(item, 16)) % (1 << 256)
    return f"{total:064x}"
