"""No money appears or vanishes: what is staked in a round is paid, taken or given back in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

import pytest

from compliance.simulate.blackjack.side_wagers.offers import OFFERS
from compliance.simulate.night import TablePlan, play_night
from compliance.simulate.table import Chapter, Record
from compliance.simulate.variants import SINCE
from event_schemas import parse_odds
from tests.compliance.simulate.checking import table_plan

GAMES = ("blackjack", "baccarat", "minibaccarat", "red_dog")


def rounds(game: str) -> list[Chapter]:
    chapters = [
        chapter
        for night in nights(game)
        for chapter in play_night(night)
        if chapter.kind == "round"
    ]
    assert len(chapters) > 300
    return chapters


def nights(game: str) -> list[TablePlan]:
    """Some nights without side wagers; in blackjack one with each, and one of each variant."""
    plain = [table_plan(game, "2000-05-05", seed, hours=4, offers=()) for seed in range(3)]
    if game != "blackjack":
        return plain
    with_offers = [
        table_plan(game, "2009-05-05", 1, rounds=80, offers=(offer,))
        for offer in OFFERS
        if offer != "streak"
    ]
    variants = [
        table_plan(game, "2009-05-05", 1, rounds=60, offers=(), variant=name) for name in SINCE
    ]
    return plain + with_offers + variants


def _wager(record: Record) -> tuple[object, ...]:
    wager = record.get("wager", "insurance")
    return record["seat"], record.get("hand"), wager, record.get("area")


def _left_of(chapters: Iterable[Chapter]) -> dict[tuple[object, ...], int]:
    """What was staked and neither paid, taken nor given back."""
    stakes: Counter[tuple[object, ...]] = Counter()
    main: dict[tuple[object, ...], int] = {}
    for record in (record for chapter in chapters for record in chapter.records):
        if record["type"] in ("wager_placed", "wager_increased", "insurance_placed"):
            stakes[_wager(record)] += record["amount"]
            if record.get("wager") == "blackjack":
                main[record["seat"], record["player"]] = record["amount"]
        elif record["type"] == "split_hand_designated":
            # The wager of a player behind the box stays with one of the two hands.
            amount = main[record["seat"], record["player"]]
            stakes[record["seat"], 1, "blackjack", None] -= amount
            stakes[record["seat"], record["hand"], "blackjack", None] += amount
        elif record["type"] == "wager_paid":
            stakes[_wager(record)] -= record["stake"]
        elif record["type"] in ("wager_collected", "wager_returned"):
            stakes[_wager(record)] -= record["amount"]
    return {wager: left for wager, left in stakes.items() if left}


@pytest.mark.parametrize("game", GAMES)
def test_every_wager_is_settled_in_full(game: str) -> None:
    for chapter in rounds(game):
        assert _left_of([chapter]) == {}


def test_every_streak_is_settled_by_the_end_of_the_night() -> None:
    for seed in range(3):
        plan = table_plan("blackjack", "2009-05-05", seed, rounds=80, offers=("streak",))
        assert _left_of(play_night(plan)) == {}


@pytest.mark.parametrize("game", GAMES)
def test_every_payout_is_its_stake_at_its_odds(game: str) -> None:
    for chapter in rounds(game):
        for paid in chapter.all("wager_paid"):
            # A progressive jackpot has no odds: it is what the meter shows.
            if "odds" in paid or paid["wager"] != "progressive":
                assert paid["amount"] == Fraction(paid["stake"]) * parse_odds(paid["odds"])


@pytest.mark.parametrize("game", ["baccarat", "minibaccarat"])
def test_all_marked_commission_is_collected_by_the_end_of_the_night(game: str) -> None:
    for seed in range(6):
        owed: Counter[str] = Counter()
        for chapter in play_night(table_plan(game, "2000-05-05", seed, hours=4)):
            for marked in chapter.all("vigorish_marked"):
                owed[marked["player"]] += marked["amount"]
            if chapter.kind != "round":
                for taken in chapter.all("vigorish_collected"):
                    owed[taken["player"]] -= taken["amount"]
        assert {player: left for player, left in owed.items() if left} == {}
