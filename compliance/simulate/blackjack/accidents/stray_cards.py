"""Cards that lie or come out wrongly: face up in the shoe, or drawn when nobody is to get one."""

from __future__ import annotations

from random import Random

from compliance.simulate.blackjack.accidents.accident import Accident, Recipient
from compliance.simulate.blackjack.play import BlackjackPlay
from compliance.simulate.hands import Hand


class FaceUpCard(Accident):
    """A card lies face up in the shoe: it is put away, and the next one is dealt in its place."""

    name = "face-up-card"

    def __init__(self, game: BlackjackPlay, random: Random) -> None:
        super().__init__(game, random)
        self._cards_before = int(random.random() * 10)

    @classmethod
    def possible(cls, game: BlackjackPlay) -> bool:
        # A machine turns no card; dealt from the hand it would be no card in the shoe.
        return super().possible(game) and not game.rules.automated

    def before_a_card(self, hand: Recipient) -> None:
        self._cards_before -= 1
        if self._cards_before != 0 or not self.next_card_may_come():
            return
        table, shoe = self.table, self.game.shoe
        card = shoe.draw()
        self.happens()
        table.play("card_found_face_up", card=card, shoe=shoe.name, **self.game.mark)
        table.wait(2000, 5000)
        by = {"by": table.dealer, "by_role": "dealer"}
        put_away = {"cards": card, "cards_total": 1, "place": "discard_rack"}
        table.play("cards_discarded", shoe=shoe.name, **put_away, **by)
        self.game.owes_a_shuffle = True


class UnseenCard(Accident):
    """A card is drawn too early, and nobody sees its face: it is the next one to be dealt."""

    name = "unseen-card"

    def __init__(self, game: BlackjackPlay, random: Random) -> None:
        super().__init__(game, random)
        self._cards_before = int(random.random() * 10)

    def before_a_card(self, hand: Recipient) -> None:
        self._cards_before -= 1
        if self._cards_before == 0 and self.next_card_may_come():
            self.note("card_drawn_in_error", exposed=False, shoe=self.game.shoe.name)


class SeenCard(Accident):
    """A card is drawn too early and seen: it goes to the next hand that draws, or is burned."""

    name = "seen-card"

    def __init__(self, game: BlackjackPlay, random: Random) -> None:
        super().__init__(game, random)
        self._turns_before = int(random.random() * 3)
        self._card = ""
        """The card, while it lies there."""

    def turn_begins(self, hand: Hand) -> None:
        self._turns_before -= 1
        if self._turns_before == 0 and self.next_card_may_come():
            self._card = self.game.shoe.next_card
            self.game.wishes = {}
            self.note(
                "card_drawn_in_error", exposed=True, card=self._card, shoe=self.game.shoe.name
            )

    def withholds_card(self, hand: Hand) -> bool:
        # Who split would need more cards for the other hand.
        refuses = bool(self._card) and not hand.split and self.random.random() < 0.5
        if refuses:
            self.table.wait(1000, 3000)
            self.table.play("card_refused", card=self._card, **self.at(hand))
        return refuses

    def before_a_card(self, hand: Recipient) -> None:
        self._card = ""

    def play_is_over(self) -> None:
        if self._card:
            self.burn(self.game.shoe.draw())


class OverdrawnCard(Accident):
    """The dealer draws although the count is one to stand on: the card is burned."""

    name = "overdrawn-card"

    def dealer_stands(self) -> None:
        if self.next_card_may_come():
            card = self.game.shoe.draw()
            self.note("card_overdrawn", to="dealer", card=card, exposed=True)
            self.burn(card)
