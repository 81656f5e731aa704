"""Says in our words what the records of another system say in theirs.

A mapping is applied to each record by itself; what comes out are records of our own vocabulary,
which are then checked like those of any other log. A record that no section of the mapping fits is
set aside, never dropped.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, tzinfo
from fractions import Fraction
from functools import cached_property
from typing import Any, Final, Literal

import msgspec

from compliance.log.lost_lines import KnownOfLine, known_of_record
from compliance.log.raw import Single

Overlap = Literal["refuse", "first", "second"]
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
EPOCHS: Final[dict[str, int]] = {
    "epoch seconds": 1_000_000,
    "epoch milliseconds": 1_000,
    "epoch microseconds": 1,
}
_MISSING: Final = object()


@dataclass(frozen=True)
class FieldRule:
    """Where one of our fields comes from, and how its value is turned into ours."""

    name: str
    path: tuple[str, ...] = ()
    """The column, or the way into nested objects. Empty for a constant."""
    constant: object = None
    values: dict[str, object] | None = None
    """Their value -> ours; a value that is not listed is not understood."""
    time: str | None = None
    money: str | None = None
    """`cents` or `dollars`: what a plain number means."""


@dataclass(frozen=True)
class EventRule:
    """Which records are events of one type."""

    type: str
    when: dict[tuple[str, ...], frozenset[str]] = field(default_factory=dict)
    fields: tuple[FieldRule, ...] = ()


@dataclass(frozen=True)
class Mapping:
    """How the records of one system become events."""

    name: str
    fields: tuple[FieldRule, ...]
    """For every record."""
    events: tuple[EventRule, ...] = ()
    leave_out: tuple[dict[tuple[str, ...], frozenset[str]], ...] = ()
    ignore: tuple[tuple[str, ...], ...] = ()
    others: Literal["refuse", "ignore", "keep"] = "refuse"
    zone: tzinfo | None = None
    overlap: Overlap = "refuse"

    @cached_property
    def used(self) -> frozenset[tuple[str, ...]]:
        """Every column that some part of the mapping names."""
        rules = [*self.fields, *(rule for event in self.events for rule in event.fields)]
        conditions = [*self.leave_out, *(event.when for event in self.events)]
        return frozenset(
            [
                *(rule.path for rule in rules if rule.path),
                *(path for condition in conditions for path in condition),
                *self.ignore,
            ]
        )


@dataclass
class MappedLines:
    """Records in our words as JSON lines, each with the line and the text that it came from."""

    data: bytes
    numbers: list[int]
    texts: list[str]
    unmapped: list[Single]
    left_out: int = 0
    numbers_left_out: list[tuple[str, str, int]] = field(default_factory=list)
    """Casino, table and sequence number of the records that were left out, where they tell."""


class _NotUnderstood(Exception):
    """A value that the mapping does not cover: one sentence."""


def mapped_lines(mapping: Mapping, records: Iterable[Single]) -> MappedLines:
    """Map every record; those that cannot be mapped keep their reason."""
    lines = MappedLines(b"", [], [], [])
    encoded: list[bytes] = []
    for single in records:
        if isinstance(single.record, str):
            lines.unmapped.append(single)
            continue
        try:
            events = map_record(mapping, single.record)
        except _NotUnderstood as problem:
            known = _known(mapping, single.record)
            lines.unmapped.append(Single(single.line, str(problem), single.text, known))
            continue
        if not events:
            lines.left_out += 1
            lines.numbers_left_out += _number(mapping, single.record)
        for event in events:
            encoded.append(msgspec.json.encode(event, enc_hook=str) + b"\n")
            lines.numbers.append(single.line)
            lines.texts.append(single.text)
    lines.data = b"".join(encoded)
    return lines


def map_record(mapping: Mapping, record: dict[str, Any]) -> list[dict[str, Any]]:
    """The events that a record tells of; none when the mapping leaves it out on purpose."""
    if any(_fits(record, condition) for condition in mapping.leave_out):
        return []
    common = _fields(mapping, mapping.fields, record)
    common |= _others(mapping, record)
    if not mapping.events:
        return [common]
    fitting = [event for event in mapping.events if _fits(record, event.when)]
    if not fitting:
        raise _NotUnderstood(_no_section(mapping, record))
    events = []
    for number, event in enumerate(fitting, start=1):
        made = common | {"type": event.type} | _fields(mapping, event.fields, record)
        if number > 1 and "id" in made:
            # One record that tells of two events: each needs a name of its own.
            made["id"] = f"{made['id']}-{number}"
        events.append(made)
    return events


def _number(mapping: Mapping, record: dict[str, Any]) -> list[tuple[str, str, int]]:
    """Which number of which table a record has that is left out: there, no event is missing."""
    try:
        made = _fields(mapping, mapping.fields, record) | _others(mapping, record)
        return [(str(made["casino"]), str(made["table"]), int(made["seq"]))]
    except (_NotUnderstood, KeyError, TypeError, ValueError):
        return []


def _known(mapping: Mapping, record: dict[str, Any]) -> KnownOfLine:
    """What is understood of a record that is not understood as a whole."""
    made: dict[str, Any] = {}
    for rule in mapping.fields:
        try:
            made |= _fields(mapping, [rule], record)
        except _NotUnderstood:
            continue
    fitting = [event.type for event in mapping.events if _fits(record, event.when)]
    if mapping.events:
        # The type of several events in one record is not that of the first.
        made["type"] = fitting[0] if len(fitting) == 1 else None
    return known_of_record(made)._replace(records=max(1, len(fitting)))


def _no_section(mapping: Mapping, record: dict[str, Any]) -> str:
    paths = dict.fromkeys(path for event in mapping.events for path in event.when)
    shown = ", ".join(f"{'.'.join(path)} is {_said(_at(record, path))}" for path in paths)
    return f"No section of the mapping {mapping.name} fits this record: {shown}."


def _fields(mapping: Mapping, rules: Iterable[FieldRule], record: dict[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for rule in rules:
        if not rule.path:
            made[rule.name] = rule.constant
            continue
        value = _at(record, rule.path)
        if value is not _MISSING and value is not None and value != "":
            made[rule.name] = _turned(mapping, rule, value)
    return made


def _turned(mapping: Mapping, rule: FieldRule, value: Any) -> Any:
    if rule.values is not None:
        key = _plain(value)
        if key not in rule.values:
            raise _NotUnderstood(
                f'The mapping {mapping.name} does not say what "{key}" means for {rule.name}.'
            )
        return rule.values[key]
    if rule.time is not None:
        return _time(mapping, rule, value)
    if rule.money is not None:
        return _money(rule, value)
    if isinstance(value, datetime) and value.tzinfo is None:
        return _zoned(mapping, rule, value)
    return value.isoformat() if isinstance(value, date) else value


def _time(mapping: Mapping, rule: FieldRule, value: Any) -> str:
    assert rule.time is not None
    try:
        if isinstance(value, datetime):
            moment = value
        elif rule.time in EPOCHS:
            exact = Fraction(str(value)) * EPOCHS[rule.time]
            moment = _EPOCH + timedelta(microseconds=int(exact))
            return moment.astimezone(mapping.zone or UTC).isoformat()
        elif rule.time == "iso":
            moment = datetime.fromisoformat(str(value))
        else:
            moment = datetime.strptime(str(value), rule.time)
    except (ValueError, OverflowError):
        raise _NotUnderstood(
            f'The field {rule.name} holds "{value}", which is not a time written as {rule.time}.'
        ) from None
    return moment.isoformat() if moment.tzinfo else _zoned(mapping, rule, moment)


def _zoned(mapping: Mapping, rule: FieldRule, moment: datetime) -> str:
    if mapping.zone is None:
        raise _NotUnderstood(
            f"The time {moment.isoformat()} has no offset from UTC, and the mapping names no zone."
        )
    first = moment.replace(tzinfo=mapping.zone, fold=0)
    second = moment.replace(tzinfo=mapping.zone, fold=1)
    if first.utcoffset() == second.utcoffset():
        return first.isoformat()
    if first.astimezone(UTC).astimezone(mapping.zone).replace(tzinfo=None) != moment:
        raise _NotUnderstood(
            f"The time {moment.isoformat()} does not exist: the clocks were put forward over it."
        )
    if mapping.overlap == "refuse":
        raise _NotUnderstood(
            f"The time {moment.isoformat()} happened twice, as the clocks were put back; only an "
            "offset, or overlap in the mapping, can tell which is meant."
        )
    return (first if mapping.overlap == "first" else second).isoformat()


def _money(rule: FieldRule, value: Any) -> int:
    text = str(value).strip().replace("$", "").replace(",", "")
    try:
        cents = Fraction(text) * (100 if rule.money == "dollars" else 1)
    except (ValueError, ZeroDivisionError):
        cents = Fraction(1, 2)
    if isinstance(value, bool) or cents.denominator != 1:
        raise _NotUnderstood(
            f'The field {rule.name} holds "{value}", which is not an amount in {rule.money}.'
        )
    return cents.numerator


def _others(mapping: Mapping, record: dict[str, Any]) -> dict[str, Any]:
    """What no part of the mapping names: kept, ignored or refused, as the mapping says."""
    if mapping.others == "ignore":
        return {}
    used = mapping.used
    left = {
        path: value
        for path, value in _leaves(record, used)
        if value is not None and value != "" and path not in used
    }
    if mapping.others == "keep":
        return {path[-1]: value for path, value in left.items()}
    if left:
        name = ".".join(next(iter(left)))
        raise _NotUnderstood(
            f'The mapping {mapping.name} does not say what the column "{name}" is; '
            "name it under ignore if it does not matter."
        )
    return {}


def _leaves(
    record: dict[str, Any], used: frozenset[tuple[str, ...]], above: tuple[str, ...] = ()
) -> Iterable[tuple[tuple[str, ...], Any]]:
    for name, value in record.items():
        path = (*above, name)
        if path in used:
            continue
        if isinstance(value, dict):
            yield from _leaves(value, used, path)
        elif tuple(".".join(path).split(".")) not in used:
            yield path, value


def _fits(record: dict[str, Any], condition: dict[tuple[str, ...], frozenset[str]]) -> bool:
    return all(_plain(_at(record, path)) in values for path, values in condition.items())


def _at(record: dict[str, Any], path: tuple[str, ...]) -> Any:
    """The value at a path; a flat column whose name has dots in it is found too."""
    value: Any = record
    for step in path:
        if not isinstance(value, dict) or step not in value:
            return record.get(".".join(path), _MISSING) if len(path) > 1 else _MISSING
        value = value[step]
    return value


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None or value is _MISSING else str(value)


def _said(value: Any) -> str:
    return f'"{value}"' if _plain(value) else "missing"
