"""An example of a rule, made ready once to be run with many mutants of the rule."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from zoneinfo import ZoneInfo

import msgspec

from compliance.judgement.circumstances import Circumstances, edition_on
from compliance.reference import apply_rule
from compliance.reference.evaluate import Watch
from compliance.rule_tests.example_runs import example_circumstances, example_events
from compliance.rule_tests.mutations.change import Cell, Spot
from compliance.rule_tests.mutations.tables import watched_tables
from event_schemas import Event, Schema
from rules_dsl import core

Ending = tuple[tuple[str, str], ...]
"""How an example ended: the trigger and the verdict of each check."""


@dataclass(frozen=True)
class ExampleRun:
    """The events of an example, how it ends with the rule itself, and what it comes by.

    `reached` holds the parts of the rule that are evaluated, the editions that apply and the cells
    of tables that are read. A change anywhere else cannot make a difference, and is not run.
    """

    events: list[Event]
    circumstances: Circumstances
    expected: Ending = ()
    reached: frozenset[Spot] = frozenset()

    @classmethod
    def of(
        cls, example: core.Example, rule: core.Rule, rulebook: core.Rulebook, schema: Schema
    ) -> ExampleRun:
        """Run the example once with the rule as it is."""
        events = example_events(example, rulebook, schema)
        run = cls(events, example_circumstances(example, events, rulebook, schema))
        zone = ZoneInfo(rulebook.time_zone)
        editions = [edition_on(rule, event.ts.astimezone(zone).date()) for event in events]
        parts: set[int] = {id(edition) for edition in editions}
        cells: set[Cell] = set()

        def watch(part: core.Core, answer: object) -> None:
            parts.add(id(part))

        expected = run.ending(rule, watched_tables(rulebook, cells), watch)
        return replace(run, expected=expected, reached=frozenset(parts | cells))

    def notices(
        self, rule: core.Rule, rulebook: core.Rulebook, spots: Collection[Spot] | None
    ) -> bool:
        """Whether the example ends otherwise with a rule that was changed at some spots."""
        if spots is not None and self.reached.isdisjoint(spots):
            return False
        return self.ending(rule, rulebook) != self.expected

    def ending(
        self, rule: core.Rule, rulebook: core.Rulebook, watch: Watch | None = None
    ) -> Ending:
        """How the example ends. Messages say nothing about the verdict, and are not made."""
        silent = tuple(msgspec.structs.replace(e, message=()) for e in rule.editions)
        quiet = msgspec.structs.replace(rule, editions=silent)
        around = replace(self.circumstances, rulebook=rulebook)
        checks = apply_rule(quiet, around, self.events, watch)
        return tuple((check.trigger.event_id, check.verdict.value) for check in checks)
