"""A blackjack table in play, as its side wagers and accidents see it."""

from __future__ import annotations

from datetime import date
from random import Random

from compliance.simulate.blackjack.cards import BlackjackCards
from compliance.simulate.hands import PIPS, Hand
from compliance.simulate.table import Table


class BlackjackPlay(BlackjackCards):
    """A blackjack table with hands on it, and what can be done with them."""

    hands: list[Hand]
    dealers: Hand
    wishes: dict[int, list[str]]
    """Cards that are to come, by the seat that is to get them."""

    def __init__(
        self,
        table: Table,
        day: date,
        chance: Random,
        offers: tuple[str, ...] | None,
        variant: str,
    ) -> None:
        super().__init__(table, day, chance, offers, variant)
        self.dealt: dict[int, list[str]] = {}
        """The cards that each seat got in this round, in order."""
        self.owes_a_shuffle = False
        """A card lies among the discards that may not be dealt before the next shuffle."""
        self.bonus_works = True
        self.dark_lights: set[int] = set()
        """Seats whose light for the progressive wager has failed."""

    @property
    def upcard(self) -> int:
        """What the dealer's first card counts, an ace as one."""
        return PIPS[self.dealers.cards[0]]

    def hides_the_bonus(self) -> bool:
        """Whether the device that shows the bonus fails at this moment."""
        return False

    def turn_up(self, hand: Hand) -> None:
        """Cards that lie face down are shown."""
        who = {"seat": hand.seat, "player": hand.guest, "hand": hand.number}
        self.table.play("cards_turned", to="player", face_up=True, **who)

    def pay_side(self, hand: Hand, wager: str, stake: int, gain: int, per: int) -> None:
        """A wager of the hand's seat is paid."""
        self.table.wait(700, 1800)
        self.table.play(
            "wager_paid",
            seat=hand.seat,
            player=hand.guest,
            hand=hand.number,
            wager=wager,
            stake=stake,
            amount=stake * gain // per,
            odds=f"{gain} to {per}",
        )

    def collect_side(self, hand: Hand, wager: str, amount: int) -> None:
        """A wager of the hand's seat is taken."""
        self.table.wait(500, 1200)
        self.table.play(
            "wager_collected",
            seat=hand.seat,
            player=hand.guest,
            hand=hand.number,
            wager=wager,
            amount=amount,
        )

    def give_back(self, hand: Hand, wager: str, amount: int) -> None:
        """A wager is neither won nor lost."""
        self.table.wait(500, 1200)
        self.table.play(
            "wager_returned",
            seat=hand.seat,
            player=hand.guest,
            hand=hand.number,
            wager=wager,
            amount=amount,
        )
        self._hand_settled(hand, wager, "returned")

    def _hand_settled(self, hand: Hand, wager: str, result: str) -> None:
        """A wager of a hand has come to its end."""
