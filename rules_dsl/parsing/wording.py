"""What the pieces of the rule language are called when a person reads about them."""

from __future__ import annotations

from collections.abc import Iterable

CLAUSES = (
    "cite",
    "in force",
    "not in force",
    "edition",
    "severity",
    "kind",
    "for each",
    "when",
    "let",
    "only if",
    "require",
    "forbid",
    "except",
    "but not",
    "otherwise say",
    "remedy",
    "note",
    "example",
    "on",
    "given",
    "applies when",
    "reading",
    "choose",
)
CLAUSE_WORDS = (
    r"(?:(?:" + "|".join(c.replace(" ", r"\s+") for c in CLAUSES) + r')\b|"|[0-9]{1,2}:[0-9]{2})'
)
CLAUSE_TERMINALS = frozenset(
    {"CITE", "REQUIRE", "FORBID", "EXCEPT", "SEVERITY", "EXAMPLE", "WHEN", "LET", "REMEDY", "NOTE"}
)

_SHOWN = 40
_NAMES = {
    "NAME": "a name",
    "DASHED_NAME": "a rule name such as `burn-by-new-dealer`",
    "STRING": "a text in quotation marks",
    "NUMBER": "a number",
    "MONEY": "an amount such as `$25`",
    "PERCENT": "a percentage such as `5%`",
    "ODDS": "odds such as `3 to 2`",
    "DURATION": "a length of time such as `30 minutes`",
    "DATE": "a date such as `1996-05-20`",
    "CARD": "a card such as `9S`",
    "CITATION": "a citation such as `N.J.A.C. 19:47-2.6(c)`",
    "EVENT_LINE": "an example line such as `20:00:04 card_burned`",
    "TABLE_ROW": "a table row with a bar, such as `3 | D D S`",
    "COMMA": "a comma",
    "CLOSE": "a comma",
    "DOT": "a full stop and a field",
    "LPAR": "an opening bracket",
    "RPAR": "a closing bracket",
    "EQUALS": "`=`",
    "NOT_EQUALS": "`!=`",
    "LESS": "`<`",
    "AT_MOST_SIGN": "`<=`",
    "GREATER": "`>`",
    "AT_LEAST_SIGN": "`>=`",
    "PLUS": "`+`",
    "MINUS": "`-`",
    "STAR": "`*`",
    "SLASH": "`/`",
    "$END": "nothing more",
    "<END-OF-FILE>": "nothing more",
}
_VALUE_STARTS = frozenset({"NUMBER", "MONEY", "NAME", "LPAR", "OPTION"})
_OTHER_VALUE_STARTS = frozenset(
    {
        "PERCENT",
        "ODDS",
        "DURATION",
        "DATE",
        "CARD",
        "STRING",
        "NONE",
        "YES",
        "NO",
        "FIRST",
        "LAST",
        "NEXT",
        "PREVIOUS",
        "SOME",
        "EVERY",
        "EXACTLY",
        "ANY_OF",
        "ANY_EVENT",
        "NOT",
        "IF",
        "READING",
        "THE_SEAT",
        "MORE_THAN",
        "FEWER_THAN",
        "AT_LEAST",
        "AT_MOST",
    }
)
_SCOPES = frozenset({"EARLIER", "LATER", "SO_FAR", "SINCE", "BEFORE", "IN_THE", "WITHIN"})
_OTHER_TAILS = frozenset(
    {
        *("WHERE", "AS", "LATEST_PER", "EARLIEST_PER", "WITH_SAME", "CLOSE", "DOT"),
        *("AT_LEAST", "MORE_THAN", "LESS_THAN", "BETWEEN"),
        *("NOT_YET_FOLLOWED_BY", "UP_TO_THE_TRIGGER", "BEFORE_THE_TRIGGER"),
    }
)
_CALCULATIONS = frozenset({"PLUS", "MINUS", "STAR", "SLASH"})
_OTHER_CALCULATIONS = frozenset(
    {
        "TIMES",
        "DIVIDED_BY",
        "ROUNDED",
        "IS",
        "EQUALS",
        "NOT_EQUALS",
        "LESS",
        "AT_MOST_SIGN",
        "GREATER",
        "AT_LEAST_SIGN",
        "GOES",
        "OR_MORE",
        "OR_LESS",
    }
)
_AFTER_A_CLAUSE = frozenset({"AND", "OR", "RPAR", "THEN", "ELSE", "COMMA"})
_DECLARATIONS = frozenset({"RULE", "DEFINE", "EVENTS", "TABLE"})
_MOST_NAMED = 5


def shown(text: str) -> str:
    """A piece of a rule as it can stand in a message: short, on one line, visible."""
    plain = " ".join(text.replace("`", "'").split())
    if not plain.isprintable():
        plain = ascii(plain)[1:-1]
    return plain if len(plain) <= _SHOWN else plain[: _SHOWN - 3] + "..."


def wanted(expected: Iterable[str]) -> str:
    """`a number, a name or ... is expected`: the few things that would fit, most telling first."""
    left = set(expected)
    words: list[str] = []
    if left >= _VALUE_STARTS:
        words.append("a value or a condition")
        left -= _VALUE_STARTS | _OTHER_VALUE_STARTS
    if left >= _SCOPES:
        words.append("a word that says when, such as `since` or `earlier`")
        left -= _SCOPES | _OTHER_TAILS
    if left >= _CALCULATIONS:
        words.append("a comparison or a calculation")
        left -= _CALCULATIONS | _OTHER_CALCULATIONS
    if len(left & CLAUSE_TERMINALS) > 4:
        words.append("the next clause, such as `require` or `example`")
        left &= _AFTER_A_CLAUSE
    if left >= _DECLARATIONS:
        words.append("the next declaration, such as `rule` or `define`")
        left &= _AFTER_A_CLAUSE
    if len(left) > 1:
        left -= {"$END", "<END-OF-FILE>"}
    words += sorted(_name(terminal) for terminal in left)
    unique = list(dict.fromkeys(words))[:_MOST_NAMED]
    if not unique:
        return "nothing more is expected"
    joined = unique[0] if len(unique) == 1 else ", ".join(unique[:-1]) + " or " + unique[-1]
    return f"{joined} is expected"


def _name(terminal: str) -> str:
    return _NAMES.get(terminal) or "`" + terminal.lower().replace("_", " ") + "`"
