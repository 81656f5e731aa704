"""Resolves a rule's examples: events and fields that exist, values that fit, a verdict to expect."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from event_schemas import ValueProblem, parse_value
from rules_dsl import core, syntax
from rules_dsl.diagnostics import listed, nearest
from rules_dsl.resolve.declarations import check_choice
from rules_dsl.resolve.editions import ALWAYS, EditionClauses, read_date
from rules_dsl.resolve.names import Declared, Desk
from rules_dsl.syntax import Span

EXPECTED = ("complies", "violates", "excused", "open", "undetermined", "silent")
_GIVEN_BY_CHECKER = ("id", "ts", "seq", "type")
DEFAULT_DATE = date(2000, 1, 1)


def resolve_examples(
    desk: Desk,
    rule: syntax.Rule,
    file: int,
    editions: Sequence[EditionClauses],
    section: Declared[syntax.Section] | None,
    damaged: bool,
) -> tuple[core.Example, ...]:
    """All examples of a rule; each edition should have one that complies and one that does not.

    An example that all editions share and that names no day plays once in each of them.
    """
    found: dict[tuple[int, Span, date], core.Example] = {}
    for edition in editions:
        for clause, home in edition.all_of(syntax.Example):
            day = _day_of(desk, clause, home, edition, editions)
            if day is not None:
                found[home, clause.span, day] = _example(desk, clause, home, day, section)
    for edition in editions:
        kinds = {
            example.expected
            for (_, _, day), example in found.items()
            if edition.since <= day < edition.until
        }
        for expected in ("complies", "violates"):
            if expected not in kinds and not damaged:
                which = "" if len(editions) == 1 else f" of the edition from {edition.since}"
                desk.report(
                    "missing-example",
                    f"The rule `{rule.name}` has no example{which} that {expected}.",
                    file,
                    Span(rule.span.start, rule.span.start + len("rule ") + len(rule.name)),
                    f"add `example {expected}` with a few events below it",
                )
    return tuple(found.values())


def _day_of(
    desk: Desk,
    clause: syntax.Example,
    file: int,
    edition: EditionClauses,
    editions: Sequence[EditionClauses],
) -> date | None:
    """The day on which an example plays: its own date, or the first day of its edition."""
    if clause.date is None:
        return DEFAULT_DATE if edition.since == ALWAYS else edition.since
    day = read_date(desk, clause.date, file, clause)
    if day is None:
        return None
    if not any(e.since <= day < e.until for e in editions) and clause.expected != "silent":
        desk.report(
            "example-not-in-force",
            f"On {clause.date} the rule is not in force.",
            file,
            clause.span,
            "choose a date on which it is, or expect `silent`",
        )
        return None
    return day


def _example(
    desk: Desk,
    clause: syntax.Example,
    file: int,
    day: date,
    section: Declared[syntax.Section] | None,
) -> core.Example:
    if clause.expected not in EXPECTED:
        desk.report(
            "unknown-word",
            f"`{clause.expected}` is not an outcome that an example can have.",
            file,
            Span(clause.span.start, clause.span.start + len("example ") + len(clause.expected)),
            nearest(clause.expected, EXPECTED) or f"it can be {listed(EXPECTED)}",
        )
    _check_marks(desk, clause, file)
    given: dict[tuple[str, str], core.Choice] = {}
    homes = [(g, section.file) for g in section.node.given] if section else []
    for item, home in [*homes, *((g, file) for g in clause.given)]:
        choice = check_choice(desk, item.what, item.name, item.value, home, item)
        if choice is not None:
            given[item.what, item.name] = choice
    return core.Example(
        clause.expected,
        clause.title,
        day.isoformat(),
        tuple(given.values()),
        _events(desk, clause, file),
        desk.place(file, clause.span),
    )


def _check_marks(desk: Desk, clause: syntax.Example, file: int) -> None:
    marked = [line for line in clause.lines if line.here]
    if clause.expected == "violates" and not marked:
        desk.report(
            "missing-mark",
            "It is not marked at which event this example violates the rule.",
            file,
            Span(clause.span.start, clause.span.start + len("example violates")),
            "write `<- here` at the end of that line",
        )
    if clause.expected in ("complies", "silent") and marked:
        desk.report(
            "stray-mark",
            f"An example that {'is silent' if clause.expected == 'silent' else 'complies'} "
            "has no event to mark with `<- here`.",
            file,
            marked[0].span,
            "remove the mark, or write `example violates`",
        )


def _events(desk: Desk, clause: syntax.Example, file: int) -> tuple[core.ExampleEvent, ...]:
    events = []
    day, last = 0, ""
    for line in clause.lines:
        if line.next_day:
            day += 1
        elif line.time < last:
            desk.report(
                "time-goes-back",
                f"{line.time} is before {last}, the time of the line above.",
                file,
                line.span,
                "put the lines in order, or write `next day` before the time",
            )
        last = line.time
        fields = _fields(desk, line, file)
        place = desk.place(file, line.span)
        events.append(core.ExampleEvent(day, line.time, line.event, fields, line.here, place))
    return tuple(events)


def _fields(desk: Desk, line: syntax.EventLine, file: int) -> dict[str, str]:
    event = desk.schema.events.get(line.event)
    if event is None:
        desk.report(
            "unknown-event",
            f"There is no event `{line.event}`.",
            file,
            line.span,
            nearest(line.event, desk.schema.events),
        )
        return {}
    fields: dict[str, str] = {}
    for item in line.fields:
        known = event.fields.get(item.name)
        if known is None or item.name in _GIVEN_BY_CHECKER:
            desk.report(
                "unknown-field",
                f"`{line.event}` has no field `{item.name}` that an example can set.",
                file,
                item.span,
                nearest(item.name, event.fields),
            )
            continue
        try:
            parse_value(known.kind, item.text)
        except ValueProblem as problem:
            code = "unknown-value" if known.kind.enum is not None else "bad-value"
            hint = f"did you mean `{problem.suggestion}`?" if problem.suggestion else ""
            desk.report(code, problem.message, file, item.span, hint)
            continue
        if item.name in fields:
            desk.report("bad-example-line", f"`{item.name}` is given twice.", file, item.span)
        fields[item.name] = item.text
    required = [f.name for f in event.fields.values() if f.required]
    lacking = [
        name for name in required
        if name not in fields and name not in (*_GIVEN_BY_CHECKER, "casino", "table")
    ]  # fmt: skip
    if lacking:
        desk.report(
            "missing-field",
            f"`{line.event}` always has a field `{lacking[0]}`, and this line has none.",
            file,
            line.span,
            f"add `{lacking[0]}=...`",
        )
    return fields
