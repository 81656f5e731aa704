"""Finds what is allowed but cannot be meant: unused names, conditions that never or always hold."""

from __future__ import annotations

from collections.abc import Iterable

from rules_dsl import core, syntax
from rules_dsl.resolve.names import Desk
from rules_dsl.syntax import Span


def lint(desk: Desk, rulebook: core.Rulebook, files: Iterable[tuple[int, syntax.File]]) -> None:
    """Report everything of this sort in a rulebook."""
    for file, tree in files:
        _unused(desk, file, tree)


def _unused(desk: Desk, file: int, tree: syntax.File) -> None:
    # A file without rules is a library: others may use what it defines.
    if not any(isinstance(node, syntax.Rule) for node in tree.declarations):
        return
    sorts = {
        syntax.Define: "definition",
        syntax.EventGroup: "events",
        syntax.Interval: "interval",
        syntax.Table: "table",
        syntax.Setting: "setting",
        syntax.Template: "template",
    }
    for node in tree.declarations:
        sort = sorts.get(type(node))
        name = getattr(node, "name", "")
        if sort and (sort, name) not in desk.symbols.used:
            first = Span(node.span.start, min(node.span.end, node.span.start + 40))
            desk.report(
                "unused-definition", f"`{name}` is never used.", file, first, "remove it"
            )
        if (
            isinstance(node, syntax.Interpretation)
            and ("interpretation", name) not in desk.symbols.used
        ):
            desk.report(
                "unused-reading", f"No rule asks for the reading of `{name}`.", file, node.span
            )
