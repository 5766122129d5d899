"""One way to a server."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Address, database and users. `repr` shows no secret."""

    uri: str
    database: str
    auth: tuple[str, str] | None
    reader_auth: tuple[str, str] | None = None
    http: str | None = None
    folder: Path | None = None

    @property
    def embedded(self) -> bool:
        """Whether it is our own child process."""
        return self.folder is not None

    def __repr__(self) -> str:
        return f"Endpoint({self.uri!r}, {self.database!r})"
