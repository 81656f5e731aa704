"""No money appears or vanishes: what is staked in a round is paid, taken or given back in it."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from compliance.simulate.night import play_night
from compliance.simulate.table import Chapter, Record
from event_schemas import parse_odds
from tests.compliance.simulate.checking import table_plan

GAMES = ("blackjack", "baccarat", "minibaccarat", "red_dog")


def rounds(game: str) -> list[Chapter]:
    chapters = [
        chapter
        for seed in range(3)
        for chapter in play_night(table_plan(game, "2000-05-05", seed, hours=4))
        if chapter.kind == "round"
    ]
    assert len(chapters) > 300
    return chapters


def _wager(record: Record) -> tuple[object, ...]:
    return record["seat"], record.get("hand"), record.get("wager", "insurance")


@pytest.mark.parametrize("game", GAMES)
def test_every_wager_is_settled_in_full(game: str) -> None:
    for chapter in rounds(game):
        open_stakes: Counter[tuple[object, ...]] = Counter()
        for record in chapter.records:
            if record["type"] in ("wager_placed", "insurance_placed"):
                open_stakes[_wager(record)] += record["amount"]
            elif record["type"] == "wager_paid":
                open_stakes[_wager(record)] -= record["stake"]
            elif record["type"] in ("wager_collected", "wager_returned"):
                open_stakes[_wager(record)] -= record["amount"]
        assert {wager: left for wager, left in open_stakes.items() if left} == {}


@pytest.mark.parametrize("game", GAMES)
def test_every_payout_is_its_stake_at_its_odds(game: str) -> None:
    for chapter in rounds(game):
        for paid in chapter.all("wager_paid"):
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
