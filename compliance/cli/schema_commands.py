"""`compliance schema`: the vocabulary that logs and rules are written in."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from compliance.api.opening import open_schema
from compliance.api.refusal import unknown
from compliance.cli.screen import Column, Screen, Styled
from event_schemas import (
    EnumType,
    EventType,
    FieldType,
    OptionType,
    Schema,
    builtin_schema,
    did_you_mean,
    export,
    format_value,
)
from reports.run_schema import run_schema
from reports.wording import counted

VERSION = "1"
"""Of the keys in JSON answers; it changes when a key changes its name or meaning."""


def list_schema(schema_file: Path | None, form: str) -> int:
    """All event types by subject, then the enums and the licensee's options."""
    schema = open_schema(schema_file)
    screen = Screen()
    if form == "json":
        screen.json(
            {
                "schema_version": VERSION,
                "schema": schema.name,
                "fingerprint": schema.fingerprint,
                "events": [
                    {"name": e.name, "group": _group(e), "doc": e.doc}
                    for e in schema.events.values()
                ],
                "enums": [_enum_data(enum) for enum in schema.enums.values()],
                "options": [_option_data(option) for option in schema.options.values()],
            }
        )
        return 0
    groups: dict[str, list[EventType]] = {}
    for event in schema.events.values():
        groups.setdefault(_group(event), []).append(event)
    for title, events in groups.items():
        _listing(screen, title, {event.name: event.doc for event in events})
    _listing(screen, "Enums", {enum.name: enum.doc for enum in schema.enums.values()})
    _listing(screen, "Options", {item.name: item.doc for item in schema.options.values()})
    screen.line(
        f"{counted(len(schema.events), 'event type')}, {counted(len(schema.enums), 'enum')}, "
        f"{counted(len(schema.options), 'option')} in the schema {schema.name}. "
        "`compliance schema show NAME` tells more of each."
    )
    return 0


def show_schema(name: str, schema_file: Path | None, form: str) -> int:
    """Everything of that name: one word can be both an enum and an option."""
    schema = open_schema(schema_file)
    screen = Screen()
    event, enum, option = (
        schema.events.get(name),
        schema.enums.get(name),
        schema.options.get(name),
    )
    if event is None and enum is None and option is None:
        known = (*schema.events, *schema.enums, *schema.options)
        what = "event type, enum or option"
        raise unknown(what, name, did_you_mean(name, known), "`compliance schema list`")
    if form == "json":
        screen.json(
            {
                "schema_version": VERSION,
                "name": name,
                "event": event and _event_data(event),
                "enum": enum and _enum_data(enum),
                "option": option and _option_data(option),
            }
        )
        return 0
    if event:
        _show_event(screen, event)
    if enum:
        _show_enum(screen, enum, schema)
    if option:
        _show_option(screen, option)
    return 0


def export_schema(name: str | None, schema_file: Path | None) -> int:
    """The JSON Schema of a log record."""
    schema = open_schema(schema_file)
    if name is not None and name not in schema.events:
        close = did_you_mean(name, schema.events)
        raise unknown("event type", name, close, "`compliance schema list`")
    Screen(sys.stdout).json(export(schema, name))
    return 0


def export_result_schema() -> int:
    """The JSON Schema of a result; docs/run.schema.json holds the same."""
    Screen(sys.stdout).json(run_schema())
    return 0


# ---- text ----------------------------------------------------------------------------------


def _group(event: EventType) -> str:
    """The subject that an event type belongs to, in words."""
    # A schema file that adds a field to a built-in event does not move it.
    known = builtin_schema().events.get(event.name, event)
    return event.subject or known.subject or "Added by the schema file"


def _listing(screen: Screen, title: str, docs: Mapping[str, str]) -> None:
    if not docs:
        return
    screen.line(Styled(title, "bold"))
    width = max(map(len, docs))
    for name, doc in docs.items():
        first = doc.splitlines()[0] if doc else ""
        screen.line(Styled(name.ljust(width), "cyan"), "  ", first, indent=2)
    screen.line()


def _show_event(screen: Screen, event: EventType) -> None:
    screen.line(Styled(event.name, "bold cyan"), Styled("  event type", "dim"))
    screen.line(event.doc)
    screen.line()
    screen.table(
        (Column("field"), Column("kind"), Column("required"), Column("meaning", wraps=True)),
        [_field_row(item) for item in event.fields.values()],
    )
    screen.line()


def _field_row(item: FieldType) -> tuple[Styled, str, str, str]:
    return (Styled(item.name, "cyan"), item.kind.name, "yes" if item.required else "", item.doc)


def _show_enum(screen: Screen, enum: EnumType, schema: Schema) -> None:
    ranked = ", from lowest to highest" if enum.ordered else ""
    screen.line(Styled(enum.name, "bold cyan"), Styled(f"  enum{ranked}", "dim"))
    screen.line(enum.doc)
    screen.line()
    for word in enum.values:
        screen.line(word, indent=2)
    screen.line()
    places = [
        f"{event.name}.{item.name}"
        for event in schema.events.values()
        for item in event.fields.values()
        if item.kind.enum == enum
    ]
    places += [f"option {item.name}" for item in schema.options.values() if item.kind.enum == enum]
    if places:
        screen.line(Styled("Used in ", "dim"), ", ".join(places))
        screen.line()


def _show_option(screen: Screen, option: OptionType) -> None:
    screen.line(Styled(option.name, "bold cyan"), Styled("  option of the licensee", "dim"))
    screen.line(option.doc)
    screen.line()
    words = f" ({', '.join(option.kind.enum.values)})" if option.kind.enum else ""
    default = _default(option)
    screen.table(
        (Column("what"), Column("value", wraps=True)),
        [
            ("kind", option.kind.name + words),
            ("if nothing was elected", "not known" if default is None else default),
            ("citation", option.citation),
        ],
    )
    screen.line()


def _default(option: OptionType) -> str | None:
    return None if option.default is None else format_value(option.kind, option.default)


# ---- data ----------------------------------------------------------------------------------


def _event_data(event: EventType) -> dict[str, Any]:
    return {
        "doc": event.doc,
        "group": _group(event),
        "fields": [
            {"name": i.name, "kind": i.kind.name, "required": i.required, "doc": i.doc}
            for i in event.fields.values()
        ],
    }


def _enum_data(enum: EnumType) -> dict[str, Any]:
    return {
        "name": enum.name,
        "doc": enum.doc,
        "ordered": enum.ordered,
        "values": list(enum.values),
    }


def _option_data(option: OptionType) -> dict[str, Any]:
    return {
        "name": option.name,
        "doc": option.doc,
        "kind": option.kind.name,
        "default": _default(option),
        "citation": option.citation,
    }
