"""Decks that come to the table, are checked, put into play, stored and taken away."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from event_schemas.events.base import AtSeat, ByPerson, OfCards
from event_schemas.field_types import Card, Date, Flag, HoldingHand, Number, Place, Text


class DecksReceived(OfCards, ByPerson):
    """Decks came to the table."""

    type: Literal["decks_received"]
    decks_total: Number | None = Field(default=None, description="How many decks came")
    cards_total: Number | None = Field(
        default=None, description="How many cards they hold together"
    )
    package_decks: Number | None = Field(
        default=None, description="How many decks each sealed package held, if packed as a set"
    )
    preshuffled: Flag | None = Field(
        default=None, description="Whether the cards came already shuffled"
    )
    back_color: Text | None = Field(default=None, description="The colour of the card backs")
    back_design: Text | None = Field(default=None, description="The design of the card backs")
    cutting_cards: Number | None = Field(
        default=None, description="How many cutting cards came with them"
    )
    gaming_day: Date | None = Field(default=None, description="The gaming day for which they came")


class DecksAssigned(OfCards, ByPerson):
    """A supervisor decided which card backs a table uses for the day."""

    type: Literal["decks_assigned"]
    back_design: Text | None = Field(default=None, description="The design assigned")
    gaming_day: Date | None = Field(default=None, description="The gaming day")


class CardsInspected(OfCards, ByPerson):
    """The cards were checked, face and back."""

    type: Literal["cards_inspected"]
    cards_total: Number | None = Field(default=None, description="How many cards were checked")


class InspectionVerified(OfCards, ByPerson):
    """A supervisor checked the dealer's inspection."""

    type: Literal["inspection_verified"]


class PlayerInspectionOffered(OfCards, AtSeat):
    """A player was given the chance to look at the spread cards."""

    type: Literal["player_inspection_offered"]


class TensRemoved(OfCards, ByPerson):
    """The tens were taken out of the deck."""

    type: Literal["tens_removed"]
    cards_total: Number | None = Field(default=None, description="How many cards were taken out")


class CardsDestroyed(OfCards, ByPerson):
    """Cards were destroyed so that they cannot return to play."""

    type: Literal["cards_destroyed"]
    cards_total: Number | None = Field(default=None, description="How many cards were destroyed")
    card: Card | None = Field(default=None, description="The card, if it was a single one")


class DeckPlacedInPlay(OfCards, ByPerson):
    """A deck came into use, new or in its turn."""

    type: Literal["deck_placed_in_play"]


class DeckPlacedInHand(OfCards, ByPerson):
    """The dealer took the deck in hand to deal from it."""

    type: Literal["deck_placed_in_hand"]
    held_in: HoldingHand | None = Field(default=None, description="The hand that holds the deck")


class DeckSetDown(OfCards, ByPerson):
    """The dealer put the deck down before the deal was over."""

    type: Literal["deck_set_down"]
    reason: Text | None = Field(default=None, description="Why, in the dealer's words")


class DeckSequenced(OfCards, ByPerson):
    """A deck was sorted by suit and rank to see that it is whole."""

    type: Literal["deck_sequenced"]
    cards_total: Number | None = Field(default=None, description="How many cards were found")


class DeckStored(OfCards, ByPerson):
    """A deck not in use was put in its place."""

    type: Literal["deck_stored"]
    place: Place | None = Field(default=None, description="Where it was put")


class DeckRemoved(OfCards, ByPerson):
    """A deck was taken out of use at the table."""

    type: Literal["deck_removed"]
    reason: Text | None = Field(default=None, description="Why, in the dealer's words")
