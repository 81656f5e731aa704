"""What every way of judging takes for granted: the choices of a run, and why a value is absent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import Enum
from fractions import Fraction
from typing import Any

from compliance.values.codes import LARGEST
from compliance.values.elected_options import ElectedOptions
from compliance.values.moments import MICROSECOND
from event_schemas import PLAIN_KINDS, Schema, parse_value
from rules_dsl import core


@dataclass(frozen=True)
class Circumstances:
    """What holds throughout a run: the rulebook, the vocabulary, and the choices made."""

    rulebook: core.Rulebook
    schema: Schema
    options: ElectedOptions
    readings: dict[str, str]
    settings: dict[str, object]


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


def edition_for(rule: core.Rule, day: date, rulebook: core.Rulebook) -> core.Edition | None:
    """The edition that is applied to what happens on a day: that of the day, as a rule."""
    law_of = rulebook.law_of
    return edition_on(rule, day if law_of is None else date.fromisoformat(law_of))


def edition_on(rule: core.Rule, day: date) -> core.Edition | None:
    """The edition of a rule that is in force on a day, if any is."""
    text = day.isoformat()
    for edition in rule.editions:
        begun = edition.since is None or edition.since <= text
        if begun and (edition.until is None or text < edition.until):
            return edition
    return None


class Absent(Enum):
    """Why there is no value."""

    NOTHING = "nothing"  # there is no such event
    MISSING = "missing"  # the event is there, but the log does not record the field
    OPEN = "open"  # the log ends before it can be known


def known_number(value: Any) -> Any:
    """A value as it is; a number or a length of time that is too large to be told is missing."""
    number = value // MICROSECOND if isinstance(value, timedelta) else value
    if not isinstance(number, int | Fraction):
        return value
    return value if max(abs(number.numerator), number.denominator) <= LARGEST else Absent.MISSING


def constant(const: core.Const) -> Any:
    """The value that a constant stands for."""
    if const.kind == "none":
        return Absent.NOTHING
    kind = PLAIN_KINDS.get(const.kind)
    try:
        return const.text if kind is None else known_number(parse_value(kind, const.text))
    except OverflowError:
        # A length of time that is too large to be told.
        return Absent.MISSING
