"""Gaming days: when one begins and ends by the casino's clock, and which are over.

A gaming day is named by the date on which it begins. On the days on which the clock is changed it
has 23 or 25 hours.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo


@dataclass(frozen=True)
class GamingClock:
    """By which clock a casino counts its days."""

    zone: ZoneInfo
    begins: time
    """When a day begins by that clock; what comes before it belongs to the day before."""
    grace: timedelta = timedelta()
    """How long after its end the files of a day may still be on their way."""

    def start(self, day: date) -> datetime:
        """The moment at which a day begins."""
        # A time that the clock leaves out is read as if it had not yet been changed.
        return datetime.combine(day, self.begins, self.zone).astimezone(UTC)

    def end(self, day: date) -> datetime:
        """The moment at which it is over."""
        return self.start(day + timedelta(days=1))

    def day_of(self, moment: datetime) -> date:
        """The gaming day to which a moment belongs."""
        day = moment.astimezone(self.zone).date()
        return day if moment >= self.start(day) else day - timedelta(days=1)

    def last_over(self, now: datetime) -> date:
        """The newest day that is over, and for whose files nobody waits any more."""
        return self.day_of(now - self.grace) - timedelta(days=1)


def days(first: date, last: date) -> Iterator[date]:
    """All days from one to another, both included."""
    return (first + timedelta(days=number) for number in range((last - first).days + 1))
