"""The schema: every event type, enum and option that logs and rules may speak of."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from inspect import get_annotations
from typing import TYPE_CHECKING, Annotated, Any, get_args

from event_schemas import builtin_options, enums
from event_schemas.events import event_classes
from event_schemas.events.base import TableEvent, name_of
from event_schemas.kinds import TEXT, EnumType, Kind, format_value
from event_schemas.options import OptionType

if TYPE_CHECKING:
    from pydantic import BaseModel


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
    subject: str = ""
    """What it belongs to, in words; empty for one that a schema file describes."""

    @cached_property
    def model(self) -> type[BaseModel]:
        """The pydantic model that checks a record of this type."""
        return _build_model(self)

    def __getstate__(self) -> dict[str, Any]:
        # A model cannot travel to another process: it is built again there.
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


SHARED_FIELDS: tuple[str, ...] = tuple(get_annotations(TableEvent))


@lru_cache(maxsize=1)
def builtin_schema() -> Schema:
    """The vocabulary of casino table games that comes with the product."""
    known = [item for item in vars(enums).values() if isinstance(item, EnumType)]
    known += [option.kind.enum for option in builtin_options.OPTIONS if option.kind.enum]
    return Schema(
        name="builtin",
        events={event.name: event for event in map(_event_type, event_classes())},
        enums={enum.name: enum for enum in known},
        options={option.name: option for option in builtin_options.OPTIONS},
    )


def shared_fields() -> dict[str, FieldType]:
    """The fields that every event of every schema has."""
    return dict(_own_fields(TableEvent))


def _event_type(described: type[TableEvent]) -> EventType:
    # The shared fields first, then the event's own fields in the order in which they are written.
    fields: dict[str, FieldType] = {}
    for part in reversed(described.__mro__[:-1]):
        fields |= _own_fields(part)
    subject = (sys.modules[described.__module__].__doc__ or "").strip().splitlines()[0].rstrip(".")
    return EventType(name_of(described), (described.__doc__ or "").strip(), fields, subject)


@lru_cache
def _own_fields(described: type[TableEvent]) -> Mapping[str, FieldType]:
    """The fields that a class itself describes."""
    found = {}
    for name, annotation in get_annotations(described, eval_str=True).items():
        # One that says no more than its kind is described where it is shared.
        info = vars(described).get(name)
        doc = info.description if info is not None else vars(TableEvent)[name].description
        required = info is None or info.is_required()
        found[name] = FieldType(name, _kind_of(annotation), required, doc)
    return found


def _kind_of(annotation: object) -> Kind:
    """The kind that a field's annotation carries, also inside `X | None`."""
    for part in (annotation, *get_args(annotation)):
        for mark in getattr(part, "__metadata__", ()):
            if isinstance(mark, Kind):
                return mark
    return TEXT


def _build_model(event: EventType) -> type[BaseModel]:
    """A pydantic model of an event type."""
    from pydantic import ConfigDict, create_model

    fields: dict[str, Any] = {
        item.name: (Annotated[object, item.kind], ...)
        if item.required
        else (Annotated[object, item.kind] | None, None)
        for item in event.fields.values()
    }
    class_name = "".join(part.capitalize() for part in event.name.split("_"))
    only_these = ConfigDict(frozen=True, extra="forbid")
    model: type[BaseModel] = create_model(class_name, __config__=only_these, **fields)
    return model
