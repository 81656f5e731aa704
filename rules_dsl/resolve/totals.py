"""Resolves one value out of many events: counts, sums, hands of cards, first and last, seats."""

from __future__ import annotations

from collections.abc import Callable

from event_schemas import CARD, FLAG, MONEY, NUMBER, SEAT, Kind
from rules_dsl import core, syntax
from rules_dsl.diagnostics import listed
from rules_dsl.functions import OF_CARDS
from rules_dsl.resolve import comparisons
from rules_dsl.resolve.kinds import described, has_order, same, summable
from rules_dsl.resolve.names import ANY, BROKEN, Alias, Typed, View
from rules_dsl.resolve.resolver import Resolver
from rules_dsl.resolve.unknown import own_fields


def aggregate(r: Resolver, expr: syntax.Of, phrase: syntax.Phrase, view: View) -> Typed:
    """A count, a sum, a smallest, largest, average or median value."""
    found = r.phrases.events(phrase, view)
    if found is None:
        return BROKEN
    name, field_name = expr.function, phrase.head.field
    if name == "count" and not expr.distinct:
        if field_name is not None:
            return r.report(
                "not-a-value",
                f"`count of` counts events, not the field `{field_name}`.",
                r.desk.spot(view.file, phrase.head.span, field_name, after="."),
                view,
                f"write `count of distinct {r.text(phrase.head, view)}`, "
                f"or leave out `.{field_name}`",
            )
        value = core.Aggregate("count", found.events, None, "number", place=r.place(expr, view))
        return Typed(value, NUMBER)
    if expr.distinct and name != "count":
        return r.report(
            "unknown-function",
            f"`distinct` goes with `count of`, not with `{name} of`.",
            r.desk.spot(view.file, expr.span, "distinct"),
            view,
            "leave out `distinct`",
        )
    if found.value is None:
        fits = {"sum": summable, "average": _averaged, "median": _averaged}
        return _needs_field(r, phrase, view, fits.get(name, _any_kind))
    kind = found.value.kind
    if name == "sum" and not summable(kind):
        return _not_for(r, phrase, view, kind, "cannot be added up")
    if name in ("average", "median") and not _averaged(kind):
        return _not_for(r, phrase, view, kind, f"has no {name}")
    # A list of words has a first and a last, a text or a card has not.
    if name in ("smallest", "largest") and not has_order(kind):
        return _not_for(r, phrase, view, kind, "has no smallest and largest")
    function = "distinct" if expr.distinct else name
    result = NUMBER if expr.distinct else kind
    value = core.Aggregate(
        function,
        found.events,
        found.value.core,
        result.name,
        comparisons.order_of(result),
        place=r.place(expr, view),
    )
    return Typed(value, result)


def _averaged(kind: Kind) -> bool:
    """Numbers and amounts of money are divided exactly; nothing else has an average."""
    return kind in (NUMBER, MONEY, ANY)


def _not_for(r: Resolver, phrase: syntax.Phrase, view: View, kind: Kind, why: str) -> Typed:
    name = phrase.head.field or ""
    span = r.desk.spot(view.file, phrase.head.span, name, after=".")
    message = f"`{name}` is {described(kind)}, which {why}."
    return r.report("type-mismatch", message, span, view)


def of_cards(r: Resolver, expr: syntax.Of, phrase: syntax.Phrase, view: View) -> Typed:
    """A hand's total or rank, from the cards of some events."""
    found = r.phrases.events(phrase, view)
    if found is None:
        return BROKEN
    if found.value is None:
        return _needs_field(r, phrase, view, lambda kind: kind == CARD)
    if found.value.kind not in (CARD, ANY):
        return comparisons.mismatch(r, phrase.head, found.value.kind, CARD, view)
    kind = OF_CARDS[expr.function].gives
    value = core.Aggregate(
        expr.function,
        found.events,
        found.value.core,
        kind.name,
        place=r.place(expr, view),
    )
    return Typed(value, kind)


def no_events(r: Resolver, expr: syntax.Of, view: View) -> Typed:
    """`sum of` and its like, followed by something that is not a number of events."""
    argument = expr.argument
    bound = None
    unnamed = isinstance(argument, syntax.Phrase) and not argument.head.events
    if isinstance(argument, syntax.Name | syntax.Phrase) and not unnamed:
        head = argument.head.events[0] if isinstance(argument, syntax.Phrase) else None
        word = head or (argument.owner or argument.name)  # type: ignore[union-attr]
        bound = view.names.get(word)
        plain = isinstance(argument, syntax.Name) and argument.owner is None
        is_value = plain and comparisons.is_known(r, word, view)
        if bound is None and not is_value:
            if not r.desk.symbols.excused(word):
                span = r.desk.spot(view.file, argument.span, word)
                r.phrases.report_unknown_event(word, span, view)
            return BROKEN
    what = "one event" if isinstance(bound, Alias) else "one value"
    return r.report(
        "not-a-value",
        f"`{expr.function} of` takes many events, and `{r.text(argument, view)}` is {what}.",
        argument.span,
        view,
        f"name the events, as in `{expr.function} of wager_placed"
        f"{'' if expr.function == 'count' else '.amount'} so far`",
    )


