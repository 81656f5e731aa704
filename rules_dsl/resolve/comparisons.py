"""Resolves calculations and comparisons: two values must be of kinds that go together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from event_schemas import (
    CARD,
    DATE,
    DURATION,
    FLAG,
    MONEY,
    NUMBER,
    ODDS,
    PERCENT,
    SEAT,
    TEXT,
    TIME,
    Kind,
)
from event_schemas.cards import Card
from rules_dsl import core, syntax
from rules_dsl.resolve.kinds import (
    described,
    has_order,
    result_of,
    same,
    summable,
    tolerance_for,
)
from rules_dsl.resolve.names import ANY, BROKEN, NONE, Typed, View
from rules_dsl.resolve.resolver import Resolver
from rules_dsl.syntax import Span

_DIGITS = re.compile(r"[0-9]+(\.[0-9]+)?")


# ---- calculations --------------------------------------------------------------------------


def arithmetic(r: Resolver, expr: syntax.Arithmetic, view: View, expect: Kind | None) -> Typed:
    """Plain sums with exact numbers."""
    left = r.value(expr.left, view)
    right = r.value(expr.right, view)
    kind = result_of(expr.sign, left.kind, right.kind)
    if kind is None:
        words = {"+": "added to", "-": "taken from", "*": "multiplied by", "/": "divided by"}
        first, second = (right, left) if expr.sign == "-" else (left, right)
        sentence = f"{described(first.kind)} cannot be {words[expr.sign]} {described(second.kind)}."
        hint = ""
        if expr.sign in "+-" and right.kind == PERCENT and summable(left.kind):
            hint = _changed_by(r.text(expr.left, view), expr.sign, r.text(expr.right, view))
        elif expr.sign in "+-":
            hint = _rewrite(r.text(expr.right, view), right.kind, left.kind)
            hint = hint or _rewrite(r.text(expr.left, view), left.kind, right.kind)
        return r.report("type-mismatch", _capital(sentence), expr.span, view, hint)
    value = core.Arithmetic(expr.sign, left.core, right.core, place=r.place(expr, view))
    return Typed(value, kind)


def _changed_by(text: str, sign: str, share: str) -> str:
    """`original + 5%`: a value and a part of it."""
    number = share.rstrip("%")
    if not _DIGITS.fullmatch(number):
        return f"write `{text} {sign} {text} * {share}`"
    whole = Decimal(100) + Decimal(number) * (1 if sign == "+" else -1)
    return f"write `{text} * {whole.normalize():f}%`"


def rounding(r: Resolver, expr: syntax.Rounding, view: View, expect: Kind | None) -> Typed:
    """A value brought to a multiple of a unit."""
    value = r.value(expr.value, view)
    unit = r.value(expr.unit, view, value.kind)
    if not summable(value.kind):
        message = f"`{r.text(expr.value, view)}` is {described(value.kind)} and cannot be rounded."
        return r.report("type-mismatch", message, expr.value.span, view)
    if not same(value.kind, unit.kind):
        return mismatch(r, expr.unit, unit.kind, value.kind, view)
    rounded = core.Rounding(value.core, expr.way, unit.core, place=r.place(expr, view))
    return Typed(rounded, value.kind)


# ---- comparisons ---------------------------------------------------------------------------


def comparison(r: Resolver, expr: syntax.Comparison, view: View, expect: Kind | None) -> Typed:
    """Two values held against each other."""
    left, right = _pair(r, expr.left, expr.right, view)
    if not same(left.kind, right.kind):
        return mismatch(r, expr.right, right.kind, left.kind, view, expr.left)
    ordering = expr.sign not in ("=", "!=")
    if NONE in (left.kind, right.kind):
        problem = _with_none(r, expr, left, right, ordering, view)
        if problem is not None:
            return problem
    kind = left.kind if right.kind in (NONE, ANY) else right.kind
    unordered = [item.kind for item in (left, right) if not has_order(item.kind)]
    if ordering and unordered and ANY not in (left.kind, right.kind):
        return r.report(
            "type-mismatch",
            f"`{r.text(expr.left, view)}` is {described(unordered[0])}, and "
            f"{_no_order(unordered[0])}.",
            _between_span(r, expr, view),
            view,
            "write `is`, `is not` or `is one of (...)`",
        )
    place = r.place(expr, view)
    value = core.Compare(expr.sign, left.core, right.core, order_of(kind), place=place)
    return Typed(value, FLAG)


def _no_order(kind: Kind) -> str:
    if kind.enum is not None:
        return "these words have no order"
    return "one cannot be more or less than another"


def _between_span(r: Resolver, expr: syntax.Comparison, view: View) -> Span:
    """The words between the two values, such as `is at least`."""
    text = r.desk.sources[view.file].text
    start, end = expr.left.span.end, expr.right.span.start
    between = text[start:end].strip(" \n\t()")
    if start >= end or between in ("", "is"):
        return expr.span
    at = text.index(between, start)
    return Span(at, at + len(between))


def _with_none(
    r: Resolver,
    expr: syntax.Comparison,
    left: Typed,
    right: Typed,
    ordering: bool,
    view: View,
) -> Typed | None:
    """`none` says that there is no such event. A field of an event at hand is never none."""
    other, node, none = (left, expr.left, expr.right)
    if left.kind == NONE:
        other, node, none = (right, expr.right, expr.left)
    text = r.text(node, view)
    if ordering:
        return r.report("type-mismatch", "Nothing is more or less than `none`.", none.span, view,
                        f"write `{text} is none` or `{text} is not none`")  # fmt: skip
    if isinstance(node, syntax.Phrase | syntax.Quantified):
        return r.report("type-mismatch", f"`{text}` is a condition, and never `none`.",
                        none.span, view, f"write `no {text}`")  # fmt: skip
    written = isinstance(node, syntax.Name | syntax.Option)
    if isinstance(node, syntax.Name) and node.owner is None and node.name in view.names:
        written = False
    if written and isinstance(other.core, core.Field | core.OptionValue):
        never = expr.sign == "="
        r.report(
            "never-true" if never else "always-true",
            f"`{text}` is never `none`, which says that there is no such event.",
            none.span,
            view,
            f"write `{text} is {'missing' if never else 'known'}` to ask what the log records",
        )
    return None


def _pair(r: Resolver, left: syntax.Expr, right: syntax.Expr, view: View) -> tuple[Typed, Typed]:
    """Two values to be compared: each helps to understand bare words in the other."""
    if _is_bare_word(r, left, view) and not _is_bare_word(r, right, view):
        second = r.value(right, view)
        return r.value(left, view, second.kind), second
    first = r.value(left, view)
    return first, r.value(right, view, first.kind)


def _is_bare_word(r: Resolver, expr: syntax.Expr, view: View) -> bool:
    return isinstance(expr, syntax.Name) and expr.owner is None and not is_known(r, expr.name, view)


def is_known(r: Resolver, word: str, view: View) -> bool:
    """Whether a bare word has a value of its own, whatever it is compared with."""
    symbols = r.desk.symbols
    return (
        word in view.names
        or word in symbols.definitions
        or word in symbols.settings
        or r.phrases.field_kind(word, view.types) is not None
    )


def between(r: Resolver, expr: syntax.Between, view: View, expect: Kind | None) -> Typed:
    """A value from one bound to another, both included."""
    low = syntax.Comparison(">=", expr.value, expr.low, span=expr.span)
    high = syntax.Comparison("<=", expr.value, expr.high, span=expr.span)
    both = core.And(
        (comparison(r, low, view, None).core, comparison(r, high, view, None).core),
        place=r.place(expr, view),
    )
    return Typed(core.Not(both, place=both.place) if expr.negated else both, FLAG)


def one_of(r: Resolver, expr: syntax.OneOf, view: View, expect: Kind | None) -> Typed:
    """A value that is one of several."""
    parts = tuple(
        comparison(r, syntax.Comparison("=", expr.value, choice, span=choice.span), view, None).core
        for choice in expr.choices
    )
    either = core.Or(parts, place=r.place(expr, view))
    return Typed(core.Not(either, place=either.place) if expr.negated else either, FLAG)


def recorded(r: Resolver, expr: syntax.Recorded, view: View, expect: Kind | None) -> Typed:
    """Whether the log records a value at all."""
    value = r.value(expr.value, view)
    if isinstance(expr.value, syntax.Phrase) and value.kind == FLAG:
        text = r.text(expr.value, view)
        word = "known" if expr.known else "missing"
        return r.report(
            "not-a-value",
            f"`{word}` asks whether the log records a value, and `{text}` is a condition.",
            r.desk.spot(view.file, expr.span, word),
            view,
            f"write `{text}` alone" if expr.known else f"write `no {text}`",
        )
    return Typed(core.Recorded(value.core, expr.known, place=r.place(expr, view)), FLAG)


def about(r: Resolver, expr: syntax.About, view: View, expect: Kind | None) -> Typed:
    """Nearly equal, with the tolerance said."""
    value, target = _pair(r, expr.value, expr.target, view)
    tolerance = r.value(expr.tolerance, view)
    if not same(value.kind, target.kind):
        return mismatch(r, expr.target, target.kind, value.kind, view, expr.value)
    if value.kind == ANY:
        return BROKEN
    wanted = tolerance_for(value.kind)
    if wanted is None:
        what = f"`{r.text(expr.value, view)}` is {described(value.kind)}"
        message = f"{what}, which has no near and far."
        return r.report("type-mismatch", message, expr.value.span, view, "write `is`")
    relative = tolerance.kind == PERCENT and value.kind not in (PERCENT, TIME, DATE)
    if not relative and not same(tolerance.kind, wanted):
        return mismatch(r, expr.tolerance, tolerance.kind, wanted, view)
    near = core.About(value.core, target.core, tolerance.core, relative, place=r.place(expr, view))
    return Typed(near, FLAG)


def order_of(kind: Kind) -> tuple[str, ...]:
    """The words of a list from lowest to highest, if it has an order."""
    return kind.enum.values if kind.enum is not None and kind.enum.ordered else ()


# ---- comparisons that were left out --------------------------------------------------------


def is_forgotten(r: Resolver, before: syntax.Comparison, part: syntax.Expr, view: View) -> bool:
    """`by_role is floorperson or pit_boss`: the second word is meant to be compared too."""
    if isinstance(part, syntax.Literal):
        return part.kind not in ("flag", "none")
    if not isinstance(part, syntax.Name) or part.owner is not None:
        return False
    if _is_bare_word(r, part, view):
        return not r.phrases.is_events(part.name, view) and not view.unseen
    count = len(r.desk.diagnostics)
    left = r.value(before.left, view)
    del r.desk.diagnostics[count:]
    return left.kind.enum is not None and part.name in left.kind.enum.values


def report_forgotten(
    r: Resolver,
    before: syntax.Comparison | None,
    parts: Sequence[syntax.Expr],
    view: View,
) -> None:
    """Say once how the values after a comparison were probably meant."""
    if before is None or not parts:
        return
    words = [r.text(part, view) for part in (before.right, *parts)]
    r.report(
        "not-a-condition",
        f"`{words[1]}` alone is not a condition.",
        parts[0].span,
        view,
        f"write `{r.text(before.left, view)} is one of ({', '.join(words)})`",
    )


# ---- what does not fit ---------------------------------------------------------------------


def mismatch(
    r: Resolver,
    expr: syntax.Node,
    found: Kind,
    wanted: Kind,
    view: View,
    against: syntax.Expr | None = None,
) -> Typed:
    """Two values, or a value and its place, that are of different kinds."""
    if ANY in (found, wanted):
        return BROKEN
    text = r.text(expr, view)
    other = ""
    if against is not None:
        other = r.text(against, view)
        message = f"`{other}` is {described(wanted)}, but `{text}` is {described(found)}."
    else:
        message = f"`{text}` is {described(found)}, but {described(wanted)} is needed here."
    hint = _rewrite(text, found, wanted) or (_rewrite(other, wanted, found) if other else "")
    if not hint and isinstance(against, syntax.Name) and against.owner is None:
        hint = _field_of_kind(r, found, view)
    if isinstance(against, syntax.Phrase) and found == NUMBER:
        hint = f"write `count of {other}`"
    return r.report("type-mismatch", message, expr.span, view, hint)


def _field_of_kind(r: Resolver, kind: Kind, view: View) -> str:
    """The one field of the event in hand that is of this kind, if there is just one."""
    fields = r.phrases.fields_of(view.types)
    fitting = [name for name in fields if r.phrases.field_kind(name, view.types) == kind]
    return f"did you mean `{fitting[0]}`?" if len(fitting) == 1 and kind.enum is None else ""


def _rewrite(text: str, found: Kind, wanted: Kind) -> str:
    """How a value of the wrong kind was probably meant."""
    plain = _DIGITS.fullmatch(text.strip('"$%'))
    if plain and found in (NUMBER, MONEY, PERCENT, TEXT):
        number = plain.group()
        forms = {
            NUMBER: f"write `{number}`",
            SEAT: f"write `{number}`",
            MONEY: f"write `${number}`",
            DURATION: f"write `{number} minutes` or `{number} seconds`",
            PERCENT: f"write `{number}%`",
            ODDS: "" if "." in number else f"write `{number} to 1`",
            TEXT: f'write `"{number}"`',
        }
        return forms.get(wanted, "")
    if (found, wanted) == (TEXT, CARD):
        plain_text = text.strip('"')
        try:
            return f"write `{Card.parse(plain_text)}`"
        except ValueError:
            return ""
    if (found, wanted) == (TIME, DATE):
        return f"write `date of {text}`"
    if {found, wanted} == {TIME, DURATION}:
        return "for the time between two events, write `ts - previous card_dealt.ts` or the like"
    return ""


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
