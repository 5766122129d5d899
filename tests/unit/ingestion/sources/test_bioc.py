"""BioC: XML and JSON say the same; offsets are checked; what is broken is rejected with its reason."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphkb.errors import InputError
from graphkb.model import ReadReport, SourceDocument
from ingestion.sources.bioc import BioCSource

WORDS = st.text(
    st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp", "Cn"), max_codepoint=0x2FFF), min_size=1, max_size=20
).filter(str.strip)


def read(path: Path, max_bytes: int = 1_000_000) -> tuple[list[SourceDocument], ReadReport]:
    report = ReadReport()
    return list(BioCSource([path], max_bytes=max_bytes).documents(report)), report


def mark(
    id_: str, offset: int, text: str, type_: str = "Chemical", code: str = "MESH:D009270", **more: Any
) -> dict[str, Any]:
    return {
        "id": id_,
        "infons": {"type": type_, "identifier": code},
        "text": text,
        "locations": [{"offset": offset, "length": len(text)}],
        **more,
    }


def document(**more: Any) -> dict[str, Any]:
    return {
        "id": "42",
        "infons": {},
        "passages": [
            {"offset": 0, "infons": {"type": "title"}, "text": "Naloxone", "annotations": [mark("1", 0, "Naloxone")]},
            {
                "offset": 100,
                "infons": {"type": "abstract"},
                "text": "Naloxone causes hypertension.",
                "annotations": [mark("2", 100, "Naloxone"), mark("3", 116, "hypertension", "Disease", "D006973")],
            },
        ],
        "relations": [
            {
                "id": "R1",
                "infons": {"type": "Cause"},
                "nodes": [{"refid": "3", "role": "object"}, {"refid": "2", "role": "subject"}],
            }
        ],
        **more,
    }


def xml(value: dict[str, Any]) -> str:
    def infons(part: dict[str, Any]) -> str:
        return "".join(f"<infon key={quoteattr(k)}>{escape(v)}</infon>" for k, v in part.get("infons", {}).items())

    def marked(part: dict[str, Any]) -> str:
        return "".join(
            f"<annotation id={quoteattr(a['id'])}>{infons(a)}"
            + "".join(f'<location offset="{p["offset"]}" length="{p["length"]}"/>' for p in a["locations"])
            + f"<text>{escape(a['text'])}</text></annotation>"
            for a in part.get("annotations", [])
        )

    passages = "".join(
        f"<passage>{infons(p)}<offset>{p['offset']}</offset><text>{escape(p['text'])}</text>{marked(p)}</passage>"
        for p in value["passages"]
    )
    relations = "".join(
        f'<relation id="{r["id"]}">{infons(r)}'
        + "".join(f'<node refid="{n["refid"]}" role="{n["role"]}"/>' for n in r["nodes"])
        + "</relation>"
        for r in value["relations"]
    )
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE collection SYSTEM "BioC.dtd"><collection><source>S</source>'
        f"<document><id>{value['id']}</id>{infons(value)}{passages}{relations}</document></collection>"
    )


@pytest.mark.parametrize("form", ["xml", "json", "pubtator3", "lines", "list"])
def test_every_form_says_the_same(tmp_path: Path, form: str) -> None:
    value = document()
    text = {
        "xml": xml(value),
        "json": json.dumps({"source": "S", "documents": [value]}),
        "pubtator3": json.dumps({"PubTator3": [value]}),
        "lines": json.dumps(value) + "\n",
        "list": json.dumps([value]),
    }[form]
    path = tmp_path / "a.bioc"
    path.write_text(text, encoding="utf-8")
    (found,), report = read(path)
    assert found.text == "Naloxone\nNaloxone causes hypertension."
    assert (found.record, found.title, found.identifiers) == ("42", "Naloxone", {"pmid": "42"})
    assert [(found.text[a.start : a.end], a.codes) for a in found.annotations] == [
        ("Naloxone", ("MSH:D009270",)),
        ("Naloxone", ("MSH:D009270",)),
        ("hypertension", ("MSH:D006973",)),
    ]
    (said,) = found.statements
    assert (said.subject, said.predicate, said.object, said.polarity) == (
        "Naloxone",
        "Cause",
        "hypertension",
        "affirmed",
    )
    assert found.text[said.start : said.end] == "Naloxone causes hypertension."
    assert report.balanced()
    assert not report.rejected


@given(before=WORDS, name=WORDS, gap=st.integers(0, 500), counted=st.sampled_from(["characters", "bytes"]))
def test_offsets_are_found_or_refused_never_moved(
    tmp_path_factory: pytest.TempPathFactory, before: str, name: str, gap: int, counted: str
) -> None:
    text = f"{before}|{name}|"
    at = len(before) + 1 if counted == "characters" else len(before.encode()) + 1
    path = tmp_path_factory.mktemp("b") / "a.json"
    path.write_text(
        json.dumps(
            {
                "documents": [
                    {
                        "id": "x",
                        "passages": [{"offset": gap, "text": text, "annotations": [mark("1", gap + at, name)]}],
                    }
                ]
            }
        )
    )
    (found,), _ = read(path)
    assert found.text == text
    for one in found.annotations:  # another place of the same name may be what the offset means
        assert found.text[one.start : one.end] == name
    assert len(found.annotations) == 1


def test_annotations_and_relations_that_cannot_be_used(tmp_path: Path) -> None:
    value = document()
    value["passages"][1]["annotations"] += [
        mark("4", 101, "Naloxone"),
        mark("5", 10**12, "Naloxone"),
        mark("6", 100, ""),
        mark("7", 100, "Naloxone", locations=[]),
        mark("8", 100, "Naloxone", locations=[{"offset": 100, "length": 3}, {"offset": 104, "length": 3}]),
        mark("9", 100, "Naloxone", locations=[{"offset": "x", "length": 8}]),
        mark("10", 100, "Naloxone", locations=[{"offset": 100, "length": 3}]),
    ]
    value["relations"] += [
        {"infons": {}, "nodes": [{"refid": "1", "role": "a"}, {"refid": "4", "role": "b"}]},
        {"infons": {"relation": "CID", "Chemical": "D009270", "Disease": "D006973"}},
    ]
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"documents": [value]}))
    (found,), report = read(path)
    assert len(found.annotations) == 3
    assert [s.predicate for s in found.statements] == ["Cause", "CID"]
    assert sorted(reason for _, _, reason in report.reasons) == [
        "another text stands at the offset",
        "the annotation has no place",
        "the annotation has no text",
        "the annotation is in several places",
        "the length is not that of the text",
        "the offset is no number",
        "the offset lies outside its passage",
        "the two ends of the relation are not marked in the text",
    ]


def test_broken_documents_do_not_stop_the_others(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(
        json.dumps(
            {"documents": [7, {"id": "1"}, {"id": "2", "passages": "x"}, {"passages": []}, document(), document()]}
        )
    )
    documents, report = read(path)
    assert [d.record for d in documents] == ["42"]
    assert sorted(code for _, code, _ in report.reasons) == ["GKB-407", "GKB-407", "GKB-407", "GKB-408", "GKB-411"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("<!DOCTYPE c [<!ENTITY a 'x'>]><collection>&a;</collection>", "GKB-405"),
        ("<article/>", "GKB-405"),
        ("<collection><document>", "GKB-404"),
        ("<collection></x>", "GKB-405"),
        ('{"documents": [{"id": "1"', "GKB-404"),
        ("plain", "GKB-405"),
        ('{"documents": [' + "[" * 100_000, "GKB-405"),
    ],
)
def test_files_that_are_none(tmp_path: Path, text: str, code: str) -> None:
    path = tmp_path / "a.xml"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read(path)
    assert caught.value.code == code


def test_one_document_is_bounded(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"documents": [{"id": "1", "passages": [{"text": "' + "a" * 5_000_000)
    with pytest.raises(InputError) as caught:
        read(path, max_bytes=1000)
    assert caught.value.code == "GKB-410"
