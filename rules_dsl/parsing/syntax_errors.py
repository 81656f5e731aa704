"""Says in a sentence what is wrong where reading a rule stopped, and what to write instead."""

from __future__ import annotations

import re
from typing import Any

from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedToken
from lark.parsers.lalr_interactive_parser import InteractiveParser

from event_schemas import builtin_schema
from rules_dsl.diagnostics import Diagnostic, nearest
from rules_dsl.parsing.mistakes import Place, first_seen
from rules_dsl.parsing.mistakes_in_citations import CITATIONS, DATES
from rules_dsl.parsing.mistakes_in_clauses import CLAUSES_AND_LINES, NAMES, TEXTS
from rules_dsl.parsing.mistakes_in_conditions import COMPARISONS, PHRASES, TIMES
from rules_dsl.parsing.mistakes_in_speech import SPEECH
from rules_dsl.parsing.mistakes_in_values import CAPITALS, COMMAS, SIGNS, VALUES
from rules_dsl.parsing.wording import CLAUSE_WORDS, CLAUSES, shown, wanted
from rules_dsl.source import Source
from rules_dsl.syntax import Span

DECLARATION_WORDS = (
    "rulebook",
    "chapter",
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
    "examples",
)

# The order matters: the first that fits is said.
_MISTAKES = (
    *SIGNS,
    *CITATIONS,
    *DATES,
    *NAMES,
    *TEXTS,
    *CLAUSES_AND_LINES,
    *TIMES,
    *VALUES,
    *CAPITALS,
    *COMPARISONS,
    *SPEECH,
    *PHRASES,
    *COMMAS,
)
_PLAIN_WORD = re.compile(r"[a-z][a-z0-9_]*")
_WORDS_BEFORE = re.compile(r"(?:[a-z][a-z0-9_]*[ \t-]+){0,4}[a-z][a-z0-9_]*[ \t-]*$")
_WORDS_HERE = re.compile(r"-?[a-z][a-z0-9_]*(?:[ \t-]+[a-z][a-z0-9_]*){0,4}")
_STRING_OR_BRACKET = re.compile(r'"[^"\n]*"|--[^\n]*|[()]')


