"""A mutation changes what it says and leaves every other event of the night as it was."""

from __future__ import annotations

import pytest

from compliance.mutated_nights.mutation import Mutation

NIGHT = [
    {"type": "round_started", "ts": 1000},
    {"type": "wager_placed", "ts": 2000, "seat": 1, "amount": 500},
    {"type": "wager_paid", "ts": 3000, "seat": 1, "stake": 500, "amount": 750, "odds": "3 to 2"},
    {"type": "round_ended", "ts": 4000},
]
STARTED, PLACED, PAID, ENDED = NIGHT


def test_an_event_that_is_left_out_is_gone() -> None:
    assert Mutation("omitted", 1).applied(NIGHT) == [STARTED, PAID, ENDED]


def test_a_wager_that_is_never_settled_has_no_settlement() -> None:
    assert Mutation("never settled", 2).applied(NIGHT) == [STARTED, PLACED, ENDED]


def test_an_event_that_is_delayed_comes_after_another_and_later() -> None:
    late = PLACED | {"ts": 4100}
    assert Mutation("delayed", 1, other=3, late=100).applied(NIGHT) == [STARTED, PAID, ENDED, late]


def test_events_that_change_places_change_times_too() -> None:
    assert Mutation("swapped", 1, other=2).applied(NIGHT) == [
        STARTED,
        PAID | {"ts": 2000},
        PLACED | {"ts": 3000},
        ENDED,
    ]


def test_an_event_that_comes_twice_is_another_event() -> None:
    night = Mutation("twice", 1).applied(NIGHT)
    assert night == [STARTED, PLACED, PLACED, PAID, ENDED]
    assert night[1] is not night[2]


def test_a_payment_becomes_the_return_of_the_stake() -> None:
    returned = {"type": "wager_returned", "ts": 3000, "seat": 1, "amount": 500}
    assert Mutation("given back", 2).applied(NIGHT) == [STARTED, PLACED, returned, ENDED]


def test_a_field_says_something_else() -> None:
    other = PLACED | {"seat": 2}
    assert Mutation("other seat", 1, "seat", 2).applied(NIGHT) == [STARTED, other, PAID, ENDED]


def test_the_lawful_night_is_never_changed() -> None:
    before = [dict(record) for record in NIGHT]
    Mutation("other seat", 1, "seat", 2).applied(NIGHT)
    Mutation("swapped", 1, other=2).applied(NIGHT)
    assert before == NIGHT


@pytest.mark.parametrize(
    "mutation",
    [
        Mutation("omitted", 1),
        Mutation("delayed", 1, other=2, late=1),
        Mutation("swapped", 1, other=3),
        Mutation("twice", 2),
        Mutation("other seat", 1, "seat", 2),
    ],
    ids=lambda mutation: mutation.kind,
)
@pytest.mark.parametrize("row", range(len(NIGHT)))
def test_events_are_found_again_in_the_spoilt_night(mutation: Mutation, row: int) -> None:
    place = mutation.place_of(row)
    if place is None:
        assert (mutation.kind, mutation.row) == ("omitted", row)
    else:
        assert mutation.applied(NIGHT)[place]["type"] == NIGHT[row]["type"]
