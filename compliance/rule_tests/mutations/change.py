"""A part of a rule with one change in it, and what is known around the part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, get_args

import msgspec

from event_schemas import Schema
from rules_dsl import core
from rules_dsl.places import Places
from rules_dsl.traverse import Types, scope_inside

_SHOWN = 70
EVALUATED = get_args(core.Expr)
Cell = tuple[str, int, int]
Spot = int | Cell


@dataclass(frozen=True)
class Change:
    """The changed part, the change in plain words, and where it was made.

    `spots` are what a run must come by, one of them at least, for the change to make a difference:
    the identities of parts of the rule, or a cell of a table. None where any run may.
    """

    node: Any
    words: str
    place: core.Place | None = None
    spots: frozenset[Spot] | None = None


@dataclass(frozen=True)
class Surroundings:
    """What is known at the part that is being changed."""

    rulebook: core.Rulebook
    schema: Schema
    places: Places
    ancestors: tuple[core.Core, ...] = ()
    types: Types = field(default_factory=dict)

    def inside(self, node: core.Core) -> Surroundings:
        """The surroundings of the parts of a part."""
        return replace(
            self,
            ancestors=(*self.ancestors, node),
            types=scope_inside(node, self.types),
        )

    @property
    def parent(self) -> core.Core | None:
        return self.ancestors[-1] if self.ancestors else None

    @property
    def edition(self) -> core.Edition | None:
        return next((a for a in self.ancestors if isinstance(a, core.Edition)), None)

    def written(self, node: core.Core) -> str:
        """What stands in the rule file for a part, or for the nearest part around it."""
        for part in (node, *reversed(self.ancestors)):
            text = self.places.text(part.place, _SHOWN)
            if text:
                # Notes on equivalent mutants are texts in quotation marks, and cannot hold any.
                return "`" + text.replace('"', "'").replace("`", "'") + "`"
        return "the rule"

    def written_around(self, node: core.Core) -> str:
        """The nearest larger text that a part stands in; its own text would say nothing new."""
        own = self.written(node)
        larger = (self.written(part) for part in reversed(self.ancestors))
        return next((text for text in larger if text != own), own)

    def spots_of(self, node: core.Core) -> frozenset[Spot] | None:
        """The innermost part around a change that is evaluated, or else the edition."""
        for part in (node, *reversed(self.ancestors)):
            if isinstance(part, (*EVALUATED, core.Edition)):
                return frozenset({id(part)})
        return None

    def place_of(self, node: core.Core) -> core.Place | None:
        """The place of a part, or of the nearest part around it that has one."""
        parts = (node, *reversed(self.ancestors))
        return next((part.place for part in parts if part.place is not None), None)


def changed(node: core.Core, words: str, **new: object) -> Change:
    """A part with some of its fields replaced."""
    return Change(msgspec.structs.replace(node, **new), words)


def each_left_out(parts: tuple[Any, ...]) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """Each part, with the others."""
    for index, part in enumerate(parts):
        yield part, (*parts[:index], *parts[index + 1 :])
