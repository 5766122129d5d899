"""Make the name lists of `ingestion.phi` from the 1990 US census files, without words that are ordinary in text.

    python scripts/phi_names.py NAMES_FOLDER TEXT... --out ingestion/phi/data/names.txt.gz

NAMES_FOLDER holds ``dist.all.last``, ``dist.female.first`` and ``dist.male.first`` (public domain; for instance from
the package `names` 0.3.0). TEXT are files (plain or gzip) of ordinary medical prose: a name that occurs in lower case
there is a word, and no name on its own.
"""

from __future__ import annotations

import argparse
import gzip
import re
from collections import Counter
from pathlib import Path

LASTS = 20_000


def names(path: Path, most: int) -> list[str]:
    """Return the most frequent names of a census file."""
    return [line.split()[0].lower() for line in path.read_text().splitlines() if line.strip()][:most]


def main() -> None:
    """Write the file: the first names, an empty line, the last names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("texts", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    words: Counter[str] = Counter()
    for path in given.texts:
        data = path.read_bytes()
        text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode("utf-8")
        words.update(re.findall(r"(?<=[ (])[a-z]{2,}(?=[ ,;)])", text))
    ordinary = {word for word, count in words.items() if count >= 2}
    firsts = {name for part in ("female", "male") for name in names(given.folder / f"dist.{part}.first", 100_000)}
    lasts = set(names(given.folder / "dist.all.last", LASTS))
    parts = ["\n".join(sorted(found - ordinary)) for found in (firsts, lasts)]
    given.out.write_bytes(gzip.compress("\n\n".join(parts).encode(), mtime=0))


if __name__ == "__main__":
    main()
