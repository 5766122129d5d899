"""Dates as users give them, and the release that was current then."""

from __future__ import annotations

from typing import Any

import pytest

from graphkb.dates import check_date, release_at
from graphkb.errors import ConfigError
from tests.helpers.graph import ScriptedTx


@pytest.mark.parametrize("text", ["", "2020", "2020-02", "2020-02-29"])
def test_dates_pass(text: str) -> None:
    assert check_date(text) == text


@pytest.mark.parametrize("text", ["20", "2021-02-29", "2020-13", "2020-00-01", "yesterday", "2020-1-1", "2020-01-01\n",
                                  "２０２０", "0000"])
def test_others_do_not(text: str) -> None:
    with pytest.raises(ConfigError, match="GKB-103"):
        check_date(text)


def test_the_release_of_a_date() -> None:
    store: Any = ScriptedTx({"list_releases": [{"release": "2026AB", "date": "2026-11-01"},
                                               {"release": "2026AA", "date": "2026-05-01"},
                                               {"release": "odd", "date": ""}]})
    assert [release_at(store, day) for day in ("", "2026", "2026-11", "2026-10-31", "2026-05-01", "2019")] == [
        "", "", "", "2026AA", "2026AA", "2026AA"]
    nothing: Any = ScriptedTx()
    assert release_at(nothing, "2020") == ""
