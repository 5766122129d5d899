"""Build ``examples/sample`` from a folder of public data sets: ``python examples/build_sample.py ../shared/data``.

Deterministic: the same inputs give the same bytes. ``sample/notes``, ``sample/questions.json``, ``sample/README.md``
and the licence texts are written by hand and left as they are. The README says what each part is and who may use it.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

SAMPLE = Path(__file__).resolve().parent / "sample"

PATIENTS = ("10001217", "10001725", "10002495", "10005348", "10005817", "10010471", "10015272", "10016150", "10020306",
            "10022017", "10037861", "10039997")
TABLES = ("patients", "admissions", "diagnoses_icd", "procedures_icd", "prescriptions")
ARTICLES = ("pmed.0020007", "pntd.0001041", "pone.0008519", "pone.0152459", "pmed.0030205")
# file -> title, sections of the book
BOOK = {
    "acetaminophen": ("Acetaminophen", ("m00273:2",)),
    "albuterol": ("Albuterol", ("m00390:5", "m00390:6")),
    "angiotensin-converting-enzyme-inhibitors": ("Angiotensin-converting enzyme inhibitors", ("m00295:1", "m00295:2")),
    "aspirin": ("Aspirin", ("m00316:3", "m00389:4")),
    "atorvastatin": ("Atorvastatin", ("m00384:4",)),
    "digoxin": ("Digoxin", ("m00286:3", "m00286:5")),
    "heparin": ("Heparin", ("m00315:3",)),
    "levothyroxine": ("Levothyroxine", ("m00410:2",)),
    "loop-diuretics": ("Loop diuretics", ("m00439:2", "m00439:3")),
    "metformin": ("Metformin", ("m00415:8", "m00415:28")),
    "metoprolol": ("Metoprolol", ("m00283:3", "m00283:4")),
    "penicillins": ("Penicillins", ("m00245:4",)),
    "warfarin": ("Warfarin", ("m00315:6", "m00315:12")),
}
LABELS = ("Drug Class", "Mechanism of Action", "Drug Dosage", "Indications", "Therapeutic Effects", "Drug Interactions",
          "Food Interactions", "Adverse Effects", "Contraindications")
# Terms of DrugBank's and PharmacotherapyDB's inputs do not allow every use, so nothing of theirs is in the sample.
LEFT_OUT = ("DRUGBANK", "PTDB")
# Sentences that pointed to a table and lost its name in the conversion.
LOST = re.compile(r"(?:^|(?<=[.)] ))(?:is a|lists|It lists|shows) [^.\n]*\.(?: |$)", re.MULTILINE)
WORD = re.compile(r"[^\W_]+(?:[-'][^\W_]+)*")
LONGEST_NAME = 8


def open_text(path: Path) -> io.TextIOWrapper:
    """Open a plain or gzip text file, line ends kept."""
    raw = path.read_bytes()
    data = gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw
    return io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", newline="")


def write_csv(path: Path, header: list[str], rows: Iterable[list[str]]) -> int:
    """Write a CSV file; return the number of data rows."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = list(rows)
    with path.open("w", encoding="utf-8", newline="") as handle:
        writer = csv.writer(handle, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
    return len(rows)


def build_mimic(data: Path) -> tuple[dict[str, int], str, set[str]]:
    """Write ``mimic/``; return the counts, the notes' text with the drug names, and the ICD codes that occur."""
    counts: dict[str, int] = {}
    texts: list[str] = []
    codes: dict[str, set[tuple[str, str]]] = {"diagnoses": set(), "procedures": set()}
    for table in TABLES:
        with open_text(data / "mimic_iv_demo" / "hosp" / f"{table}.csv") as handle:
            reader = csv.reader(handle)
            header = next(reader)
            rows = [row for row in reader if row[header.index("subject_id")] in PATIENTS]
        counts[table] = write_csv(SAMPLE / "mimic" / "hosp" / f"{table}.csv", header, rows)
        if "icd_code" in header:
            code, version = header.index("icd_code"), header.index("icd_version")
            codes[table.removesuffix("_icd")] |= {(row[code], row[version]) for row in rows}
        if "drug" in header:
            texts += [row[header.index("drug")] for row in rows]
    for what, wanted in codes.items():
        with open_text(data / "mimic_iv_demo" / "derived" / f"d_icd_{what}.csv") as handle:
            reader = csv.reader(handle)
            header = next(reader)
            rows = [row for row in reader if (row[0], row[1]) in wanted]
        counts[f"d_icd_{what}"] = write_csv(SAMPLE / "mimic" / "hosp" / f"d_icd_{what}.csv", header, rows)
    with open_text(data / "mimic_iv_note_synth" / "discharge.csv.gz") as handle:
        reader = csv.reader(handle)
        header = next(reader)
        rows = [row for row in reader if row[header.index("subject_id")] in PATIENTS]
    counts["discharge"] = write_csv(SAMPLE / "mimic" / "note" / "discharge.csv", header, rows)
    texts += [row[header.index("text")] for row in rows]
    return counts, "\n".join(texts), {code for code, _ in codes["diagnoses"]}


def build_articles(data: Path) -> str:
    """Copy the articles, unpacked and otherwise byte for byte; return their text for finding names in it."""
    folder = SAMPLE / "articles"
    folder.mkdir(parents=True, exist_ok=True)
    texts = []
    for name in ARTICLES:
        content = gzip.decompress((data / "jats" / "plos" / f"journal.{name}.xml.gz").read_bytes())
        (folder / f"journal.{name}.xml").write_bytes(content)
        texts.append(re.sub(r"<ref-list.*?</ref-list>|<[^>]+>", " ", content.decode(), flags=re.DOTALL))
    return "\n".join(texts)


def book_lines(section: dict[str, object]) -> Iterator[str]:
    """Yield a section as Markdown: its lines, without sentences that lost their link, then its tables."""
    text = LOST.sub("", str(section["text"]))
    text = re.sub(r"(?<=listed in) (?=[;.,])", " the book", text.replace(" (see )", "").replace("(see ) ", ""))
    for line in text.split("\n"):
        if line.strip():
            yield line if line.startswith("- ") else f"{line}\n"
    tables = section["tables"]
    for table in tables if isinstance(tables, list) else []:
        cells = [cell for row in table["rows"] for cell in row]
        if cells and cells[0].startswith("Drug Class"):
            parts = re.split(rf"\b({'|'.join(LABELS)})\b(?= [A-Z0-9])", " ".join(cells))
            yield "\n" + "\n".join(f"- {label}: {text.strip()}" for label, text in
                                   zip(parts[1::2], parts[2::2], strict=True)) + "\n"
        else:
            yield "\n" + "\n".join(f"| {' | '.join(cell.replace('|', '/') for cell in row)} |"
                                   for row in table["rows"]) + "\n"


def build_textbook(data: Path) -> str:
    """Write one Markdown file per drug; return their text."""
    folder = SAMPLE / "textbook"
    folder.mkdir(parents=True, exist_ok=True)
    with open_text(data / "openstax" / "pharmacology-nursing.jsonl.gz") as handle:
        sections = {row["id"].split(":", 1)[1]: row for row in map(json.loads, handle)}
    texts = []
    for name, (title, keys) in sorted(BOOK.items()):
        lines = ["---", f"title: {title}", "kind: textbook", "source: OpenStax Pharmacology for Nurses",
                 "version: 7876f90", "licence: CC BY 4.0", "url: https://openstax.org/details/books/pharmacology",
                 f"attribution: OpenStax, Pharmacology for Nurses; section {sections[keys[0]]['title']}",
                 "---", f"# {title}"]
        for number, key in enumerate(keys):
            heading = str(sections[key]["section"]).rsplit(" > ", 1)[-1]
            if number or heading.casefold() not in title.casefold():
                lines.append(f"\n## {heading}")
            lines += ["", *book_lines(sections[key])]
        text = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).rstrip() + "\n"
        (folder / f"{name}.md").write_text(text, encoding="utf-8", newline="\n")
        texts.append(text)
    return "\n".join(texts)


