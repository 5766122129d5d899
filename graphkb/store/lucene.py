"""User text as a full-text query: data, never Lucene syntax. The only place that escapes."""

from __future__ import annotations

import re

MOST_TERMS = 256
_WORD = re.compile(r"[^\W_]+")


def escape(text: str) -> str:
    r"""Return a Lucene query that asks for any of the words of a text.

    Every run of letters and digits becomes one quoted term; everything else, which includes all of Lucene's
    syntax (``+ - && || ! ( ) { } [ ] ^ " ~ * ? : \ /``), separates words as it does in the index's analyser.
    Quoting takes the meaning from ``AND``, ``OR``, ``NOT`` and ``TO``. Words are said once, in the
    order of the text, and at most `MOST_TERMS` of them (Lucene refuses queries of more than 1,024 clauses).

    Returns
    -------
    str
        The query, or ``""`` where the text has no word: then there is nothing to ask, and the answer is no rows.
    """
    words = dict.fromkeys(word.lower() for word in _WORD.findall(text))
    return " ".join(f'"{word}"' for word in list(words)[:MOST_TERMS])
