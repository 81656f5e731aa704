"""The small changes that turn a rule into a wrong one: what could be mistaken in each of its parts.

Every function takes one part of a rule and gives the part changed, with the change in plain words.
Changes that can make no difference, whatever the log says, are not made.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from compliance.rule_tests.mutations.change import EVALUATED, Change, Surroundings
from compliance.rule_tests.mutations.clauses import CLAUSES
from compliance.rule_tests.mutations.conditions import CONDITIONS, described
from compliance.rule_tests.mutations.phrases import PHRASES
from compliance.rule_tests.mutations.written_places import ChangedCopy
from rules_dsl import core
from rules_dsl.traverse import parts

__all__ = ["Change", "ChangedCopy", "Surroundings", "changes", "own_changes"]

_OPERATORS = {**CLAUSES, **CONDITIONS, **PHRASES}


def changes(node: core.Core, around: Surroundings) -> Iterator[ChangedCopy]:
    """Each change of a part, and of any part inside it, one after the other."""
    for change in own_changes(node, around):
        yield ChangedCopy(change, node, around.ancestors)
    inner = around.inside(node)
    for part in parts(node):
        if not _is_section_condition(part, node, around):
            yield from changes(part, inner)


def own_changes(node: core.Core, around: Surroundings) -> Iterator[Change]:
    """The part with one change in itself, its parts untouched."""
    default = described if isinstance(node, EVALUATED) else None
    operator = _OPERATORS.get(type(node), default)
    if operator is not None:
        for change in operator(node, around):
            place = change.place or around.place_of(node)
            yield replace(change, place=place, spots=around.spots_of(node))


def _is_section_condition(part: core.Core, parent: core.Core, around: Surroundings) -> bool:
    """What a section demands of all its rules is no matter of one rule's examples."""
    return isinstance(parent, core.Edition) and around.places.is_section_condition(part.place)
