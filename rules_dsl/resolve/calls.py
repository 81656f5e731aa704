"""Resolves what is read with arguments: definitions, tables of the law, and functions."""

from __future__ import annotations

from collections.abc import Sequence

from event_schemas import CARD, CARDS, FLAG, NUMBER, PLAIN_KINDS, RANK, SUIT, Kind
from event_schemas.cards import Card, Rank, Suit
from event_schemas.limits import MOST_EXPANSIONS
from rules_dsl import core, syntax
from rules_dsl.diagnostics import listed, nearest
from rules_dsl.functions import AGGREGATES, OF_CARDS, POINTWISE
from rules_dsl.resolve import comparisons, totals
from rules_dsl.resolve.kinds import described, has_order, same, words_of
from rules_dsl.resolve.names import ANY, BROKEN, Typed, Use, View
from rules_dsl.resolve.resolver import Resolver

# ---- definitions ---------------------------------------------------------------------------


def expand(
    r: Resolver, name: str, arguments: tuple[Typed, ...], expr: syntax.Expr, view: View
) -> Typed:
    """A definition written out at the event in hand."""
    declared = r.desk.symbols.definitions[name]
    r.desk.symbols.used.add(("definition", name))
    chain = [use.name for use in r.expanding]
    span = r.desk.spot(view.file, expr.span, name)
    if name in chain:
        return r.report("circular-definition", _circle(name, chain), span, view,
                        "a definition may only use others that do not lead back to it")  # fmt: skip
    parameters = declared.node.parameters
    if len(parameters) != len(arguments):
        return _wrong_number(r, f"`{name}`", parameters, len(arguments), expr, view, name)
    key = (name, view.var, view.types, view.fresh, tuple(a.core for a in arguments))
    known = r.memo.get(key)
    r.expansions += 1 if known is None else known[1]
    if r.expansions > MOST_EXPANSIONS:
        return too_complex(r, expr, view)
    if known is not None:
        return known[0]
    before = r.expansions
    inner = view.only(dict(zip(parameters, arguments, strict=True)), declared.file)
    r.expanding.append(Use(name, span, view))
    try:
        result = r.value(declared.node.body, inner)
    finally:
        r.expanding.pop()
    r.memo[key] = (result, 1 + r.expansions - before)
    return result


def _circle(name: str, chain: list[str]) -> str:
    between = chain[chain.index(name) + 1 :]
    by_way = f", by way of {' and '.join(f'`{other}`' for other in between)}" if between else ""
    return f"`{name}` is defined by itself{by_way}."


def too_complex(r: Resolver, expr: syntax.Expr, view: View) -> Typed:
    """Say once, where the rule itself begins to use definitions, that they are too large."""
    for name in r.desk.symbols.definitions:
        r.desk.symbols.used.add(("definition", name))
    span, place = (r.expanding[0].span, r.expanding[0].view) if r.expanding else (expr.span, view)
    return r.report(
        "too-complex",
        f"`{r.desk.quoted(place.file, span)}` is too large once all definitions are written out.",
        span,
        place,
        "split it into several requirements, or use fewer definitions inside definitions",
    )


def _wrong_number(
    r: Resolver,
    what: str,
    parameters: tuple[str, ...],
    given: int,
    expr: syntax.Expr,
    view: View,
    name: str,
) -> Typed:
    wanted = len(parameters)
    takes = "no values" if wanted == 0 else "one value" if wanted == 1 else f"{wanted} values"
    found = "none is" if given == 0 else "one is" if given == 1 else f"{given} are"
    return r.report(
        "wrong-arguments",
        f"{what} takes {takes}, but {found} given.",
        expr.span,
        view,
        f"write `{name}({', '.join(parameters)})`" if parameters else f"write `{name}` alone",
    )


# ---- calls ---------------------------------------------------------------------------------


def call(r: Resolver, expr: syntax.Call, view: View, expect: Kind | None) -> Typed:
    """A name with arguments in brackets."""
    symbols = r.desk.symbols
    if expr.name in symbols.tables:
        return _lookup(r, expr, view)
    if expr.name in symbols.definitions:
        arguments = tuple(r.value(argument, view) for argument in expr.arguments)
        return expand(r, expr.name, arguments, expr, view)
    if expr.name in POINTWISE:
        return _apply(r, expr.name, expr.arguments, expr, view)
    if symbols.excused(expr.name):
        return BROKEN
    if expr.name in AGGREGATES or expr.name in OF_CARDS:
        return r.report(
            "unknown-function",
            f"`{expr.name}` is followed by `of`, not by brackets.",
            r.desk.spot(view.file, expr.span, expr.name),
            view,
            f"write `{expr.name} of ...`",
        )
    return r.report(
        "unknown-function",
        f"`{expr.name}` is neither a definition, a table nor a function.",
        r.desk.spot(view.file, expr.span, expr.name),
        view,
        nearest(expr.name, [*symbols.tables, *symbols.definitions, *POINTWISE]),
    )


