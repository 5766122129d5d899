"""Linking on the 156 synthetic discharge notes: literal titles, other names in their place, ordered drugs, false links.

    python -m benchmarks.synth_notes_linking --data ../shared/data [--print-words 2000]

The lexicon holds the META vocabulary, the ICD titles of the notes' scope (each linked to the concept of its code, or to
one of its own) and the drug names of ``prescriptions``, as `names_from_store` yields them.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import re
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.bc5cdr_linking import read_types, rrf_names
from graphkb import ids
from graphkb.model.semantic_groups import group_of
from ingestion import sections
from ingestion.fold import fold_name
from ingestion.lexicon import Lexicon, Match, Name, build, drug_core
from ingestion.lexicon.words import exact_form

SCOPE = "local"
csv.field_size_limit(10_000_000)


def read_codes(data: Path) -> dict[tuple[str, str], str]:
    """Return (code, version) to concept."""
    lines = (data / "mini_umls_open" / "demo_icd2cui.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return {(line.split("\t")[0], line.split("\t")[1]): line.split("\t")[2] for line in lines}


def code_concept(code: str, version: str, codes: dict[tuple[str, str], str]) -> str:
    return codes.get((code, version)) or ids.concept(f"ICD{version}:{code}", SCOPE)


def drug_concept(name: str, public: Lexicon) -> str:
    """Return the concept of an ordered drug as `ingestion.linking` makes it."""
    cores = drug_core(name)
    for core in cores:
        links = public.lookup(core, "CHEM")
        if links:
            return links[0].concept
    return ids.local_concept(cores[0] if cores else fold_name(name), "drug", SCOPE)


def scope_names(data: Path, gold: list[dict[str, Any]], public: Lexicon) -> Iterator[Name]:
    """Yield the titles and drug names of the scope's tables."""
    meta, codes = data / "mini_umls_open" / "META", read_codes(data)
    types = read_types(meta)
    for code, version, title in sorted({tuple(row) for note in gold for row in note["dx_mentioned"]}):
        concept = code_concept(code, version, codes)
        tuis = types.get(concept, ())
        yield Name(title, concept, tuis, group_of(tuis) or "DISO", "title")
    with (data / "mimic_iv_demo" / "hosp" / "prescriptions.csv").open(encoding="utf-8", newline="") as stream:
        drugs = sorted({row["drug"] for row in csv.DictReader(stream) if row["drug"]})
    for drug in drugs:
        concept = drug_concept(drug, public)
        tuis = types.get(concept, ()) or ("drug",)
        yield Name(drug, concept, tuis, "CHEM", "drug")
        for core in drug_core(drug)[:1]:
            yield Name(core, concept, tuis, "CHEM", "drug", 1)


def at_span(matches: list[Match], start: int, end: int) -> Match | None:
    return next((m for m in matches if m.start < end and start < m.end), None)


def literal_titles(notes: dict[str, str], gold: list[dict[str, Any]], found: dict[str, list[Match]],
                   codes: dict[tuple[str, str], str]) -> dict[str, Any]:
    """Return how many titles are found in their note as a mention linked to the code's concept."""
    kinds: Counter[str] = Counter()
    misses: list[str] = []
    for note in gold:
        linked = {link.concept for match in found[note["note_id"]] for link in match.candidates}
        for code, version, title in note["dx_mentioned"]:
            concept = code_concept(code, version, codes)
            if concept in linked:
                kinds["found"] += 1
                continue
            at = notes[note["note_id"]].lower().find(title.lower())
            match = at_span(found[note["note_id"]], at, at + len(title)) if at >= 0 else None
            kind = "not in the text" if at < 0 else "no mention" if match is None else "other concept"
            kinds[kind] += 1
            misses.append(f"{kind}: {title} -> {match.name if match else ''}")
    return {"recall": round(kinds["found"] / sum(kinds.values()), 4), **kinds, "misses": Counter(misses).most_common(8)}


def medications(gold: list[dict[str, Any]], found: dict[str, list[Match]], public: Lexicon) -> dict[str, Any]:
    """Return how many medications are found in their note as a mention linked to the drug's concept."""
    kinds: Counter[str] = Counter()
    misses: Counter[str] = Counter()
    for note in gold:
        linked = {link.concept for match in found[note["note_id"]] for link in match.candidates}
        for drug in note["medications"]:
            concept = drug_concept(drug, public)
            kinds["found" if concept in linked else "missed"] += 1
            kinds["vocabulary concept"] += not concept.startswith("LOCAL:")
            misses[drug] += concept not in linked
    total = kinds["found"] + kinds["missed"]
    return {"recall": round(kinds["found"] / total, 4), **kinds,
            "misses": [item for item in misses.most_common(12) if item[1]]}


