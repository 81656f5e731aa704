"""On whole nights of play the engine says of every rule of the law what the reference says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from random import Random

import msgspec
import pytest

from compliance.simulate.night import play_night
from event_schemas import LOST_RECORD, Event, LostRecord
from reports.verdicts import Verdict
from rules_dsl import core
from tests.compliance.simulate.checking import SCHEMA, as_events, bundled_rulebook, table_plan
from tests.property.both_engines import checks_of_engine, checks_of_reference, counts_of_engine

NIGHTS = [
    ("minibaccarat", "2010-03-06"),
    ("red_dog", "1994-07-09"),
    ("blackjack", "2010-03-06"),
    ("blackjack", "1985-05-04"),
    ("baccarat", "1994-07-09"),
]
QUICK = 2
ROUNDS = 3


def damaged_night(game: str, day: str) -> list[Event]:
    """A night of which some events are missing, of others a field, and one is known to be lost."""
    random = Random(day)
    plan = table_plan(game, day, seed=11, rounds=ROUNDS, accidents=0.2)
    found: list[Event] = []
    events = as_events(plan.place, play_night(plan))
    for place, event in enumerate(events):
        chance = random.random()
        if place == len(events) * 2 // 3:
            found.append(_lost(event))
        elif chance > 0.05:
            found.append(_without_a_field(event, random) if chance < 0.1 else event)
    return found


def _without_a_field(event: Event, random: Random) -> Event:
    if not event.fields:
        return event
    gone = random.choice(list(event.fields))
    kept = {name: value for name, value in event.fields.items() if name != gone}
    return replace(event, fields=kept)


def _lost(event: Event) -> LostRecord:
    until = event.ts + timedelta(seconds=1)
    may_be = frozenset({event.type, "card_dealt"})
    place = event.id, event.ts, event.seq, event.casino, event.table, LOST_RECORD
    return LostRecord(*place, until=until, may_be=may_be)


def rules_that_apply(events: Iterable[Event]) -> core.Rulebook:
    """The law without the rules that no event of a night concerns: the reference is slow."""
    types = {event.type for event in events}
    book = bundled_rulebook()
    kept = [
        rule
        for rule in book.rules
        if any(types.intersection(edition.trigger.pattern.types) for edition in rule.editions)
    ]
    return msgspec.structs.replace(book, rules=tuple(kept))


@pytest.mark.parametrize(
    ("game", "day"),
    [*NIGHTS[:QUICK], *(pytest.param(*night, marks=pytest.mark.long) for night in NIGHTS[QUICK:])],
)
def test_every_rule_says_the_same_of_a_damaged_night(game: str, day: str) -> None:
    events = damaged_night(game, day)
    book = rules_that_apply(events)
    slow = checks_of_reference(book, SCHEMA, events)
    assert checks_of_engine(book, SCHEMA, events) == slow
    total = Counter(check.verdict for check in slow)
    assert counts_of_engine(book, SCHEMA, events) == total
    assert min(total[Verdict.COMPLIED], total[Verdict.UNDETERMINED]) > 0
