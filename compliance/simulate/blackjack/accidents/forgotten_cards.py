"""Cards that the dealer forgets to deal, and a double card that is dealt the wrong way up."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from random import Random
from typing import Final

from compliance.simulate.blackjack.accidents.accident import Accident, Recipient
from compliance.simulate.blackjack.play import BlackjackPlay
from compliance.simulate.hands import PIPS, Hand

CHOICE_OF_THE_FORGOTTEN: Final = date(1995, 9, 5)
"""From when on the law says what becomes of a card that was asked for and forgotten."""


def gives_wagers_back(game: BlackjackPlay) -> bool:
    """Whether a wager that is neither won nor lost may come back, as it may not with open cards."""
    return game.rules.hole_card != "face_up"


class DealersCardForgotten(Accident):
    """The dealer forgets the own first card and makes up for it when the players have two."""

    name = "dealers-card-forgotten"

    @classmethod
    def possible(cls, game: BlackjackPlay) -> bool:
        # The rules on blackjacks know what the dealer shows only if it lies there before them.
        cards, players = game.shoe.cards[game.shoe.place :], len(game.hands)
        pairs = zip(cards[:players], cards[players : 2 * players], strict=False)
        return super().possible(game) and all(
            {PIPS[one], PIPS[other]} != {1, 10} for one, other in pairs
        )

    def order_of_first_cards(self, order: Sequence[Recipient]) -> Sequence[Recipient]:
        self.game.wishes = {}
        return [*(hand for hand in order if hand), None]

    def before_a_card(self, hand: Recipient) -> None:
        if hand is None and not self.game.dealers.cards:
            self.note("dealer_card_missed", to="dealer")


class PlayerForgotten(Accident):
    """A player gets no card at all: the hand is dead, and the wager is given back."""

    name = "player-forgotten"

    def __init__(self, game: BlackjackPlay, random: Random) -> None:
        super().__init__(game, random)
        self._forgotten = random.choice(game.hands)

    @classmethod
    def possible(cls, game: BlackjackPlay) -> bool:
        # At a 6 to 5 table the rules look for the cards of every hand that is settled.
        several = len(game.hands) > 1 and not game.rules.six_to_five
        return super().possible(game) and several and gives_wagers_back(game)

    def order_of_first_cards(self, order: Sequence[Recipient]) -> Sequence[Recipient]:
        return [hand for hand in order if hand is not self._forgotten]

    def first_cards_dealt(self) -> None:
        hand = self._forgotten
        self.note("player_card_missed", hand)
        by = {"by": self.table.dealer, "by_role": "dealer"}
        self.table.play("hand_declared_dead", to="player", **self.at(hand), **by)
        self.game.give_back(hand, "blackjack", hand.stake)
        self.game.hands.remove(hand)


class SecondCardForgotten(Accident):
    """A player's second card is forgotten: who wants it gets it after all others."""

    name = "second-card-forgotten"

    def __init__(self, game: BlackjackPlay, random: Random) -> None:
        super().__init__(game, random)
        self._forgotten = random.choice(game.hands[:-1])

    @classmethod
    def possible(cls, game: BlackjackPlay) -> bool:
        return super().possible(game) and len(game.hands) > 1

    def order_of_first_cards(self, order: Sequence[Recipient]) -> Sequence[Recipient]:
        second = len(order) - list(reversed(order)).index(self._forgotten) - 1
        return [*order[:second], *order[second + 1 :], self._forgotten]

    def before_a_card(self, hand: Recipient) -> None:
        others = [other for other in self.game.hands if other is not self._forgotten]
        if hand is self._forgotten and all(len(other.cards) == 2 for other in others):
            self.note("player_card_missed", hand)
            for event in ("choice_offered", "choice_accepted"):
                self.table.wait(1000, 3000)
                self.table.play(event, kind="late_card", **self.at(hand))


class RequestedCardForgotten(Accident):
    """A player asks for a card and is passed over: the card comes late, or the hand is dead."""

    name = "requested-card-forgotten"

    @classmethod
    def possible(cls, game: BlackjackPlay) -> bool:
        return super().possible(game) and game.day >= CHOICE_OF_THE_FORGOTTEN

    def __init__(self, game: BlackjackPlay, random: Random) -> None:
        super().__init__(game, random)
        self._late: list[Hand] = []

    def withholds_card(self, hand: Hand) -> bool:
        if self.has_happened or hand.split:
            return False
        may_end = self._others_wait(hand) and gives_wagers_back(self.game)
        if may_end and self.random.random() < 0.5:
            self._choose(hand, "void_wager")
            self._end(hand)
            return True
        self._choose(hand, "late_card")
        if self._is_last(hand):
            return False
        self._late.append(hand)
        return True

    def late_cards(self) -> list[Hand]:
        return self._late

    def _end(self, hand: Hand) -> None:
        by = {"by": self.table.dealer, "by_role": "dealer"}
        self.table.play("hand_declared_dead", to="player", **self.at(hand), **by)
        if self.game.rules.six_to_five:
            self.game.turn_up(hand)
        self.game.give_back(hand, "blackjack", hand.stake)
        hand.closed = True

    def _is_last(self, hand: Hand) -> bool:
        """Nobody else asks for a card after this hand, so that its late card comes in its turn."""
        hands = self.game.hands
        return all(other.closed or other.total == 21 for other in hands[hands.index(hand) + 1 :])

    def _others_wait(self, hand: Hand) -> bool:
        """Somebody has finished a hand that needs the dealer's, whatever becomes of this one."""
        hands = self.game.hands
        return any(
            not (other.closed or other.surrendered or other.is_blackjack)
            for other in hands[: hands.index(hand)]
        )

    def _choose(self, hand: Hand, choice: str) -> None:
        self.note("requested_card_missed", hand)
        for kind in ("late_card", "void_wager"):
            self.table.wait(500, 1500)
            self.table.play("choice_offered", kind=kind, **self.at(hand))
        self.table.wait(1000, 3000)
        self.table.play("choice_accepted", kind=choice, **self.at(hand))


class OpenDoubleCard(Accident):
    """A double card that should lie face down is dealt face up: the hand goes on as it is."""

    name = "open-double-card"

    @classmethod
    def possible(cls, game: BlackjackPlay) -> bool:
        return super().possible(game) and game.rules.double_card == "face_down"

    def deals_double_card_up(self, hand: Hand) -> bool:
        self.note("double_card_dealt_up", hand)
        return True
