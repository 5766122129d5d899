"""Claims: each shape, and that words which are not true are in no text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graphkb.errors import InputError
from graphkb.model import ReadReport, SourceDocument
from ingestion.sources.claims import ClaimsSource


def read(*paths: Path, **more: object) -> tuple[list[SourceDocument], ReadReport]:
    report = ReadReport()
    return list(ClaimsSource(paths, **more).documents(report)), report  # type: ignore[arg-type]


def test_pubhealth(tmp_path: Path) -> None:
    path = tmp_path / "train.tsv"
    path.write_text(
        "\tclaim_id\tclaim\tdate_published\texplanation\tfact_checkers\tmain_text\tsources\tlabel\tsubjects\n"
        '0\t15661\tGarlic cures cancer.\t2016-05-01\tNo trial shows it.\tX\t"Some say that garlic  cures\ncancer. It'
        ' does not."\thttp://a\tfalse\tHealth\n'
        "1\t9893\tAspirin treats headache.\t\tTrials show it.\tX\tA review.\t\ttrue\tHealth\n"
        "2\t1\tShort row\n3\t2\tOdd\t\t\t\t\t\tsnopes\t\n4\t9893\tAgain\t\t\t\t\t\ttrue\t\n5\t3\t \t\t\t\t\t\ttrue\t\n",
        encoding="utf-8",
    )
    (false, true), report = read(path)
    assert false.text == "Explanation\nNo trial shows it.\n\nEvidence\nSome say that [the claim]. It does not."
    assert (false.record, false.title, false.published) == ("15661", "Claim 15661 (false)", "2016-05-01")
    assert false.properties == {"claim": "Garlic cures cancer.", "label": "false", "sources": "http://a"}
    assert true.text == "Claim\nAspirin treats headache.\n\nExplanation\nTrials show it.\n\nEvidence\nA review."
    assert [true.text[s.start : s.end] for s in true.sections] == [
        "Aspirin treats headache.",
        "Trials show it.",
        "A review.",
    ]
    assert sorted(code for _, code, _ in report.reasons) == ["GKB-406", "GKB-407", "GKB-408", "GKB-411"]
    assert report.balanced()


def test_fakehealth(tmp_path: Path) -> None:
    path = tmp_path / "HealthStory.json"
    review = {
        "news_id": "story_1",
        "original_title": "Wonder pill ends diabetes",
        "rating": 2,
        "summary": {"Our Review Summary": "One small trial."},
        "criteria": [
            {
                "question": "Does it quantify harms?",
                "answer": "Not Satisfactory",
                "explanation": "No harms are named.",
            }
        ],
        "link": "http://r",
    }
    path.write_text(
        json.dumps([review, {**review, "news_id": "story_2", "rating": 4}, {**review, "rating": None}, 3])
    )
    (bad, good), report = read(path)
    assert bad.properties["label"] == "false"
    assert bad.text == (
        "Explanation\nOne small trial.\n\nEvidence\nDoes it quantify harms? Not Satisfactory: No harms are named."
    )
    assert good.text.startswith("Claim\nWonder pill ends diabetes\n\n")
    assert sum(report.rejected.values()) == 2


def test_scifact_with_its_corpus(tmp_path: Path) -> None:
    (tmp_path / "corpus.jsonl").write_text(
        json.dumps({"doc_id": 4, "title": "T", "abstract": ["One. ", "Two.\n"]}) + "\n"
    )
    claims = [
        {"id": 1, "claim": "C one", "evidence": {"4": [{"sentences": [1], "label": "CONTRADICT"}]}},
        {"id": 2, "claim": "C two", "evidence": {"4": [{"sentences": [0, 1], "label": "SUPPORT"}]}},
        {"id": 3, "claim": "C three", "evidence": {}},
        {"id": 4, "claim": "C four", "evidence": {"9": [{"sentences": [0], "label": "SUPPORT"}]}},
    ]
    (tmp_path / "claims_train.jsonl").write_text("".join(json.dumps(one) + "\n" for one in claims) + "{\n")
    documents, report = read(tmp_path)
    assert [(d.properties["label"], d.text) for d in documents] == [
        ("false", "Evidence\nTwo."),
        ("true", "Claim\nC two\n\nEvidence\nOne.\nTwo."),
        ("unproven", ""),
    ]
    assert sorted(code for _, code, _ in report.reasons) == ["GKB-406", "GKB-409"]


def test_verdicts_that_are_numbers_need_a_table(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(
        json.dumps({"claim": "Zinc helps", "label": 2, "evidence": ["It does not.", {"text": "At all."}]}) + "\n"
    )
    with pytest.raises(InputError) as caught:
        read(path)
    assert caught.value.code == "GKB-407"
    ((document,), _) = read(path, labels={"2": "false"})
    assert (document.text, document.properties["label"]) == ("Evidence\nIt does not.\nAt all.", "false")
    with pytest.raises(InputError):
        ClaimsSource([path], labels={"2": "wrong"})
