"""What every side wager of blackjack has: where it is offered, and its moments in a round."""

from __future__ import annotations

from datetime import date
from typing import Any

from compliance.simulate.blackjack.play import BlackjackPlay
from compliance.simulate.game import Change
from compliance.simulate.guests import Guest
from compliance.simulate.hands import Hand

Wish = tuple[tuple[str, ...], tuple[str, ...]]
"""Cards that one player and the dealer are to get, so that rare hands are played, too."""


class SideWager:
    """A side wager that a table offers; each kind fills in the moments that concern it.

    A moment at which nothing happens to the wager is left empty.
    """

    name = ""
    """The offer, as a plan of a table names it."""
    wager = ""
    """The wager, as the log names it."""
    since: date
    """The day from which the law knows it."""
    decks: tuple[int, ...] = (1, 2, 4, 6, 8)
    """With how many decks it may be offered."""
    excludes: tuple[str, ...] = ()
    """Offers that may not stand beside it."""
    excludes_surrender = False
    excludes_hole_card = False
    closes_betting = False
    """The dealer says that no more bets are taken before dealing."""
    keeps_cards_of_blackjacks = False
    """The cards of a blackjack stay on the layout until the end of the round."""
    needs_third_card = False
    """The dealer with less than 17 draws a third card for it, even if no hand needs one."""
    settles_counterclockwise = False
    """The main wagers, too, are settled from the player farthest to the right."""
    wishes: tuple[Wish, ...] = ()

    def __init__(self, game: BlackjackPlay) -> None:
        self.game = game
        self.table = game.table
        self.random = game.table.random
        self.stakes: dict[int, int] = {}
        """What lies on the wager in this round, by seat, until it is settled."""

    # ---- at the opening ------------------------------------------------------------------------

    def elections(self) -> dict[str, str]:
        """The options that stand for the offer."""
        return {self.name: "yes"}

    def post(self) -> None:
        """Signs at the table, before it opens."""

    def possible_change(self) -> Change | None:
        """A change of the offer that the licensee might decide on."""
        return None

    def change(self, change: Change) -> None:
        """The new offer is in force."""

    # ---- in a round ----------------------------------------------------------------------------

    def place(self) -> None:
        """The players make the wager after their main wagers."""

    def betting_closed(self) -> None:
        """After the call that no more bets are taken."""

    def second_cards_dealt(self) -> None:
        """Every player has two cards, and the dealer one."""

    def hole_card_dealt(self) -> None:
        """The dealer has a hole card, where there is one; nobody has decided anything yet."""

    def reader_found_nothing(self) -> None:
        """The card reader showed that the dealer has no blackjack."""

    def waits_for_a_card(self, hand: Hand) -> bool:
        """Another card may count for the wager, although the dealer has blackjack."""
        return False

    def decided(self, hand: Hand, kind: str) -> None:
        """A player has decided; a hit or a double was dealt its card."""

    def dealers_hand_grew(self) -> None:
        """The dealer's second card came to light, or another card was dealt."""

    def play_is_over(self) -> None:
        """No card is dealt any more in the round; the open wagers are settled next."""

    def main_wager_settled(self, hand: Hand, result: str) -> None:
        """A wager on a hand was paid, collected or returned."""

    def seat_settled(self, seat: int) -> None:
        """All hands of a seat are settled; its cards may be picked up next."""

    def all_settled(self) -> None:
        """All other wagers are settled, and the cards still lie there."""

    def sat_out(self, seat: int) -> None:
        """A player at the table makes no wager in this round."""

    def left(self, guest: Guest) -> None:
        """A player has left the table."""

    # ---- placing and settling ------------------------------------------------------------------

    def boldest(self, share: float) -> list[Hand]:
        """The hands whose players make the wager this time."""
        guests = self.game.guests.taken
        return [
            hand
            for hand in self.game.hands
            if guests[hand.seat].boldness > 1 - share and self.random.random() < 0.8
        ]

    def make(self, hand: Hand, amount: int, wager: str = "", **more: Any) -> None:
        """A player makes the wager."""
        self.table.wait(500, 1500)
        self.stakes[hand.seat] = amount
        self.table.play(
            "wager_placed",
            seat=hand.seat,
            player=hand.guest,
            hand=1,
            wager=wager or self.wager,
            amount=amount,
            medium="chip",
            **more,
        )

    def counterclockwise(self) -> list[Hand]:
        """The first hands with a stake on the wager, from the player farthest to the right."""
        return [h for h in reversed(self.game.hands) if h.number == 1 and h.seat in self.stakes]

    def win(self, hand: Hand, gain: int, per: int = 1, wager: str = "") -> None:
        """The wager is paid at these odds."""
        stake = self.stakes.pop(hand.seat)
        self.game.pay_side(hand, wager or self.wager, stake, gain, per)

    def lose(self, hand: Hand, wager: str = "") -> None:
        """The wager is taken."""
        self.game.collect_side(hand, wager or self.wager, self.stakes.pop(hand.seat))

    def small_stake(self, most: int) -> int:
        """A few chips, at most so much."""
        chip = self.game.limits.chip
        return min(chip * (1 + int(self.random.random() * 5)), most // chip * chip)
