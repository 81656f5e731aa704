"""Puts together the copies of one written word, so that a mistake is made in all of them at once.

A definition, a `let`, or a clause that several editions share is written once, and stands in the
core form of a rule wherever it is used. Somebody who writes it wrongly is wrong at all of these
places. So one mutant is one change at one written place, not at one of the copies.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import msgspec

from compliance.rule_tests.mutations.change import Change
from rules_dsl import core
from rules_dsl.conditions import same_field
from rules_dsl.traverse import parts


@dataclass(frozen=True)
class ChangedCopy:
    """A change of one part of a rule, with the parts around it, outermost first."""

    change: Change
    part: core.Core
    ancestors: tuple[core.Core, ...]

    @property
    def edition(self) -> core.Edition | None:
        return next((a for a in (*self.ancestors, self.part) if isinstance(a, core.Edition)), None)


def by_written_place(copies: Iterable[ChangedCopy]) -> list[list[ChangedCopy]]:
    """The changes that are one and the same to the author, in the order of the first of each."""
    groups: dict[Hashable, list[ChangedCopy]] = {}
    for copy in copies:
        groups.setdefault(_written_change(copy), []).append(copy)
    return list(groups.values())


def all_changed(rule: core.Rule, copies: Sequence[ChangedCopy]) -> core.Rule:
    """The rule with the change made in all copies of the part."""
    new = {id(copy.part): copy.change.node for copy in copies}
    around = {id(part) for copy in copies for part in copy.ancestors}
    # A copy may lie inside another one, if a definition is used in its own argument.
    changed: core.Rule = _rebuilt(rule, new, around)
    return changed


def _rebuilt(node: core.Core, new: Mapping[int, core.Core], around: set[int]) -> Any:
    is_new = False
    while id(node) in new:
        new, node = {part: n for part, n in new.items() if part != id(node)}, new[id(node)]
        is_new = True
    return _inside_rebuilt(node, new, around) if is_new or id(node) in around else node


def _inside_rebuilt(node: core.Core, new: Mapping[int, core.Core], around: set[int]) -> core.Core:
    fields: dict[str, Any] = {}
    for name in node.__struct_fields__ if new else ():
        value = getattr(node, name)
        if isinstance(value, core.Core):
            built = _rebuilt(value, new, around)
            if built is not value:
                fields[name] = built
        elif isinstance(value, tuple) and any(isinstance(part, core.Core) for part in value):
            rebuilt = tuple(
                _rebuilt(part, new, around) if isinstance(part, core.Core) else part
                for part in value
            )
            if any(part is not old for part, old in zip(rebuilt, value, strict=True)):
                fields[name] = rebuilt
    return msgspec.structs.replace(node, **fields) if fields else node


def described(copies: Sequence[ChangedCopy], rule: core.Rule) -> Change:
    """The change in words; the edition is named where the change touches only one of several."""
    spots = [copy.change.spots for copy in copies]
    known = None if None in spots else frozenset().union(*filter(None, spots))
    first = replace(copies[0].change, spots=known)
    touched = list({id(copy.edition): copy.edition for copy in copies}.values())
    if len(rule.editions) > 1 and len(touched) == 1 and touched[0] is not None:
        return replace(first, words=f"{first.words}, in the edition from {touched[0].since}")
    return first


# ---- what makes two changes one and the same -----------------------------------------------


def _written_change(copy: ChangedCopy) -> Hashable:
    """The written place and what happens there; nothing of what surrounds the copy."""
    part, change = copy.part, copy.change
    if isinstance(part, core.Edition):
        return (change.place, change.words)
    left_out = _left_out(part, change.node)
    if left_out is not None and left_out.place is not None:
        # `same seat` and the condition of a group stand in phrases that are written elsewhere.
        return ("left out", left_out.place, same_field(left_out), _number(left_out, part))
    return (*_written_place(copy), type(part), _difference(part, change.node))


def _left_out(part: core.Core, new: core.Core) -> core.Core | None:
    """The condition of a phrase that a change leaves out."""
    if isinstance(part, core.Pattern) and isinstance(new, core.Pattern):
        return part.where if new.where is None else None
    if isinstance(part, core.And | core.Or) and part.place is None:
        kept = new.parts if isinstance(new, type(part)) else (new,)
        gone = [inner for inner in part.parts if not any(inner is other for other in kept)]
        return gone[0] if len(gone) == 1 else None
    return None


def _written_place(copy: ChangedCopy) -> tuple[Hashable, ...]:
    """The place of a part, and the way to it from the outermost part with that place."""
    place, way = copy.part.place, []
    for inner, outer in pairwise((copy.part, *reversed(copy.ancestors))):
        if place is not None and outer.place != place:
            break
        way.append((type(outer), _number(inner, outer)))
        place = outer.place
        if isinstance(outer, core.Edition):
            break
    return (place, tuple(way))


def _number(inner: core.Core, outer: core.Core) -> tuple[str, int]:
    """Which part of another part this is, among those of its place."""
    for name in outer.__struct_fields__:
        value = getattr(outer, name)
        twins = [
            part
            for part in (value if isinstance(value, tuple) else (value,))
            if isinstance(part, core.Core) and part.place == inner.place
        ]
        for number, part in enumerate(twins):
            if part is inner:
                return name, number
    return "", 0


def _difference(old: core.Core, new: core.Core) -> Hashable:
    """What changes in a part; the parts inside it that stay are named by their number."""
    kept = {id(old): "itself", **{id(part): number for number, part in enumerate(parts(old))}}

    def shown(value: object) -> Hashable:
        if id(value) in kept:
            return kept[id(value)]
        if isinstance(value, tuple):
            return tuple(map(shown, value))
        return type(value) if isinstance(value, core.Core) else str(value)

    if type(old) is not type(new) or id(new) in kept:
        return shown(new)
    return tuple(
        (name, shown(after))
        for name in old.__struct_fields__
        if (after := getattr(new, name)) is not getattr(old, name) and name != "place"
    )
