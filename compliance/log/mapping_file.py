"""Reads a mapping file (TOML) that says what the records of another system mean."""

from __future__ import annotations

from datetime import tzinfo
from pathlib import Path
from typing import Any, Final, cast

from compliance.log.layout import BASE, Layout
from compliance.log.mapped_values import is_rank
from compliance.log.mapping import (
    EPOCHS,
    PLACE,
    Condition,
    EventRule,
    FieldRule,
    Mapping,
    Wanted,
    ZoneByColumn,
)
from compliance.log.mapping_words import is_pattern, lost_by_pattern, numbers_of, words_of
from compliance.log.problems import LogProblem
from compliance.log.toml_file import UserFile, read_user_file
from compliance.log.zones import zone_called, zone_named
from event_schemas import Kind, Schema, ValueProblem, did_you_mean, from_log

_TOP: Final = (
    *("name", "zone", "overlap", "time", "order", "others", "ignore", "leave_out"),
    *("constants", "fields", "events"),
)
_EVENT: Final = ("type", "when", "each", "constants", "fields")
_FIELD: Final = ("from", "values", "time", "money", "plus", "minus", "split", "suits")
_WANTED: Final = ("present", "not", "above", "below", "same_as", "other_than")
_OTHERS: Final = ("refuse", "ignore", "keep")
_OVERLAPS: Final = ("refuse", "first", "second")
_UNITS: Final = ("cents", "dollars")
_OPEN: Final = "?"
"""What a draft writes where a person has to answer."""
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
        self.lines: dict[Where, int] = {}
        """Where each column is first named."""

    def mapping(self, default_name: str) -> Mapping:
        content = self.file.content
        self.file.check_keys(content, _TOP)
        self.time = self._time(content.get("time", "iso"), ("time",)) or "iso"
        fields = self._fields(content, (), None)
        events = self._events(content.get("events", []))
        others = self._choice("others", _OTHERS)
        overlap = self._choice("overlap", _OVERLAPS)
        file_order = "order" in content
        if file_order and content["order"] != "file":
            message = 'order is "file": the records stand in the order in which they happened.'
            self.file.add(("order",), message)
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
            zone=self._zone(content.get("zone")),
            overlap=cast("Any", overlap),
            file_order=file_order,
            lacks=self._lacks(fields, events),
            file=self.file.name,
            lines=self.lines,
        )
        if others != "keep":
            self._complete(fields, events, ("id", "seq") if file_order else ())
        return mapping

    def _zone(self, value: object) -> tzinfo | ZoneByColumn | None:
        """One zone, or one by the value of a column."""
        if not isinstance(value, dict):
            return zone_named(self.file)
        self.file.check_keys(value, ("from", "values"), ("zone",))
        path = self._path(value.get("from"), ("zone", "from"))
        named = self.file.table(value.get("values", {}), ("zone", "values"))
        zones = {
            str(key): zone
            for key, name in named.items()
            if (zone := zone_called(self.file, name, ("zone", "values", str(key)))) is not None
        }
        if not zones:
            message = (
                'zone is a name such as "America/New_York", or { from = COLUMN, values = ... }.'
            )
            self.file.add(("zone",), message)
        return ZoneByColumn(path, zones)

    def _lacks(
        self, fields: tuple[FieldRule, ...], events: tuple[EventRule, ...]
    ) -> dict[str, frozenset[str]]:
        """The fields of every record that some of the event types do not have."""
        found: dict[str, set[str]] = {}
        for rule in fields:
            without = {e.type for e in events if rule.name not in self.schema.events[e.type].fields}
            if events and without == {event.type for event in events}:
                kind = "fields" if rule.path else "constants"
                message = f"None of the events of this mapping has a field {rule.name}."
                self.file.add((kind, rule.name), message)
            for event in without:
                found.setdefault(event, set()).add(rule.name)
        return {event: frozenset(names) for event, names in found.items()}

    def _path(self, value: object, spot: Where) -> Where:
        """The name of a column; dots lead into nested objects."""
        if not isinstance(value, str) or not value:
            self.file.add(spot, f"{'.'.join(spot)} is the name of their column.")
            return ()
        if value == _OPEN:
            self.file.add(spot, f"{'.'.join(spot)} is still a question; name their column.")
        path = tuple(value.split("."))
        self.lines.setdefault(path, self.file.line_of(spot, value))
        return path

    def _paths(self, value: object, spot: Where) -> tuple[Where, ...]:
        """One column, or a list of them."""
        return tuple(
            self._path(item, spot) for item in (value if isinstance(value, list) else [value])
        )

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

    def _complete(
        self, fields: tuple[FieldRule, ...], events: tuple[EventRule, ...], made: Where
    ) -> None:
        """Every record must get the fields that all events have; `made` come of themselves."""
        common = {rule.name for rule in fields} | set(made)
        if "seq" in made and any(rule.name == "seq" for rule in fields):
            self.file.add(("fields", "seq"), 'With order = "file" the numbers are made: no seq.')
        own = [{"type", *(rule.name for rule in event.fields)} for event in events]
        always = common | (set.intersection(*own) if own else set())
        if self.file.content.get("events"):
            always.add("type")  # a section without one is a mistake of its own
        for name in BASE:
            if name not in always:
                hint = ' If the file is in order, write order = "file".' if name == "seq" else ""
                message = f"Nothing says where the field {name} comes from.{hint}"
                self.file.add(("fields",), message)

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
                message = f'There is no event type "{name}".'
                if name is None or name == _OPEN:
                    message = "An event section does not name its type."
                self._add_near(where, str(name), message, close)
                continue
            when = self._condition(table.get("when", {}), (*where, "when"))
            each, split = self._each(table.get("each"), (*where, "each"))
            fields = self._fields(table, where, event.name)
            kinds = {event.fields[rule.name].kind.name for rule in fields if rule.path == each}
            events.append(EventRule(event.name, when, fields, each, split, "card" in kinds))
        return tuple(events)

    def _each(self, value: object, spot: Where) -> tuple[Where, str | None]:
        """The list of which each item is an event, and what stands between its items."""
        if value is None:
            return (), None
        if not isinstance(value, dict):
            return self._path(value, spot), None
        self.file.check_keys(value, ("from", "split"), spot)
        split = self.file.text(value, "split", spot)
        return self._path(value.get("from"), (*spot, "from")), split or " "

    def _condition(self, value: object, where: Where) -> Condition:
        """Columns with the values that they must have."""
        condition: dict[Where, Wanted] = {}
        for name, wanted in self.file.table(value, where).items():
            spot = (*where, str(name))
            path = tuple(str(name).split("."))
            if path != PLACE:
                self.lines.setdefault(path, self.file.line_of(spot, str(name)))
            condition[path] = self._wanted(wanted, spot)
        return condition

    def _wanted(self, value: object, spot: Where) -> Wanted:
        if not isinstance(value, dict):
            return Wanted(words_of(value), numbers_of(value))
        self.file.check_keys(value, _WANTED, spot)
        present, above, below = (value.get(key) for key in ("present", "above", "below"))
        if present is not None and not isinstance(present, bool):
            self.file.add(spot, "present is true or false: whether the column is filled.")
            present = None
        for limit in (above, below):
            if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int)):
                self.file.add(spot, "above and below are whole numbers.")
                return Wanted()
        same, other = (
            self._path(value[key], (*spot, key)) if key in value else ()
            for key in ("same_as", "other_than")
        )
        excluded = words_of(value["not"]) if "not" in value else frozenset[str]()
        return Wanted(None, frozenset(), present, excluded, above, below, same, other)

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
            return FieldRule(name, self._path(value, spot), time=default_time)
        if not isinstance(value, dict) or "from" not in value:
            message = f'{name} is the name of their column, or a table such as {{ from = "..." }}.'
            self.file.add(spot, message)
            return None
        self.file.check_keys(value, _FIELD, spot)
        suits = self._suits(value.get("suits", "told"), kinds, spot)
        values: dict[str, object] | None = None
        if "values" in value:
            values = self.file.table(value["values"], (*spot, "values"))
            for ours in values.values():
                if suits:
                    self._check_value(name, event, ours, (*spot, "values"))
                else:
                    self._check_rank(ours, (*spot, "values"))
        time = self._time(value["time"], (*spot, "time")) if "time" in value else default_time
        money = value.get("money")
        if money is not None and (money not in _UNITS or "money" not in kinds):
            reason = "is for fields of money" if money in _UNITS else "is either cents or dollars"
            close = did_you_mean(str(money), _UNITS)
            self.file.add((*spot, "money"), f"money of {name} {reason}.", close)
        plus, minus = (
            self._paths(value[key], (*spot, key)) if key in value else ()
            for key in ("plus", "minus")
        )
        if (plus or minus) and (money is None and not {"number", "seat"} & set(kinds)):
            message = f"{name} is no number; of amounts say whether they are in cents or dollars."
            self.file.add(spot, f"plus and minus are for numbers and money: {message}")
        first, *joined = self._paths(value["from"], (*spot, "from"))
        return FieldRule(
            name,
            first,
            values=values,
            time=time,
            money=money,
            joined=tuple(joined),
            plus=plus,
            minus=minus,
            split=self.file.text(value, "split", spot),
            suits=suits,
        )

    def _check_rank(self, value: object, spot: Where) -> None:
        if not is_rank(str(value)):
            self._add_near(spot, str(value), f'"{value}" is not a rank such as A, 10 or K.', None)

    def _suits(self, value: object, kinds: list[str], spot: Where) -> bool:
        if value not in ("told", "unknown") or (
            value == "unknown" and not {"card", "cards"} & set(kinds)
        ):
            message = 'suits is "told" or "unknown", for fields that hold cards.'
            self.file.add((*spot, "suits"), message)
        return value != "unknown"

    def _time(self, value: object, where: Where) -> str | None:
        words = ("iso", *EPOCHS)
        if isinstance(value, str) and (value in words or is_pattern(value)):
            if lost := lost_by_pattern(value):
                self.file.add(where, f'"{value}" does not tell {lost}.')
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
        if value == _OPEN:
            self.file.add(spot, f"{name} is still a question; answer it, or name a column for it.")
            return
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
