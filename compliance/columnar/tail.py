"""What of a table's log the next night still needs.

A check in the next log may look back: to the last shuffle, to the start of the round, or to the
very beginning. For each rule this module finds the earliest event that any such look can reach, and
keeps the rule's own events from there on. Nothing else of the old log can change a verdict.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from compliance.columnar.evaluate import Evaluator
from compliance.columnar.scene import Table
from compliance.columnar.vectors import VALUE
from compliance.columnar.windows import around, stretches
from compliance.columns import Integers
from rules_dsl import core

_ELECTIONS = ("option_elected", "table_opened")
Lows = dict[int, int]


def needed(
    table: Table, rules: Sequence[core.Rule], pending: Mapping[str, Sequence[int]]
) -> Integers:
    """The places of the events to keep. `pending` are the triggers of checks still open."""
    kept = np.zeros(len(table.log), dtype=np.bool_)
    kept[table.whole.rows_of(_ELECTIONS)] = True
    runs = {
        name
        for interval in table.circumstances.rulebook.intervals.values()
        for name in (*interval.opens.types, *interval.closes.types)
    }
    for rule in rules:
        waiting = pending.get(rule.name, ())
        for edition in rule.editions:
            types = tuple(sorted({*edition.slice.relevant, *runs}))
            rows = table.whole.rows_of(types)
            earliest = _Horizon(table, edition).earliest(waiting)
            kept[rows[rows >= earliest]] = True
            kept[_first_of_each_key(table, edition)] = True
            kept[list(waiting)] = True
    return np.flatnonzero(kept)


def _first_of_each_key(table: Table, edition: core.Edition) -> Integers:
    """A player once seen counts as seen in every later log: one event of each is kept."""
    names = edition.slice.keys
    if not names:
        return np.zeros(0, dtype=np.int64)
    log = table.log
    rows = table.whole.rows_of(edition.slice.relevant)
    columns = []
    for name in names:
        value = np.full(len(rows), -1, dtype=np.int64)
        for (field, _), column in log.columns.items():
            if field == name:
                value = np.where(column.valid[rows], column.values[rows], value)
        columns.append(value)
    # The type belongs to the key: whether an event has a key depends on its type.
    columns.append(log.types[rows].astype(np.int64))
    _, first = np.unique(np.stack(columns), axis=1, return_index=True)
    return rows[first]


class _Horizon:
    """How far back an edition of a rule can look."""

    def __init__(self, table: Table, edition: core.Edition) -> None:
        self.table = table
        self.edition = edition
        self.scene = table.whole
        self.evaluator = Evaluator(self.scene)
        self.size = len(table.log)

    def earliest(self, waiting: Sequence[int]) -> int:
        """The earliest row that a check in the next log, or one still open, can look at."""
        anchors = [self.size, *waiting]
        return min(self._from(int(anchor)) for anchor in anchors)

    def _from(self, anchor: int) -> int:
        edition = self.edition
        if edition.slice.interval is not None and not edition.slice.keys:
            return self._run_start(edition.slice.interval, anchor, "this")
        lows = {core.TRIGGER: anchor}
        lowest = anchor
        trigger = edition.trigger
        if trigger.since is not None:
            lowest = min(lowest, self._since(trigger.since, anchor))
        if trigger.ends is not None:
            lowest = min(lowest, self._run_start(trigger.ends, anchor, "this"))
        parts: list[Any] = [trigger.pattern, trigger.since, *edition.only_if]
        parts += [requirement.condition for requirement in edition.requirements]
        parts += [part.value for part in edition.message]
        parts += edition.exemptions
        if edition.slice.interval is not None:
            lowest = min(lowest, self._run_start(edition.slice.interval, anchor, "this"))
        return min(lowest, *(self._reach(part, {**lows}, lowest) for part in parts))

    def _reach(self, node: Any, lows: Lows, here: int) -> int:
        """The earliest row that evaluating a part can look at."""
        if isinstance(node, tuple):
            return min((self._reach(part, lows, here) for part in node), default=here)
        if isinstance(node, core.Events):
            low = self._window(node.window, lows[node.at])
            inside = {**lows, node.pattern.var: low}
            parts = (node.pattern.where, node.window.since, node.window.before)
            return min(low, self._reach(parts, inside, low))
        if isinstance(node, core.Every):
            low = self._window(node.events.window, lows[node.events.at])
            inside = {**lows, node.events.pattern.var: low}
            return min(
                self._reach(node.events, lows, here), self._reach(node.condition, inside, low)
            )
        if isinstance(node, core.Pattern):
            return self._reach(node.where, {**lows, node.var: here}, here)
        if isinstance(node, core.Core):
            return min(
                (
                    self._reach(getattr(node, name), lows, here)
                    for name in node.__struct_fields__
                    if name != "place"
                ),
                default=here,
            )
        return here

    def _window(self, window: core.Window, anchor: int) -> int:
        """The earliest row of a window, from any event at or after the anchor."""
        bounds = [0]
        if window.interval is not None:
            # Also to look ahead inside a run one must know where it began.
            bounds.append(self._run_start(window.interval, anchor, window.which))
        elif window.reach == "future":
            bounds.append(anchor)
        if window.since is not None:
            bounds.append(self._since(window.since, anchor))
        # Lengths of time narrow a window only where the clock can be trusted.
        if isinstance(window.within, core.Const) and window.reach == "past" and self.scene.monotone:
            length = self.evaluator._const(window.within, _NOWHERE).vector.above[0]
            moment = self.scene.ts[min(anchor, self.size - 1)] if self.size else 0
            bounds.append(int(np.searchsorted(self.scene.ts, moment - int(length))))
        return max(bounds)

    def _since(self, pattern: core.Pattern, anchor: int) -> int:
        """The last event of a pattern before the anchor, or the beginning if that is not sure."""
        planned = self.evaluator.pattern(pattern)
        keys = self.edition.slice.keys
        schema = self.table.log.schema
        keyed = any(key in schema.events[name].fields for key in keys for name in planned.types)
        if planned.joins or planned.rest or keyed:
            return 0
        found = self.evaluator.search.candidates(planned)
        sure = found.rows[(found.state == VALUE) & (found.rows < anchor)]
        return int(sure[-1]) if len(sure) else 0

    def _run_start(self, name: str, anchor: int, which: str) -> int:
        """The start of the run of an interval that an event at the anchor would lie in."""
        runs = stretches(self.evaluator, name)
        if (
            not len(runs.first)
            or not bool(runs.certain.all())
            or len(self.table.log.table_names) > 1
        ):
            return 0
        if self.edition.slice.keys:
            return 0
        if which == "next":
            return anchor
        if anchor < self.size:
            number = int(around(self.evaluator, name, np.array([anchor], dtype=np.int64))[0])
        else:
            # A new event belongs to the last run, if that has not properly ended.
            number = -1 if bool(runs.closed[-1]) else len(runs.first) - 1
        if number < 0:
            # Outside of any run: the next one begins later, and the previous one was the last.
            begun = np.flatnonzero(runs.first < anchor)
            before = int(begun[-1]) if len(begun) else -1
            if which == "this":
                return min(anchor, self.size)
            return int(runs.first[before]) if before >= 0 else 0
        if which == "this":
            return int(runs.first[number])
        return int(runs.first[number - 1]) if number > 0 else 0


_NOWHERE: Any = None
