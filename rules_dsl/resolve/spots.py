"""Finds the very word that is wrong, so that the mark stands under it and not under a line."""

from __future__ import annotations

import re

from rules_dsl.source import Source
from rules_dsl.syntax import Span

_COMMENT = re.compile(r"--[^\n]*")
_LONGEST_QUOTE = 60


def word_in(source: Source, span: Span, word: str, after: str = "") -> Span:
    """Where a word stands inside a stretch of text, comments left out; if nowhere, all of it.

    `after` is a word that must stand before it: the `seat` of `with same seat`, not of `seat is 1`.
    """
    # Comments become blanks, so that every other character keeps its place.
    text = _COMMENT.sub(lambda found: " " * len(found[0]), source.text[span.start : span.end])
    begin = 0
    if after:
        found = re.search(_bounded(after), text)
        begin = found.end() if found else 0
    found = re.compile(_bounded(word)).search(text, begin)
    if found is None:
        return span
    return Span(span.start + found.start(), span.start + found.end())


def _bounded(words: str) -> str:
    """The words with any blanks between them, and not as a part of other words."""
    inner = r"\s+".join(re.escape(part) for part in words.split())
    edge = r"[\w-]" if "-" in words else r"\w"
    return rf"(?<!{edge}){inner}(?!{edge})" if words[:1].isalnum() else inner


def quoted(source: Source, span: Span) -> str:
    """What is written at a place, on one line and not too long to stand inside a sentence."""
    text = source.cut(span).replace("`", "'")
    return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 3].rstrip() + "..."
