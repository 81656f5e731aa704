"""Reads one log record into an event, or says in plain sentences what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from event_schemas.event import OWN_ATTRIBUTES, Event
from event_schemas.kinds import expected
from event_schemas.limits import MOST_SHOWN
from event_schemas.registry import EventType, Schema
from event_schemas.suggestions import did_you_mean
from event_schemas.synonyms import SYNONYMS
from event_schemas.values import ValueProblem


@dataclass(frozen=True, slots=True)
class RecordProblem:
    """One thing wrong with one field of a record: what was found, and what belongs there."""

    field: str
    found: str
    expected: str
    message: str
    suggestion: str | None = None


def event_from_record(schema: Schema, record: Mapping[str, Any]) -> Event | list[RecordProblem]:
    """Read a record by the event type that it names; problems come back as values."""
    name = record.get("type")
    event_type = schema.events.get(name) if isinstance(name, str) else None
    if event_type is None:
        return [_unknown_type(schema, name)]
    try:
        model = event_type.model.model_validate(dict(record))
    except ValidationError as problems:
        # A record that is wrong all over is not wrong in its spelling, and may have been sent to
        # keep us busy.
        found = problems.errors(include_url=False)[:MOST_SHOWN]
        return [_problem(event_type, detail) for detail in found]
    values = {key: value for key, value in model if value is not None}
    base = {key: values.pop(key) for key in OWN_ATTRIBUTES}
    return Event(**base, fields=values)


def _unknown_type(schema: Schema, name: object) -> RecordProblem:
    wanted = "the name of an event type"
    if name is None:
        return RecordProblem("type", "nothing", wanted, "The record does not say its type.")
    suggestion = did_you_mean(str(name), schema.events)
    synonym = SYNONYMS.get(str(name))
    if synonym in schema.events:
        suggestion = synonym
    message = f'There is no event type "{name}".'
    return RecordProblem("type", str(name), wanted, message, suggestion)


def _problem(event_type: EventType, detail: ErrorDetails) -> RecordProblem:
    name = str(detail["loc"][0]) if detail["loc"] else "type"
    found = _shown(detail["input"])
    if detail["type"] == "extra_forbidden":
        close = did_you_mean(name, event_type.fields)
        message = f'The event type {event_type.name} has no field "{name}".'
        return RecordProblem(name, found, "no such field", message, close)
    known = event_type.fields[name]
    wanted = expected(known.kind)
    if detail["type"] == "missing":
        message = f"The field {name} is missing: {_lower_first(known.doc)}."
        return RecordProblem(name, "nothing", wanted, message)
    cause = detail.get("ctx", {}).get("error")
    if isinstance(cause, ValueProblem):
        message = f"The field {name} could not be read. {cause.message}"
        return RecordProblem(name, found, wanted, message, cause.suggestion)
    message = f"The field {name} holds {found}, but {wanted} belongs there."
    return RecordProblem(name, found, wanted, message)


def _shown(value: object) -> str:
    if value is None:
        return "nothing"
    text = str(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]
