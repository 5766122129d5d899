"""The analyser of lexical search: text to terms, the same for chunks and for questions.

Folding (NFKC, case, combining marks, Greek letters by name) → runs of letters and digits → no English function words →
Porter2 stems. Digits and single characters are terms: "IL-6", "T cell" and "factor V" must be found. A lone capital
"A" or "I" inside a sentence is a name ("hepatitis A"), not an article.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

import Stemmer

# Part of every index's stamp: a change of what `terms` returns needs a new value.
ANALYSER_VERSION = "porter2-1"

_FUNCTION_WORDS = (
    "a about an and any are as at be been but by can could did do does for from had has have how i if in into is it "
    "its may me might my of on or our shall should so such than that the their them then there these they this those "
    "to us was we were what when where which while who whom whose why will with would you your"
)
STOP_WORDS = frozenset(_FUNCTION_WORDS.split())

_GREEK_NAMES = ("alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma sigma "
                "tau upsilon phi chi psi omega")
_GREEK = {ord(letter): f" {name} " for letter, name in zip("αβγδεζηθικλμνξοπρςστυφχψω", _GREEK_NAMES.split(),
                                                           strict=True)}
_TERM = re.compile(r"\ue000?[^\W_]+")
_POSSESSIVE = re.compile(r"['’]s\b")
_LETTER_NAME = re.compile(r"(?<=[^\W_][ ,/-])[AI](?![\w'’])")
_STEMMER = Stemmer.Stemmer("english")


def fold(text: str) -> str:
    """Return the text without differences of case, width, accent and Greek spelling."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    if folded.isascii():
        return folded
    bare = unicodedata.normalize("NFKD", folded)
    return "".join(c for c in bare if not unicodedata.combining(c)).translate(_GREEK)


@lru_cache(maxsize=200_000)
def _stem(word: str) -> str:
    return str(_STEMMER.stemWord(word))


def terms(text: str) -> list[str]:
    """Return the terms of a text in their order, repeats kept.

    >>> terms("Hepatitis A was treated with TNF-α inhibitors.")
    ['hepat', 'a', 'treat', 'tnf', 'alpha', 'inhibitor']
    """
    # a private-use letter carries a one-letter name past the stop words
    marked = _LETTER_NAME.sub(lambda match: "\ue000" + match[0], text) if _LETTER_NAME.search(text) else text
    out = []
    for word in _TERM.findall(_POSSESSIVE.sub(" ", fold(marked))):
        if word.startswith("\ue000"):
            out.append(word[1:])
        elif word not in STOP_WORDS:
            out.append(_stem(word))
    return out
