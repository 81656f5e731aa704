"""What only blackjack and its variations have: the hole card and the determinant card."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from event_schemas.events.base import AtSeat, ByPerson, InRound, OfCards
from event_schemas.field_types import Card, Number, ReadResult


class HoleCardRead(InRound, ByPerson):
    """The dealer checked the hole card with the card reader."""

    type: Literal["hole_card_read"]
    result: ReadResult | None = Field(default=None, description="What the reader showed")


class HoleCardViewed(InRound, ByPerson):
    """Somebody looked at the hole card."""

    type: Literal["hole_card_viewed"]


class HoleCardRevealed(InRound, ByPerson):
    """The dealer turned the hole card up."""

    type: Literal["hole_card_revealed"]
    card: Card | None = Field(default=None, description="The card")


class DeterminantCardDrawn(InRound, OfCards):
    """A card was drawn to decide which side of a double shoe is dealt."""

    type: Literal["determinant_card_drawn"]
    card: Card | None = Field(default=None, description="The card")


class UpcardMoved(InRound, ByPerson):
    """The dealer's up card was moved to the next of several dealer hands."""

    type: Literal["upcard_moved"]
    area: Number | None = Field(default=None, description="The dealer hand it now belongs to")


class LammerPlaced(AtSeat, ByPerson):
    """A marker was put on, or moved to, a spot to show how many hands in a row were won."""

    type: Literal["lammer_placed"]
    area: Number | None = Field(default=None, description="The spot it now lies on")
