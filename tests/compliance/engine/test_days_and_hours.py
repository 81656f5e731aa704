"""Days, hours and lengths of time are the same in whatever zone a log writes its moments."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from random import Random
from zoneinfo import ZoneInfo

import pytest

from event_schemas import Event
from tests.compliance.reference_run import rulebook
from tests.property.both_engines import checks_of_engine, checks_of_reference
from tests.property.random_logs import SCHEMA

ZONES = (
    *(ZoneInfo(name) for name in ("America/New_York", "Asia/Kolkata", "Pacific/Auckland", "UTC")),
    *(timezone(timedelta(minutes=minutes)) for minutes in (-720, -1, 0, 45, 840)),
)
MOMENTS = ("1969-12-31 23:59:59.999999", "1970-01-01 00:00", "1899-12-31 19:00", "2000-02-29 12:00",
           "2010-03-14 06:59:59", "2010-11-07 05:30", "2010-11-07 06:30", "2099-12-31 23:00",
           "1582-10-15 00:00", "9999-12-30 00:00")  # fmt: skip
SAYS = 'otherwise say "at {ts}"'
RULES = [
    "when cards_shuffled\nrequire hour(ts) is at least 6",
    "when cards_shuffled\nrequire date(ts) is date(last cards_shuffled.ts earlier)",
    "when cards_shuffled\nrequire hour(ts) is not hour(last cards_shuffled.ts earlier)",
    "when cards_shuffled\nrequire hour(ts + 90 minutes) is at most hour(ts)",
    "when cards_shuffled\nrequire date(ts - 1 day) is date(ts + 1 day)",
    "when cards_shuffled\nrequire ts - last cards_shuffled.ts earlier is at most 1 hour",
    "when cards_shuffled\nrequire date(ts) is not 1970-01-01",
    "when cards_shuffled\nrequire no cards_shuffled within 1 hour earlier",
    "when option_elected\nrequire hour(effective_at) is at least 6",
    "when option_elected\nrequire date(effective_at) is date(ts)",
    "when option_elected\nrequire effective_at - ts is at least 1 hour",
]


def log(seed: int) -> list[Event]:
    """Shuffles around moments at which the day, the year or the clocks change."""
    random = Random(seed)
    found = []
    for seq in range(1, 25):
        moment = datetime.fromisoformat(random.choice(MOMENTS)).replace(tzinfo=ZoneInfo("UTC"))
        moment += timedelta(hours=random.randrange(-14, 14), microseconds=random.randrange(-2, 2))
        shown = moment.astimezone(random.choice(ZONES))
        found.append(Event(f"e{seq}", shown, seq, "C1", "T1", "cards_shuffled", {}))
    # A moment inside of a record may be written with another offset than that of the record.
    for seq, event in enumerate(found[:12], start=25):
        later = (event.ts + timedelta(minutes=random.randrange(100))).astimezone(
            random.choice(ZONES)
        )
        said = {"option_name": "decks", "value": "6", "effective_at": later}
        found.append(Event(f"e{seq}", event.ts, seq, "C1", "T1", "option_elected", said))
    return found


@pytest.mark.parametrize("clauses", RULES)
@pytest.mark.parametrize("seed", range(6))
def test_both_engines_tell_the_same_days_and_hours(clauses: str, seed: int) -> None:
    book, events = rulebook(f"{clauses}\n{SAYS}"), log(seed)
    assert checks_of_engine(book, SCHEMA, events) == checks_of_reference(book, SCHEMA, events)
