"""Finds the example that a rule lacks: a short log on which a mistake in it would be noticed.

The logs are made of the rule's own examples: an event left out or told twice, a value changed to
another one that the rule names or to its neighbour, a time moved to the edge of a length of time,
an option elected otherwise. What the example expects is what the rule says today; whether that is
the law is for its author to judge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import combinations, islice

import msgspec

from compliance.rule_tests.example_runs import run_example
from compliance.rule_tests.mutants import Mutant
from compliance.rule_tests.mutations.example_run import ExampleRun
from compliance.rule_tests.mutations.neighbour_values import neighbours
from event_schemas import FieldType, Schema
from reports.verdicts import Verdict
from rules_dsl import core
from rules_dsl.resolve.examples import DEFAULT_DATE
from rules_dsl.traverse import all_parts

MOST_LOGS = 4000
"""How many logs are tried for a rule."""
_WORDS = {
    Verdict.VIOLATED: "violates",
    Verdict.EXCUSED: "excused",
    Verdict.OPEN: "open",
    Verdict.UNDETERMINED: "undetermined",
}
_SECOND = timedelta(seconds=1)
_OTHER_NAMES = ("P8", "P9")


@dataclass(frozen=True)
class SuggestedExample:
    """An example, and the mutants that it would notice."""

    example: core.Example
    notices: tuple[Mutant, ...]
    usual_day: str = ""
    """The day that need not be written."""

    @property
    def lines(self) -> list[str]:
        """The example as it is written below its rule."""
        day = [] if self.example.date == self.usual_day else [f"    on {self.example.date}"]
        return [f"  example {self.example.expected}", *day, *_event_lines(self.example)]


def suggested_examples(
    rule: core.Rule, survivors: Sequence[Mutant], rulebook: core.Rulebook, schema: Schema
) -> tuple[SuggestedExample, ...]:
    """Few examples that together notice as many of the mutants as can be noticed so."""
    left = list(survivors)
    found: list[SuggestedExample] = []
    bases: Sequence[core.Example] = rule.examples
    # What was found is changed in turn: some mistakes take two steps to be seen.
    while bases and left:
        new: list[SuggestedExample] = []
        for log in islice(_Logs(rule, bases, rulebook, schema).all(), MOST_LOGS):
            noticed = _noticed(log, rule, left, rulebook, schema)
            expected = _expecting(log, rule, rulebook, schema) if noticed else None
            if expected is not None:
                new.append(SuggestedExample(expected, noticed, _usual_day(rule)))
                left = [mutant for mutant in left if mutant not in noticed]
            if not left:
                break
        found += new
        bases = [suggestion.example for suggestion in new]
    return tuple(found)


def _noticed(
    log: core.Example,
    rule: core.Rule,
    mutants: Sequence[Mutant],
    rulebook: core.Rulebook,
    schema: Schema,
) -> tuple[Mutant, ...]:
    try:
        run = ExampleRun.of(log, rule, rulebook, schema)
        return tuple(m for m in mutants if run.notices(m.mutated, m.rulebook, m.spots))
    except (ValueError, ArithmeticError):
        return ()  # a value that cannot be, made by stepping one up or down


def _usual_day(rule: core.Rule) -> str:
    """The day on which an example plays that names none; with several editions it must."""
    if len(rule.editions) > 1:
        return ""
    return rule.editions[0].since or DEFAULT_DATE.isoformat()


def _expecting(
    log: core.Example, rule: core.Rule, rulebook: core.Rulebook, schema: Schema
) -> core.Example | None:
    """The log as an example of what the rule says of it; None where it says several things."""
    checks = run_example(rule, log, rulebook, schema).checks
    verdicts = {check.verdict for check in checks} - {Verdict.COMPLIED}
    if len(verdicts) > 1:
        return None
    word = _WORDS[verdicts.pop()] if verdicts else "complies" if checks else "silent"
    hits = {check.trigger.event_id for check in checks if check.verdict is not Verdict.COMPLIED}
    events = tuple(
        msgspec.structs.replace(event, here=f"line {number}" in hits)
        for number, event in enumerate(log.events, start=1)
    )
    example = msgspec.structs.replace(log, expected=word, title="", events=events)
    return example if run_example(rule, example, rulebook, schema).passed else None


# ---- logs to try ---------------------------------------------------------------------------


class _Logs:
    """The logs that are made of a rule's examples, the least changed first."""

    def __init__(
        self,
        rule: core.Rule,
        examples: Sequence[core.Example],
        rulebook: core.Rulebook,
        schema: Schema,
    ) -> None:
        self._rule, self._rulebook, self._schema = rule, rulebook, schema
        self._examples = sorted(examples, key=lambda example: len(example.events))
        parts = [part for edition in rule.editions for part in all_parts(edition)]
        self._constants = tuple(part for part in parts if isinstance(part, core.Const))
        self._options = {part.name for part in parts if isinstance(part, core.OptionValue)}

    def all(self) -> Iterator[core.Example]:
        examples = self._examples
        for make in (self._given, self._values, self._fewer, self._moved, self._twice, self._days):
            for example in examples:
                yield from make(example)
        for example in examples:
            for changed in self._values(example):
                yield from self._fewer(changed)

    def _fewer(self, example: core.Example) -> Iterator[core.Example]:
        for number in (1, 2):
            for left_out in combinations(range(len(example.events)), number):
                kept = tuple(e for at, e in enumerate(example.events) if at not in left_out)
                if kept:
                    yield msgspec.structs.replace(example, events=kept)

    def _twice(self, example: core.Example) -> Iterator[core.Example]:
        for at, event in enumerate(example.events):
            events = (*example.events[: at + 1], event, *example.events[at + 1 :])
            yield msgspec.structs.replace(example, events=events)

    def _values(self, example: core.Example) -> Iterator[core.Example]:
        """One field of one event with another value, or without any."""
        for at, event in enumerate(example.events):
            fields = self._schema.events[event.type].fields
            for name, text in event.fields.items():
                for other in self._other_values(fields[name], text):
                    changed = {**event.fields, name: other}
                    yield _with_event(example, at, msgspec.structs.replace(event, fields=changed))
                if not fields[name].required:
                    rest = {key: value for key, value in event.fields.items() if key != name}
                    yield _with_event(example, at, msgspec.structs.replace(event, fields=rest))
            for name in ("seat", "player", "hand"):
                if name in fields and name not in event.fields:
                    other = "P8" if name == "player" else "2"
                    changed = {**event.fields, name: other}
                    yield _with_event(example, at, msgspec.structs.replace(event, fields=changed))
            moved = {**event.fields, "table": "T2"}
            yield _with_event(example, at, msgspec.structs.replace(event, fields=moved))

    def _other_values(self, field: FieldType, text: str) -> Iterator[str]:
        kind = field.kind
        known = [const for const in self._constants if const.kind == kind.name]
        values = [const.text for const in known]
        for const in (core.Const(kind.name, text), *known):
            values += neighbours(const, self._rulebook, self._schema)
        if kind.enum is not None:
            values += kind.enum.values
        elif kind.name == "flag":
            values += ["yes", "no"]
        elif kind.name == "card":
            values += ["AS", "5H", "10D", "KC", "2S", "7D"]
        elif kind.name == "text":
            values += _OTHER_NAMES
        yield from (value for value in dict.fromkeys(values) if value != text)

    def _moved(self, example: core.Example) -> Iterator[core.Example]:
        """Each event at the edges of the lengths of time that the rule names, after each other."""
        lengths = [_length(const.text) for const in self._constants if const.kind == "duration"]
        gaps = [timedelta(0), _SECOND]
        gaps += [length + step for length in lengths for step in (-_SECOND, timedelta(0), _SECOND)]
        moments = [_moment(event, example.date) for event in example.events]
        for at in range(len(moments)):
            for other in range(len(moments)):
                for gap in gaps if at != other else ():
                    yield _in_order(example, moments, at, moments[other] + gap)
                    yield _in_order(example, moments, at, moments[other] - gap)

    def _given(self, example: core.Example) -> Iterator[core.Example]:
        """Each option that the rule asks for, elected otherwise."""
        for name in sorted(self._options):
            others = [c for c in example.given if (c.what, c.name) != ("option", name)]
            for text in self._option_texts(name):
                choice = core.Choice("option", name, text)
                if choice not in example.given:
                    yield msgspec.structs.replace(example, given=(*others, choice))

    def _option_texts(self, name: str) -> list[str]:
        kind = self._schema.options[name].kind
        if kind.enum is not None:
            return list(kind.enum.values)
        if kind.name == "flag":
            return ["yes", "no"]
        known = [const for const in self._constants if const.kind == kind.name]
        near = [n for c in known for n in neighbours(c, self._rulebook, self._schema)]
        return [*(const.text for const in known), *near]

    def _days(self, example: core.Example) -> Iterator[core.Example]:
        for edition in self._rule.editions:
            for day in (edition.since, edition.until):
                if day is not None:
                    before = date.fromisoformat(day) - timedelta(days=1)
                    yield msgspec.structs.replace(example, date=day)
                    yield msgspec.structs.replace(example, date=before.isoformat())


