"""The shuffle, by hand or by machine."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from event_schemas.events.base import ByPerson, OfCards
from event_schemas.field_types import Flag, Number, ShuffleMethod, ShuffleReason


class ShuffleDecided(ByPerson):
    """The house decided to shuffle before the cutting card came out."""

    type: Literal["shuffle_decided"]


class ShuffleStarted(OfCards, ByPerson):
    """A shuffle began."""

    type: Literal["shuffle_started"]
    method: ShuffleMethod | None = Field(default=None, description="How the cards are mixed")


class CardsShuffled(OfCards, ByPerson):
    """The cards were shuffled."""

    type: Literal["cards_shuffled"]
    method: ShuffleMethod | None = Field(default=None, description="How the cards were mixed")
    reason: ShuffleReason | None = Field(default=None, description="Why they were shuffled")
    cards_total: Number | None = Field(default=None, description="How many cards were shuffled")
    discards_alone: Flag | None = Field(
        default=None, description="Whether the discards were shuffled without the undealt cards"
    )


class ShuffleInterrupted(OfCards):
    """A shuffle stopped before it was complete."""

    type: Literal["shuffle_interrupted"]


class ShuffledStackInserted(OfCards, ByPerson):
    """A stack of shuffled cards was put back among the undealt cards."""

    type: Literal["shuffled_stack_inserted"]
    position: Number | None = Field(
        default=None, description="How many cards lie in front of the stack"
    )
    cards_total: Number | None = Field(default=None, description="How many cards the stack holds")


class ShufflerInstalled(ByPerson):
    """A shuffling machine was put at the table."""

    type: Literal["shuffler_installed"]


class ShufflerRemoved(ByPerson):
    """The shuffling machine was taken from the table."""

    type: Literal["shuffler_removed"]


class ShufflerLoaded(OfCards, ByPerson):
    """Cards were put into the shuffling machine."""

    type: Literal["shuffler_loaded"]


class ShufflerEmptied(OfCards, ByPerson):
    """Cards were taken out of the shuffling machine."""

    type: Literal["shuffler_emptied"]


class ShufflerCountReported(OfCards):
    """The shuffling machine told how many cards it counted."""

    type: Literal["shuffler_count_reported"]
    cards_counted: Number | None = Field(default=None, description="How many cards it counted")
