"""Draws short rules about few types of event, which logs decide more often than not.

Of rules over the whole language most answers are missing. That is no good where one wants to see
whether a decided answer is right.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from rules_dsl import core
from tests.property.random_logs import FIELDS
from tests.property.random_rulebook import INTERVALS
from tests.property.random_rules import KEYS, RuleDrawer, kind_of

Scope = dict[int, tuple[str, ...]]
USUAL = ("card_dealt", "wager_placed", "card_burned", "round_started", "round_ended")
RARER = tuple(name for name in FIELDS if name not in (*USUAL, "option_elected", "table_opened"))


class DecisiveRuleDrawer(RuleDrawer):
    """Draws rules that speak of three or four types of event only."""

    def __init__(self, random: Random) -> None:
        super().__init__(random)
        self.vocabulary = (*random.sample(USUAL, 3), *random.sample(RARER, random.choice((0, 1))))

    def types(self) -> tuple[str, ...]:
        return tuple(sorted(self.random.sample(self.vocabulary, 1 if self.chance(0.85) else 2)))

    def edition(self, since: str | None, until: str | None) -> core.Edition:
        self.fresh = 1
        pattern = self.pattern({}, 0, 0)
        pattern = core.Pattern(pattern.types, 0, None)
        ends = trigger_since = None
        if self.chance(0.1):
            ends = self.pick(INTERVALS)
            pattern = INTERVALS[ends].closes
        elif self.chance(0.15):
            trigger_since = self.pattern({0: pattern.types}, 0, 0)
        scope = {0: pattern.types}
        return core.Edition(
            since, until, "", ("law",),
            core.Slice(
                self.pick(("table", "casino", "pit")),
                self.pick(INTERVALS) if self.chance(0.2) else None,
                tuple(key for key in KEYS if self.chance(0.1)),
                tuple(sorted(FIELDS)),
            ),
            core.Trigger(pattern, trigger_since, ends),
            (self.decisive(scope, 0, 1),) if self.chance(0.2) else (),
            tuple(
                core.Requirement(self.decisive(scope, 0, 2), f"require {n}")
                for n in range(self.pick((1, 1, 2)))
            ),
            (core.Exemption("law", self.decisive(scope, 0, 1)),) if self.chance(0.3) else (),
            (), "", (),
        )  # fmt: skip

    def window(self, scope: Scope, at: int, depth: int) -> core.Window:
        if self.chance(0.6):
            return super().window(scope, at, depth)
        which: Any = self.pick(("this", "previous", "next"))
        reach: Any = {"this": "whole", "previous": "past", "next": "future"}[which]
        return core.Window(reach, interval=self.pick(INTERVALS), which=which)

    def pattern(self, scope: Scope, at: int, depth: int, types: Any = None) -> core.Pattern:
        self.fresh += 1
        var = self.fresh
        types = types or self.types()
        inner = {**scope, var: types}
        where: core.Expr | None = None
        if self.chance(0.25):
            where = self.plain(inner, var)
        elif depth > 0 and self.chance(0.15):
            where = self.decisive(inner, var, depth - 1)
        return core.Pattern(types, var, where)

    def plain(self, scope: Scope, at: int) -> core.Expr | None:
        """A field of an event, compared with a value that it may have."""
        types = scope[at]
        shared = [n for n in FIELDS[types[0]] if all(n in FIELDS[t] for t in types)]
        if not shared:
            return None
        name = self.pick(shared)
        kind = kind_of(types[0], name)
        value = core.Const(kind, self.pick(FIELDS[types[0]][name]))
        return core.Compare(self.pick(("=", "!=")), core.Field(at, name, kind), value)

    def decisive(self, scope: Scope, at: int, depth: int) -> core.Expr:
        """A condition that is not often missing."""
        makers: list[Callable[[Scope, int, int], core.Expr | None]] = [
            self._number_of_events, self._number_of_events, self._number_of_events,
            self._total, self._total, self._every, self._end, self._recorded, self._option,
            self._order,
        ]  # fmt: skip
        if depth > 0:
            makers += [self._joined, self._chosen]
        while True:
            made = self.pick(makers)(scope, at, depth)
            if made is not None:
                return made  # type: ignore[no-any-return]

    def _number_of_events(self, scope: Scope, at: int, depth: int) -> core.Expr:
        number = core.Const("number", self.pick(("0", "0", "1", "1", "2", "3")))
        bound: Any = self.pick(("at least", "at most", "exactly"))
        return core.HowMany(bound, number, self.events(scope, at, depth))

    def _total(self, scope: Scope, at: int, depth: int) -> core.Expr:
        sign: core.Sign = self.pick(("=", "!=", "<", "<=", ">", ">="))
        kind = self.pick(("number", "number", "money"))
        left = self.total(kind, scope, at, depth)
        limit: core.Expr = core.Const(
            kind, self.pick({"number": ("1", "2", "3", "5"), "money": ("$10", "$20", "$40")}[kind])
        )
        if self.chance(0.2):
            limit = core.Arithmetic(self.pick("+-"), self.total(kind, scope, at, depth), limit)
        return core.Compare(sign, left, limit)

    def total(self, kind: str, scope: Scope, at: int, depth: int) -> core.Expr:
        """A count, a number of different values, or a sum of money."""
        if kind == "money":
            events = self.events(scope, at, depth, ("wager_placed",))
            value = core.Field(events.pattern.var, "amount", "money")
            return core.Aggregate("sum", events, value, kind)
        if self.chance(0.3):
            types = self.pick((("card_dealt",), ("wager_placed",)))
            events = self.events(scope, at, depth, types)
            value = core.Field(events.pattern.var, "seat", "seat")
            return core.Aggregate("distinct", events, value, kind)
        return core.Aggregate("count", self.events(scope, at, depth), None, kind)

    def _every(self, scope: Scope, at: int, depth: int) -> core.Expr | None:
        events = self.events(scope, at, depth)
        condition = self.plain(
            {**scope, events.pattern.var: events.pattern.types}, events.pattern.var
        )
        return None if condition is None else core.Every(events, condition)

    def end_value(self, scope: Scope, at: int, depth: int) -> tuple[core.Expr, core.Const] | None:
        """The value of the first or last event, and one that it may have."""
        type_name = self.pick(self.vocabulary)
        if not FIELDS[type_name]:
            return None
        name = self.pick(FIELDS[type_name])
        kind = kind_of(type_name, name)
        events = self.events(scope, at, depth, (type_name,))
        value = core.Field(events.pattern.var, name, kind)
        text = self.pick((*FIELDS[type_name][name], "none"))
        found = core.Aggregate(self.pick(("first", "last")), events, value, kind)
        return found, core.Const("none" if text == "none" else kind, text)

    def _end(self, scope: Scope, at: int, depth: int) -> core.Expr | None:
        made = self.end_value(scope, at, depth)
        return None if made is None else core.Compare(self.pick(("=", "!=")), *made)

    def _recorded(self, scope: Scope, at: int, depth: int) -> core.Expr | None:
        made = self.end_value(scope, at, depth)
        value = self.pick(
            (self.option(scope), made and made[0], self.total("number", scope, at, depth))
        )
        return None if value is None else core.Recorded(value, self.chance(0.5))

    def _option(self, scope: Scope, at: int, depth: int) -> core.Expr:
        option = self.option(scope)
        word = {"soft_17": ("hit", "stand"), "game": ("blackjack", "baccarat")}[option.name]
        return core.Compare(
            self.pick(("=", "!=")), option, core.Const(option.kind, self.pick(word))
        )

    def _order(self, scope: Scope, at: int, depth: int) -> core.Expr:
        events = self.events(scope, at, depth, (self.pick(("card_dealt", "wager_placed")),))
        start = core.Const("seat", "2") if self.chance(0.5) else None
        direction: Any = self.pick(("clockwise", "counterclockwise"))
        seat = core.Field(events.pattern.var, "seat", "seat")
        return core.InOrder(events, seat, direction, start)

    def _joined(self, scope: Scope, at: int, depth: int) -> core.Expr:
        parts = tuple(self.decisive(scope, at, depth - 1) for _ in range(2))
        return self.pick((core.And(parts), core.Or(parts), core.Not(parts[0])))  # type: ignore[no-any-return]

    def _chosen(self, scope: Scope, at: int, depth: int) -> core.Expr:
        parts = [self.decisive(scope, at, depth - 1) for _ in range(3)]
        return core.If(*parts)
