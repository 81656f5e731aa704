"""`compliance schema page`: the whole vocabulary as one Markdown page, docs/vocabulary.md."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from compliance.api.opening import open_schema
from event_schemas import EventType, FieldType, Schema, format_value

_HEAD = """\
# The vocabulary

Every event that a log can hold and a rule can speak of, with its fields; then the words that a
field can hold, and what a licensee can elect. `compliance schema show NAME` tells of one of them.

This page is written by `compliance schema page`, and tested to be what that command writes.
"""


def write_page(schema_file: Path | None) -> int:
    """Write the page to the standard output."""
    sys.stdout.write(vocabulary_page(open_schema(schema_file)))
    return 0


def vocabulary_page(schema: Schema) -> str:
    """The page of a vocabulary."""
    events = list(schema.events.values())
    shared = [name for name in events[0].fields if _in_all(name, events)]
    lines = [_HEAD, "## Fields of every event\n"]
    lines += _table(events[0].fields[name] for name in shared)
    subject = None
    for event in sorted(events, key=lambda item: _subject(item)):
        if _subject(event) != subject:
            subject = _subject(event)
            lines.append(f"\n## {subject}")
        lines.append(f"\n### {event.name}\n\n{event.doc}\n")
        own = [field for name, field in event.fields.items() if name not in shared]
        lines += _table(own) if own else ["No fields of its own."]
    lines.append("\n## Words of a field\n\n| list | words |\n|---|---|")
    for enum in schema.enums.values():
        ranked = " (from lowest to highest)" if enum.ordered else ""
        words = ", ".join(f"`{word}`" for word in enum.values)
        lines.append(f"| `{enum.name}`: {_cell(enum.doc)}{ranked} | {words} |")
    lines.append(
        "\n## What a licensee can elect\n\n| option | kind | if nothing was elected | law |"
        "\n|---|---|---|---|"
    )
    for option in schema.options.values():
        unset = option.default is None
        default = "not known" if unset else f"`{format_value(option.kind, option.default)}`"
        lines.append(
            f"| `{option.name}`: {_cell(option.doc)} | {option.kind.name} | {default} "
            f"| {option.citation} |"
        )
    return "\n".join(lines) + "\n"


def _in_all(name: str, events: list[EventType]) -> bool:
    return all(name in event.fields for event in events)


def _subject(event: EventType) -> str:
    return event.subject or "Added by the schema file"


def _table(fields: Iterator[FieldType] | list[FieldType]) -> list[str]:
    rows = [
        f"| `{item.name}` | {item.kind.name} | {'yes' if item.required else ''} "
        f"| {_cell(item.doc)} |"
        for item in fields
    ]
    return ["| field | kind | required | meaning |", "|---|---|---|---|", *rows]


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
