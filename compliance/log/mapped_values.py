"""Turns single values of another system into ours: times, amounts, cards, words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta, tzinfo
from fractions import Fraction
from typing import Any, Final

from compliance.log.mapping import EPOCHS, FieldRule, Mapping, Path, ZoneByColumn
from event_schemas.limits import LONGEST_NUMERAL
from event_schemas.values import exact

MISSING: Final = object()
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_RANK: Final = re.compile("A|10|[2-9]|J|Q|K")
_RANKS: Final = {"T": "10", "0": "10", "1": "A", "12": "Q", "13": "K"}
_SUITS: Final = "SHDC"
_LONGEST_DAY: Final = len("2024-03-09")


class NotUnderstood(Exception):
    """A value that the mapping does not cover: one sentence."""


class Suits:
    """Gives cards without suits one, each rank in turn at its table, so that no card is there too
    often."""

    def __init__(self) -> None:
        self._next: dict[tuple[str, str], int] = {}

    def card(self, rule: FieldRule, text: str, table: str) -> str:
        rank = _rank(rule, text.strip())
        number = self._next.get((table, rank), 0)
        self._next[table, rank] = number + 1
        return rank + _SUITS[number % len(_SUITS)]


def _rank(rule: FieldRule, text: str) -> str:
    if rule.values is not None and text in rule.values:
        return str(rule.values[text])
    rank = _RANKS.get(text.upper(), text.upper())
    if rank == "11":
        raise NotUnderstood(
            f'The field {rule.name} holds "11": some count the ace so, others the jack; say which '
            'in the mapping, as in values = { 11 = "A" }.'
        )
    if not is_rank(rank):
        raise NotUnderstood(f'The field {rule.name} holds "{text}", which is not a rank.')
    return rank


def is_rank(text: str) -> bool:
    """Whether a text is what stands before the suit of a card."""
    return _RANK.fullmatch(text) is not None


def turned(
    mapping: Mapping,
    rule: FieldRule,
    value: Any,
    record: dict[str, Any],
    suits: Suits,
    table: str,
) -> Any:
    """One value in our words."""
    if rule.joined:
        value = " ".join(plain(item) for item in (value, *_values(rule.joined, record)))
    if not rule.suits:
        parts = _items(rule, value) if rule.split is not None or isinstance(value, list) else None
        if parts is not None:
            return " ".join(suits.card(rule, part, table) for part in parts)
        return suits.card(rule, plain(value), table)
    if rule.values is not None:
        key = plain(value)
        if key not in rule.values:
            raise NotUnderstood(
                f'The mapping {mapping.name} does not say what "{key}" means for {rule.name}.'
            )
        return rule.values[key]
    if rule.time is not None:
        return _time(mapping, rule, value, record)
    if rule.money is not None or rule.plus or rule.minus:
        return _amount(rule, value, record)
    if rule.split is not None:
        return " ".join(_items(rule, value))
    if isinstance(value, datetime) and value.tzinfo is None:
        return _zoned(mapping, value, record)
    return value.isoformat() if isinstance(value, date) else value


def _values(paths: Iterable[Path], record: dict[str, Any]) -> Iterable[Any]:
    return (at(record, path) for path in paths)


def _items(rule: FieldRule, value: Any) -> list[str]:
    items = value if isinstance(value, list) else items_of_text(plain(value), rule.split)
    refuse_holes(items, ".".join(rule.path))
    return [plain(item) for item in items if plain(item)]


def refuse_holes(items: Iterable[Any], name: str) -> None:
    """An empty item with others behind it is one that was not read: a hand without it is another
    hand. What is empty at the end was never there."""
    empty = 0
    for place, item in enumerate(items, start=1):
        if not plain(item):
            empty = empty or place
        elif empty:
            raise NotUnderstood(f"Item {empty} of {name} is empty, and others follow it.")


def items_of_text(text: str, mark: str | None) -> list[str]:
    """The items of a list that is written as a text, empty ones in their places."""
    if mark is None or not mark.strip():
        return text.split()
    return [part.strip() for part in text.split(mark)]


def _time(mapping: Mapping, rule: FieldRule, value: Any, record: dict[str, Any]) -> str:
    assert rule.time is not None
    try:
        if isinstance(value, datetime):
            moment = value
        elif rule.time in EPOCHS:
            moment = _EPOCH + timedelta(microseconds=int(exact_number(value) * EPOCHS[rule.time]))
            return moment.astimezone(_zone(mapping, record) or UTC).isoformat()
        elif rule.time == "iso":
            moment = datetime.fromisoformat(str(value))
            if len(str(value).strip()) <= _LONGEST_DAY:
                # Python reads a day as its midnight.
                raise NotUnderstood(
                    f'The field {rule.name} holds "{value}", a day without a time of day.'
                )
        else:
            moment = datetime.strptime(str(value), rule.time)
    except (ValueError, OverflowError):
        raise NotUnderstood(
            f'The field {rule.name} holds "{value}", which is not a time written as {rule.time}.'
        ) from None
    return moment.isoformat() if moment.tzinfo else _zoned(mapping, moment, record)


def _zone(mapping: Mapping, record: dict[str, Any]) -> tzinfo | None:
    if not isinstance(mapping.zone, ZoneByColumn):
        return mapping.zone
    key = plain(at(record, mapping.zone.path))
    if key not in mapping.zone.zones:
        raise NotUnderstood(f'The mapping {mapping.name} does not say which zone "{key}" is in.')
    return mapping.zone.zones[key]


def _zoned(mapping: Mapping, moment: datetime, record: dict[str, Any]) -> str:
    zone = _zone(mapping, record)
    if zone is None:
        raise NotUnderstood(
            f"The time {moment.isoformat()} has no offset from UTC, and the mapping names no zone."
        )
    first = moment.replace(tzinfo=zone, fold=0)
    second = moment.replace(tzinfo=zone, fold=1)
    if first.utcoffset() == second.utcoffset():
        return first.isoformat()
    if first.astimezone(UTC).astimezone(zone).replace(tzinfo=None) != moment:
        raise NotUnderstood(
            f"The time {moment.isoformat()} does not exist: the clocks were put forward over it."
        )
    if mapping.overlap == "refuse":
        raise NotUnderstood(
            f"The time {moment.isoformat()} happened twice, as the clocks were put back; only an "
            "offset, or overlap in the mapping, can tell which is meant."
        )
    return (first if mapping.overlap == "first" else second).isoformat()


def _amount(rule: FieldRule, value: Any, record: dict[str, Any]) -> int | str:
    """A number, with others added and taken away: exactly."""
    total = number_of(value, rule)
    for path in rule.plus:
        total += _other(path, rule, record)
    for path in rule.minus:
        total -= _other(path, rule, record)
    if rule.money is None:
        return int(total) if total.denominator == 1 else str(total)
    cents = total * (100 if rule.money == "dollars" else 1)
    if cents.denominator != 1:
        raise NotUnderstood(
            f'The field {rule.name} holds "{value}", which is not an amount in {rule.money}.'
        )
    return cents.numerator


def _other(path: Path, rule: FieldRule, record: dict[str, Any]) -> Fraction:
    value = at(record, path)
    # What is not told is not nothing: the sum is not known, either.
    if not plain(value):
        raise NotUnderstood(f"{'.'.join(path)} is missing, which {rule.name} is made from.")
    return number_of(value, rule)


def number_of(value: Any, rule: FieldRule) -> Fraction:
    """An exact number that one of our fields is made from."""
    try:
        return exact_number(value)
    except ValueError:
        what = f"an amount in {rule.money}" if rule.money else "a number"
        raise NotUnderstood(
            f'The field {rule.name} holds "{value}", which is not {what}.'
        ) from None


def exact_number(value: Any) -> Fraction:
    """A number, without the marks of money."""
    text = plain(value).replace("$", "")
    if isinstance(value, bool) or len(text) > LONGEST_NUMERAL:
        raise ValueError
    try:
        return exact(text)
    except (OverflowError, ZeroDivisionError):
        raise ValueError from None


def at(record: dict[str, Any], path: Path) -> Any:
    """The value at a path; a flat column whose name has dots in it is found too."""
    value: Any = record
    for step in path:
        if not isinstance(value, dict) or step not in value:
            return record.get(".".join(path), MISSING) if len(path) > 1 else MISSING
        value = value[step]
    return value


def plain(value: Any) -> str:
    """A value as a mapping file writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None or value is MISSING else str(value)
