"""Writes events and values as a person reads them in a report."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Final

from compliance.values.moments import as_shown_at, microseconds
from event_schemas import (
    PLAIN_KINDS,
    Event,
    LostRecord,
    Schema,
    format_money,
    format_value,
)
from event_schemas.lost_record import NO_LIMIT, UNRECORDED
from reports.model import Witness

_NAMED: Final = 3
"""Up to how many event types are named that may have happened unseen."""
_ARTICLE = re.compile(r"(?:^|\W)[aA] $")


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


def message_text(parts: Iterable[tuple[str, str]]) -> str:
    """A sentence from its parts: fixed words without a kind, and values, each with its kind.

    The words of a list are said as words: `discard rack`, and `an optional bonus`, not `a
    optional_bonus`. Texts of the log stay as they are.
    """
    said = ""
    for text, kind in parts:
        if kind and kind not in PLAIN_KINDS:
            text = text.replace("_", " ")
            if _ARTICLE.search(said) and text[:1] in "aeiou":
                said = f"{said[:-1]}n "
        said += text
    return said


def witness(event: Event, schema: Schema, part: str) -> Witness:
    """An event as evidence, with what it showed."""
    return Witness(
        event_id=event.id,
        ts=event.ts,
        type=event.type,
        casino=event.casino,
        table=event.table,
        seq=event.seq,
        line_text=event_line(event, schema),
        part=part,
    )


def event_line(event: Event, schema: Schema) -> str:
    """An event as one line, in the notation of the rulebook's examples; a lost record in words."""
    if isinstance(event, LostRecord):
        return _lost_line(event)
    known = schema.events[event.type].fields if event.type in schema.events else {}
    fields = []
    for name, value in event.fields.items():
        if value is not None:
            kind = known[name].kind.name if name in known else "text"
            fields.append(field_text(name, value_text(kind, _at_table(event, value))))
    return " ".join([event.type, *fields])


def _lost_line(record: LostRecord) -> str:
    """Which records are lost, and between which moments by the clock of the table."""
    begin, end = (f"{_at_table(record, moment):%H:%M:%S}" for moment in (record.ts, record.until))
    when = f"of {record.table} between {begin} and {end}"
    if record.type == UNRECORDED:
        names = sorted(record.may_be)
        what = " or ".join(names) if len(names) <= _NAMED else "what the source does not record"
        told = "is not always recorded" if len(names) <= _NAMED else "may have happened"
        return f"{what} {when} {told}"
    if record.times >= NO_LIMIT:
        return f"records from {record.seq} on {when} are lost"
    if record.times == 1:
        return f"record {record.seq} {when} is lost"
    return f"records {record.seq} to {record.seq + record.times - 1} {when} are lost"


def _at_table(event: Event, value: object) -> object:
    """A time as clocks at the table showed it, whatever the offset in which the log gives it."""
    offset = event.ts.utcoffset()
    if not isinstance(value, datetime) or offset is None:
        return value
    return as_shown_at(microseconds(value), offset // timedelta(minutes=1))


def field_text(name: str, text: str) -> str:
    """A field in the line of an event, with its value in words."""
    return f'{name}="{text}"' if " " in text else f"{name}={text}"
