"""Says in a sentence what is wrong where the parser could not go on."""

from __future__ import annotations

import re

from lark import Token
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedToken

from rules_dsl.diagnostics import Diagnostic, nearest
from rules_dsl.source import Source
from rules_dsl.syntax import Span

DECLARATION_WORDS = (
    "rulebook",
    "section",
    "use",
    "interval",
    "events",
    "define",
    "table",
    "setting",
    "interpretation",
    "profile",
    "template",
    "rule",
)
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

# What each terminal is called when a person reads about it.
_READABLE = {
    "NAME": "a name",
    "DASHED_NAME": "a rule name such as `burn-by-new-dealer`",
    "STRING": 'a text in quotation marks',
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
    "$END": "the end of the rule",
}
_VALUE_STARTS = frozenset({"NUMBER", "MONEY", "NAME", "LPAR", "OPTION"})
_SCOPES = frozenset({"EARLIER", "LATER", "SO_FAR", "SINCE", "BEFORE", "IN_THE", "WITHIN"})
_CLAUSE_TERMINALS = frozenset(
    {"CITE", "REQUIRE", "FORBID", "EXCEPT", "SEVERITY", "EXAMPLE", "WHEN", "LET", "REMEDY", "NOTE"}
)
_KEYWORDS_AS_WRITTEN = {
    "WITH_SAME": "with same",
    "AND_SAME": "and same",
    "AND_PER": "and per",
}


def explain_unknown_start(source: Source, start: int, end: int) -> Diagnostic | None:
    """A block whose first word opens no declaration."""
    word = re.match(r"\S+", source.text[start:end])
    if word is None:
        return None
    first = word.group()
    span = Span(start, start + len(first))
    if first in DECLARATION_WORDS:
        return None
    if source.text[start] in " \t":
        stripped = len(source.text[start:end]) - len(source.text[start:end].lstrip())
        span = Span(start + stripped, start + stripped + 1)
    if re.match(CLAUSE_WORDS, source.text[start:end]):
        return Diagnostic(
            "not-indented",
            f"`{first}` belongs inside a rule, but it stands in the first column.",
            source,
            span,
            "put blanks before it",
        )
    return Diagnostic(
        "unknown-declaration",
        f"`{first[:40]}` does not begin a declaration.",
        source,
        span,
        nearest(first, DECLARATION_WORDS)
        or "a declaration begins with a word such as `rule`, `define`, `events` or `interval`",
    )


def explain_unexpected(
    error: UnexpectedToken | UnexpectedCharacters | UnexpectedEOF, source: Source, block: Span
) -> Diagnostic:
    """The parser's complaint as a sentence for the writer of the rule."""
    if isinstance(error, UnexpectedCharacters):
        return _bad_character(error, source)
    token = error.token if isinstance(error, UnexpectedToken) else Token("$END", "")
    expected = _expected(error)
    if token.type == "$END":
        end = block.start + len(source.text[block.start : block.end].rstrip())
        span = Span(max(block.start, end - 1), end)
        what = "The text ends too early"
    else:
        start = token.start_pos or 0
        span = Span(start, start + max(1, len(token)))
        what = f"`{_shown(token)}` cannot stand here"
    special = _common_mistake(error, token, expected, source, span)
    if special is not None:
        return special
    return Diagnostic("syntax", f"{what}: {_wanted(expected)}.", source, span)


def _expected(error: UnexpectedToken | UnexpectedEOF) -> set[str]:
    if isinstance(error, UnexpectedToken):
        return set(error.accepts or error.expected)
    return set(error.expected)


def _shown(token: Token) -> str:
    text = " ".join(str(token).split())
    return text if len(text) <= 40 else text[:37] + "..."


def _common_mistake(
    error: UnexpectedToken | UnexpectedEOF,
    token: Token,
    expected: set[str],
    source: Source,
    span: Span,
) -> Diagnostic | None:
    """Sentences of their own for what people write most often."""
    before = source.text[: span.start].rstrip()
    last_word = re.search(r"[A-Za-z_]+$", before)
    word = last_word.group() if last_word else ""
    text = str(token)

    def say(message: str, suggestion: str) -> Diagnostic:
        return Diagnostic("syntax", message, source, span, suggestion)

    if "CITATION" in expected:
        return Diagnostic(
            "bad-citation",
            f"`{_shown(token)}` is not a citation." if text else "The citation is missing.",
            source,
            span,
            "write it like `N.J.A.C. 19:47-2.6(c)`, or any other text in quotation marks",
        )
    if "DASHED_NAME" in expected:
        return say(
            "A rule's name is made of small letters, digits and hyphens.",
            "write it like `burn-by-each-new-dealer`",
        )
    if expected == {"DATE"} or ("DATE" in expected and word in {"from", "until", "on"}):
        return Diagnostic(
            "bad-date",
            f"A date is expected after `{word}`.",
            source,
            span,
            "write dates as year-month-day, like `1996-05-20`",
        )
    if token.type == "EQUALS" and word == "is":
        return say("`is` and `=` say the same thing twice.", "leave one of them out")
    if text in {"==", "&&", "||", "!"}:
        return say(f"`{text}` is not a word of the rule language.", "write `is`, `and`, `or`, `not`")
    if token.type in {"EARLIER", "LATER"} and "DURATION" in expected:
        return say("The length of time is missing.", "write it like `at least 30 minutes earlier`")
    if expected & {"DURATION"} and token.type == "NUMBER":
        return say(f"`{text}` needs a unit of time.", f"write `{text} minutes` or `{text} seconds`")
    if "RPAR" in expected and token.type in _CLAUSE_TERMINALS | {"$END"}:
        return say("A bracket that was opened is not closed.", "add the closing bracket")
    if token.type == "RPAR":
        return say("This closing bracket has no opening one.", "remove it, or add the opening one")
    if word in {"where", "require", "forbid", "and", "or", "not", "when", "if", "has", "only"} and (
        token.type in _CLAUSE_TERMINALS | {"$END", "OTHERWISE_SAY"}
    ):
        return say(f"The condition after `{word}` is missing.", "say what must hold, or remove it")
    if "WITH_SAME" in expected and text in {"with", "same"}:
        return say("`with` is followed by `same` and a field.", "write `with same seat`")
    if token.type == "NAME" and "HAS" in expected and "AND" not in expected:
        return say("`every` needs `has` and a condition.", "write `every wager_placed ... has ...`")
    if "HAS" in expected and not expected & {"AND"}:
        return say("`every` needs `has` and a condition.", "write `every wager_placed ... has ...`")
    if token.type == "NAME" and expected & _CLAUSE_TERMINALS:
        candidates = [*_clause_firsts(), "and", "or", "where", "since", "earlier", "later", "before"]
        hint = nearest(text, candidates)
        return say(f"`{text}` cannot stand here.", hint or _wanted(expected))
    return None


