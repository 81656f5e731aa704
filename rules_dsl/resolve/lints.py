"""Finds what is allowed but cannot be meant: unused names, conditions that never or always hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rules_dsl import core, syntax
from rules_dsl.possible import Fact, plainly_possible, possible
from rules_dsl.resolve.names import Desk
from rules_dsl.syntax import Span

_DECLARED = {
    syntax.Define: "definition",
    syntax.EventGroup: "events",
    syntax.Interval: "interval",
    syntax.Table: "table",
    syntax.Setting: "setting",
    syntax.Template: "template",
}


def lint(desk: Desk, rulebook: core.Rulebook, files: Iterable[tuple[int, syntax.File]]) -> None:
    """Report everything of this sort in a rulebook."""
    for file, tree in files:
        _unused(desk, file, tree)
    for rule in rulebook.rules:
        for edition in rule.editions:
            _conditions(desk, edition)
    for rule in rulebook.rules:
        _message(desk, rule)


def _message(desk: Desk, rule: core.Rule) -> None:
    """A rule that says nothing leaves readers with bare fields. Real mistakes are said first."""
    place = rule.place
    if place is None or all(edition.message for edition in rule.editions):
        return
    source = desk.sources[place.file]
    inside = (
        d.source is source and place.start <= d.span.start < place.end for d in desk.diagnostics
    )
    if not any(inside):
        head = Span(place.start, place.end)
        desk.report(
            "missing-message",
            f"The rule `{rule.name}` does not say what to write when it is broken.",
            place.file,
            desk.spot(place.file, head, rule.name, after="rule"),
            'add `otherwise say "..."`, with the fields that matter in braces',
        )


def _unused(desk: Desk, file: int, tree: syntax.File) -> None:
    # A file without rules is a library: others may use what it defines.
    if not any(isinstance(node, syntax.Rule) for node in tree.declarations):
        return
    for node in tree.declarations:
        sort = _DECLARED.get(type(node))
        name = getattr(node, "name", "")
        head = _head(desk, file, node, name)
        if sort and (sort, name) not in desk.symbols.used:
            desk.report("unused-definition", f"`{name}` is never used.", file, head, "remove it")
        if (
            isinstance(node, syntax.Interpretation)
            and ("interpretation", name) not in desk.symbols.used
        ):
            desk.report(
                "unused-reading",
                f"No rule asks for the reading of `{name}`.",
                file,
                head,
                f"write `reading {name} is ...` in the rule that it concerns, or remove it",
            )


def _head(desk: Desk, file: int, node: syntax.Declaration, name: str) -> Span:
    """The kind and the name of a declaration: the part to put the mark under."""
    at = desk.sources[file].text.find(name, node.span.start)
    return Span(node.span.start, at + len(name))


# ---- conditions that cannot be meant -------------------------------------------------------


def _conditions(desk: Desk, edition: core.Edition) -> None:
    before = len(desk.diagnostics)
    trigger = edition.trigger.pattern
    given: list[Fact] = [] if trigger.where is None else [(trigger.where, True)]
    for condition in _all_conditions(edition):
        _judge(desk, condition, [])
    if len(desk.diagnostics) > before:
        return
    # Each on its own is fine; now together with what must hold before the rule applies at all.
    for condition in edition.only_if:
        given.append((condition, True))
    if len(given) > 1 and not possible(given, desk.schema.enums):
        place = edition.only_if[-1].place or edition.trigger.place
        _report(desk, "never-true", place, "This rule can never apply: its conditions exclude "
                "each other.", "check `when` and `only if` against each other")  # fmt: skip
        return
    if given:
        for requirement in edition.requirements:
            _judge(desk, requirement.condition, given)
        for exemption in edition.exemptions:
            _judge(desk, exemption.condition, given)


def _all_conditions(edition: core.Edition) -> Iterator[core.Expr]:
    """The outermost conditions of an edition, and those inside its phrases."""
    roots: list[core.Core] = [edition.trigger, *edition.only_if]
    roots += [requirement.condition for requirement in edition.requirements]
    roots += _exemption_conditions(edition.exemptions)
    for root in roots:
        if not isinstance(root, core.Trigger):
            yield root  # type: ignore[misc]
        yield from _inner_conditions(root)


def _exemption_conditions(exemptions: Iterable[core.Exemption]) -> list[core.Core]:
    found: list[core.Core] = []
    for exemption in exemptions:
        found.append(exemption.condition)
        found += _exemption_conditions(exemption.but_not)
    return found


def _inner_conditions(node: core.Core) -> Iterator[core.Expr]:
    """Conditions that stand inside phrases: after `where`, after `has`, in an `if`."""
    if isinstance(node, core.Pattern) and node.where is not None:
        yield node.where
    elif isinstance(node, core.Every | core.If):
        yield node.condition
    for name in node.__struct_fields__:
        value = getattr(node, name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, core.Core):
                yield from _inner_conditions(part)


def _judge(desk: Desk, condition: core.Expr, given: list[Fact]) -> bool:
    """Report the smallest part of a condition that can never, or must always, hold."""
    if isinstance(condition, core.And | core.Or):
        judged = [_judge(desk, part, given) for part in condition.parts]
        if any(judged):
            return True
    elif isinstance(condition, core.Not):
        return _judge(desk, condition.part, given)
    elif not isinstance(condition, core.Compare | core.HowMany):
        return False
    place = condition.place
    if place is None or (not given and plainly_possible(condition)):
        return False
    text = desk.text(place.file, Span(place.start, place.end))
    beside = "once the rule applies" if given else "whatever the log says"
    if not possible([*given, (condition, True)], desk.schema.enums):
        _report(desk, "never-true", place, f"`{_short(text)}` can never hold, {beside}.", "")
        return True
    if not possible([*given, (condition, False)], desk.schema.enums):
        _report(desk, "always-true", place, f"`{_short(text)}` always holds, {beside}.", "")
        return True
    return False


def _short(text: str) -> str:
    return text if len(text) <= 80 else text[:77] + "..."


def _report(desk: Desk, code: str, place: core.Place | None, message: str, suggestion: str) -> None:
    if place is not None:
        desk.report(code, message, place.file, Span(place.start, place.end), suggestion)
