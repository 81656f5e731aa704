"""The numbers by which compiled code knows what to do; `source/` has the same lists."""

from __future__ import annotations

from enum import IntEnum, auto
from typing import Final


class Operation(IntEnum):
    """What a node of the program says, in the order of `operations.h`."""

    CONSTANT = 0
    FIELD = auto()
    MOMENT = auto()
    SEQUENCE = auto()
    TYPE = auto()
    OPTION = auto()
    ARITHMETIC = auto()
    ROUNDING = auto()
    PIP_VALUE = auto()
    RANK = auto()
    SUIT = auto()
    COLOR = auto()
    LARGER = auto()
    SMALLER = auto()
    LOOKUP = auto()
    IF = auto()
    COMPARE = auto()
    FIELD_AGAINST_CONSTANT = auto()
    FIELD_AGAINST_FIELD = auto()
    RECORDED = auto()
    IS_RECORDED = auto()
    ABOUT = auto()
    AND = auto()
    OR = auto()
    NOT = auto()
    HOW_MANY = auto()
    EVERY = auto()
    AGGREGATE = auto()
    IN_ORDER = auto()
    NEXT_SEAT = auto()
    KEPT = auto()


SIGNS: Final = ("=", "!=", "<", "<=", ">", ">=")
CALCULATIONS: Final = ("+", "-", "*", "/")
WAYS_OF_ROUNDING: Final = ("up", "down", "nearest")
REACHES: Final = ("past", "future", "whole")
WHICH_RUN: Final = ("this", "previous", "next")
WHICH_OF_EACH: Final = (None, "latest", "earliest")
BOUNDS: Final = ("exactly", "at least", "at most")
DIRECTIONS: Final = ("clockwise", "counterclockwise")
AGGREGATES: Final = (
    "first",
    "last",
    "count",
    "sum",
    "smallest",
    "largest",
    "distinct",
    "blackjack_total",
    "hard_total",
    "is_soft",
    "baccarat_points",
)
FUNCTIONS: Final = {
    "pip_value": Operation.PIP_VALUE,
    "rank": Operation.RANK,
    "suit": Operation.SUIT,
    "color": Operation.COLOR,
    "larger": Operation.LARGER,
    "smaller": Operation.SMALLER,
}
MOST_EVENTS: Final = 16
"""How many events an expression can have in hand at once."""
MOST_TYPES: Final = 64
"""How many event types a pattern can have."""
