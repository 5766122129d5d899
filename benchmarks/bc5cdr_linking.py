"""Linking on BC5CDR: document-level sets of concepts, against mmlite and a plain dictionary.

    python -m benchmarks.bc5cdr_linking --data ../shared/data [--split dev] [--peers] [--errors 40]

Gold are the MeSH ids of a document's Disease or Chemical annotations that ``mesh2cui.tsv`` knows, as CUIs. A predicted
concept counts where it is the CUI of a MeSH id of the class: chemicals have T103 or T121, diseases a disorder type and
neither (the reading under which the plain dictionary gives what was measured before, 0.606 / 0.750).
Rules were written with the train split; dev is for the final figure only.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

from graphkb.model.semantic_groups import DISORDER_TYPES, group_of
from ingestion.lexicon import Lexicon, Name, build, rank_of

CLASSES = {"Disease": "DISO", "Chemical": "CHEM"}
Gold = dict[str, tuple[str, dict[str, set[str]]]]


def read_types(meta: Path) -> dict[str, tuple[str, ...]]:
    types: dict[str, list[str]] = defaultdict(list)
    with gzip.open(meta / "MRSTY.RRF.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            fields = line.split("|")
            types[fields[0]].append(fields[1])
    return {cui: tuple(sorted(tuis)) for cui, tuis in types.items()}


def rrf_names(meta: Path, without: tuple[str, ...] = ()) -> Iterator[Name]:
    """Yield the English names of a META folder."""
    types = read_types(meta)
    with gzip.open(meta / "MRCONSO.RRF.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            fields = line.rstrip("\n").split("|")
            if fields[1] == "ENG" and fields[16] == "N" and fields[11] not in without:
                tuis = types.get(fields[0], ())
                yield Name(fields[14], fields[0], tuis, group_of(tuis), rank=rank_of(fields[12]))


def read_mesh(data: Path) -> dict[str, str]:
    lines = (data / "mini_umls_open" / "mesh2cui.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return {line.split("\t")[0]: line.split("\t")[1] for line in lines}


def read_gold(path: Path, mesh: dict[str, str]) -> Gold:
    """Return document id to (text, class to CUIs)."""
    gold: Gold = {}
    for block in path.read_text(encoding="utf-8").strip().split("\n\n"):
        lines = block.split("\n")
        number, _, title = lines[0].split("|", 2)
        text = title + "\n" + lines[1].split("|", 2)[2]
        sets: dict[str, set[str]] = {name: set() for name in CLASSES}
        for line in lines[2:]:
            fields = line.split("\t")
            if len(fields) >= 6:
                sets[fields[4]] |= {mesh[item] for item in re.split(r"[|+]", fields[5]) if item in mesh}
        gold[number] = (text, sets)
    return gold


def class_of(types: tuple[str, ...]) -> str:
    if {"T103", "T121"} & set(types):
        return "CHEM"
    return "DISO" if DISORDER_TYPES & set(types) else ""


def score(gold: Gold, found: dict[str, dict[str, set[str]]], rounds: int = 1000) -> dict[str, dict[str, object]]:
    """Return precision, recall and F1 per class with 95 % bootstrap intervals of F1 over documents."""
    out: dict[str, dict[str, object]] = {}
    for name in CLASSES:
        counts = [(len(g[name] & found[d][name]), len(found[d][name]), len(g[name])) for d, (_, g) in gold.items()]

        def measure(rows: list[tuple[int, int, int]]) -> tuple[float, float, float]:
            hit, said, true = (sum(column) for column in zip(*rows, strict=True))
            precision, recall = hit / max(1, said), hit / max(1, true)
            return precision, recall, 2 * hit / max(1, said + true)

        chance = random.Random(0)
        spread = sorted(measure(chance.choices(counts, k=len(counts)))[2] for _ in range(rounds))
        precision, recall, f1 = measure(counts)
        out[name] = {"precision": round(precision, 4), "recall": round(recall, 4), "f1": round(f1, 4),
                     "f1_95": [round(spread[rounds // 40], 4), round(spread[-rounds // 40], 4)]}
    return out


def run(gold: Gold, link: Callable[[str], set[str]], known: dict[str, str]) -> dict[str, dict[str, set[str]]]:
    """Return the linked CUIs of each document by class; ``known`` has the class's group of each CUI with a MeSH id."""
    found = {}
    for number, (text, _) in gold.items():
        cuis = link(text)
        found[number] = {name: {cui for cui in cuis if known.get(cui) == group} for name, group in CLASSES.items()}
    return found


