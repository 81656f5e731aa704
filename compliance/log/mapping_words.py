"""Single words of a mapping file: what a column is compared with, and how times are written."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from fractions import Fraction
from typing import Final


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
    return "%" in text and _read_back(text) is not None


def lost_by_pattern(text: str) -> str:
    """What a pattern does not tell of a time, so that another would be read; empty if nothing."""
    read = _read_back(text) if "%" in text else None
    if read is None or read.replace(second=_MOMENT.second, microsecond=0) == _MOMENT:
        return ""
    if read.date() != _MOMENT.date():
        return "the day"
    if read.hour == _MOMENT.hour - 12:
        return "whether it is before or after noon (%p, or %H instead of %I)"
    return "the time of day"


_MOMENT: Final = datetime(2024, 11, 23, 21, 14, 25, tzinfo=UTC)


def _read_back(text: str) -> datetime | None:
    try:
        return datetime.strptime(_MOMENT.strftime(text), text).replace(tzinfo=UTC)
    except (ValueError, re.error):
        # A directive that stands there twice is no mistake of the pattern alone to Python.
        return None
