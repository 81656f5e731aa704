"""Says in our words what the records of another system say in theirs.

A mapping is applied to each record by itself; what comes out are records of our own vocabulary,
which are then checked like those of any other log. A record that no section of the mapping fits is
set aside, never dropped.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import msgspec

from compliance.log.lost_lines import KnownOfLine, known_of_record
from compliance.log.mapped_values import (
    MISSING,
    NotUnderstood,
    Suits,
    at,
    exact_number,
    items_of_text,
    refuse_holes,
)
from compliance.log.mapped_values import plain as _plain
from compliance.log.mapped_values import turned as _turned
from compliance.log.mapping import PLACE, Condition, EventRule, FieldRule, Mapping, Path, Wanted
from compliance.log.raw import Single

Record = dict[str, Any]
Places = tuple[int, ...]
"""The place of an item in its list, after those of the lists around it."""


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


@dataclass
class FileOrder:
    """Gives the events of each table their numbers in the order in which they are read."""

    last: dict[tuple[str, str], int] = field(default_factory=dict)

    def number(self, made: Record) -> int:
        """The next number of the table of an event."""
        place = (str(made.get("casino")), str(made.get("table")))
        self.last[place] = self.last.get(place, 0) + 1
        return self.last[place]

    def skip(self, known: KnownOfLine) -> None:
        """A record that is not understood leaves its numbers free, so that its loss shows: at its
        table, or at all that it may have been of."""
        if known.casino is not None and known.table is not None:
            self.last.setdefault((known.casino, known.table), 0)
        for casino, table in self.last:
            if known.casino in (None, casino) and known.table in (None, table):
                self.last[casino, table] += known.records


class MappedFeed:
    """Maps the records of a feed, one file after the other."""

    def __init__(self, mapping: Mapping) -> None:
        self.mapping = mapping
        self.unseen: set[Path] = set(mapping.asked)
        """Columns that no record has had so far."""
        self._order = FileOrder() if mapping.file_order else None
        self._suits = Suits()

    def lines(self, records: Iterable[Single], file: str = "") -> MappedLines:
        """Map every record; those that cannot be mapped keep their reason."""
        lines = MappedLines(b"", [], [], [])
        encoded: list[bytes] = []
        for single in records:
            if isinstance(single.record, str):
                lines.unmapped.append(single)
                self._lost(single.known)
                continue
            self.unseen -= {path for path in self.unseen if _somewhere(single.record, path)}
            try:
                events = self.events(single.record, f"{file}:{single.line}")
            except NotUnderstood as problem:
                known = _known(self.mapping, single.record)
                lines.unmapped.append(Single(single.line, str(problem), single.text, known))
                self._lost(known)
                continue
            if not events:
                lines.left_out += 1
                lines.numbers_left_out += _number(self.mapping, single.record)
            for event in events:
                encoded.append(msgspec.json.encode(event, enc_hook=str) + b"\n")
                lines.numbers.append(single.line)
                lines.texts.append(single.text)
        lines.data = b"".join(encoded)
        return lines

    def _lost(self, known: KnownOfLine) -> None:
        if self._order is not None:
            self._order.skip(known)

    def events(self, record: Record, name: str) -> list[Record]:
        """The events that a record tells of, each with a name of its own; none when the mapping
        leaves it out on purpose."""
        events = list(_made(self.mapping, record, self._suits))
        for number, event in enumerate(events, start=1):
            if self._order is not None:
                event.setdefault("id", name)
                event["seq"] = self._order.number(event)
            if number > 1 and "id" in event:
                event["id"] = f"{event['id']}-{number}"
        return events


def _made(mapping: Mapping, record: Record, suits: Suits) -> Iterator[Record]:
    if _left_out(mapping, record):
        return
    rest = _others(mapping, record)
    if not mapping.events:
        yield _fields(mapping, mapping.fields, record, suits) | rest
        return
    fitting = _fitting(mapping, record)
    if not fitting:
        raise NotUnderstood(_no_section(mapping, record))
    for event, part in fitting:
        lacking = mapping.lacks.get(event.type, frozenset())
        common = [rule for rule in mapping.fields if rule.name not in lacking]
        made = _fields(mapping, [*common, *event.fields], part, suits)
        yield rest | made | {"type": event.type}


def _fitting(mapping: Mapping, record: Record) -> list[tuple[EventRule, Record]]:
    """Which sections fit a record, or items of its lists. A list of which some items are events
    and others are not was not understood: a card would be lost without a word."""
    found = []
    taken: dict[Path, set[Places]] = {}
    others: dict[Path, set[Places]] = {}
    for event in mapping.events:
        for places, part in _parts(event, record):
            fits = _fits(part, event.when)
            if fits:
                found.append((event, part))
            if event.each and not (fits or _left_out(mapping, part)):
                others.setdefault(event.each, set()).add(places)
            elif event.each:
                taken.setdefault(event.each, set()).add(places)
    for path, left in others.items():
        items = taken.get(path, set())
        if items and (missing := min(left - items, default=None)) is not None:
            place = " of item ".join(map(str, reversed(missing)))
            raise NotUnderstood(
                f"Item {place} of {'.'.join(path)} fits no section of the mapping {mapping.name}, "
                "though others of the list do; name it under leave_out if it is no event."
            )
    return found


def _left_out(mapping: Mapping, record: Record) -> bool:
    return any(_fits(record, condition) for condition in mapping.leave_out)


def _parts(
    event: EventRule, record: Record, *, whole: bool = True
) -> Iterator[tuple[Places, Record]]:
    """The record once for each item of a list, with the item in the place of the list; cards only
    if none is lacking between others, where they are to be whole."""
    if not event.each:
        yield (), record
        return
    for part, places in _unnested(record, event.each, event, whole and event.cards):
        yield tuple(places), part | {PLACE[0]: {PLACE[1]: places[-1]}}


def _unnested(
    record: Record, path: Sequence[str], event: EventRule, to_be_whole: bool
) -> Iterator[tuple[Record, list[int]]]:
    whole = ".".join(path)
    if len(path) > 1 and path[0] not in record and whole in record:
        path = (whole,)  # a flat column whose name has dots in it
    value = record.get(path[0])
    if len(path) == 1 and isinstance(value, str):
        value = items_of_text(value, event.split)
    items = value if isinstance(value, list) else [value]
    if to_be_whole and len(path) == 1:
        refuse_holes(items, whole)
    for place, item in enumerate(items, start=1):
        if item is None or item == "":
            continue
        here = [place] if isinstance(value, list) else []
        if len(path) == 1:
            yield record | {path[0]: item}, here or [1]
        elif isinstance(item, dict):
            for inner, places in _unnested(item, path[1:], event, to_be_whole):
                yield record | {path[0]: inner}, [*here, *places]


def _number(mapping: Mapping, record: Record) -> list[tuple[str, str, int]]:
    """Which number of which table a record has that is left out: there, no event is missing."""
    try:
        made = _fields(mapping, mapping.fields, record, Suits()) | _others(mapping, record)
        return [(str(made["casino"]), str(made["table"]), int(made["seq"]))]
    except (NotUnderstood, KeyError, TypeError, ValueError):
        return []


def _known(mapping: Mapping, record: Record) -> KnownOfLine:
    """What is understood of a record that is not understood as a whole."""
    made: Record = {}
    for rule in mapping.fields:
        try:
            made |= _fields(mapping, [rule], record, Suits())
        except NotUnderstood:
            continue
    fitting = [
        event.type
        for event in mapping.events
        for _, part in _parts(event, record, whole=False)
        if _fits_in_words(part, event.when)
    ]
    if mapping.events:
        # The type of several events in one record is not that of the first.
        made["type"] = fitting[0] if len(fitting) == 1 else None
    return known_of_record(made)._replace(records=max(1, len(fitting)))


def _no_section(mapping: Mapping, record: Record) -> str:
    paths = dict.fromkeys(path for event in mapping.events for path in event.when)
    shown = ", ".join(f"{'.'.join(path)} is {_said(at(record, path))}" for path in paths)
    return f"No section of the mapping {mapping.name} fits this record: {shown}."


def _fields(mapping: Mapping, rules: Iterable[FieldRule], record: Record, suits: Suits) -> Record:
    made: Record = {}
    # Cards without suits come last: which they get hangs on the table.
    for rule in sorted(rules, key=lambda rule: not rule.suits):
        if not rule.path:
            made[rule.name] = rule.constant
            continue
        value = at(record, rule.path)
        if value is not MISSING and value is not None and value != "":
            table = str(made.get("table"))
            made[rule.name] = _turned(mapping, rule, value, record, suits, table)
    return made


def _others(mapping: Mapping, record: Record) -> Record:
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
        raise NotUnderstood(
            f'The mapping {mapping.name} does not say what the column "{name}" is; '
            "name it under ignore if it does not matter."
        )
    return {}


def _leaves(record: Record, used: frozenset[Path], above: Path = ()) -> Iterator[tuple[Path, Any]]:
    for name, value in record.items():
        path = (*above, name)
        if path in used:
            continue
        if isinstance(value, dict):
            yield from _leaves(value, used, path)
        elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
            for item in value:
                yield from _leaves(item, used, path) if isinstance(item, dict) else ((path, item),)
        elif tuple(".".join(path).split(".")) not in used:
            yield path, value


def _somewhere(record: Any, path: Path) -> bool:
    """Whether a record, or some item of its lists, has a column at all."""
    if isinstance(record, list):
        return any(_somewhere(item, path) for item in record)
    if not path:
        return True
    if not isinstance(record, dict):
        return False
    return ".".join(path) in record or (path[0] in record and _somewhere(record[path[0]], path[1:]))


def _fits(record: Record, condition: Condition) -> bool:
    """Whether a condition holds. A value that has to be compared and tells no number leaves that
    open: what the record is, is then not understood."""
    return _fits_in_words(record, condition) and all(
        _is_within(path, wanted, record) for path, wanted in condition.items()
    )


def _fits_in_words(record: Record, condition: Condition) -> bool:
    return all(_is_wanted(at(record, path), wanted) for path, wanted in condition.items())


def _is_wanted(value: Any, wanted: Wanted) -> bool:
    text = _plain(value)
    if wanted.values is not None and text not in wanted.values:
        return bool(wanted.numbers) and _number_in(value) in wanted.numbers
    if wanted.present is not None and wanted.present is not bool(text):
        return False
    return text not in wanted.excluded


def _is_within(path: Path, wanted: Wanted, record: Record) -> bool:
    limits: list[tuple[Path, Any, Callable[[Fraction, Fraction], bool]]] = [
        (path, limit, holds)
        for limit, holds in ((wanted.above, operator.gt), (wanted.below, operator.lt))
        if limit is not None
    ]
    limits += [
        (other, at(record, other), holds)
        for other, holds in ((wanted.same_as, operator.eq), (wanted.other_than, operator.ne))
        if other
    ]
    value = at(record, path)
    if limits and not _plain(value):
        return False
    return all(
        holds(_compared(path, value), _compared(other, limit)) for other, limit, holds in limits
    )


def _number_in(value: Any) -> Fraction | None:
    try:
        return exact_number(value)
    except ValueError:
        return None


def _compared(path: Path, value: Any) -> Fraction:
    number = _number_in(value)
    if number is None:
        name = ".".join(path)
        holds = f'holds "{value}", which is not a number' if _plain(value) else "is missing"
        raise NotUnderstood(f"{name} {holds}, and the mapping compares it.")
    return number


def _said(value: Any) -> str:
    return f'"{value}"' if _plain(value) else "missing"
