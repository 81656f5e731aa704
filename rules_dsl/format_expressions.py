"""Writes conditions and values the one way they are always written.

Brackets stand where they are needed, and nowhere else: where reading the text again would give
another condition, and where a reader would have to guess how far a `where` reaches.
"""

from __future__ import annotations

from rules_dsl import syntax as s
from rules_dsl.format_lines import LIST_BREAK, SUM_BREAK, TAIL_BREAK, Flow, on_one_line
from rules_dsl.nesting import parts_of

SIGN_WORDS: dict[s.ComparisonSign, str] = {
    "=": "is",
    "!=": "is not",
    "<": "is less than",
    "<=": "is at most",
    ">": "is more than",
    ">=": "is at least",
}
_TEMPORAL = (s.Phrase, s.Quantified, s.Pick, s.NextSeat, s.Goes)

# How tightly each kind of expression binds; a looser one inside a tighter one needs brackets.
_ANY, _OR, _AND, _NOT, _COMPARISON, _ROUNDED, _SUM, _PRODUCT, _ATOM = range(9)
_BINDING: dict[type[s.Expr], int] = {
    s.If: _ANY,
    s.Either: _OR,
    s.Both: _AND,
    s.Not: _NOT,
    s.Quantified: _NOT,
    s.Comparison: _COMPARISON,
    s.Between: _COMPARISON,
    s.OneOf: _COMPARISON,
    s.Recorded: _COMPARISON,
    s.About: _COMPARISON,
    s.Goes: _COMPARISON,
    s.Rounding: _ROUNDED,
}


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

    def expr(
        self, expr: s.Expr, binding: int = _ANY, followed: bool = False, depth: int = 0
    ) -> None:
        if _binding(expr) < binding or (followed and _ends_open(expr)) or _looks_like_one_of(expr):
            self.out.append("(")
            self._bare(expr, False, depth + 1)
            self.out.append(")")
        else:
            self._bare(expr, followed, depth)

    def condition(self, expr: s.Expr, depth: int) -> None:
        if _speaks_of_other_events(expr):
            self.out.append("(")
            self.expr(expr, depth=depth + 1)
            self.out.append(")")
        else:
            self.expr(expr, depth=depth)

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
                self.expr(expr.argument, _ATOM, followed, depth)
            case s.Call():
                self.out.append(expr.name)
                self._list(expr.arguments, depth)
            case s.Pick():
                self.out.append(f"{expr.which} ")
                self.phrase(expr.phrase, depth)
            case s.NextSeat():
                self.out.append(f"the seat {expr.direction} of ")
                self.expr(expr.start, _ATOM, True, depth)
                self.out.append(" among ")
                self.phrase(expr.phrase, depth)
            case s.Arithmetic() | s.Rounding():
                self._calculation(expr, followed, depth)
            case s.Quantified():
                self._quantified(expr, depth)
            case s.Not():
                self.out.append("not ")
                self.expr(expr.part, _NOT, followed, depth)
            case s.Both():
                self._joined("and", expr.parts, _NOT, followed, depth)
            case s.Either():
                self._joined("or", expr.parts, _AND, followed, depth)
            case s.If():
                self._if(expr, depth)
            case _:
                self._comparison(expr, followed, depth)

    def _calculation(self, expr: s.Arithmetic | s.Rounding, followed: bool, depth: int) -> None:
        if isinstance(expr, s.Rounding):
            self.expr(expr.value, _SUM, True, depth)
            way = "" if expr.way == "nearest" else f"{expr.way} "
            self.out.append(f" rounded {way}to ")
            self.expr(expr.unit, _ATOM, followed, depth)
            return
        binding = _binding(expr)
        self.expr(expr.left, binding, True, depth)
        self.out += [SUM_BREAK + depth, f"{expr.sign} "]
        self.expr(expr.right, binding + 1, followed, depth)

    def _comparison(self, expr: s.Expr, followed: bool, depth: int) -> None:
        match expr:
            case s.Comparison():
                self.expr(expr.left, _ROUNDED, True, depth)
                self.out.append(f" {SIGN_WORDS[expr.sign]} ")
                self.expr(expr.right, _ROUNDED, followed, depth)
            case s.Between():
                self.expr(expr.value, _ROUNDED, True, depth)
                self.out.append(f" is {'not ' if expr.negated else ''}between ")
                self.expr(expr.low, _ROUNDED, True, depth)
                self.out.append(" and ")
                self.expr(expr.high, _ROUNDED, followed, depth)
            case s.OneOf():
                self.expr(expr.value, _ROUNDED, True, depth)
                self.out.append(f" is {'not ' if expr.negated else ''}one of ")
                self._list(expr.choices, depth)
            case s.Recorded():
                self.expr(expr.value, _ROUNDED, True, depth)
                self.out.append(" is known" if expr.known else " is missing")
            case s.About():
                self.expr(expr.value, _ROUNDED, True, depth)
                self.out.append(" is about ")
                self.expr(expr.target, _ROUNDED, True, depth)
                self.out.append(" give or take ")
                self.expr(expr.tolerance, _ROUNDED, followed, depth)
            case s.Goes():
                self.expr(expr.phrase, _ROUNDED, True, depth)
                self.out.append(f" goes {expr.direction}")
                if expr.start is not None:
                    self.out.append(" from ")
                    self.expr(expr.start, _ROUNDED, followed, depth)
            case _:
                raise TypeError(f"{type(expr).__name__} is not an expression")

    def _joined(
        self, word: str, parts: tuple[s.Expr, ...], binding: int, followed: bool, depth: int
    ) -> None:
        for index, part in enumerate(parts):
            if index:
                self.out += [depth, f"{word} "]
            self.expr(part, binding, followed or index < len(parts) - 1, depth + 1)

    def _if(self, expr: s.If, depth: int) -> None:
        # `if` inside the first two parts always stands in brackets: nobody should have to work
        # out to which `if` a `then` or an `else` belongs.
        self.out.append("if ")
        self.expr(expr.condition, _OR, True, depth + 1)
        self.out += [depth, "then "]
        self.expr(expr.then, _OR, expr.otherwise is not None, depth + 1)
        if expr.otherwise is not None:
            self.out += [depth, "else "]
            self.expr(expr.otherwise, _ANY, False, depth)

    def _quantified(self, expr: s.Quantified, depth: int) -> None:
        self.out.append(f"{expr.quantity} ")
        number = expr.number
        if number is not None:
            self.expr(number, _ATOM if _is_bare_number(number) else _ATOM + 1, True, depth)
            self.out.append(" ")
        self.phrase(expr.phrase, depth)
        if expr.has is not None:
            self.out.append(", has " if _ends_open(expr.phrase) else " has ")
            self.condition(expr.has, depth + 1)

    def _list(self, items: tuple[s.Expr, ...], depth: int) -> None:
        self.out.append("(")
        for index, item in enumerate(items):
            if index:
                self.out += [",", LIST_BREAK]
            self.expr(item, _ANY, index < len(items) - 1, depth + 1)
        self.out.append(")")

    # ---- phrases

    def phrase(self, phrase: s.Phrase, depth: int) -> None:
        self.out.append(_head(phrase.head))
        if phrase.alias is not None:
            self.out.append(f" as {phrase.alias}")
        if phrase.same:
            self.out.append(" with same " + " and same ".join(phrase.same))
        if phrase.where is not None:
            self.out += [TAIL_BREAK + depth, "where "]
            self.condition(phrase.where, depth + 1)
            if phrase.per is not None or phrase.scopes:
                self.out.append(",")
        if phrase.per is not None:
            words = f"{phrase.per.which} per " + " and per ".join(phrase.per.fields)
            self.out += [TAIL_BREAK + depth, words]
        before: s.Scope | None = None
        for scope in phrase.scopes:
            comma = "," if before is not None and _would_merge(before, scope) else ""
            self.out += [comma, TAIL_BREAK + depth]
            self._scope(scope, depth)
            before = scope

    def _scope(self, scope: s.Scope, depth: int) -> None:
        words: list[str] = [] if scope.kind == "in" else [scope.kind]
        if scope.interval is not None:
            words += ["in the", *([] if scope.which == "this" else [scope.which]), scope.interval]
        if scope.length is not None:
            words.append(format_expression(scope.length))
            if scope.backwards:
                words.append("earlier")
            elif scope.kind == "at least":
                words.append("later")
        self.out.append(" ".join(words))
        if scope.target is not None:
            self.out.append(" ")
            self.target(scope.target, depth)

    def target(self, phrase: s.Phrase, depth: int) -> None:
        if phrase == s.Phrase(phrase.head) and phrase.head.field is None:
            self.out.append(_head(phrase.head))
        else:
            self.out.append("(")
            self.phrase(phrase, depth + 1)
            self.out.append(")")


