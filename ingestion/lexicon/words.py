"""Words, and the forms under which a word's variants meet.

`lemma` takes away inflection ("metastases") and British spelling ("oedema"); `loose_parts` goes on to disease
adjectives ("hypertensive"), the Latin adjective of an organ ("renal" - "kidney") and words that vocabularies use for
one another ("disorder", "impairment"). Both are applied to names and to text alike, so they need not be good English,
only the same on both sides; a name that fits letter by letter is always preferred (see `lookup`).
The rules are general knowledge of medical English; none was fitted to an answer key.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import blake2b

TOKEN = re.compile(r"[^\W_]+(?:'s(?![^\W_]))?")
# Dropped between two words of a name, never at its end ("vitamin a", "factor i" stay whole).
STOPS = frozenset(("of", "the", "in", "to", "by", "for", "from", "an", "with", "on", "at"))

_SPELLING = tuple((re.compile(pattern), to) for pattern, to in (
    (r"^oe(?=[a-z]{4})|(?<=[a-z])oe(?=[a-z]{2})", "e"),          # oedema, diarrhoea, foetal
    (r"^ae(?=[a-z]{4})|(?<=[a-z])ae(?=[a-z]{2})", "e"),          # anaemia, haematoma
    (r"rrhoea", "rrhea"), (r"pnoea", "pnea"),
    (r"(tum|lab|hum|vap|behavi|col)our", r"\1or"),
    (r"is(?=(?:e|ed|es|ing|ation|ations)$)", "iz"),              # generalised
    (r"ys(?=(?:e|ed|es|ing)$)", "yz"),                           # paralysed
    (r"sulph", "sulf"), (r"(cent|lit)re$", r"\1er"), (r"fibre$", "fiber"),
    (r"leuc(?=[aeo])", "leuk"), (r"^amfet", "amphet"), (r"^cepha(?=l[oe][trx]|ra)", "cefa"),
))
_PLURAL = tuple((re.compile(pattern), to) for pattern, to in (
    (r"omata$", "oma"), (r"(?<=st)ases$", "asis"), (r"(?<=[bchlmnrtx])oses$", "osis"), (r"(?<=[ly])yses$", "ysis"),
    (r"(?<=[hrt])eses$", "esis"), (r"(?<=[^aeo])ies$", "y"), (r"(ss|sh|ch|us)es$", r"\1"), (r"(?<=x)es$", ""),
    (r"(?<=[^aeous])es$", "e"), (r"(?<=[aeo])es$", "es"), (r"(?<=[^usi])s$", ""), (r"(?<=[rt])ebrae$", "ebra"),
    (r"(thromb|embol|calcul|bacill|nucle)i$", r"\1us"),
))
_IRREGULAR = {
    "feet": "foot", "teeth": "tooth", "children": "child", "women": "woman", "men": "man", "doses": "dose",
    "noses": "nose", "testes": "testis",
} | {word: word for word in (
    "series", "species", "diabetes", "herpes", "rabies", "scabies", "caries", "feces", "ascites", "pubes", "tabes",
    "facies", "as", "has", "was", "this", "his", "gas", "lens", "rubens", "pancreas", "texas", "sepsis", "aids",
    "measles", "mumps", "rickets", "always", "perhaps", "yes", "pus", "us")}
# What a word means besides its letters: the adjective of an organ or a disease, words that vocabularies use for one
# another. Names that meet only so are a last resort (level ``loose``).
_MEANS: dict[str, str] = {
    "metastatic": "metastasis", "asthmatic": "asthma", "diabetic": "diabetes", "epileptic": "epilepsy",
    "allergic": "allergy", "obese": "obesity", "edematous": "edema", "cancerous": "tumor", "delirious": "delirium",
    "autistic": "autism", "febrile": "fever", "nauseated": "nausea", "demented": "dementia",
    "schizophrenic": "schizophrenia", "convulsive": "convulsion", "cataleptic": "catalepsy", "depressed": "depression",
    "depressive": "depression", "lethargic": "lethargy", "hypotonic": "hypotonia", "confused": "confusion",
    "renal": "kidney", "hepatic": "liver", "cardiac": "heart", "pulmonary": "lung", "cerebral": "brain",
    "gastric": "stomach", "mammary": "breast", "prostatic": "prostate", "pancreatic": "pancreas", "splenic": "spleen",
    "cutaneous": "skin", "dermal": "skin", "ocular": "eye", "nasal": "nose", "muscular": "muscle", "dental": "tooth",
    "arterial": "artery", "venous": "vein", "ovarian": "ovary", "uterine": "uterus", "esophageal": "esophagus",
    "intestinal": "intestine", "colonic": "colon", "aural": "ear", "abdominal": "abdomen", "duodenal": "duodenum",
    "tracheal": "trachea", "laryngeal": "larynx", "retinal": "retina", "corneal": "cornea", "vaginal": "vagina",
    "thymic": "thymus", "testicular": "testis", "testicle": "testis", "cerebellar": "cerebellum", "visual": "vision",
    "cognitive": "cognition", "psychiatric": "mental", "respiratory": "respiratory", "nephro": "kidney",
    "hepato": "liver", "cardio": "heart", "neurologic": "nervous system", "neurological": "nervous system",
    "hematological": "hematologic", "psychotic": "psychosis", "convulsant": "convulsion",
    "neoplasm": "tumor", "cancer": "tumor", "malignancy": "tumor", "bleeding": "hemorrhage", "itching": "pruritus",
    "insufficiency": "failure", "hyperactivity": "hyperkinesis", "hypersensitivity": "allergy",
} | dict.fromkeys(("disorder", "impairment", "dysfunction", "disturbance", "abnormality", "deficit", "damage",
                   "toxicity", "illness", "impaired"), "disease")
_KEPT = frozenset(("antibiotic", "narcotic", "hypnotic", "systemic", "epidemic", "endemic", "academic", "toxic",
                   "exotic", "robotic", "osmotic", "mitotic", "biotic", "nephrotic", "probiotic", "aneurotic"))
_ADJECTIVE = tuple((re.compile(pattern), to) for pattern, to in (
    (r"tensive$", "tension"), (r"(?<=[a-z]{3})otic$", "osis"), (r"(?<=[a-z]{2})emic$", "emia"),
    (r"plegic$", "plegia"), (r"(?<=[a-z]{2})paretic$", "paresis"), (r"pathic$", "pathy"), (r"cardic$", "cardia"),
    (r"rhythmic$", "rhythmia"), (r"(hyp|an)oxic$", r"\1oxia"), (r"penic$", "penia"), (r"rrhagic$", "rrhage"),
    (r"(?<=[a-z]{3})kinetic$", "kinesia"), (r"(?<=[lo])uric$", "uria"), (r"(?<=[a-z]{3})toxic$", "toxicity"),
    (r"(dys|cata)tonic$", r"\1tonia"), (r"phasic$", "phasia"), (r"taxic$", "taxia"), (r"mnes(?:t?)ic$", "mnesia"),
))
_NEVER = re.compile(r"anti|proto|semi")
_PREFIX = re.compile(r"(non|post|pre|anti|micro|macro|intra|extra|pseudo|multi|cardio|gastro|neuro|cerebro|hepato|"
                     r"nephro|broncho|thrombo|angio|hyper|hypo|over|under)(?=[a-z]{5})")
# the salt of an acid stands for the acid ("valproate", "valproic acid"), but for those that only name a drug's salt
_SALT_OF = re.compile(r"(?!acet|sulf|phosph|nitr|carbon|citr|bicarbon|success|maleate|mesyl|fumar|tartr)([a-z]{4,})ate")


def lemma(word: str) -> str:
    """Return a folded word without inflection, possessive and British spelling.

    Examples
    --------
    >>> lemma("oedema"), lemma("metastases"), lemma("crohn's"), lemma("tumours")
    ('edema', 'metastasis', 'crohn', 'tumor')
    """
    if word.endswith("'s"):
        word = word[:-2]
    if len(word) < 4 or not word.isalpha() or word in _IRREGULAR:
        return _IRREGULAR.get(word, word)
    for pattern, to in _SPELLING:
        word = pattern.sub(to, word)
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    for pattern, to in _PLURAL:
        word, changed = pattern.subn(to, word)
        if changed:
            break
    return word


def is_plural(word: str) -> bool:
    """Whether a folded word looks like a plural."""
    return word.endswith("s") and not lemma(word).endswith("s")


def _meaning(word: str) -> str:
    if word in _MEANS or word in _KEPT or _NEVER.match(word) or not word.endswith(("ic", "ive")):
        return _MEANS.get(word, word)
    for pattern, to in _ADJECTIVE:
        word, changed = pattern.subn(to, word)
        if changed:
            break
    return word


def loose_parts(word: str) -> list[str]:
    """Return what a word means, cut after a prefix that is also written apart.

    Examples
    --------
    >>> loose_parts("hypertensive"), loose_parts("renal"), loose_parts("nephrotoxicity"), loose_parts("valproate")
    (['hyper', 'tension'], ['kidney'], ['kidney', 'disease'], ['valproic', 'acid'])
    """
    found = _meaning(lemma(word))
    salt = _SALT_OF.fullmatch(found)
    if salt:
        return [salt[1] + "ic", "acid"]
    prefix = _PREFIX.match(found)
    return [_MEANS.get(part, part) for part in (prefix[0], found[prefix.end():])] if prefix else found.split()


def strict_parts(word: str) -> list[str]:
    """Return the lemma cut after a prefix that is also written apart ("post-operative", "postoperative")."""
    found = lemma(word)
    prefix = _PREFIX.match(found)
    return [prefix[0], found[prefix.end():]] if prefix else [found]


def hash64(text: str) -> int:
    """Return 64 bits that name a string; the same in every process and on every machine."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


