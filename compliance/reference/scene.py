"""The stretch of log that a rule is applied to: its slice, seen as one ordered list of events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any

from compliance.reference.answers import Absent, Truth
from compliance.reference.numbers import told
from compliance.values.elected_options import ElectedOptions
from event_schemas import PLAIN_KINDS, Event, LostRecord, Schema, parse_value
from rules_dsl import core


@dataclass(frozen=True)
class Circumstances:
    """What holds throughout a run: the rulebook, the vocabulary, and the choices made."""

    rulebook: core.Rulebook
    schema: Schema
    options: ElectedOptions
    readings: dict[str, str]
    settings: dict[str, object]


@dataclass(frozen=True)
class Scene:
    """The events of one slice, in order.

    `belongs[i]` is True where an event surely belongs to the slice, MISSING where the log does not
    record the field that would tell, and OPEN where the rest of the log will tell. `complete` says
    that no further event can belong to it. `run_of` is the interval of which it is a run, if it is.
    """

    events: Sequence[Event]
    belongs: Sequence[Truth]
    complete: bool
    known_until: datetime
    circumstances: Circumstances
    run_of: str | None = None


def circumstances(
    rulebook: core.Rulebook,
    schema: Schema,
    options: ElectedOptions,
    choices: Sequence[core.Choice] = (),
) -> Circumstances:
    """The defaults of the rulebook, overridden by the choices of a profile or an example."""
    readings = {name: item.default for name, item in rulebook.interpretations.items()}
    settings = {name: constant(item.value) for name, item in rulebook.settings.items()}
    for choice in choices:
        if choice.what == "reading":
            readings[choice.name] = choice.text
        elif choice.what == "setting":
            kind = rulebook.settings[choice.name].value.kind
            settings[choice.name] = constant(core.Const(kind, choice.text))
    return Circumstances(rulebook, schema, options, readings, settings)


def weight(event: Event) -> int:
    """How many records an event of a scene stands for: several may be lost at one place."""
    return event.times if isinstance(event, LostRecord) else 1


def absolute(moment: datetime) -> datetime:
    """The same moment with its offset from UTC alone.

    Python takes two moments of one named zone by the clock on the wall, which is an hour off in the
    nights in which the clocks are changed.
    """
    return moment.replace(tzinfo=timezone(moment.utcoffset() or timedelta()), fold=0)


def constant(const: core.Const) -> Any:
    """The value that a constant stands for."""
    if const.kind == "none":
        return Absent.NOTHING
    kind = PLAIN_KINDS.get(const.kind)
    try:
        return const.text if kind is None else told(parse_value(kind, const.text))
    except OverflowError:
        # A length of time that is too large to be told.
        return Absent.MISSING
