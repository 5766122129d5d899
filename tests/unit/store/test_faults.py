from __future__ import annotations

import pytest
from neo4j import exceptions as neo4j

from graphkb.store.faults import translate, translated


def server(code: str, message: str = "SECRET at line 3, column 7") -> neo4j.Neo4jError:
    return neo4j.Neo4jError._hydrate_neo4j(code=code, message=message)


@pytest.mark.parametrize(("error", "code", "retryable"), [
    (server("Neo.ClientError.Security.Unauthorized"), "GKB-202", False),
    (server("Neo.TransientError.Transaction.DeadlockDetected"), "GKB-203", True),
    (server("Neo.TransientError.General.DatabaseUnavailable"), "GKB-201", True),
    (server("Neo.ClientError.Schema.ConstraintValidationFailed"), "GKB-204", True),
    (server("Neo.ClientError.Transaction.TransactionTimedOut"), "GKB-205", False),
    (server("Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration"), "GKB-205", False),
    (server("Neo.DatabaseError.General.UnknownError", "IOException: No space left on device"), "GKB-212", False),
    (server("Neo.DatabaseError.General.UnknownError", "ConcurrentModificationException"), "GKB-203", True),
    (server("Neo.DatabaseError.General.UnknownError"), "GKB-207", False),
    (server("Neo.ClientError.Statement.SyntaxError"), "GKB-207", False),
    (neo4j.ServiceUnavailable("SECRET"), "GKB-201", True),
    (neo4j.SessionExpired("SECRET"), "GKB-201", True),
    (neo4j.IncompleteCommit("SECRET"), "GKB-201", True),
    (neo4j.ResultConsumedError(None, "SECRET"), "GKB-207", False),
])
def test_codes(error: neo4j.Neo4jError, code: str, retryable: bool) -> None:
    ours = translate(error, "list_chunks")
    assert (ours.code, ours.retryable, ours.where) == (code, retryable, "list_chunks")
    assert "SECRET" not in str(ours)


def test_free_text() -> None:
    assert translate(server("Neo.ClientError.Security.Forbidden"), "x", free=True).code == "GKB-306"
    assert translate(server("Neo.ClientError.Statement.AccessMode"), "x", free=True).code == "GKB-306"
    ours = translate(server("Neo.ClientError.Statement.SyntaxError"), "x", free=True)
    assert (ours.code, ours.detail) == ("GKB-307", "SyntaxError at line 3, column 7")


def test_the_original_is_not_shown() -> None:
    with pytest.raises(Exception, match="GKB-201") as caught, translated("x"):
        raise neo4j.ServiceUnavailable("SECRET")
    assert caught.value.__suppress_context__
