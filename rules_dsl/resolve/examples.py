"""Resolves a rule's examples: known events and fields, values that fit, a verdict to expect."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import PurePath

from event_schemas import Kind, ValueProblem, parse_value
from event_schemas.limits import LONGEST_EXAMPLE
from rules_dsl import core, syntax
from rules_dsl.diagnostics import listed, nearest
from rules_dsl.resolve.choices import check_choice, check_chosen_once
from rules_dsl.resolve.editions import ALWAYS, EditionClauses, read_date
from rules_dsl.resolve.names import Declared, Desk
from rules_dsl.resolve.unknown import hint, not_a_word, own_fields, sentence, unknown_event
from rules_dsl.syntax import Span

EXPECTED = ("complies", "violates", "excused", "open", "undetermined", "silent")
_NEEDED = ("complies", "violates")
_GIVEN_BY_CHECKER = ("id", "ts", "seq", "type")
DEFAULT_DATE = date(2000, 1, 1)


def resolve_examples(
    desk: Desk,
    rule: syntax.Rule,
    file: int,
    editions: Sequence[EditionClauses],
    section: Declared[syntax.Section] | None,
    damaged: bool,
    *,
    complete: bool = True,
) -> tuple[core.Example, ...]:
    """All examples of a rule; each edition should have one that complies and one that does not.

    An example that all editions share and that names no day plays once in each of them. Where the
    examples are not `complete`, because only the rules were read, none is missed.
    """
    found: dict[tuple[int, Span, date], core.Example] = {}
    if complete:
        _check_repeated(desk, editions)
    for edition in editions:
        for clause, home in edition.all_of(syntax.Example):
            day = _day_of(desk, clause, home, edition, editions)
            if len(clause.lines) > LONGEST_EXAMPLE:
                _report_long(desk, clause, home)
                day = None
            if day is not None:
                example = _example(desk, clause, home, day, section, damaged)
                found[home, clause.span, day] = example
            # One that is wrong in itself might have been the one that is missed below.
            damaged = damaged or day is None or clause.expected not in EXPECTED
    damaged = damaged or not complete
    for edition in editions:
        kinds = {
            example.expected
            for (_, _, day), example in found.items()
            if edition.since <= day < edition.until
        }
        for expected in _NEEDED:
            if expected not in kinds and not damaged:
                which = "" if len(editions) == 1 else f" of the edition from {edition.since}"
                desk.report(
                    "missing-example",
                    f"The rule `{rule.name}` has no example{which} that {expected}.",
                    file,
                    desk.spot(file, rule.span, rule.name, after="rule"),
                    f"add `example {expected}` with a few events below it",
                )
    return tuple(found.values())


def _report_long(desk: Desk, clause: syntax.Example, file: int) -> None:
    """An example is judged straight from the definition, which is slow: it must stay short."""
    desk.report(
        "too-complex",
        f"The example has more than {LONGEST_EXAMPLE:,} events.",
        file,
        _first_line(desk, clause, file),
        "keep the few that matter",
    )


def _check_repeated(desk: Desk, editions: Sequence[EditionClauses]) -> None:
    """An example that says what another one of the rule says tests nothing."""
    reported: set[tuple[int, Span]] = set()
    for edition in editions:
        seen: dict[syntax.Example, tuple[syntax.Example, int]] = {}
        for clause, home in edition.all_of(syntax.Example):
            before, file = seen.setdefault(clause, (clause, home))
            if before is clause or (home, clause.span) in reported or not clause.lines:
                continue
            reported.add((home, clause.span))
            line = desk.sources[file].position(before.span.start)[0]
            where = f"in line {line}"
            if file != home:
                where += f" of `{PurePath(desk.sources[file].name).name}`"
            desk.report(
                "repeated-example",
                f"This example stands {where} already.",
                home,
                _first_line(desk, clause, home),
                "keep one of the two",
            )


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
            desk.spot(file, clause.span, clause.date, after="on"),
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
    damaged: bool,
) -> core.Example:
    if clause.expected not in EXPECTED:
        desk.report(
            "unknown-word",
            f"`{clause.expected}` is not an outcome that an example can have.",
            file,
            desk.spot(file, clause.span, clause.expected, after="example"),
            nearest(clause.expected, EXPECTED) or f"it can be {listed(EXPECTED)}",
        )
    if not clause.lines and not damaged:
        desk.report(
            "bad-example-line",
            "This example has no events.",
            file,
            _first_line(desk, clause, file),
            "write the events below it, like `20:00:04 card_burned`",
        )
    _check_marks(desk, clause, file, damaged)
    given: dict[tuple[str, str], core.Choice] = {}
    homes = [(g, section.file) for g in section.node.given] if section else []
    for item, home in [*homes, *((g, file) for g in clause.given)]:
        choice = check_choice(desk, item.what, item.name, item.value, home, item)
        if choice is not None:
            given[item.what, item.name] = choice
    check_chosen_once(desk, clause.given, file)
    return core.Example(
        clause.expected,
        clause.title,
        day.isoformat(),
        tuple(given.values()),
        _events(desk, clause, file),
        desk.place(file, clause.span),
    )


def _first_line(desk: Desk, clause: syntax.Example, file: int) -> Span:
    word = desk.spot(file, clause.span, clause.expected, after="example")
    return Span(clause.span.start, word.end)


def _check_marks(desk: Desk, clause: syntax.Example, file: int, damaged: bool) -> None:
    marked = [line for line in clause.lines if line.here]
    if clause.expected == "violates" and clause.lines and not marked and not damaged:
        desk.report(
            "missing-mark",
            "It is not marked at which event this example violates the rule.",
            file,
            _first_line(desk, clause, file),
            "write `<- here` at the end of that line",
        )
    if clause.expected in ("complies", "silent") and marked:
        desk.report(
            "stray-mark",
            f"An example that {'is silent' if clause.expected == 'silent' else 'complies'} "
            "has no event to mark with `<- here`.",
            file,
            Span(desk.spot(file, marked[0].span, "<-").start, marked[0].span.end),
            "remove the mark, or write `example violates`",
        )


# ---- events --------------------------------------------------------------------------------


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
                _time_of(desk, line, file),
                "put the lines in order, or write `next day` before the time",
            )
        last = line.time
        fields = _fields(desk, line, file)
        place = desk.place(file, line.span)
        events.append(core.ExampleEvent(day, line.time, line.event, fields, line.here, place))
    return tuple(events)


def _time_of(desk: Desk, line: syntax.EventLine, file: int) -> Span:
    event = desk.spot(file, line.span, line.event)
    text = desk.sources[file].text[line.span.start : event.start]
    return Span(line.span.start, line.span.start + len(text.rstrip()))


def _fields(desk: Desk, line: syntax.EventLine, file: int) -> dict[str, str]:
    event = desk.schema.events.get(line.event)
    if event is None:
        name_span = desk.spot(file, line.span, line.event)
        message, suggestion = unknown_event(desk, line.event)
        if line.event in desk.symbols.groups:
            message = f"`{line.event}` is a group of events, and a log holds single ones."
            suggestion = f"write {listed(desk.symbols.groups[line.event].node.events)}"
        desk.report("unknown-event", message, file, name_span, suggestion)
        return {}
    fields: dict[str, str] = {}
    given: set[str] = set()
    for item in line.fields:
        span = Span(item.span.start, item.span.start + len(item.name))
        known = event.fields.get(item.name)
        if item.name in given:
            desk.report(
                "bad-example-line",
                f"`{item.name}` is given twice.",
                file,
                span,
                "keep one of the two",
            )
        given.add(item.name)
        if item.name in _GIVEN_BY_CHECKER:
            desk.report(
                "unknown-field",
                f"An example does not give `{item.name}`: the checker does.",
                file,
                span,
                "leave it out",
            )
        elif known is None:
            own = own_fields(desk, event.fields)
            desk.report(
                "unknown-field",
                f"`{line.event}` has no field `{item.name}`.",
                file,
                span,
                nearest(item.name, own)
                or (f"its fields are {listed(own, joined_by='and')}" if own else ""),
            )
        elif _value_fits(desk, known.kind, item, file):
            fields[item.name] = item.text
    lacking = [name for name in desk.required[line.event] if name not in given]
    if lacking:
        desk.report(
            "missing-field",
            f"`{line.event}` always has a field `{lacking[0]}`, and this line has none.",
            file,
            desk.spot(file, line.span, line.event),
            f"add `{lacking[0]}=...`",
        )
    return fields


def _value_fits(desk: Desk, kind: Kind, item: syntax.EventField, file: int) -> bool:
    # Examples repeat the same few cards, seats and amounts: each is tried only once.
    if (kind, item.text) in desk.fitting:
        return True
    try:
        parse_value(kind, item.text)
    except ValueProblem as problem:
        span = Span(item.span.start + len(item.name) + 1, item.span.end)
        if kind.enum is not None:
            message, suggestion = not_a_word(item.text, kind.enum)
            desk.report("unknown-value", message, file, span, suggestion)
        else:
            message = sentence(problem, item.text)
            desk.report("bad-value", message, file, span, hint(problem))
        return False
    desk.fitting.add((kind, item.text))
    return True
