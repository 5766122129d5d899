"""The command line. `main` is the door; the commands are thin over `graphkb.kb.KnowledgeBase`."""

from __future__ import annotations

import sys

# Options that may stand before or after the command: they say which graph is meant.
_EVERYWHERE = {"--config": True, "--data-dir": True, "--scope": True, "--store": True, "--quiet": False, "-q": False}


def hoist(arguments: list[str]) -> list[str]:
    """Move the options that every command knows to the front; what follows ``--`` stays."""
    front: list[str] = []
    rest: list[str] = []
    at = 0
    while at < len(arguments):
        word = arguments[at]
        if word == "--":
            rest += arguments[at:]
            break
        name, _, value = word.partition("=")
        if name in _EVERYWHERE and (value or not _EVERYWHERE[name]):
            front.append(word)
        elif name in _EVERYWHERE and at + 1 < len(arguments):
            front += arguments[at:at + 2]
            at += 1
        else:
            rest.append(word)
        at += 1
    return front + rest


def main() -> None:
    """Run the command line and exit with its code: 0 ok, 1 failed, 2 usage, 3 partial, 4 check found problems."""
    from graphkb.cli.app import run

    sys.exit(run(hoist(sys.argv[1:])))
