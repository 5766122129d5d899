"""Chemical-induced-disease relations of BC5CDR by the trigger rules: document-level pairs of MeSH ids.

    python benchmarks/bc5cdr_relations.py --data ../shared/data [--part dev] [--own] [--rules]

With the annotated mentions given, or with ``--own`` through our whole lane: lexicon of ``mini_umls_open``, mentions,
assertion, statements. A statement counts as a relation where it says ``causes`` or ``associated_with`` from a chemical
to a disease. With our own mentions, concepts stand for their MeSH ids by ``mesh2cui.tsv``; a pair with a concept that
has no MeSH id cannot be judged and is counted apart. The rules were tried on train; dev is for the final figure only.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from graphkb.model.graph import Chunk, Link, Mention, Statement
from ingestion import sentences
from ingestion.assertion import classify
from ingestion.statements import find_statements

CAUSAL = ("causes", "associated_with")
TYPES = {"Chemical": "T121", "Disease": "T047"}


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


def with_gold(abstract: Abstract) -> dict[tuple[str, str], set[str]]:
    """Return the pairs found between annotated mentions."""
    bounds = sentences.split(abstract.text)
    chunk = Chunk("c", "d", 0, len(abstract.text), 0, abstract.text)
    found = find_statements(abstract.text, bounds, gold_mentions(abstract, bounds), [chunk], scope="public")
    kinds = {mesh: kind for _, _, kind, mesh in abstract.mentions}
    return {
        pair: by for pair, by in causal(found).items() if [kinds.get(end) for end in pair] == ["Chemical", "Disease"]
    }


def with_ours(data: Path, folder: Path) -> Callable[[Abstract], dict[tuple[str, str], set[str]]]:
    """Return a function to the pairs found between our own mentions."""
    from bc5cdr_linking import class_of, read_mesh, read_types, rrf_names

    from ingestion.lexicon import build
    from ingestion.mentions import find_mentions

    meta = data / "mini_umls_open" / "META"
    lexicon, types = build(rrf_names(meta), folder), read_types(meta)
    mesh_of: dict[str, list[str]] = defaultdict(list)
    for mesh, cui in read_mesh(data).items():
        mesh_of[cui].append(mesh)

    def pairs(abstract: Abstract) -> dict[tuple[str, str], set[str]]:
        bounds = sentences.split(abstract.text)
        chunk = Chunk("c", "d", 0, len(abstract.text), 0, abstract.text)
        mentions = find_mentions(abstract.text, (), bounds, [chunk], lexicon)
        found: dict[tuple[str, str], set[str]] = {}
        for ends, by in causal(find_statements(abstract.text, bounds, mentions, [chunk], scope="public")).items():
            if [class_of(types.get(cui, ())) for cui in ends] != ["CHEM", "DISO"]:
                continue
            known = [mesh_of.get(cui, [""]) for cui in ends]
            options = [(drug, disease) for drug in known[0] for disease in known[1]]
            # Where a concept has several MeSH ids, the annotated one stands for it.
            found[next((pair for pair in options if pair in abstract.relations), options[0])] = by
        return found

    return pairs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--part", choices=("train", "dev"), default="train")
    parser.add_argument("--own", action="store_true", help="our own mentions instead of the annotated ones")
    parser.add_argument("--rules", action="store_true", help="also precision rule by rule")
    options = parser.parse_args()
    abstracts = list(read(options.data / "bc5cdr" / f"{options.part}_corpus.pubtator.txt"))
    with tempfile.TemporaryDirectory() as folder:
        find = with_ours(options.data, Path(folder) / "lexicon") if options.own else with_gold
        began = time.perf_counter()
        results = [find(abstract) for abstract in abstracts]
        seconds = time.perf_counter() - began
    judged = [{pair: by for pair, by in pairs.items() if all(pair)} for pairs in results]
    found = sum(map(len, judged))
    right = sum(len(pairs.keys() & a.relations) for pairs, a in zip(judged, abstracts, strict=True))
    gold = sum(len(a.relations) for a in abstracts)
    precision, recall = right / max(found, 1), right / max(gold, 1)
    f1 = 2 * precision * recall / max(precision + recall, 1e-9)
    kind = "own" if options.own else "gold"
    print(f"{options.part}, {kind} mentions: pairs {found}, right {right} of {gold}; precision {precision:.3f} recall "
          f"{recall:.3f} F1 {f1:.3f}; without a MeSH id {sum(map(len, results)) - found}; {seconds:.1f} s")
    if options.rules:
        said, true = Counter[str](), Counter[str]()
        for pairs, abstract in zip(judged, abstracts, strict=True):
            for pair, by in pairs.items():
                said.update(by)
                true.update(by if pair in abstract.relations else ())
        for rule, count in said.most_common():
            print(f"  {rule}: {true[rule]} of {count}")


if __name__ == "__main__":
    main()