def plain(meta: Path) -> Callable[[str], set[str]]:
    """Return a plain longest-match dictionary over lower-cased words: the yardstick."""
    table: dict[tuple[str, ...], set[str]] = defaultdict(set)
    word = re.compile(r"[a-z0-9]+")
    for name in rrf_names(meta):
        words = tuple(word.findall(name.text.lower()))
        if words and len("".join(words)) > 2:
            table[words].add(name.concept)

    def link(text: str) -> set[str]:
        words = word.findall(text.lower())
        found: set[str] = set()
        at = 0
        while at < len(words):
            for size in range(8, 0, -1):
                hit = table.get(tuple(words[at:at + size]))
                if hit and at + size <= len(words):
                    found |= hit
                    at += size - 1
                    break
            at += 1
        return found
    return link


def mmlite_linker(meta: Path, folder: Path) -> Callable[[str], set[str]]:
    """Return mmlite (MetaMapLite in Python) over the same RRF files, without its optional tagger."""
    from mmlite import MetaMapLite
    from mmlite.config import Settings
    from mmlite.index.build import build_index

    folder.mkdir(parents=True)
    for name in ("MRCONSO", "MRSTY"):
        with gzip.open(meta / f"{name}.RRF.gz", "rb") as packed:
            (folder / f"{name}.RRF").write_bytes(packed.read())
    build_index(folder / "MRCONSO.RRF", folder / "MRSTY.RRF", folder / "index")
    linker = MetaMapLite(Settings(index_directory=folder / "index", enable_postagging=False))

    def link(text: str) -> set[str]:
        return {event.cui for entity in linker.process_text(text) for event in entity.evs}
    return link


def ours(lexicon: Lexicon) -> Callable[[str], set[str]]:
    return lambda text: {link.concept for match in lexicon.find(text) for link in match.candidates}


def show_errors(gold: Gold, found: dict[str, dict[str, set[str]]], lexicon: Lexicon, limit: int, path: Path,
                mesh: dict[str, str]) -> None:
    """Print the commonest misses (by annotated text) and false concepts (by surface). For the train split."""
    cui_name = {name.concept: name.text for name in rrf_names(path)}
    missed: dict[str, Counter[str]] = {name: Counter() for name in CLASSES}
    false: dict[str, Counter[str]] = {name: Counter() for name in CLASSES}
    for number, (text, sets) in gold.items():
        surface = defaultdict(set)
        for match in lexicon.find(text):
            for link in match.candidates:
                surface[link.concept].add(match.name + "/" + link.method.split(":")[1])
        for name in CLASSES:
            missed[name].update(f"{cui} {cui_name.get(cui)}" for cui in sets[name] - found[number][name])
            false[name].update(f"{cui} {cui_name.get(cui)} <- {sorted(surface[cui])[:2]}"
                               for cui in found[number][name] - sets[name])
    for name in CLASSES:
        print(f"\n== {name} missed", *missed[name].most_common(limit), sep="\n  ")
        print(f"\n== {name} false", *false[name].most_common(limit), sep="\n  ")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--split", choices=("train", "dev"), default="dev")
    parser.add_argument("--peers", action="store_true", help="run mmlite and the plain dictionary as well")
    parser.add_argument("--errors", type=int, default=0, help="show this many errors of a kind (train only)")
    options = parser.parse_args()
    if options.errors and options.split != "train":
        parser.error("errors are looked at on the train split only")
    meta = options.data / "mini_umls_open" / "META"
    mesh = read_mesh(options.data)
    types = read_types(meta)
    known = {cui: class_of(types.get(cui, ())) for cui in mesh.values()}
    gold = read_gold(options.data / "bc5cdr" / f"{options.split}_corpus.pubtator.txt", mesh)
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        lexicon = build(rrf_names(meta), Path(folder) / "lexicon")
        built = time.perf_counter() - started
        linkers = {"graphkb": ours(lexicon)}
        if options.peers:
            linkers |= {"plain dictionary": plain(meta), "mmlite": mmlite_linker(meta, Path(folder) / "mmlite")}
        for label, link in linkers.items():
            started = time.perf_counter()
            found = run(gold, link, known)
            took = time.perf_counter() - started
            print(json.dumps({"linker": label, "split": options.split, "documents": len(gold),
                              "documents_per_s": round(len(gold) / took, 1), **score(gold, found)}))
            if options.errors and label == "graphkb":
                show_errors(gold, found, lexicon, options.errors, meta, mesh)
        print(json.dumps({"names": len(lexicon), "build_s": round(built, 2), "stamp": lexicon.stamp[:16],
                          "bytes": sum(p.stat().st_size for p in (Path(folder) / "lexicon").iterdir())}))


if __name__ == "__main__":
    main()
