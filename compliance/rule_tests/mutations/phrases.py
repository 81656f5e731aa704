"""Changes to phrases: other events, a condition left out, a bound of where to look left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from compliance.rule_tests.mutations.change import Change, Surroundings, changed, each_left_out
from rules_dsl import core
from rules_dsl.conditions import holds_by_slice, is_group_branch, is_type_test, same_field
from rules_dsl.traverse import all_parts


def _pattern(pattern: core.Pattern, around: Surroundings) -> Iterator[Change]:
    edition = around.edition
    types = {**around.types, pattern.var: pattern.types}
    where = pattern.where
    if where is not None and not isinstance(where, core.And):
        by_slice = edition and holds_by_slice(where, edition.slice, types, around.schema)
        if not by_slice and not is_group_branch(where):
            name = same_field(where)
            what = f"`same {name}`" if name else around.written(where)
            words = f"{what} is left out of {around.written(pattern)}"
            yield Change(msgspec.structs.replace(pattern, where=None), words, where.place)
    for name, rest in each_left_out(pattern.types):
        if rest and not pattern.any_event:
            words = f"`{name}` is left out of {around.written(pattern)}"
            yield changed(pattern, words, types=rest)
    if edition is not None and not _tests_types(pattern):
        yield from _other_types(pattern, edition, around)


def _tests_types(pattern: core.Pattern) -> bool:
    return pattern.where is not None and any(map(is_type_test, all_parts(pattern.where)))


def _other_types(
    pattern: core.Pattern, edition: core.Edition, around: Surroundings
) -> Iterator[Change]:
    """Another event that the rule speaks of, if it has the fields that are asked for."""
    if isinstance(around.parent, core.Trigger) and around.parent.ends is not None:
        return
    needed = _needed_fields(pattern, edition, around)
    events = around.schema.events
    for other in edition.slice.relevant:
        if other in pattern.types:
            continue
        fields = events[other].fields
        if all(name in fields and fields[name].kind.name == kind for name, kind in needed):
            for index, name in enumerate(pattern.types):
                types = (*pattern.types[:index], other, *pattern.types[index + 1 :])
                words = f"`{name}` becomes `{other}` in {_context(pattern, around)}"
                yield changed(pattern, words, types=types)


def _context(pattern: core.Pattern, around: Surroundings) -> str:
    """The phrase that the events stand in; their bare name would say nothing."""
    text = around.written(pattern)
    if text.strip("`") not in pattern.types:
        return text
    is_trigger = isinstance(around.parent, core.Trigger) and pattern is around.parent.pattern
    return "`when`" if is_trigger else around.written_around(pattern)


def _needed_fields(
    pattern: core.Pattern, edition: core.Edition, around: Surroundings
) -> set[tuple[str, str]]:
    """The fields of the pattern's event that the rule reads, with their kinds."""
    reader: core.Core = pattern
    per: tuple[str, ...] = ()
    if isinstance(around.parent, core.Events):
        reader, per = around.ancestors[-2], around.parent.per_fields
    elif pattern.var == core.TRIGGER:
        reader = edition
    kinds = around.schema.events[pattern.types[0]].fields
    needed = {(name, kinds[name].kind.name) for name in per}
    for part in all_parts(reader):
        if isinstance(part, core.Field) and part.var == pattern.var:
            needed.add((part.name, part.kind))
    return needed


def _window(window: core.Window, around: Surroundings) -> Iterator[Change]:
    """A bound of where to look, left out."""
    edition = around.edition
    cut = edition.slice.interval if edition is not None else None
    if window.interval is not None and not (window.interval == cut and window.which == "this"):
        words = f"`in the {window.interval}` is left out of {around.written(window)}"
        yield changed(window, words, interval=None, which="this")
    for field in ("since", "before", "within", "at_least"):
        bound = getattr(window, field)
        if bound is not None:
            name = field.replace("_", " ")
            words = f"`{name}` {around.written(bound)} is left out of {around.written(window)}"
            yield changed(window, words, **{field: None})
    if window.after is not None:
        words = f"what comes before it counts too in {around.written(window)}"
        yield changed(window, words, after=None)
    for field, strict in (("within", "less_than"), ("at_least", "more_than")):
        if getattr(window, field) is not None:
            old, new = strict.replace("_", " "), field.replace("_", " ")
            if not getattr(window, strict):
                old, new = new, old
            words = f"`{old}` becomes `{new}` in {around.written(window)}"
            yield changed(window, words, **{strict: not getattr(window, strict)})


def _events(events: core.Events, around: Surroundings) -> Iterator[Change]:
    window = events.window
    may_be_itself = set(around.types.get(events.at, ())) & set(events.pattern.types)
    if window.reach == "past" and window.which == "this" and may_be_itself:
        old, new = ("so far", "earlier") if window.inclusive else ("earlier", "so far")
        other = msgspec.structs.replace(window, inclusive=not window.inclusive)
        words = f"{around.written(events)} looks `{new}` instead of `{old}`"
        yield changed(events, words, window=other)
    if events.per is not None and not _only_asks_whether(around.parent):
        other_end = "earliest" if events.per == "latest" else "latest"
        words = f"`{events.per}` becomes `{other_end}` in {around.written(events)}"
        yield changed(events, words, per=other_end)
        for name, rest in each_left_out(events.per_fields):
            words = f"`per {name}` is left out of {around.written(events)}"
            yield changed(events, words, per_fields=rest, per=events.per if rest else None)


def _only_asks_whether(expr: core.Core | None) -> bool:
    """Whether it matters only if there is such an event, not how many there are."""
    return (
        isinstance(expr, core.HowMany)
        and isinstance(expr.number, core.Const)
        and (expr.bound, expr.number.text) in (("at least", "1"), ("at most", "0"))
    )


PHRASES: dict[type, Callable[[Any, Surroundings], Iterator[Change]]] = {
    core.Pattern: _pattern,
    core.Window: _window,
    core.Events: _events,
}