# What looks like nothing, or makes text look like other text, has no place in a rule.
INVISIBLE = re.compile(
    r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    r"\ud800-\udfff\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)


def explain_invisible(source: Source, at: int) -> Diagnostic:
    """A character that nobody sees, but that can hide what a rule says."""
    return Diagnostic(
        "bad-character",
        f"An invisible character (U+{ord(source.text[at]):04X}) stands here.",
        source,
        Span(at, at + 1),
        "remove it",
    )


def explain_unknown_start(source: Source, start: int, end: int) -> Diagnostic | None:
    """A block whose first word opens no declaration."""
    word = re.compile(r"\S+").match(source.text, start, end)
    if word is None or word.group() in DECLARATION_WORDS:
        return None
    first = shown(word.group())
    span = Span(word.start(), word.end())
    if re.compile(CLAUSE_WORDS).match(source.text, start, end):
        return Diagnostic(
            "not-indented",
            f"`{first}` belongs inside a rule, but it stands in the first column.",
            source,
            span,
            "put blanks before it",
        )
    return Diagnostic(
        "unknown-declaration",
        f"`{first}` does not begin a declaration.",
        source,
        span,
        _instead_of_start(word.group()),
    )


def _instead_of_start(word: str) -> str:
    if word.startswith(("#", "//", "/*", ";", "%")):
        return "write `--` before a comment"
    if word.rstrip(":").lower() in DECLARATION_WORDS:
        return f"write `{word.rstrip(':').lower()}`"
    return (
        nearest(word[:40], DECLARATION_WORDS)
        or "a declaration begins with a word such as `rule`, `define`, `events` or `interval`"
    )


def explain_unexpected(
    error: UnexpectedToken | UnexpectedCharacters | UnexpectedEOF, source: Source, block: Span
) -> Diagnostic:
    """What was found where reading stopped, as a sentence for the writer of the rule."""
    place = Place(source, block, _offset(error, block), _expected(error))
    return (
        _unclosed_text(place)
        or _brackets(place)
        or _event_in_words(place)
        or first_seen(_MISTAKES, place)
        or _anything_else(place)
    )


def _offset(error: UnexpectedToken | UnexpectedCharacters | UnexpectedEOF, block: Span) -> int:
    if isinstance(error, UnexpectedCharacters):
        position: Any = error.pos_in_stream  # Lark declares no type for it
        return int(position)
    if isinstance(error, UnexpectedToken) and error.token.type != "$END":
        return error.token.start_pos or 0
    return block.end


def _expected(error: UnexpectedToken | UnexpectedCharacters | UnexpectedEOF) -> frozenset[str]:
    """What could really have stood there; the error itself names more than that."""
    reader = getattr(error, "interactive_parser", None)
    if isinstance(reader, InteractiveParser):
        return frozenset(reader.accepts())  # type: ignore[no-untyped-call]
    if isinstance(error, UnexpectedCharacters):
        return frozenset(error.allowed)
    return frozenset(error.expected)


def _unclosed_text(place: Place) -> Diagnostic | None:
    text = place.source.text
    if not text.startswith('"', place.at):
        return None
    end = text.find("\n", place.at, place.block.end)
    if text.find('"', place.at + 1, end if end >= 0 else place.block.end) >= 0:
        return None
    return Diagnostic(
        "unclosed-text",
        "This text has no closing quotation mark on its line.",
        place.source,
        place.word,
        'close it with `"`; a long text may be several quoted texts, one below the other',
    )


def _brackets(place: Place) -> Diagnostic | None:
    if place.here.startswith(")") and "RPAR" not in place.expected and not _open_bracket(place):
        return Diagnostic(
            "syntax",
            "This closing bracket has no opening one.",
            place.source,
            place.word,
            "remove it, or add the opening one",
        )
    if place.ended and "RPAR" in place.expected:
        return Diagnostic(
            "syntax",
            "A bracket that was opened is not closed.",
            place.source,
            _open_bracket(place) or place.word,
            "add the closing bracket",
        )
    return None


def _open_bracket(place: Place) -> Span | None:
    """The innermost bracket that is still open."""
    open_ones: list[Span] = []
    for match in _STRING_OR_BRACKET.finditer(place.source.text, place.block.start, place.at):
        if match.group() == "(":
            open_ones.append(Span(match.start(), match.end()))
        elif match.group() == ")" and open_ones:
            open_ones.pop()
    return open_ones[-1] if open_ones else None


def _event_in_words(place: Place) -> Diagnostic | None:
    """The name of an event with blanks or hyphens in place of its underscores: `card dealt`."""
    before, after = _WORDS_BEFORE.search(place.before), _WORDS_HERE.match(place.here)
    if before is None or after is None:
        return None
    events = builtin_schema().events
    begin = place.at - len(place.before)
    for first in _PLAIN_WORD.finditer(before.string, before.start()):
        for last in reversed(list(_PLAIN_WORD.finditer(after.group()))):
            words = before.string[first.start() :] + after.group()[: last.end()]
            name = re.sub(r"[ \t-]+", "_", words)
            if name in events:
                return Diagnostic(
                    "syntax",
                    "The name of an event is one word.",
                    place.source,
                    Span(begin + first.start(), place.at + last.end()),
                    f"write `{name}`",
                )
    return None


def _anything_else(place: Place) -> Diagnostic:
    wanted_here = wanted(place.expected)
    if place.ended:
        message = f"Something is missing after this: {wanted_here}."
        return Diagnostic("syntax", message, place.source, place.word)
    word = place.source.cut(place.word)
    code = "syntax" if word[:1].isascii() and word[:1].isprintable() else "bad-character"
    if _PLAIN_WORD.fullmatch(word):
        hint = nearest(word[:40], _words_that_fit(place.expected), cutoff=0.7)
        if hint:
            message = f"`{shown(word)}` cannot stand here."
            return Diagnostic(code, message, place.source, place.word, hint)
    message = f"`{shown(word)}` cannot stand here: {wanted_here}."
    return Diagnostic(code, message, place.source, place.word)


def _words_that_fit(expected: frozenset[str]) -> list[str]:
    words = [terminal.lower().split("_")[0] for terminal in sorted(expected)]
    if "REQUIRE" in expected:
        words += [clause.split()[0] for clause in CLAUSES]
    return words
