"""BioC files, one document at a time: XML by a pull parser, JSON by one element of its array after the other."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from lxml import etree

from graphkb.errors import InputError
from ingestion.sources import files

_BLOCK = 1 << 20
_ARRAY = re.compile(r'"(?:documents|PubTator3)"\s*:\s*\[')
_HEAD = 100_000  # so much may stand before the first document


@dataclass(slots=True)
class Marked:
    """An annotation as it stands: ``offset`` counts in the document; ``problem`` says why it cannot be used."""

    id: str
    text: str
    offset: int
    infons: dict[str, str]
    problem: str = ""


@dataclass(slots=True)
class Related:
    """A relation: (refid, role) of its nodes."""

    infons: dict[str, str]
    nodes: list[tuple[str, str]]


@dataclass(slots=True)
class Passage:
    """A passage with its text, made of its sentences where it has none itself."""

    offset: int
    text: str
    infons: dict[str, str]
    annotations: list[Marked] = field(default_factory=list)
    relations: list[Related] = field(default_factory=list)

    @property
    def section(self) -> str:
        """Its section as PMC names it: ``INTRO``, ``METHODS``, ...; often empty."""
        return self.infons.get("section_type", "")

    @property
    def kind(self) -> str:
        """Its type: ``title``, ``abstract``, ``paragraph``, ..."""
        kind = self.infons.get("type", "").casefold()
        return "title" if kind in ("title", "front") else kind


@dataclass(slots=True)
class Record:
    """One document; ``problem`` says why it cannot be taken."""

    id: str
    infons: dict[str, str] = field(default_factory=dict)
    passages: list[Passage] = field(default_factory=list)
    relations: list[Related] = field(default_factory=list)
    problem: str = ""


def records(path: Path, max_bytes: int) -> Iterator[Record]:
    """Yield the documents of a file.

    Raises
    ------
    InputError
        GKB-401 to 405, 410: the file cannot be read (further).
    """
    with files.open_binary(path) as handle:
        opening = handle.read(64).lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    if opening == b"<":
        yield from _from_xml(path, max_bytes)
    elif opening in (b"{", b"["):
        yield from map(_record, _from_json(path, max_bytes))
    else:
        raise InputError("GKB-405", where=str(path), detail="neither XML nor JSON")


def _from_xml(path: Path, max_bytes: int) -> Iterator[Record]:
    with files.open_binary(path) as handle, files.broken_gzip(path):
        head = handle.read(_HEAD)
        if b"<!ENTITY" in head:
            raise InputError("GKB-405", where=str(path), detail="it declares entities of its own")
        parser = etree.XMLPullParser(("start", "end"), resolve_entities=False, no_network=True, load_dtd=False,
                                     dtd_validation=False, huge_tree=False, recover=False, remove_comments=True,
                                     remove_pis=True)
        size, root = 0, ""
        block = head
        while block:
            try:
                parser.feed(block)
                events: list[tuple[str, Any]] = list(parser.read_events())
            except etree.XMLSyntaxError as error:
                raise InputError("GKB-405", where=f"{path}, line {error.lineno}", detail="it is not well-formed XML") \
                    from None
            for event, element in events:
                if not root:
                    root = element.tag
                    if root != "collection":
                        raise InputError("GKB-405", where=str(path), detail="the root element is no BioC collection")
                if event == "end" and element.tag == "document":
                    size = 0
                    yield _record(_from_element(element))
                    element.clear()
                    while element.getprevious() is not None:
                        del element.getparent()[0]
            size += len(block)
            if size > max_bytes + 2 * _BLOCK:
                raise InputError("GKB-410", where=str(path), detail=f"a document of more than {max_bytes} bytes",
                                 hint="raise ingest.max_document_bytes")
            block = handle.read(_BLOCK)
        try:
            parser.close()
        except etree.XMLSyntaxError:
            raise InputError("GKB-404", where=str(path), detail="the XML ends too early") from None


def _from_element(element: Any) -> dict[str, Any]:
    """Return an element as BioC JSON has it."""
    found: dict[str, Any] = {"id": (element.findtext("id") or element.get("id") or "").strip(),
                             "infons": {one.get("key", ""): one.text or "" for one in element.findall("infon")}}
    for name in ("offset", "text"):
        if element.find(name) is not None:
            found[name] = element.findtext(name)
    for name in ("passage", "sentence", "annotation", "relation"):
        found[f"{name}s"] = [_from_element(one) for one in element.findall(name)]
    found["locations"] = [dict(one.attrib) for one in element.findall("location")]
    found["nodes"] = [dict(one.attrib) for one in element.findall("node")]
    return found


def _from_json(path: Path, max_bytes: int) -> Iterator[Any]:
    with files.open_binary(path) as handle, files.broken_gzip(path):
        text = _Text(handle, path)
        text.more()
        if text.buffer.lstrip()[:1] != "[":
            while (found := _ARRAY.search(text.buffer)) is None and len(text.buffer) < _HEAD and text.more():
                pass
            text.buffer = text.buffer[found.end():] if found else text.buffer.lstrip()
            array = found is not None
        else:
            text.buffer, array = text.buffer.lstrip()[1:], True
        yield from _elements(text, max_bytes, array)


class _Text:
    """Text that is read as it is needed."""

    def __init__(self, handle: IO[bytes], path: Path) -> None:
        self._handle = handle
        self._rest = b""
        self.path = path
        self.buffer = ""
        self.ended = False

    def more(self) -> bool:
        """Read on; return whether there was anything."""
        block = self._handle.read(_BLOCK)
        self.ended = not block
        data = self._rest + block
        cut = len(data)
        if block:  # a character may be cut in two
            while cut and data[cut - 1] & 0xC0 == 0x80:
                cut -= 1
            cut -= bool(cut) and data[cut - 1] >= 0xC0
        self._rest = data[cut:]
        try:
            self.buffer += data[:cut].decode()
        except UnicodeDecodeError:
            raise InputError("GKB-403", where=str(self.path)) from None
        self.buffer = self.buffer.removeprefix("\ufeff")
        return bool(block)


def _elements(text: _Text, max_bytes: int, array: bool) -> Iterator[Any]:
    """Yield the values of an array up to its end, or those that follow each other line by line."""
    decoder = json.JSONDecoder()
    while True:
        text.buffer = text.buffer.lstrip(" \t\r\n,")
        if not text.buffer:
            if text.more():
                continue
            if array:
                raise InputError("GKB-404", where=str(text.path), detail="the JSON ends too early")
            return
        if array and text.buffer[0] == "]":
            return
        try:
            value, end = decoder.raw_decode(text.buffer)
        except RecursionError:
            raise InputError("GKB-405", where=str(text.path), detail="values are nested too deeply") from None
        except ValueError:
            if len(text.buffer) > max_bytes + 2 * _BLOCK:
                raise InputError("GKB-410", where=str(text.path), detail=f"a document of more than {max_bytes} bytes",
                                 hint="raise ingest.max_document_bytes") from None
            if text.more():
                continue
            raise InputError("GKB-404", where=str(text.path), detail="the JSON is broken or ends too early") from None
        text.buffer = text.buffer[end:]
        yield value


def _record(value: Any) -> Record:
    """Read a document; what is of another shape than BioC has is its problem, not the file's."""
    if not isinstance(value, dict):
        return Record("", problem="a document is not an object")
    try:
        record = Record(_word(value.get("id")) or _word(value.get("pmid")), _infons(value))
        for passage in _list(value, "passages"):
            record.passages.append(_passage(passage))
        record.relations = [_related(one) for one in _list(value, "relations")]
    except (TypeError, ValueError, AttributeError, RecursionError):
        return Record("", problem="a document is not of the shape that BioC has")
    return record


