from __future__ import annotations

import pytest

from graphkb.errors import ConstraintViolation, StoreError, StoreTimeout, StoreUnavailable, TransientError
from graphkb.store.retry import BREAKS, CONFLICTS, retrying


class Failing:
    def __init__(self, error: StoreError, times: int) -> None:
        self.error, self.times, self.calls = error, times, 0

    def __call__(self) -> str:
        self.calls += 1
        if self.calls <= self.times:
            raise self.error
        return "done"


@pytest.mark.parametrize(("error", "most"), [
    (TransientError("GKB-203"), CONFLICTS), (ConstraintViolation("GKB-204"), CONFLICTS),
    (StoreUnavailable("GKB-201"), BREAKS)])
def test_retryable(error: StoreError, most: int) -> None:
    pauses: list[float] = []
    renewed: list[int] = []
    action = Failing(error, most)
    assert retrying(action, on_break=lambda: renewed.append(1), sleep=pauses.append) == "done"
    assert action.calls == most + 1
    assert len(pauses) == most
    assert max(pauses) <= 3.0
    assert len(renewed) == (most if isinstance(error, StoreUnavailable) else 0)
    with pytest.raises(type(error)):
        retrying(Failing(error, most + 1), on_break=lambda: None, sleep=pauses.append)


@pytest.mark.parametrize("error", [StoreTimeout("GKB-205"), StoreError("GKB-211")])
def test_not_retryable(error: StoreError) -> None:
    action = Failing(error, 1)
    with pytest.raises(type(error)):
        retrying(action, on_break=lambda: None, sleep=lambda s: None)
    assert action.calls == 1
