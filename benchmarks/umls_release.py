"""A synthetic UMLS release of any size, the same for one seed: MRCONSO, MRSTY, MRDEF, MRREL and MRSAB.

    python benchmarks/umls_release.py OUT [--atoms 3000000] [--relations 10000000] [--seed 1] [--gzip]

Names are made of syllables, no word is from a real vocabulary. The shape is that of a release: about 2.6 atoms a
concept with a long tail, nine sources in three licences, term types, some suppressed and foreign names, codes with
several names, definitions for one concept in nine. MRREL holds every relation from both ends, as two rows
(``--relations`` counts rows): a hierarchy (PAR/CHD, with RELA isa or none) as a random recursive tree of several
parents, RB/RN, RO with and without RELA, a few cycles of the hierarchy and a few hubs. Rows are written as they are
made: memory does not depend on the size.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import random
from collections.abc import Iterator
from pathlib import Path
from typing import IO

# SAB, share of atoms, restriction, language, term types
SOURCES = (("SYNMT", 30, 0, "ENG", ("PT", "SY", "SY", "AB")), ("SYNDX", 18, 9, "ENG", ("FN", "PT", "SY")),
           ("SYNRX", 14, 0, "ENG", ("IN", "BN", "SCD")), ("SYNMH", 12, 0, "ENG", ("MH", "ET", "ET")),
           ("SYNLN", 9, 0, "ENG", ("LN", "LC")), ("SYNHP", 5, 0, "ENG", ("PT", "SY")),
           ("SYNCT", 5, 3, "ENG", ("PT", "SY")), ("SYNES", 4, 0, "SPA", ("PT", "SY")),
           ("SYNFR", 3, 3, "FRE", ("MH", "ET")))
TYPES = (
    "T047", "T191", "T033", "T184", "T121", "T109", "T061", "T060", "T023", "T116", "T028", "T037", "T201", "T074")
RELAS = (("may_treat", "may_be_treated_by"),
         ("has_finding_site", "finding_site_of"), ("has_ingredient", "ingredient_of"),
         ("causative_agent_of", "has_causative_agent"), ("has_manifestation", "manifestation_of"),
         ("associated_with", "associated_with"), ("", ""), ("has_mechanism_of_action", "mechanism_of_action_of"))
STARTS = ("ca", "bro", "ne", "hy", "pul", "ar", "me", "ste", "glo", "an",
          "der", "os", "myo", "hep", "ka", "li", "tra", "vi")
MIDDLES = ("ri", "no", "ta", "lo", "mi", "ve", "su", "po", "dra", "xi", "co", "the", "ra", "ze", "nu", "pha")
ENDS = ("sis", "tis", "ma", "pathy", "line", "mab", "ol", "emia", "ectomy", "gram", "al", "ic", "oid", "ium", "ure")
SHAPES = ("{}", "{} {}", "{} of {}", "{}, {}", "{} {} {}", "{}'s {}", "{} [{}]", "{} 20 MG oral {}")


def words(rng: random.Random) -> list[str]:
    """Return the words that names are made of, frequent ones first."""
    made = dict.fromkeys(s + m + e for s, m, e in itertools.product(STARTS, MIDDLES, ENDS))
    made |= dict.fromkeys(s + m + n + e for s, m, n, e in itertools.product(STARTS, MIDDLES, MIDDLES[:6], ENDS[:8]))
    found = list(made)
    rng.shuffle(found)
    return found


def weighted(rng: random.Random, values: list[str], n: int) -> list[str]:
    """Return n of the values, the first ones more often (about 1/rank)."""
    size = len(values)
    return [values[int(size ** rng.random()) - 1] for _ in range(n)]


def cui(number: int) -> str:
    return f"C{number:07}"


def concepts(rng: random.Random, atoms: int) -> Iterator[tuple[int, int]]:
    """Yield concept numbers with how many atoms each has, until all atoms are given away."""
    left, number = atoms, 0
    while left > 0:
        number += 1
        tail = int(rng.paretovariate(1.3)) if rng.random() < 0.03 else 0
        size = min(left, 1 + int(rng.expovariate(0.62)) + tail)
        yield number, size
        left -= size


def terms(seed: int, atoms: int, conso: IO[str], sty: IO[str], definitions: IO[str]) -> int:
    """Write MRCONSO, MRSTY and MRDEF; return how many concepts there are."""
    rng = random.Random(seed)
    vocabulary = words(rng)
    weights = [source[1] for source in SOURCES]
    atom = number = 0
    for number, size in concepts(rng, atoms):
        key, code, source = cui(number), "", SOURCES[0]
        chosen = weighted(rng, vocabulary, 3)
        base = rng.choice(SHAPES)
        for place in range(size):
            atom += 1
            source = rng.choices(SOURCES, weights)[0] if place == 0 or rng.random() < 0.7 else source
            if not code or rng.random() < 0.5:
                code = f"{atom}"
            name = (base if place == 0 else rng.choice(SHAPES)).format(*chosen)
            if place:
                chosen[rng.randrange(3)] = weighted(rng, vocabulary, 1)[0]
            suppress = "O" if rng.random() < 0.04 else "N"
            ts = "P" if place == 0 else "S"
            conso.write(f"{key}|{source[3]}|{ts}|L{atom:07}|{'PF' if place == 0 else 'VO'}|S{atom:07}|"
                        f"{'Y' if place == 0 else 'N'}|A{atom:08}||||{source[0]}|{rng.choice(source[4])}|{code}|{name}|"
                        f"{source[2]}|{suppress}|256|\n")
            if place == 0 and rng.random() < 0.11:
                text = " ".join(weighted(rng, vocabulary, rng.randint(8, 40)))
                definitions.write(f"{key}|A{atom:08}|AT{atom:08}||{source[0]}|{text}.|N||\n")
        for tui in rng.sample(TYPES, 2 if rng.random() < 0.07 else 1):
            sty.write(f"{key}|{tui}|B1|x|AT{number:08}|256|\n")
    return number


def relations(seed: int, rows: int, most: int, rel: IO[str]) -> None:
    """Write about that many rows of MRREL, two for each relation."""
    rng = random.Random(seed + 1)
    sabs = [source[0] for source in SOURCES]
    weights = [source[1] for source in SOURCES]
    number = 0

    def both(first: int, word: str, second: int, rela: str, inverse_word: str, inverse: str, sab: str) -> None:
        nonlocal number
        number += 2
        a, b = cui(first), cui(second)
        rel.write(f"{a}|A{first:08}|AUI|{word}|{b}|A{second:08}|AUI|{rela}|R{number - 1:09}||{sab}|{sab}|||N||\n"
                  f"{b}|A{second:08}|AUI|{inverse_word}|{a}|A{first:08}|AUI|{inverse}|R{number:09}||{sab}|{sab}|||N||\n")

    hubs = [1 + rng.randrange(most) for _ in range(max(1, most // 5000))]
    for done in range(rows // 2):
        sab = rng.choices(sabs, weights)[0]
        first = 1 + done % most
        kind = rng.random()
        if kind < 0.35 and first > 1:  # the second is the parent: a lower number, so no cycle
            parent = 1 + int((first - 1) * rng.random() ** 1.5)
            rela = rng.random() < 0.6
            both(first, "PAR", parent, "inverse_isa" if rela else "", "CHD", "isa" if rela else "", sab)
            if rng.random() < 2e-5:
                both(parent, "PAR", first, "", "CHD", "", sab)
            continue
        other = rng.choice(hubs) if rng.random() < 0.05 else 1 + rng.randrange(most)
        if other == first:
            other = first % most + 1
        if kind < 0.5:
            both(first, "RB", other, "", "RN", "", sab)
        else:
            rela, inverse = RELAS[int(len(RELAS) * rng.random())]
            both(first, "RO", other, rela, "RO", inverse, sab)


def write(out: Path, *, atoms: int, relation_rows: int, seed: int = 1, packed: bool = False) -> Path:
    """Write a release into ``out``; ``relation_rows`` counts rows of MRREL."""
    out.mkdir(parents=True, exist_ok=True)

    def table(name: str) -> IO[str]:
        if packed:
            return gzip.open(out / f"{name}.RRF.gz", "wt", encoding="utf-8", newline="\n", compresslevel=1)
        return (out / f"{name}.RRF").open("w", encoding="utf-8", newline="\n", buffering=1 << 20)

    with table("MRCONSO") as conso, table("MRSTY") as sty, table("MRDEF") as definitions, table("MRREL") as rel, \
            table("MRSAB") as sab:
        for name, _, restriction, language, _ in SOURCES:
            sab.write(f"||{name}_2026|{name}|{name} synthetic|{name}|2026|||2026AA||||{restriction}|1|1|FULL|||"
                      f"{language}|UTF-8|Y|Y|{name}|{name} is made up|\n")
        relations(seed, relation_rows, terms(seed, atoms, conso, sty, definitions), rel)
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--atoms", type=int, default=3_000_000)
    parser.add_argument("--relations", type=int, default=10_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--gzip", action="store_true")
    options = parser.parse_args()
    write(options.out, atoms=options.atoms, relation_rows=options.relations, seed=options.seed, packed=options.gzip)


if __name__ == "__main__":
    main()