def _any_kind(kind: Kind) -> bool:
    return True


def _needs_field(
    r: Resolver,
    phrase: syntax.Phrase,
    view: View,
    fits: Callable[[Kind], bool] = _any_kind,
) -> Typed:
    name = r.text(phrase.head, view)
    types = r.phrases.types_of(phrase.head, view)
    fields = [
        field
        for field in own_fields(r.desk, r.phrases.fields_of(types))
        if fits(r.phrases.field_kind(field, types) or ANY)
    ]
    # Money is what is asked for most.
    fields.sort(key=lambda field: r.phrases.field_kind(field, types) != MONEY)
    return r.report(
        "missing-field",
        f"It is not said which field of `{name}` is meant.",
        phrase.head.span,
        view,
        f"write {listed([f'{name}.{field}' for field in fields])}" if fields else "",
    )


# ---- first and last ------------------------------------------------------------------------


def pick(r: Resolver, expr: syntax.Pick, view: View, expect: Kind | None) -> Typed:
    """The value of one event among some: `previous dealer_arrived.dealer`."""
    default = {"previous": "past", "next": "future"}.get(expr.which)
    found = r.phrases.events(expr.phrase, view, default)
    if found is None:
        return BROKEN
    if found.value is None:
        return _needs_field(r, expr.phrase, view)
    if default is not None and found.events.window.reach != default:
        scope = expr.phrase.scopes[0]
        ahead = expr.which == "next"
        return r.report(
            "mixed-scopes",
            f"`{expr.which}` looks {'ahead' if ahead else 'back'}, "
            f"but `{r.text(scope, view)}` does not.",
            scope.span,
            view,
            f"use `{'before' if ahead else 'since'}` or `{'later' if ahead else 'earlier'}`, "
            f"or write `first` or `last` instead of `{expr.which}`",
        )
    which = {"previous": "last", "next": "first"}.get(expr.which, expr.which)
    kind = found.value.kind
    value = core.Aggregate(
        which, found.events, found.value.core, kind.name, place=r.place(expr, view)
    )
    return Typed(value, kind)


# ---- order around the table ----------------------------------------------------------------


def next_seat(r: Resolver, expr: syntax.NextSeat, view: View, expect: Kind | None) -> Typed:
    """The next taken seat around the table."""
    start = r.value(expr.start, view, SEAT)
    if not same(start.kind, SEAT):
        comparisons.mismatch(r, expr.start, start.kind, SEAT, view)
    found = r.phrases.events(expr.phrase, view)
    if found is None:
        return BROKEN
    if found.value is None or not same(found.value.kind, SEAT):
        return _seats_needed(r, expr.phrase.head, view)
    value = core.NextSeat(
        expr.direction,
        start.core,
        found.events,
        found.value.core,
        place=r.place(expr, view),
    )
    return Typed(value, SEAT)


def goes(r: Resolver, expr: syntax.Goes, view: View, expect: Kind | None) -> Typed:
    """Seats taken in order around the table."""
    phrase = r.phrases.as_events(expr.phrase, view)
    if phrase is None:
        return _seats_needed(r, expr.phrase, view)
    found = r.phrases.events(phrase, view)
    start = None
    if expr.start is not None:
        typed = r.value(expr.start, view, SEAT)
        if not same(typed.kind, SEAT):
            comparisons.mismatch(r, expr.start, typed.kind, SEAT, view)
        start = typed.core
    if found is None:
        return BROKEN
    if found.value is None or not same(found.value.kind, SEAT):
        return _seats_needed(r, phrase.head, view)
    order = core.InOrder(
        found.events,
        found.value.core,
        expr.direction,
        start,
        place=r.place(expr, view),
    )
    return Typed(order, FLAG)


def _seats_needed(r: Resolver, node: syntax.Node, view: View) -> Typed:
    return r.report(
        "type-mismatch",
        f"Only seats stand in an order around the table, and `{r.text(node, view)}` "
        "does not name seats.",
        node.span,
        view,
        "name the seats of some events, such as `card_dealt.seat in the round`",
    )
