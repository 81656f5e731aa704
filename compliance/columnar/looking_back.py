"""Keeps the events that checks which are still to come can look back at.

Nobody knows yet where the triggers of the next log will stand, only that they come after all that
is here. So each phrase keeps the events of its own kind in the stretch that it can still see, and
only as many as can matter: for `the last X` the last one, for `at least 3 X` the last three, for a
sum all of them.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from compliance.columnar.contexts import Contexts
from compliance.columnar.evaluate import Evaluator
from compliance.columnar.events_to_come import events_to_come
from compliance.columnar.looked_at import LookedAt, Phrase, TooFar, speaks_of_events
from compliance.columnar.run_borders import borders, nth_before
from compliance.columnar.scene import Scene, Table
from compliance.columnar.split import free_vars
from compliance.columnar.vectors import MISSING, OPEN, VALUE, States
from compliance.columns import Flags, Integers
from rules_dsl import core
from rules_dsl.traverse import parts


def _from_row(scene: Scene, start: int) -> Scene:
    """The events from a row on, as one segment."""
    rows = np.arange(start, len(scene))
    return Scene(
        scene.table,
        scene.place(rows),
        np.zeros(len(rows), dtype=np.int64),
        np.zeros(1, dtype=np.int64),
        np.array([len(rows)], dtype=np.int64),
        scene.complete,
        scene.known_until,
        None if scene.belongs is None else scene.belongs[rows],
    )


class LookingBack:
    """Marks what an edition of a rule can look back at from any later event."""

    def __init__(self, table: Table, edition: core.Edition, kept: Flags, scene: Scene) -> None:
        self.table = table
        self.edition = edition
        self.kept = kept
        self._coming = events_to_come(table, edition)
        self._after_trigger: int | None = None
        """The event that surely lies after the trigger, while its conditions are looked at."""
        self._look_at(scene)
        if edition.slice.interval is not None:
            start, clear = self._run(edition.slice.interval, "this")
            if not clear:
                raise TooFar
            # Only the run that still goes on is seen by what is to come.
            self._look_at(_from_row(scene, start))

    def _look_at(self, scene: Scene) -> None:
        self.scene = scene
        self.evaluator = Evaluator(scene)
        self.size = len(scene)
        self.exact = LookedAt(self.evaluator, self.kept)

    def trigger(self) -> None:
        """Mark what tells whether a later event is a trigger."""
        trigger = self.edition.trigger
        if trigger.ends is not None:
            self._run(trigger.ends, "this")
        if trigger.since is not None:
            self._bound(trigger.since)
            self._bound(trigger.pattern)
        if trigger.pattern.where is not None:
            self.at(trigger.pattern.where)

    def at(self, node: core.Core) -> None:
        """Mark what a part of a rule can look back at."""
        if isinstance(node, Phrase):
            self._phrase(node)
        else:
            for part in parts(node):
                self.at(part)

    def _phrase(self, node: Phrase) -> None:
        events = node.events
        for part in (getattr(node, "number", None), getattr(node, "start", None)):
            if part is not None:
                self.at(part)
        low, clear = self._window(events.window, events.at)
        rows = self._of(events.pattern, low)
        if events.window.reach == "future":
            rows = rows[:0]
        chosen, begin = self._chosen(node, rows, clear, low)
        self._keep(chosen)
        typed = self._typed(events.pattern, begin) if len(rows) else rows
        outside = self._after_trigger
        if events.window.reach == "future" and events.at == core.TRIGGER:
            self._after_trigger = events.pattern.var
        self._inside(events.pattern.where, events.pattern.var, typed)
        self._after_trigger = outside
        if isinstance(node, core.Every):
            self._inside(node.condition, events.pattern.var, chosen)

    # ---- where a phrase can look

    def _window(self, window: core.Window, at: int) -> tuple[int, bool]:
        """The first row that a window can show, and whether no event leaves that in doubt.

        Later events can only make the window begin later.
        """
        low, clear = 0, True
        if window.interval is not None:
            first, clear = self._run(window.interval, window.which)
            low = max(low, first)
        if window.since is not None:
            bound, known = self._bound(window.since)
            to_come = self._coming.bounds(window.since, at, after_trigger=self._after_trigger)
            if to_come and not len(self._of(window.since, 0)):
                bound, known = self.size, True
            low, clear = max(low, bound), clear and known
        for part in (window.before, window.within, window.at_least):
            if part is not None:
                self.at(part)
        if window.within is not None and window.reach == "past":
            low = max(low, self._moment(window.within))
        return low, clear

    def _moment(self, length: core.Expr) -> int:
        """The first row that is no further from the end of the log than a length of time."""
        if free_vars(length) or speaks_of_events(length) or not self.scene.monotone:
            return 0
        nowhere = Contexts({core.TRIGGER: np.zeros(1, dtype=np.int64)}, 1)
        vector = self.evaluator.vector(length, nowhere)
        if not self.size or vector.state[0] != VALUE:
            return 0
        edge = int(self.scene.ts[-1]) - int(vector.above[0])
        return int(self.scene.ts.searchsorted(edge))

    def _run(self, name: str, which: str) -> tuple[int, bool]:
        """The first row of the run that a later event can mean, and whether that is sure.

        The beginnings and ends from there on are kept, so that no run seems to go on that ended.
        """
        found = borders(self.evaluator, name)
        end = np.array([self.size], dtype=np.int64)
        last = int(nth_before(found.sure, end, 1)[0])
        low = max(last, 0)
        if which == "previous":
            low = max(int(nth_before(found.openings, end, 2)[0]), 0)
        self._keep(found.rows[found.rows >= low])
        clear = not len(found.unclear) or int(found.unclear[-1]) < low
        if which == "this" and clear and last not in found.openings:
            # Outside of any run: the next one begins later.
            return self.size, True
        return (self.size if which == "next" else low), clear

    def _bound(self, pattern: core.Pattern) -> tuple[int, bool]:
        """The last event that surely bounds a window, and whether none after it may do so.

        Where each key has its own one, all of these are kept, and any of them may be meant.
        """
        planned = self.evaluator.pattern(pattern)
        found = self.evaluator.search.candidates(planned)
        rows, state = found.rows, found.state
        sure = rows[state == VALUE]
        fields = self._key_fields(pattern)
        low = 0
        if planned.rest:
            self._keep(rows)
        elif fields:
            self._keep(self._last_of_each(pattern, rows, state, 1, fields))
        else:
            low = int(sure[-1]) if len(sure) else 0
            self._keep(sure[-1:])
            # Of those in doubt the last one clouds all before it, unless the rest of the log
            # settles it.
            self._keep(rows[(state == OPEN) & (rows >= low)])
            self._keep(rows[(state == MISSING) & (rows >= low)][-1:])
        self._inside(pattern.where, pattern.var, self._typed(pattern, low))
        clear = not planned.rest and not fields and not bool((state[rows >= low] != VALUE).any())
        return low, clear

    # ---- which events of it matter

    def _chosen(self, node: Phrase, rows: Integers, clear: bool, low: int) -> tuple[Integers, int]:
        """Of the events that a phrase can see those that can matter to it, and the first row from
        which on it matters whether an event is one of them."""
        chosen = self._few(node, rows, clear)
        if chosen is None:
            return rows, low
        state = self._states(node.events.pattern, chosen)
        settled = int((state == VALUE).sum()) >= (self._number(node) or 1)
        keyed = self._key_fields(node.events.pattern) or node.events.per is not None
        last = isinstance(node, core.HowMany) or getattr(node, "function", "") == "last"
        if last and settled and not keyed and len(chosen):
            return chosen, int(chosen[state == VALUE].min())
        return chosen, low

    def _few(self, node: Phrase, rows: Integers, clear: bool) -> Integers | None:
        """The events that can matter, where these are not simply all."""
        events = node.events
        window = events.window
        planned = self.evaluator.pattern(events.pattern)
        state = self._states(events.pattern, rows)
        fields = self._key_fields(events.pattern)
        plain = not planned.rest and not bool((state == OPEN).any()) and window.at_least is None
        if not plain or window.reach != "past" or window.which != "this":
            return None
        if not clear:
            return None
        if events.per is not None:
            # A trigger that does not say with which ones it agrees may mean any of them.
            if events.per == "earliest" or fields:
                return None
            return self._last_of_each(events.pattern, rows, state, 1, (*fields, *events.per_fields))
        if isinstance(node, core.HowMany):
            number = self._number(node)
            if number is None:
                return None
            return self._last_of_each(events.pattern, rows, state, number, fields)
        if isinstance(node, core.Aggregate) and node.function == "last":
            return self._last_of_each(events.pattern, rows, state, 1, fields)
        if isinstance(node, core.Aggregate) and node.function == "first" and window.within is None:
            return self._first_of_each(events.pattern, rows, state, fields)
        return None

    def _number(self, node: Phrase) -> int | None:
        """How many events can matter to a phrase that asks how many there are."""
        if not isinstance(node, core.HowMany):
            return None
        if not isinstance(node.number, core.Const | core.SettingValue):
            return None
        nowhere = Contexts({core.TRIGGER: np.zeros(1, dtype=np.int64)}, 1)
        vector = self.evaluator.vector(node.number, nowhere)
        if vector.state[0] != VALUE:
            return None
        below = 1 if vector.below is None else int(vector.below[0])
        wanted = Fraction(int(vector.above[0]), below)
        return max(0, math.ceil(wanted), math.floor(wanted) + 1)

    def _last_of_each(
        self,
        pattern: core.Pattern,
        rows: Integers,
        state: States,
        number: int,
        fields: tuple[str, ...],
    ) -> Integers:
        """The last few sure events of each key, and all that may be of any key or not at all."""
        if not fields:
            return _last(rows, state == VALUE, number, self.size)
        keys, known = self._keys(pattern, rows, fields)
        sure = known & (state == VALUE)
        back = keys[sure][::-1]
        # How many of the same key come after each one.
        order = np.argsort(back, kind="stable")
        first = np.searchsorted(back[order], back[order])
        later = np.empty(len(back), dtype=np.int64)
        later[order] = np.arange(len(back)) - first
        return np.concatenate([rows[sure][::-1][later < number], rows[~sure]])

    def _first_of_each(
        self, pattern: core.Pattern, rows: Integers, state: States, fields: tuple[str, ...]
    ) -> Integers:
        """The first sure event of each key, and all that may be of any key or not at all."""
        keys, known = self._keys(pattern, rows, fields)
        sure = known & (state == VALUE)
        _, first = np.unique(keys[sure], return_index=True)
        return np.concatenate([rows[sure][first], rows[~sure]])

    def _keys(
        self, pattern: core.Pattern, rows: Integers, fields: tuple[str, ...]
    ) -> tuple[Integers, Flags]:
        """A number for the key of each row, and whether all of it is recorded."""
        known = np.ones(len(rows), dtype=np.bool_)
        numbers = np.zeros(len(rows), dtype=np.int64)
        schema = self.table.log.schema
        for name in dict.fromkeys(fields):
            kinds = {
                schema.events[type_].fields[name].kind.name
                for type_ in pattern.types
                if name in schema.events[type_].fields
            }
            has = np.zeros(len(rows), dtype=np.bool_)
            for kind in sorted(kinds):
                vector = self.scene.field(name, kind, rows).spread(len(rows))
                own = vector.state == VALUE
                numbers = _with(numbers, np.where(own, vector.above, 0))
                if vector.below is not None:
                    numbers = _with(numbers, np.where(own, vector.below, 0))
                has |= own
            known &= has
        return numbers, known

    # ---- patterns

    def _key_fields(self, pattern: core.Pattern) -> tuple[str, ...]:
        """The fields in which events must agree with a later one to be seen from it."""
        joins = (join.field.name for join in self.evaluator.pattern(pattern).joins)
        return tuple(dict.fromkeys(joins))

    def _of(self, pattern: core.Pattern, low: int) -> Integers:
        found = self.evaluator.search.candidates(self.evaluator.pattern(pattern))
        return found.rows[found.rows >= low]

    def _states(self, pattern: core.Pattern, rows: Integers) -> States:
        found = self.evaluator.search.candidates(self.evaluator.pattern(pattern))
        return found.state[found.rows.searchsorted(rows)]

    def _typed(self, pattern: core.Pattern, low: int) -> Integers:
        rows = self.scene.rows_of(pattern.types)
        return rows[rows >= low]

    def _inside(self, condition: core.Expr | None, var: int, rows: Integers) -> None:
        """Mark what a condition looks at, from each event of this log and from any later one."""
        if condition is None or not self.table.plan.once(speaks_of_events, condition):
            return
        self.at(condition)
        self.exact.at(condition, Contexts({var: rows}, len(rows)))

    def _keep(self, rows: Integers) -> None:
        self.exact.keep(rows)


def _with(numbers: Integers, column: Integers) -> Integers:
    """Numbers that differ where either these or the values of one more column do."""
    _, places = np.unique(column, return_inverse=True)
    both: Integers = np.unique(numbers * (len(column) + 1) + places, return_inverse=True)[1]
    return both


def _last(rows: Integers, sure: Flags, number: int, none: int) -> Integers:
    """The last few sure rows, and those in doubt that come after the first of them."""
    chosen = rows[sure][::-1][:number]
    unclear = rows[~sure]
    if int(sure.sum()) >= number:
        unclear = unclear[unclear > (chosen.min() if len(chosen) else none)]
    return np.concatenate([chosen, unclear])
