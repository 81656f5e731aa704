"""The small changes that turn a rule into a wrong one: what could be mistaken in each of its parts.

Every function takes one part of a rule and gives the part changed, with the change in plain words.
Changes that can make no difference, whatever the log says, are not made.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import msgspec

from compliance.mutations.change import Change, Surroundings
from compliance.mutations.clauses import CLAUSES
from compliance.mutations.conditions import CONDITIONS
from compliance.mutations.phrases import PHRASES
from rules_dsl import core

__all__ = ["Change", "Surroundings", "changes", "own_changes"]

_OPERATORS = {**CLAUSES, **CONDITIONS, **PHRASES}


def changes(node: core.Core, around: Surroundings) -> Iterator[Change]:
    """The part with one change in it or in any part inside it, one after the other."""
    yield from own_changes(node, around)
    inner = around.inside(node)
    for name in node.__struct_fields__:
        value = getattr(node, name)
        if isinstance(value, core.Core):
            for change in changes(value, inner):
                whole = msgspec.structs.replace(node, **{name: change.node})
                yield replace(change, node=whole)
        elif isinstance(value, tuple):
            for index, part in enumerate(value):
                if not isinstance(part, core.Core) or _is_section_condition(part, node, around):
                    continue
                for change in changes(part, inner):
                    parts = (*value[:index], change.node, *value[index + 1 :])
                    whole = msgspec.structs.replace(node, **{name: parts})
                    yield replace(change, node=whole)


def own_changes(node: core.Core, around: Surroundings) -> Iterator[Change]:
    """The part with one change in itself, its parts untouched."""
    operator = _OPERATORS.get(type(node))
    if operator is not None:
        for change in operator(node, around):
            place = change.place or around.place_of(node)
            yield replace(change, place=place, spot=around.spot_of(node))


def _is_section_condition(part: core.Core, parent: core.Core, around: Surroundings) -> bool:
    """What a section demands of all its rules is no matter of one rule's examples."""
    return isinstance(parent, core.Edition) and around.places.is_section_condition(part.place)
