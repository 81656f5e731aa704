"""Money is a whole number of cents, so that no payout is ever off by a rounding error."""

from __future__ import annotations

import re
from typing import Final

_MONEY: Final = re.compile(
    r"(?P<minus>-)?\$?(?P<whole>\d{1,3}(?:,\d{3})+|\d+)(?:\.(?P<cents>\d{1,2}))?"
)


def parse_money(text: str) -> int:
    """Read an amount such as $25, $1,250.50 or 25.00 and give it in cents."""
    match = _MONEY.fullmatch(text.strip())
    if match is None:
        raise ValueError(f'"{text}" is not an amount of money; write it as in $25 or $1,250.50.')
    cents = int(match["whole"].replace(",", "")) * 100 + int((match["cents"] or "0").ljust(2, "0"))
    return -cents if match["minus"] else cents


def format_money(cents: int) -> str:
    """Write an amount with a dollar sign, without .00 when it is whole."""
    sign = "-" if cents < 0 else ""
    dollars, rest = divmod(abs(cents), 100)
    return f"{sign}${dollars:,}.{rest:02d}" if rest else f"{sign}${dollars:,}"


def money_from_log(value: object) -> int:
    """Read an amount as a log holds it: whole cents, or text with a dollar sign or a point."""
    if isinstance(value, bool):
        raise ValueError("A yes or no was found where an amount of money belongs.")
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        raise ValueError(
            f"The number {value} has a decimal point, which cannot hold money exactly; "
            f'write whole cents, or text such as "$25.50".'
        )
    if isinstance(value, str):
        if "$" not in value and "." not in value:
            # "2500" could be dollars or cents: refuse to guess.
            raise ValueError(
                f'"{value}" does not say whether it is dollars or cents; write "${value}", '
                f"or the number of cents without quotes."
            )
        return parse_money(value)
    raise ValueError("An amount of money is a whole number of cents, or text such as $25.50.")
