"""Filling, emptying, guarding and passing the shoe."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from event_schemas.events.base import AtSeat, ByPerson, OfCards
from event_schemas.field_types import Date, Device, Number, Place, Source, Text


class ShoeLoaded(OfCards, ByPerson):
    """Cards were put into the shoe."""

    type: Literal["shoe_loaded"]
    source: Source | None = Field(default=None, description="The kind of shoe")
    cards_total: Number | None = Field(default=None, description="How many cards were put in")
    decks_total: Number | None = Field(default=None, description="How many decks were put in")
    gaming_day: Date | None = Field(default=None, description="The gaming day")


class ShoeInspected(ByPerson):
    """The shoe or the shuffling machine was checked before use."""

    type: Literal["shoe_inspected"]
    shoe: Text | None = Field(default=None, description="The shoe")
    device: Device | None = Field(default=None, description="Which device was checked")
    gaming_day: Date | None = Field(default=None, description="The gaming day")


class ShoeSecured(ByPerson):
    """The shoe or the shuffling machine was fastened or locked away."""

    type: Literal["shoe_secured"]
    shoe: Text | None = Field(default=None, description="The shoe")
    device: Device | None = Field(default=None, description="Which device it was")
    place: Place | None = Field(default=None, description="Where it was fastened or locked")


class ShoeOffered(AtSeat):
    """The shoe was offered to a player."""

    type: Literal["shoe_offered"]


class ShoeAccepted(AtSeat):
    """A player took the shoe and deals from it."""

    type: Literal["shoe_accepted"]


class ShoeRefused(AtSeat):
    """A player declined the shoe."""

    type: Literal["shoe_refused"]


class ShoePassed(AtSeat):
    """A player gave the shoe on."""

    type: Literal["shoe_passed"]


class ShoePassOrdered(AtSeat, ByPerson):
    """A player was told to give up the shoe."""

    type: Literal["shoe_pass_ordered"]
    reason: Text | None = Field(default=None, description="Why, in the supervisor's words")