def fold(text: str) -> tuple[str, ...]:
    """Return the words of a text, folded."""
    return tuple(WORD.findall(text.casefold()))


def names_in(text: str) -> set[tuple[str, ...]]:
    """Return every run of up to `LONGEST_NAME` words inside a line of the text."""
    found: set[tuple[str, ...]] = set()
    for line in text.split("\n"):
        words = fold(line)
        for size in range(1, LONGEST_NAME + 1):
            found.update(words[start:start + size] for start in range(len(words) - size + 1))
    return found


def rows_of(folder: Path, name: str) -> list[list[str]]:
    """Return a RRF file's rows without those of the vocabularies that are left out."""
    place = {"MRCONSO": 11, "MRREL": 10, "MRDEF": 4, "MRSAB": 3}.get(name)
    path = next(path for path in (folder / f"{name}.RRF", folder / f"{name}.RRF.gz") if path.exists())
    with open_text(path) as handle:
        rows = [line.rstrip("\n").split("|") for line in handle]
    return [row for row in rows if place is None or row[place] not in LEFT_OUT]


def choose_concepts(conso: list[list[str]], rel: list[list[str]], small: set[str], text: str,
                    icd: set[str]) -> set[str]:
    """Return the CUIs of ``small_META``, of the sample's ICD codes, of names in its texts, and their parents."""
    present = names_in(text)
    chosen: set[str] = set()
    for row in conso:
        words = fold(row[14])
        in_text = row[1] == "ENG" and 0 < len(words) <= LONGEST_NAME and len("".join(words)) > 3 and words in present
        if row[0] in small or in_text or (row[11] in ("ICD9CM", "ICD10CM") and row[13].replace(".", "") in icd):
            chosen.add(row[0])
    known = {row[0] for row in conso}
    return chosen | {row[4] for row in rel if row[3] == "PAR" and row[0] in chosen and row[4] in known}


