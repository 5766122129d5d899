"""Every error has a code, a place and a next step."""

from __future__ import annotations

import pickle
import re

import pytest

from graphkb import errors


def test_codes_are_well_formed_and_say_what_to_do() -> None:
    for code, info in errors.CODES.items():
        assert re.fullmatch(r"GKB-[1-9]\d\d", code)
        assert info.title
        assert info.hint


def test_an_error_reads_as_code_what_where_and_next() -> None:
    error = errors.InputError("GKB-406", where="MRCONSO.RRF, row 7", detail="17 fields, 18 expected")
    assert str(error) == ("[GKB-406] a row has too few or too many fields: 17 fields, 18 expected "
                          "(MRCONSO.RRF, row 7). Correct the row in the source.")
    assert error.to_dict()["where"] == "MRCONSO.RRF, row 7"


def test_an_unknown_code_cannot_be_raised() -> None:
    with pytest.raises(KeyError):
        errors.StoreError("GKB-999")


def test_only_passing_faults_are_retryable() -> None:
    retryable = {c.__name__ for c in errors.StoreError.__subclasses__() if c.retryable}
    assert retryable == {"StoreUnavailable", "TransientError", "ConstraintViolation"}


def test_an_error_crosses_processes_whole() -> None:
    error = errors.StoreUnavailable("GKB-201", where="bolt://127.0.0.1:1", detail="refused")
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is errors.StoreUnavailable
    assert (copy.code, str(copy)) == (error.code, str(error))
