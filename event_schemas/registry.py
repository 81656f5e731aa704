"""The schema: every event type, enum and option that logs and rules may speak of."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Annotated, Any, get_args

from pydantic import create_model
from pydantic.fields import FieldInfo

from event_schemas import builtin_options, enums
from event_schemas.events import event_models
from event_schemas.events.base import TableEvent, name_of
from event_schemas.kinds import TEXT, EnumType, Kind, format_value
from event_schemas.options import OptionType


@dataclass(frozen=True, slots=True)
class FieldType:
    """One field of an event type: what kind of value it holds, and whether it must be there."""

    name: str
    kind: Kind
    required: bool
    doc: str


@dataclass(frozen=True)
class EventType:
    """One sort of event, with its fields; the fields that all events share are among them."""

    name: str
    doc: str
    fields: Mapping[str, FieldType] = field(hash=False)
    source: type[TableEvent] | None = None

    @cached_property
    def model(self) -> type[TableEvent]:
        """The pydantic model that checks a record of this type."""
        return self.source or _build_model(self)

    def __getstate__(self) -> dict[str, Any]:
        # A model built from a schema file cannot travel to another process: it is rebuilt there.
        return {key: value for key, value in self.__dict__.items() if key != "model"}


@dataclass(frozen=True)
class Schema:
    """The whole vocabulary that one set of logs and rules is written in."""

    name: str
    events: Mapping[str, EventType] = field(hash=False)
    enums: Mapping[str, EnumType] = field(hash=False)
    options: Mapping[str, OptionType] = field(hash=False)

    @cached_property
    def fingerprint(self) -> str:
        """A short proof of the content: equal for equal vocabularies, whatever their wording."""
        # Docs are left out: rewording an explanation changes no verdict.
        content = {
            "events": {
                event.name: {
                    item.name: [item.kind.name, item.required] for item in event.fields.values()
                }
                for event in self.events.values()
            },
            "enums": {enum.name: [enum.ordered, *enum.values] for enum in self.enums.values()},
            "options": {
                option.name: [
                    option.kind.name,
                    None if option.default is None else format_value(option.kind, option.default),
                ]
                for option in self.options.values()
            },
        }
        canonical = json.dumps(content, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()


SHARED_FIELDS: tuple[str, ...] = tuple(TableEvent.model_fields)


@lru_cache(maxsize=1)
def builtin_schema() -> Schema:
    """The vocabulary of casino table games that comes with the product."""
    known = [item for item in vars(enums).values() if isinstance(item, EnumType)]
    known += [option.kind.enum for option in builtin_options.OPTIONS if option.kind.enum]
    return Schema(
        name="builtin",
        events={event.name: event for event in map(_event_type, event_models())},
        enums={enum.name: enum for enum in known},
        options={option.name: option for option in builtin_options.OPTIONS},
    )


def shared_fields() -> dict[str, FieldType]:
    """The fields that every event of every schema has."""
    return _field_types(TableEvent)


def _event_type(model: type[TableEvent]) -> EventType:
    return EventType(name_of(model), (model.__doc__ or "").strip(), _field_types(model), model)


def _field_types(model: type[TableEvent]) -> dict[str, FieldType]:
    # The shared fields first, then the event's own fields in the order in which they are written.
    names = [*SHARED_FIELDS, *(name for name in model.model_fields if name not in SHARED_FIELDS)]
    return {name: _field_type(name, model.model_fields[name]) for name in names}


def _field_type(name: str, info: FieldInfo) -> FieldType:
    doc = info.description or TableEvent.model_fields[name].description or ""
    return FieldType(name, _kind_of(info), info.is_required(), doc)


def _kind_of(info: FieldInfo) -> Kind:
    """The kind that a field's annotation carries, also inside `X | None`."""
    for mark in (*info.metadata, *_marks(get_args(info.annotation))):
        if isinstance(mark, Kind):
            return mark
    return TEXT


def _marks(arguments: Iterable[object]) -> Iterable[object]:
    for argument in arguments:
        yield from getattr(argument, "__metadata__", ())


def _build_model(event: EventType) -> type[TableEvent]:
    """A pydantic model for an event type that a schema file describes."""
    fields: dict[str, Any] = {
        item.name: (
            _annotation(item),
            FieldInfo(description=item.doc)
            if item.required
            else FieldInfo(default=None, description=item.doc),
        )
        for item in event.fields.values()
        if item.name not in SHARED_FIELDS
    }
    class_name = "".join(part.capitalize() for part in event.name.split("_"))
    model: type[TableEvent] = create_model(
        class_name, __base__=TableEvent, __doc__=event.doc, **fields
    )
    return model


def _annotation(item: FieldType) -> Any:
    annotated = Annotated[object, item.kind]
    return annotated if item.required else annotated | None
