"""The clocks of Atlantic City: moments as the log writes them, with New York's offset."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

NEW_YORK: Final = ZoneInfo("America/New_York")


def moment_of(day: date, hour: int, minute: int = 0) -> int:
    """A time of day in New York, in milliseconds since 1970 in UTC."""
    moment = datetime.combine(day, time(hour, minute), NEW_YORK)
    return int(moment.timestamp()) * 1000


def clock_time(milliseconds: int) -> str:
    """A moment in ISO 8601, such as 2010-03-06T20:15:07.250-05:00."""
    minute, rest = divmod(milliseconds, 60000)
    before, offset = _minute(minute)
    return f"{before}{rest // 1000:02d}.{rest % 1000:03d}{offset}"


@lru_cache(maxsize=4096)
def _minute(minute: int) -> tuple[str, str]:
    text = datetime.fromtimestamp(minute * 60, UTC).astimezone(NEW_YORK).isoformat()
    return text[:17], text[19:]
