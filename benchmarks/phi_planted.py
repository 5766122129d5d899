"""Recall of PHI screening on identifiers planted in synthetic notes, and what it finds where nothing was planted.

    python -m benchmarks.phi_planted --data ../shared/data [--count 3000] [--seed 4] [--json]

Names are made of syllables and of none of the lists that the screen uses; numbers and dates are random. Each identifier
stands in a sentence of its own, put between two lines of a note of `mimic_iv_note_synth`; a find counts where it covers
the identifier whole. False positives are what is found in the notes as they are, per 1,000 words, in a textbook
(its dates, addresses and numbers are real ones; names found in it mostly are not patients'), and in sentences with
eponyms.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import io
import json
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ingestion.phi import find
from ingestion.phi.names import _lists

SYLLABLES = tuple(re.findall("[A-Z][a-z]*",
                  "BaBeBoBraDorDuFenGalGriHolJaKaKelKriLuMaMirNaNorPelQuaRasRiSolTaTerVelVoWimZan"))
ENDINGS = tuple(re.findall("[A-Z][a-z]*", "AchEkEnIcInIsKoMannOvRelSkySonTzUmVik"))
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
          "December")

# {} is the identifier; a template with a cue says whose name it is
CUED = ("Dr. {} was consulted.", "Seen by Dr {} in clinic.", "Mr. {} tolerated this well.", "Mrs. {} was discharged.",
        "Ms. {} declined.", "Patient Name: {}", "Attending: {}", "Electronically signed by {}", "Dictated by: {}",
        "His wife {} was called.", "Her daughter, {}, is the proxy.", "{}, MD", "{} RN", "Discussed with {}.",
        "PCP: {}", "Emergency contact: {}", "The patient, who is named {}, agreed.", "Sincerely,\n{}",
        "Spoke with {} about the plan.", "Reviewed by {}, PharmD.", "Surgeon: {}", "cc: {}")
BARE = ("{} came to the clinic.", "We thank {} for the referral.", "Yesterday {} felt better.",
        "Plan made for {} today.")
RECORDS = ("MRN: {}", "MRN {}", "Medical Record Number: {}", "Unit No: {}", "Account #: {}", "Acct: {}",
           "Patient ID: {}",
           "Medical record no. {}", "Hospital number is {}", "Visit ID {}", "Encounter #{}", "Policy number: {}",
           "Chart # {}", "Account number {} was billed.")
PHONES = ("Call {} with questions.", "Phone: {}", "Tel. {}", "He can be reached at {}.", "Fax {}", "Home {}",
          "cell: {}", "({})", "Contact number {}")
DATES = ("Seen on {}.", "DOB: {}", "Admitted {} for this.", "Follow up {}", "Last colonoscopy {} was normal.",
         "Date: {}", "CT from {} reviewed.", "({})", "Since {} he has been well.", "{}: called back")
EPONYMS = ("Parkinson's disease", "Parkinson disease", "Crohn's disease", "a Foley catheter", "negative Babinski",
           "Babinski sign", "Hodgkin lymphoma", "Bell's palsy", "Graves disease", "Cushing syndrome", "Murphy's sign",
           "Guillain-Barre syndrome", "Kaposi sarcoma", "Marfan syndrome", "Down syndrome", "Addison's disease",
           "Alzheimer disease", "Wilson's disease", "Whipple procedure", "Jackson-Pratt drain", "Jackson Pratt drain",
           "Swan-Ganz catheter", "Stevens-Johnson syndrome", "Tourette syndrome", "Raynaud phenomenon",
           "Wolff-Parkinson-White syndrome", "Hickman catheter", "Penrose drain", "Romberg test", "Homans sign",
           "Kernig sign", "Brudzinski sign", "Trousseau sign", "Valsalva maneuver", "Trendelenburg position",
           "Glasgow Coma Scale", "Apgar score", "Gleason score", "Braden score", "Barrett's esophagus",
           "Dupuytren contracture", "Colles fracture", "Charcot foot", "Virchow node", "Meckel diverticulum",
           "Ludwig angina", "Lewy body dementia", "Lou Gehrig disease", "Burkitt lymphoma", "Epstein-Barr virus",
           "Sjogren syndrome", "Paget disease", "Osgood-Schlatter disease", "Allen test", "Gram stain",
           "Ringer's lactate", "Holter monitor", "Doppler ultrasound", "Wernicke encephalopathy", "Korsakoff psychosis",
           "Huntington disease", "Hirschsprung disease", "Wilms tumor", "Kawasaki disease", "Baker's cyst")
EPONYM_LINES = ("History of {}.", "Patient: {} noted.", "Assessment: {}", "{} was seen.", "Discussed {} at length.",
                "His wife has {}.", "# {}: stable")


@dataclass
class Result:
    """What was planted and found, by kind."""

    planted: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    missed: list[str] = field(default_factory=list)
    false: Counter[str] = field(default_factory=Counter)
    words: int = 0
    prose_words: int = 0
    prose_false: Counter[str] = field(default_factory=Counter)
    eponyms: int = 0
    eponyms_flagged: list[str] = field(default_factory=list)
    bytes: int = 0
    seconds: float = 0.0

    def recall(self, kind: str) -> float:
        """Return the share of the planted identifiers of a kind that were found whole."""
        return self.found[kind] / self.planted[kind] if self.planted[kind] else 0.0

    def to_dict(self) -> dict[str, object]:
        """Return the figures."""
        return {"recall": {kind: round(self.recall(kind), 4) for kind in sorted(self.planted)},
                "planted": dict(self.planted), "false_per_1000_words": round(1000 * self.false.total() / self.words, 3),
                "false": dict(self.false), "words": self.words,
                "names_in_textbook_per_1000_words":
                round(1000 * self.prose_false["NAME"] / max(1, self.prose_words), 3),
                "found_in_textbook": dict(self.prose_false), "textbook_words": self.prose_words,
                "eponyms_flagged": round(len(self.eponyms_flagged) / self.eponyms, 4), "eponyms": self.eponyms,
                "kB_per_cpu_second": round(self.bytes / self.seconds / 1000)}


def invented(chance: random.Random) -> str:
    """Return a name part of no list."""
    lists = _lists()
    while True:
        name = (chance.choice(SYLLABLES) + chance.choice(SYLLABLES) + chance.choice(ENDINGS)).lower()
        if not any(name in known for known in lists):
            return str(name).capitalize()


def name(chance: random.Random) -> str:
    first, last = invented(chance), invented(chance)
    return chance.choice((last, f"{first} {last}", f"{first} {last}", f"{last}, {first}", f"{first} {first[0]}. {last}",
                          f"{first} {last}-{invented(chance)}", f"{last.upper()}, {first.upper()}", f"O'{last}"))


def listed(chance: random.Random) -> str:
    """Return a name of the lists, to see what they are worth where nothing else tells."""
    firsts, lasts = (sorted(part) for part in _lists())
    return f"{chance.choice(firsts).capitalize()} {chance.choice(lasts).capitalize()}"


def record(chance: random.Random) -> str:
    digits = "".join(chance.choice("0123456789") for _ in range(chance.randint(6, 10)))
    return chance.choice((digits, digits, digits, f"{digits[:3]}-{digits[3:]}", f"A{digits}", f"MR{digits}"))


def phone(chance: random.Random) -> str:
    area, middle, last = chance.randint(201, 989), chance.randint(200, 999), chance.randint(0, 9999)
    return chance.choice((f"{area}-{middle}-{last:04}", f"({area}) {middle}-{last:04}", f"{area}.{middle}.{last:04}",
                          f"+1 {area} {middle} {last:04}", f"1-{area}-{middle}-{last:04}",
                          f"({area}){middle}-{last:04}",
                          f"{area} {middle} {last:04}", f"+44 20 {chance.randint(7000, 7999)} {last:04}"))


def date(chance: random.Random) -> str:
    year, month, day = chance.randint(1920, 2199), chance.randint(1, 12), chance.randint(1, 28)
    long = MONTHS[month - 1]
    return chance.choice((f"{year}-{month:02}-{day:02}", f"{month}/{day}/{year}",
                          f"{month:02}/{day:02}/{year % 100:02}",
                          f"{month}-{day}-{year}", f"{long} {day}, {year}", f"{day} {long} {year}", f"{long[:3]} {day}",
                          f"{day}-{long[:3]}-{year}", f"{long} {year}", f"{long} {day}th",
                          f"{day:02}.{month:02}.{year}",
                          f"{month}/{year}", f"{year}/{month:02}/{day:02}", f"{day}{long[:3].upper()}{year}"))


KINDS: dict[str, tuple[tuple[str, ...], Callable[[random.Random], str]]] = {
    "name with a cue": (CUED, name), "name without a cue": (BARE, name),
    "listed name without a cue": (BARE, listed), "record number": (RECORDS, record),
    "phone": (PHONES, phone), "date": (DATES, date)}


def notes(data: Path) -> list[str]:
    path = data / "mimic_iv_note_synth" / "discharge.csv.gz"
    with gzip.open(path, "rt", encoding="utf-8", newline="") as handle:
        return [row["text"] for row in csv.DictReader(io.StringIO(handle.read()))]


def prose(data: Path) -> list[str]:
    with gzip.open(data / "openstax" / "pharmacology-nursing.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line)["text"] for line in lines]


def measure(texts: list[str], count: int, seed: int = 4, textbook: Sequence[str] = ()) -> Result:
    """Plant about ``count`` identifiers, as many of each kind, and screen."""
    chance = random.Random(seed)
    result = Result()
    for text in textbook:
        result.prose_words += len(text.split())
        result.prose_false.update(one.kind for one in find(text))
    for text in texts:
        started = time.process_time()
        found = find(text)
        result.seconds += time.process_time() - started
        result.bytes += len(text.encode())
        result.words += len(text.split())
        result.false.update(one.kind for one in found)
    for kind, (templates, make) in KINDS.items():
        for number in range(count // len(KINDS)):
            lines = chance.choice(texts).split("\n")
            place = chance.randrange(len(lines))
            before, after = "\n".join(lines[max(0, place - 3):place]) + "\n", "\n" + "\n".join(lines[place:place + 3])
            planted = make(chance)
            template = templates[number % len(templates)]
            start = len(before) + template.index("{}")
            text = before + template.replace("{}", planted) + after
            result.planted[kind] += 1
            if covered(text, start, start + len(planted)):
                result.found[kind] += 1
            else:
                result.missed.append(f"{kind}: {template.replace('{}', planted)!r}")
    for eponym in EPONYMS:
        for line in EPONYM_LINES:
            result.eponyms += 1
            text = line.replace("{}", eponym)
            if any(one.kind == "NAME" for one in find(text)):
                result.eponyms_flagged.append(text)
    return result


def covered(text: str, start: int, end: int) -> bool:
    """Whether what is found covers all letters and digits of ``text[start:end]``."""
    hidden = {place for one in find(text) for place in range(one.start, one.end)}
    return all(place in hidden for place in range(start, end) if text[place].isalnum())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--misses", type=int, default=0, help="show so many misses and flagged eponyms")
    given = parser.parse_args()
    result = measure(notes(given.data), given.count, given.seed, prose(given.data))
    print(json.dumps(result.to_dict(), indent=1))
    for line in [*result.missed[:given.misses], *result.eponyms_flagged[:given.misses]]:
        print(line)


if __name__ == "__main__":
    main()
