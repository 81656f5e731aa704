"""What each name means at a given point of a rulebook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from event_schemas import Kind, Schema
from rules_dsl import core, syntax
from rules_dsl.diagnostics import Diagnostic
from rules_dsl.source import Source
from rules_dsl.syntax import Span

ANY = Kind("any")
"""The kind of something that is already known to be wrong: it fits everywhere, to say things once."""
NONE = Kind("none")


@dataclass(frozen=True)
class Typed:
    """A resolved value and its kind."""

    core: core.Expr
    kind: Kind


@dataclass(frozen=True)
class Alias:
    """A name given to an event with `as`."""

    var: int
    types: tuple[str, ...]


@dataclass(frozen=True)
class Macro:
    """An argument of a template: what was written, to be read where the parameter stands."""

    expr: syntax.Expr
    file: int


Binding = Typed | Alias | Macro


@dataclass(frozen=True)
class View:
    """What can be seen at one point: the event in hand, and the names bound so far."""

    var: int
    types: tuple[str, ...]
    fresh: int
    file: int
    names: Mapping[str, Binding] = field(default_factory=dict)

    def entering(self, types: tuple[str, ...], alias: str | None) -> View:
        """The view from inside a phrase, with its event in hand."""
        names = dict(self.names)
        if alias is not None:
            names[alias] = Alias(self.fresh, types)
        return replace(self, var=self.fresh, types=types, fresh=self.fresh + 1, names=names)

    def binding(self, name: str, value: Binding) -> View:
        return replace(self, names={**self.names, name: value})

    def only(self, names: Mapping[str, Binding], file: int) -> View:
        """The same event in hand, but other names: the inside of a definition."""
        return replace(self, names=names, file=file)


D = TypeVar("D", bound=syntax.Declaration)


@dataclass(frozen=True)
class Declared(Generic[D]):
    """A declaration and the file in which it stands."""

    node: D
    file: int


@dataclass
class Symbols:
    """Every name that the rulebook's files declare."""

    groups: dict[str, Declared[syntax.EventGroup]] = field(default_factory=dict)
    definitions: dict[str, Declared[syntax.Define]] = field(default_factory=dict)
    intervals: dict[str, Declared[syntax.Interval]] = field(default_factory=dict)
    tables: dict[str, core.LookupTable] = field(default_factory=dict)
    settings: dict[str, core.Setting] = field(default_factory=dict)
    interpretations: dict[str, core.Interpretation] = field(default_factory=dict)
    templates: dict[str, Declared[syntax.Template]] = field(default_factory=dict)
    used: set[tuple[str, str]] = field(default_factory=set)
    """What has been referred to: pairs of a sort (`definition`, `events`, ...) and a name."""


@dataclass
class Desk:
    """What all parts of the resolver share: the vocabulary, the names, and the complaints."""

    schema: Schema
    sources: list[Source]
    symbols: Symbols
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def report(self, code: str, message: str, file: int, span: Span, suggestion: str = "") -> None:
        self.diagnostics.append(Diagnostic(code, message, self.sources[file], span, suggestion))

    def place(self, file: int, span: Span) -> core.Place:
        return core.Place(file, span.start, span.end)

    def text(self, file: int, span: Span) -> str:
        """What is written at a place, on one line."""
        return self.sources[file].cut(span)
