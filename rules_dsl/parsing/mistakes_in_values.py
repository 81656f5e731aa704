"""What people often write wrong in signs and values: quotation marks, amounts, cards, capitals."""

from __future__ import annotations

import re

from rules_dsl.parsing.mistakes import Groups, Mistake

_NUMBER = r"(?<![\w.,:$-])(?P<wrong>(?P<number>[0-9][0-9,]*(?:\.[0-9]+)?))"
_SIGN_WORDS = {
    "=": "is",
    "==": "is",
    "===": "is",
    "=>": "is at least",
    ">=": "is at least",
    "=<": "is at most",
    "<=": "is at most",
    ">": "is more than",
    "<": "is less than",
    "<>": "is not",
    "=!": "is not",
    "!=": "is not",
    "!==": "is not",
    "&": "and",
    "&&": "and",
    "|": "or",
    "||": "or",
    "!": "not",
    "~": "not",
}
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}
_SUITS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}


def _word_for_sign(groups: Groups) -> str:
    sign = groups.get("first", "") + groups["sign"]
    return f"write `{_SIGN_WORDS.get(sign, 'is')}`"


def _small_letters(groups: Groups) -> str:
    name = groups.get("first", "") + groups["name"]
    split = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return f"write `{split.lower()}`"


def _card(groups: Groups) -> str:
    suit = groups["suit"]
    return f"write `{groups['rank']}{_SUITS.get(suit, suit.upper())}`"


def unit_of_time(groups: Groups) -> str:
    number = groups["number"]
    known = _UNITS.get(groups["unit"][0])
    if known is None or groups["unit"].startswith("mo"):
        return f"write `{number} days`; the units are seconds, minutes, hours and days"
    return f"write `{number} {known if number != '1' else known[:-1]}`"


SIGNS = (
    Mistake(
        "`{sign}` is not a quotation mark that the rule language knows.",
        'use the straight quotation mark `"`',
        here=r"(?P<wrong>(?P<sign>[\u201c\u201d\u201e\u2018\u2019\u201a'\u00ab\u00bb`]))",
        code="bad-character",
    ),
    Mistake(
        "`{sign}` is not a hyphen that the rule language knows.",
        "use `-`; a comment begins with `--`",
        here=r"(?P<wrong>(?P<sign>[\u2010-\u2015\u2212]))",
        code="bad-character",
    ),
    Mistake(
        "This blank is not an ordinary one.",
        "replace it with an ordinary blank",
        here=r"(?P<wrong>[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000])",
        code="bad-character",
    ),
    Mistake(
        "`{first}{sign}` does not begin a comment.",
        "write `--` before a comment",
        before=r"(?P<wrong>(?P<first>/))$",
        here=r"(?P<wrong>(?P<sign>[/*]))",
    ),
    Mistake(
        "`#` does not begin a comment.",
        "write `--` before a comment",
        here=r"(?P<wrong>#)",
        code="bad-character",
    ),
    Mistake(
        "`is` and `{sign}` say the same thing twice.",
        "leave one of them out",
        before=r"\bis",
        here=r"(?P<wrong>(?P<sign>==?))(?![<>=])",
    ),
    Mistake(
        "`is` and `{sign}` do not go together.",
        _word_for_sign,
        before=r"(?P<wrong>\bis)",
        here=r"(?P<wrong>(?P<sign>[<>!=]=|=[<>]|[<>]))",
    ),
    Mistake(
        "`{first}{sign}` is not a sign of the rule language.",
        _word_for_sign,
        before=r"(?P<wrong>(?P<first>[=<>!]))$",
        here=r"(?P<wrong>(?P<sign>==?|[<>!]))",
    ),
    Mistake(
        "`{sign}` is not a sign of the rule language.",
        _word_for_sign,
        here=r"(?P<wrong>(?P<sign>&&?|\|\|?|!|~))",
        excluded="TABLE_ROW",
        code="bad-character",
    ),
    Mistake(
        "`{sign}` is not a bracket that the rule language knows.",
        "use round brackets",
        here=r"(?P<wrong>(?P<sign>[\[\]{}]))",
        code="bad-character",
    ),
    Mistake(
        "`;` is not a sign of the rule language.",
        "leave it out; a clause needs no sign at its end",
        here=r"(?P<wrong>;)",
        code="bad-character",
    ),
    Mistake("No colon is needed here.", "leave it out", here=r"(?P<wrong>:)(?![0-9])"),
)

VALUES = (
    Mistake(
        "`{number}:{second}` is not how odds are written.",
        "write `{number} to {second}`",
        before=_NUMBER + "$",
        here=r"(?P<wrong>:(?P<second>[0-9]+))",
    ),
    Mistake(
        "A blank stands between the dollar sign and the amount.",
        "write `${number}`",
        here=r"(?P<wrong>\$\s+(?P<number>[0-9][0-9,.]*))",
        code="bad-character",
    ),
    Mistake(
        "The dollar sign stands before the amount.",
        "write `${number}`",
        before=_NUMBER,
        here=r"(?P<wrong>\$)(?![0-9])",
    ),
    Mistake(
        "Amounts are written with a dollar sign.",
        "write `${number}`",
        before=_NUMBER,
        here=r"(?P<wrong>(?:dollars?|bucks|usd|USD)\b)",
    ),
    Mistake(
        "Amounts are in dollars.",
        "write it like `$25`",
        here=r"(?P<wrong>[\u20ac\u00a3\u00a5\u00a2])",
        code="bad-character",
    ),
    Mistake(
        "A percentage is written with its sign right after the number.",
        "write `{number}%`",
        before=_NUMBER,
        here=r"(?P<wrong>%|per\s?cent\b)",
    ),
    Mistake(
        "A card is written with capital letters.",
        _card,
        before=r"(?<![\w.,:$])(?P<wrong>(?P<rank>10|[2-9]))$",
        here=r"(?P<wrong>(?P<suit>[shdc\u2660\u2665\u2666\u2663]))(?!\w)",
    ),
    Mistake(
        "A card is written with capital letters.",
        _card,
        here=r"(?P<wrong>(?P<rank>[AJQKT])(?P<suit>[shdc\u2660\u2665\u2666\u2663]))(?!\w)",
        code="bad-character",
    ),
    Mistake(
        "`{unit}` is not a unit of time.",
        unit_of_time,
        before=_NUMBER,
        here=r"(?P<wrong>(?P<unit>secs?|mins?|hrs?|[smhd]|weeks?|months?|years?)\b)",
        new_line=False,
    ),
    Mistake(
        "`{word}` cannot stand after a number.",
        "leave it out, or write the value like `30 minutes`, `$25` or `5%`",
        before=_NUMBER,
        here=r"(?P<wrong>[a-z]\w*)(?!\s*[=(])",
        expected="AND",
        new_line=False,
    ),
)

CAPITALS = (
    Mistake(
        "`{first}{name}` has capital letters; names and words are written in small letters.",
        _small_letters,
        before=r"(?P<wrong>\b(?P<first>[a-z][a-z0-9_]*))$",
        here=r"(?P<wrong>(?P<name>[A-Z]\w*))",
        code="bad-character",
    ),
    Mistake(
        "`{name}` has capital letters; names and words are written in small letters.",
        _small_letters,
        here=r"(?P<wrong>(?P<name>[A-Z]\w*))",
        code="bad-character",
    ),
)

COMMAS = (
    Mistake(
        "Nothing follows this comma.",
        "leave it out",
        before=r"(?P<wrong>,)",
        ended=True,
    ),
    Mistake("Nothing follows this comma.", "leave it out", here=r"(?P<wrong>,)\s*(?:--.*)?$"),
)
