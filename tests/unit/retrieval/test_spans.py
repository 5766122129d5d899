"""What the store's own filter lets through after the index's."""

from __future__ import annotations

from typing import Any

import pytest

from retrieval.index import Filter
from retrieval.spans import _may_see


@pytest.mark.parametrize(("patient", "tier", "asked", "seen"), [
    (None, "user", "", True), (None, "literature", "", True), ("10000001", "user", "", False),
    (None, "user", "10000001", False), ("10000001", "user", "10000001", True), ("10000002", "user", "10000001", False),
    ("10000002", "user", None, True)])
def test_a_file_of_no_patient_answers_general_questions(patient: str | None, tier: Any, asked: str | None,
                                                        seen: bool) -> None:
    row = {"scope": "local", "tier": tier, "patient": patient}
    assert _may_see(row, Filter(("public", "local"), patient=asked)) is seen
    assert not _may_see(row, Filter(("public",), patient=asked))
