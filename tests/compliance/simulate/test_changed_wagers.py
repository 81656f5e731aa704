"""Players who change their minds before the first card break no law, whatever else happens.

A whole lawful floor is played again with wagers that are raised and lowered before the cards, so
that in the end as much lies there as before: every rule has to reckon with what was added and taken
back.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest

from compliance.simulate.night import TablePlan, play_night
from compliance.simulate.table import Chapter, Record
from compliance.simulate.writing import flattened
from tests.compliance.simulate.checking import as_events, findings
from tests.compliance.simulate.test_lawful_month import full_floor

DAY = date(2009, 5, 5)
CHIPS = 2_500
"""Twenty-five dollars: what a player lays down or takes away in one movement."""
PLANS = [plan for plan in full_floor(DAY, rounds=12).tables if plan.place.game == "blackjack"]
_OF_A_WAGER = ("ts", "round", "dealer", "seat", "player", "hand", "area", "wager")


def changed(records: list[Record]) -> Iterator[Record]:
    """The night with changes of the main wagers: two in three seats change theirs."""
    for record in records:
        yield record
        if record["type"] == "wager_placed" and record["wager"] == "blackjack":
            change = {name: record[name] for name in _OF_A_WAGER if name in record}
            added = change | {"type": "wager_increased", "amount": CHIPS}
            taken = change | {"type": "wager_withdrawn", "amount": CHIPS}
            if record["seat"] % 3 == 0 and record["amount"] > CHIPS:
                yield from (taken, added)
            elif record["seat"] % 3 == 1:
                yield from (added, taken)


def names(plan: TablePlan) -> str:
    return f"{plan.place.table}-{plan.variant}-{','.join(plan.offers or ())}"


@pytest.mark.parametrize("plan", PLANS, ids=names)
def test_wagers_that_are_changed_before_the_cards_give_nothing_to_find(plan: TablePlan) -> None:
    night = list(changed(flattened(play_night(plan))))
    types = {record["type"] for record in night}
    assert {"wager_increased", "wager_withdrawn"} <= types
    assert findings(as_events(plan.place, [Chapter("", night)])) == []


def test_the_floor_has_all_that_makes_play_involved() -> None:
    """Else the tests of a lawful floor would say little."""
    records = [record for plan in PLANS for record in flattened(play_night(plan))]
    types = {record["type"] for record in records}
    assert types >= {"cut_refused", "irregularity", "box_share_consent", "insurance_placed"}
    kinds = {record["kind"] for record in records if record["type"] == "decision"}
    assert kinds >= {"split", "double", "surrender"}
    wagers = {record["wager"] for record in records if record["type"] == "wager_placed"}
    side = {"same_suit", "sevens", "over_thirteen", "progressive", "blackjack_bonus", "streak"}
    assert wagers >= side | {"match_dealer", "twenty_point", "optional_bonus"}
