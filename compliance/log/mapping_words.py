"""Single words of a mapping file: what a column is compared with, and how times are written."""

from __future__ import annotations

import re
from datetime import datetime
from fractions import Fraction


def words_of(value: object) -> frozenset[str]:
    """One value, or a list of them, as the texts that they are written as."""
    values = value if isinstance(value, list) else [value]
    return frozenset(str(item).lower() if isinstance(item, bool) else str(item) for item in values)


def numbers_of(value: object) -> frozenset[Fraction]:
    """Those that are written as numbers, without marks around them."""
    values = value if isinstance(value, list) else [value]
    numbers = (item for item in values if not isinstance(item, bool))
    return frozenset(Fraction(str(item)) for item in numbers if isinstance(item, int | float))


def is_pattern(text: str) -> bool:
    """Whether a pattern can write a time and read it back."""
    if "%" not in text:
        return False
    moment = datetime(2024, 11, 23, 21, 14, 25)
    try:
        datetime.strptime(moment.strftime(text), text)
    except (ValueError, re.error):
        # A directive that stands there twice is no mistake of the pattern alone to Python.
        return False
    return True
