"""The driver's exceptions as ours.

A server's message may hold parameter values, so none is ever passed on: the code it sent says enough, and for
a syntax error the line and column.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from neo4j import exceptions as neo4j

from graphkb.errors import (
    ConstraintViolation,
    ForbiddenQuery,
    GraphKBError,
    QueryError,
    StoreError,
    StoreTimeout,
    StoreUnavailable,
    TransientError,
)

_PLACE = re.compile(r"line (\d+), column (\d+)")
_DISK = re.compile(r"no space left|disk.{0,20}full|read-only file ?system|database.{0,40}read.only", re.IGNORECASE)
_CONFLICT = re.compile(r"ConcurrentModification|NeedRetry|Please retry|LockTimeout|lock.{0,30}timeout", re.IGNORECASE)
_AUTH = ("Neo.ClientError.Security.Unauthorized", "Neo.ClientError.Security.AuthenticationRateLimit",
         "Neo.ClientError.Security.CredentialsExpired")
_TIMED_OUT = ("TransactionTimedOut", "TransactionTimedOutClientConfiguration", "ExecutionTimeout", "LockClientStopped")
_FORBIDDEN = ("Neo.ClientError.Security.Forbidden", "Neo.ClientError.Statement.AccessMode")


def translate(error: neo4j.DriverError | neo4j.Neo4jError, where: str, *, free: bool = False) -> GraphKBError:
    """Return our error for one of the driver's.

    Parameters
    ----------
    error : DriverError or Neo4jError
    where : str
        The name of the query, or the address.
    free : bool
        The text came from a user: its errors are theirs to see, by place.
    """
    if isinstance(error, neo4j.Neo4jError):
        return _from_server(error, where, free)
    if isinstance(error, neo4j.ServiceUnavailable | neo4j.SessionExpired | neo4j.IncompleteCommit):
        return StoreUnavailable("GKB-201", where=where, detail=type(error).__name__)
    return StoreError("GKB-207", where=where, detail=type(error).__name__)


def _from_server(error: neo4j.Neo4jError, where: str, free: bool) -> GraphKBError:
    code, message = error.code or "", error.message or ""
    last = code.rpartition(".")[2]
    if code in _AUTH or (isinstance(error, neo4j.AuthError) and code not in _FORBIDDEN):
        return StoreError("GKB-202", where=where)
    if last in _TIMED_OUT:
        return StoreTimeout("GKB-205", where=where)
    if isinstance(error, neo4j.ConstraintError) or last == "ConstraintValidationFailed":
        return ConstraintViolation("GKB-204", where=where)
    if _DISK.search(message):
        return StoreError("GKB-212", where=where, detail=last)
    if isinstance(error, neo4j.DatabaseUnavailable):
        return StoreUnavailable("GKB-201", where=where, detail=last)
    if isinstance(error, neo4j.TransientError) or error.is_retryable() or _CONFLICT.search(message):
        return TransientError("GKB-203", where=where, detail=last)
    if free:
        return _of_free_text(error, code, message, where)
    return StoreError("GKB-207", where=where, detail=code or type(error).__name__)


def _of_free_text(error: neo4j.Neo4jError, code: str, message: str, where: str) -> GraphKBError:
    if code in _FORBIDDEN or isinstance(error, neo4j.Forbidden):
        return ForbiddenQuery("GKB-306", where=where)
    place = _PLACE.search(message)
    detail = code.rpartition(".")[2]
    if place:
        detail += f" at line {place[1]}, column {place[2]}"
    return QueryError("GKB-307", where=where, detail=detail)


@contextmanager
def translated(where: str, *, free: bool = False) -> Iterator[None]:
    """Raise our errors for the driver's, without the original (its text may hold values)."""
    try:
        yield
    except (neo4j.DriverError, neo4j.Neo4jError) as error:
        raise translate(error, where, free=free) from None
