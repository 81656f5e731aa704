"""Draws a short log as a timeline in plain text: where the rule is checked and what decides it.

    21:15:00  ├  dealer_arrived dealer=D8
              ○  no card_burned here
    21:15:09  ▲  card_dealt to=player seat=2 card=9H  <- violated

▲ is the event at which the rule is checked, ├ the one from which it looks, ┤ the one up to which it
looks, ● an event that it finds or counts, ? one that may count, ○ a gap where one should be, ≈ a
break where records are lost.
"""

from __future__ import annotations

from dataclasses import dataclass

from compliance.rule_tests.generated_traces import Trace, Trial, generated_traces
from compliance.values.event_texts import event_line
from event_schemas import Event, Schema
from event_schemas.lost_record import LostRecord
from reports.model import Check
from reports.verdicts import Verdict
from reports.wording import lost_records
from rules_dsl import core

TRIGGER, SINCE, BEFORE, FOUND, UNCLEAR, MISSING, LOST = "▲", "├", "┤", "●", "?", "○", "≈"
_MARKS = {"since": SINCE, "before": BEFORE, "found": FOUND, "counted": FOUND, "unclear": UNCLEAR}
_LEGEND = {
    TRIGGER: "the rule is checked here",
    SINCE: "looks from here",
    BEFORE: "looks up to here",
    FOUND: "found",
    UNCLEAR: "may count: the log does not tell",
    MISSING: "missing",
    LOST: "records are lost here",
}


@dataclass(frozen=True)
class Timeline:
    """A drawn log; `title` says what it shows."""

    title: str
    lines: tuple[str, ...]
    legend: str

    @property
    def text(self) -> str:
        return "\n".join([self.title, *(f"  {line}" for line in self.lines), f"  {self.legend}"])


def timelines(rule: core.Rule, rulebook: core.Rulebook, schema: Schema) -> list[Timeline]:
    """A made-up log that complies with a rule and one that breaks it, as far as they can be had."""
    complying, violating = generated_traces(rule, rulebook, schema)
    drawn = []
    for title, trace in (("A log that complies", complying), ("A log that violates", violating)):
        if trace is not None:
            drawn.append(drawn_timeline(title, trace, rule, rulebook, schema))
    return drawn


def drawn_timeline(
    title: str, trace: Trace, rule: core.Rule, rulebook: core.Rulebook, schema: Schema
) -> Timeline:
    """One log, event by event, with the gaps where an event should be."""
    trial = Trial(rule, _circumstances_only(trace, rule), rulebook, schema)
    gaps = _gaps(trace, trial)
    lines = [f"given {c.what} {c.name} is {c.text}" for c in trace.given]
    used: set[str] = set()
    width = max(len(_time(event, trace.events[0])) for event in trace.events)

    def draw(time: str, mark: str, text: str) -> None:
        used.add(mark)
        lines.append(f"{time:>{width}}  {mark}  {text}".rstrip())

    for place, event in enumerate(trace.events):
        for words in gaps.get(place, ()):
            draw("", MISSING, words)
        if isinstance(event, LostRecord):
            draw("", LOST, lost_records(event.times))
            continue
        verdict = f"  <- {trace.check.verdict}" if _is_trigger(event, trace.check) else ""
        text = event_line(event, schema) + verdict
        draw(_time(event, trace.events[0]), _mark(event, trace.check), text)
    for words in gaps.get(len(trace.events), ()):
        draw("", MISSING, words)
    legend = "   ".join(f"{mark} {words}" for mark, words in _LEGEND.items() if mark in used)
    return Timeline(title, tuple(lines), legend)


def _circumstances_only(trace: Trace, rule: core.Rule) -> core.Example:
    """An example without events: it stands for the options, readings and settings of the trace."""
    place = core.Place(0, 0, 0)
    return core.Example(
        "", rule.title, trace.events[0].ts.date().isoformat(), trace.given, (), place
    )


def _time(event: Event, first: Event) -> str:
    days = (event.ts.date() - first.ts.date()).days
    return f"{f'day {days + 1} ' if days else ''}{event.ts:%H:%M:%S}"


def _is_trigger(event: Event, check: Check) -> bool:
    return event.id == check.trigger.event_id


def _mark(event: Event, check: Check) -> str:
    if _is_trigger(event, check):
        return TRIGGER
    parts = [witness.part for witness in check.witnesses if witness.event_id == event.id]
    marks = [_MARKS.get(part, UNCLEAR) for part in parts]
    # What was found says more than where the search began.
    for mark in (FOUND, SINCE, BEFORE, UNCLEAR):
        if mark in marks:
            return mark
    return " "


# ---- gaps ----------------------------------------------------------------------------------


def _gaps(trace: Trace, trial: Trial) -> dict[int, list[str]]:
    """Where an event is missing: the line before which it should stand, and what is missing."""
    unfound: dict[int, core.HowMany] = {}

    def watch(part: core.Core, answer: object) -> None:
        if isinstance(part, core.HowMany) and answer is False:
            unfound[id(part)] = part

    trial.checks(trace.events, watch)
    ids = [event.id for event in trace.events]
    here = ids.index(trace.check.trigger.event_id)
    bounds = {w.part: ids.index(w.event_id) for w in trace.check.witnesses}
    gaps: dict[int, list[str]] = {}
    for expr in _demanded(trial.rule, trace.check):
        if id(expr) not in unfound or not isinstance(expr, core.HowMany) or expr.bound == "at most":
            continue
        window = expr.events.window
        if window.reach == "past":
            place = here
        elif window.before is not None and "before" in bounds:
            place = bounds["before"]
        else:
            place = len(ids)
        pattern = expr.events.pattern
        sought = "event" if pattern.any_event else " or ".join(pattern.types)
        words = f"no {sought} here"
        if not (isinstance(expr.number, core.Const) and expr.number.text == "1"):
            words = f"not enough of {sought} here"
        gaps.setdefault(place, []).append(words)
    return gaps


def _demanded(rule: core.Rule, check: Check) -> list[core.Expr]:
    """The conditions on the trigger itself that the requirements consist of."""
    if check.verdict is not Verdict.VIOLATED:
        return []
    applied = None if check.edition is None else check.edition.isoformat()
    return [
        part
        for edition in rule.editions
        if edition.since == applied
        for requirement in edition.requirements
        for part in _joined_parts(requirement.condition)
    ]


def _joined_parts(expr: core.Expr) -> list[core.Expr]:
    if isinstance(expr, core.And | core.Or):
        return [inner for part in expr.parts for inner in _joined_parts(part)]
    return [expr]
