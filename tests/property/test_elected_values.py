"""What the engine takes an option to be at an event is what the reference says it is."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from compliance.engine.elected_values import Choice, ElectedValues, elected_values
from compliance.values.elected_options import ElectedOptions
from event_schemas import Event, LostRecord
from tests.columns_of_events import from_events
from tests.property.damaged_logs import damaged
from tests.property.random_logs import SCHEMA, random_log

ELECTIONS = ("option_elected", "table_opened") * 20


def at_row(values: ElectedValues, row: int) -> Choice:
    if values.which is not None:
        return values.in_turn[int(values.which[row])]
    return [choice for choice in values.in_turn if choice.since <= row][-1]


def told_by_engine(events: list[Event], name: str) -> list[tuple[object, str]]:
    """For each recorded event the value of an option, and the lost record that hides it."""
    log = from_events(SCHEMA, events)
    (values,) = elected_values(log, ElectedOptions(SCHEMA, events), [name])
    choices = [
        at_row(values, row) for row, event in enumerate(events) if not isinstance(event, LostRecord)
    ]
    return [
        (choice.value, events[choice.lost].id if choice.lost >= 0 else "") for choice in choices
    ]


def told_by_reference(events: list[Event], name: str) -> list[tuple[object, str]]:
    options = ElectedOptions(SCHEMA, events)
    return [
        (options.value(name, event), lost.id if (lost := options.doubt(name, event)) else "")
        for event in events
        if not isinstance(event, LostRecord)
    ]


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**48))
def test_the_engine_knows_and_doubts_the_same_options(seed: int) -> None:
    random = Random(seed)
    whole = random_log(random, 40, clock_goes_back=False, often=ELECTIONS)
    together = damaged(random, whole)
    tables = sorted({event.table for event in together})
    alone = [[event for event in together if event.table == name] for name in tables]
    elected = {str(event.get("option_name")) for event in whole if event.type == "option_elected"}
    for events in (together, *alone):
        for name in sorted({"game", *elected} & {*SCHEMA.options}):
            assert told_by_engine(events, name) == told_by_reference(events, name), name
