"""Draws small logs with everything that goes wrong in real ones: missing fields, ties, unfinished
rounds, two tables in one pit or two, elections that take effect later, and now and then a clock
that goes back. Amounts of money are never negative."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

from event_schemas import Event, builtin_schema, parse_value

ZONE = ZoneInfo("America/New_York")
SCHEMA = builtin_schema()

# The events that random rules and logs speak of, with the fields that they use.
FIELDS: dict[str, dict[str, tuple[str, ...]]] = {
    "card_dealt": {
        "to": ("player", "dealer"),
        "seat": ("1", "2", "3"),
        "hand": ("1", "2"),
        "card": ("AS", "2H", "9S", "10H", "KD", "JOKER", "AH"),
        "face_up": ("yes", "no"),
        "player": ("P1", "P2"),
    },
    "card_burned": {"card": ("AS", "5D"), "face_up": ("yes", "no")},
    "wager_placed": {
        "seat": ("1", "2", "3"),
        "player": ("P1", "P2"),
        "amount": ("$5", "$10", "$15"),
        "wager": ("blackjack", "insurance"),
    },
    "wager_paid": {
        "seat": ("1", "2", "3"),
        "player": ("P1", "P2"),
        "amount": ("$5", "$7.50", "$15"),
        "stake": ("$5", "$10"),
        "odds": ("3 to 2", "1 to 1"),
    },
    "hand_shown": {"seat": ("1", "2"), "player": ("P1", "P2"), "cards": ("AS AH 2H", "9S 9H")},
    "dealer_arrived": {"dealer": ("D1", "D2"), "by_role": ("floorperson", "dealer", "pit_boss")},
    "recut_ordered": {"by": ("D1", "D2"), "by_role": ("floorperson", "dealer", "pit_boss")},
    "round_started": {"round": ("1", "2")},
    "round_ended": {"round": ("1", "2")},
    "cards_shuffled": {},
    "table_opened": {"game": ("blackjack", "baccarat")},
    "option_elected": {},
}
ELECTED = {"soft_17": ("hit", "stand"), "game": ("blackjack", "baccarat")}
"""The options that random logs elect and random rules ask for."""
REQUIRED = {"card_dealt": ("to",), "dealer_arrived": ("dealer",)}


def random_log(
    random: Random, size: int, *, clock_goes_back: bool = True, often: Sequence[str] = ()
) -> list[Event]:
    """A small log with everything that goes wrong in real ones; `often` are types of event that
    it has more of than of others."""
    moment = datetime(2000, 1, 1, 23, 58, tzinfo=ZONE)
    sequence = {"T1": 0, "T2": 0}
    missing = random.choice((0.0, 0.0, 0.1, 0.3))
    two_tables = random.random() < 0.4
    pits = random.choice(({}, {"T1": "A", "T2": "A"}, {"T1": "A", "T2": "B"}))
    back = random.random() < 0.15 and clock_goes_back
    events = []
    for number in range(size):
        step = random.choice((0, 0, 1, 5, 10, 20, 60))
        moment += timedelta(seconds=-step if back and random.random() < 0.2 else step)
        table = random.choice(("T1", "T2")) if two_tables else "T1"
        sequence[table] += 1
        kind = random.choice((*FIELDS, *often))
        fields: dict[str, object] = {}
        if kind == "option_elected":
            option = random.choice(list(ELECTED))
            fields = {"option_name": option, "value": random.choice(ELECTED[option])}
            if random.random() < 0.3:
                fields["effective_at"] = moment + timedelta(seconds=random.choice((0, 10, 60)))
        for name, texts in FIELDS[kind].items():
            if random.random() < missing and name not in REQUIRED.get(kind, ()):
                continue
            known = SCHEMA.events[kind].fields[name].kind
            fields[name] = parse_value(known, random.choice(texts))
        if table in pits and random.random() >= missing:
            fields["pit"] = pits[table]
        events.append(Event(f"e{number}", moment, sequence[table], "C1", table, kind, fields))
    return events
