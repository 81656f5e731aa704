"""What the licensee had elected for a table at a given moment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from datetime import datetime
from typing import NamedTuple

from compliance.values.moments import microseconds
from event_schemas import Event, LostRecord, Schema, ValueProblem, parse_value

ELECTIONS = ("option_elected", "table_opened")
"""The events that tell what a table's options are."""
ELECTED = ("option_name", "value", "effective_at", "game")
"""The fields in which they tell it."""


class Election(NamedTuple):
    """What one event says of an option of its table."""

    casino: str
    table: str
    option: str
    seq: int
    since: int
    """The moment from which it holds, in microseconds since 1970."""
    said: object
    is_text: bool = True
    """Whether the value is still to be read from what was said."""


def election_of(event: Event) -> Election | None:
    """What an event elects, if it does."""
    since = microseconds(event.ts)
    if event.type == "option_elected":
        moment = event.get("effective_at")
        if isinstance(moment, datetime):
            since = max(since, microseconds(moment))
        name, said = str(event.get("option_name")), str(event.get("value"))
        return Election(event.casino, event.table, name, event.seq, since, said)
    if event.type == "table_opened" and event.get("game") is not None:
        game = event.get("game")
        return Election(event.casino, event.table, "game", event.seq, since, game, is_text=False)
    return None


class ElectedOptions:
    """Every election of every table, in order, with the moment from which it holds.

    An option is what the last election said, else what the table-options file says (`given`), else
    what the law takes for granted. Otherwise it is not known, which is not the same as `no`. It is
    not known either after a lost record that may have been its election, until the next election
    that is recorded.
    """

    def __init__(
        self,
        schema: Schema,
        events: Iterable[Event] = (),
        given: Mapping[str, object] | None = None,
        in_log: Iterable[Election] = (),
    ) -> None:
        """`in_log` are elections that come after those of the events."""
        self._known = schema.options
        self._given = dict(given or {})
        self._elected: dict[tuple[str, str, str], list[Election]] = {}
        self._elections: dict[tuple[str, str, str], list[tuple[int, int, object]]] = {}
        """Those that were asked for: rules look at few of the options."""
        self._lost: dict[tuple[str, str], list[LostRecord]] = {}
        """The lost records of each table that may have been elections."""
        for event in events:
            if isinstance(event, LostRecord):
                if not event.whatever_the_habits().may_be.isdisjoint(ELECTIONS):
                    self._lost.setdefault((event.casino, event.table), []).append(event)
            elif (found := election_of(event)) is not None:
                self._add(found)
        for item in in_log:
            self._add(item)

    def whatever_the_habits(self) -> ElectedOptions:
        """The same for tables of which nothing is taken for granted."""
        found = copy(self)
        found._lost = {
            place: [record.whatever_the_habits() for record in records]
            for place, records in self._lost.items()
        }
        return found

    def _add(self, item: Election) -> None:
        self._elected.setdefault(item[:3], []).append(item)

    def _value(self, item: Election) -> object | None:
        if not item.is_text:
            return item.said
        try:
            return parse_value(self._known[item.option].kind, str(item.said))
        except ValueProblem:
            # An election that cannot be read leaves the option unknown from then on.
            return None

    @property
    def elected(self) -> frozenset[str]:
        """The options that any table has elected."""
        return frozenset(option for _, _, option in self._elected)

    def otherwise(self, name: str) -> object | None:
        """What holds where nothing was elected."""
        if name in self._given:
            return self._given[name]
        return self._known[name].default if name in self._known else None

    def elections(self, casino: str, table: str, name: str) -> list[tuple[int, int, object]]:
        """Every election of an option at a table: sequence number, moment of effect, value."""
        place = (casino, table, name)
        if place not in self._elections:
            self._elections[place] = [
                (item.seq, item.since, self._value(item))
                for item in self._elected.get(place, ())
                if name in self._known or not item.is_text
            ]
        return self._elections[place]

    def value(self, name: str, event: Event) -> object | None:
        """The option at the moment of an event, or None when nothing tells."""
        return self.value_at(name, event.casino, event.table, event.seq, microseconds(event.ts))

    def value_at(self, name: str, casino: str, table: str, seq: int, now: int) -> object | None:
        """The same by number and moment of an event."""
        if self._doubt(name, casino, table, seq, now) is not None:
            return None
        latest: tuple[int, int, object] | None = None
        for number, since, value in self.elections(casino, table, name):
            if number <= seq and since <= now:
                candidate = (since, number, value)
                if latest is None or candidate[:2] >= latest[:2]:
                    latest = candidate
        return self.otherwise(name) if latest is None else latest[2]

    def doubt(self, name: str, event: Event) -> LostRecord | None:
        """The lost record that may have elected something else for the moment of an event.

        It is taken for granted that a lost election takes effect no later than the next one of the
        same option that is recorded.
        """
        return self._doubt(name, event.casino, event.table, event.seq, microseconds(event.ts))

    def _doubt(self, name: str, casino: str, table: str, seq: int, now: int) -> LostRecord | None:
        if not self._lost:
            return None
        concerned = {"option_elected", "table_opened"} if name == "game" else {"option_elected"}
        lost = [
            record
            for record in self._lost.get((casino, table), ())
            if record.seq < seq
            and name not in record.not_elected
            and not record.may_be.isdisjoint(concerned)
        ]
        if not lost:
            return None
        last = max(lost, key=lambda record: record.seq)
        for number, since, _ in self.elections(casino, table, name):
            if last.seq < number <= seq and since <= now:
                return None
        return last
