"""Runs the examples that are written below a rule and says whether each verdict is as expected."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from compliance.judgement.circumstances import Circumstances, circumstances
from compliance.reference import apply_rule
from compliance.reference.evaluate import Watch
from compliance.values.elected_options import ElectedOptions
from event_schemas import Event, Schema, parse_value
from reports.model import Check
from reports.verdicts import Verdict
from rules_dsl import core

CASINO, TABLE = "C1", "T1"
_VERDICTS = {
    "complies": Verdict.COMPLIED,
    "violates": Verdict.VIOLATED,
    "excused": Verdict.EXCUSED,
    "open": Verdict.OPEN,
    "undetermined": Verdict.UNDETERMINED,
}


@dataclass(frozen=True)
class ExampleResult:
    """One example with what the rule said to it; `problem` is empty when all is as expected."""

    rule: core.Rule
    example: core.Example
    checks: tuple[Check, ...]
    problem: str

    @property
    def passed(self) -> bool:
        return not self.problem


def run_example(
    rule: core.Rule,
    example: core.Example,
    rulebook: core.Rulebook,
    schema: Schema,
    watch: Watch | None = None,
) -> ExampleResult:
    """Apply a rule to one of its examples."""
    events = example_events(example, rulebook, schema)
    surroundings = example_circumstances(example, events, rulebook, schema)
    checks = tuple(apply_rule(rule, surroundings, events, watch))
    return ExampleResult(rule, example, checks, _problem(example, events, checks))


def example_events(example: core.Example, rulebook: core.Rulebook, schema: Schema) -> list[Event]:
    """The events of an example, with ids `line 1`, `line 2`, ... in the order of its lines."""
    zone = ZoneInfo(rulebook.time_zone)
    start = date.fromisoformat(example.date)
    events = []
    for number, line in enumerate(example.events, start=1):
        kinds = schema.events[line.type].fields
        fields = {name: parse_value(kinds[name].kind, text) for name, text in line.fields.items()}
        moment = datetime.combine(
            start + timedelta(days=line.day), time.fromisoformat(_padded(line.time)), zone
        )
        casino = str(fields.pop("casino", CASINO))
        table = str(fields.pop("table", TABLE))
        events.append(Event(f"line {number}", moment, number, casino, table, line.type, fields))
    return events


def _padded(text: str) -> str:
    """Python 3.11 reads fractions of a second only with three or six digits."""
    clock, dot, fraction = text.partition(".")
    return clock + dot + fraction.ljust(6, "0")[:6] if dot else clock


def example_circumstances(
    example: core.Example, events: Iterable[Event], rulebook: core.Rulebook, schema: Schema
) -> Circumstances:
    """The options, readings and settings under which an example plays."""
    given = {
        choice.name: parse_value(schema.options[choice.name].kind, choice.text)
        for choice in example.given
        if choice.what == "option"
    }
    return circumstances(rulebook, schema, ElectedOptions(schema, events, given), example.given)


def _problem(example: core.Example, events: list[Event], checks: tuple[Check, ...]) -> str:
    """What is not as the example expects, in a sentence."""
    marked = [e.id for e, line in zip(events, example.events, strict=True) if line.here]
    if example.expected == "silent":
        if not checks:
            return ""
        return f"the rule should not apply, but it {_said(checks[0])}"
    wanted = _VERDICTS[example.expected]
    if not checks:
        return "the rule was never applied: no event triggered it"
    hits = [check for check in checks if check.verdict is wanted]
    if not hits:
        return f"nothing {_EXPECTATION[wanted]}: the rule {_said(checks[0])}"
    allowed = {wanted, Verdict.COMPLIED}
    for check in checks:
        if check.verdict not in allowed:
            return f"the rule also {_said(check)}"
    if marked:
        found = list(dict.fromkeys(check.trigger.event_id for check in hits))
        if found != marked:
            return (
                f"marked is {', '.join(marked)}, but it is {', '.join(found)} that {_DOES[wanted]}"
            )
    return ""


_DOES = {
    Verdict.COMPLIED: "complies",
    Verdict.VIOLATED: "violates",
    Verdict.EXCUSED: "is excused",
    Verdict.OPEN: "stays open",
    Verdict.UNDETERMINED: "is undetermined",
}
_EXPECTATION = {
    Verdict.COMPLIED: "complies",
    Verdict.VIOLATED: "violates the rule",
    Verdict.EXCUSED: "is excused",
    Verdict.OPEN: "stays open",
    Verdict.UNDETERMINED: "is undetermined",
}


def _said(check: Check) -> str:
    return f"{_DOES[check.verdict]} at {check.trigger.event_id} ({check.trigger.type})"
