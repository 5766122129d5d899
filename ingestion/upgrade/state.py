"""The upgrade that the graph is in, and its journal, both in the graph.

``meta:upgrade`` says which release is coming, how far it is, and what was planned. Each transaction of an upgrade
leaves an entry ``meta:upgrade:<n>`` in the same transaction, which says how to undo it. So a kill at any moment leaves
an upgrade that the same command finishes or that ``--rollback`` takes back.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from graphkb import ids
from graphkb.errors import IngestError
from graphkb.store.protocol import Row, Store, Tx

KEY = ids.meta("upgrade")
Undo = list[Row]
_FINISH = "finish it with the command that began it, or take it back with `graphkb upgrade umls --rollback`"


def _entry(number: int) -> str:
    return ids.meta(f"upgrade:{number:08d}")


@dataclass(slots=True)
class UpgradeState:
    """What ``meta:upgrade`` says. ``state``: applying, relinking, applied, or undoing."""

    release: str
    present: str
    state: str
    entries: int = 0
    generation: int = 0
    plan: dict[str, Any] = field(default_factory=dict)
    folder: str = ""

    @property
    def finished(self) -> bool:
        """Whether nothing is left to do."""
        return self.state == "applied"

    @classmethod
    def read(cls, store: Store | Tx) -> UpgradeState | None:
        """Return the upgrade that the graph is in or had last, or None."""
        rows = store.read("get_meta", key=KEY)
        if not rows or not rows[0]["properties"].get("state"):
            return None
        p = rows[0]["properties"]
        return cls(p["release"], p["present"], p["state"], p["entries"], p["generation"], json.loads(p["plan"]),
                   p["folder"])

    def properties(self) -> dict[str, Any]:
        """Return the node's properties."""
        return {"release": self.release, "present": self.present, "state": self.state, "entries": self.entries,
                "generation": self.generation, "plan": json.dumps(self.plan, sort_keys=True), "folder": self.folder,
                "scope": ids.PUBLIC}


def refuse_unfinished(store: Store) -> None:
    """Let nothing else change the vocabulary while an upgrade is unfinished.

    Raises
    ------
    IngestError
        GKB-621.
    """
    state = UpgradeState.read(store)
    if state is not None and not state.finished:
        raise unfinished(state)


def unfinished(state: UpgradeState) -> IngestError:
    """Return the error that names the upgrade in the way."""
    return IngestError("GKB-621", where=f"release {state.release}", detail=state.state, hint=_FINISH)


class Journal:
    """Writes of one upgrade by one process: each transaction with its entry, and each entry undone once."""

    def __init__(self, store: Store, state: UpgradeState) -> None:
        self._store = store
        self.state = state
        self._owner = secrets.token_hex(8)

    def take_over(self) -> None:
        """Make this process the one that goes on with the upgrade; one that did so before is told at its next write."""
        self._store.write("put_meta", key=KEY, properties=self.state.properties() | {"owner": self._owner})

    def move(self, state: str, **changes: Any) -> None:
        """Record that the upgrade is in its next state."""
        def work(tx: Tx) -> None:
            self._check(tx)
            tx.write("put_meta", key=KEY, properties=wanted.properties())

        wanted = self.state
        wanted.state = state
        for name, value in changes.items():
            setattr(wanted, name, value)
        self._store.transaction(work)

    def commit(self, work: Callable[[Tx], Undo]) -> None:
        """Run one transaction of the upgrade and keep how to undo it."""
        number = self.state.entries

        def whole(tx: Tx) -> None:
            if self._check(tx) > number:
                return  # the commit went through and its answer was lost
            undo = work(tx)
            if undo:
                tx.write("put_meta", key=_entry(number), properties={"undo": json.dumps(undo), "scope": ids.PUBLIC})
            tx.write("put_meta", key=KEY, properties={"entries": number + 1})
            _count(tx)

        self._store.transaction(whole)
        self.state.entries = number + 1

    def undo(self, work: Callable[[Tx, Row], None], *, stop: frozenset[str] = frozenset()) -> bool:
        """Undo the latest entry; return False where there is none or where it begins with a kind to stop at."""
        number = self.state.entries - 1
        if number < 0:
            return False
        rows = self._store.read("get_meta", key=_entry(number))
        undo: Undo = json.loads(rows[0]["properties"]["undo"]) if rows else []
        if any(step["op"] in stop for step in undo):
            return False

        def whole(tx: Tx) -> None:
            if self._check(tx) <= number:
                return
            for step in reversed(undo):
                work(tx, step)
            tx.write("delete_meta", keys=[_entry(number)])
            tx.write("put_meta", key=KEY, properties={"entries": number})
            _count(tx)

        self._store.transaction(whole)
        self.state.entries = number
        return True

    def forget(self) -> None:
        """Drop the entries of an upgrade that is not going to be taken back any more, the latest first."""
        while self.state.entries:
            first = max(0, self.state.entries - 500)
            keys = [_entry(number) for number in range(first, self.state.entries)]

            def work(tx: Tx, keys: list[str] = keys, first: int = first) -> None:
                self._check(tx)
                tx.write("delete_meta", keys=keys)
                tx.write("put_meta", key=KEY, properties={"entries": first})

            self._store.transaction(work)
            self.state.entries = first

    def _check(self, tx: Tx) -> int:
        properties = tx.read("get_meta", key=KEY)[0]["properties"]
        if properties.get("owner") != self._owner:
            raise IngestError("GKB-604", where=KEY, detail="another process went on with the upgrade")
        return int(properties["entries"])


def _count(tx: Tx) -> None:
    tx.write("bump_generation", key=ids.meta(f"lexicon:{ids.PUBLIC}"))
    tx.write("bump_generation", key=ids.meta("graph"))


def generation(store: Store) -> int:
    """Return the count of changes to the public names."""
    rows = store.read("get_meta", key=ids.meta(f"lexicon:{ids.PUBLIC}"))
    return int(rows[0]["properties"].get("generation", 0)) if rows else 0
