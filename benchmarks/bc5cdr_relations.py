"""Chemical-induced-disease relations of BC5CDR by the trigger rules: document-level pairs of MeSH ids.

``python benchmarks/bc5cdr_relations.py [--part train|dev] [--rules] [--own VOCABULARY_FOLDER]``. With gold mentions,
and, with ``--own``, with mentions of our own dictionary lane over that vocabulary. A statement counts as a
chemical-induced-disease relation where it says ``causes`` or ``associated_with`` from a chemical to a disease.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from graphkb.model.graph import Chunk, Link, Mention, Statement
from ingestion import sentences
from ingestion.assertion import classify
from ingestion.statements import find_statements

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
CAUSAL = ("causes", "associated_with")
TYPES = {"Chemical": "T121", "Disease": "T047"}
Pairs = set[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Abstract:
    """One annotated abstract: title and abstract as one text, mentions (start, end, type, MeSH ids), relations."""

    pmid: str
    text: str
    mentions: tuple[tuple[int, int, str, str], ...]
    relations: frozenset[tuple[str, str]]


def read(path: Path) -> Iterator[Abstract]:
    """Yield the abstracts of a PubTator file."""
    for record in path.read_text(encoding="utf-8").strip().split("\n\n"):
        title = body = pmid = ""
        mentions: list[tuple[int, int, str, str]] = []
        relations: set[tuple[str, str]] = set()
        for line in record.split("\n"):
            if "|t|" in line[:20]:
                pmid, _, title = line.split("|", 2)
            elif "|a|" in line[:20]:
                body = line.split("|", 2)[2]
            else:
                fields = line.split("\t")
                if fields[1] == "CID":
                    relations.add((fields[2], fields[3]))
                else:
                    mentions.append((int(fields[1]), int(fields[2]), fields[4], fields[5]))
        yield Abstract(pmid, f"{title} {body}", tuple(mentions), frozenset(relations))


def gold_mentions(abstract: Abstract, bounds: list[tuple[int, int]]) -> list[Mention]:
    """Return the annotated mentions with the state that our rules give them."""
    known = [m for m in abstract.mentions if m[3] not in ("-1", "") and "|" not in m[3]]
    states = classify(abstract.text, (), bounds, [(m[0], m[1]) for m in known])
    return [
        Mention(f"m{i}", "c", abstract.text[start:end].casefold(), TYPES[kind], ((start, end),), state.assertion,
                state.experiencer, state.temporality, links=(Link(mesh, 1.0, "gold"),))
        for i, ((start, end, kind, mesh), state) in enumerate(zip(known, states, strict=True))
    ]


def causal(statements: list[Statement]) -> dict[tuple[str, str], set[str]]:
    """Return the affirmed pairs and the rules that found them."""
    pairs: dict[tuple[str, str], set[str]] = defaultdict(set)
    for item in statements:
        if item.predicate in CAUSAL and item.polarity == "affirmed":
            pairs[item.subject, item.object] |= {evidence.method for evidence in item.evidence}
    return pairs


def figures(name: str, right: int, found: int, gold: int) -> str:
    """Return precision, recall and F1 as a line."""
    precision, recall = right / max(found, 1), right / max(gold, 1)
    f1 = 2 * precision * recall / max(precision + recall, 1e-9)
    return f"{name}: pairs {found}, right {right} of {gold}; precision {precision:.3f} recall {recall:.3f} F1 {f1:.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=("train", "dev"), default="train")
    parser.add_argument("--rules", action="store_true", help="also precision rule by rule")
    parser.add_argument("--own", type=Path, help="folder with MRCONSO.RRF(.gz): mentions of our own dictionary lane")
    options = parser.parse_args()
    abstracts = list(read(DATA / "bc5cdr" / f"{options.part}_corpus.pubtator.txt"))
    gold = sum(len(a.relations) for a in abstracts)
    right = found = 0
    rules: Counter[str] = Counter()
    rules_right: Counter[str] = Counter()
    began = time.perf_counter()
    for abstract in abstracts:
        bounds = sentences.split(abstract.text)
        chunk = Chunk("c", "d", 0, len(abstract.text), 0, abstract.text)
        statements = find_statements(abstract.text, bounds, gold_mentions(abstract, bounds), [chunk], scope="public")
        pairs = {pair: by for pair, by in causal(statements).items() if _is_cid(pair, abstract)}
        found += len(pairs)
        right += len(pairs.keys() & abstract.relations)
        for pair, by in pairs.items():
            rules.update(by)
            rules_right.update(by if pair in abstract.relations else ())
    print(figures(f"{options.part}, gold mentions", right, found, gold), f"({time.perf_counter() - began:.1f} s)")
    if options.rules:
        for rule, count in rules.most_common():
            print(f"  {rule}: {rules_right[rule]} of {count}")


def _is_cid(pair: tuple[str, str], abstract: Abstract) -> bool:
    kinds = {mesh: kind for _, _, kind, mesh in abstract.mentions}
    return (kinds.get(pair[0]), kinds.get(pair[1])) == ("Chemical", "Disease")


if __name__ == "__main__":
    main()
