"""What every accident of a round has: when it may happen, and its moments in the round."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from compliance.simulate.blackjack.play import BlackjackPlay
from compliance.simulate.hands import Hand
from compliance.simulate.variants import USUAL

Recipient = Hand | None
"""Who gets a card: a player's hand, or the dealer if None."""


class Accident:
    """Something that may go wrong in a round; each kind fills in the moments that concern it.

    Of this class itself nothing ever goes wrong.
    """

    name = ""
    variant = USUAL
    """The way of playing in which it may happen."""

    def __init__(self, game: BlackjackPlay, random: Random) -> None:
        self.game = game
        self.table = game.table
        self.random = random
        """A stream of chance for accidents only: without them a night stays as it was."""

    @classmethod
    def possible(cls, game: BlackjackPlay) -> bool:
        """Whether it may happen at this table, in the round that has just begun."""
        return game.variant == cls.variant and not game.offers

    # ---- moments of a round ----------------------------------------------------------------------

    def order_of_first_cards(self, order: Sequence[Recipient]) -> Sequence[Recipient]:
        """Who gets the first cards, one after another."""
        return order

    def before_a_card(self, hand: Recipient) -> None:
        """A card is about to be drawn."""

    def first_cards_dealt(self) -> None:
        """Every player and the dealer have got what they get before anybody decides."""

    def turn_begins(self, hand: Hand) -> None:
        """A player is about to decide on a hand."""

    def withholds_card(self, hand: Hand) -> bool:
        """Whether a player who asked for a card does not get it; then the turn is over."""
        return False

    def late_cards(self) -> Sequence[Hand]:
        """Hands that get a card after all players' turns."""
        return ()

    def deals_double_card_up(self, hand: Hand) -> bool:
        """Whether the card on a doubled hand lies open although it should not."""
        return False

    def dealer_stands(self) -> None:
        """The dealer has a count to stand on and has not called it yet."""

    def dealers_hand_is_picked_up(self, upcard: str) -> None:
        """In multiple action: all of the dealer's cards but the upcard are about to go."""

    def upcard_is_to_move(self) -> None:
        """In multiple action: the upcard is about to begin the dealer's next hand."""

    def play_is_over(self) -> None:
        """No card is dealt any more in the round; the open wagers are settled next."""

    def hides_the_bonus(self) -> bool:
        """Whether the display shows nothing after the bonus button was pressed."""
        return False

    # ---- writing it down -------------------------------------------------------------------------

    @property
    def has_happened(self) -> bool:
        """Whether it went wrong already in this round."""
        return self.table.chapters[-1].accident == self.name

    def happens(self) -> None:
        """From now on the round is known as one in which this went wrong."""
        self.table.chapters[-1].accident = self.name

    def note(self, kind: str, hand: Recipient = None, **fields: Any) -> None:
        """Somebody notices what went wrong."""
        self.happens()
        self.table.wait(500, 2500)
        who = self.at(hand) | {"to": "player"} if hand else {}
        self.table.play("irregularity", kind=kind, **who, **fields)

    def burn(self, card: str) -> None:
        """A card goes to the discards unused."""
        table = self.table
        table.wait(1000, 3000)
        table.play(
            "card_burned",
            by=table.dealer,
            by_role="dealer",
            shoe=self.game.shoe.name,
            card=card,
            face_up=False,
            place="discard_rack",
            reason="irregularity",
            **self.game.pack,
        )

    @staticmethod
    def at(hand: Hand) -> dict[str, Any]:
        """The seat, player and number of a hand."""
        return {"seat": hand.seat, "player": hand.guest, "hand": hand.number}

    def next_card_may_come(self) -> bool:
        """Whether the next thing in the shoe is a card, and not the cutting card."""
        shoe = self.game.shoe
        return shoe.reached or shoe.left_before_cutting_card > 1
