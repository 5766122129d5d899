"""Tokens of Cypher, as strictly as three servers agree on them; whatever they might read differently is refused."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal, NoReturn

from graphkb.errors import ForbiddenQuery

Kind = Literal["word", "quoted", "string", "number", "parameter", "symbol"]

_NUMBER = re.compile(r"0[xX][0-9a-fA-F]+|0[oO][0-7]+|(?:\d+\.\d+|\.\d+|\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_SYMBOL = re.compile(r"\.\.|::|\|\||<>|<=|>=|=~|[-+*/%^=<>|&!.,:;()\[\]{}]")
_ESCAPE = re.compile(r"\\[uU](.{0,4})", re.DOTALL)
_STRING_ESCAPES = frozenset("\\'\"bfnrt")
_PLAIN_SPACE = frozenset(" \t\n\r")


@dataclass(frozen=True, slots=True)
class Token:
    """One token: its kind, its text (without quotes) and where it starts."""

    kind: Kind
    text: str
    at: int

    @property
    def upper(self) -> str:
        """The text in capitals for a word, else the text itself."""
        return self.text.upper() if self.kind == "word" else self.text


def refuse(reason: str, at: int) -> NoReturn:
    """Refuse the text, saying why and where and never what it holds."""
    raise ForbiddenQuery("GKB-306", where=f"character {at + 1}", detail=reason)


def tokenize(text: str) -> list[Token]:
    """Split Cypher into tokens; comments and white space are dropped.

    Raises
    ------
    ForbiddenQuery
        At anything that is not plain Cypher: look-alike letters, odd white space, control characters, unicode
        escapes that hide syntax, unfinished strings or comments, unknown symbols.
    """
    _check_characters(text)
    tokens: list[Token] = []
    at = 0
    while at < len(text):
        c = text[at]
        if c in _PLAIN_SPACE:
            at += 1
        elif text.startswith(("//", "/*"), at):
            at = _skip_comment(text, at)
        else:
            token, at = _next_token(text, at)
            if token.kind == "string" and tokens and tokens[-1].kind == "string":
                refuse("two strings in a row", token.at)
            tokens.append(token)
    return tokens


def _check_characters(text: str) -> None:
    for at, c in enumerate(text):
        if unicodedata.category(c) in ("Cc", "Cs") and c not in _PLAIN_SPACE:
            refuse("a control character", at)
    for found in _ESCAPE.finditer(text):
        if not re.fullmatch(r"[0-9a-fA-F]{4}", found[1]):
            refuse("a broken unicode escape", found.start())
        c = chr(int(found[1], 16))
        if not (c.isalnum() or unicodedata.category(c).startswith(("L", "M"))):
            refuse("a unicode escape that could hide syntax", found.start())


def _skip_comment(text: str, at: int) -> int:
    if text.startswith("//", at):
        found = re.compile(r"[\r\n]").search(text, at)
        end = after = found.start() if found else len(text)
    else:
        end = text.find("*/", at + 2)
        after = end + 2
        if end < 0:
            refuse("a comment without an end", at)
    body = text[at + 2 : end]
    if "/*" in body or "\\" in body or any(c in body for c in "\u2028\u2029"):
        refuse("a comment that servers may read differently", at)
    return after


def _next_token(text: str, at: int) -> tuple[Token, int]:
    c = text[at]
    if c in "'\"":
        return _string(text, at)
    if c == "`":
        return _quoted(text, at)
    if c == "$":
        return _parameter(text, at)
    if c == "_" or c.isalpha():
        end = _word_end(text, at)
        return Token("word", text[at:end], at), end
    number = _NUMBER.match(text, at)
    if number and not (c == "." and _follows_name(text, at)):
        return _number(text, at, number.end())
    symbol = _SYMBOL.match(text, at)
    if not symbol:
        refuse("a character that is not plain Cypher", at)
    return Token("symbol", symbol[0], at), symbol.end()


def _follows_name(text: str, at: int) -> bool:
    """Whether the dot at `at` follows a name or closes a range, so that it starts no decimal number."""
    return at > 0 and (text[at - 1].isalnum() or text[at - 1] in "_`)]}.")


def _number(text: str, at: int, end: int) -> tuple[Token, int]:
    rest = text[end : end + 2]
    if rest[:1] == "_" or rest[:1].isalnum() or (rest[:1] == "." and rest != ".."):
        refuse("a malformed number", at)
    return Token("number", text[at:end], at), end


def _word_end(text: str, at: int) -> int:
    end = at
    while end < len(text) and (text[end] == "_" or text[end].isalnum() or unicodedata.category(text[end])[0] == "M"):
        if not text[end].isascii() and _is_look_alike(text[end]):
            refuse("a letter that looks like another", end)
        end += 1
    return end


def _is_look_alike(c: str) -> bool:
    """Whether a server's folding could turn a letter beyond ASCII into one within."""
    forms = c.upper() + c.lower() + c.casefold()
    return unicodedata.normalize("NFKC", c) != c or any(f.isascii() for f in forms)


def _string(text: str, at: int) -> tuple[Token, int]:
    quote, i = text[at], at + 1
    while i < len(text) and text[i] != quote:
        if text[i] == "\\":
            escaped = text[i + 1 : i + 2]
            if escaped not in _STRING_ESCAPES and escaped not in ("u", "U"):
                refuse("an unknown escape in a string", i)
            i += 1
        i += 1
    if i >= len(text):
        refuse("a string without an end", at)
    return Token("string", text[at + 1 : i], at), i + 1


def _quoted(text: str, at: int) -> tuple[Token, int]:
    end = text.find("`", at + 1)
    if end < 0:
        refuse("a quoted name without an end", at)
    name = text[at + 1 : end]
    if not name or text.startswith("`", end + 1) or any(c in name for c in "\\\n\r\t"):
        refuse("a quoted name that servers may read differently", at)
    return Token("quoted", name, at), end + 1


def _parameter(text: str, at: int) -> tuple[Token, int]:
    if text[at + 1 : at + 2] == "`":
        name, end = _quoted(text, at + 1)
        return Token("parameter", name.text, at), end
    end = _word_end(text, at + 1)
    if end == at + 1:
        refuse("a parameter without a name", at)
    return Token("parameter", text[at + 1 : end], at), end
