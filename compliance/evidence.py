"""Writes events and values as a person reads them in a report."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

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


def event_line(event: Event, schema: Schema) -> str:
    """An event as one line, in the notation of the rulebook's examples."""
    known = schema.events[event.type].fields if event.type in schema.events else {}
    words = [event.type]
    for name, value in event.fields.items():
        if value is None:
            continue
        kind = known[name].kind.name if name in known else "text"
        text = value_text(kind, value)
        words.append(f'{name}="{text}"' if " " in text else f"{name}={text}")
    return " ".join(words)


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
