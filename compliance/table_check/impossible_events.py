"""Leaves out of rules what a manifest says cannot happen at the tables of a source.

Where no hand is ever given up, no rule has to look for one that was: neither an event that is lost
nor one that the source does not record can have been one.
"""

from __future__ import annotations

from collections.abc import Mapping as Dictionary
from typing import Any, Final

import msgspec

from compliance.judgement.circumstances import Circumstances
from compliance.log.manifest import Impossible, Manifest
from compliance.log.mapping import Mapping
from compliance.table_check.needs import Needs, needs
from compliance.table_check.needs_of_rulebook import needs_of_edition
from compliance.table_check.rule_walk import asks_for_suits
from event_schemas import Schema
from rules_dsl import core

_FLAGS: Final = ("yes", "no")
_FEW: Final = 4


class PossibleRules:
    """A rulebook in which no phrase looks for what cannot happen."""

    def __init__(
        self, rulebook: core.Rulebook, schema: Schema, never: frozenset[Impossible]
    ) -> None:
        self.origin, self.never = rulebook, never
        left = _Left(schema, never)
        self.rulebook: core.Rulebook = msgspec.structs.replace(
            rulebook,
            intervals={name: left.of(item) for name, item in rulebook.intervals.items()},
            rules=tuple(
                msgspec.structs.replace(rule, editions=tuple(map(left.of, rule.editions)))
                for rule in rulebook.rules
            ),
        )
        self._schema = schema
        self._editions = {
            id(before): after
            for old, new in zip(rulebook.rules, self.rulebook.rules, strict=True)
            for before, after in zip(old.editions, new.editions, strict=True)
        }
        self._needs: dict[tuple[int, str], Needs] = {}

    def needs(self, edition: core.Edition, readings: Dictionary[str, str]) -> Needs:
        """What an edition of the whole rulebook needs, without what cannot happen."""
        key = id(edition), str(sorted(readings.items()))
        if key not in self._needs:
            possible = self._editions[id(edition)]
            self._needs[key] = needs(possible, self.rulebook, readings, self._schema)
        return self._needs[key]

    def left_of(self, edition: core.Edition) -> core.Edition:
        """What is left of an edition of the whole rulebook."""
        return self._editions[id(edition)]


_last: list[PossibleRules] = []
"""What was last made. Rules are known by identity: others are another matter."""


def possible_rules(
    rulebook: core.Rulebook, schema: Schema, never: frozenset[Impossible]
) -> PossibleRules:
    """The rules without what cannot happen; made anew where they are not known."""
    for known in _last:
        if known.origin is rulebook and known.never == never:
            return known
    made = PossibleRules(rulebook, schema, never)
    _last[:] = [made, *_last[: _FEW - 1]]
    return made


def needs_at(edition: core.Edition, manifest: Manifest, surroundings: Circumstances) -> Needs:
    """What an edition needs at a source: less where some of it cannot happen."""
    if not manifest.impossible:
        return needs_of_edition(edition, surroundings)
    rules = possible_rules(surroundings.rulebook, surroundings.schema, manifest.impossible)
    return rules.needs(edition, surroundings.readings)


def lacks_suits(
    edition: core.Edition,
    mapping: Mapping | None,
    manifest: Manifest | None,
    surroundings: Circumstances,
) -> bool:
    """Whether an edition cannot be judged where the cards of the log have no suits. What cannot
    happen at a source, and what the mapping makes of no record, is asked for none."""
    if mapping is None or manifest is None:
        return asks_for_suits(edition)
    if manifest.impossible:
        schema, impossible = surroundings.schema, manifest.impossible
        edition = possible_rules(surroundings.rulebook, schema, impossible).left_of(edition)
    never = (name for name in manifest.never if not mapping.may_make(name))
    return asks_for_suits(edition, frozenset(never))


class _Left:
    """What is left of the parts of a rule."""

    def __init__(self, schema: Schema, never: frozenset[Impossible]) -> None:
        self._schema = schema
        self._never: dict[str, dict[str, set[str]]] = {}
        for event, name, word in never:
            self._never.setdefault(event, {}).setdefault(name, set()).add(word)

    def of(self, node: Any) -> Any:
        """A part of a rule, with its patterns without the types that cannot match."""
        if isinstance(node, tuple):
            left = tuple(map(self.of, node))
            same = all(old is new for old, new in zip(node, left, strict=True))
            return node if same else left
        if not isinstance(node, core.Core):
            return node
        changed = {
            name: new
            for name in node.__struct_fields__
            if (new := self.of(old := getattr(node, name))) is not old
        }
        if isinstance(node, core.Pattern):
            types = tuple(name for name in node.types if self._can_match(name, node))
            if len(types) < len(node.types):
                changed["types"] = types
        return msgspec.structs.replace(node, **changed) if changed else node

    def _can_match(self, event: str, pattern: core.Pattern) -> bool:
        return pattern.where is None or not any(
            all(
                _answer(pattern.where, pattern.var, name, word) is False
                for word in self._words(event, name)
                if word not in never
            )
            for name, never in self._never.get(event, {}).items()
        )

    def _words(self, event: str, name: str) -> tuple[str, ...]:
        enum = self._schema.events[event].fields[name].kind.enum
        return _FLAGS if enum is None else tuple(enum.values)


def _answer(node: core.Expr, var: int, name: str, word: str) -> bool | None:
    """What a condition answers if a field of an event holds a word; None where more is asked."""
    if isinstance(node, core.And | core.Or):
        answers = {_answer(part, var, name, word) for part in node.parts}
        deciding = isinstance(node, core.Or)
        if deciding in answers:
            return deciding
        return None if None in answers else not deciding
    if isinstance(node, core.Not):
        answer = _answer(node.part, var, name, word)
        return None if answer is None else not answer
    if isinstance(node, core.Compare) and node.sign in ("=", "!="):
        for asked, told in ((node.left, node.right), (node.right, node.left)):
            if (
                isinstance(asked, core.Field)
                and (asked.var, asked.name) == (var, name)
                and isinstance(told, core.Const)
            ):
                return (told.text == word) is (node.sign == "=")
    return None