def _passage(value: dict[str, Any]) -> Passage:
    passage = Passage(int(value.get("offset") or 0), value.get("text") or "", _infons(value))
    if not isinstance(passage.text, str):
        raise TypeError("text")
    annotated = [value]
    sentences = _list(value, "sentences")
    if sentences and not passage.text:
        for sentence in sentences:
            gap = int(sentence.get("offset") or 0) - passage.offset - len(passage.text)
            # a gap of any size is a blank: a wrong offset must not fill the memory
            passage.text += " " * (gap if 0 <= gap < 1000 else 1) + (sentence.get("text") or "")
    annotated += sentences
    for part in annotated:
        passage.annotations += [_marked(one) for one in _list(part, "annotations")]
        passage.relations += [_related(one) for one in _list(part, "relations")]
    return passage


def _marked(value: dict[str, Any]) -> Marked:
    places = _list(value, "locations")
    text = value.get("text") or ""
    marked = Marked(_word(value.get("id")), text if isinstance(text, str) else "", 0, _infons(value))
    if len(places) != 1:
        marked.problem = "the annotation has no place" if not places else "the annotation is in several places"
        return marked
    try:
        marked.offset = int(places[0]["offset"])
        length = int(places[0].get("length") or len(marked.text))
    except (KeyError, TypeError, ValueError):
        marked.problem = "the offset is no number"
        return marked
    if length not in (len(marked.text), len(marked.text.encode("utf-8", "surrogatepass"))):
        marked.problem = "the length is not that of the text"
    return marked


def _related(value: dict[str, Any]) -> Related:
    return Related(_infons(value), [(_word(one.get("refid")), _word(one.get("role"))) for one in _list(value, "nodes")])


def _list(value: dict[str, Any], name: str) -> list[dict[str, Any]]:
    found = value.get(name) or []
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise TypeError(name)
    return found


def _word(value: Any) -> str:
    return "" if value is None or isinstance(value, (dict, list)) else str(value).strip()


def _infons(value: dict[str, Any]) -> dict[str, str]:
    infons = value.get("infons") or {}
    if not isinstance(infons, dict):
        raise TypeError("infons")
    return {str(name).casefold(): _word(one.get("identifier") if isinstance(one, dict) else one)
            for name, one in infons.items()}