def build_umls(data: Path, text: str, icd: set[str]) -> dict[str, int]:
    """Write ``umls/META``: the chosen concepts with all their rows, and no row that points outside them."""
    source = data / "mini_umls_open"
    folder = SAMPLE / "umls" / "META"
    folder.mkdir(parents=True, exist_ok=True)
    conso, rel = rows_of(source / "META", "MRCONSO"), rows_of(source / "META", "MRREL")
    small = {row[0] for row in rows_of(source / "small_META", "MRCONSO")}
    chosen = choose_concepts(conso, rel, small, text, icd)
    conso = [row for row in conso if row[0] in chosen]
    concepts, atoms = {row[0] for row in conso}, {row[7] for row in conso}
    files = {
        "MRCONSO": conso,
        "MRREL": [row for row in rel if row[0] in concepts and row[4] in concepts
                  and {row[1], row[5]} - {""} <= atoms],
        "MRDEF": [row for row in rows_of(source / "META", "MRDEF") if row[0] in concepts and row[1] in atoms],
        "MRSTY": [row for row in rows_of(source / "META", "MRSTY") if row[0] in concepts],
        "MRSAB": [],
    }
    for row in rows_of(source / "META", "MRSAB"):
        own = [atom for atom in conso if atom[11] == row[3]]
        row[14], row[15] = str(len(own)), str(len({atom[0] for atom in own}))
        files["MRSAB"].append(row)
    for name, rows in files.items():
        content = "".join("|".join(row) + "\n" for row in rows)
        (folder / f"{name}.RRF").write_text(content, encoding="utf-8", newline="\n")
    return {"concepts": len(concepts)} | {name: len(rows) for name, rows in files.items()}


def main(data: Path) -> None:
    """Build every part and write the counts to stdout as one JSON line."""
    for part in ("mimic", "umls"):
        for inner in ("hosp", "note", "META"):
            shutil.rmtree(SAMPLE / part / inner, ignore_errors=True)
    tables, texts, icd = build_mimic(data)
    notes = "\n".join(path.read_text(encoding="utf-8") for path in sorted((SAMPLE / "notes").glob("*.md")))
    text = "\n".join((texts, notes, build_articles(data), build_textbook(data)))
    counts = {"mimic": tables, "articles": len(ARTICLES), "textbook": len(BOOK), "umls": build_umls(data, text, icd)}
    sys.stdout.write(json.dumps(counts) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
