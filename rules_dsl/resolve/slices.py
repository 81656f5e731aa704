"""Resolves `for each`: what a rule is applied to separately, such as a table or a round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules_dsl import core, syntax
from rules_dsl.diagnostics import nearest
from rules_dsl.resolve.editions import EditionClauses
from rules_dsl.resolve.names import Desk, Macro, View
from rules_dsl.resolve.unknown import own_fields

_PLACES = ("table", "pit", "casino")


def slice_of(
    desk: Desk,
    edition: EditionClauses,
    trigger: core.Trigger,
    view: View,
    parts: Sequence[core.Core],
) -> core.Slice:
    """The keys of `for each`, held against the events that the rule speaks of."""
    relevant = tuple(sorted(_types_in([trigger, *parts])))
    clause = edition.last_of(syntax.ForEach)
    if clause is None:
        return core.Slice(relevant=relevant)
    across: Any = None
    interval: str | None = None
    keys: list[str] = []
    named: set[str] = set()
    for key in clause[0].keys:
        bound = view.names.get(key.name)
        macro = bound.expr if isinstance(bound, Macro) else None
        name = macro.name if isinstance(macro, syntax.Name) else key.name
        if name in named:
            desk.report("repeated-clause", f"`{name}` is named twice after `for each`.", clause[1],
                        key.span, "leave one of the two out")  # fmt: skip
            continue
        named.add(name)
        if name in _PLACES:
            across = name if across in (None, "casino") or name == "table" else across
        elif name in desk.symbols.intervals:
            desk.symbols.used.add(("interval", name))
            if interval is not None:
                desk.report(
                    "unknown-key",
                    f"`{interval}` and `{name}` are both intervals, and a rule is cut by only one.",
                    clause[1],
                    key.span,
                    "name only one of them",
                )
            interval = name
        elif _key_is_known(desk, name, key, clause[1], relevant, trigger):
            keys.append(name)
    return core.Slice(
        across or "table",
        interval,
        tuple(keys),
        relevant,
        place=desk.place(clause[1], clause[0].span),
    )


def _key_is_known(
    desk: Desk,
    name: str,
    key: syntax.Key,
    file: int,
    relevant: tuple[str, ...],
    trigger: core.Trigger,
) -> bool:
    events = desk.schema.events
    span = desk.spot(file, key.span, key.name)
    if not any(name in events[t].fields for t in relevant):
        if not desk.symbols.excused(name):
            known = own_fields(desk, dict.fromkeys(f for t in relevant for f in events[t].fields))
            desk.report(
                "unknown-key",
                f"None of the rule's events has a field `{name}`, and it is not an interval.",
                file,
                span,
                nearest(name, [*known, *desk.symbols.intervals, *_PLACES]),
            )
        return False
    lacking = [t for t in trigger.pattern.types if name not in events[t].fields]
    if lacking and not key.every:
        desk.report(
            "key-not-in-trigger",
            f"`{lacking[0]}` has no `{name}`: the rule is applied for every {name} seen so far.",
            file,
            span,
            f"if that is meant, write `every {name}`",
        )
    return True


def _types_in(parts: Sequence[core.Core]) -> set[str]:
    """Every event type that a rule speaks of."""
    found: set[str] = set()
    waiting: list[Any] = list(parts)
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            waiting += part
        elif isinstance(part, core.Core):
            if isinstance(part, core.Pattern):
                found.update(part.types)
            waiting += [getattr(part, name) for name in part.__struct_fields__ if name != "place"]
    return found
