"""What goes wrong at a table during a night, drawn from a stream of chance of its own."""

from __future__ import annotations

from random import Random
from typing import Final

from compliance.simulate.blackjack.accidents.accident import Accident, Recipient
from compliance.simulate.blackjack.accidents.cards_run_out import TOO_FEW, shuffle_the_discards
from compliance.simulate.blackjack.accidents.devices import (
    BROKEN_READER,
    Devices,
    SilentBonusDevice,
)
from compliance.simulate.blackjack.accidents.forgotten_cards import (
    DealersCardForgotten,
    OpenDoubleCard,
    PlayerForgotten,
    RequestedCardForgotten,
    SecondCardForgotten,
)
from compliance.simulate.blackjack.accidents.stray_cards import (
    FaceUpCard,
    OverdrawnCard,
    SeenCard,
    UnseenCard,
)
from compliance.simulate.blackjack.accidents.upcards import UpcardDiscarded, UpcardNotMoved
from compliance.simulate.blackjack.play import BlackjackPlay
from compliance.simulate.variants import USUAL

KINDS: Final[tuple[type[Accident], ...]] = (
    FaceUpCard,
    UnseenCard,
    SeenCard,
    OverdrawnCard,
    DealersCardForgotten,
    PlayerForgotten,
    SecondCardForgotten,
    RequestedCardForgotten,
    OpenDoubleCard,
    SilentBonusDevice,
    UpcardNotMoved,
    UpcardDiscarded,
)
SHARE_OF_TABLES: Final = 0.2
RATE: Final = 0.01
DEEP: Final = 5
"""A shoe has many rounds, of which only the last one suffers if it is dealt too deep."""


def choose_rate(random: Random) -> float:
    """In what share of its rounds something goes wrong at a table: at most tables never."""
    return RATE if random.random() < SHARE_OF_TABLES else 0.0


class Fate:
    """The accidents of one table. Without a rate nothing happens, and no chance is drawn."""

    def __init__(self, game: BlackjackPlay, rate: float, random: Random) -> None:
        self._game = game
        self._rate = rate
        self._random = random
        self._nothing = Accident(game, random)
        self.devices = Devices(game, random, rate)
        self.accident = self._nothing
        """What may go wrong in this round."""
        game.marked = rate > 0

    def cards_are_shuffled(self) -> None:
        """Before the cutting card goes in: with a single deck it may come to lie far back."""
        game, rules = self._game, self._game.rules
        game.owes_a_shuffle = False
        single = rules.decks == 1 and not rules.automated
        if self._rate and single and game.variant == USUAL and not game.offers:
            game.deals_deep = self._random.random() < DEEP * self._rate

    def round_begins(self) -> None:
        """Draw what may go wrong in the round; a shoe that is dealt deep is trouble enough."""
        game = self._game
        self.accident = self._nothing
        if not self.devices.reader_works:
            game.table.chapters[-1].accident = BROKEN_READER
        if not self._rate or game.deals_deep or self._random.random() >= self._rate:
            return
        kinds = [kind for kind in KINDS if kind.possible(game)]
        if kinds:
            self.accident = self._random.choice(kinds)(game, self._random)

    def before_a_card(self, hand: Recipient) -> None:
        """A card is about to be drawn."""
        if self._game.deals_deep and self._game.shoe.left < TOO_FEW:
            shuffle_the_discards(self._game)
            self.accident.burn(self._game.shoe.draw())
        self.accident.before_a_card(hand)

    def between_rounds(self) -> None:
        """What happens to the devices while nobody deals."""
        if self._rate:
            self.devices.between_rounds()
