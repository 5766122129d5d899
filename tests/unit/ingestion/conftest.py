"""Fixtures of the ingestion's unit tests."""

from __future__ import annotations

from types import ModuleType

import pytest


@pytest.fixture(scope="session")
def helper() -> ModuleType:
    """Writes META folders and stands for a store."""
    from tests.helpers import vocabulary

    return vocabulary
