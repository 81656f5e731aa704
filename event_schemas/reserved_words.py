"""Words that the rule language keeps for itself, so that no field may bear their name."""

from __future__ import annotations

from typing import Final

_WORDS: Final = """
    where with same since before earlier later so far in the within at least most is not and or
    no every some exactly more fewer than has of first last next previous count sum when require
    forbid except under unless but if then else option reading setting as per among from until
    clockwise counterclockwise goes rounded up down times about between one any missing known
    trigger
"""

RESERVED_WORDS: Final = frozenset(_WORDS.split())
