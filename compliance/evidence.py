"""Writes events and values as a person reads them in a report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from fractions import Fraction
from typing import NamedTuple

from event_schemas import PLAIN_KINDS, Event, Schema, format_money, format_value
from rules_dsl import core


def value_text(kind: str, value: object) -> str:
    """A value in words; amounts that are no whole number of cents keep their exact fraction."""
    if kind == "money" and isinstance(value, Fraction):
        if value.denominator != 1:
            return f"{format_money(int(value))} and {value - int(value)} cent"
        value = int(value)
    if kind == "flag":
        return "yes" if value else "no"
    plain = PLAIN_KINDS.get(kind)
    return str(value) if plain is None else format_value(plain, value)


class Written(NamedTuple):
    """An event as a report shows it: where it stands in the log, and one line that tells it."""

    id: str
    ts: datetime
    seq: int
    casino: str
    table: str
    type: str
    line: str


def written(event: Event, schema: Schema) -> Written:
    """An event as a report shows it."""
    line = event_line(event, schema)
    return Written(event.id, event.ts, event.seq, event.casino, event.table, event.type, line)


def event_line(event: Event, schema: Schema) -> str:
    """An event as one line, in the notation of the rulebook's examples."""
    known = schema.events[event.type].fields if event.type in schema.events else {}
    texts = (
        (name, value_text(known[name].kind.name if name in known else "text", value))
        for name, value in event.fields.items()
        if value is not None
    )
    return line_of(event.type, texts)


def line_of(event_type: str, texts: Iterable[tuple[str, str]]) -> str:
    """The line of an event, from its fields and their values in words."""
    fields = [f'{name}="{text}"' if " " in text else f"{name}={text}" for name, text in texts]
    return " ".join([event_type, *fields])


def slice_text(values: Mapping[str, object], schema: Schema, slice_: core.Slice) -> dict[str, str]:
    """The `for each` keys of a check as text."""
    kinds = {
        key: schema.events[name].fields[key].kind.name
        for name in slice_.relevant
        for key in values
        if key in schema.events[name].fields
    }
    return {
        key: "not recorded" if value is None else value_text(kinds[key], value)
        for key, value in values.items()
    }
