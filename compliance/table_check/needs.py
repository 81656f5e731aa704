"""What a rule needs to see: the event types and fields without which it cannot be judged.

Whatever the trigger, a condition, a requirement or an exception names is needed: an event that a
source does not record looks like one that did not happen, and a missing burn would be a breach at
every dealer. What only the message names is not needed, and neither are options, which have a
file of their own. Of a choice between two readings only the chosen one counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from event_schemas import Schema
from rules_dsl import core

if TYPE_CHECKING:
    from compliance.log.manifest import Manifest

Types = tuple[str, ...]


class Need(msgspec.Struct, frozen=True, order=True, array_like=True):
    """An event type, or a field of it."""

    event: str
    field: str = ""

    def __str__(self) -> str:
        return f"the field {self.field} of {self.event}" if self.field else self.event


class Needs(msgspec.Struct, frozen=True, array_like=True):
    """What one edition of a rule needs."""

    triggers: Types
    """The event types at which it is applied: one of them is enough, checks there are sound."""
    fields: frozenset[Need]
    """Fields of the events at which it is applied."""
    rest: frozenset[Need]
    required: frozenset[Need]
    """Of all this, the event types that the requirements themselves look for."""

    def unrecorded(self, manifest: Manifest) -> tuple[Need, ...]:
        """What is needed and not recorded; with any of it the edition is not evaluable."""
        applied = {name for name in self.triggers if manifest.records(name)}
        wanted = self.rest | {need for need in self.fields if need.event in applied}
        if not applied:
            wanted |= {Need(name) for name in self.triggers}
        # A type that is not recorded at all says enough: its fields need not be told, too.
        return tuple(
            sorted(
                need
                for need in wanted
                if not manifest.records(need.event, need.field or None)
                and (not need.field or manifest.records(need.event))
            )
        )

    def in_part(self, manifest: Manifest) -> tuple[Need, ...]:
        """What is looked for besides the trigger, and not always recorded."""
        named = (need for need in self.rest if not need.field)
        return tuple(sorted(need for need in named if need.event in manifest.partly))

    def unseen_triggers(self, manifest: Manifest) -> tuple[Need, ...]:
        """The event types at which the rule should be applied, but that are not recorded."""
        return tuple(Need(name) for name in self.triggers if not manifest.records(name))


def needs(
    edition: core.Edition, rulebook: core.Rulebook, readings: Mapping[str, str], schema: Schema
) -> Needs:
    """What an edition of a rule needs, under the readings that were chosen."""
    trigger = edition.trigger
    types = trigger.pattern.types
    walk = _Walk(rulebook, readings, schema)
    bound = {core.TRIGGER: types}
    parts: list[Any] = [trigger.pattern.where, *edition.only_if, *edition.exemptions]
    parts += [requirement.condition for requirement in edition.requirements]
    found = {need for part in parts for need in walk.of(part, bound)}
    if trigger.since is not None:
        # Whether an event is the first one cannot be told unless all of its kinds are recorded.
        found |= {*walk.of(trigger.since, bound), *(Need(name) for name in types)}
    for interval in {trigger.ends, edition.slice.interval} - {None}:
        found |= set(walk.run_of(str(interval)))
    keys = (*edition.slice.keys, *(("pit",) if edition.slice.across == "pit" else ()))
    events = {need.event for need in found if not need.field} | set(types)
    found |= {need for name in keys for need in walk.field(name, tuple(events))}
    named = {need.event for need in found if not need.field}
    at_trigger = {need for need in found if need.field and need.event in types}
    # A type that is also looked for elsewhere is needed there in any case.
    fields = frozenset(need for need in at_trigger if need.event not in named)
    conditions = tuple(requirement.condition for requirement in edition.requirements)
    looked_for = {need for need in walk.of(conditions, bound, runs=False) if not need.field}
    return Needs(types, fields, frozenset(found - fields), frozenset(looked_for))


@dataclass(frozen=True)
class _Walk:
    rulebook: core.Rulebook
    readings: Mapping[str, str]
    schema: Schema

    def of(self, node: Any, bound: Mapping[int, Types], *, runs: bool = True) -> Iterator[Need]:
        """Everything that a part of a rule names; `bound` are the events that it speaks of.

        Without `runs` what tells where intervals begin and end is left out.
        """
        if isinstance(node, tuple):
            for part in node:
                yield from self.of(part, bound, runs=runs)
        elif isinstance(node, core.Field):
            yield from self.field(node.name, bound[node.var])
        elif isinstance(node, core.Pattern):
            yield from map(Need, node.types)
            yield from self.of(node.where, {**bound, node.var: node.types}, runs=runs)
        elif isinstance(node, core.Events):
            for name in node.per_fields:
                yield from self.field(name, node.pattern.types)
            if node.window.interval is not None and runs:
                yield from self.run_of(node.window.interval)
            yield from self._parts(node, bound, runs)
        elif isinstance(node, core.If):
            yield from self._choice(node, bound, runs)
        elif isinstance(node, core.And | core.Or):
            # One part that is decided beforehand may decide the whole.
            decided = {self._decided(part) for part in node.parts}
            if isinstance(node, core.Or) not in decided:
                yield from self.of(node.parts, bound, runs=runs)
        elif isinstance(node, core.Core):
            yield from self._parts(node, bound, runs)

    def _parts(self, node: core.Core, bound: Mapping[int, Types], runs: bool) -> Iterator[Need]:
        inside = bound
        if isinstance(events := getattr(node, "events", None), core.Events):
            inside = {**bound, events.pattern.var: events.pattern.types}
        for name in node.__struct_fields__:
            yield from self.of(getattr(node, name), inside, runs=runs)

    def _choice(self, node: core.If, bound: Mapping[int, Types], runs: bool) -> Iterator[Need]:
        decided = self._decided(node.condition)
        if decided is not True:
            yield from self.of(node.otherwise, bound, runs=runs)
        if decided is not False:
            yield from self.of(node.then, bound, runs=runs)
        if decided is None:
            yield from self.of(node.condition, bound, runs=runs)

    def run_of(self, interval: str) -> Iterator[Need]:
        """What tells where the runs of an interval begin and end."""
        found = self.rulebook.intervals[interval]
        yield from self.of((found.opens, found.closes), {})

    def field(self, name: str, types: Types) -> Iterator[Need]:
        """A field of those of the event types that have it."""
        for event in types:
            if name in self.schema.events[event].fields:
                yield Need(event, name)

    def _decided(self, node: core.Expr) -> bool | None:
        """The answer of a condition on readings alone, which is known beforehand."""
        if isinstance(node, core.Not):
            part = self._decided(node.part)
            return None if part is None else not part
        if not isinstance(node, core.Compare) or not isinstance(node.left, core.ReadingValue):
            return None
        if not isinstance(node.right, core.Const) or node.sign not in ("=", "!="):
            return None
        same = self.readings[node.left.name] == node.right.text
        return same if node.sign == "=" else not same
