"""Another value for a field: near the right one, and fit for the kind of the field."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from compliance.simulate.table import HOUR, Record
from event_schemas import FieldType, Schema

_CHIP: Final = 500
_RANKS: Final = ("A", *map(str, range(2, 11)), "J", "Q", "K")
_FREE: Final = ("ts", "seq", "id", "type", "table", "casino", "pit")
"""What says when and where, not what was done."""


def kind_of_change(field: FieldType) -> str:
    """The word for a mutation that changes a field."""
    name = field.kind.name
    if name in ("seat", "money", "role"):
        return {"seat": "other seat", "money": "other amount", "role": "other role"}[name]
    return "other word" if field.kind.enum else "other value"


def other_values(
    schema: Schema, records: Sequence[Record], row: int, field: str
) -> Iterator[tuple[str, Any]]:
    """Kinds of mutation, each with what a field of an event could say instead."""
    record = records[row]
    if record["type"] == "option_elected":
        # What a table elects is a kind of mutation of its own.
        return
    known = schema.events[record["type"]].fields.get(field)
    if known is None or field in _FREE or record.get(field) is None:
        return
    for value in _others(known, records, row, field):
        if value != record[field]:
            yield kind_of_change(known), value


def _others(known: FieldType, records: Sequence[Record], row: int, field: str) -> Iterator[Any]:
    value = records[row][field]
    name = known.kind.name
    if name == "role":
        yield from ("player", "dealer", "floorperson")
    elif known.kind.enum:
        words = known.kind.enum.values
        at = words.index(value)
        seen = _seen(records, row, field)
        yield from seen[:1]
        yield from (
            word for word in (words[at - 1], words[(at + 1) % len(words)]) if word not in seen[:1]
        )
    elif name == "seat":
        yield from _seen(records, row, field)[:1] or [value % 7 + 1]
    elif name == "money":
        yield from (value + _CHIP, 4 * value + 100 * _CHIP)
        if value > _CHIP:
            yield value - _CHIP
    elif name == "flag":
        yield not value
    elif name in ("number", "duration"):
        yield from (value + 1, 10 * value + 1000)
        if value > 0:
            yield from (value - 1, 0)
    elif name == "text":
        yield (_seen(records, row, field) or [f"{value}-2"])[0]
    elif name == "card":
        yield _other_card(value)
    elif name == "cards":
        cards = value.split()
        yield " ".join([_other_card(cards[0]), *cards[1:]])
        if len(cards) > 1:
            yield " ".join(cards[:-1])
    elif name == "odds":
        gain, _, per = value.partition(" to ")
        yield f"{int(gain) + 1} to {per}"
    elif name == "time":
        yield value + HOUR
        yield value - HOUR


def _seen(records: Sequence[Record], row: int, field: str) -> list[Any]:
    """Other values that the field has in like events, the nearest first."""
    own = records[row]
    near = sorted(range(max(0, row - 60), min(len(records), row + 60)), key=lambda n: abs(n - row))
    found: dict[Any, None] = {}
    for place in near:
        record = records[place]
        if record["type"] == own["type"] and record.get(field) not in (None, own[field]):
            found.setdefault(record[field])
    return list(found)


def _other_card(card: str) -> str:
    rank, suit = card[:-1], card[-1]
    if rank not in _RANKS:
        return card
    return f"{_RANKS[(_RANKS.index(rank) + 5) % len(_RANKS)]}{suit}"
