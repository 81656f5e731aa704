"""Finds the known name that a misspelt one most likely meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """The known name closest to the word, or None when nothing is close."""
    close = get_close_matches(word.strip().lower().replace("-", "_"), list(known), n=1, cutoff=0.6)
    return close[0] if close else None
