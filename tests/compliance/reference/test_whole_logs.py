"""The same log always gives the same result, and more of it never takes back what was decided."""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compliance.reference import apply_rule
from event_schemas import Event
from tests.compliance.reference_run import (
    checks,
    events,
    rulebook,
    surroundings,
    verdicts,
    witnesses,
)

ROUND = "interval round from round_started to round_ended\n"
RULES = (
    "when cards_cut\nrequire card_burned earlier",
    "when cards_cut\nrequire card_burned later",
    "when cards_cut\nrequire no card_burned within 2 minutes",
    "when cards_cut\nrequire card_burned before card_dealt",
    "when cards_cut\nrequire card_burned since (card_dealt where face_up is yes)",
    "when cards_cut\nrequire exactly 1 card_burned in the round",
    "when cards_cut\nrequire card_burned in the next round",
    "when cards_cut\nrequire card_dealt.seat in the round goes clockwise",
    "when first cards_cut since round_started\nrequire card_burned within 1 minute earlier",
    "when round ends\nrequire count of card_burned in the round <= 1",
    "for each round\nwhen cards_cut\nrequire every card_dealt later has face_up is yes",
    "for each seat\nwhen card_dealt\nrequire no card_dealt earlier",
    "for each every seat\nwhen cards_cut\nrequire sum of wager_placed.amount later < $10",
    "for each casino\nwhen cards_cut\nrequire no cards_cut within 1 minute",
    "when cards_cut\nrequire every card_dealt latest per seat so far has face_up is yes",
    """when cards_cut
        require card_burned earlier
        except under "Authority" when round_ended later
        but not under "Limit" when card_dealt before round_ended""",
)

_LINES = (
    "round_started",
    "round_ended",
    "cards_cut",
    "card_burned",
    "card_dealt to=player seat=1 face_up=yes",
    "card_dealt to=player seat=2 face_up=no",
    "card_dealt to=player seat=3",
    "card_dealt to=player face_up=yes",
    "wager_placed seat=1 amount=$5",
    "wager_placed seat=2",
)


@st.composite
def logs(draw: st.DrawFn) -> list[Event]:
    """Short logs of two tables, with events at the same instant and fields that are missing."""
    happened: list[Event] = []
    minute = 0
    for _ in range(draw(st.integers(1, 14))):
        minute += draw(st.sampled_from((0, 1, 2)))
        table = draw(st.sampled_from(("T1", "T1", "T2")))
        line = draw(st.sampled_from(_LINES))
        happened += events(f"20:{minute:02d} {line} table={table}")
    return [
        Event(f"e{number}", e.ts, number, e.casino, e.table, e.type, e.fields)
        for number, e in enumerate(happened, start=1)
    ]


@settings(max_examples=60, deadline=None)
@given(log=logs(), rule=st.sampled_from(RULES))
def test_more_of_a_log_never_takes_back_a_verdict(log: list[Event], rule: str) -> None:
    whole = {(c.trigger.event_id, str(c.slice)): c.verdict.value for c in checks(rule, log, ROUND)}
    for length in range(1, len(log)):
        for check in checks(rule, log[:length], ROUND):
            key = (check.trigger.event_id, str(check.slice))
            if check.verdict.value != "open":
                assert whole.get(key) == check.verdict.value


@pytest.mark.parametrize(
    ("rule", "log", "more"),
    [
        (
            "when cards_cut\nrequire no card_burned before (card_dealt where face_up is yes)",
            "20:00 cards_cut\n20:01 card_burned\n",
            "20:02 card_dealt to=player",
        ),
        (
            "for each closed_hand\nwhen cards_cut\nrequire no card_burned earlier",
            "20:00 round_started\n20:01 cards_cut\n",
            "20:02 card_dealt to=player",
        ),
    ],
    ids=["doubtful_before", "doubtful_end_of_an_interval"],
)
def test_a_later_doubt_never_takes_back_a_verdict(rule: str, log: str, more: str) -> None:
    declaration = "interval closed_hand from round_started to (card_dealt where face_up is yes)"
    (before,) = verdicts(rule, log, declaration)
    (after,) = verdicts(rule, log + more, declaration)
    assert before in ("open", after)


@settings(max_examples=40, deadline=None)
@given(log=logs(), rule=st.sampled_from(RULES), seed=st.integers(0, 1000))
def test_the_order_in_which_records_are_read_does_not_matter(
    log: list[Event], rule: str, seed: int
) -> None:
    mixed = list(log)
    Random(seed).shuffle(mixed)
    assert checks(rule, mixed, ROUND) == checks(rule, log, ROUND)


@pytest.mark.parametrize("rule", RULES)
def test_two_runs_give_the_same_checks(rule: str) -> None:
    log = "".join(f"20:{minute:02d} {line}\n" for minute, line in enumerate(_LINES))
    assert checks(rule, log, ROUND) == checks(rule, log, ROUND)


def test_a_rule_that_is_never_triggered_has_no_checks() -> None:
    book = rulebook("when cards_cut\nrequire card_burned earlier")
    log = events("20:00 card_burned")
    assert list(apply_rule(book.rules[0], surroundings(book, log), log)) == []


# ---- how far the log is known

RESPONSE = "when cards_cut\nrequire card_burned within 5 minutes"


def test_any_later_event_of_the_table_closes_a_limit_of_time() -> None:
    assert verdicts(RESPONSE, "20:00 cards_cut\n20:06 round_ended") == ["violated"]


def test_the_clock_of_another_table_closes_nothing() -> None:
    log = "20:00 cards_cut table=T1\n20:06 round_ended table=T2"
    assert verdicts(RESPONSE, log) == ["open"]


def test_in_a_rule_across_tables_every_tables_clock_counts() -> None:
    log = "20:00 cards_cut table=T1\n20:06 round_ended table=T2"
    assert verdicts(f"for each casino\n{RESPONSE}", log) == ["violated"]


def test_within_a_round_the_clock_of_the_whole_table_counts() -> None:
    log = "20:00 round_started\n20:01 cards_cut"
    rule = f"for each round\n{RESPONSE}"
    assert verdicts(rule, log, ROUND) == ["open"]
    assert verdicts(rule, log + "\n20:07 card_dealt to=player", ROUND) == ["violated"]


def test_at_the_very_last_instant_an_event_may_still_come() -> None:
    log = events("20:00 cards_cut\n20:05 round_ended")
    assert verdicts(RESPONSE, log) == ["open"]
    last = log[-1]
    after = last.ts + timedelta(microseconds=1)
    log.append(Event("e3", after, 3, last.casino, last.table, last.type))
    assert verdicts(RESPONSE, log) == ["violated"]


def test_an_event_that_comes_late_in_the_log_keeps_its_place() -> None:
    first, second = events("20:00 card_burned\n20:00 cards_cut")
    (check,) = checks("when cards_cut\nrequire card_burned earlier", [second, first])
    assert check.verdict.value == "complied"
    assert witnesses(check) == {("e1", "found")}
