"""Draws well-typed rules in core form, over the whole of the core language."""

from __future__ import annotations

from random import Random
from typing import Any

from rules_dsl import core
from tests.property.random_logs import ELECTED, FIELDS, SCHEMA
from tests.property.random_rulebook import INTERVALS

KEYS = ("seat", "player")


def kind_of(event: str, name: str) -> str:
    return SCHEMA.events[event].fields[name].kind.name


class RuleDrawer:
    """Draws parts of rules; `depth` limits how far conditions nest."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.fresh = 1

    def pick(self, items: Any) -> Any:
        return self.random.choice(list(items))

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    # ---- rules

    def rule(self) -> core.Rule:
        editions: tuple[core.Edition, ...]
        if self.chance(0.2):
            editions = (self.edition(None, "2000-01-02"), self.edition("2000-01-02", None))
        else:
            editions = (self.edition(None, None),)
        return core.Rule("random-rule", "A random rule", "violation", "major", "", editions, ())

    def edition(self, since: str | None, until: str | None) -> core.Edition:
        self.fresh = 1
        types = self.types()
        ends = None
        trigger_since = None
        where = self.condition({0: types}, 0, 1) if self.chance(0.5) else None
        pattern = core.Pattern(types, 0, where)
        if self.chance(0.1):
            ends = self.pick(INTERVALS)
            pattern = INTERVALS[ends].closes
            types = pattern.types
        elif self.chance(0.25):
            trigger_since = self.pattern({0: types}, 0, 1)
        scope = {0: types}
        interval = self.pick(INTERVALS) if self.chance(0.25) else None
        keys = tuple(k for k in KEYS if self.chance(0.2))
        across: Any = self.pick(("table", "table", "table", "casino", "pit"))
        exemptions = tuple(
            core.Exemption(
                f"law {n}",
                self.condition(scope, 0, 2),
                tuple(
                    core.Exemption("limit", self.condition(scope, 0, 1))
                    for _ in range(self.pick((0, 0, 1)))
                ),
            )
            for n in range(self.pick((0, 0, 1, 2)))
        )
        return core.Edition(
            since, until, "", ("law",),
            core.Slice(across, interval, keys, tuple(sorted(FIELDS))),
            core.Trigger(pattern, trigger_since, ends),
            tuple(self.condition(scope, 0, 1) for _ in range(self.pick((0, 0, 1)))),
            tuple(
                core.Requirement(self.condition(scope, 0, 3), f"require {n}")
                for n in range(self.pick((1, 1, 2)))
            ),
            exemptions,
            self.message(scope),
            "", (),
        )  # fmt: skip

    def message(self, scope: dict[int, tuple[str, ...]]) -> tuple[core.MessagePart, ...]:
        if self.chance(0.5):
            return ()
        kind = self.pick(("number", "money", "text", "seat", "card"))
        return (
            core.MessagePart("so: "),
            core.MessagePart("a value", self.value(kind, scope, 0, 1), kind),
        )

    def types(self) -> tuple[str, ...]:
        known = [name for name in FIELDS if name not in ("option_elected", "table_opened")]
        if self.chance(0.05):
            return tuple(sorted(known))
        return tuple(sorted(self.random.sample(known, 1 if self.chance(0.8) else 2)))

    # ---- patterns and windows

    def pattern(
        self, scope: dict[int, tuple[str, ...]], at: int, depth: int, types: Any = None
    ) -> core.Pattern:
        self.fresh += 1
        var = self.fresh
        types = types or self.types()
        inner = {**scope, var: types}
        parts: list[core.Expr] = []
        if self.chance(0.35):
            parts.append(self.condition({var: types}, var, min(depth, 1)))
        for name in ("seat", "player", "hand", "dealer"):
            if self.chance(0.15) and all(
                name in SCHEMA.events[t].fields for t in (*types, *scope[at])
            ):
                kind = kind_of(types[0], name)
                parts.append(
                    core.Compare("=", core.Field(var, name, kind), core.Field(at, name, kind))
                )
        if depth > 0 and self.chance(0.15):
            parts.append(self.condition(inner, var, depth - 1))
        where = None if not parts else parts[0] if len(parts) == 1 else core.And(tuple(parts))
        return core.Pattern(types, var, where)

    def window(self, scope: dict[int, tuple[str, ...]], at: int, depth: int) -> core.Window:
        parts: dict[str, Any] = {}
        reach: Any = self.pick(("past", "past", "future", "whole"))
        if reach == "whole" or self.chance(0.25):
            parts["interval"] = self.pick(INTERVALS)
            which = self.pick(("this", "this", "previous", "next"))
            parts["which"] = which
            reach = {"previous": "past", "next": "future"}.get(which, reach)
        if reach == "past":
            parts["inclusive"] = self.chance(0.4)
            if self.chance(0.4):
                parts["since"] = self.pattern(scope, at, min(depth, 1))
        if reach == "future" and self.chance(0.4):
            parts["before"] = self.pattern(scope, at, min(depth, 1))
        for name in ("within", "at_least"):
            if reach != "whole" and self.chance(0.15):
                parts[name] = self.pick(
                    (
                        core.Const("duration", "10 seconds"),
                        core.Const("duration", "1 minute"),
                        core.SettingValue("grace", "duration"),
                    )
                )
                parts["less_than" if name == "within" else "more_than"] = self.chance(0.4)
        return core.Window(reach, **parts)

    def events(
        self, scope: dict[int, tuple[str, ...]], at: int, depth: int, types: Any = None
    ) -> core.Events:
        pattern = self.pattern(scope, at, depth, types)
        per: Any = None
        fields: tuple[str, ...] = ()
        if self.chance(0.1):
            shared = [
                name
                for name in ("seat", "player", "card")
                if all(name in SCHEMA.events[t].fields for t in pattern.types)
            ]
            if shared:
                per, fields = self.pick(("latest", "earliest")), (self.pick(shared),)
        outer = [var for var in scope if var < at]
        if outer and self.chance(0.3):
            # Between the event in hand and one around it: `up to the trigger`, `not yet`.
            between = core.Window("past", inclusive=self.chance(0.4), after=at)
            return core.Events(self.pick(outer), pattern, between, per, fields)
        return core.Events(at, pattern, self.window(scope, at, depth), per, fields)

    # ---- conditions

    def condition(self, scope: dict[int, tuple[str, ...]], at: int, depth: int) -> core.Expr:
        if depth <= 0 or self.chance(0.15):
            return self.comparison(scope, at, 0)
        choice = self.random.randrange(11)
        if choice == 0:
            return core.And(tuple(self.condition(scope, at, depth - 1) for _ in range(2)))
        if choice == 1:
            return core.Or(tuple(self.condition(scope, at, depth - 1) for _ in range(2)))
        if choice == 2:
            return core.Not(self.condition(scope, at, depth - 1))
        if choice in (3, 4, 5):
            bound: Any = self.pick(("at least", "at most", "exactly"))
            number = core.Const("number", self.pick(("0", "1", "1", "2", "1.5")))
            return core.HowMany(bound, number, self.events(scope, at, depth - 1))
        if choice == 6:
            events = self.events(scope, at, depth - 1)
            inner = {**scope, events.pattern.var: events.pattern.types}
            return core.Every(events, self.condition(inner, events.pattern.var, depth - 1))
        if choice == 7:
            events = self.events(scope, at, depth - 1, (self.pick(("card_dealt", "wager_placed")),))
            start = core.Const("seat", "2") if self.chance(0.5) else None
            direction: Any = self.pick(("clockwise", "counterclockwise"))
            return core.InOrder(
                events, core.Field(events.pattern.var, "seat", "seat"), direction, start
            )
        if choice == 8:
            kind = self.pick(("number", "money", "seat", "card", "option"))
            option = kind == "option"
            value = self.option(scope) if option else self.value(kind, scope, at, depth - 1)
            return core.Recorded(value, self.chance(0.5))
        return self.comparison(scope, at, depth)

    def comparison(self, scope: dict[int, tuple[str, ...]], at: int, depth: int) -> core.Expr:
        kind = self.pick(
            ("number", "money", "seat", "text", "card", "rank", "recipient", "role", "odds",
             "duration", "flag", "cards", "poker", "reading", "about", "time", "date", "wager_kind",
             "option")
        )  # fmt: skip
        if kind == "option":
            option = self.option(scope)
            word = core.Const(option.kind, self.pick(ELECTED[option.name]))
            return core.Compare(self.pick(("=", "!=")), option, word)
        if kind == "reading":
            return core.Compare("=", core.ReadingValue("doubt"), core.Const("doubt", "two"))
        if kind == "about":
            tolerance = self.pick(
                ((core.Const("number", "2"), False), (core.Const("percent", "10%"), True))
            )
            return core.About(
                self.value("number", scope, at, depth), self.value("number", scope, at, depth),
                *tolerance,
            )  # fmt: skip
        ordered = kind in ("number", "money", "seat", "odds", "duration", "role", "poker", "time")
        signs = ("=", "!=", "<", "<=", ">", ">=") if ordered else ("=", "!=")
        sign: core.Sign = self.pick(signs)
        order = SCHEMA.enums["role"].values if kind == "role" else ()
        return core.Compare(
            sign, self.value(kind, scope, at, depth), self.value(kind, scope, at, depth), order
        )

    # ---- values

    def option(self, scope: dict[int, tuple[str, ...]]) -> core.OptionValue:
        name = self.pick(ELECTED)
        return core.OptionValue(name, self.pick(scope), SCHEMA.options[name].kind.name)

    def value(self, kind: str, scope: dict[int, tuple[str, ...]], at: int, depth: int) -> core.Expr:
        makers = [self._constant, self._field]
        if depth > 0:
            makers += [self._aggregate, self._aggregate, self._computed]
        for _ in range(6):
            made = self.pick(makers)(kind, scope, at, depth)
            if made is not None:
                return made  # type: ignore[no-any-return]
        found = self._constant(kind, scope, at, depth)
        return found if found is not None else core.Const("none", "none")

    def _constant(self, kind: str, scope: Any, at: int, depth: int) -> core.Expr | None:
        texts = {
            "number": ("0", "1", "2", "12", "1.5", "21"),
            "money": ("$5", "$10", "$7.50"),
            "seat": ("1", "2", "3"),
            "text": ("P1", "D2", "card_dealt"),
            "card": ("AS", "9S"),
            "rank": ("ace", "king"),
            "recipient": ("player", "dealer"),
            "role": ("dealer", "floorperson", "pit_boss"),
            "odds": ("3 to 2", "1 to 1"),
            "duration": ("10 seconds", "1 minute"),
            "flag": ("yes", "no"),
            "date": ("2000-01-01", "2000-01-02"),
            "wager_kind": ("blackjack", "insurance"),
        }
        if self.chance(0.05):
            return core.Const("none", "none")
        if kind == "number" and self.chance(0.1):
            return core.SettingValue("rough", "number")
        if kind not in texts:
            return None
        return core.Const(kind, self.pick(texts[kind]))

    def _field(self, kind: str, scope: Any, at: int, depth: int) -> core.Expr | None:
        found = []
        for var, types in scope.items():
            names = {"ts": "time", "type": "text", "table": "text"} | {
                name: kind_of(types[0], name)
                for name in FIELDS[types[0]]
                if all(
                    name in SCHEMA.events[t].fields and kind_of(t, name) == kind_of(types[0], name)
                    for t in types
                )
            }
            found += [core.Field(var, n, k) for n, k in names.items() if k == kind]
        return self.pick(found) if found else None

    def _aggregate(self, kind: str, scope: Any, at: int, depth: int) -> core.Expr | None:
        if kind == "number" and self.chance(0.6):
            return self._number_aggregate(scope, at, depth)
        if kind == "poker":
            events = self.events(scope, at, depth - 1, ("card_dealt",))
            value = core.Field(events.pattern.var, "card", "card")
            return core.Aggregate("poker_rank", events, value, "poker_hand")
        if kind == "flag" and self.chance(0.5):
            events = self.events(scope, at, depth - 1, ("card_dealt",))
            return core.Aggregate(
                "is_soft", events, core.Field(events.pattern.var, "card", "card"), "flag"
            )
        carriers = [
            (event, name)
            for event, names in FIELDS.items()
            for name in names
            if kind_of(event, name) == kind
        ]
        if not carriers:
            return None
        event, name = self.pick(carriers)
        events = self.events(scope, at, depth - 1, (event,))
        functions = ["first", "last"]
        if kind in ("money", "number"):
            functions += ["sum", "smallest", "largest", "average", "median"]
        if kind in ("seat", "odds", "role"):
            functions += ["smallest", "largest"]
        order = SCHEMA.enums["role"].values if kind == "role" else ()
        return core.Aggregate(
            self.pick(functions), events, core.Field(events.pattern.var, name, kind), kind, order
        )

    def _number_aggregate(self, scope: Any, at: int, depth: int) -> core.Expr:
        function = self.pick(
            ("count", "distinct", "blackjack_total", "hard_total", "baccarat_points")
        )
        if function == "count":
            return core.Aggregate("count", self.events(scope, at, depth - 1), None, "number")
        events = self.events(scope, at, depth - 1, ("card_dealt",))
        name = self.pick(("card", "seat", "player")) if function == "distinct" else "card"
        value = core.Field(events.pattern.var, name, kind_of("card_dealt", name))
        return core.Aggregate(function, events, value, "number")

    def _computed(self, kind: str, scope: Any, at: int, depth: int) -> core.Expr | None:
        def value(k: str) -> core.Expr:
            return self.value(k, scope, at, depth - 1)

        if self.chance(0.2):
            condition = self.condition(scope, at, depth - 1)
            return core.If(condition, value(kind), value(kind))
        made: core.Expr
        if kind == "number":
            made = self.pick(
                (
                    lambda: core.Arithmetic(self.pick("+-*/"), value("number"), value("number")),
                    lambda: core.Arithmetic("/", value("money"), value("money")),
                    lambda: core.Apply("pip_value", (value("card"),)),
                    lambda: core.Apply("larger", (value("number"), value("number"))),
                    lambda: core.Apply("hour", (core.Field(at, "ts", "time"),)),
                    lambda: core.Apply("size", (value("cards"),)),
                )
            )()
            return made
        if kind == "money":
            made = self.pick(
                (
                    lambda: core.Arithmetic(self.pick("+-"), value("money"), value("money")),
                    lambda: core.Arithmetic("*", value("money"), value("odds")),
                    lambda: core.Rounding(
                        core.Arithmetic("*", value("money"), core.Const("percent", "5%")),
                        self.pick(("up", "down", "nearest")),
                        core.Const("money", "$0.25"),
                    ),
                )
            )()
            return made
        if kind == "rank":
            return core.Apply("rank", (value("card"),))
        if kind == "text":
            return core.Lookup("draws", (value("number"), value("number")))
        if kind == "odds":
            return core.Lookup("pays", (value("wager_kind"),))
        if kind == "duration":
            return core.Arithmetic("-", core.Field(at, "ts", "time"), value("time"))
        if kind == "date":
            return core.Apply("date", (core.Field(at, "ts", "time"),))
        if kind == "poker":
            return core.Apply("poker_rank", (value("cards"),))
        if kind == "seat":
            events = self.events(scope, at, depth - 1, (self.pick(("card_dealt", "wager_placed")),))
            direction: Any = self.pick(("clockwise", "counterclockwise"))
            return core.NextSeat(
                direction, value("seat"), events, core.Field(events.pattern.var, "seat", "seat")
            )
        return None
