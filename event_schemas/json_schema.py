"""Exports the vocabulary as JSON Schema, so that any system can check its own log records."""

from __future__ import annotations

from typing import Any, Final

from event_schemas.kinds import EnumType, Kind
from event_schemas.registry import EventType, Schema

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

_CARD: Final = r"^([2-9AJQKT]|10)[SHDC]$|^JOKER$"
_MONEY: Final = r"^-?\$(\d{1,3}(,\d{3})+|\d+)(\.\d{1,2})?$|^-?(\d{1,3}(,\d{3})+|\d+)\.\d{1,2}$"

_KINDS: Final[dict[str, dict[str, Any]]] = {
    "number": {"type": ["number", "string"], "description": "A number"},
    "money": {
        "oneOf": [{"type": "integer"}, {"type": "string", "pattern": _MONEY}],
        "description": "Whole cents as an integer, or text such as $25.50",
    },
    "odds": {
        "type": "string",
        "pattern": r"^\d+(\.\d+)?\s*(to|:)\s*\d+(\.\d+)?$",
        "description": "Odds such as 3 to 2",
    },
    "duration": {
        "type": ["integer", "string"],
        "description": "Whole seconds as an integer, or text such as 30 minutes",
    },
    "time": {
        "type": "string",
        "pattern": r"(Z|[+-]\d{2}:?\d{2}(:\d{2})?)(\[[^\]]+\])?$",
        "description": "ISO 8601 with the offset from UTC",
    },
    "date": {"type": "string", "format": "date", "description": "A day such as 1982-09-15"},
    "card": {
        "type": "string",
        "pattern": _CARD,
        "description": "A card such as 9S, 10H or JOKER",
    },
    "rank": {"type": "string", "description": "A rank such as ace, ten or king"},
    "suit": {"enum": ["spades", "hearts", "diamonds", "clubs"], "description": "A suit"},
    "seat": {"type": "integer", "minimum": 1, "description": "A seat number, from 1"},
    "text": {"type": ["string", "integer"], "description": "A name or free words"},
    "flag": {"type": "boolean", "description": "True or false"},
    "cards": {
        "type": "array",
        "items": {"type": "string", "pattern": _CARD},
        "description": "A list of cards",
    },
    "percent": {"type": "string", "description": "A percentage such as 5%"},
}


def export(schema: Schema, event: str | None = None) -> dict[str, Any]:
    """The JSON Schema of one log record: of any event type, or of the one that is named."""
    if event is not None:
        chosen = schema.events[event]
        kinds = {item.kind for item in chosen.fields.values()}
        return {
            "$schema": DIALECT,
            "title": event,
            **_event(chosen),
            "$defs": {kind.name: _kind(kind) for kind in sorted(kinds, key=str)},
        }
    definitions = dict(_KINDS) | {name: _enum(enum) for name, enum in schema.enums.items()}
    definitions |= {f"event.{name}": _event(item) for name, item in schema.events.items()}
    return {
        "$schema": DIALECT,
        "title": f"One record of a log in the schema {schema.name}",
        "description": f"Schema fingerprint {schema.fingerprint}",
        "oneOf": [{"$ref": f"#/$defs/event.{name}"} for name in schema.events],
        "$defs": definitions,
    }


def _event(event: EventType) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    for item in event.fields.values():
        reference: dict[str, Any] = {"$ref": f"#/$defs/{item.kind.name}"}
        if not item.required:
            # A source may write null for what it did not record.
            reference = {"anyOf": [reference, {"type": "null"}]}
        properties[item.name] = reference | {"description": item.doc}
    properties["type"] = {"const": event.name, "description": event.fields["type"].doc}
    return {
        "type": "object",
        "description": event.doc,
        "properties": properties,
        "required": [item.name for item in event.fields.values() if item.required],
        "additionalProperties": False,
    }


def _kind(kind: Kind) -> dict[str, Any]:
    return _KINDS[kind.name] if kind.enum is None else _enum(kind.enum)


def _enum(enum: EnumType) -> dict[str, Any]:
    return {"enum": list(enum.values), "description": enum.doc}
