"""Free Cypher that only reads: an allow-list over tokens, so that what nobody thought of is refused.

The guard knows a small grammar. A statement starts with a reading clause; a word that is no keyword of the allow-list
is a name, and a name stands only where an operand may stand, never beside another operand; a name before `(` must be
a built-in function, and `CALL` takes a listed procedure or a subquery. A clause that is not listed (today's `CREATE`,
tomorrow's anything) fails one of these rules. Property keys, labels, map keys and strings may be any word.

The guard is one of several walls: the store also runs free Cypher in a READ transaction, as a read-only user where it
has one, with row and time limits.
"""

from __future__ import annotations

from graphkb.security.tokens import Token, refuse, tokenize

MAX_CHARACTERS = 32_768
MAX_DEPTH = 64


def _words(*texts: str) -> frozenset[str]:
    return frozenset(" ".join(texts).split())


PROCEDURES = frozenset({
    "db.index.fulltext.queryNodes", "db.index.fulltext.queryRelationships", "db.index.vector.queryNodes",
    "db.index.vector.queryRelationships", "db.labels", "db.propertyKeys", "db.relationshipTypes",
    "db.schema.nodeTypeProperties", "db.schema.relTypeProperties", "db.schema.visualization",
})

_PREDICATES = "all any exists isempty none single"
_SCALAR = """coalesce elementid endnode head id last length nullif properties randomuuid size startnode timestamp
    toboolean tobooleanornull tofloat tofloatornull tointeger tointegerornull type valuetype char_length
    character_length shortestpath allshortestpaths"""
_AGGREGATE = "avg collect count max min percentilecont percentiledisc stdev stdevp sum"
_LIST = "keys labels nodes range reduce relationships reverse tail tobooleanlist tofloatlist tointegerlist tostringlist"
_MATHS = """abs ceil ceiling floor isnan rand round sign e exp log log10 ln sqrt acos asin atan atan2 cos cot degrees
    haversin pi radians sin tan"""
_STRINGS = """btrim left lower lcase ltrim normalize replace right rtrim split substring tolower tostring
    tostringornull toupper trim ucase upper"""
_TEMPORAL = " ".join(
    [f"{kind}{part}" for kind in ("date", "datetime", "localdatetime", "localtime", "time")
     for part in ("", ".realtime", ".statement", ".transaction", ".truncate")]
    + ["datetime.fromepoch", "datetime.fromepochmillis", "duration", "duration.between", "duration.indays",
       "duration.inmonths", "duration.inseconds"])
_VECTORS = "point point.distance point.withinbbox vector.similarity.cosine vector.similarity.euclidean"
FUNCTIONS = _words(_PREDICATES, _SCALAR, _AGGREGATE, _LIST, _MATHS, _STRINGS, _TEMPORAL, _VECTORS)

_STARTS = frozenset({"MATCH", "OPTIONAL", "WITH", "RETURN", "UNWIND", "CALL"})
_CLAUSES = _STARTS | {"WHERE", "ORDER", "BY", "SKIP", "OFFSET", "LIMIT", "UNION", "YIELD"}
_VALUES = frozenset({"NULL", "TRUE", "FALSE", "END", "ASC", "ASCENDING", "DESC", "DESCENDING"})
_PREFIXES = frozenset({"NOT", "CASE", "DISTINCT"})
_INFIX = frozenset({"AS", "AND", "OR", "XOR", "IN", "IS", "STARTS", "ENDS", "CONTAINS", "WHEN", "THEN", "ELSE"})
KEYWORDS = _CLAUSES | _VALUES | _PREFIXES | _INFIX
# What may follow a keyword besides an operand.
_PAIRS = {
    "OPTIONAL": {"MATCH", "CALL"}, "ORDER": {"BY"}, "STARTS": {"WITH"}, "ENDS": {"WITH"}, "CASE": {"WHEN"},
    "UNION": {"ALL", "DISTINCT", *_STARTS},
}
_ONLY_PAIRS = frozenset({"OPTIONAL", "ORDER", "STARTS", "ENDS", "UNION"})
_OPERAND_SYMBOLS = frozenset({"(", "[", "{", "-", "+", "*"})

DENIED = _words("""
    ADD ALTER BEGIN COMMIT CONCURRENT CREATE CSV CYPHER DEALLOCATE DELETE DENY DETACH DISABLE DROP DRYRUN ENABLE EXPLAIN
    FIELDTERMINATOR FINISH FOREACH GRANT HEADERS INSERT LOAD MERGE NODETACH PERIODIC PROFILE REALLOCATE REMOVE RENAME
    REVOKE ROLLBACK SET SHOW TERMINATE TRANSACTIONS USE USING
""")

_OPENERS = {"(": ")", "[": "]", "{": "}"}
_NAME_FOLLOWS = frozenset({".", ":", "|", "&", "!"})


def check_read_only(text: str) -> None:
    """Refuse free Cypher unless every part of it is known to read only.

    Parameters
    ----------
    text : str
        One Cypher statement.

    Raises
    ------
    ForbiddenQuery
        GKB-306, with the reason and the place; the text itself is never repeated.
    """
    if len(text) > MAX_CHARACTERS:
        refuse(f"longer than {MAX_CHARACTERS} characters", MAX_CHARACTERS)
    tokens = tokenize(text)
    if tokens and tokens[-1].text == ";" and tokens[-1].kind == "symbol":
        tokens.pop()
    if not tokens or tokens[0].upper not in _STARTS or tokens[0].kind != "word":
        refuse("it does not start with a reading clause", tokens[0].at if tokens else 0)
    _check_brackets(tokens)
    _Checker(tokens).run()


