"""Makes up short logs that show a rule at work: one that complies with it and one that breaks it.

They are not the examples of the rule file. Each starts from an example, loses every event that has
no part in the verdict, and gets other names, seats, cards, amounts and times.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import combinations
from typing import Any

from compliance.reference import apply_rule
from compliance.reference.evaluate import Watch
from compliance.rule_tests.example_runs import example_circumstances, example_events
from event_schemas import Card, Event, Schema, Suit
from reports.model import Check
from reports.verdicts import Verdict
from rules_dsl import core

_WORDS = {"complies": Verdict.COMPLIED, "violates": Verdict.VIOLATED}
_LATER = timedelta(minutes=75)
_LIKE_A_NUMBERED_NAME = re.compile(r"([A-Z]+)([0-9]+)")
_MOST_LEFT_OUT = 2

Ending = tuple[tuple[str, Verdict], ...]


@dataclass(frozen=True)
class Trace:
    """A made-up log, the circumstances it plays in, and the check that it is about."""

    events: tuple[Event, ...]
    given: tuple[core.Choice, ...]
    check: Check


def generated_traces(
    rule: core.Rule, rulebook: core.Rulebook, schema: Schema
) -> tuple[Trace | None, Trace | None]:
    """A log that complies and a log that violates; None where no example leads to one."""
    return (
        _generated("complies", rule, rulebook, schema),
        _generated("violates", rule, rulebook, schema),
    )


def _generated(
    outcome: str, rule: core.Rule, rulebook: core.Rulebook, schema: Schema
) -> Trace | None:
    wanted = _WORDS[outcome]
    # An example of that outcome leads there at once; another may, when some events are left out.
    examples = sorted(rule.examples, key=lambda example: example.expected != outcome)
    for example in examples:
        trial = Trial(rule, example, rulebook, schema)
        for events in _shortened(trial.events()):
            if trial.decisive(events, wanted) is not None:
                few = _without_bystanders(events, wanted, trial)
                return trial.trace(_varied(few, trial), wanted)
    return None


@dataclass(frozen=True)
class Trial:
    """A rule under the circumstances of one of its examples, to be tried on made-up events."""

    rule: core.Rule
    example: core.Example
    rulebook: core.Rulebook
    schema: Schema

    def events(self) -> tuple[Event, ...]:
        return tuple(example_events(self.example, self.rulebook, self.schema))

    def checks(self, events: Sequence[Event], watch: Watch | None = None) -> tuple[Check, ...]:
        around = example_circumstances(self.example, events, self.rulebook, self.schema)
        return tuple(apply_rule(self.rule, around, events, watch))

    def ending(self, events: Sequence[Event]) -> Ending:
        return tuple((c.trigger.event_id, c.verdict) for c in self.checks(events))

    def decisive(self, events: Sequence[Event], wanted: Verdict) -> Check | None:
        """The first check with the wanted verdict, if no other check muddies the picture."""
        checks = self.checks(events)
        hits = [check for check in checks if check.verdict is wanted]
        if not hits or any(check.verdict not in (wanted, Verdict.COMPLIED) for check in checks):
            return None
        return hits[0]

    def trace(self, events: Sequence[Event], wanted: Verdict) -> Trace | None:
        named = tuple(
            replace(event, id=f"event {number}", seq=number)
            for number, event in enumerate(events, start=1)
        )
        check = self.decisive(named, wanted)
        return None if check is None else Trace(named, self.example.given, check)


# ---- leaving out ---------------------------------------------------------------------------


def _shortened(events: tuple[Event, ...]) -> Iterator[tuple[Event, ...]]:
    """The events, then the same without one of them, then without two."""
    for number in range(_MOST_LEFT_OUT + 1):
        for left_out in combinations(events, number):
            yield tuple(event for event in events if event not in left_out)


def _without_bystanders(
    events: tuple[Event, ...], wanted: Verdict, trial: Trial
) -> tuple[Event, ...]:
    """Only what the verdict rests on: what decides it, and what it would be different without."""
    kept = events
    for event in reversed(events):
        check = trial.decisive(kept, wanted)
        if check is None or event.id in _deciding(check):
            continue
        fewer = tuple(other for other in kept if other is not event)
        still = trial.decisive(fewer, wanted)
        if still is not None and _deciding(still) == _deciding(check):
            kept = fewer
    return kept


def _deciding(check: Check) -> set[str]:
    return {witness.event_id for witness in (check.trigger, *check.witnesses)}


# ---- varying -------------------------------------------------------------------------------


def _varied(events: tuple[Event, ...], trial: Trial) -> tuple[Event, ...]:
    """Other names, seats, cards, amounts and times, each kept if every check ends as before."""
    ending = trial.ending(events)
    for change in _changes(trial.schema):
        other = tuple(change(event) for event in events)
        if trial.ending(other) == ending:
            events = other
    return events


def _changes(schema: Schema) -> Iterator[Callable[[Event], Event]]:
    """Each changes all values of one kind at once, so that what was equal or different stays so."""
    yield lambda event: replace(event, ts=event.ts + _LATER)
    yield lambda event: _with(event, "text", _next_name, schema)
    yield lambda event: _with(event, "seat", lambda seat: seat + 1, schema)
    yield lambda event: _with(event, "card", _next_suit, schema)
    yield lambda event: _with(event, "money", lambda amount: amount * 2, schema)


def _with(event: Event, kind: str, change: Callable[[Any], object], schema: Schema) -> Event:
    kinds = schema.events[event.type].fields
    fields = {
        name: change(value) if kinds[name].kind.name == kind else value
        for name, value in event.fields.items()
    }
    return replace(event, fields=fields)


def _next_name(name: str) -> str:
    match = _LIKE_A_NUMBERED_NAME.fullmatch(name)
    return name if match is None else f"{match[1]}{int(match[2]) + 1}"


def _next_suit(card: Card) -> Card:
    if card.suit is None:
        return card
    suits = list(Suit)
    return Card(card.rank, suits[(suits.index(card.suit) + 1) % len(suits)])
