"""Resolves phrases: which events are meant, which of them, and where to look for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from event_schemas import SYNONYMS, Kind
from rules_dsl import core, syntax
from rules_dsl.diagnostics import listed, nearest
from rules_dsl.resolve.names import ANY, Alias, Desk, Macro, Typed, View

if TYPE_CHECKING:
    from rules_dsl.resolve.expressions import ExpressionResolver

_PAST = {"earlier", "so far", "since"}
_FUTURE = {"later", "before"}
_TEMPORAL = (syntax.Phrase, syntax.Quantified, syntax.Pick, syntax.NextSeat, syntax.Goes)


@dataclass(frozen=True)
class FoundEvents:
    """A resolved phrase: its events, the field taken from them, and the view from inside."""

    events: core.Events
    value: Typed | None
    inside: View


class PhraseResolver:
    """Turns phrases into core events and windows."""

    def __init__(self, desk: Desk, expressions: ExpressionResolver) -> None:
        self.desk = desk
        self.expressions = expressions

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
            bound = view.names.get(expr.head.events[0])
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
        types: list[str] = []
        for name in head.events:
            types += self._types_behind(self._real_name(name, view))
        return tuple(dict.fromkeys(types))

    def _real_name(self, name: str, view: View) -> str:
        bound = view.names.get(name)
        if isinstance(bound, Macro) and isinstance(bound.expr, syntax.Name):
            return bound.expr.name
        return name

    def _types_behind(self, name: str) -> list[str]:
        if name in self.desk.schema.events:
            return [name]
        group = self.desk.symbols.groups.get(name)
        if group is None:
            return []
        self.desk.symbols.used.add(("events", name))
        return [
            t for inner in group.node.events if inner != name for t in self._types_behind(inner)
        ]

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

    def report_missing_field(
        self, name: str, types: tuple[str, ...], node: syntax.Node, view: View
    ) -> Typed:
        lacking = [t for t in types if name not in self.desk.schema.events[t].fields]
        fields = self.fields_of(types)
        message = f"`{(lacking or types)[0]}` has no field `{name}`."
        if not lacking:
            message = f"The field `{name}` is of another kind in some of these events."
        self.desk.report(
            "unknown-field",
            message,
            view.file,
            node.span,
            nearest(name, fields) or f"its fields are {listed(fields)}",
        )
        return Typed(core.Const("flag", "yes"), ANY)

    def report_unknown_events(self, expr: syntax.Name | syntax.Phrase, view: View) -> Typed:
        name = expr.head.events[0] if isinstance(expr, syntax.Phrase) else expr.owner or expr.name
        self._report_unknown(name, expr, view)
        return Typed(core.Const("flag", "yes"), ANY)

    def _report_unknown(self, name: str, node: syntax.Node, view: View) -> None:
        known = [*self.desk.schema.events, *self.desk.symbols.groups]
        synonym = SYNONYMS.get(name)
        hint = f"did you mean `{synonym}`?" if synonym else nearest(name, known)
        self.desk.report(
            "unknown-event", f"There is no event `{name}`.", view.file, node.span, hint
        )

    # ---- patterns

    def pattern(
        self, phrase: syntax.Phrase, view: View, *, anchor: View | None = None
    ) -> tuple[core.Pattern, View] | None:
        """Which events a phrase means, without where to look. `anchor` is for `with same`."""
        unknown = [name for name in phrase.head.events if not self.is_events(name, view)]
        for name in unknown:
            self._report_unknown(name, phrase.head, view)
        types = self.types_of(phrase.head, view)
        if unknown or not types:
            return None
        inside = view.entering(types, phrase.alias)
        conditions = [self._group_condition(phrase.head, inside, view)]
        for name in phrase.same:
            conditions.append(self._same(name, types, inside, anchor, phrase, view))
        if phrase.where is not None:
            self.demand_brackets(phrase.where, "where", view)
            conditions.append(self.expressions.condition(phrase.where, inside))
        parts = tuple(part for part in conditions if part is not None)
        where = None if not parts else parts[0] if len(parts) == 1 else core.And(parts)
        place = self.desk.place(view.file, phrase.span)
        return core.Pattern(types, inside.var, where, place=place), inside

    def _group_condition(self, head: syntax.Head, inside: View, view: View) -> core.Expr | None:
        """The conditions that come with named groups of events."""
        if not any(self._real_name(name, view) in self.desk.symbols.groups for name in head.events):
            return None
        branches: list[core.Expr] = []
        conditional = False
        for name in head.events:
            real = self._real_name(name, view)
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
        own = _view_of_group(inside, types, group.file)
        parts: list[core.Expr] = []
        nested = [n for n in group.node.events if n in self.desk.symbols.groups and n != name]
        if nested:
            branch = self._group_condition(syntax.Head(group.node.events), own, own)
            if branch is not None:
                parts.append(branch)
        if group.node.where is not None:
            parts.append(self.expressions.condition(group.node.where, own))
        if not parts:
            return None
        return parts[0] if len(parts) == 1 else core.And(tuple(parts))

    def _same(
        self,
        name: str,
        types: tuple[str, ...],
        inside: View,
        anchor: View | None,
        phrase: syntax.Phrase,
        view: View,
    ) -> core.Expr | None:
        name = self._real_name(name, view)
        here = self.field_kind(name, types)
        if here is None:
            self.report_missing_field(name, types, phrase, view)
            return None
        if anchor is None:
            self.desk.report(
                "not-a-value",
                "`with same` compares with the event in hand, and here there is none.",
                view.file,
                phrase.span,
            )
            return None
        if self.field_kind(name, anchor.types) is None:
            self.report_missing_field(name, anchor.types, phrase, view)
            return None
        return core.Compare(
            "=",
            core.Field(inside.var, name, here.name),
            core.Field(anchor.var, name, here.name),
            place=self.desk.place(view.file, phrase.span),
        )

    def demand_brackets(self, expr: syntax.Expr, word: str, view: View) -> None:
        """Events inside a `where` must stand in brackets: nobody should have to guess its end."""
        loose = _loose_temporal(expr)
        if loose is not None:
            self.desk.report(
                "brackets-needed",
                f"This speaks of other events inside `{word}`, and it is not clear where it ends.",
                view.file,
                loose.span,
                f"put the condition after `{word}` in brackets, or end it with a comma before this",
            )

    # ---- phrases with a window

    def events(
        self, phrase: syntax.Phrase, view: View, default: str | None = None
    ) -> FoundEvents | None:
        """A whole phrase. `default` is the reach when the phrase has no scope of its own."""
        found = self.pattern(phrase, view, anchor=view)
        window = self._window(phrase, view, default)
        if found is None or window is None:
            return None
        pattern, inside = found
        value = None
        if phrase.head.field is not None:
            name = self._real_name(phrase.head.field, view)
            kind = self.field_kind(name, pattern.types)
            if kind is None:
                value = self.report_missing_field(name, pattern.types, phrase.head, view)
            else:
                value = Typed(core.Field(inside.var, name, kind.name), kind)
        per, per_fields = None, ()
        if phrase.per is not None:
            per, per_fields = phrase.per.which, phrase.per.fields
            for name in per_fields:
                if self.field_kind(name, pattern.types) is None:
                    self.report_missing_field(name, pattern.types, phrase.per, view)
        place = self.desk.place(view.file, phrase.span)
        events = core.Events(view.var, pattern, window, per, per_fields, place=place)
        return FoundEvents(events, value, inside)

    def narrowed(self, events: core.Events, condition: core.Expr) -> core.Events:
        """The same events with one more condition."""
        where = events.pattern.where
        both = condition if where is None else core.And((where, condition))
        pattern = msgspec.structs.replace(events.pattern, where=both)
        return msgspec.structs.replace(events, pattern=pattern)

    def _window(self, phrase: syntax.Phrase, view: View, default: str | None) -> core.Window | None:
        if not phrase.scopes and default is None:
            self.desk.report(
                "missing-scope",
                f"It is not said when `{self.desk.text(view.file, phrase.head.span)}` is looked for.",
                view.file,
                phrase.span,
                "add `earlier`, `later`, `so far`, `since ...`, `before ...`, `in the round` "
                "or the like",
            )
            return None
        reaches = {_reach(scope) for scope in phrase.scopes} - {None}
        if len(reaches) > 1:
            self.desk.report(
                "mixed-scopes",
                "Some of these words look back and some look ahead.",
                view.file,
                phrase.span,
                "use only one direction, or two conditions joined by `and`",
            )
            return None
        parts: dict[str, Any] = {}
        for scope in phrase.scopes:
            for name, value in self._scope(scope, view).items():
                if name in parts:
                    self.desk.report(
                        "mixed-scopes",
                        f"`{self.desk.text(view.file, scope.span)}` says again where to look.",
                        view.file,
                        scope.span,
                        "leave one of the two out",
                    )
                parts[name] = value
        reach: Any = reaches.pop() if reaches else (default or "whole")
        return core.Window(reach, **parts, place=self.desk.place(view.file, phrase.span))

    def _scope(self, scope: syntax.Scope, view: View) -> dict[str, Any]:
        parts: dict[str, Any] = {}
        if scope.interval is not None and self.check_interval(scope.interval, scope, view):
            parts["interval"] = self._real_name(scope.interval, view)
            parts["which"] = scope.which
        if scope.kind == "so far":
            parts["inclusive"] = True
        if scope.target is not None:
            found = self.pattern(scope.target, view, anchor=view)
            if scope.target.scopes or scope.target.head.field or scope.target.per:
                self.desk.report(
                    "not-a-value",
                    f"After `{scope.kind}` stands an event, with a `where` at most.",
                    view.file,
                    scope.target.span,
                )
            if found is not None:
                parts[scope.kind] = found[0]
        if scope.length is not None:
            name = "within" if scope.kind == "within" else "at_least"
            parts[name] = self.expressions.duration(scope.length, view)
        return parts

    def check_interval(self, name: str, node: syntax.Node, view: View) -> bool:
        """Whether there is such an interval; if not, that is reported."""
        real = self._real_name(name, view)
        if real in self.desk.symbols.intervals:
            self.desk.symbols.used.add(("interval", real))
            return True
        self.desk.report(
            "unknown-interval",
            f"There is no interval `{name}`.",
            view.file,
            node.span,
            nearest(real, self.desk.symbols.intervals)
            or f"declare it: `interval {name} from ... to ...`",
        )
        return False


def _view_of_group(inside: View, types: tuple[str, ...], file: int) -> View:
    """The event in hand, seen from the declaration of its group."""
    return View(inside.var, types, inside.fresh, file, {})


def _any_type(var: int, types: tuple[str, ...]) -> core.Expr:
    tests = tuple(
        core.Compare("=", core.Field(var, "type", "text"), core.Const("text", name))
        for name in types
    )
    return tests[0] if len(tests) == 1 else core.Or(tests)


def _reach(scope: syntax.Scope) -> str | None:
    if scope.kind in _PAST or scope.which == "previous":
        return "past"
    if scope.kind in _FUTURE or scope.which == "next":
        return "future"
    if scope.kind in ("within", "at least"):
        return "past" if scope.backwards else "future"
    return None


def _loose_temporal(expr: syntax.Expr) -> syntax.Expr | None:
    """The first part that speaks of other events and stands in no brackets."""
    if expr.bracketed:
        return None
    if isinstance(expr, _TEMPORAL):
        return expr
    for name in expr.__struct_fields__:
        value = getattr(expr, name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, syntax.Expr):
                loose = _loose_temporal(part)
                if loose is not None:
                    return loose
    return None
