"""Finds the known name that a misspelt one most likely meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

_LONGEST: Final = 100
_MOST: Final = 5_000


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """The known name closest to the word, or None when nothing is close."""
    names = list(known)
    if len(word) > _LONGEST or len(names) > _MOST:
        # To compare takes the time of both lengths, and such a word was no slip of the hand.
        return None
    close = get_close_matches(word.strip().lower().replace("-", "_"), names, n=1, cutoff=0.6)
    return close[0] if close else None
