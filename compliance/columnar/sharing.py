"""Which parts of a rule the fast engine works out once for several rules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from compliance.columnar.plan import Plan
from compliance.columnar.slices import slice_key
from rules_dsl import core
from rules_dsl.traverse import all_parts

Key = tuple[object, ...]


class Sharing:
    """For every part of every rule, the rules that have the same one on the same segments."""

    def __init__(self, rules: Iterable[core.Rule], plan: Plan) -> None:
        self._plan = plan
        self._rules: defaultdict[Key, dict[str, None]] = defaultdict(dict)
        for rule in rules:
            for edition in rule.editions:
                for key in self._keys(edition):
                    self._rules[key][rule.name] = None

    def triggers(self, rule: core.Rule, edition: core.Edition) -> tuple[str, ...]:
        """Other rules with the same triggers."""
        return self._others(rule, self._trigger_key(edition))

    def events(
        self, rule: core.Rule, edition: core.Edition, events: core.Events
    ) -> tuple[str, ...]:
        """Other rules for which the events of a phrase are judged and sorted only once."""
        return self._others(rule, self._events_key(edition, events.pattern))

    def searches(
        self, rule: core.Rule, edition: core.Edition, events: core.Events
    ) -> tuple[str, ...]:
        """Other rules for which the whole search of a phrase is done only once."""
        return self._others(rule, self._search_key(edition, events))

    def _others(self, rule: core.Rule, key: Key) -> tuple[str, ...]:
        return tuple(name for name in self._rules.get(key, ()) if name != rule.name)

    def _keys(self, edition: core.Edition) -> Iterator[Key]:
        yield self._trigger_key(edition)
        nodes: list[core.Core] = [edition]
        nodes += [part.value for part in edition.message if part.value is not None]
        for node in nodes:
            for part in all_parts(node):
                if isinstance(part, core.Events):
                    yield self._search_key(edition, part)
                elif isinstance(part, core.Pattern):
                    yield self._events_key(edition, part)

    def _segments(self, edition: core.Edition) -> Key:
        slice_ = edition.slice
        if not slice_.keys and slice_.interval is None:
            return (slice_.across, "whole")
        return (slice_.across, slice_key(edition))

    def _trigger_key(self, edition: core.Edition) -> Key:
        return ("triggers", self._segments(edition), self._conditions(edition))

    def _events_key(self, edition: core.Edition, pattern: core.Pattern) -> Key:
        return ("events", self._segments(edition), self._plan.pattern(pattern).keyed)

    def _search_key(self, edition: core.Edition, events: core.Events) -> Key:
        number = self._plan.number(events)
        return ("search", self._segments(edition), self._conditions(edition), number)

    def _conditions(self, edition: core.Edition) -> Key:
        """What decides at which triggers an edition applies."""
        asked = frozenset(self._plan.number(condition) for condition in edition.only_if)
        return (self._plan.number(edition.trigger), asked, edition.since, edition.until)
