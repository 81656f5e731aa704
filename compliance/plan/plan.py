"""A plan as data: what the engine needs of a rulebook, made once and kept with it."""

from __future__ import annotations

import msgspec


class TextKey(msgspec.Struct, frozen=True, array_like=True):
    """Where the number of a text belongs, which every log counts anew."""

    at: int
    text: str


class PlannedConstant(msgspec.Struct, frozen=True, array_like=True):
    """A constant of the rules: its number, or what has to be asked of a log or a profile."""

    what: str
    """`number`, `nothing`, `untold` (a number that is too large), `text`, `cards`, `reading` or
    `setting`."""
    above: int = 0
    below: int = 1
    zone: int = 0
    text: str = ""
    """A text; the name of a reading or a setting; or a number as the rule writes it."""
    kind: str = ""


class PlannedTable(msgspec.Struct, frozen=True, array_like=True):
    """A printed table as the engine reads it (see lookups.h)."""

    name: str
    numbers: tuple[int, ...]
    texts: tuple[TextKey, ...]


class PlannedEdition(msgspec.Struct, frozen=True, array_like=True):
    """Where an edition stands in the plan, and what it is an edition of."""

    at: int
    rule: int
    edition: int
    across: str
    required: tuple[int, ...]
    """The places of its requirements in the rule, in the order in which they are asked."""
    types: tuple[int, ...]
    """The types of its trigger."""
    begins: int
    expires: int


class Plan(msgspec.Struct, frozen=True, array_like=True):
    """All editions of a rulebook as a graph of nodes that they share."""

    code: bytes
    """The nodes, eight bytes a number (see nodes.py)."""
    columns: tuple[tuple[str, str], ...]
    """The fields that are asked for: name and kind."""
    constants: tuple[PlannedConstant, ...]
    options: tuple[str, ...]
    tables: tuple[PlannedTable, ...]
    intervals: tuple[int, ...]
    """Where the intervals stand, in the order of their names in the rulebook."""
    editions: tuple[PlannedEdition, ...]
    pools: int
    memos: int
    trigger_lists: int
    slicings: int
    asks_for_type_names: bool
    keys: tuple[tuple[str, ...], ...]
    """By slicing: the names of its keys."""
    across: tuple[tuple[str, Plan], ...] = ()
    """The rules across tables once more, by what they are for each of: these few ask little, and
    what all rules ask need not be made ready for them."""

    def of(self, across: str) -> Plan:
        """The plan by which the rules for each table, casino or pit are judged."""
        return dict(self.across).get(across, self)