def replaced_titles(notes: dict[str, str], gold: list[dict[str, Any]], lexicon: Lexicon, meta: Path,
                    codes: dict[tuple[str, str], str]) -> dict[str, Any]:
    """Replace each title by another name of its concept, one at a time, and see whether the link is right."""
    names: dict[str, list[str]] = defaultdict(list)
    for name in rrf_names(meta):
        names[name.concept].append(name.text)
    kinds: Counter[str] = Counter()
    misses: Counter[str] = Counter()
    for note in gold:
        text = notes[note["note_id"]]
        for code, version, title in note["dx_mentioned"]:
            concept = code_concept(code, version, codes)
            others = sorted({name for name in names[concept] if exact_form(fold_name(name)) != exact_form(
                fold_name(title))})
            place = re.search(r"(?m)^(?:# |- )?(" + re.escape(title) + r")(?=:|$)", text)
            if not others or place is None:
                kinds["no other name" if not others else "no line of its own"] += 1
                continue
            other = others[int(ids.digest("pick", note["note_id"], code)[:8], 16) % len(others)]
            start = place.start(1)
            changed = text[:start] + other + text[place.end(1):]
            matches = lexicon.find(changed, sections.split(changed))
            match = at_span(matches, start, start + len(other))
            linked = [link.concept for m in matches if start <= m.start and m.end <= start + len(other)
                      for link in m.candidates]
            kind = ("first link" if match and match.candidates[0].concept == concept else
                    "among several" if concept in linked else "other concept" if match else "no mention")
            kinds[kind] += 1
            if kind in ("other concept", "no mention"):
                misses[f"{kind}: {other} -> {match.name if match else ''}"] += 1
    tried = sum(kinds[kind] for kind in ("first link", "among several", "other concept", "no mention"))
    right = kinds["first link"] + kinds["among several"]
    return {"linked": round(right / tried, 4), "as_first": round(kinds["first link"] / tried, 4), "tried": tried,
            **kinds, "misses": misses.most_common(12)}


def print_links(notes: dict[str, str], found: dict[str, list[Match]], words: int) -> None:
    """Print text with its links marked, note by note, until so many words are out. To be read by hand."""
    left = words
    for number in sorted(notes, key=lambda n: ids.digest("sample", n)):
        if left <= 0:
            break
        text, out, at = notes[number], [], 0
        tokens = list(re.finditer(r"\S+", text))[:left]
        left -= len(tokens)
        stop = tokens[-1].end()
        for match in found[number]:
            if match.end <= stop:
                links = " ".join(f"{link.concept}:{link.score}" for link in match.candidates[:3])
                out += [text[at:match.start], f"[[{text[match.start:match.end]}|{match.type} {links}]]"]
                at = match.end
        print(f"----- {number}", "".join([*out, text[at:stop]]), sep="\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--print-words", type=int, default=0)
    options = parser.parse_args()
    folder = options.data / "mimic_iv_note_synth"
    with gzip.open(folder / "discharge.csv.gz", "rt", encoding="utf-8", newline="") as stream:
        notes = {row["note_id"]: row["text"] for row in csv.DictReader(stream)}
    gold = [json.loads(line) for line in (folder / "discharge_gold.jsonl").read_text(encoding="utf-8").splitlines()]
    meta, codes = options.data / "mini_umls_open" / "META", read_codes(options.data)
    with tempfile.TemporaryDirectory() as scratch:
        public = build(rrf_names(meta), Path(scratch) / "public")
        lexicon = build([*rrf_names(meta), *scope_names(options.data, gold, public)], Path(scratch) / "local")
        parts = {number: sections.split(text) for number, text in notes.items()}
        found = {number: lexicon.find(text, parts[number]) for number, text in notes.items()}
        started = time.process_time()  # the second time: words and names have been met, as in a long run
        found = {number: lexicon.find(text, parts[number]) for number, text in notes.items()}
        took = time.process_time() - started
        words = sum(len(text.split()) for text in notes.values())
        characters = sum(map(len, notes.values()))
        print(json.dumps({"notes": len(notes), "words": words, "mentions": sum(map(len, found.values())),
                          "pieces_of_838_per_cpu_s": round(characters / 838 / took)}))
        print(json.dumps({"titles": literal_titles(notes, gold, found, codes)}, indent=1))
        print(json.dumps({"medications": medications(gold, found, public)}, indent=1))
        print(json.dumps({"replaced": replaced_titles(notes, gold, lexicon, meta, codes)}, indent=1))
        if options.print_words:
            print_links(notes, found, options.print_words)


if __name__ == "__main__":
    main()
