"""What a rule needs to see: the event types and fields without which it cannot be judged.

Whatever the trigger, a condition, a requirement or an exception names is needed: an event that a
source does not record looks like one that did not happen, and a missing burn would be a breach at
every dealer. What only the message names is not needed, and neither are options, which have a
file of their own. Of a choice between two readings only the chosen one counts.

What is needed in some circumstances only is asked for where they hold: an event that the source
does not record may have happened at any place of the log, and a field is missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from compliance.table_check.essential_needs import essential_needs
from compliance.table_check.rule_walk import Need, RuleWalk, Types
from compliance.values.elected_options import ELECTIONS
from event_schemas import Schema
from rules_dsl import core

if TYPE_CHECKING:
    from compliance.log.manifest import Manifest


class Needs(msgspec.Struct, frozen=True, array_like=True):
    """What one edition of a rule needs."""

    triggers: Types
    """The event types at which it is applied: one of them is enough, checks there are sound."""
    fields: frozenset[Need]
    """Fields of the events at which it is applied."""
    rest: frozenset[Need]
    required: frozenset[Need]
    """Of all this, the event types that the requirements themselves look for."""
    essential: frozenset[Need] = frozenset()
    """Of all this, what no check can do without."""
    excusing: frozenset[Need] = frozenset()
    """Of all this, what only an exception names: without it a breach may have been excused."""

    def unrecorded(self, manifest: Manifest) -> tuple[Need, ...]:
        """What is needed in some circumstances and not recorded."""
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

    def blocking(self, manifest: Manifest) -> tuple[Need, ...]:
        """What is not recorded and no check can do without: the edition is not evaluable."""
        missing = self.unrecorded(manifest)
        if not self.triggers:
            return ()  # it can never be applied there
        if not any(manifest.records(name) for name in self.triggers):
            return missing
        return tuple(need for need in missing if need in self.essential)

    def wanted(self, manifest: Manifest) -> tuple[Need, ...]:
        """What would have to be recorded so that the rule can be judged; what may excuse a breach
        is left out where other things are missing."""
        missing = self.unrecorded(manifest)
        return tuple(need for need in missing if need not in self.excusing) or missing

    def in_part(self, manifest: Manifest) -> tuple[Need, ...]:
        """What is looked for besides the trigger, and not always recorded, or not at all."""
        return tuple(
            sorted(
                need
                for need in self.rest
                if not need.field
                and (need.event in manifest.partly or not manifest.records(need.event))
            )
        )

    def unseen_triggers(self, manifest: Manifest) -> tuple[Need, ...]:
        """The event types at which the rule should be applied, but that are not recorded."""
        return tuple(Need(name) for name in self.triggers if not manifest.records(name))


def needs(
    edition: core.Edition, rulebook: core.Rulebook, readings: Mapping[str, str], schema: Schema
) -> Needs:
    """What an edition of a rule needs, under the readings that were chosen."""
    trigger = edition.trigger
    types = trigger.pattern.types
    walk = RuleWalk(rulebook, readings, schema)
    bound = {core.TRIGGER: types}
    parts: list[Any] = [trigger.pattern.where, *edition.only_if]
    parts += [requirement.condition for requirement in edition.requirements]
    found = set(walk.of(tuple(parts), bound))
    if trigger.since is not None:
        # Whether an event is the first one cannot be told unless all of its kinds are recorded.
        found |= {*walk.of(trigger.since, bound), *(Need(name) for name in types)}
    for interval in {trigger.ends, edition.slice.interval} - {None}:
        found |= set(walk.run_of(str(interval)))
    excusing = set(walk.of(edition.exemptions, bound)) - found - set(map(Need, types))
    found |= excusing
    keys = (*edition.slice.keys, *(("pit",) if edition.slice.across == "pit" else ()))
    events = {need.event for need in found if not need.field} | set(types)
    at_keys = {need for name in keys for need in walk.field(name, tuple(events))}
    found |= at_keys
    named = {need.event for need in found if not need.field}
    at_trigger = {need for need in found if need.field and need.event in types}
    # A type that is also looked for elsewhere is needed there in any case.
    fields = frozenset(need for need in at_trigger if need.event not in named)
    conditions = tuple(requirement.condition for requirement in edition.requirements)
    looked_for = {need for need in walk.of(conditions, bound, runs=False) if not need.field}
    taken = at_keys | walk.taken_otherwise | {need for need in found if need.event in ELECTIONS}
    return Needs(
        types,
        fields,
        frozenset(found - fields),
        frozenset(looked_for),
        essential_needs(edition, walk) | taken,
        frozenset(excusing),
    )
