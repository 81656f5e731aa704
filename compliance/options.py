"""What the licensee had elected for a table at a given moment."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime

from compliance.moments import microseconds
from event_schemas import Event, Schema, ValueProblem, parse_value

ELECTIONS = ("option_elected", "table_opened")
"""The events that tell what a table's options are."""
ELECTED = ("option_name", "value", "effective_at", "game")
"""The fields in which they tell it."""


class ElectedOptions:
    """Every election of every table, in order, with the moment from which it holds.

    An option is what the last election said, else what the table-options file says (`given`), else
    what the law takes for granted. Otherwise it is not known, which is not the same as `no`.
    """

    def __init__(
        self,
        schema: Schema,
        events: Iterable[Event] = (),
        given: Mapping[str, object] | None = None,
    ) -> None:
        self._known = schema.options
        self._given = dict(given or {})
        self._elections: dict[tuple[str, str, str], list[tuple[int, int, object]]]
        self._elections = defaultdict(list)
        for event in events:
            self._note(event)

    def _note(self, event: Event) -> None:
        if event.type == "option_elected":
            name = str(event.get("option_name"))
            option = self._known.get(name)
            if option is None:
                return
            try:
                value = parse_value(option.kind, str(event.get("value")))
            except ValueProblem:
                # An election that cannot be read leaves the option unknown from then on.
                value = None
            moment = event.get("effective_at")
            since = microseconds(event.ts)
            if isinstance(moment, datetime):
                since = max(since, microseconds(moment))
            self._elections[event.casino, event.table, name].append((event.seq, since, value))
        elif event.type == "table_opened" and event.get("game") is not None:
            place = (event.casino, event.table, "game")
            self._elections[place].append((event.seq, microseconds(event.ts), event.get("game")))

    def otherwise(self, name: str) -> object | None:
        """What holds where nothing was elected."""
        if name in self._given:
            return self._given[name]
        return self._known[name].default if name in self._known else None

    def elections(self, casino: str, table: str, name: str) -> list[tuple[int, int, object]]:
        """Every election of an option at a table: sequence number, moment of effect, value."""
        return self._elections.get((casino, table, name), [])

    def value(self, name: str, event: Event) -> object | None:
        """The option at the moment of an event, or None when nothing tells."""
        now = microseconds(event.ts)
        latest: tuple[int, int, object] | None = None
        for seq, since, value in self._elections.get((event.casino, event.table, name), ()):
            if seq <= event.seq and since <= now:
                candidate = (since, seq, value)
                if latest is None or candidate[:2] >= latest[:2]:
                    latest = candidate
        if latest is not None:
            return latest[2]
        return self.otherwise(name)
