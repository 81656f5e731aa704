"""Shows moments on the casino's own clock, whatever offset a log was written in."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

from reports import wording


def in_zone(ts: datetime, zone: str) -> datetime:
    """The same moment on the casino's clock; without a zone, as the log wrote it."""
    return ts.astimezone(_zone(zone)) if zone else ts


@lru_cache(maxsize=8)
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)


@dataclass(frozen=True)
class Clock:
    """Writes moments as the casino's clock shows them, each with its offset from UTC."""

    zone: str = ""

    def here(self, ts: datetime) -> datetime:
        """The moment on the casino's clock."""
        return in_zone(ts, self.zone)

    def moment(self, ts: datetime) -> str:
        """The whole of it: 2008-03-08 20:30:29 -05:00."""
        return wording.moment(self.here(ts))

    def day(self, ts: datetime) -> str:
        """The day and the offset: 8 March 2008, -05:00."""
        here = self.here(ts)
        return f"{wording.day(here.date())}, {wording.offset(here)}"

    def time(self, ts: datetime) -> str:
        """The time of day alone, where day and offset stand beside it."""
        return wording.time_of_day(self.here(ts))

    def machine(self, ts: datetime) -> str:
        """The moment as programs read it."""
        return self.here(ts).isoformat()
