"""The words of the rule language, read from its grammar."""

from __future__ import annotations

import re

from rules_dsl.parsing.parser import grammar


def keywords() -> set[str]:
    """Every word of the language, as the grammar's terminals spell it."""
    words: set[str] = set()
    for pattern in re.findall(r"^[A-Z_]+(?:\.[0-9]+)?: (.+)$", grammar(), re.M):
        plain = re.fullmatch(r'"([a-z]+)"', pattern)
        words_only = re.sub(r"\(\?[=!][^()]*\)", "", pattern)
        spaced = re.fullmatch(r"/([a-z\\s+b()|?]+)/", words_only)
        if plain:
            words.add(plain[1])
        elif spaced:
            words |= _spellings(spaced[1])
    return words


def _spellings(pattern: str) -> set[str]:
    """The ways to write a terminal of several words, without the words that may be left out."""
    text = re.sub(r"\([^()]*\)\?", "", pattern)
    text = text.replace(r"\s+", " ").replace(r"\b", "")
    choice = re.search(r"\(([a-z|]+)\)", text)
    if choice is None:
        return {text.strip()}
    return {text.replace(choice[0], word).strip() for word in choice[1].split("|")}
