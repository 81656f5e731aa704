"""Refuses words that can be the name of no file, before any command looks at them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from compliance.api.refusal import Refused
from event_schemas.limits import LONGEST_NAME, LONGEST_PATH

_SHOWN: Final = 40


def refuse_impossible_names(words: Iterable[str]) -> None:
    """A word that is no text, or too long for a path, gets a sentence."""
    for word in words:
        try:
            size = len(word.encode())
        except UnicodeEncodeError:
            shown = word.encode(errors="backslashreplace").decode()
            raise Refused(
                f"{_short(shown)} is not UTF-8 text; give the file another name."
            ) from None
        longest = max(len(part.encode()) for part in word.split("/"))
        if size > LONGEST_PATH or longest > LONGEST_NAME:
            raise Refused(
                f"{_short(word)} is too long: a name has at most {LONGEST_NAME} bytes, and a path "
                f"{LONGEST_PATH:,}."
            )


def _short(word: str) -> str:
    return word if len(word) <= _SHOWN else f"{word[:_SHOWN]}…"