def _with_event(example: core.Example, at: int, event: core.ExampleEvent) -> core.Example:
    events = (*example.events[:at], event, *example.events[at + 1 :])
    return msgspec.structs.replace(example, events=events)


def _in_order(
    example: core.Example, moments: list[datetime], at: int, moment: datetime
) -> core.Example:
    """The example with one event at another time, and all of them in order again."""
    times = [moment if number == at else other for number, other in enumerate(moments)]
    order = sorted(range(len(times)), key=lambda number: times[number])
    first = date.fromisoformat(example.date)
    start = min(times[order[0]].date(), first)
    events = tuple(
        msgspec.structs.replace(
            example.events[number],
            day=(times[number].date() - start).days,
            time=times[number].time().isoformat(),
        )
        for number in order
    )
    return msgspec.structs.replace(example, date=start.isoformat(), events=events)


def _moment(event: core.ExampleEvent, day: str) -> datetime:
    clock = time.fromisoformat(event.time.partition(".")[0])
    return datetime.combine(date.fromisoformat(day) + timedelta(days=event.day), clock)


def _length(text: str) -> timedelta:
    number, unit = text.split()
    return timedelta(**{unit if unit.endswith("s") else f"{unit}s": int(number)})


# ---- writing -------------------------------------------------------------------------------


def _event_lines(example: core.Example) -> list[str]:
    lines = [f"    given {choice.what} {choice.name} is {choice.text}" for choice in example.given]
    day = 0
    for event in example.events:
        words = ["next day"] * (event.day - day) + [event.time, event.type]
        words += [f"{name}={_quoted(text)}" for name, text in event.fields.items()]
        day = event.day
        lines.append("    " + " ".join(words) + ("   <- here" if event.here else ""))
    return lines


def _quoted(text: str) -> str:
    return f'"{text}"' if not text or any(sign in text for sign in ' ",') else text
