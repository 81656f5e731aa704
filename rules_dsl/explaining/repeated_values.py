"""Finds long values that a rule speaks of more than once, so that they can be explained once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rules_dsl import core
from rules_dsl.traverse import all_parts, free_events, parts

_LONG = 7
"""How many parts a value must have to be worth a name of its own."""


def repeated_values(edition: core.Edition) -> list[core.Expr]:
    """The repeated values of an edition that depend on the trigger alone, the simplest first."""
    roots: list[core.Core] = [
        *edition.only_if,
        *(requirement.condition for requirement in edition.requirements),
        *edition.exemptions,
    ]
    chosen: list[core.Expr] = []
    while (found := _largest_repeated(roots, chosen)) is not None:
        chosen.append(found)
    return sorted(chosen, key=_size)


def _largest_repeated(roots: Sequence[core.Core], chosen: list[core.Expr]) -> core.Expr | None:
    """The largest value that still stands in the text twice, with the chosen ones named."""
    counts: Counter[core.Expr] = Counter()
    for root in roots:
        counts.update(_values(root, chosen))
    for value in chosen:
        for part in parts(value):
            counts.update(_values(part, chosen))
    repeated = [value for value, count in counts.items() if count > 1]
    return max(repeated, key=_size, default=None)


def _values(node: core.Core, chosen: list[core.Expr]) -> Iterator[core.Expr]:
    if node.gives != "flag":
        if node in chosen:
            return
        if _size(node) >= _LONG and free_events(node) <= {core.TRIGGER}:
            yield node  # type: ignore[misc]
    for part in parts(node):
        yield from _values(part, chosen)


def _size(node: core.Core) -> int:
    return sum(1 for _ in all_parts(node))
