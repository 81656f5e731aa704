"""Reads a log of JSON lines plainly: every line becomes an event, or is set aside with its reason.

log = read_json_lines(path, builtin_schema())
log.events, log.set_aside, log.source
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from event_schemas import Event, RecordProblem, Schema, event_from_record
from reports.model import Input


@dataclass(frozen=True)
class SetAside:
    """A line that could not be read as an event, and why."""

    line: int
    reason: str


@dataclass(frozen=True)
class Log:
    """What a file holds: its events, and the lines that are none."""

    source: Input
    events: tuple[Event, ...]
    set_aside: tuple[SetAside, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the report has to know about this file."""
        return tuple(
            f"Line {bad.line} of {self.source.name} was set aside: {bad.reason}"
            for bad in self.set_aside
        ) + tuple(_unapplied(self.source.name, self.events))


def read_json_lines(path: Path, schema: Schema) -> Log:
    """Read a whole file. A bad line is set aside with its number; blank lines hold no record."""
    content = path.read_bytes()
    events: list[Event] = []
    set_aside: list[SetAside] = []
    lines_of_ids: dict[str, int] = {}
    for number, line in enumerate(content.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        if not line.strip():
            continue
        event = _read(line, schema)
        if isinstance(event, str):
            set_aside.append(SetAside(number, event))
        elif event.id in lines_of_ids:
            # Counted twice, one card dealt would look like two.
            before = lines_of_ids[event.id]
            reason = f"The record {event.id} was already read from line {before}."
            set_aside.append(SetAside(number, reason))
        else:
            lines_of_ids[event.id] = number
            events.append(event)
    digest = hashlib.sha256(content).hexdigest()
    source = Input(name=path.name, sha256=digest, events=len(events))
    return Log(source, tuple(events), tuple(set_aside))


def _read(line: bytes, schema: Schema) -> Event | str:
    """The event of a line, or a sentence about what is wrong with it."""
    try:
        record = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return "It is not valid JSON."
    if not isinstance(record, dict):
        return "It is not a record with named fields."
    event = event_from_record(schema, record)
    return event if isinstance(event, Event) else " ".join(map(_sentence, event))


def _sentence(problem: RecordProblem) -> str:
    guess = f" Did you mean {problem.suggestion}?" if problem.suggestion else ""
    return problem.message + guess


def _unapplied(name: str, events: tuple[Event, ...]) -> Iterator[str]:
    """This reader takes each record as it stands; say so where a record is about another one."""
    number = sum(
        event.get("corrects") is not None or event.get("voids") is not None for event in events
    )
    if number:
        yield (
            f"{number} of the records of {name} correct or cancel others; all were taken as they "
            "stand."
        )
