"""Where each scope looks: its exact events, and whether more of them can still come."""

from __future__ import annotations

import pytest

from tests.compliance.reference_run import checks, verdicts

ROUND = "interval round from round_started to round_ended"

# Cards before, at and after the cut in hand (e6); rounds run from e1 to e4, e5 to e8, e9 to e11.
LOG = """
    20:00 round_started
    20:01 card_dealt to=player
    20:02 dealer_arrived dealer=D1
    20:10 round_ended
    20:20 round_started
    20:30 cards_cut
    20:30 card_dealt to=player
    20:40 round_ended
    20:50 round_started
    20:55 card_dealt to=player
    21:00 round_ended
"""
ANYTHING = (
    "any of (round_started, round_ended, card_dealt, cards_cut, dealer_arrived, round_voided)"
)


def counted(scope: str) -> set[str]:
    """The events that a scope shows from the cut."""
    rule = f"when cards_cut\nrequire count of {ANYTHING} {scope} is 99"
    (check,) = checks(rule, LOG, ROUND)
    return {w.event_id for w in check.witnesses if w.part == "counted"}


def ids(*numbers: int) -> set[str]:
    return {f"e{number}" for number in numbers}


@pytest.mark.parametrize(
    ("scope", "shown"),
    [
        ("earlier", ids(1, 2, 3, 4, 5)),
        ("so far", ids(1, 2, 3, 4, 5, 6)),
        ("in the round", ids(5, 6, 7, 8)),
        ("earlier in the round", ids(5)),
        ("so far in the round", ids(5, 6)),
        ("later in the round", ids(7, 8)),
        ("in the previous round", ids(1, 2, 3, 4)),
        ("in the next round", ids(9, 10, 11)),
        ("since dealer_arrived", ids(4, 5)),
        ("so far since dealer_arrived", ids(4, 5, 6)),
        ("since round_voided", ids(1, 2, 3, 4, 5)),
        ("since any of (dealer_arrived, round_ended)", ids(5)),
        ("since (card_dealt where to is player)", ids(3, 4, 5)),
        ("since (card_dealt where to is dealer)", ids(1, 2, 3, 4, 5)),
        ("before round_started", ids(7, 8)),
        ("before card_dealt", set()),
        ("within 10 minutes", ids(7, 8)),
        ("within 20 minutes later", ids(7, 8, 9)),
        ("within 20 minutes earlier", ids(4, 5)),
        ("within 19 minutes earlier", ids(5)),
        ("at least 28 minutes earlier", ids(1, 2, 3)),
        ("at least 29 minutes earlier", ids(1, 2)),
        ("at least 10 minutes earlier within 20 minutes earlier", ids(4, 5)),
        ("more than 10 minutes earlier within 20 minutes earlier", ids(4)),
        ("less than 20 minutes earlier", ids(5)),
        ("between 10 and 20 minutes earlier", ids(4, 5)),
        ("between 11 minutes and 20 minutes earlier", ids(4)),
        ("so far within 20 minutes earlier", ids(4, 5, 6)),
        ("within 20 minutes earlier since round_ended", ids(5)),
        ("earlier in the round since dealer_arrived", ids(5)),
        ("within 30 minutes before round_started", ids(7, 8)),
    ],
)
def test_a_scope_shows_exactly_its_events(scope: str, shown: set[str]) -> None:
    assert counted(scope) == shown


def test_a_scope_of_another_event_looks_from_that_event() -> None:
    rule = """when round_ended
        require every card_dealt in the round has (count of cards_cut so far is 0)"""
    assert verdicts(rule, LOG, ROUND) == ["complied", "violated", "violated"]


# ---- open or closed at the end of the log

OPEN_LOG = """
    20:00:00 round_started
    20:00:30 cards_cut
"""


@pytest.mark.parametrize(
    ("scope", "end", "verdict"),
    [
        ("earlier", "20:00:30 round_voided", "complied"),
        ("so far", "20:00:30 round_voided", "complied"),
        ("since round_started", "20:00:30 round_voided", "complied"),
        ("within 5 minutes earlier", "20:00:30 round_voided", "complied"),
        ("at least 1 second earlier", "20:00:30 round_voided", "complied"),
        ("in the previous round", "20:00:30 round_voided", "complied"),
        ("later", "20:59:59 round_ended", "open"),
        ("at least 5 minutes later", "20:59:59 round_ended", "open"),
        ("in the round", "20:59:59 round_voided", "open"),
        ("in the round", "20:59:59 round_ended", "complied"),
        ("in the round", "20:59:59 round_started", "complied"),
        ("later in the round", "20:59:59 round_voided", "open"),
        ("later in the round", "20:59:59 round_ended", "complied"),
        ("in the next round", "20:59:59 round_ended", "open"),
        ("in the next round", "20:59:59 round_started", "open"),
        ("before round_ended", "20:59:59 round_voided", "open"),
        ("before round_ended", "20:59:59 round_ended", "complied"),
        ("within 5 minutes", "20:05:29.999999 round_voided", "open"),
        ("within 5 minutes", "20:05:30 round_voided", "open"),
        ("within 5 minutes", "20:05:30.000001 round_voided", "complied"),
        ("less than 5 minutes later", "20:05:29.999999 round_voided", "open"),
        ("less than 5 minutes later", "20:05:30 round_voided", "complied"),
        ("more than 5 minutes later", "20:05:31 round_voided", "open"),
        ("between 3 and 5 minutes later", "20:05:30 round_voided", "open"),
        ("between 3 and 5 minutes later", "20:05:30.000001 round_voided", "complied"),
        ("within 5 minutes before round_ended", "20:00:31 round_ended", "complied"),
        ("within 5 minutes before round_ended", "20:05:30.000001 round_voided", "complied"),
        ("within 5 minutes later in the round", "20:00:31 round_ended", "complied"),
    ],
)
def test_no_such_event_is_settled_only_when_none_can_come(
    scope: str, end: str, verdict: str
) -> None:
    rule = f"when cards_cut\nrequire no card_burned {scope}"
    assert verdicts(rule, OPEN_LOG + end, ROUND) == [verdict]


