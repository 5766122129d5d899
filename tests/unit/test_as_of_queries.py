"""Every query that returns content takes the date of the question, or says why it need not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# what a reader of answers sees: text, titles, facts; keys, counts and states of the machinery are none
_CONTENT = re.compile(r"\b(?:c\.text|d\.title|m\.context)\b")
RETRIEVE = sorted((ROOT / "cypher" / "retrieve").glob("*.cypher"))
READ = [path for path in sorted((ROOT / "cypher" / "read").glob("*.cypher")) if _CONTENT.search(path.read_text())]


# the vocabulary has releases instead of dates; machinery that hands no text to a reader
_INNER = {"fingerprint_chunks", "list_document_chunks"}


@pytest.mark.parametrize("path", [*RETRIEVE, *READ], ids=lambda path: path.stem)
def test_content_has_a_date_or_a_reason(path: Path) -> None:
    if path.stem in _INNER:
        return
    text = path.read_text()
    params = re.search(r"^// params: (.*)$", text, re.M)
    assert params is not None
    given = {part.strip() for part in params[1].split(",")}
    reason = re.search(r"^// as_of: free - .{10,}$", text, re.M)
    assert bool({"as_of", "release"} & given) != bool(reason), "a parameter, or a reason in the header"


def test_the_predicate_is_the_same_everywhere() -> None:
    parts = {}
    for path in RETRIEVE:
        flat = " ".join(path.read_text().split())
        found = re.search(r"\(\(\$as_of = '' OR .*?d\.since, ''\), 0, size\(\$as_of\)\) <= \$as_of\)", flat)
        if found:
            parts[path.stem] = found[0]
    assert len(parts) >= 7
    assert len(set(parts.values())) == 1
