"""Which events a broken duty asked for and did not find, and until when they could still come."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from compliance.judgement.circumstances import Absent, Circumstances
from compliance.reference.evaluate import Evaluator
from compliance.reference.scene import Scene
from compliance.values.event_texts import value_text
from event_schemas import Event, Schema
from reports.model import Check
from rules_dsl import core

_ONE = core.Const(kind="number", text="1")


@dataclass(frozen=True)
class MissingEvents:
    """The events of which a rule found none, or too few."""

    patterns: tuple[core.Pattern, ...]
    windows: tuple[core.Window, ...]
    words: str
    """In a few words: no card_burned."""

    @cached_property
    def types(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for part in self.patterns for name in part.types))

    @cached_property
    def ahead(self) -> bool:
        """Whether the rule looks only at what comes after its trigger."""
        return all(window.reach == "future" for window in self.windows)

    @cached_property
    def since(self) -> tuple[str, ...]:
        """The types of event with which the duty begins anew."""
        return tuple(
            dict.fromkeys(
                name for window in self.windows if window.since for name in window.since.types
            )
        )

    @cached_property
    def deadline(self) -> tuple[str, ...]:
        """The types of event with which the time to act is over."""
        return tuple(
            dict.fromkeys(
                name for window in self.windows if window.before for name in window.before.types
            )
        )

    @cached_property
    def interval(self) -> str | None:
        """The interval inside which the rule looks, where all its parts name one."""
        names = {window.interval for window in self.windows}
        return names.pop() if len(names) == 1 else None


def missing_events(edition: core.Edition, unmet: Sequence[str]) -> MissingEvents | None:
    """What a broken duty asked for; nothing where it forbids something or compares values."""
    broken = [item for item in edition.requirements if item.text in unmet]
    counts = [part for item in broken for part in _demands(item.condition)]
    if not counts or len(broken) != len(unmet):
        return None
    patterns = tuple(part.events.pattern for part in counts)
    none = all(part.number == _ONE for part in counts)
    # Some events of the type may be there, but not such as the rule means.
    such = "" if all(pattern.where is None for pattern in patterns) else " as the rule asks"
    types = dict.fromkeys(name for pattern in patterns for name in pattern.types)
    words = f"{'no' if none else 'too few'} {' or '.join(types)}{such}"
    return MissingEvents(patterns, tuple(part.events.window for part in counts), words)


def _demands(condition: core.Expr) -> Iterator[core.HowMany]:
    """The events that would fulfil a condition, if it is one that events fulfil."""
    if isinstance(condition, core.HowMany):
        if condition.bound == "at least" and condition.events.at == core.TRIGGER:
            yield condition
    elif isinstance(condition, core.Or):
        parts = [list(_demands(part)) for part in condition.parts]
        # Where one way to comply is no event, it cannot be said that an event is missing.
        if all(parts):
            for found in parts:
                yield from found


def fulfils(
    missing: MissingEvents, check: Check, trigger: Event, later: Event, surroundings: Circumstances
) -> bool:
    """Whether an event is surely one of those that a broken duty asked for."""
    if not _in_slice(check, later, surroundings.schema):
        return False
    for pattern in missing.patterns:
        if later.type not in pattern.types:
            continue
        if pattern.where is None:
            return True
        if _speaks_of_two_events_only(pattern.where, pattern.var):
            scene = Scene((trigger, later), (True, True), True, later.ts, surroundings)
            places = {core.TRIGGER: 0, pattern.var: 1}
            answer = Evaluator(scene).evaluate(pattern.where, places).value
            if not isinstance(answer, Absent) and answer:
                return True
    return False


def _in_slice(check: Check, event: Event, schema: Schema) -> bool:
    kinds = schema.events[event.type].fields
    for key, value in check.slice.items():
        own = event.get(key) if key in kinds else None
        if own is not None and value_text(kinds[key].kind.name, own) != value:
            return False
    return True


def _speaks_of_two_events_only(node: object, var: int) -> bool:
    """Whether a condition needs nothing but the trigger and the event itself."""
    if isinstance(node, (core.Events, core.OptionValue)):
        return False
    if isinstance(node, core.Field):
        return node.var in (core.TRIGGER, var)
    if isinstance(node, tuple):
        return all(_speaks_of_two_events_only(part, var) for part in node)
    if isinstance(node, core.Core):
        return all(
            _speaks_of_two_events_only(getattr(node, name), var) for name in node.__struct_fields__
        )
    return True