@pytest.mark.parametrize(
    ("moment", "verdict"),
    [("20:05:30", "complied"), ("20:05:30.000001", "violated")],
)
def test_the_last_instant_of_within_belongs_to_it(moment: str, verdict: str) -> None:
    rule = "when cards_cut\nrequire card_burned within 5 minutes"
    assert verdicts(rule, f"{OPEN_LOG}{moment} card_burned") == [verdict]


@pytest.mark.parametrize(
    ("moment", "verdict"),
    [("19:55:30", "complied"), ("19:55:29.999999", "violated")],
)
def test_the_first_instant_of_within_earlier_belongs_to_it(moment: str, verdict: str) -> None:
    rule = "when cards_cut\nrequire card_burned within 5 minutes earlier"
    assert verdicts(rule, f"{moment} card_burned\n{OPEN_LOG}") == [verdict]


@pytest.mark.parametrize(
    ("moment", "verdict"),
    [("19:55:30", "complied"), ("19:55:30.000001", "violated")],
)
def test_the_exact_instant_of_at_least_earlier_belongs_to_it(moment: str, verdict: str) -> None:
    rule = "when cards_cut\nrequire card_burned at least 5 minutes earlier"
    assert verdicts(rule, f"{moment} card_burned\n{OPEN_LOG}") == [verdict]


@pytest.mark.parametrize(
    ("moment", "verdict"),
    [("20:05:30", "complied"), ("20:05:29.999999", "open")],
)
def test_the_exact_instant_of_at_least_later_belongs_to_it(moment: str, verdict: str) -> None:
    rule = "when cards_cut\nrequire card_burned at least 5 minutes later"
    assert verdicts(rule, f"{OPEN_LOG}{moment} card_burned") == [verdict]


def test_midnight_is_no_boundary() -> None:
    rule = "when cards_cut\nrequire card_burned within 2 minutes"
    log = "23:59:00 cards_cut\nnext day 00:01:00 card_burned"
    assert verdicts(rule, log) == ["complied"]


# ---- what a scope still leaves to be decided

COUNTS = """
    20:00 round_started
    20:01 card_burned
    20:02 card_burned
"""


@pytest.mark.parametrize(
    ("condition", "unfinished", "finished"),
    [
        ("exactly 2 card_burned in the round", "open", "complied"),
        ("exactly 1 card_burned in the round", "violated", "violated"),
        ("exactly 3 card_burned in the round", "open", "violated"),
        ("at least 2 card_burned in the round", "complied", "complied"),
        ("at least 3 card_burned in the round", "open", "violated"),
        ("at most 2 card_burned in the round", "open", "complied"),
        ("at most 1 card_burned in the round", "violated", "violated"),
        ("more than 1 card_burned in the round", "complied", "complied"),
        ("fewer than 3 card_burned in the round", "open", "complied"),
        ("fewer than 2 card_burned in the round", "violated", "violated"),
        ("no card_dealt in the round", "open", "complied"),
        ("every card_burned in the round has face_up is missing", "open", "complied"),
        ("every card_burned in the round has face_up is known", "violated", "violated"),
        ("count of card_burned in the round is 2", "open", "complied"),
        ("first card_burned.ts in the round > ts", "complied", "complied"),
        ("last card_burned.ts in the round > ts", "open", "complied"),
        ("first card_dealt.ts in the round is none", "open", "complied"),
        ("sum of wager_placed.amount in the round is $0", "open", "complied"),
        ("largest of wager_placed.amount in the round is none", "open", "complied"),
        ("card_dealt.seat in the round goes clockwise", "open", "complied"),
        ("the seat clockwise of 1 among card_dealt.seat in the round is none", "open", "complied"),
    ],
)
def test_an_unfinished_round_leaves_open_only_what_can_change(
    condition: str, unfinished: str, finished: str
) -> None:
    rule = f"when round_started\nrequire {condition}"
    assert verdicts(rule, COUNTS, ROUND) == [unfinished]
    assert verdicts(rule, COUNTS + "20:03 round_ended", ROUND) == [finished]


def test_the_first_of_events_that_only_the_future_can_judge_is_open() -> None:
    rule = """when cards_cut
        require first card_dealt.seat where (if seat is 2 then card_burned later), later is 3"""
    log = "20:00 cards_cut\n20:01 card_dealt to=player seat=2\n20:02 card_dealt to=player seat=3"
    assert verdicts(rule, log) == ["open"]
    assert verdicts(rule, log + "\n20:03 card_burned") == ["violated"]


def test_the_last_event_that_surely_fits_is_not_clouded_by_an_earlier_one() -> None:
    rule = """when cards_cut
        require last card_dealt.seat where (if seat is 2 then card_burned later), earlier is 3"""
    log = "20:00 card_dealt to=player seat=2\n20:01 card_dealt to=player seat=3\n20:02 cards_cut"
    assert verdicts(rule, log) == ["complied"]
