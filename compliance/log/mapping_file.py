"""Reads a mapping file (TOML) that says what the records of another system mean."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path
from typing import Any, Final, cast

from compliance.log.layout import BASE, Layout
from compliance.log.mapping import EPOCHS, EventRule, FieldRule, Mapping
from compliance.log.problems import LogProblem
from compliance.log.toml_file import UserFile, read_user_file
from compliance.log.zones import zone_named
from event_schemas import Kind, Schema, ValueProblem, did_you_mean, from_log

_TOP: Final = (
    *("name", "zone", "overlap", "time", "others", "ignore", "leave_out"),
    *("constants", "fields", "events"),
)
_EVENT: Final = ("type", "when", "constants", "fields")
_FIELD: Final = ("from", "values", "time", "money")
_OTHERS: Final = ("refuse", "ignore", "keep")
_OVERLAPS: Final = ("refuse", "first", "second")
_UNITS: Final = ("cents", "dollars")
Where = tuple[str, ...]


def load_mapping(path: str | Path, schema: Schema) -> tuple[Mapping | None, tuple[LogProblem, ...]]:
    """Read a mapping file; with any problem there is no mapping, and all problems are listed."""
    file = read_user_file(path)
    if file.problems:
        return None, file.sorted_problems()
    mapping = _Reader(file, schema).mapping(Path(path).stem)
    return (None if file.problems else mapping), file.sorted_problems()


class _Reader:
    """Walks the file once and collects every problem on the way."""

    def __init__(self, file: UserFile, schema: Schema) -> None:
        self.file = file
        self.schema = schema
        self.layout = Layout(schema)
        self.time = "iso"

    def mapping(self, default_name: str) -> Mapping:
        content = self.file.content
        self.file.check_keys(content, _TOP)
        self.time = self._time(content.get("time", "iso"), ("time",)) or "iso"
        fields = self._fields(content, (), None)
        events = self._events(content.get("events", []))
        others = self._choice("others", _OTHERS)
        overlap = self._choice("overlap", _OVERLAPS)
        mapping = Mapping(
            name=self.file.text(content, "name") or default_name,
            fields=fields,
            events=events,
            leave_out=tuple(
                self._condition(item, ("leave_out",))
                for item in self._list(content.get("leave_out", []), "leave_out")
            ),
            ignore=tuple(
                tuple(str(name).split("."))
                for name in self._list(content.get("ignore", []), "ignore")
            ),
            others=cast("Any", others),
            zone=zone_named(self.file),
            overlap=cast("Any", overlap),
        )
        if others != "keep":
            self._complete(fields, events)
        return mapping

    def _choice(self, key: str, words: tuple[str, ...]) -> str:
        value = self.file.content.get(key, "refuse")
        if value not in words:
            message = f'"{value}" is not known for {key}; it is one of {", ".join(words)}.'
            self.file.add((key,), message, did_you_mean(str(value), words))
        return str(value)

    def _list(self, value: object, key: str) -> list[Any]:
        if isinstance(value, list):
            return value
        self.file.add((key,), f"{key} is a list.")
        return []

    def _complete(self, fields: tuple[FieldRule, ...], events: tuple[EventRule, ...]) -> None:
        """Every record must get the fields that all events have."""
        common = {rule.name for rule in fields}
        own = [{"type", *(rule.name for rule in event.fields)} for event in events]
        always = common | (set.intersection(*own) if own else set())
        for name in BASE:
            if name not in always:
                self.file.add(("fields",), f"Nothing says where the field {name} comes from.")

    def _events(self, value: object) -> tuple[EventRule, ...]:
        events = []
        for table in self._list(value, "events"):
            if not isinstance(table, dict):
                self.file.add(("events",), "Each of events is a table with type and when.")
                continue
            self.file.check_keys(table, _EVENT, ("events",))
            name = table.get("type")
            where = ("events",)
            event = self.schema.events.get(str(name))
            if event is None:
                close = did_you_mean(str(name), self.schema.events)
                shown = "An event section does not name its type."
                message = shown if name is None else f'There is no event type "{name}".'
                self._add_near(where, str(name), message, close)
                continue
            when = self._condition(table.get("when", {}), where)
            events.append(EventRule(event.name, when, self._fields(table, where, event.name)))
        return tuple(events)

    def _condition(self, value: object, where: Where) -> dict[Where, frozenset[str]]:
        """Columns with the values that they must have."""
        condition = {}
        for name, wanted in self.file.table(value, where).items():
            values = wanted if isinstance(wanted, list) else [wanted]
            words = [str(item).lower() if isinstance(item, bool) else str(item) for item in values]
            condition[tuple(str(name).split("."))] = frozenset(words)
        return condition

    def _fields(
        self, table: dict[str, Any], where: Where, event: str | None
    ) -> tuple[FieldRule, ...]:
        rules = []
        constants = self.file.table(table.get("constants", {}), (*where, "constants"))
        for name, value in constants.items():
            spot = (*where, "constants", name)
            if self._known(name, event, spot):
                self._check_value(name, event, value, spot)
                rules.append(FieldRule(name, constant=value))
        fields = self.file.table(table.get("fields", {}), (*where, "fields"))
        for name, value in fields.items():
            spot = (*where, "fields", name)
            if not self._known(name, event, spot):
                continue
            if name in constants:
                self.file.add(spot, f"The field {name} is both a constant and a column.")
            rule = self._field(name, value, event, spot)
            if rule is not None:
                rules.append(rule)
        return tuple(rules)

    def _field(self, name: str, value: object, event: str | None, spot: Where) -> FieldRule | None:
        kinds = self._kinds(name, event)
        default_time = self.time if kinds == ["time"] else None
        if isinstance(value, str):
            return FieldRule(name, tuple(value.split(".")), time=default_time)
        if not isinstance(value, dict) or not isinstance(value.get("from"), str):
            message = f'{name} is the name of their column, or a table such as {{ from = "..." }}.'
            self.file.add(spot, message)
            return None
        self.file.check_keys(value, _FIELD, spot)
        values: dict[str, object] | None = None
        if "values" in value:
            values = self.file.table(value["values"], (*spot, "values"))
            for ours in values.values():
                self._check_value(name, event, ours, (*spot, "values"))
        time = self._time(value["time"], (*spot, "time")) if "time" in value else default_time
        money = value.get("money")
        if money is not None and (money not in _UNITS or "money" not in kinds):
            reason = "is for fields of money" if money in _UNITS else "is either cents or dollars"
            close = did_you_mean(str(money), _UNITS)
            self.file.add((*spot, "money"), f"money of {name} {reason}.", close)
        return FieldRule(
            name, tuple(value["from"].split(".")), values=values, time=time, money=money
        )

    def _time(self, value: object, where: Where) -> str | None:
        words = ("iso", *EPOCHS)
        if isinstance(value, str) and (value in words or _is_pattern(value)):
            return value
        close = did_you_mean(str(value), words)
        message = (
            f'"{value}" is not a way to write times; it is one of {", ".join(words)}, '
            "or a pattern such as %m/%d/%Y %H:%M:%S."
        )
        self.file.add(where, message, close)
        return None

    def _known(self, name: str, event: str | None, spot: Where) -> bool:
        names = self.schema.events[event].fields if event else self.layout.names
        if name in names:
            return True
        of = f"The event type {event} has no field" if event else "No event type has a field"
        self.file.add(spot, f'{of} "{name}".', did_you_mean(name, names))
        return False

    def _kinds(self, name: str, event: str | None) -> list[str]:
        if event is not None:
            return [self.schema.events[event].fields[name].kind.name]
        return list(self.layout.kinds.get(name, {}))

    def _check_value(self, name: str, event: str | None, value: object, spot: Where) -> None:
        """A value of ours must be one that a log could hold."""
        if name == "type":
            if str(value) not in self.schema.events:
                close = did_you_mean(str(value), self.schema.events)
                self._add_near(spot, str(value), f'There is no event type "{value}".', close)
            return
        kinds: list[Kind] = [column.kind for column in self.layout.kinds[name].values()]
        if event is not None:
            kinds = [self.schema.events[event].fields[name].kind]
        problem: ValueProblem | None = None
        for kind in kinds:
            try:
                from_log(kind, value)
            except ValueProblem as found:
                problem = found
            else:
                return
        assert problem is not None
        self._add_near(spot, str(value), f"{name}: {problem.message}", problem.suggestion)

    def _add_near(self, where: Where, text: str, message: str, close: str | None) -> None:
        """A problem with a value: its line is the one that holds the value, where that is found."""
        before = len(self.file.problems)
        self.file.add(where, message, close)
        if len(self.file.problems) == before:
            return
        problem = self.file.problems[before]
        for number, line in enumerate(self.file.lines, start=1):
            if number >= (problem.line or 1) and f'"{text}"' in line:
                self.file.problems[before] = LogProblem(problem.file, message, number, close)
                return


def _is_pattern(text: str) -> bool:
    """Whether a pattern can write a time and read it back."""
    if "%" not in text:
        return False
    moment = datetime(2024, 11, 23, 21, 14, 25)
    try:
        datetime.strptime(moment.strftime(text), text)
    except (ValueError, re.error):
        # A directive that stands there twice is no mistake of the pattern alone to Python.
        return False
    return True
