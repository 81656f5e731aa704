"""What every event of a table has in common, and the parts that many events share.

The classes of events only describe: of 130 of them most runs check few records one by one, and the
model that does it is made when it is first asked for (registry.py).
"""

from __future__ import annotations

import re

from pydantic import Field

from event_schemas.field_types import Number, Role, Seat, Text, Time


class TableEvent:
    """Something that happened at one table at one moment."""

    id: Text = Field(description="The name of this record, unique in the log")
    ts: Time = Field(description="When it happened, with the offset from UTC")
    seq: Number = Field(description="The place of the record in the table's own order")
    casino: Text = Field(description="The casino")
    table: Text = Field(description="The table, by the casino's own number")
    pit: Text | None = Field(default=None, description="The pit that the table belongs to")
    type: str = Field(description="What happened: the name of the event type")
    corrects: Text | None = Field(default=None, description="The record that this one replaces")
    voids: Text | None = Field(default=None, description="The record that this one cancels")


class InRound(TableEvent):
    """An event that belongs to a round of play."""

    round: Number | None = Field(default=None, description="The number of the round at this table")
    dealer: Text | None = Field(default=None, description="The dealer at the table")


class AtSeat(InRound):
    """An event that concerns one seat and the player there."""

    seat: Seat | None = Field(
        default=None, description="The seat (box): 1 at the dealer's left, rising clockwise"
    )
    player: Text | None = Field(default=None, description="The patron")


class AtHand(AtSeat):
    """An event that concerns one hand of a seat."""

    hand: Number | None = Field(
        default=None, description="The number of the hand in the box, 1 first; splits add more"
    )


class ByPerson(TableEvent):
    """An event with somebody who did it."""

    by: Text | None = Field(default=None, description="Who did it: a staff number or a patron")
    by_role: Role | None = Field(default=None, description="The role of the person who did it")


class OfCards(TableEvent):
    """An event that concerns a pack of cards."""

    shoe: Text | None = Field(
        default=None, description="The shoe, or the filling of it, that the cards belong to"
    )
    deck: Text | None = Field(default=None, description="The deck")
    batch: Text | None = Field(
        default=None, description="The batch of decks, where two batches take turns"
    )
    side: Text | None = Field(
        default=None, description="The side of a double shoe, by the colour of its card backs"
    )


def name_of(described: type[TableEvent]) -> str:
    """The event name that a class name stands for: CardDealt is card_dealt."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", described.__name__).lower()
