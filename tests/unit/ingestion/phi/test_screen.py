from __future__ import annotations

import sys
from dataclasses import replace

import pytest

from graphkb import ids
from graphkb.config import PhiSettings
from graphkb.errors import ConfigError, InputError
from graphkb.model import Section, SourceDocument, SourceInfo
from ingestion.phi import Screen

TEXT = "Seen by Dr. Kolvek on\n3/4/2019.\nHas asthma."
NOTE = SourceDocument(SourceInfo("files", ""), ids.content_hash(TEXT), "Visit of Mr. Vint", TEXT, "user", "note",
                      path="/x/a.txt", sections=(Section("Plan of Dr. Kolvek", 0, len(TEXT)),))


def test_tag_counts_and_leaves_the_text() -> None:
    screen = Screen(PhiSettings())
    done = screen(NOTE)
    assert done.properties == {"phi": "DATE 1, NAME 2"}
    assert replace(done, properties={}) == NOTE
    assert screen.report() == {"documents": 1, "DATE": 1, "NAME": 2}


def test_mask_keeps_offsets_and_hides_the_hash() -> None:
    done = Screen(PhiSettings(policy="mask"))(NOTE)
    assert done.text == "Seen by Dr. ______ on\n________.\nHas asthma."
    assert done.title == "Visit of Mr. ____"
    assert done.sections == (Section("Plan of Dr. ______", 0, len(TEXT)),)
    assert done.record == ids.content_hash(done.text)
    again = Screen(PhiSettings(policy="mask"))
    assert again(replace(done, properties={})) == replace(done, properties={})  # a block is no identifier
    assert again.report() == {}


def test_mask_keeps_line_ends_within_a_finding() -> None:
    text = "MRN:\n1234567\nDr. Kolvek,\tJan"
    done = Screen(PhiSettings(policy="mask"))(replace(NOTE, text=text, sections=()))
    assert len(done.text) == len(text)
    assert done.text.count("\n") == 2


def test_refuse_tells_kinds_and_no_text() -> None:
    with pytest.raises(InputError) as caught:
        Screen(PhiSettings(policy="refuse"))(NOTE)
    assert (caught.value.code, caught.value.detail) == ("GKB-422", "DATE 1, NAME 2")
    assert "Kolvek" not in str(caught.value)


@pytest.mark.parametrize("other", [
    replace(NOTE, tier="literature"), replace(NOTE, kind="table"), replace(NOTE, text="Asthma.", title="Visit")])
def test_others_pass(other: SourceDocument) -> None:
    screen = Screen(PhiSettings(policy="refuse"))
    assert screen(other) is other


def test_off_is_off() -> None:
    assert Screen(PhiSettings(policy="off"))(NOTE) is NOTE


def test_presidio_that_is_not_there_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "presidio_analyzer", None)
    with pytest.raises(ConfigError, match=r"GKB-106.*graphkb-med\[phi\]"):
        Screen(PhiSettings(presidio=True))
