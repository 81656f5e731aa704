"""The cut, who was asked for it, and the cutting and cover cards."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from event_schemas.events.base import AtHand, AtSeat, ByPerson, OfCards
from event_schemas.field_types import Number, Place, Recipient, ShuffleReason


class CutOffered(AtSeat, OfCards):
    """A player was offered the cut."""

    type: Literal["cut_offered"]


class CutRefused(AtSeat, OfCards):
    """A player declined the cut."""

    type: Literal["cut_refused"]


class CardsCut(AtSeat, OfCards, ByPerson):
    """The pack was cut."""

    type: Literal["cards_cut"]
    position: Number | None = Field(
        default=None, description="How many cards lie in front of the cut"
    )
    cards_total: Number | None = Field(default=None, description="How many cards the pack holds")


class RecutOrdered(OfCards, ByPerson):
    """A second cut was ordered."""

    type: Literal["recut_ordered"]
    reason: ShuffleReason | None = Field(default=None, description="Why the cut is repeated")


class StackTransposed(OfCards, ByPerson):
    """The cards in front of the cut were moved to the back."""

    type: Literal["stack_transposed"]
    cards_total: Number | None = Field(default=None, description="How many cards were moved")


class CuttingCardInserted(AtSeat, OfCards, ByPerson):
    """A cutting card was put into the pack."""

    type: Literal["cutting_card_inserted"]
    position: Number | None = Field(
        default=None, description="How many cards lie in front of the cutting card"
    )
    position_from_back: Number | None = Field(
        default=None, description="How many cards lie behind the cutting card"
    )
    cards_total: Number | None = Field(default=None, description="How many cards the pack holds")


class CuttingCardReached(AtHand, OfCards):
    """The cutting card came out of the shoe, or to the top of the deck."""

    type: Literal["cutting_card_reached"]
    to: Recipient | None = Field(default=None, description="Whose hand was being dealt to")


class CuttingCardRemoved(OfCards, ByPerson):
    """The cutting card was taken out of the pack."""

    type: Literal["cutting_card_removed"]
    place: Place | None = Field(default=None, description="Where it was put")


class CoverCardPlaced(OfCards, ByPerson):
    """A cover card was put to hide the bottom of the pack."""

    type: Literal["cover_card_placed"]
    place: Place | None = Field(default=None, description="Where it was put")


class CoverCardRemoved(OfCards, ByPerson):
    """The cover card was moved away."""

    type: Literal["cover_card_removed"]
    place: Place | None = Field(default=None, description="Where it was put")