def _clause_firsts() -> list[str]:
    return [clause.split()[0] for clause in CLAUSES]


def _bad_character(error: UnexpectedCharacters, source: Source) -> Diagnostic:
    at = error.pos_in_stream or 0
    character = source.text[at : at + 1]
    word = re.match(r"[^\s,()]+", source.text[at:])
    shown = (word.group() if word else character)[:40]
    span = Span(at, at + max(1, len(shown)))
    allowed = set(error.allowed or ())
    if character == '"':
        return Diagnostic(
            "unclosed-text",
            "This text has no closing quotation mark on its line.",
            source,
            span,
            'close it with `"`; a long text may be several quoted texts, one below the other',
        )
    if character in "“”„‘’'«»":
        return Diagnostic(
            "bad-character",
            f"`{character}` is not a quotation mark that the rule language knows.",
            source,
            span,
            'use the straight quotation mark `"`',
        )
    if "CITATION" in allowed:
        return Diagnostic(
            "bad-citation",
            f"`{shown}` is not a citation.",
            source,
            span,
            "write it like `N.J.A.C. 19:47-2.6(c)`, or any other text in quotation marks",
        )
    if "DATE" in allowed and not allowed & _VALUE_STARTS:
        return Diagnostic(
            "bad-date",
            f"`{shown}` is not a date.",
            source,
            span,
            "write dates as year-month-day, like `1996-05-20`",
        )
    if "DASHED_NAME" in allowed and not allowed & {"NUMBER"}:
        return Diagnostic(
            "syntax",
            "A rule's name is made of small letters, digits and hyphens.",
            source,
            span,
            "write it like `burn-by-each-new-dealer`",
        )
    if shown[:2] in {"==", "&&", "||"} or character in "!&":
        return Diagnostic(
            "bad-character",
            f"`{shown[:2]}` is not a word of the rule language.",
            source,
            span,
            "write `is`, `is not`, `and`, `or`, `not`",
        )
    if character.isalpha() and shown != shown.lower():
        return Diagnostic(
            "bad-character",
            f"`{shown}` has capital letters; names are written in small letters.",
            source,
            span,
            f"write `{shown.lower()}`, or put a text in quotation marks",
        )
    printable = shown if shown.isprintable() else f"U+{ord(character):04X}"
    return Diagnostic(
        "bad-character", f"`{printable}` cannot stand here.", source, span, _wanted(allowed)
    )


def _wanted(expected: set[str]) -> str:
    """`a number, a name or ...`: the few things that would fit, the most telling first."""
    if not expected:
        return "nothing more is expected"
    words: list[str] = []
    if expected >= _VALUE_STARTS:
        words.append("a value or a condition")
        expected = expected - _VALUE_STARTS - {
            "PERCENT", "ODDS", "DURATION", "DATE", "CARD", "STRING", "NONE", "YES", "NO",
            "FIRST", "LAST", "NEXT", "PREVIOUS", "SOME", "EVERY", "EXACTLY", "ANY_OF", "NOT",
            "IF", "READING", "THE_SEAT", "MORE_THAN", "FEWER_THAN", "AT_LEAST", "AT_MOST",
        }  # fmt: skip
    if expected & _SCOPES == _SCOPES:
        words.append("a word that says when, such as `since` or `earlier`")
        expected = expected - _SCOPES - {
            "WHERE", "AS", "AT_LEAST", "LATEST_PER", "EARLIEST_PER", "WITH_SAME", "CLOSE", "DOT",
        }  # fmt: skip
    if len(expected & _CLAUSE_TERMINALS) > 4:
        words.append("the next clause, such as `require` or `example`")
        expected = {
            name for name in expected if name in {"AND", "OR", "RPAR", "THEN", "ELSE", "COMMA"}
        }
    words += sorted(_readable(name) for name in expected)
    if len(words) > 5:
        words = words[:5]
    unique = list(dict.fromkeys(words))
    joined = unique[0] if len(unique) == 1 else ", ".join(unique[:-1]) + " or " + unique[-1]
    return f"{joined} is expected"


def _readable(terminal: str) -> str:
    if terminal in _READABLE:
        return _READABLE[terminal]
    return "`" + _KEYWORDS_AS_WRITTEN.get(terminal, terminal.lower().replace("_", " ")) + "`"
