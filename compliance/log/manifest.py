"""The manifest of a log: which event types and fields its source records at all.

A rule that needs what a source never records is not evaluable there, which is something else than
complied. Without a manifest there is only what occurs in the log: less than the source may record.
What cannot happen at its tables (`never`) need not be recorded: a type of event, or one that some
word tells, such as a decision to give up a hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import polars as pl

from compliance.log.columns_by_kind import encoded_value
from compliance.log.layout import BASE
from compliance.log.problems import LogProblem
from compliance.log.toml_file import UserFile, read_user_file
from compliance.log.zones import zone_named
from compliance.table_log.event_columns import field_column
from compliance.table_log.frame import FIXED
from compliance.table_log.lost_rows import without_lost_rows
from event_schemas import Schema, ValueProblem, did_you_mean, from_log

_TOP: Final = ("source", "casino", "zone", "games", "always", "records", "never", "except", "some")
_OF_A_TYPE: Final = ("events", "fields")
_FLAGS: Final = ("yes", "no")
_LISTS: Final = {
    "never": "never is a list of what cannot happen at the tables of the source: event types, or "
    '"EVENT where FIELD is WORD".',
    "except": "except is a list of event types that the source does not record.",
    "some": "some is a list of event types that the source does not always record.",
}
_FOR_SOME: Final = re.compile(r"(\w+)\s+where\s+(\w+)\s+is\s+(\w+)")
Impossible = tuple[str, str, str]
"""An event type, a field of it, and a word that the field never holds."""


@dataclass(frozen=True)
class Manifest:
    """What a source records: the fields of each event type that it knows."""

    fields: Mapping[str, frozenset[str]] = field(hash=False)
    source: str = ""
    casino: str | None = None
    zone: str | None = None
    partly: frozenset[str] = frozenset()
    """The event types of which the source records some, but not all that happen."""
    never: frozenset[str] = frozenset()
    """The event types that cannot happen at its tables."""
    impossible: frozenset[Impossible] = frozenset()
    """Of other types, the events that cannot happen there."""
    games: tuple[str, ...] = ()
    """The games that are played at its tables; none where it does not tell."""

    always: Mapping[tuple[str, str], object] = field(default_factory=dict, hash=False)
    """By event type and field: what is the same in all events, and so not written down."""

    def records(self, event_type: str, name: str | None = None) -> bool:
        """Whether the source would record an event type, or a field of it, if it happened."""
        if event_type in self.never:
            return True
        known = self.fields.get(event_type)
        if known is None:
            return False
        return name is None or name in BASE or name in known

    @property
    def title(self) -> str:
        """The manifest as a sentence names it."""
        return self.source or self.casino or "the source"


def load_manifest(
    path: str | Path, schema: Schema
) -> tuple[Manifest | None, tuple[LogProblem, ...]]:
    """Read a manifest (TOML or JSON); with any problem there is none, and all are listed."""
    file = read_user_file(path)
    if file.problems:
        return None, file.sorted_problems()
    content = file.content
    file.check_keys(content, _TOP)
    fields: dict[str, frozenset[str]] = {}
    partly: set[str] = set()
    records = content.get("records")
    if records == "all":
        fields = {name: frozenset(event.fields) for name, event in schema.events.items()}
    elif isinstance(records, dict):
        for name, said in records.items():
            listed, some = _told(file, name, said)
            fields |= _event(file, schema, name, listed)
            partly |= {name} if some else set()
    else:
        message = 'records is "all", or a table of the event types that the source records.'
        file.add(("records",), message)
    partly |= set(_types(file, schema, "some"))
    for name in _types(file, schema, "except"):
        fields.pop(name, None)
    never, impossible = _never(file, schema)
    for name in sorted(never & fields.keys()):
        if records != "all":
            file.add(("never",), f"{name} is both recorded and said never to happen.")
        fields.pop(name)
    always = _always(file, schema, fields)
    zone = zone_named(file)
    manifest = Manifest(
        fields,
        file.text(content, "source") or "",
        file.text(content, "casino"),
        zone.key if zone else None,
        frozenset(partly - never),
        never,
        impossible,
        _games(file, schema),
        always,
    )
    return (None if file.problems else manifest), file.sorted_problems()


def _event(file: UserFile, schema: Schema, name: str, listed: object) -> dict[str, frozenset[str]]:
    where = ("records", name)
    event = schema.events.get(name)
    if event is None:
        message = f'There is no event type "{name}".'
        file.add(where, message, did_you_mean(name, schema.events))
        return {}
    if listed == "all":
        return {name: frozenset(event.fields)}
    if not isinstance(listed, list):
        message = f'{name} is "all", "some", or a list of the fields that are recorded.'
        file.add(where, message)
        return {}
    known = set(BASE)
    for item in listed:
        field_name = _for_some(file, schema, where, item) if isinstance(item, str) else str(item)
        if field_name not in event.fields:
            message = f'The event type {name} has no field "{field_name}".'
            file.add(where, message, did_you_mean(field_name, event.fields))
        known.add(field_name)
    return {name: frozenset(known)}


def _for_some(file: UserFile, schema: Schema, where: tuple[str, str], text: str) -> str:
    """The name of a field, of which the rest of the text may tell which events have it.

    What a rule asks of the other events is missing there, and found so when it is asked for.
    """
    if " " not in text:
        return text
    match = _FOR_SOME.fullmatch(text)
    if match is None:
        message = f'"{text}" is not the name of a field; for some events only: "FIELD where'
        file.add(where, f'{message} OTHER is WORD".')
        return text.split()[0]
    name, other, word = match.groups()
    fields = schema.events[where[1]].fields
    if other not in fields:
        message = f'The event type {where[1]} has no field "{other}".'
        file.add(where, message, did_you_mean(other, fields))
        return name
    try:
        from_log(fields[other].kind, word)
    except ValueProblem as problem:
        file.add(where, f"{other}: {problem.message}", problem.suggestion)
    return name


def _always(
    file: UserFile, schema: Schema, fields: dict[str, frozenset[str]]
) -> dict[tuple[str, str], object]:
    """Fields that have one value in all events of the types that are recorded."""
    found: dict[tuple[str, str], object] = {}
    for name, value in file.table(file.content.get("always", {}), ("always",)).items():
        where = ("always", name)
        bearers = [event for event in fields if name in schema.events[event].fields]
        if not bearers or name in BASE:
            every = {item for event in fields for item in schema.events[event].fields}
            message = f'No recorded event type has a field "{name}" that could be filled in.'
            file.add(where, message, did_you_mean(name, every - set(BASE)))
        for event in bearers:
            kind = schema.events[event].fields[name].kind
            if kind.enum is None and kind.name not in ("number", "flag", "seat"):
                file.add(where, f"{name} differs from event to event: it cannot always be {value}.")
                break
            try:
                found[event, name] = from_log(kind, value)
            except ValueProblem as problem:
                file.add(where, f"{name}: {problem.message}", problem.suggestion)
                break
            fields[event] |= {name}
    return found


def _games(file: UserFile, schema: Schema) -> tuple[str, ...]:
    """The games that are played, as the option `game` names them."""
    listed = file.content.get("games", [])
    option = schema.options.get("game")
    if option is None or not isinstance(listed, list):
        if "games" in file.content:
            file.add(("games",), "games is a list of the games that are played at the tables.")
        return ()
    for name in listed:
        try:
            from_log(option.kind, name)
        except ValueProblem as problem:
            file.add(("games",), f"games: {problem.message}", problem.suggestion)
    return tuple(map(str, listed))


def _told(file: UserFile, name: str, said: object) -> tuple[object, bool]:
    """The fields of a type that are recorded, and whether only some of its events are."""
    if said == "some":
        return "all", True
    if not isinstance(said, dict):
        return said, False
    where = ("records", name)
    file.check_keys(said, _OF_A_TYPE, where)
    events = said.get("events", "all")
    if events not in ("all", "some"):
        message = f'events of {name} is "all" or "some": whether each of them is recorded.'
        file.add((*where, "events"), message)
    return said.get("fields", "all"), events == "some"


def _types(file: UserFile, schema: Schema, key: str) -> list[str]:
    """A list of event types that something is said of."""
    listed = file.content.get(key, [])
    if not isinstance(listed, list):
        file.add((key,), _LISTS[key])
        return []
    if key != "never" and listed and file.content.get("records") != "all":
        file.add((key,), f'{key} goes with records = "all".')
    return [str(name) for name in listed if _is_type(file, schema, key, str(name))]


def _is_type(file: UserFile, schema: Schema, key: str, name: str) -> bool:
    if name not in schema.events:
        message = f'There is no event type "{name}".'
        file.add((key,), message, did_you_mean(name, schema.events))
    return name in schema.events


def _never(file: UserFile, schema: Schema) -> tuple[frozenset[str], frozenset[Impossible]]:
    """What cannot happen: whole event types, and events that one of their fields tells."""
    listed = file.content.get("never", [])
    if not isinstance(listed, list):
        file.add(("never",), _LISTS["never"])
        return frozenset(), frozenset()
    types: set[str] = set()
    impossible: set[Impossible] = set()
    for item in map(str, listed):
        match = _FOR_SOME.fullmatch(item)
        if match is None and " " in item.strip():
            file.add(("never",), f'"{item}" does not read "EVENT where FIELD is WORD".')
        elif match is None:
            types |= {item} if _is_type(file, schema, "never", item) else set()
        elif _is_type(file, schema, "never", match[1]) and _is_word(file, schema, *match.groups()):
            impossible.add((match[1], match[2], match[3]))
    for event, name in sorted({(event, name) for event, name, _ in impossible}):
        enum = schema.events[event].fields[name].kind.enum
        left = set(enum.values if enum else _FLAGS)
        if not left - {word for *what, word in impossible if what == [event, name]}:
            message = f'No {name} of {event} is left that can happen; write never = ["{event}"].'
            file.add(("never",), message)
    return frozenset(types), frozenset(i for i in impossible if i[0] not in types)


def _is_word(file: UserFile, schema: Schema, event: str, name: str, word: str) -> bool:
    """Whether a field holds one word of a list, and this is one of them."""
    fields = schema.events[event].fields
    if name not in fields:
        message = f'The event type {event} has no field "{name}".'
        file.add(("never",), message, did_you_mean(name, fields))
        return False
    enum = fields[name].kind.enum
    words = enum.values if enum else _FLAGS if fields[name].kind.name == "flag" else ()
    if not words:
        file.add(("never",), f"{name} of {event} is not one word of a list, nor yes or no.")
    elif word not in words:
        close = did_you_mean(word, words)
        file.add(("never",), f'"{word}" is not a {name} of {event}.', close)
    return word in words


def inferred_manifest(schema: Schema, frames: Iterable[pl.DataFrame]) -> Manifest:
    """What occurs in a log: the types, and of each type the fields that are ever filled."""
    names = tuple(schema.events)
    found: dict[str, set[str]] = {}
    for whole in frames:
        frame = without_lost_rows(schema, whole)
        columns = [name for name in frame.columns if name not in FIXED and ":below" not in name]
        counts = frame.group_by("type").agg(pl.col(columns).is_not_null().any())
        for row in counts.iter_rows(named=True):
            known = found.setdefault(names[row["type"]], set(BASE))
            known |= {column.split(":")[0] for column in columns if row[column]}
    ordered = {name: frozenset(found[name]) for name in names if name in found}
    return Manifest(ordered)


def denied_events(schema: Schema, frame: pl.DataFrame, manifest: Manifest) -> dict[str, str]:
    """What a log has although its manifest says that it is never, or not, recorded, each with the
    place of the first: such a manifest is not true."""
    names = tuple(schema.events)
    found = {}
    for number in frame["type"].unique().to_list():
        if number < len(names) and names[number] not in manifest.fields:
            found[names[number]] = _place(frame.filter(pl.col("type") == number))
    for event, name, word in sorted(manifest.impossible):
        there = impossible_events(schema, frame, (event, name, word))
        if len(there):
            found[f"{event} where {name} is {word}"] = _place(there)
    return found


def impossible_events(schema: Schema, frame: pl.DataFrame, what: Impossible) -> pl.DataFrame:
    """The events of a table that its manifest says cannot happen."""
    event, name, word = what
    kind = schema.events[event].fields[name].kind
    column = field_column(name, kind.name)
    if column not in frame.columns:
        return frame.clear()
    value, _ = encoded_value(kind, from_log(kind, word))
    number = tuple(schema.events).index(event)
    return frame.filter((pl.col("type") == number) & (pl.col(column) == pl.lit(value)))


def _place(events: pl.DataFrame) -> str:
    return f"{events['file'][0]}, line {events['line'][0]}"


def all_of(manifests: Sequence[Manifest]) -> Manifest:
    """What any of several sources records."""
    found: dict[str, frozenset[str]] = {}
    for manifest in manifests:
        for event, fields in manifest.fields.items():
            found[event] = found.get(event, frozenset()) | fields
    return Manifest(found)
