"""Resolves values and conditions: what each name means and whether the kinds fit together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from event_schemas import (
    CARD,
    CARDS,
    DURATION,
    FLAG,
    NUMBER,
    PERCENT,
    PLAIN_KINDS,
    RANK,
    SEAT,
    SUIT,
    TEXT,
    EnumType,
    Kind,
    ValueProblem,
    enum_kind,
    parse_value,
)
from rules_dsl import core, syntax
from rules_dsl.diagnostics import listed, nearest
from rules_dsl.functions import AGGREGATES, OF_CARDS, POINTWISE
from rules_dsl.resolve.kinds import described, has_order, result_of, same, summable
from rules_dsl.resolve.names import ANY, NONE, Alias, Desk, Macro, Typed, View
from rules_dsl.resolve.phrases import PhraseResolver

MAX_EXPANSIONS = 5_000
BROKEN = Typed(core.Const("flag", "yes"), ANY)


@dataclass
class ExpressionResolver:
    """Turns expressions into core form, one view at a time."""

    desk: Desk
    expanding: list[str] = field(default_factory=list)
    expansions: int = 0
    memo: dict[object, Typed] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.phrases = PhraseResolver(self.desk, self)

    # ---- entry points

    def condition(self, expr: syntax.Expr, view: View) -> core.Expr:
        """Something that holds or does not hold."""
        typed = self.value(expr, view, FLAG)
        if typed.kind not in (FLAG, ANY):
            self._report(
                "not-a-condition",
                f"`{self._text(expr, view)}` is {described(typed.kind)}, not a condition.",
                expr,
                view,
                "compare it with something, such as `... is ...`",
            )
        return typed.core

    def value(self, expr: syntax.Expr, view: View, expect: Kind | None = None) -> Typed:
        """Anything that has a value; `expect` is the kind that would fit, for words and numbers."""
        return _RESOLVERS[type(expr)](self, expr, view, expect)

    # ---- reporting

    def _report(
        self, code: str, message: str, expr: syntax.Node, view: View, suggestion: str = ""
    ) -> Typed:
        self.desk.report(code, message, view.file, expr.span, suggestion)
        return BROKEN

    def _text(self, expr: syntax.Expr, view: View) -> str:
        return self.desk.text(view.file, expr.span)

    def _place(self, expr: syntax.Node, view: View) -> core.Place:
        return self.desk.place(view.file, expr.span)

    # ---- words and literals

    def _literal(self, expr: syntax.Literal, view: View, expect: Kind | None) -> Typed:
        kind, text = expr.kind, expr.text
        if kind == "none":
            return Typed(core.Const("none", "none"), NONE)
        if kind == "number" and expect in (SEAT, RANK):
            return self._constant(expect, text, expr, view)
        if kind == "text" and expect is not None and expect.enum is not None:
            return self._constant(expect, text, expr, view)
        if kind == "word":
            return self._constant(expect or TEXT, text, expr, view)
        return self._constant(PLAIN_KINDS[kind], text, expr, view)

    def _constant(self, kind: Kind, text: str, expr: syntax.Expr, view: View) -> Typed:
        if kind in PLAIN_KINDS.values() or kind.enum is not None:
            try:
                parse_value(kind, text)
            except ValueProblem as problem:
                hint = f"did you mean `{problem.suggestion}`?" if problem.suggestion else ""
                code = "bad-value" if kind.enum is None else "unknown-value"
                return self._report(code, problem.message, expr, view, hint)
        return Typed(core.Const(kind.name, text, place=self._place(expr, view)), kind)

    def _name(self, expr: syntax.Name, view: View, expect: Kind | None) -> Typed:
        if expr.owner is not None:
            return self._owned(expr, view)
        word = expr.name
        # Where a word of a list is expected, such a word wins over a field of the same name:
        # in `to is player`, `player` is who gets the card, not the patron's number.
        if expect is not None and expect.enum is not None and word in expect.enum.values:
            return Typed(core.Const(expect.name, word, place=self._place(expr, view)), expect)
        found = self._known_name(expr, view, expect)
        if found is not None:
            return found
        if expect in (RANK, SUIT):
            return self._constant(expect, word, expr, view)
        if self.desk.symbols and self.phrases.is_events(word, view):
            return self._report(
                "missing-scope",
                f"It is not said when `{word}` is looked for.",
                expr,
                view,
                f"write `{word} earlier`, `{word} since ...`, `{word} in the round` or the like",
            )
        if expect is not None and expect.enum is not None:
            return self._report(
                "unknown-value",
                f"`{word}` is not a word of `{expect.name}`.",
                expr,
                view,
                nearest(word, expect.enum.values) or f"it can be {listed(expect.enum.values)}",
            )
        return self._unknown(expr, view)

    def _known_name(self, expr: syntax.Name, view: View, expect: Kind | None) -> Typed | None:
        word, symbols = expr.name, self.desk.symbols
        bound = view.names.get(word)
        if isinstance(bound, Typed):
            return bound
        if isinstance(bound, Macro):
            inner = View(view.var, view.types, view.fresh, bound.file, {})
            return self.value(bound.expr, inner, expect)
        if isinstance(bound, Alias):
            return self._report(
                "not-a-value",
                f"`{word}` is an event, not a value.",
                expr,
                view,
                f"name one of its fields, like `{word}.seat`",
            )
        kind = self.phrases.field_kind(word, view.types)
        if kind is not None:
            return Typed(core.Field(view.var, word, kind.name, place=self._place(expr, view)), kind)
        if word in symbols.definitions:
            return self._expand(word, (), expr, view)
        if word in symbols.settings:
            symbols.used.add(("setting", word))
            setting = symbols.settings[word]
            kind = self._kind_named(setting.value.kind)
            return Typed(core.SettingValue(word, kind.name, place=self._place(expr, view)), kind)
        return None

    def _kind_named(self, name: str) -> Kind:
        if name in PLAIN_KINDS:
            return PLAIN_KINDS[name]
        enum = self.desk.schema.enums.get(name)
        return enum_kind(enum) if enum else Kind(name)

    def _owned(self, expr: syntax.Name, view: View) -> Typed:
        owner, word = expr.owner or "", expr.name
        bound = view.names.get(owner)
        if isinstance(bound, Alias):
            kind = self.phrases.field_kind(word, bound.types)
            if kind is None:
                return self.phrases.report_missing_field(word, bound.types, expr, view)
            return Typed(
                core.Field(bound.var, word, kind.name, place=self._place(expr, view)), kind
            )
        if self.phrases.is_events(owner, view):
            return self._report(
                "missing-scope",
                f"It is not said which `{owner}` is meant.",
                expr,
                view,
                f"write `previous {owner}.{word}`, `first {owner}.{word} in the round`, "
                f"`sum of {owner}.{word} since ...` or the like",
            )
        aliases = [name for name, item in view.names.items() if isinstance(item, Alias)]
        known = [*aliases, *self.desk.schema.events, *self.desk.symbols.groups]
        return self._report(
            "unknown-event", f"There is no event `{owner}`.", expr, view, nearest(owner, known)
        )

    def _unknown(self, expr: syntax.Name, view: View) -> Typed:
        symbols = self.desk.symbols
        fields = self.phrases.fields_of(view.types)
        known = [
            *fields,
            *view.names,
            *symbols.definitions,
            *symbols.settings,
            *symbols.groups,
            *self.desk.schema.events,
        ]
        events = " or ".join(f"`{name}`" for name in view.types[:3])
        return self._report(
            "unknown-name",
            f"`{expr.name}` is neither a field of {events} nor a definition.",
            expr,
            view,
            nearest(expr.name, known) or f"the fields of the event are {listed(fields)}",
        )

    def _option(self, expr: syntax.Option, view: View, expect: Kind | None) -> Typed:
        option = self.desk.schema.options.get(expr.name)
        if option is None:
            return self._report(
                "unknown-option",
                f"There is no table option `{expr.name}`.",
                expr,
                view,
                nearest(expr.name, self.desk.schema.options),
            )
        value = core.OptionValue(
            expr.name, view.var, option.kind.name, place=self._place(expr, view)
        )
        return Typed(value, option.kind)

    def _reading(self, expr: syntax.ReadingOf, view: View, expect: Kind | None) -> Typed:
        symbols = self.desk.symbols
        found = symbols.interpretations.get(expr.name)
        if found is None:
            return self._report(
                "unknown-reading",
                f"There is no interpretation `{expr.name}`.",
                expr,
                view,
                nearest(expr.name, symbols.interpretations),
            )
        symbols.used.add(("interpretation", expr.name))
        words = tuple(reading.name for reading in found.readings)
        kind = enum_kind(EnumType(expr.name, words, False, found.title))
        return Typed(core.ReadingValue(expr.name, place=self._place(expr, view)), kind)

    # ---- definitions and tables

    def _expand(
        self, name: str, arguments: tuple[Typed, ...], expr: syntax.Expr, view: View
    ) -> Typed:
        declared = self.desk.symbols.definitions[name]
        self.desk.symbols.used.add(("definition", name))
        if name in self.expanding:
            return self._report(
                "circular-definition",
                f"`{name}` is defined by itself: {' -> '.join([*self.expanding, name])}.",
                expr,
                view,
                "a definition may only use others that do not lead back to it",
            )
        parameters = declared.node.parameters
        if len(parameters) != len(arguments):
            return self._report(
                "wrong-arguments",
                f"`{name}` takes {len(parameters)} values, but {len(arguments)} are given.",
                expr,
                view,
                f"write `{name}({', '.join(parameters)})`" if parameters else f"write `{name}`",
            )
        key = (name, view.var, view.types, view.fresh, tuple(a.core for a in arguments))
        if key in self.memo:
            return self.memo[key]
        self.expansions += 1
        if self.expansions > MAX_EXPANSIONS:
            return self._report(
                "too-complex", f"Definitions inside `{name}` are nested too far.", expr, view
            )
        inner = view.only(dict(zip(parameters, arguments, strict=True)), declared.file)
        self.expanding.append(name)
        try:
            result = self.value(declared.node.body, inner)
        finally:
            self.expanding.pop()
        self.memo[key] = result
        return result

    def _call(self, expr: syntax.Call, view: View, expect: Kind | None) -> Typed:
        symbols = self.desk.symbols
        if expr.name in symbols.tables:
            return self._lookup(expr, view)
        if expr.name in symbols.definitions:
            arguments = tuple(self.value(argument, view) for argument in expr.arguments)
            return self._expand(expr.name, arguments, expr, view)
        if expr.name in POINTWISE:
            return self._apply(expr.name, expr.arguments, expr, view)
        return self._report(
            "unknown-function",
            f"`{expr.name}` is neither a definition, a table nor a function.",
            expr,
            view,
            nearest(expr.name, [*symbols.tables, *symbols.definitions, *POINTWISE]),
        )

    def _lookup(self, expr: syntax.Call, view: View) -> Typed:
        self.desk.symbols.used.add(("table", expr.name))
        table = self.desk.symbols.tables[expr.name]
        kinds = [table.row_kind] + ([table.column_kind] if table.columns else [])
        if len(kinds) != len(expr.arguments):
            return self._report(
                "wrong-arguments",
                f"The table `{expr.name}` is read with {len(kinds)} values, "
                f"but {len(expr.arguments)} are given.",
                expr,
                view,
            )
        keys = []
        for name, argument in zip(kinds, expr.arguments, strict=True):
            # A table's heads are words or numbers; a word fits any list of words that has it.
            wanted = PLAIN_KINDS.get(name)
            typed = self.value(argument, view, wanted if name != "text" else None)
            fits = typed.kind.enum is not None or typed.kind in (TEXT, ANY, RANK, SUIT, FLAG)
            if name == "text" and not fits or wanted and not same(typed.kind, wanted):
                if name != "text" or not fits:
                    self._mismatch(argument, typed.kind, wanted or TEXT, view)
            keys.append(typed.core)
        result = self._kind_named(table.value_kind)
        return Typed(core.Lookup(expr.name, tuple(keys), place=self._place(expr, view)), result)

    # ---- functions and aggregates

    def _of(self, expr: syntax.Of, view: View, expect: Kind | None) -> Typed:
        phrase = self.phrases.as_events(expr.argument, view)
        if phrase is None:
            return self._of_value(expr, view)
        if expr.function in AGGREGATES:
            return self._aggregate(expr, phrase, view)
        if expr.function in OF_CARDS:
            return self._of_cards(expr, phrase, view)
        known = [*AGGREGATES, *OF_CARDS]
        return self._report(
            "unknown-function",
            f"There is no `{expr.function} of` several events.",
            expr,
            view,
            nearest(expr.function, known) or f"known are {listed(known, 12)}",
        )

    def _of_value(self, expr: syntax.Of, view: View) -> Typed:
        if expr.function in POINTWISE and len(POINTWISE[expr.function].takes) == 1:
            return self._apply(expr.function, (expr.argument,), expr, view)
        if expr.function in OF_CARDS:
            typed = self.value(expr.argument, view, CARDS)
            if typed.kind not in (CARDS, ANY):
                return self._mismatch(expr.argument, typed.kind, CARDS, view)
            value = core.Apply(expr.function, (typed.core,), place=self._place(expr, view))
            return Typed(value, OF_CARDS[expr.function].gives)
        if expr.function in AGGREGATES:
            head = expr.argument
            if isinstance(head, syntax.Name | syntax.Phrase):
                return self.phrases.report_unknown_events(head, view)
            return self._report(
                "not-a-value",
                f"`{expr.function} of` is followed by events, such as `wager_placed.amount`.",
                expr,
                view,
            )
        known = [*POINTWISE, *OF_CARDS, *AGGREGATES]
        return self._report(
            "unknown-function",
            f"There is no function `{expr.function} of`.",
            expr,
            view,
            nearest(expr.function, known) or f"known are {listed(known, 16)}",
        )

    def _apply(
        self, name: str, arguments: tuple[syntax.Expr, ...], expr: syntax.Expr, view: View
    ) -> Typed:
        function = POINTWISE[name]
        if len(arguments) != len(function.takes):
            return self._report(
                "wrong-arguments",
                f"`{name}` takes {len(function.takes)} values, but {len(arguments)} are given.",
                expr,
                view,
            )
        typed: list[Typed] = []
        for argument, wanted in zip(arguments, function.takes, strict=True):
            hint = wanted or (typed[0].kind if typed else None)
            item = self.value(argument, view, hint)
            if hint is not None and not same(item.kind, hint):
                return self._mismatch(argument, item.kind, hint, view)
            if wanted is None and not has_order(item.kind):
                return self._mismatch(argument, item.kind, NUMBER, view)
            typed.append(item)
        value = core.Apply(name, tuple(t.core for t in typed), place=self._place(expr, view))
        return Typed(value, function.gives or typed[0].kind)

    def _aggregate(self, expr: syntax.Of, phrase: syntax.Phrase, view: View) -> Typed:
        found = self.phrases.events(phrase, view)
        if found is None:
            return BROKEN
        name, field_name = expr.function, phrase.head.field
        if name == "count" and not expr.distinct:
            if field_name is not None:
                return self._report(
                    "not-a-value",
                    f"`count of` counts events, not the field `{field_name}`.",
                    expr,
                    view,
                    f"write `count of distinct {phrase.head.events[0]}.{field_name}`, "
                    f"or leave out `.{field_name}`",
                )
            value = core.Aggregate(
                "count", found.events, None, "number", place=self._place(expr, view)
            )
            return Typed(value, NUMBER)
        if expr.distinct and name != "count":
            return self._report(
                "unknown-function",
                f"`distinct` goes with `count of`, not with `{name}`.",
                expr,
                view,
            )
        if found.value is None:
            return self._needs_field(phrase, view)
        kind = found.value.kind
        if name == "sum" and not summable(kind):
            return self._report(
                "type-mismatch",
                f"`{field_name}` is {described(kind)}, which cannot be added up.",
                expr,
                view,
            )
        if name in ("smallest", "largest") and not has_order(kind):
            return self._report(
                "type-mismatch",
                f"`{field_name}` is {described(kind)}, which has no smallest or largest.",
                expr,
                view,
            )
        function = "distinct" if expr.distinct else name
        result = NUMBER if expr.distinct else kind
        return Typed(
            core.Aggregate(
                function,
                found.events,
                found.value.core,
                result.name,
                _order(result),
                place=self._place(expr, view),
            ),
            result,
        )

    def _of_cards(self, expr: syntax.Of, phrase: syntax.Phrase, view: View) -> Typed:
        found = self.phrases.events(phrase, view)
        if found is None:
            return BROKEN
        if found.value is None:
            return self._needs_field(phrase, view)
        if found.value.kind not in (CARD, ANY):
            return self._mismatch(phrase, found.value.kind, CARD, view)
        kind = OF_CARDS[expr.function].gives
        value = core.Aggregate(
            expr.function,
            found.events,
            found.value.core,
            kind.name,
            place=self._place(expr, view),
        )
        return Typed(value, kind)

    def _needs_field(self, phrase: syntax.Phrase, view: View) -> Typed:
        name = phrase.head.events[0]
        fields = [f for f in self.phrases.fields_of(self.phrases.types_of(phrase.head, view))]
        return self._report(
            "missing-field",
            f"It is not said which field of `{name}` is meant.",
            phrase.head,
            view,
            f"write `{name}.` and one of {listed(fields)}",
        )

    def _pick(self, expr: syntax.Pick, view: View, expect: Kind | None) -> Typed:
        default = {"previous": "past", "next": "future"}.get(expr.which)
        found = self.phrases.events(expr.phrase, view, default)
        if found is None:
            return BROKEN
        if found.value is None:
            return self._needs_field(expr.phrase, view)
        if expr.which == "previous" and found.events.window.reach != "past":
            return self._report(
                "mixed-scopes",
                "`previous` looks back, but the words after it look ahead.",
                expr,
                view,
                "write `next`, or use `since` or `earlier`",
            )
        if expr.which == "next" and found.events.window.reach != "future":
            return self._report(
                "mixed-scopes",
                "`next` looks ahead, but the words after it look back.",
                expr,
                view,
                "write `previous`, or use `before` or `later`",
            )
        which = {"previous": "last", "next": "first"}.get(expr.which, expr.which)
        kind = found.value.kind
        value = core.Aggregate(
            which, found.events, found.value.core, kind.name, place=self._place(expr, view)
        )
        return Typed(value, kind)

    def _next_seat(self, expr: syntax.NextSeat, view: View, expect: Kind | None) -> Typed:
        start = self.value(expr.start, view, SEAT)
        if not same(start.kind, SEAT):
            self._mismatch(expr.start, start.kind, SEAT, view)
        found = self.phrases.events(expr.phrase, view)
        if found is None:
            return BROKEN
        if found.value is None or not same(found.value.kind, SEAT):
            return self._seats_needed(expr.phrase, view)
        value = core.NextSeat(
            expr.direction,
            start.core,
            found.events,
            found.value.core,
            place=self._place(expr, view),
        )
        return Typed(value, SEAT)

    def _seats_needed(self, expr: syntax.Expr, view: View) -> Typed:
        return self._report(
            "type-mismatch",
            "The order around the table is the order of seats.",
            expr,
            view,
            "name the seats of some events, such as `card_dealt.seat in the round`",
        )

    # ---- arithmetic and comparison

    def _arithmetic(self, expr: syntax.Arithmetic, view: View, expect: Kind | None) -> Typed:
        left = self.value(expr.left, view)
        right = self.value(expr.right, view)
        kind = result_of(expr.sign, left.kind, right.kind)
        if kind is None:
            words = {"+": "added to", "-": "taken from", "*": "multiplied by", "/": "divided by"}
            first, second = (right, left) if expr.sign == "-" else (left, right)
            sentence = (
                f"{described(first.kind)} cannot be {words[expr.sign]} {described(second.kind)}."
            )
            return self._report("type-mismatch", _capital(sentence), expr, view)
        value = core.Arithmetic(expr.sign, left.core, right.core, place=self._place(expr, view))
        return Typed(value, kind)

    def _rounding(self, expr: syntax.Rounding, view: View, expect: Kind | None) -> Typed:
        value = self.value(expr.value, view)
        unit = self.value(expr.unit, view, value.kind)
        if not summable(value.kind) or not same(value.kind, unit.kind):
            return self._mismatch(expr.unit, unit.kind, value.kind, view)
        rounding = core.Rounding(value.core, expr.way, unit.core, place=self._place(expr, view))
        return Typed(rounding, value.kind)

    def _pair(self, left: syntax.Expr, right: syntax.Expr, view: View) -> tuple[Typed, Typed]:
        """Two values to be compared: each helps to understand bare words in the other."""
        if self._is_bare_word(left, view) and not self._is_bare_word(right, view):
            second = self.value(right, view)
            return self.value(left, view, second.kind), second
        first = self.value(left, view)
        return first, self.value(right, view, first.kind)

    def _is_bare_word(self, expr: syntax.Expr, view: View) -> bool:
        if not isinstance(expr, syntax.Name) or expr.owner is not None:
            return False
        word, symbols = expr.name, self.desk.symbols
        return not (
            word in view.names
            or word in symbols.definitions
            or word in symbols.settings
            or self.phrases.field_kind(word, view.types) is not None
        )

    def _comparison(self, expr: syntax.Comparison, view: View, expect: Kind | None) -> Typed:
        left, right = self._pair(expr.left, expr.right, view)
        if not same(left.kind, right.kind):
            return self._mismatch(expr.right, right.kind, left.kind, view, expr.left)
        kind = left.kind if right.kind in (NONE, ANY) else right.kind
        if expr.sign not in ("=", "!=") and not has_order(kind):
            return self._report(
                "type-mismatch",
                f"`{self._text(expr.left, view)}` is {described(kind)}: "
                "one cannot be more or less than another.",
                expr,
                view,
                "write `is` or `is not`",
            )
        value = core.Compare(
            expr.sign, left.core, right.core, _order(kind), place=self._place(expr, view)
        )
        return Typed(value, FLAG)

    def _between(self, expr: syntax.Between, view: View, expect: Kind | None) -> Typed:
        low = syntax.Comparison(">=", expr.value, expr.low, span=expr.span)
        high = syntax.Comparison("<=", expr.value, expr.high, span=expr.span)
        both = core.And(
            (self._comparison(low, view, None).core, self._comparison(high, view, None).core),
            place=self._place(expr, view),
        )
        return Typed(core.Not(both, place=both.place) if expr.negated else both, FLAG)

    def _one_of(self, expr: syntax.OneOf, view: View, expect: Kind | None) -> Typed:
        parts = tuple(
            self._comparison(
                syntax.Comparison("=", expr.value, choice, span=choice.span), view, None
            ).core
            for choice in expr.choices
        )
        either = core.Or(parts, place=self._place(expr, view))
        return Typed(core.Not(either, place=either.place) if expr.negated else either, FLAG)

    def _recorded(self, expr: syntax.Recorded, view: View, expect: Kind | None) -> Typed:
        value = self.value(expr.value, view)
        place = self._place(expr, view)
        return Typed(core.Recorded(value.core, expr.known, place=place), FLAG)

    def _about(self, expr: syntax.About, view: View, expect: Kind | None) -> Typed:
        value, target = self._pair(expr.value, expr.target, view)
        tolerance = self.value(expr.tolerance, view)
        if not same(value.kind, target.kind):
            return self._mismatch(expr.target, target.kind, value.kind, view, expr.value)
        relative = tolerance.kind == PERCENT and value.kind != PERCENT
        if not relative and not same(tolerance.kind, value.kind):
            return self._mismatch(expr.tolerance, tolerance.kind, value.kind, view)
        about = core.About(
            value.core, target.core, tolerance.core, relative, place=self._place(expr, view)
        )
        return Typed(about, FLAG)

    def _goes(self, expr: syntax.Goes, view: View, expect: Kind | None) -> Typed:
        phrase = self.phrases.as_events(expr.phrase, view)
        if phrase is None:
            return self._seats_needed(expr.phrase, view)
        found = self.phrases.events(phrase, view)
        if found is None:
            return BROKEN
        if found.value is None or not same(found.value.kind, SEAT):
            return self._seats_needed(phrase, view)
        start = None
        if expr.start is not None:
            typed = self.value(expr.start, view, SEAT)
            if not same(typed.kind, SEAT):
                self._mismatch(expr.start, typed.kind, SEAT, view)
            start = typed.core
        order = core.InOrder(
            found.events,
            found.value.core,
            expr.direction,
            start,
            place=self._place(expr, view),
        )
        return Typed(order, FLAG)

    def _mismatch(
        self,
        expr: syntax.Expr,
        found: Kind,
        wanted: Kind,
        view: View,
        against: syntax.Expr | None = None,
    ) -> Typed:
        if ANY in (found, wanted):
            return BROKEN
        text = self._text(expr, view)
        if against is not None:
            other = self._text(against, view)
            message = f"`{other}` is {described(wanted)}, but `{text}` is {described(found)}."
        else:
            message = f"`{text}` is {described(found)}, but {described(wanted)} is needed here."
        return self._report("type-mismatch", message, expr, view, _rewrite(text, found, wanted))

    # ---- conditions

    def _both(self, expr: syntax.Both, view: View, expect: Kind | None) -> Typed:
        parts = tuple(self.condition(part, view) for part in expr.parts)
        return Typed(core.And(parts, place=self._place(expr, view)), FLAG)

    def _either(self, expr: syntax.Either, view: View, expect: Kind | None) -> Typed:
        parts = []
        for index, part in enumerate(expr.parts):
            if index and self._is_forgotten_comparison(expr.parts[index - 1], part, view):
                before = expr.parts[index - 1]
                assert isinstance(before, syntax.Comparison) and isinstance(part, syntax.Name)
                left, first = self._text(before.left, view), self._text(before.right, view)
                self._report(
                    "not-a-condition",
                    f"`{part.name}` alone is not a condition.",
                    part,
                    view,
                    f"write `{left} is one of ({first}, {part.name})`",
                )
            else:
                parts.append(self.condition(part, view))
        return Typed(core.Or(tuple(parts), place=self._place(expr, view)), FLAG)

    def _is_forgotten_comparison(self, before: syntax.Expr, part: syntax.Expr, view: View) -> bool:
        """`by_role is floorperson or pit_boss`: the second word is meant to be compared too."""
        return (
            isinstance(before, syntax.Comparison)
            and isinstance(part, syntax.Name)
            and self._is_bare_word(part, view)
            and not self.phrases.is_events(part.name, view)
        )

    def _not(self, expr: syntax.Not, view: View, expect: Kind | None) -> Typed:
        part = self.condition(expr.part, view)
        return Typed(core.Not(part, place=self._place(expr, view)), FLAG)

    def _if(self, expr: syntax.If, view: View, expect: Kind | None) -> Typed:
        condition = self.condition(expr.condition, view)
        place = self._place(expr, view)
        if expr.otherwise is None:
            then = self.condition(expr.then, view)
            negated = core.Not(condition, place=condition.place)
            return Typed(core.Or((negated, then), place=place), FLAG)
        first = self.value(expr.then, view, expect)
        second = self.value(expr.otherwise, view, expect or first.kind)
        if not same(first.kind, second.kind):
            return self._mismatch(expr.otherwise, second.kind, first.kind, view, expr.then)
        kind = second.kind if first.kind in (NONE, ANY) else first.kind
        return Typed(core.If(condition, first.core, second.core, place=place), kind)

    def _quantified(self, expr: syntax.Quantified, view: View, expect: Kind | None) -> Typed:
        found = self.phrases.events(expr.phrase, view)
        if found is None:
            return BROKEN
        place = self._place(expr, view)
        if found.value is not None:
            return self._report(
                "not-a-value",
                f"`{expr.quantity}` speaks of events, not of the field `{expr.phrase.head.field}`.",
                expr.phrase.head,
                view,
                f"write `{expr.phrase.head.events[0]}` alone",
            )
        if expr.has is not None:
            self.phrases.demand_brackets(expr.has, "has", view)
            condition = self.condition(expr.has, found.inside)
            if expr.quantity == "every":
                return Typed(core.Every(found.events, condition, place=place), FLAG)
            events = self.phrases.narrowed(found.events, condition)
            return Typed(core.HowMany("at least", _number(1), events, place=place), FLAG)
        if expr.quantity == "no":
            return Typed(core.HowMany("at most", _number(0), found.events, place=place), FLAG)
        if expr.quantity == "some" or expr.number is None:
            return Typed(core.HowMany("at least", _number(1), found.events, place=place), FLAG)
        number = self.value(expr.number, view, NUMBER)
        if number.kind not in (NUMBER, ANY):
            return self._mismatch(expr.number, number.kind, NUMBER, view)
        bound: Any = expr.quantity
        count: core.Expr = number.core
        if expr.quantity in ("more than", "fewer than"):
            step = 1 if expr.quantity == "more than" else -1
            bound = "at least" if expr.quantity == "more than" else "at most"
            count = _stepped(count, step)
        return Typed(core.HowMany(bound, count, found.events, place=place), FLAG)

    def _phrase(self, expr: syntax.Phrase, view: View, expect: Kind | None) -> Typed:
        """A phrase by itself, as a condition: there is such an event."""
        found = self.phrases.events(expr, view)
        if found is None:
            return BROKEN
        if found.value is not None:
            return self._report(
                "not-a-value",
                f"There may be several `{expr.head.events[0]}`: which one's "
                f"`{expr.head.field}` is meant?",
                expr,
                view,
                "begin with `first`, `last`, `previous`, `next`, `sum of` or `count of distinct`",
            )
        place = self._place(expr, view)
        return Typed(core.HowMany("at least", _number(1), found.events, place=place), FLAG)

    def duration(self, expr: syntax.Expr, view: View) -> core.Expr:
        """A length of time."""
        typed = self.value(expr, view, DURATION)
        if not same(typed.kind, DURATION):
            self._mismatch(expr, typed.kind, DURATION, view)
        return typed.core


def _number(value: int) -> core.Const:
    return core.Const("number", str(value))


def _stepped(number: core.Expr, step: int) -> core.Expr:
    """One more or one less: `more than 4` events are at least 5."""
    if isinstance(number, core.Const) and number.text.isdigit():
        return core.Const("number", str(int(number.text) + step), place=number.place)
    return core.Arithmetic("+" if step > 0 else "-", number, _number(1))


def _order(kind: Kind) -> tuple[str, ...]:
    return kind.enum.values if kind.enum is not None and kind.enum.ordered else ()


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def _rewrite(text: str, found: Kind, wanted: Kind) -> str:
    """How a plain number was probably meant."""
    if found == NUMBER and text.replace(".", "").isdigit():
        forms = {
            "money": f"write `${text}`",
            "duration": f"write `{text} minutes` or `{text} seconds`",
            "percent": f"write `{text}%`",
            "odds": f"write `{text} to 1`",
            "text": f'write `"{text}"`',
        }
        return forms.get(wanted.name, "")
    return ""


_Resolve = Callable[[ExpressionResolver, Any, View, Kind | None], Typed]
_RESOLVERS: dict[type[syntax.Expr], _Resolve] = {
    syntax.Literal: ExpressionResolver._literal,
    syntax.Name: ExpressionResolver._name,
    syntax.Option: ExpressionResolver._option,
    syntax.ReadingOf: ExpressionResolver._reading,
    syntax.Call: ExpressionResolver._call,
    syntax.Of: ExpressionResolver._of,
    syntax.Pick: ExpressionResolver._pick,
    syntax.NextSeat: ExpressionResolver._next_seat,
    syntax.Arithmetic: ExpressionResolver._arithmetic,
    syntax.Rounding: ExpressionResolver._rounding,
    syntax.Comparison: ExpressionResolver._comparison,
    syntax.Between: ExpressionResolver._between,
    syntax.OneOf: ExpressionResolver._one_of,
    syntax.Recorded: ExpressionResolver._recorded,
    syntax.About: ExpressionResolver._about,
    syntax.Goes: ExpressionResolver._goes,
    syntax.Both: ExpressionResolver._both,
    syntax.Either: ExpressionResolver._either,
    syntax.Not: ExpressionResolver._not,
    syntax.If: ExpressionResolver._if,
    syntax.Quantified: ExpressionResolver._quantified,
    syntax.Phrase: ExpressionResolver._phrase,
}
