"""Reads one record by itself: for rows that do not fit, to say in plain words why they do not."""

from __future__ import annotations

from datetime import datetime
from typing import Any, cast

from compliance.log.columns_by_kind import encoded_value
from compliance.log.layout import Layout
from compliance.log.times_in_columns import (
    EARLIEST_EVENT,
    FIRST_YEAR,
    LAST_YEAR,
    LATEST_EVENT,
    can_be_held,
)
from compliance.table_log.event_columns import field_column
from compliance.values.moments import microseconds
from event_schemas import Event, RecordProblem, ValueProblem, event_from_record
from event_schemas.limits import LARGEST_SEQ

Row = dict[str, Any]


def row_of_record(layout: Layout, record: dict[str, Any]) -> Row | str:
    """The row of the typed frame that a record makes, or a sentence about what is wrong."""
    # `null` and a field that is not there say the same: the source does not tell.
    present = {name: value for name, value in record.items() if value is not None}
    try:
        event = event_from_record(layout.schema, present)
        if isinstance(event, Event):
            return _row(layout, event)
    except ValueProblem as problem:
        return problem.message
    except (ValueError, OverflowError, ArithmeticError, RecursionError):
        return "A value of the record is too large to be checked."
    return " ".join(map(_sentence, event))


def _row(layout: Layout, event: Event) -> Row:
    instant = microseconds(event.ts)
    if not EARLIEST_EVENT <= instant <= LATEST_EVENT:
        raise ValueProblem(
            f"The time {event.ts.isoformat()} cannot be right: an event of a log lies between the "
            f"years {FIRST_YEAR} and {LAST_YEAR}."
        )
    if not isinstance(event.seq, int):
        raise ValueProblem(f"The field seq holds {event.seq}, but a whole number belongs there.")
    if abs(event.seq) > LARGEST_SEQ:
        raise ValueProblem(f"The field seq holds a number beyond {LARGEST_SEQ:,}.")
    offset = event.ts.utcoffset()
    assert offset is not None
    row: Row = {
        "id": event.id,
        "ts": instant,
        "offset": int(offset.total_seconds() // 60),
        "seq": event.seq,
        "type": layout.types[event.type],
        "casino": event.casino,
        "table": event.table,
    }
    known = layout.schema.events[event.type].fields
    for name, value in event.fields.items():
        kind = known[name].kind
        if kind.name == "time" and not can_be_held(microseconds(cast("datetime", value))):
            raise ValueProblem(f"The field {name} lies outside of the calendar.")
        try:
            above, below = encoded_value(kind, value)
        except ValueProblem as problem:
            raise ValueProblem(f"The field {name} could not be read. {problem.message}") from None
        column = field_column(name, kind.name)
        row[column] = above
        if below != 1:
            row[f"{column}:below"] = below
    return row


def _sentence(problem: RecordProblem) -> str:
    guess = f" Did you mean {problem.suggestion}?" if problem.suggestion else ""
    return problem.message + guess
