"""The table-options file: what the licensee chose for each table, and from when on.

[tables."*"]
decks = 8
[tables.T4]
decks = 6
soft_17 = { value = "hit", from = 2024-03-09T20:00:00-05:00 }
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from compliance.log.problems import LogProblem
from compliance.log.toml_file import UserFile, read_user_file
from event_schemas import (
    Event,
    Schema,
    ValueProblem,
    did_you_mean,
    format_value,
    from_log,
    parse_time,
)
from event_schemas.kinds import within_range

EVERY_TABLE: Final = "*"
_BEFORE_ALL: Final = -(2**62)
_FROM_THE_START: Final = datetime(1, 1, 1, tzinfo=UTC)
Where = tuple[str, ...]


@dataclass(frozen=True)
class Chosen:
    """One option of one table (`*`: of every table), with the moment from which it holds."""

    table: str
    option: str
    value: object
    since: datetime | None = None
    """None: from before the log begins."""


@dataclass(frozen=True)
class TableOptions:
    """Everything that a file says, in its order."""

    chosen: tuple[Chosen, ...] = ()

    def given(self, casino: str, table: str) -> Mapping[str, object]:
        """What holds at a table from the beginning; its own entry goes before that of `*`."""
        found: dict[str, object] = {}
        for name in self._entries(casino, table):
            for item in self.chosen:
                if item.table == name and item.since is None:
                    found[item.option] = item.value
        return found

    def elections(self, schema: Schema, casino: str, table: str) -> tuple[Event, ...]:
        """What changes at a table later, as elections with their moment of effect."""
        return self._elections(schema, casino, table, later=True)

    def all_elections(self, schema: Schema, casino: str, table: str) -> tuple[Event, ...]:
        """What holds from the beginning as well: where several tables are looked at together."""
        return (
            *self._elections(schema, casino, table, later=False),
            *self._elections(schema, casino, table, later=True),
        )

    def _elections(
        self, schema: Schema, casino: str, table: str, *, later: bool
    ) -> tuple[Event, ...]:
        chosen = [
            item
            for name in self._entries(casino, table)
            for item in self.chosen
            if item.table == name and (item.since is not None) == later
        ]
        events = []
        for number, item in enumerate(chosen, start=1):
            value = format_value(schema.options[item.option].kind, item.value)
            fields = {"option_name": item.option, "value": value}
            name = f"table-options-{number}"
            # Before every event of the log: the moment decides, not the place.
            seq = _BEFORE_ALL + number
            since = item.since or _FROM_THE_START
            events.append(Event(name, since, seq, casino, table, "option_elected", fields))
        return tuple(events)

    def _entries(self, casino: str, table: str) -> tuple[str, ...]:
        return (EVERY_TABLE, table, f"{casino}/{table}")


def load_table_options(
    path: str | Path, schema: Schema
) -> tuple[TableOptions | None, tuple[LogProblem, ...]]:
    """Read a table-options file; with any problem there is none, and all are listed."""
    file = read_user_file(path)
    if file.problems:
        return None, file.sorted_problems()
    file.check_keys(file.content, ("tables",))
    chosen: list[Chosen] = []
    for table, options in file.table(file.content.get("tables", {}), ("tables",)).items():
        for name, value in file.table(options, ("tables", table)).items():
            chosen += _chosen(file, schema, table, name, value)
    return (None if file.problems else TableOptions(tuple(chosen))), file.sorted_problems()


def _chosen(file: UserFile, schema: Schema, table: str, name: str, value: Any) -> list[Chosen]:
    where = ("tables", table, name)
    option = schema.options.get(name)
    if option is None:
        message = f'There is no option "{name}".'
        file.add(where, message, did_you_mean(name, schema.options))
        return []
    found = []
    listed = isinstance(value, list) and all(isinstance(item, dict) for item in value)
    for item in value if listed else [value]:
        since = None
        if isinstance(item, dict):
            file.check_keys(item, ("value", "from"), where)
            if "value" not in item:
                file.add(where, f"{name} of table {table} does not say its value.")
                continue
            since = _moment(file, where, item.get("from"))
            item = item["value"]
        try:
            value = within_range(option.kind, from_log(option.kind, item))
            found.append(Chosen(table, name, value, since))
        except ValueProblem as problem:
            message = f"{name} of table {table}: {problem.message}"
            file.add(where, message, problem.suggestion)
    return found


def _moment(file: UserFile, where: Where, value: object) -> datetime | None:
    if value is None:
        return None
    if isinstance(value, datetime) and value.tzinfo is not None:
        return value
    try:
        return parse_time(value if isinstance(value, str) else "")
    except ValueError:
        file.add(where, "from is a time with its offset, such as 2024-03-09T20:15:00-05:00.")
        return None
