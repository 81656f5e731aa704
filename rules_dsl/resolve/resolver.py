"""What the parts of resolving ask of each other: expressions hold phrases, which hold expressions.

`ExpressionResolver` and `PhraseResolver` do it; the functions for single forms need to know only
that it is done.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from event_schemas import Kind
from rules_dsl import core, syntax
from rules_dsl.resolve.names import Desk, Typed, Use, View
from rules_dsl.syntax import Span


@dataclass(frozen=True)
class FoundEvents:
    """A resolved phrase: its events, the field taken from them, and the view from inside."""

    events: core.Events
    value: Typed | None
    inside: View


class Resolver(Protocol):
    """Turns expressions into core form."""

    desk: Desk
    expanding: list[Use]
    expansions: int
    memo: dict[object, tuple[Typed, int]]

    @property
    def phrases(self) -> Phrases: ...

    def condition(self, expr: syntax.Expr, view: View) -> core.Expr: ...

    def value(self, expr: syntax.Expr, view: View, expect: Kind | None = None) -> Typed: ...

    def duration(self, expr: syntax.Expr, view: View) -> core.Expr: ...

    def report(
        self, code: str, message: str, span: Span, view: View, suggestion: str = ""
    ) -> Typed: ...

    def text(self, expr: syntax.Node, view: View) -> str: ...

    def place(self, expr: syntax.Node, view: View) -> core.Place: ...


class Phrases(Protocol):
    """Turns phrases into core events and windows."""

    desk: Desk
    expressions: Resolver

    def is_events(self, name: str, view: View) -> bool: ...

    def as_events(self, expr: syntax.Expr, view: View) -> syntax.Phrase | None: ...

    def types_of(self, head: syntax.Head, view: View) -> tuple[str, ...]: ...

    def real_name(self, name: str, view: View) -> str: ...

    def fields_of(self, types: tuple[str, ...]) -> list[str]: ...

    def field_kind(self, name: str, types: tuple[str, ...]) -> Kind | None: ...

    def report_missing_field(
        self, name: str, types: tuple[str, ...], span: Span, view: View, advice: str = ""
    ) -> Typed: ...

    def report_unknown_event(
        self, name: str, span: Span, view: View, others: Iterable[str] = (), advice: str = ""
    ) -> None: ...

    def pattern(
        self, phrase: syntax.Phrase, view: View, *, anchor: View | None = None
    ) -> tuple[core.Pattern, View] | None: ...

    def events(
        self, phrase: syntax.Phrase, view: View, default: str | None = None
    ) -> FoundEvents | None: ...

    def check_interval(self, name: str, node: syntax.Node, view: View) -> bool: ...
