"""A rule that surely applies nowhere in a log is left out at once; one that might is not.

Whatever is left out, the reference interpreter must have nothing to say of it either.
"""

from __future__ import annotations

import pytest

from compliance.columnar.plan import Plan
from compliance.columnar.scene import Table
from compliance.columnar.skipping import never_applies
from compliance.columns import from_events
from tests.compliance.reference_run import SCHEMA, checks, events, rulebook, surroundings

LOG = """
    20:00 round_started
    20:01 wager_placed wager=blackjack seat=1 amount=$10
    20:02 card_dealt to=player seat=1 card=9S
    20:03 card_dealt to=dealer
    20:04 round_ended
"""
ROUND = "interval round from round_started to round_ended"


def left_out(clauses: str) -> bool:
    book, log = rulebook(clauses, ROUND), events(LOG)
    table = Table(from_events(SCHEMA, log), surroundings(book, log), Plan())
    return never_applies(table, book.rules[0].editions[0])


@pytest.mark.parametrize(
    "clauses",
    [
        "when insurance_placed",
        "when wager_placed where wager is streak",
        "when round_ended\nonly if insurance_placed earlier",
        "when round_ended\nonly if at least 2 insurance_placed earlier in the round",
        "when round_ended\nonly if wager_placed where wager is streak, earlier",
        "when round_ended\nonly if count of insurance_placed earlier is more than 0",
        "when round_ended\nonly if count of insurance_placed earlier is 1",
        "when round_ended\nonly if insurance_placed since round_started",
        "when round_ended\nonly if insurance_placed earlier and card_dealt earlier",
        "when round_ended\nonly if insurance_placed earlier or cards_cut earlier",
        "when round_ended\nonly if"
        " count of insurance_placed earlier - count of cards_cut earlier is more than 0",
        "in force from 2001-01-01\nwhen round_ended",
        "in force from 1990-01-01 until 1999-12-31\nwhen round_ended",
    ],
)
def test_a_rule_without_what_it_needs_is_left_out(clauses: str) -> None:
    requiring = f"{clauses}\nrequire no recut_ordered earlier"
    assert left_out(requiring)
    assert checks(requiring, LOG, ROUND) == []


@pytest.mark.parametrize(
    "clauses",
    [
        "when round_ended",
        "when wager_placed where wager is blackjack",
        # It may still come, or nobody knows.
        "when round_ended\nonly if insurance_placed later",
        "when card_dealt where face_up is yes",
        "when round_ended\nonly if card_dealt where face_up is yes, earlier",
        "when round_ended\nonly if no insurance_placed earlier",
        "when round_ended\nonly if at most 2 insurance_placed earlier",
        "when round_ended\nonly if count of insurance_placed earlier is 0",
        "when round_ended\nonly if count of insurance_placed earlier is less than 1",
        "when round_ended\nonly if insurance_placed earlier or card_dealt earlier",
        "when round_ended\nonly if"
        " count of card_dealt earlier - count of cards_cut earlier is more than 0",
        "in force from 2000-01-01\nwhen round_ended",
    ],
)
def test_a_rule_that_may_apply_is_judged(clauses: str) -> None:
    requiring = f"{clauses}\nrequire no recut_ordered earlier"
    assert not left_out(requiring)
    assert checks(requiring, LOG, ROUND) != []
