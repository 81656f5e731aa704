"""One table of the invented night: it keeps the clock and numbers its records."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from typing import Any

CASINO = "Boardwalk Palace"
EVENING = datetime(2008, 3, 8, tzinfo=timezone(timedelta(hours=-5)))
"""A Saturday in Atlantic City, on Eastern Standard Time."""


@dataclass
class Table:
    """A table that notes what happens at it, a few seconds apart."""

    name: str
    pit: str
    records: list[dict[str, Any]] = field(default_factory=list)
    clock: datetime = EVENING
    dealer: str = ""
    round: int = 0

    def at(self, time: str) -> None:
        """Set the clock; a table's time never goes back."""
        hours, minutes = map(int, time.split(":"))
        moment = EVENING + timedelta(hours=hours, minutes=minutes)
        if moment < self.clock:
            raise ValueError(f"{self.name}: {time} lies before {self.clock:%H:%M:%S}")
        self.clock = moment

    def note(self, event: str, after: int = 3, /, **fields: Any) -> None:
        """Record an event, some seconds after the one before."""
        self.clock += timedelta(seconds=after)
        number = len(self.records) + 1
        self.records.append(
            {
                "id": f"{self.name}-{number:03d}",
                "ts": self.clock.isoformat(),
                "seq": number,
                "casino": CASINO,
                "pit": self.pit,
                "table": self.name,
                "type": event,
                **fields,
            }
        )

    def play(self, event: str, after: int = 3, /, **fields: Any) -> None:
        """Record an event that belongs to the round being played."""
        self.note(event, after, round=self.round, dealer=self.dealer, **fields)

    def elect(self, **options: str) -> None:
        """Record what the licensee chose for this table when it opened."""
        for name, value in options.items():
            self.note(
                "option_elected",
                1,
                by="M-01",
                by_role="casino_manager",
                option_name=name,
                value=value,
            )

    def change_dealer(self, dealer: str) -> None:
        """One dealer goes, another comes."""
        if self.dealer:
            self.note("dealer_departed", dealer=self.dealer)
        self.dealer = dealer
        self.note("dealer_arrived", 10, dealer=dealer)

    def begin_round(self) -> None:
        """Begin the next round of play."""
        self.round += 1
        self.play("round_started", 20)


def dollars(cents: int) -> str:
    """An amount as logs write it: $25, $37.50."""
    return f"${cents // 100}" if cents % 100 == 0 else f"${cents // 100}.{cents % 100:02d}"
