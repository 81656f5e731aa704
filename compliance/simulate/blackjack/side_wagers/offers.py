"""Which side wagers a blackjack table offers: what the law lets stand together on the day."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from random import Random
from typing import Final

from compliance.simulate.blackjack.side_wagers.additional_wagers import (
    OverUnderThirteen,
    SameSuit,
    Sevens,
)
from compliance.simulate.blackjack.side_wagers.blackjack_bonus import BlackjackBonus
from compliance.simulate.blackjack.side_wagers.match_the_dealer import MatchTheDealer
from compliance.simulate.blackjack.side_wagers.optional_bonus import OptionalBonus
from compliance.simulate.blackjack.side_wagers.progressive import Progressive
from compliance.simulate.blackjack.side_wagers.side_wager import SideWager
from compliance.simulate.blackjack.side_wagers.streak import Streak
from compliance.simulate.blackjack.side_wagers.twenty_point import TwentyPoint
from compliance.simulate.elections import BlackjackRules

OFFERS: Final[dict[str, type[SideWager]]] = {
    kind.name: kind
    for kind in (
        Streak,
        MatchTheDealer,
        TwentyPoint,
        OptionalBonus,
        BlackjackBonus,
        Progressive,
        OverUnderThirteen,
        SameSuit,
        Sevens,
    )
}
SHARE_OF_TABLES: Final = 0.35


def choose_offers(rules: BlackjackRules, day: date, random: Random) -> tuple[str, ...]:
    """None, one or two side wagers for a table with these rules."""
    if random.random() >= SHARE_OF_TABLES:
        return ()
    names = [name for name in OFFERS if _allowed(name, rules, day)]
    random.shuffle(names)
    first = names[:1]
    second = [name for name in names[1:] if first and go_together(first[0], name)]
    return tuple(first + (second[:1] if random.random() < 0.3 else []))


def _allowed(name: str, rules: BlackjackRules, day: date) -> bool:
    # The tables that pay 6 to 5 or show the hole card have rules enough of their own.
    usual = not rules.six_to_five and rules.hole_card != "face_up"
    kind = OFFERS[name]
    return usual and day >= kind.since and rules.decks in kind.decks


def go_together(one: str, other: str) -> bool:
    """Whether the law lets a table offer both side wagers."""
    return other not in OFFERS[one].excludes and one not in OFFERS[other].excludes


def fit_rules(rules: BlackjackRules, offers: Sequence[str]) -> None:
    """Change the rules of a table so that it can offer what it is to offer."""
    kinds = [OFFERS[name] for name in offers]
    if kinds and (rules.six_to_five or rules.hole_card == "face_up"):
        rules.six_to_five, rules.one_round_per_deck, rules.automated = False, False, False
        rules.hole_card, rules.double_after_split = "dealt_last", True
        rules.card_reader = False
        rules.decks, rules.boxes = 8, 7
    if not all(rules.decks in kind.decks for kind in kinds):
        rules.decks, rules.boxes = 8, max(rules.boxes, 6)
    if any(kind.excludes_surrender for kind in kinds):
        rules.surrender = False
    if any(kind.excludes_hole_card for kind in kinds):
        rules.hole_card, rules.card_reader = "dealt_last", False
