"""Keeps every event that a check which is known already can look at.

A check that is not settled is judged again with the next log. From its trigger the engine knows
exactly which events its phrases find, which ones bound their windows, and what their conditions
look at in turn; all of these are kept.
"""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from compliance.columnar.bounds import Bounds
from compliance.columnar.contexts import Contexts, spread_ranges
from compliance.columnar.evaluate import Evaluator
from compliance.columnar.run_borders import borders_near
from compliance.columnar.search import Found
from compliance.columnar.split import conditions, free_vars
from compliance.columnar.windows import look
from compliance.columns import Flags, Integers
from rules_dsl import core
from rules_dsl.traverse import all_parts, parts

Phrase = core.HowMany | core.Every | core.Aggregate | core.InOrder | core.NextSeat


def speaks_of_events(node: core.Core | None) -> bool:
    """Whether a condition looks at further events."""
    return node is not None and any(isinstance(part, core.Events) for part in all_parts(node))


class TooFar(Exception):
    """What a phrase looks at depends on an event that is not known yet."""


class LookedAt:
    """Marks the events that expressions look at from the events of some contexts."""

    def __init__(self, evaluator: Evaluator, kept: Flags) -> None:
        self.evaluator = evaluator
        self.scene = evaluator.scene
        self.kept = kept

    def keep(self, rows: Integers) -> None:
        """Mark some rows; -1 and the row after the last stand for none."""
        real = rows[(rows >= 0) & (rows < len(self.scene))]
        self.kept[self.scene.place(real)] = True

    def at(self, node: core.Core, contexts: Contexts) -> None:
        """Mark what a part of a rule looks at."""
        if not contexts.size:
            return
        if isinstance(node, Phrase):
            for name in ("number", "start"):
                if getattr(node, name, None) is not None:
                    self.at(getattr(node, name), contexts)
            # From an event that is not known yet nothing is looked at here.
            if node.events.at in contexts.rows:
                self._phrase(node, contexts)
        else:
            for part in parts(node):
                self.at(part, contexts)

    def _speaks(self, condition: core.Expr | None) -> bool:
        return self.evaluator.plan.once(speaks_of_events, condition)

    def trigger(self, trigger: core.Trigger, contexts: Contexts) -> None:
        """Mark what tells whether an event is a trigger."""
        self.keep(contexts.rows[core.TRIGGER])
        if trigger.pattern.where is not None:
            self.at(trigger.pattern.where, contexts)
        if trigger.ends is not None:
            self.run(trigger.ends, "this", contexts.rows[core.TRIGGER])
        if trigger.since is not None:
            self._bound(trigger.since, contexts, core.TRIGGER, True)
            self._bound(trigger.pattern, contexts, core.TRIGGER, True)

    def run(self, name: str, which: str, anchors: Integers) -> None:
        """Mark the beginnings and ends that tell which run is meant."""
        self.keep(borders_near(self.evaluator, name, which, anchors))

    def _phrase(self, node: Phrase, contexts: Contexts) -> None:
        events, window = node.events, node.events.window
        unknown = free_vars(events) - contexts.rows.keys()
        if unknown:
            if free_vars(window) & unknown:
                raise TooFar
            # Which of the events are meant is not known yet: all that may be.
            events = replace(events, pattern=_without(events.pattern, unknown))
        # Seen from a slice, another one may be the latest or earliest of its key.
        found = self.evaluator.find(replace(events, per=None, per_fields=()), contexts)
        owners, rows = _all_rows(found)
        self.keep(rows)
        if isinstance(node, core.Every) and self._speaks(node.condition):
            pairs = contexts.take(owners).with_var(events.pattern.var, rows)
            self.at(node.condition, pairs)
        if window.interval is not None:
            self.run(window.interval, window.which, contexts.rows[events.at])
        if window.since is not None:
            self._bound(window.since, contexts, events.at, True)
        if window.before is not None:
            self._bound(window.before, contexts, events.at, False)
        for length in (window.within, window.at_least):
            if length is not None:
                self.at(length, contexts)
        if self._speaks(events.pattern.where):
            bounds = look(self.evaluator, window, contexts, events.at).bounds
            self._typed(events.pattern, contexts, bounds.low, bounds.high)

    def _bound(self, pattern: core.Pattern, contexts: Contexts, at: int, back: bool) -> None:
        """Mark the nearest event that surely bounds a window, and those nearer that may."""
        edge = self.evaluator.search.nearest(pattern, contexts, at, back)
        self.keep(edge.sure)
        anchor = contexts.rows[at]
        if back:
            low, high = np.maximum(edge.sure, self.scene.start_of(anchor)), anchor
        else:
            low, high = anchor + 1, np.minimum(edge.sure + 1, self.scene.end_of(anchor))
        split = self.evaluator.pattern(pattern)
        self.keep(_all_rows(self.evaluator.search.find(split, contexts, Bounds(low, high)))[1])
        self._typed(pattern, contexts, low, high)

    def _typed(
        self, pattern: core.Pattern, contexts: Contexts, low: Integers, high: Integers
    ) -> None:
        """Mark what a pattern's condition looks at, from each event that it has to judge."""
        if pattern.where is None or not self._speaks(pattern.where):
            return
        rows = self.scene.rows_of(pattern.types)
        places, owners = spread_ranges(rows.searchsorted(low), rows.searchsorted(high))
        self.at(pattern.where, contexts.take(owners).with_var(pattern.var, rows[places]))


def _without(pattern: core.Pattern, unknown: frozenset[int]) -> core.Pattern:
    """A pattern without the conditions that ask about events which are not known."""
    known = [part for part in conditions(pattern.where) if not free_vars(part) & unknown]
    return replace(pattern, where=core.And(parts=tuple(known)) if known else None)


def _all_rows(found: Found) -> tuple[Integers, Integers]:
    """Every row that matches or may match, each with its context."""
    owners, rows = [], []
    for part in (found.sure, found.unsure, found.pending):
        places, owner = spread_ranges(part.first, part.end)
        owners.append(owner)
        rows.append(part.pool[places])
    return np.concatenate(owners), np.concatenate(rows)
