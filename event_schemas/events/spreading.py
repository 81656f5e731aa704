"""Cards laid out, turned, mixed on the table and gathered into stacks."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from event_schemas.events.base import ByPerson, OfCards
from event_schemas.field_types import Arrangement, Flag, Number


class CardsSpread(OfCards, ByPerson):
    """The cards were spread out on the table."""

    type: Literal["cards_spread"]
    face_up: Flag | None = Field(default=None, description="Whether the faces could be seen")
    arrangement: Arrangement | None = Field(default=None, description="How they were laid out")
    decks_total: Number | None = Field(default=None, description="How many decks were spread")


class SpreadTurned(OfCards, ByPerson):
    """The whole spread was turned over."""

    type: Literal["spread_turned"]
    face_up: Flag | None = Field(
        default=None, description="Whether the faces can be seen afterwards"
    )


class CardsWashed(OfCards, ByPerson):
    """The cards were mixed face down on the table with both hands."""

    type: Literal["cards_washed"]


class CardsStacked(OfCards, ByPerson):
    """The cards were gathered into stacks."""

    type: Literal["cards_stacked"]
    stacks: Number | None = Field(default=None, description="How many stacks there are")
    cards_total: Number | None = Field(
        default=None, description="How many cards they hold together"
    )


class CardsLaced(OfCards, ByPerson):
    """Some cards were woven into the pack in small groups."""

    type: Literal["cards_laced"]
    cards_total: Number | None = Field(default=None, description="How many cards were laced in")
