"""What the licensee elects for a table, within what the law of the date allows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from random import Random
from typing import Final

RECUT: Final = date(1996, 5, 20)
NOTICE_OF_CHANGES: Final = date(1991, 11, 4)
SURRENDER: Final = date(1990, 1, 16)
SECOND_SPLIT: Final = date(1991, 11, 4)
FIVE_CARD_21: Final = date(1991, 11, 4)
HOLE_CARD_UP: Final = date(1991, 11, 4)
CARD_READER: Final = date(1993, 1, 19)
TIE_VIGORISH: Final = date(1993, 12, 20)
SECOND_SHUFFLE: Final = date(1994, 6, 6)
NET_PAYOUT: Final = date(1998, 12, 7)
LATE_INSURANCE: Final = date(1998, 12, 7)
SHUFFLING_MACHINE: Final = date(1999, 7, 6)
FACE_DOWN_DOUBLE: Final = date(2005, 1, 18)
SIX_TO_FIVE: Final = date(2006, 1, 17)
SOFT_17_CHOICE: Final = date(2006, 6, 19)
EVEN_MONEY: Final = date(2007, 1, 2)

FIRST_DAY: Final = {
    "blackjack": date(1982, 9, 15),
    "baccarat": date(1991, 12, 16),
    "minibaccarat": date(1992, 2, 3),
    "red_dog": date(1991, 11, 4),
}
"""From when on the law that a game is played by is known."""


def yes_no(flag: bool) -> str:
    """A flag as an election records it."""
    return "yes" if flag else "no"


def dollars(cents: int) -> str:
    """An amount as an election records it."""
    return f"${cents / 100:.2f}"


@dataclass
class Limits:
    """The smallest and the largest main wager, and the smallest chip, in cents."""

    minimum: int
    maximum: int
    chip: int = 100

    @classmethod
    def choose(cls, random: Random, step: int = 500) -> Limits:
        """Limits of a small or a large table; the maximum is far above ten times the minimum."""
        minimum = step * random.choice((1, 2, 2, 3, 5, 5, 10, 20))
        return cls(minimum, minimum * random.choice((20, 50)))

    def elected(self) -> dict[str, str]:
        """The elections that these limits stand for."""
        return {
            "minimum_wager": dollars(self.minimum),
            "maximum_wager": dollars(self.maximum),
            "chip_unit": dollars(self.chip),
        }


@dataclass
class BlackjackRules:
    """The rules of one blackjack table."""

    decks: int
    boxes: int
    automated: bool = False
    six_to_five: bool = False
    one_round_per_deck: bool = False
    hole_card: str = "dealt_last"
    card_reader: bool = False
    soft_17: str | None = None
    surrender: bool = False
    late_insurance: bool = False
    even_money: bool = False
    net_payout: bool = False
    resplit: bool = False
    resplit_aces: bool = False
    double_after_split: bool = True
    double_card: str = "face_up"
    multi_box: bool = False
    five_card_21: bool = False
    """21 in five cards pays 2 to 1."""

    @property
    def hits_soft_17(self) -> bool:
        """The dealer draws on soft 17."""
        return self.six_to_five or self.soft_17 == "hit"

    @property
    def splits(self) -> int:
        """How often a pair may be split."""
        if not self.resplit or self.hole_card == "face_up":
            return 1
        return 3 if self.boxes <= 6 else 2

    @property
    def has_hole_card(self) -> bool:
        """The dealer's second card comes before the players' turns."""
        return self.hole_card != "dealt_last"

    def elected(self, day: date) -> dict[str, str]:
        """The elections that these rules stand for, without options that the day does not know."""
        found = {
            "decks": str(self.decks),
            "boxes": str(self.boxes),
            "shuffler": "automated" if self.automated else "by_hand",
            "shoe_kind": "dealer_hand" if self.six_to_five else "manual_shoe",
            "hole_card": self.hole_card,
            "multi_box": yes_no(self.multi_box),
        }
        by_date = (
            (SURRENDER, "surrender", yes_no(self.surrender)),
            (FIVE_CARD_21, "pays_five_card_21", yes_no(self.five_card_21)),
            (SECOND_SPLIT, "resplit", yes_no(self.resplit)),
            (SECOND_SPLIT, "resplit_aces", yes_no(self.resplit_aces)),
            (CARD_READER, "card_reader", yes_no(self.card_reader)),
            (LATE_INSURANCE, "late_insurance", yes_no(self.late_insurance)),
            (FACE_DOWN_DOUBLE, "double_card", self.double_card),
            (SIX_TO_FIVE, "six_to_five", yes_no(self.six_to_five)),
            (SIX_TO_FIVE, "one_round_per_deck", yes_no(self.one_round_per_deck)),
            (SIX_TO_FIVE, "double_after_split", yes_no(self.double_after_split)),
            (EVEN_MONEY, "even_money", yes_no(self.even_money)),
        )
        found |= {name: value for since, name, value in by_date if day >= since}
        if NET_PAYOUT <= day < EVEN_MONEY:
            found["net_payout"] = yes_no(self.net_payout)
        if self.soft_17 is not None:
            found["soft_17"] = self.soft_17
        return found


def choose_blackjack_rules(day: date, random: Random) -> BlackjackRules:
    """Rules for one blackjack table, drawn among those that the law of the day allows."""

    def perhaps(chance: float, since: date) -> bool:
        drawn = random.random() < chance
        return drawn and day >= since

    if perhaps(0.15, SIX_TO_FIVE):
        return _six_to_five(day, random)
    decks = random.choice((1, 2, 4, 6, 6, 6, 8, 8))
    boxes = 5 if decks <= 2 else random.choice((6, 7, 7))
    rules = BlackjackRules(decks, boxes, automated=perhaps(0.3, SHUFFLING_MACHINE))
    rules.multi_box = random.random() < 0.6
    if perhaps(0.08, HOLE_CARD_UP):
        rules.hole_card = "face_up"
    elif perhaps(0.4, CARD_READER):
        rules.hole_card, rules.card_reader = "face_down", True
    elif random.random() < 0.2:
        rules.hole_card = "face_down"
    if perhaps(1, SOFT_17_CHOICE):
        rules.soft_17 = random.choice(("stand", "hit"))
    rules.resplit = perhaps(0.5, SECOND_SPLIT)
    rules.resplit_aces = rules.resplit and random.random() < 0.3
    if perhaps(0.2, FACE_DOWN_DOUBLE):
        rules.double_card = "face_down"
    if rules.hole_card != "face_up":
        rules.surrender = perhaps(0.4, SURRENDER)
        rules.late_insurance = perhaps(0.2, LATE_INSURANCE) and not rules.card_reader
        rules.even_money = perhaps(0.6, EVEN_MONEY)
        rules.net_payout = perhaps(0.5, NET_PAYOUT) and day < EVEN_MONEY
    return rules


def _six_to_five(day: date, random: Random) -> BlackjackRules:
    rules = BlackjackRules(2, 5, automated=True, six_to_five=True)
    if random.random() < 0.4:
        rules.decks, rules.boxes, rules.one_round_per_deck = 1, 4, True
    if random.random() < 0.4:
        rules.hole_card, rules.card_reader = "face_down", True
    if day >= SOFT_17_CHOICE:
        rules.soft_17 = "hit"
    rules.double_after_split = random.random() < 0.5
    rules.multi_box = random.random() < 0.5
    rules.even_money = day >= EVEN_MONEY and random.random() < 0.5
    return rules


@dataclass
class BaccaratRules:
    """The rules of one baccarat or minibaccarat table."""

    decks: int
    boxes: int
    rate: int
    """Percent of commission on a banker win."""
    deferred: bool
    """Commission is marked and collected before the next shuffle."""
    pay_procedure: int
    reshuffle: bool
    tie_odds: int
    deal: str = "all_face_up"
    tie_vigorish: bool = False

    def elected(self, game: str) -> dict[str, str]:
        """The elections that these rules stand for, without the two that need written notice."""
        found = {
            "decks": str(self.decks),
            "boxes": str(self.boxes),
            "shoe_kind": "manual_shoe",
            "vigorish_rate": f"{self.rate}%",
            "tie_odds": f"{self.tie_odds} to 1",
        }
        if game == "minibaccarat":
            found["minibaccarat_deal"] = self.deal
            found["tie_vigorish"] = yes_no(self.tie_vigorish)
        return found


def choose_baccarat_rules(game: str, day: date, random: Random, pit: Random) -> BaccaratRules:
    """Rules for one table; what all tables of a pit share is drawn from the pit's own numbers."""
    pay_procedure, reshuffle = pit.choice((1, 2, 3, 4)), pit.random() < 0.4
    rules = BaccaratRules(
        decks=random.choice((6, 8, 8)),
        boxes=12 if game == "baccarat" else 7,
        rate=random.choice((4, 5, 5)),
        deferred=random.random() < 0.7,
        pay_procedure=pay_procedure,
        reshuffle=reshuffle and day >= SECOND_SHUFFLE,
        tie_odds=random.choice((8, 8, 9)),
    )
    if game == "minibaccarat":
        rules.deal = random.choice(("all_face_up", "face_down"))
        rules.tie_vigorish = random.random() < 0.25 and day >= TIE_VIGORISH
    return rules


@dataclass
class RedDogRules:
    """The rules of one red dog table."""

    decks: int
    boxes: int
    odds: dict[int, int]
    """What a spread of one, two, three, and four or more pays to one."""

    def elected(self) -> dict[str, str]:
        """The elections that these rules stand for."""
        return {
            "decks": str(self.decks),
            "boxes": str(self.boxes),
            "shoe_kind": "manual_shoe",
            "red_dog_odds_one": f"{self.odds[1]} to 1",
            "red_dog_odds_two": f"{self.odds[2]} to 1",
            "red_dog_odds_three": f"{self.odds[3]} to 1",
            "red_dog_odds_four_or_more": f"{self.odds[4]} to 1",
        }


def choose_red_dog_rules(random: Random) -> RedDogRules:
    """Rules for one red dog table; odds above those of the law are rare."""
    odds = {1: 5, 2: 4, 3: 2, 4: 1}
    if random.random() < 0.2:
        odds[1] = 6
    return RedDogRules(random.choice((1, 4, 6, 8)), 7, odds)
