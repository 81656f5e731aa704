"""What went wrong, with cards, hands or devices."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from event_schemas.events.base import AtHand, ByPerson, InRound, OfCards, TableEvent
from event_schemas.field_types import Card, Device, Flag, IrregularityKind, Recipient, Seat, Text


class Irregularity(AtHand, OfCards, ByPerson):
    """Something went wrong in the course of play."""

    type: Literal["irregularity"]
    kind: IrregularityKind = Field(description="What went wrong")
    to: Recipient | None = Field(default=None, description="Whose hand it concerns")
    card: Card | None = Field(default=None, description="The card concerned")
    card_id: Text | None = Field(
        default=None,
        description="The mark that tells this very card from its doubles, where a source has one",
    )
    exposed: Flag | None = Field(default=None, description="Whether the card's face was seen")


class CardFoundFaceUp(InRound, OfCards):
    """A card lay face up in the shoe or the pack."""

    type: Literal["card_found_face_up"]
    card: Card | None = Field(default=None, description="The card")
    card_id: Text | None = Field(
        default=None,
        description="The mark that tells this very card from its doubles, where a source has one",
    )


class CardRefused(AtHand):
    """A player refused a card that was dealt by mistake."""

    type: Literal["card_refused"]
    card: Card | None = Field(default=None, description="The card")


class HandDeclaredDead(AtHand, ByPerson):
    """A hand was taken out of the round, neither winning nor losing."""

    type: Literal["hand_declared_dead"]
    to: Recipient | None = Field(default=None, description="Whose hand it is")


class HandReconstructed(AtHand, ByPerson):
    """A hand was put together again out of the discarded cards."""

    type: Literal["hand_reconstructed"]
    to: Recipient | None = Field(default=None, description="Whose hand it is")
    card: Card | None = Field(default=None, description="The card that was found again")


class DeviceMalfunction(TableEvent):
    """A device at the table failed."""

    type: Literal["device_malfunction"]
    device: Device | None = Field(default=None, description="Which device failed")
    seat: Seat | None = Field(default=None, description="The seat it belongs to, if any")


class DeviceRepaired(ByPerson):
    """A device at the table works again."""

    type: Literal["device_repaired"]
    device: Device | None = Field(default=None, description="Which device was repaired")
    seat: Seat | None = Field(default=None, description="The seat it belongs to, if any")