def _lookup(r: Resolver, expr: syntax.Call, view: View) -> Typed:
    r.desk.symbols.used.add(("table", expr.name))
    table = r.desk.symbols.tables[expr.name]
    heads = [(table.row_kind, table.rows)]
    if table.columns:
        heads.append((table.column_kind, table.columns))
    if len(heads) != len(expr.arguments):
        names = ("row", "column")[: len(heads)]
        return _wrong_number(
            r, f"The table `{expr.name}`", names, len(expr.arguments), expr, view, expr.name
        )
    keys = tuple(
        _key(r, expr.name, name, head, argument, view)
        for (name, head), argument in zip(heads, expr.arguments, strict=True)
    )
    value_kind = PLAIN_KINDS[table.value_kind]
    if table.value_kind == "text":
        cells = [cell for row in table.cells for cell in row if cell != "none"]
        value_kind = words_of(expr.name, cells)
    return Typed(core.Lookup(expr.name, keys, place=r.place(expr, view)), value_kind)


def _key(
    r: Resolver,
    table: str,
    name: str,
    head: tuple[core.TableKey, ...],
    argument: syntax.Expr,
    view: View,
) -> core.Expr:
    """What a table is read with: a number, or something whose words stand in the table's head."""
    wanted = NUMBER if name == "number" else words_of(table, [key.low for key in head])
    typed = r.value(argument, view, wanted)
    fits = same(typed.kind, wanted)
    if name != "number":
        # Ranks, cards and the like are looked up by what they are called.
        fits = fits or typed.kind in (CARD, RANK, SUIT, FLAG)
    if not fits:
        if typed.kind.enum is not None and wanted.enum is not None:
            r.report(
                "type-mismatch",
                f"`{r.text(argument, view)}` is {described(typed.kind)}, "
                f"and none of these words stands in the table `{table}`.",
                argument.span,
                view,
                f"the table has {listed(wanted.enum.values, joined_by='and')}",
            )
        else:
            comparisons.mismatch(r, argument, typed.kind, wanted, view)
    return typed.core


# ---- functions -----------------------------------------------------------------------------


def of(r: Resolver, expr: syntax.Of, view: View, expect: Kind | None) -> Typed:
    """A function of one value or of many events: `rank of card`, `count of card_dealt ...`."""
    phrase = r.phrases.as_events(expr.argument, view)
    if phrase is None:
        return _of_value(r, expr, view)
    if expr.function in AGGREGATES:
        return totals.aggregate(r, expr, phrase, view)
    if expr.function in OF_CARDS:
        return totals.of_cards(r, expr, phrase, view)
    if expr.function in POINTWISE:
        return r.report(
            "not-a-value",
            f"`{expr.function} of` takes one value, and this may be several events.",
            phrase.head.span,
            view,
            f"begin with one of them: `{expr.function} of last {r.text(phrase.head, view)} ...`",
        )
    return _no_function(r, expr, view, [*AGGREGATES, *OF_CARDS])


def _of_value(r: Resolver, expr: syntax.Of, view: View) -> Typed:
    if expr.function in POINTWISE and len(POINTWISE[expr.function].takes) == 1:
        return _apply(r, expr.function, (expr.argument,), expr, view)
    if expr.function in OF_CARDS:
        typed = r.value(expr.argument, view, CARDS)
        if typed.kind not in (CARDS, ANY):
            return comparisons.mismatch(r, expr.argument, typed.kind, CARDS, view)
        value = core.Apply(expr.function, (typed.core,), place=r.place(expr, view))
        return Typed(value, OF_CARDS[expr.function].gives)
    if expr.function in AGGREGATES:
        return totals.no_events(r, expr, view)
    single = [name for name, function in POINTWISE.items() if len(function.takes) == 1]
    return _no_function(r, expr, view, [*single, *OF_CARDS])


def _card_in_words(expr: syntax.Of) -> str:
    """What `ace of spades` is in the letters that cards are printed with."""
    suit = expr.argument.name if isinstance(expr.argument, syntax.Name) else ""
    try:
        card = Card(Rank(expr.function), Suit(suit))
    except ValueError:
        return ""
    return f"write `{card}`"


def _no_function(r: Resolver, expr: syntax.Of, view: View, known: Sequence[str]) -> Typed:
    return r.report(
        "unknown-function",
        f"There is no function `{expr.function} of`.",
        r.desk.spot(view.file, expr.span, expr.function),
        view,
        _card_in_words(expr)
        or nearest(expr.function, known)
        or f"there are {listed(known, 12, 'and')}",
    )


def _apply(
    r: Resolver,
    name: str,
    arguments: tuple[syntax.Expr, ...],
    expr: syntax.Expr,
    view: View,
) -> Typed:
    function = POINTWISE[name]
    if len(arguments) != len(function.takes):
        parameters = ("a", "b")[: len(function.takes)]
        return _wrong_number(r, f"`{name}`", parameters, len(arguments), expr, view, name)
    typed: list[Typed] = []
    for argument, wanted in zip(arguments, function.takes, strict=True):
        hint = wanted or (typed[0].kind if typed else None)
        item = r.value(argument, view, hint)
        if hint is not None and not same(item.kind, hint):
            return comparisons.mismatch(r, argument, item.kind, hint, view)
        # The words of a list are compared by their place in it, which `larger` does not know.
        if wanted is None and (item.kind.enum is not None or not has_order(item.kind)):
            return r.report(
                "type-mismatch",
                f"`{name}` is for numbers, money and times, and `{r.text(argument, view)}` "
                f"is {described(item.kind)}.",
                argument.span,
                view,
            )
        typed.append(item)
    value = core.Apply(name, tuple(t.core for t in typed), place=r.place(expr, view))
    return Typed(value, function.gives or typed[0].kind)
