"""Resolves phrases: which events are meant, and which field of them."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from event_schemas import Kind
from rules_dsl import core, syntax
from rules_dsl.diagnostics import nearest
from rules_dsl.resolve.kinds import described, same
from rules_dsl.resolve.names import BROKEN, Alias, Desk, Macro, Typed, View
from rules_dsl.resolve.pending import NOT_YET, still_pending
from rules_dsl.resolve.resolver import FoundEvents, Resolver
from rules_dsl.resolve.unknown import missing_field, unknown_event
from rules_dsl.resolve.windows import loose_temporal, window
from rules_dsl.syntax import Span


class PhraseResolver:
    """Turns phrases into core events and windows."""

    def __init__(self, desk: Desk, expressions: Resolver) -> None:
        self.desk = desk
        self.expressions = expressions
        self.opening: list[str] = []
        """The groups whose conditions are being read: one that comes up again is a circle."""

    # ---- which events

    def is_events(self, name: str, view: View) -> bool:
        """Whether a name stands for events here (and not for something bound in the rule)."""
        bound = view.names.get(name)
        if isinstance(bound, Macro):
            return isinstance(bound.expr, syntax.Name) and self.is_events(
                bound.expr.name, View(0, (), 0, bound.file, {})
            )
        if bound is not None:
            return False
        return name in self.desk.schema.events or name in self.desk.symbols.groups

    def as_events(self, expr: syntax.Expr, view: View) -> syntax.Phrase | None:
        """The expression as a phrase, if it speaks of events and not of a plain value."""
        if isinstance(expr, syntax.Phrase):
            bound = view.names.get(expr.head.events[0]) if expr.head.events else None
            return None if isinstance(bound, Alias | Typed) else expr
        if isinstance(expr, syntax.Name):
            owner = expr.owner or expr.name
            if expr.owner is None and self.field_kind(expr.name, view.types) is not None:
                return None
            if self.is_events(owner, view):
                field = expr.name if expr.owner is not None else None
                head = syntax.Head((owner,), field, span=expr.span)
                return syntax.Phrase(head, span=expr.span)
        return None

    def types_of(self, head: syntax.Head, view: View) -> tuple[str, ...]:
        """The event types behind the names of a head, groups and parameters opened up."""
        if not head.events:
            return tuple(self.desk.schema.events)
        types: list[str] = []
        for name in head.events:
            types += self._types_behind(self.real_name(name, view))
        return tuple(dict.fromkeys(types))

    def real_name(self, name: str, view: View) -> str:
        """The name itself, or what a template's parameter of this name stands for."""
        bound = view.names.get(name)
        if isinstance(bound, Macro) and isinstance(bound.expr, syntax.Name):
            return bound.expr.name
        return name

    def spot(self, name: str, span: Span, view: View, after: str = "") -> tuple[Span, View]:
        """Where a name is written: for a template's parameter, in the rule that fills it in."""
        bound = view.names.get(name)
        if isinstance(bound, Macro):
            return bound.expr.span, View(view.var, view.types, view.fresh, bound.file, {})
        return self.desk.spot(view.file, span, name, after), view

    def _types_behind(self, name: str) -> list[str]:
        if name in self.desk.schema.events:
            return [name]
        group = self.desk.symbols.groups.get(name)
        if group is None:
            return []
        self.desk.symbols.used.add(("events", name))
        return [t for inner in group.node.events for t in self._types_behind(inner)]

    def fields_of(self, types: tuple[str, ...]) -> list[str]:
        """The fields that all of these event types have."""
        if not types:
            return []
        first, *rest = (self.desk.schema.events[name].fields for name in types)
        return [name for name in first if all(name in other for other in rest)]

    def field_kind(self, name: str, types: tuple[str, ...]) -> Kind | None:
        """The kind of a field that all of these event types have, else None."""
        kinds = set()
        for type_name in types:
            field = self.desk.schema.events[type_name].fields.get(name)
            if field is None:
                return None
            kinds.add(field.kind)
        return kinds.pop() if len(kinds) == 1 else None

    # ---- what is wrong with names

    def report_missing_field(
        self, name: str, types: tuple[str, ...], span: Span, view: View, advice: str = ""
    ) -> Typed:
        """An event without such a field; nothing more is said where the event itself is unknown."""
        if types:
            message, suggestion = missing_field(self.desk, name, types, span, view)
            self.desk.report("unknown-field", message, view.file, span, advice or suggestion)
        return BROKEN

    def report_unknown_event(
        self, name: str, span: Span, view: View, others: Iterable[str] = (), advice: str = ""
    ) -> None:
        """A name that is not an event."""
        message, suggestion = unknown_event(self.desk, name, others)
        self.desk.report("unknown-event", message, view.file, span, advice or suggestion)

    # ---- patterns

    def pattern(
        self, phrase: syntax.Phrase, view: View, *, anchor: View | None = None
    ) -> tuple[core.Pattern, View] | None:
        """Which events a phrase means, without where to look. `anchor` is for `with same`."""
        pattern, inside = self.pattern_or_unseen(phrase, view, anchor=anchor)
        return None if pattern is None else (pattern, inside)

    def pattern_or_unseen(
        self, phrase: syntax.Phrase, view: View, *, anchor: View | None = None
    ) -> tuple[core.Pattern | None, View]:
        """The same; where the events are unknown, a view in which nothing more is said of them."""
        unknown = [name for name in phrase.head.events if not self.is_events(name, view)]
        for name in unknown:
            if not self.desk.symbols.excused(self.real_name(name, view)):
                span, place = self.spot(name, phrase.head.span, view)
                self.report_unknown_event(self.real_name(name, view), span, place)
        types = () if unknown else self.types_of(phrase.head, view)
        inside = view.entering(types, phrase.alias)
        self._check_alias(phrase, view)
        conditions = [self._group_condition(phrase.head, inside, view)] if types else []
        for name in phrase.same:
            conditions.append(self._same(name, inside, anchor, phrase, view))
        if phrase.where is not None:
            if self._reported_comma(phrase.where, view):
                return None, inside
            self.demand_brackets(phrase.where, "where", view)
            conditions.append(self.expressions.condition(phrase.where, inside))
        if not types:
            return None, inside
        parts = tuple(part for part in conditions if part is not None)
        where = None if not parts else parts[0] if len(parts) == 1 else core.And(parts)
        written = self.desk.place(view.file, phrase.span)
        any_event = not phrase.head.events
        return core.Pattern(types, inside.var, where, any_event, place=written), inside

    def unseen_inside(self, view: View) -> View:
        """The view from inside a phrase whose events are not known."""
        return view.entering((), None)

    def _check_alias(self, phrase: syntax.Phrase, view: View) -> None:
        """An alias that hid a field or an event would change what the rest of the rule says."""
        name = phrase.alias
        if name is None:
            return
        taken = ""
        if name in self.desk.field_names:
            taken = "a field"
        elif name in self.desk.schema.events or name in self.desk.symbols.groups:
            taken = "an event"
        elif name in self.desk.symbols.definitions:
            taken = "a definition"
        elif name in view.names or name == "trigger":
            taken = "something else in this rule"
        if taken:
            self.desk.report(
                "name-taken",
                f"`{name}` is already the name of {taken}.",
                view.file,
                self.desk.spot(view.file, phrase.span, name, after="as"),
                "choose another name after `as`",
            )

    def _group_condition(self, head: syntax.Head, inside: View, view: View) -> core.Expr | None:
        """The conditions that come with named groups of events."""
        branches: list[core.Expr] = []
        conditional = False
        for name in head.events:
            real = self.real_name(name, view)
            types = tuple(dict.fromkeys(self._types_behind(real)))
            condition = self._condition_of_group(real, types, inside)
            of_type = _any_type(inside.var, types)
            if condition is None:
                branches.append(of_type)
            else:
                conditional = True
                branches.append(core.And((of_type, condition)))
        if not conditional:
            return None
        if len(head.events) == 1:
            last = branches[0]
            return last.parts[1] if isinstance(last, core.And) else last
        return core.Or(tuple(branches))

    def _condition_of_group(
        self, name: str, types: tuple[str, ...], inside: View
    ) -> core.Expr | None:
        group = self.desk.symbols.groups.get(name)
        if group is None:
            return None
        if name in self.opening:
            self._report_circle(name)
            return None
        own = View(inside.var, types, inside.fresh, group.file, {})
        parts: list[core.Expr] = []
        self.opening.append(name)
        try:
            if any(inner in self.desk.symbols.groups for inner in group.node.events):
                branch = self._group_condition(syntax.Head(group.node.events), own, own)
                if branch is not None:
                    parts.append(branch)
            if group.node.where is not None:
                parts.append(self.expressions.condition(group.node.where, own))
        finally:
            self.opening.pop()
        if not parts:
            return None
        return parts[0] if len(parts) == 1 else core.And(tuple(parts))

    def _report_circle(self, name: str) -> None:
        declared = self.desk.symbols.groups[name]
        self.desk.report(
            "circular-definition",
            f"Which events are `{name}` depends on which events are `{name}`.",
            declared.file,
            self.desk.spot(declared.file, declared.node.span, name, after="events"),
            f"name another event after `where`, one that is not made of `{name}`",
        )

    def _same(
        self,
        name: str,
        inside: View,
        anchor: View | None,
        phrase: syntax.Phrase,
        view: View,
    ) -> core.Expr | None:
        span, place = self.spot(name, phrase.span, view, after="same")
        name = self.real_name(name, view)
        here = self.field_kind(name, inside.types)
        if anchor is None:
            self.desk.report(
                "not-a-value",
                "`with same` compares with the event in hand, and here there is none.",
                view.file,
                self.desk.spot(view.file, phrase.span, "with same"),
                "compare with a value after `where`, as in `where seat is 1`",
            )
            return None
        there = self.field_kind(name, anchor.types)
        for kind, types in ((here, inside.types), (there, anchor.types)):
            if kind is None:
                advice = "`with same` compares a field that both events have"
                self.report_missing_field(name, types, span, place, advice)
        if here is None or there is None:
            return None
        if not same(here, there):
            self.desk.report(
                "type-mismatch",
                f"`{name}` is {described(here)} in `{inside.types[0]}`, "
                f"but {described(there)} in `{anchor.types[0]}`.",
                place.file,
                span,
                "say after `where` which values are meant",
            )
            return None
        return core.Compare(
            "=",
            core.Field(inside.var, name, here.name),
            core.Field(anchor.var, name, here.name),
            place=self.desk.place(view.file, phrase.span),
        )

    def demand_brackets(self, expr: syntax.Expr, word: str, view: View) -> None:
        """Events inside a `where` must stand in brackets: nobody should have to guess its end."""
        loose = loose_temporal(expr)
        if loose is None:
            return
        advice = f"put the condition after `{word}` in brackets"
        text = self.desk.sources[view.file].text
        joint = re.search(r"\b(and|or)\s+(?:not\s+)*$", text[expr.span.start : loose.span.start])
        if joint is not None:
            advice = (
                f"write a comma before `{joint[1]}` if it is no longer said of each of them, "
                f"or brackets around all that follows `{word}`"
            )
        self.desk.report(
            "brackets-needed",
            f"This speaks of other events after `{word}`, and it is not clear where that ends.",
            view.file,
            loose.span,
            advice,
        )

    def _reported_comma(self, where: syntax.Expr, view: View) -> bool:
        """`where seat is trigger.seat earlier`: a value took the scope that was not for it."""
        loose = loose_temporal(where)
        if not isinstance(loose, syntax.Phrase) or not loose.scopes or loose is where:
            return False
        names = loose.head.events
        if not names or any(self.is_events(name, view) for name in names):
            return False
        said = self.desk.quoted(view.file, loose.scopes[0].span)
        self.desk.report(
            "brackets-needed",
            f"It is not clear that `where` ends before `{said}`.",
            view.file,
            loose.scopes[0].span,
            f"write a comma before `{said}`",
        )
        return True

    # ---- phrases with a window

    def events(
        self, phrase: syntax.Phrase, view: View, default: str | None = None
    ) -> FoundEvents | None:
        """A whole phrase. `default` is the reach when the phrase has no scope of its own."""
        pattern, inside = self.pattern_or_unseen(phrase, view, anchor=view)
        found = window(self, phrase, view, default)
        if pattern is None or found is None:
            return None
        value = None
        if phrase.head.field is not None:
            name = self.real_name(phrase.head.field, view)
            kind = self.field_kind(name, pattern.types)
            if kind is None:
                span, place = self.spot(phrase.head.field, phrase.head.span, view, after=".")
                value = self.report_missing_field(name, pattern.types, span, place)
            else:
                value = Typed(core.Field(inside.var, name, kind.name), kind)
        per = None if phrase.per is None else phrase.per.which
        per_fields = () if phrase.per is None else phrase.per.fields
        if phrase.per is not None:
            for name in per_fields:
                if self.field_kind(name, pattern.types) is None:
                    span = self.desk.spot(view.file, phrase.per.span, name, after="per")
                    advice = f"`{per} per` is followed by a field of these events"
                    self.report_missing_field(name, pattern.types, span, view, advice)
        for scope in phrase.scopes:
            if scope.kind == NOT_YET:
                pattern = still_pending(self, scope, pattern, found, inside, view)
        written = self.desk.place(view.file, phrase.span)
        at = view.var if found.after is None else core.TRIGGER
        events = core.Events(at, pattern, found, per, per_fields, place=written)
        return FoundEvents(events, value, inside)

    def narrowed(self, events: core.Events, condition: core.Expr) -> core.Events:
        """The same events with one more condition."""
        where = events.pattern.where
        both = condition if where is None else core.And((where, condition))
        pattern = msgspec.structs.replace(events.pattern, where=both)
        return msgspec.structs.replace(events, pattern=pattern)

    def check_interval(self, name: str, node: syntax.Node, view: View) -> bool:
        """Whether there is such an interval; if not, that is reported."""
        real = self.real_name(name, view)
        if real in self.desk.symbols.intervals:
            self.desk.symbols.used.add(("interval", real))
            return True
        if not self.desk.symbols.excused(real):
            span, place = self.spot(name, node.span, view)
            self.desk.report(
                "unknown-interval",
                f"There is no interval `{real}`.",
                place.file,
                span,
                nearest(real, self.desk.symbols.intervals) or self._interval_declared(real),
            )
        return False

    def _interval_declared(self, name: str) -> str:
        ends = [f"{name}_started", f"{name}_ended"]
        known = all(event in self.desk.schema.events for event in ends)
        first, last = ends if known else ["...", "..."]
        return f"declare it: `interval {name} from {first} to {last}`"


def _any_type(var: int, types: tuple[str, ...]) -> core.Expr:
    tests = tuple(
        core.Compare("=", core.Field(var, "type", "text"), core.Const("text", name))
        for name in types
    )
    return tests[0] if len(tests) == 1 else core.Or(tests)
