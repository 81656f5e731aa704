"""The order of growth that `rules check` tells; tests/benchmarks holds it to what is measured."""

from __future__ import annotations

import pytest

from event_schemas import builtin_schema
from rules_dsl.growth import Growth, growth_of
from rules_dsl.rulebook import load_text

NEAR_LINEAR = (
    "no wager_placed with same player, where amount is $7, earlier",
    "wager_placed with same seat, later",
    "count of wager_placed where (card_dealt earlier), earlier is at least 1",
    "sum of wager_placed.amount with same player, so far is at least $0",
    "count of distinct wager_placed.player so far is at least 0",
    "every wager_placed latest per player, earlier has amount is at least $10",
    "every wager_placed earlier has (some card_dealt with same seat, earlier)",
    "previous wager_placed.amount is at least $1",
    "no wager_placed as other where other.amount is more than mine.amount, within 10 seconds",
    "no wager_placed as other where other.amount is more than mine.amount, since cards_shuffled",
)
SQUARE = (
    "no wager_placed as other where other.amount is more than mine.amount + $50, earlier",
    "count of wager_placed as other where other.amount is less than mine.amount, earlier"
    " is at least 0",
    "every wager_placed as other earlier has other.amount is at most mine.amount + $500",
    "no wager_placed with same seat and same player, where amount is $7, earlier",
    "sum of wager_placed.amount later is at least $0",
    "every wager_placed later has amount is at least $10",
    "average of wager_placed.amount earlier is at least $0",
    "median of wager_placed.amount earlier is at least $0",
    "count of wager_placed latest per player, so far is at least 0",
    "no wager_placed as other where (wager_placed where amount is more than other.amount, earlier),"
    " earlier",
    "card_dealt since (wager_placed as other where other.amount is more than mine.amount)",
)
THIRD_POWER = (
    "no wager_placed as other where (wager_placed as third where third.amount is more than"
    " other.amount + mine.amount, earlier), earlier",
)


ROUND = "interval round from round_started to round_ended\n\n"


def growth(requirement: str, slices: str = "") -> Growth:
    text = (
        f'{ROUND if slices else ""}rule a\n  "T."\n  cite N.J.A.C. 19:47-2.6(c)\n'
        f"  severity minor\n{slices}  when wager_placed as mine\n  require {requirement}\n"
    )
    loaded = load_text(text, builtin_schema())
    assert not loaded.errors, [each.message for each in loaded.errors]
    return growth_of(loaded.rulebook.rules[0])


@pytest.mark.parametrize(
    ("order", "requirement"),
    [
        *((1, each) for each in NEAR_LINEAR),
        *((2, each) for each in SQUARE),
        *((3, each) for each in THIRD_POWER),
    ],
)
def test_a_rule_tells_with_which_power_of_the_events_its_work_grows(
    order: int, requirement: str
) -> None:
    assert growth(requirement).order == order


@pytest.mark.parametrize("requirement", [*SQUARE, *THIRD_POWER])
def test_a_costly_rule_tells_where_it_is_costly(requirement: str) -> None:
    assert growth(requirement).place is not None


def test_what_is_asked_in_each_round_by_itself_is_near_linear() -> None:
    assert growth(SQUARE[0], "  for each round\n").order == 1
    assert growth(SQUARE[0], "  for each table, player\n").order == 2
