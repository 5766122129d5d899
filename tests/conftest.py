"""Fixtures that every kind of test uses."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# a busy machine must not fail a property
settings.register_profile("graphkb", deadline=None)
settings.load_profile("graphkb")

ROOT = Path(__file__).resolve().parents[1]
pytest_plugins = ["tests.servers"]


def required(part: str) -> bool:
    """Whether `GRAPHKB_REQUIRE` demands a real part: then its absence fails instead of skipping."""
    return part in os.environ.get("GRAPHKB_REQUIRE", "").split(",")


def missing(part: str, how: str) -> None:
    """Skip by name and say how to get the part, or fail where it is required."""
    if required(part):
        pytest.fail(f"{part} is required (GRAPHKB_REQUIRE) and not here: {how}")
    pytest.skip(f"{part} is not on this machine: {how}")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of public development data, beside the checkout or named by GRAPHKB_SHARED_DATA."""
    folder = Path(os.environ.get("GRAPHKB_SHARED_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        missing("shared-data", "put the public inputs in ../shared/data or name their folder in GRAPHKB_SHARED_DATA")
    return folder


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("GRAPHKB_") and name not in ("GRAPHKB_REQUIRE", "GRAPHKB_TEST_URI", "GRAPHKB_TEST_USER",
                                                        "GRAPHKB_TEST_PASSWORD", "GRAPHKB_CACHE",
                                                        "GRAPHKB_SHARED_DATA"):
            monkeypatch.delenv(name)
