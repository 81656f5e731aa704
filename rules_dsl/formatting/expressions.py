"""Writes conditions and values the one way they are always written.

Brackets stand where they are needed, and nowhere else: where reading the text again would give
another condition, and where a reader would have to guess how far a `where` reaches.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rules_dsl import syntax as s
from rules_dsl.formatting.brackets import (
    Binding,
    binding_of,
    ends_in_a_list,
    ends_in_words,
    ends_open,
    is_bare,
    is_bare_number,
    looks_like_one_of,
    speaks_of_other_events,
)
from rules_dsl.formatting.lines import Break, Flow, on_one_line

SIGN_WORDS: dict[s.ComparisonSign, str] = {
    "=": "is",
    "!=": "is not",
    "<": "is less than",
    "<=": "is at most",
    ">": "is more than",
    ">=": "is at least",
}


# The kinds of places where a line may be broken, in the order in which they are.
_JOIN, _THEN, _COMPARE, _SUM, _TAIL, _LIST, _KINDS = range(7)


def format_expression(expr: s.Expr) -> str:
    """A condition or a value on one line, as it would stand in a rule."""
    return on_one_line(expression_flow(expr))


def expression_flow(expr: s.Expr) -> Flow:
    """A condition or a value, with the places where a long one may be broken."""
    writer = _Writer()
    writer.expr(expr)
    return writer.out


def condition_flow(expr: s.Expr) -> Flow:
    """What follows a `where`: in brackets as soon as it speaks of other events."""
    writer = _Writer()
    writer.condition(expr, 0)
    return writer.out


def phrase_flow(phrase: s.Phrase) -> Flow:
    writer = _Writer()
    writer.phrase(phrase, 0)
    return writer.out


def target_flow(phrase: s.Phrase) -> Flow:
    """The event at which an interval or a `since` begins or ends."""
    writer = _Writer()
    writer.target(phrase, 0)
    return writer.out


def literal_text(literal: s.Literal) -> str:
    return f'"{literal.text}"' if literal.kind == "text" else literal.text


class _Writer:
    """Collects the pieces of one expression.

    `followed` says that more of the same expression comes after; what ends in an open `where`,
    `has` or `if` would swallow it, and is put in brackets. `depth` counts how far inside we are.
    """

    def __init__(self) -> None:
        self.out: Flow = []
        self._level = 0

    def _break(self, kind: int, depth: int) -> None:
        # What lies outside is broken before what lies inside, whatever it is.
        self.out.append(Break(depth * _KINDS + kind, self._level, fill=kind > _THEN))

    @contextmanager
    def _brackets(self, needed: bool = True) -> Iterator[None]:
        if needed:
            self.out.append("(")
            self._level += 1
        yield
        if needed:
            self.out.append(")")
            self._level -= 1

    def expr(
        self, expr: s.Expr, binding: Binding = Binding.ANY, followed: bool = False, depth: int = 0
    ) -> None:
        needed = binding_of(expr) < binding or (followed and ends_open(expr))
        needed = needed or looks_like_one_of(expr)
        with self._brackets(needed):
            self._bare(expr, followed and not needed, depth + needed)

    def condition(self, expr: s.Expr, depth: int) -> None:
        needed = speaks_of_other_events(expr)
        self._level += not needed
        with self._brackets(needed):
            self.expr(expr, depth=depth + needed)
        self._level -= not needed

    def _bare(self, expr: s.Expr, followed: bool, depth: int) -> None:
        match expr:
            case s.Literal():
                self.out.append(literal_text(expr))
            case s.Name():
                self.out.append(f"{expr.owner}.{expr.name}" if expr.owner else expr.name)
            case s.Option():
                self.out.append(f"option {expr.name}")
            case s.ReadingOf():
                self.out.append(f"reading {expr.name}")
            case s.Phrase():
                self.phrase(expr, depth)
            case s.Of():
                self.out.append(f"{expr.function} of {'distinct ' if expr.distinct else ''}")
                plain = isinstance(expr.argument, s.Phrase) or not ends_in_words(expr.argument)
                self.expr(
                    expr.argument, Binding.ATOM if plain else Binding.BRACKETS, followed, depth
                )
            case s.Call():
                self.out.append(expr.name)
                self._list(expr.arguments, depth)
            case s.Pick():
                self.out.append(f"{expr.which} ")
                self.phrase(expr.phrase, depth)
            case s.NextSeat():
                self.out.append(f"the seat {expr.direction} of ")
                self.expr(expr.start, Binding.ATOM, True, depth)
                self.out.append(" among ")
                self.phrase(expr.phrase, depth)
            case s.Arithmetic() | s.Rounding():
                self._calculation(expr, followed, depth)
            case s.Quantified():
                self._quantified(expr, depth)
            case s.Not():
                self.out.append("not ")
                self.expr(expr.part, Binding.NOT, followed, depth)
            case s.Both():
                self._joined("and", expr.parts, followed, depth)
            case s.Either():
                self._joined("or", expr.parts, followed, depth)
            case s.If():
                self._if(expr, depth)
            case _:
                self._comparison(expr, followed, depth)

    def _calculation(self, expr: s.Arithmetic | s.Rounding, followed: bool, depth: int) -> None:
        if isinstance(expr, s.Rounding):
            self._operand(expr.value, Binding.SUM, True, depth)
            way = "" if expr.way == "nearest" else f"{expr.way} "
            self.out.append(f" rounded {way}to ")
            self.expr(expr.unit, Binding.ATOM, followed, depth)
            return
        binding = binding_of(expr)
        operand = self._operand if binding == Binding.PRODUCT else self.expr
        operand(expr.left, binding, True, depth)
        self._break(_SUM, depth)
        self.out.append(f"{expr.sign} ")
        operand(expr.right, Binding(binding + 1), followed, depth)

    def _operand(self, expr: s.Expr, binding: Binding, followed: bool, depth: int) -> None:
        """A sum of events in brackets: in `... in the round * 25%`, the round is not multiplied."""
        self.expr(expr, Binding.BRACKETS if ends_in_words(expr) else binding, followed, depth)

    def _comparison(self, expr: s.Expr, followed: bool, depth: int) -> None:
        match expr:
            case s.Comparison():
                self.expr(expr.left, Binding.ROUNDED, True, depth)
                if ends_in_words(expr.left):
                    self._break(_COMPARE, depth)
                    self.out.append(f"{SIGN_WORDS[expr.sign]} ")
                else:
                    self.out.append(f" {SIGN_WORDS[expr.sign]} ")
                self.expr(expr.right, Binding.ROUNDED, followed, depth)
            case s.Between():
                self.expr(expr.value, Binding.ROUNDED, True, depth)
                self.out.append(f" is {'not ' if expr.negated else ''}between ")
                self.expr(expr.low, Binding.ROUNDED, True, depth)
                self.out.append(" and ")
                self.expr(expr.high, Binding.ROUNDED, followed, depth)
            case s.OneOf():
                self.expr(expr.value, Binding.ROUNDED, True, depth)
                self.out.append(f" is {'not ' if expr.negated else ''}one of ")
                self._list(expr.choices, depth)
            case s.Recorded():
                self.expr(expr.value, Binding.ROUNDED, True, depth)
                self.out.append(" is known" if expr.known else " is missing")
            case s.About():
                self.expr(expr.value, Binding.ROUNDED, True, depth)
                self.out.append(" is about ")
                self.expr(expr.target, Binding.ROUNDED, True, depth)
                self.out.append(" give or take ")
                self.expr(expr.tolerance, Binding.ROUNDED, followed, depth)
            case s.Goes():
                self.expr(expr.phrase, Binding.ROUNDED, True, depth)
                self.out.append(f" goes {expr.direction}")
                if expr.start is not None:
                    self.out.append(" from ")
                    self.expr(expr.start, Binding.ROUNDED, followed, depth)
            case _:
                raise TypeError(f"{type(expr).__name__} is not an expression")

    def _joined(self, word: str, parts: tuple[s.Expr, ...], followed: bool, depth: int) -> None:
        # `and` inside `or` gets brackets, too: nobody should have to know which comes first.
        for index, part in enumerate(parts):
            if index:
                self._break(_JOIN, depth)
                self.out.append(f"{word} ")
            last = index == len(parts) - 1
            self.expr(part, Binding.NOT, followed or not last or ends_in_a_list(part), depth + 1)

    def _if(self, expr: s.If, depth: int) -> None:
        # `if` inside the first two parts always stands in brackets: nobody should have to work
        # out to which `if` a `then` or an `else` belongs.
        self.out.append("if ")
        self._level += 1
        self.expr(expr.condition, Binding.OR, True, depth + 1)
        self._level -= 1
        self._break(_THEN, depth)  # broken only after every `else` of a chain
        self.out.append("then ")
        self._level += 1
        self.expr(expr.then, Binding.OR, expr.otherwise is not None, depth + 1)
        self._level -= 1
        if expr.otherwise is None:
            return
        self._break(_JOIN, depth)
        self.out.append("else ")
        chained = isinstance(expr.otherwise, s.If)
        self._level += not chained
        self.expr(expr.otherwise, Binding.ANY, False, depth if chained else depth + 1)
        self._level -= not chained

    def _quantified(self, expr: s.Quantified, depth: int) -> None:
        self.out.append(f"{expr.quantity} ")
        number = expr.number
        if number is not None:
            self.expr(
                number, Binding.ATOM if is_bare_number(number) else Binding.BRACKETS, True, depth
            )
            self.out.append(" ")
        self.phrase(expr.phrase, depth)
        if expr.has is not None:
            self.out.append("," if ends_open(expr.phrase) else "")
            self._break(_TAIL, depth)
            self.out.append("has ")
            self.condition(expr.has, depth + 1)

    def _list(self, items: tuple[s.Expr, ...], depth: int) -> None:
        with self._brackets():
            for index, item in enumerate(items):
                if index:
                    self.out.append(",")
                    self._break(_LIST, depth)
                self.expr(item, Binding.ANY, index < len(items) - 1, depth + 1)

    # ---- phrases

    def phrase(self, phrase: s.Phrase, depth: int) -> None:
        self.out.append(_head(phrase.head))
        if phrase.alias is not None:
            self.out.append(f" as {phrase.alias}")
        if phrase.same:
            self.out.append(" with same " + " and same ".join(phrase.same))
        if phrase.where is not None:
            self._break(_TAIL, depth)
            self.out.append("where ")
            self.condition(phrase.where, depth + 1)
        # The comma that ends a `where` must be there. Between two scopes it keeps `earlier` and
        # `in the round` from being read as one; elsewhere it helps the reader.
        comma = "," if phrase.where is not None or phrase.same else ""
        if phrase.per is not None:
            self.out.append(comma)
            self._break(_TAIL, depth)
            self.out.append(f"{phrase.per.which} per " + " and per ".join(phrase.per.fields))
            comma = ","
        for scope in phrase.scopes:
            self.out.append(comma)
            self._break(_TAIL, depth)
            self._scope(scope, depth)
            comma = ","

    def _scope(self, scope: s.Scope, depth: int) -> None:
        words: list[str] = [] if scope.kind == "in" else [scope.kind]
        if scope.interval is not None:
            words += ["in the", *([] if scope.which == "this" else [scope.which]), scope.interval]
        if scope.length is not None:
            words += _lengths(scope.length, scope.farthest)
            if scope.backwards:
                words.append("earlier")
            elif scope.kind != "within":
                words.append("later")
        self.out.append(" ".join(words))
        if scope.target is not None:
            self.out.append(" ")
            self.target(scope.target, depth)

    def target(self, phrase: s.Phrase, depth: int) -> None:
        if is_bare(phrase) and phrase.head.field is None:
            self.out.append(_head(phrase.head))
        else:
            with self._brackets():
                self.phrase(phrase, depth + 1)


def _lengths(nearest: s.Expr, farthest: s.Expr | None) -> list[str]:
    """One length of time, or two; a unit that they share is said once: `3 and 10 seconds`."""
    words = format_expression(nearest).split()
    if farthest is None:
        return words
    further = format_expression(farthest).split()
    if len(words) == len(further) == 2 and words[1] == further[1]:
        words.pop()
    return [*words, "and", *further]


def _head(head: s.Head) -> str:
    names = ", ".join(head.events)
    events = f"any of ({names})" if head.any_of else names
    if not names:
        events = "any event"
    return events if head.field is None else f"{events}.{head.field}"