def _check_brackets(tokens: list[Token]) -> None:
    open_: list[str] = []
    for token in tokens:
        if token.kind != "symbol":
            continue
        if token.text in _OPENERS:
            open_.append(_OPENERS[token.text])
            if len(open_) > MAX_DEPTH:
                refuse("too deeply nested", token.at)
        elif token.text in _OPENERS.values() and (not open_ or open_.pop() != token.text):
            refuse("brackets do not match", token.at)
        elif token.text == ";":
            refuse("more than one statement", token.at)
    if open_:
        refuse("brackets do not match", tokens[-1].at)


class _Checker:
    """Walks the tokens once; `operand` says whether the last token ended an operand."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.operand = False

    def run(self) -> None:
        at = 0
        while at < len(self.tokens):
            token = self.tokens[at]
            if token.kind == "symbol":
                at = self._symbol(at)
            elif token.kind == "word" and self._is_keyword(at):
                at = self._keyword(at)
            else:
                at = self._operand(at)

    def _symbol_at(self, at: int) -> str:
        inside = 0 <= at < len(self.tokens)
        return self.tokens[at].text if inside and self.tokens[at].kind == "symbol" else ""

    def _word_at(self, at: int) -> str:
        inside = 0 <= at < len(self.tokens)
        return self.tokens[at].upper if inside and self.tokens[at].kind == "word" else ""

    def _is_name(self, at: int) -> bool:
        """Whether a word stands where only a name can stand: after `.` `:` `|` `&` `!`, or as a map's key."""
        before = self._symbol_at(at - 1)
        if before == ".":
            return True
        if before in _NAME_FOLLOWS:
            return self._word_at(at) not in _PREFIXES
        return before in ("{", ",") and self._symbol_at(at + 1) == ":"

    def _is_keyword(self, at: int) -> bool:
        return self._word_at(at) in KEYWORDS and not self._is_name(at)

    def _symbol(self, at: int) -> int:
        text = self.tokens[at].text
        if text == "." and not (self.operand or self._symbol_at(at - 1) in ("{", ",")):
            refuse("a dot that follows no name", self.tokens[at].at)
        if text == "." and self._symbol_at(at + 1) != "*" and self._kind_at(at + 1) not in ("word", "quoted"):
            refuse("a dot without a name", self.tokens[at].at)
        self.operand = text in (")", "]", "}")
        return at + 1

    def _kind_at(self, at: int) -> str:
        return self.tokens[at].kind if at < len(self.tokens) else ""

    def _keyword(self, at: int) -> int:
        word = self._word_at(at)
        if word in _VALUES:
            self.operand = True
            return at + 1
        self.operand = False
        if word == "CALL":
            return self._call(at)
        following = self._word_at(at + 1)
        if following in _PAIRS.get(word, ()):
            return at + (2 if following in ("ALL", "DISTINCT") else 1)
        if word in _ONLY_PAIRS or not self._may_start_operand(at + 1, after_is=word == "IS"):
            refuse("a keyword that is not followed by what it needs", self.tokens[at].at)
        return at + 1

    def _may_start_operand(self, at: int, *, after_is: bool) -> bool:
        kind = self._kind_at(at)
        if kind == "symbol":
            return self._symbol_at(at) in _OPERAND_SYMBOLS or (after_is and self._symbol_at(at) in ("::", ":"))
        word = self._word_at(at)
        return kind != "" and (word not in KEYWORDS or word in _VALUES or word in _PREFIXES)

    def _call(self, at: int) -> int:
        following = self._symbol_at(at + 1)
        if following == "{":
            return at + 1
        if following == "(":
            close = self._closing(at + 1)
            if self._symbol_at(close + 1) != "{":
                refuse("CALL without a procedure or a subquery", self.tokens[at].at)
            return at + 1
        name, end = self._dotted(at + 1)
        if name not in PROCEDURES:
            refuse("a procedure that is not on the list", self.tokens[at].at)
        self.operand = True
        return end

    def _closing(self, at: int) -> int:
        depth = 0
        for i in range(at, len(self.tokens)):
            depth += (self._symbol_at(i) in _OPENERS) - (self._symbol_at(i) in _OPENERS.values() and i > at)
            if depth == 0:
                return i
        return len(self.tokens)

    def _dotted(self, at: int) -> tuple[str, int]:
        """Return the dotted, unquoted name that starts at a token, and the index behind it."""
        parts = []
        while self._kind_at(at) == "word":
            parts.append(self.tokens[at].text)
            at += 1
            if self._symbol_at(at) != ".":
                break
            at += 1
        return ".".join(parts), at

    def _operand(self, at: int) -> int:
        token = self.tokens[at]
        if self.operand:
            refuse("two operands side by side: an unknown clause", token.at)
        if token.kind == "word" and token.upper in DENIED and not self._is_name(at):
            refuse("a clause or option that is not read-only", token.at)
        if self._symbol_at(at + 1) == "(":
            self._check_function(at)
        self.operand = True
        return at + 1

    def _check_function(self, at: int) -> None:
        start = at
        while self._symbol_at(start - 1) == "." and self._kind_at(start - 2) in ("word", "quoted"):
            start -= 2
        name, end = self._dotted(start)
        if end != at + 1 or name.lower() not in FUNCTIONS:
            refuse("a function that is not on the list", self.tokens[at].at)
