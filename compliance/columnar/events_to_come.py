"""The events that the next log must bring before a rule can apply in it.

A rule that applies only after a streak wager was made, and looks back to that wager, sees nothing
of a log without any. So nothing of that log has to be kept for it.
"""

from __future__ import annotations

from dataclasses import dataclass

from compliance.columnar.plan import Plan, PlannedPattern
from compliance.columnar.scene import Table
from compliance.columnar.split import conditions
from rules_dsl import core

Tie = tuple[str, int]
"""A field that equals a value known elsewhere, by the number of that value."""


@dataclass(frozen=True)
class EventsToCome:
    """What surely lies before any later trigger that the rule applies to, or is the trigger."""

    plan: Plan
    needed: frozenset[tuple[int, frozenset[Tie]]]
    """The patterns of which an event must come earlier, by own conditions and ties."""
    trigger: core.Trigger

    def bounds(self, since: core.Pattern, at: int, *, after_trigger: int | None) -> bool:
        """Whether a later event that is meant by the pattern surely bounds a window from `at`.

        `after_trigger` is an event of which it is known that it comes after the trigger.
        """
        planned = self.plan.pattern(since)
        if planned.rest:
            return False
        if at == core.TRIGGER and (planned.own, _ties(self.plan, planned)) in self.needed:
            return True
        return at == after_trigger and self._is_the_trigger(planned)

    def _is_the_trigger(self, planned: PlannedPattern) -> bool:
        """Whether the trigger itself is surely one of the events that are meant."""
        own = self.plan.pattern(self.trigger.pattern)
        if not set(own.types) <= set(planned.types):
            return False
        numbers = {self.plan.number(condition) for condition in (*own.local, *own.costly)}
        asked = (self.plan.number(part) for part in (*planned.local, *planned.costly))
        recorded = {
            part.value.name
            for part in conditions(self.trigger.pattern.where)
            if isinstance(part, core.Recorded) and part.known and isinstance(part.value, core.Field)
        }
        return all(number in numbers for number in asked) and all(
            isinstance(join.other, core.Field)
            and (join.other.var, join.other.name) == (core.TRIGGER, join.field.name)
            and join.field.name in recorded
            for join in planned.joins
        )


def _ties(plan: Plan, planned: PlannedPattern) -> frozenset[Tie]:
    return frozenset((join.field.name, plan.number(join.other)) for join in planned.joins)


def events_to_come(table: Table, edition: core.Edition) -> EventsToCome:
    """What an edition's `only if` asks to have happened."""
    plan = table.plan
    needed = set()
    for condition in (part for each in edition.only_if for part in conditions(each)):
        if not isinstance(condition, core.HowMany) or condition.bound == "at most":
            continue
        events = condition.events
        some = isinstance(condition.number, core.Const) and condition.number.text == "1"
        if some and events.at == core.TRIGGER and events.window.reach == "past":
            planned = plan.pattern(events.pattern)
            if not planned.rest:
                needed.add((planned.own, _ties(plan, planned)))
    return EventsToCome(plan, frozenset(needed), edition.trigger)
