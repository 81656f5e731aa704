"""Moments always carry their offset from UTC, and lengths of time are written in words."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

_ZONED: Final = re.compile(r"(?P<moment>.+?)\[(?P<zone>[A-Za-z0-9_+\-/]+)\]")
_UNITS: Final = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800}
_PART: Final = re.compile(
    r"(?P<number>\d+(?:\.\d+)?)\s*(?P<unit>seconds?|minutes?|hours?|days?|weeks?)", re.IGNORECASE
)


def parse_time(text: str) -> datetime:
    """Read a moment in ISO 8601 with its offset; a zone name in brackets may follow and is kept."""
    zoned = _ZONED.fullmatch(text.strip())
    try:
        moment = datetime.fromisoformat(zoned["moment"] if zoned else text.strip())
    except ValueError:
        raise ValueError(
            f'"{text}" is not a time; write it as in 2024-03-09T20:15:00-05:00.'
        ) from None
    aware = require_offset(moment, text)
    if zoned is None:
        return aware
    try:
        return aware.astimezone(ZoneInfo(zoned["zone"]))
    except (KeyError, ValueError, OSError):
        raise ValueError(f'"{zoned["zone"]}" is not the name of a time zone.') from None


def require_offset(moment: datetime, text: str | None = None) -> datetime:
    """Refuse a time that does not say how far it is from UTC: two clocks could be meant."""
    if moment.utcoffset() is None:
        shown = text or moment.isoformat()
        raise ValueError(
            f'The time "{shown}" has no offset from UTC; write it as in 2024-03-09T20:15:00-05:00.'
        )
    return moment


def format_time(moment: datetime) -> str:
    """Write a moment in ISO 8601, with its zone's name when it has one."""
    zone = f"[{moment.tzinfo.key}]" if isinstance(moment.tzinfo, ZoneInfo) else ""
    return moment.isoformat() + zone


def parse_date(text: str) -> date:
    """Read a day written as 1982-09-15."""
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        raise ValueError(f'"{text}" is not a date; write it as in 1982-09-15.') from None


def parse_duration(text: str) -> timedelta:
    """Read a length of time such as 30 minutes, 2 hours or 1 hour 30 minutes."""
    rest, total = text.strip(), timedelta()
    if not rest:
        raise _not_a_duration(text)
    while rest:
        part = _PART.match(rest)
        if part is None:
            raise _not_a_duration(text)
        unit = part["unit"].lower().removesuffix("s")
        # Through milliseconds: 1.1 hours must not become 1.0999999 hours.
        total += timedelta(milliseconds=round(float(part["number"]) * 1000 * _UNITS[unit]))
        rest = rest[part.end() :].strip()
    return total


def format_duration(length: timedelta) -> str:
    """Write a length of time in the largest units that fit it."""
    seconds = length // timedelta(seconds=1)
    fraction = (length - timedelta(seconds=seconds)) // timedelta(milliseconds=1)
    words = []
    for unit in ("day", "hour", "minute"):
        number, seconds = divmod(seconds, _UNITS[unit])
        if number:
            words.append(f"{number} {unit}{'' if number == 1 else 's'}")
    if seconds or fraction or not words:
        shown = f"{seconds}.{fraction:03d}".rstrip("0") if fraction else str(seconds)
        words.append(f"{shown} second{'' if shown == '1' else 's'}")
    return " ".join(words)


def _not_a_duration(text: str) -> ValueError:
    return ValueError(
        f'"{text}" is not a length of time; write it as in 30 minutes, 2 hours or 90 seconds.'
    )
