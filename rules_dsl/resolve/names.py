"""What each name means at a given point of a rulebook."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Generic, TypeVar

from event_schemas import Kind, Schema
from event_schemas.limits import MOST_MISTAKES
from rules_dsl import core, syntax
from rules_dsl.diagnostics import Diagnostic
from rules_dsl.resolve.spots import quoted, word_in
from rules_dsl.source import Source
from rules_dsl.syntax import Span

ANY = Kind("any")
"""The kind of something that was found wrong: it fits everywhere, so that things are said once."""
NONE = Kind("none")


@dataclass(frozen=True)
class Typed:
    """A resolved value and its kind."""

    core: core.Expr
    kind: Kind


BROKEN = Typed(core.Const("flag", "yes"), ANY)
"""What stands in for something that is wrong, once that has been said."""


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

    @property
    def unseen(self) -> bool:
        """Whether it is not known which event is in hand: its name was wrong, and that was said."""
        return not self.types

    def binding(self, name: str, value: Binding) -> View:
        return replace(self, names={**self.names, name: value})

    def only(self, names: Mapping[str, Binding], file: int) -> View:
        """The same event in hand, but other names: the inside of a definition."""
        return replace(self, names=names, file=file)


@dataclass(frozen=True)
class Use:
    """Where a definition is being written out: its name, the place, and the event in hand there."""

    name: str
    span: Span
    view: View


D = TypeVar("D", bound=syntax.Declaration)


@dataclass(frozen=True)
class Declared(Generic[D]):
    """A declaration and the file in which it stands."""

    node: D
    file: int


_SORTS = ("definition", "events", "interval", "table", "setting", "template", "interpretation")
_WORD = re.compile(r"[a-z][\w-]*")


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
    chapters: list[core.Chapter] = field(default_factory=list)
    used: set[tuple[str, str]] = field(default_factory=set)
    """What has been referred to: pairs of a sort (`definition`, `events`, ...) and a name."""
    broken: set[str] = field(default_factory=set)
    """Names whose declaration is wrong: that was said there, and is not said again at each use."""
    damaged: set[str] = field(default_factory=set)
    """Rules of which a part was lost: nothing is said about what they lack."""
    excuses: int = 0
    """How often an unknown name was passed over in silence: the rule around it cannot be used."""
    incomplete: bool = False
    """Whether a file that the rulebook uses could not be read: any unknown name may stand there."""

    def mention(self, text: str) -> None:
        """Count as used whatever a text names that could not be read or written out."""
        for word in set(_WORD.findall(text)):
            self.used |= {(sort, word) for sort in _SORTS}

    def excused(self, name: str) -> bool:
        """Whether an unknown name is only the echo of a mistake that has been reported already."""
        echo = self.incomplete or name in self.broken
        self.excuses += echo
        return echo

    def give_up(self, name: str) -> None:
        """Note a declaration that is wrong: neither its uses nor their lack are to be reported."""
        self.broken.add(name)
        self.mention(name)


class TooManyMistakes(Exception):
    """So much is wrong that nobody reads on, nor should anybody wait for it."""


@dataclass
class Desk:
    """What all parts of the resolver share: the vocabulary, the names, and the complaints."""

    schema: Schema
    sources: list[Source]
    symbols: Symbols
    diagnostics: list[Diagnostic] = field(default_factory=list)
    filling: tuple[str, int, Span] | None = None
    """The rule that a text outside it (its template, its section) is read for: name and place."""
    fitting: set[tuple[Kind, str]] = field(default_factory=set)
    """Values of examples that are known to fit their kind."""

    @cached_property
    def required(self) -> dict[str, tuple[str, ...]]:
        """The fields that an example must give: by event, without those that the checker gives."""
        given = ("id", "ts", "seq", "type", "casino", "table")
        return {
            event.name: tuple(
                f.name for f in event.fields.values() if f.required and f.name not in given
            )
            for event in self.schema.events.values()
        }

    @cached_property
    def field_names(self) -> frozenset[str]:
        """Every field of every event: names that nothing else in a rulebook may bear."""
        return frozenset(name for event in self.schema.events.values() for name in event.fields)

    @cached_property
    def shared_fields(self) -> frozenset[str]:
        """The fields that every event has, such as its time and its table."""
        fields = [frozenset(event.fields) for event in self.schema.events.values()]
        return frozenset.intersection(*fields) if fields else frozenset()

    def report(self, code: str, message: str, file: int, span: Span, suggestion: str = "") -> None:
        self.diagnostics.append(Diagnostic(code, message, self.sources[file], span, suggestion))
        # Counted now and then: a rulebook may have very many warnings.
        if len(self.diagnostics) % MOST_MISTAKES == 0 and self._has_too_many():
            raise TooManyMistakes

    def _has_too_many(self) -> bool:
        return sum(problem.level == "error" for problem in self.diagnostics) >= MOST_MISTAKES

    def rule_behind(self, file: int, span: Span) -> str:
        """The rule that brings its own events to a text outside it, or nothing."""
        if self.filling is None:
            return ""
        name, home, own = self.filling
        inside = file == home and own.start <= span.start < own.end
        return "" if inside else name

    def place(self, file: int, span: Span) -> core.Place:
        return core.Place(file, span.start, span.end)

    def clause_text(self, file: int, span: Span) -> str:
        """A whole clause on one line, with the brackets that close at its very end."""
        end = span.end
        text = self.sources[file].text
        while text.count("(", span.start, end) > text.count(")", span.start, end):
            close = text.find(")", end)
            if close < 0:
                break
            end = close + 1
        return self.text(file, Span(span.start, end))

    def text(self, file: int, span: Span) -> str:
        """What is written at a place, on one line."""
        return self.sources[file].cut(span)

    def quoted(self, file: int, span: Span) -> str:
        """What is written at a place, short enough for a sentence."""
        return quoted(self.sources[file], span)

    def spot(self, file: int, span: Span, word: str, after: str = "") -> Span:
        """Where a word stands inside a larger part."""
        return word_in(self.sources[file], span, word, after)
