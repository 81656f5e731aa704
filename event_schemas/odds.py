"""Odds are exact fractions: 3 to 2 pays three halves of the stake."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

_ODDS: Final = re.compile(
    r"(?P<pays>\d+(?:\.\d+)?)\s*(?:\bto\b|:|-to-)\s*(?P<stake>\d+(?:\.\d+)?)", re.IGNORECASE
)


def parse_odds(text: str) -> Fraction:
    """Read odds written as 3 to 2 or 3:2."""
    match = _ODDS.fullmatch(text.strip())
    if match is None or Fraction(match["stake"]) == 0:
        raise ValueError(f'"{text}" is not odds; write them as in 3 to 2 or 3:2.')
    return Fraction(match["pays"]) / Fraction(match["stake"])


def format_odds(odds: Fraction) -> str:
    """Write odds as 3 to 2, in lowest terms."""
    return f"{odds.numerator} to {odds.denominator}"
