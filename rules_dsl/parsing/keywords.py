"""Keeps the words of the rule language from being taken for names.

A field may bear the name of a word of the language, such as `to` or `kind`, and the grammar sorts
that out. Two things it would read wrongly without a word: `earlier` where an event is missing, and
the first word of the next clause where the clause before it was not finished.
"""

from __future__ import annotations

from collections.abc import Iterator

from lark import Token

NEVER_A_NAME = frozenset(
    {
        "and",
        "among",
        "as",
        "before",
        "earlier",
        "else",
        "every",
        "exactly",
        "goes",
        "has",
        "if",
        "is",
        "later",
        "no",
        "not",
        "of",
        "or",
        "since",
        "some",
        "then",
        "where",
        "with",
        "within",
    }
)
BEGINS_A_CLAUSE = frozenset(
    {
        "applies",
        "but",
        "choose",
        "cite",
        "edition",
        "example",
        "except",
        "for",
        "forbid",
        "given",
        "let",
        "note",
        "only",
        "otherwise",
        "remedy",
        "require",
        "severity",
        "when",
    }
)


BEGINS_A_VALUE = frozenset(
    {"first", "last", "next", "none", "option", "previous", "reading", "yes"}
)
"""Words that are never read as names where a value stands."""


def no_name_for_a_value(word: str) -> bool:
    """Whether a value of this name could not be spoken of: the word means something else."""
    return word in NEVER_A_NAME or word in BEGINS_A_VALUE


class KeywordGuard:
    """Looks at every word between reading it and understanding it."""

    # With names read everywhere, `island` is never taken for `is` and `land`.
    always_accept = ("NAME",)

    def process(self, words: Iterator[Token]) -> Iterator[Token]:
        """The words as they come; those that are no names get a kind that fits nowhere."""
        line = None
        for word in words:
            new_line = line is not None and word.line != line
            line = word.end_line
            is_name = not _is_no_name(word, new_line)
            yield word if is_name else Token.new_borrow_pos("NO_NAME", word, word)


def _is_no_name(word: Token, new_line: bool) -> bool:
    if word.type == "DASHED_NAME":
        return new_line
    if word.type != "NAME":
        return False
    return word in NEVER_A_NAME or (new_line and word in BEGINS_A_CLAUSE)