class WordHashes(dict[str, int]):
    """Word to the sum of its parts' hashes; 0 for a stop word. A window's hash is a difference of running sums."""

    def __missing__(self, word: str) -> int:
        value = 0 if word in STOPS else sum(map(hash64, loose_parts(word))) & 0xFFFFFFFFFFFFFFFF
        if len(self) > 500_000:
            self.clear()
        self[word] = value
        return value


_STRICT: dict[str, str] = {}
_LOOSE: dict[str, str] = {}


def _form(words: list[str], cache: dict[str, str], cut: Callable[[str], list[str]]) -> str:
    out: list[str] = []
    for word in words:
        if word not in STOPS:
            found = cache.get(word)
            if found is None:
                if len(cache) > 500_000:
                    cache.clear()
                found = cache[word] = " ".join(cut(word))
            out.append(found)
    return " ".join(out)


def in_any_order(form: str) -> str:
    """Return a form with its parts sorted."""
    return " ".join(sorted(form.split(" ")))


def strict_form(words: list[str]) -> str:
    """Return the lemmas in order, without stop words: names equal but for inflection and spelling share them."""
    return _form(words, _STRICT, strict_parts)


def loose_form(words: list[str]) -> str:
    """Return what the words mean, in order, without stop words."""
    return _form(words, _LOOSE, loose_parts)


_GAP = re.compile(r"[\s-]+")
_AROUND = re.compile(r" ?([^\w ']) ?")


def exact_form(folded: str) -> str:
    """Return a folded name with hyphens as spaces and no space around punctuation: equal letter by letter."""
    return _AROUND.sub(r"\1", _GAP.sub(" ", folded))
