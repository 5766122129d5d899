"""What a policy makes of a document in which identifiers were found."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from graphkb import ids
from graphkb.config import PhiSettings
from graphkb.errors import InputError
from graphkb.model import Section, SourceDocument
from ingestion.phi.find import Finding, find

BLOCK = "_"


class Screen:
    """Screens user-tier documents by a policy; others, and those without text of their own, pass.

    Parameters
    ----------
    settings : PhiSettings
        The policy.

    Raises
    ------
    ConfigError
        GKB-106: Presidio is asked for and is not installed.
    """

    def __init__(self, settings: PhiSettings) -> None:
        self.policy = settings.policy
        self.counts: Counter[str] = Counter()
        self.documents = 0
        self._presidio = None
        if settings.presidio and settings.policy != "off":
            from ingestion.phi.presidio import Presidio

            self._presidio = Presidio()

    def __call__(self, document: SourceDocument) -> SourceDocument:
        """Return a document as the policy wants it.

        Raises
        ------
        InputError
            GKB-422: the policy is to refuse, and there is something; its kinds and counts, never its text.
        """
        if self.policy == "off" or document.tier != "user" or document.kind == "table" or not document.text:
            return document
        found = self._find(document.text)
        in_title = self._find(document.title)
        counts = Counter(one.kind for one in (*found, *in_title))
        if not counts:
            return document
        self.documents += 1
        self.counts += counts
        said = ", ".join(f"{kind} {count}" for kind, count in sorted(counts.items()))
        if self.policy == "refuse":
            raise InputError("GKB-422", where=document.path or "a record", detail=said)
        tagged = {**document.properties, "phi": said}
        if self.policy == "tag":
            return replace(document, properties=tagged)
        tagged = {name: mask(value, self._find(value)) if isinstance(value, str) and name != "phi" else value
                  for name, value in tagged.items()}
        text = mask(document.text, found)
        named = document.record == ids.content_hash(document.text)  # the hash of a text would tell of what it hid
        return replace(document, text=text, title=mask(document.title, in_title), properties=tagged,
                       statements=tuple(replace(s, subject=mask(s.subject, self._find(s.subject)),
                                                object=mask(s.object, self._find(s.object)))
                                        for s in document.statements),
                       record=ids.content_hash(text) if named else document.record,
                       sections=tuple(Section(mask(s.name, self._find(s.name)), s.start, s.end)
                                      for s in document.sections))

    def _find(self, text: str) -> list[Finding]:
        return find(text, self._presidio.find(text) if self._presidio is not None else ())

    def report(self) -> dict[str, int]:
        """Return how many documents have something, and of which kinds."""
        if not self.documents:
            return {}
        return {"documents": self.documents, **dict(sorted(self.counts.items()))}


def mask(text: str, found: Iterable[Finding]) -> str:
    """Return a text of the same length with blocks in place of what was found; line ends stay."""
    parts: list[str] = []
    place = 0
    for one in found:
        parts += [text[place:one.start], re.sub(r"[^\r\n]", BLOCK, text[one.start:one.end])]
        place = one.end
    return "".join(parts) + text[place:]
