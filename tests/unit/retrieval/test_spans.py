"""What the store's own filter lets through after the index's."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from retrieval.fusion import Fused
from retrieval.index import Filter
from retrieval.spans import _may_see, hydrate, read_spans


@pytest.mark.parametrize(("patient", "tier", "asked", "seen"), [
    (None, "user", "", True), (None, "literature", "", True), ("10000001", "user", "", False),
    (None, "user", "10000001", False), ("10000001", "user", "10000001", True), ("10000002", "user", "10000001", False),
    ("10000002", "user", None, True)])
def test_a_file_of_no_patient_answers_general_questions(patient: str | None, tier: Any, asked: str | None,
                                                        seen: bool) -> None:
    row = {"scope": "local", "tier": tier, "patient": patient}
    assert _may_see(row, Filter(("public", "local"), patient=asked)) is seen
    assert not _may_see(row, Filter(("public",), patient=asked))


def test_the_same_words_of_literature_come_once_and_a_patients_records_stay() -> None:
    def row(key: str, text: str, tier: str = "literature", patient: str | None = None) -> dict[str, Any]:
        return {"key": key, "text": text, "start": 0, "end": len(text), "section": "", "tier": tier, "scope": "public",
                "document": f"d{key}", "title": "", "published": "", "effective_from": "", "patient": patient,
                "concepts": []}

    rows = {one["key"]: one for one in (
        row("a", "No fever."), row("b", "no  fever."), row("c", "No fever.", "user"),
        row("d", "No fever.", "user", "1"), row("e", "No fever.", "user", "1"),
        row("f", "No fever.", "user", "2"), row("g", "Fever."))}
    store = SimpleNamespace(read=lambda _name, *, keys, **_: [rows[key] for key in keys])
    ranked = [Fused(key, 1.0, "") for key in "badcefg"]
    where = Filter(("public",), patient=None)
    assert [one.id for one in hydrate(store, ranked, where, 10)] == ["b", "d", "c", "e", "f", "g"]
    assert [one.id for one in hydrate(store, ranked, where, 2)] == ["b", "d"]
    assert [one.id for one in read_spans(store, "ba", ("public",))] == ["b", "a"]
