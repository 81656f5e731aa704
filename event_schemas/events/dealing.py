"""Cards dealt, burned, shown, gathered and taken out of play."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from event_schemas.events.base import AtHand, AtSeat, ByPerson, InRound, OfCards
from event_schemas.field_types import (
    BurnReason,
    Card,
    Cards,
    CountMethod,
    Flag,
    Number,
    Place,
    Recipient,
    Source,
    Spot,
    Stage,
    Text,
)


class CardDealt(AtHand, OfCards, ByPerson):
    """A card was dealt."""

    type: Literal["card_dealt"]
    to: Recipient = Field(description="Whose hand it went to")
    card: Card | None = Field(default=None, description="The card, if it is known")
    card_id: Text | None = Field(
        default=None,
        description="The mark that tells this very card from its doubles, where a source has one",
    )
    face_up: Flag | None = Field(default=None, description="Whether the face could be seen")
    card_number: Number | None = Field(
        default=None, description="The number of the card in its hand, 1 first"
    )
    source: Source | None = Field(default=None, description="What it was dealt from")
    stage: Stage | None = Field(default=None, description="The part of the round")
    stack: Number | None = Field(
        default=None, description="The stack it went to, where cards are dealt to stacks"
    )
    spot: Spot | None = Field(
        default=None,
        description="The marked place on the layout, where a game has one for each card",
    )


class CardBurned(InRound, OfCards, ByPerson):
    """A card was taken out of play unused."""

    type: Literal["card_burned"]
    card: Card | None = Field(default=None, description="The card, if it was shown")
    card_id: Text | None = Field(
        default=None,
        description="The mark that tells this very card from its doubles, where a source has one",
    )
    face_up: Flag | None = Field(default=None, description="Whether the face could be seen")
    cards_total: Number | None = Field(
        default=None, description="How many cards were burned together"
    )
    place: Place | None = Field(default=None, description="Where it was put")
    reason: BurnReason | None = Field(default=None, description="Why it was burned")


class BurnCardDisclosed(AtSeat, ByPerson):
    """The face of a burned card was shown."""

    type: Literal["burn_card_disclosed"]
    card: Card | None = Field(default=None, description="The card")


class CardExposed(AtHand, OfCards, ByPerson):
    """The face of a card was seen that should have stayed hidden."""

    type: Literal["card_exposed"]
    card: Card | None = Field(default=None, description="The card")
    to: Recipient | None = Field(default=None, description="Whose hand it was meant for")
    source: Source | None = Field(default=None, description="What it came from")
    stage: Stage | None = Field(default=None, description="The part of the round")


class CardsTurned(AtHand, ByPerson):
    """A hand's cards were turned over."""

    type: Literal["cards_turned"]
    to: Recipient | None = Field(default=None, description="Whose hand it is")
    face_up: Flag | None = Field(
        default=None, description="Whether the faces can be seen afterwards"
    )


class CardsCollected(AtHand, OfCards, ByPerson):
    """A hand's cards were gathered by the dealer after play."""

    type: Literal["cards_collected"]
    to: Recipient | None = Field(default=None, description="Whose hand was gathered")
    cards: Cards | None = Field(default=None, description="The cards gathered")
    cards_total: Number | None = Field(default=None, description="How many cards were gathered")
    face_up: Flag | None = Field(default=None, description="Whether their faces could be seen")
    place: Place | None = Field(default=None, description="Where they were put")


class CardsDiscarded(AtHand, OfCards, ByPerson):
    """Cards were put out of play unused, or thrown in by their player."""

    type: Literal["cards_discarded"]
    to: Recipient | None = Field(default=None, description="Whose cards they were")
    source: Source | None = Field(
        default=None, description="What they were left over from, if they were never dealt"
    )
    cards: Cards | None = Field(default=None, description="The cards")
    cards_total: Number | None = Field(default=None, description="How many cards there were")
    face_up: Flag | None = Field(default=None, description="Whether their faces could be seen")
    place: Place | None = Field(default=None, description="Where they were put")


class CardsRemoved(OfCards, ByPerson):
    """Cards were taken out of the shoe or the rack."""

    type: Literal["cards_removed"]
    origin: Place | None = Field(default=None, description="Where they were taken out of")
    place: Place | None = Field(default=None, description="Where they were put")
    cards_total: Number | None = Field(default=None, description="How many cards there were")
    face_up: Flag | None = Field(default=None, description="Whether their faces could be seen")


class StubCounted(InRound, OfCards, ByPerson):
    """The cards left over after the deal were counted."""

    type: Literal["stub_counted"]
    cards_counted: Number | None = Field(default=None, description="How many cards were left")
    method: CountMethod | None = Field(default=None, description="How they were counted")


class CardHandled(AtHand, ByPerson):
    """Somebody touched or moved a card."""

    type: Literal["card_handled"]
    card: Card | None = Field(default=None, description="The card")
    action: Text | None = Field(default=None, description="What was done with it")
