"""The cards do not last for the round: the discards are shuffled and cut, and it is finished."""

from __future__ import annotations

from collections import Counter

from compliance.simulate.blackjack.play import BlackjackPlay
from compliance.simulate.cutting import cut_by_players
from compliance.simulate.shoe import Shoe

NAME = "cards-run-out"
TOO_FEW = 3
"""With fewer cards than this the dealer sees that they do not last."""


def shuffle_the_discards(game: BlackjackPlay) -> None:
    """The rest joins the discards; they are shuffled, cut and put into the shoe, and one burned."""
    table, shoe = game.table, game.shoe
    table.chapters[-1].accident = NAME
    table.wait(500, 2500)
    table.play("irregularity", kind="shoe_exhausted", shoe=shoe.name)
    table.wait(3000, 8000)
    to_the_rack = {"origin": "shoe", "place": "discard_rack", "cards_total": shoe.left}
    table.by_dealer("cards_removed", shoe=shoe.name, **to_the_rack)
    lying = Counter(game.dealers.cards)
    for hand in game.hands:
        lying.update(hand.cards)
    discards = Shoe(shoe.name, 0, game.random)
    discards.cards = list((Counter(shoe.cards) - lying).elements())
    discards.size = len(discards.cards)
    _shuffle(game, discards)
    shoe.cards = [*lying.elements(), *discards.cards]
    shoe.place = lying.total()


def _shuffle(game: BlackjackPlay, discards: Shoe) -> None:
    table = game.table
    by_hand = {"shoe": discards.name, "method": "manual"}
    table.by_dealer("shuffle_started", **by_hand)
    table.wait(15000, 30000)
    discards.shuffle()
    table.by_dealer("cards_shuffled", reason="irregularity", cards_total=discards.size, **by_hand)
    cut_by_players(table, game.guests, discards, game.guests.seats[-1], recut=False)
    table.wait(1000, 4000)
    table.by_dealer(
        "shoe_loaded", shoe=discards.name, source="manual_shoe", cards_total=discards.size
    )