def _binding(expr: s.Expr) -> int:
    if isinstance(expr, s.Arithmetic):
        return _SUM if expr.sign in "+-" else _PRODUCT
    return _BINDING.get(type(expr), _ATOM)


def _ends_open(expr: s.Expr) -> bool:
    """Whether whatever is written after it would be taken for a part of it."""
    match expr:
        case s.If():
            return True
        case s.Phrase():
            return expr.where is not None and expr.per is None and not expr.scopes
        case s.Quantified():
            return expr.has is not None or _ends_open(expr.phrase)
        case s.Pick() | s.NextSeat():
            return _ends_open(expr.phrase)
        case _:
            return False


def _is_bare_number(expr: s.Expr) -> bool:
    if isinstance(expr, s.Name):
        return expr.owner is None
    return isinstance(expr, s.Literal) and expr.kind == "number"


def _looks_like_one_of(expr: s.Expr) -> bool:
    """A function called `one`: without brackets, `is one of` would begin a list of choices."""
    return isinstance(expr, s.Of) and expr.function == "one"


def _speaks_of_other_events(expr: s.Node) -> bool:
    if isinstance(expr, _TEMPORAL):
        return True
    return any(_speaks_of_other_events(part) for part in parts_of(expr))


def _would_merge(before: s.Scope, scope: s.Scope) -> bool:
    """Two scopes that would be read as one: `earlier` and `in the round`."""
    if scope.kind == "in":
        return before.kind in ("earlier", "later", "so far") and before.interval is None
    open_length = before.kind == "within" and not before.backwards
    return open_length and scope.kind in ("earlier", "later")


def _head(head: s.Head) -> str:
    names = ", ".join(head.events)
    events = f"any of ({names})" if head.any_of else names
    return events if head.field is None else f"{events}.{head.field}"
