"""Says values in plain English: fields, options, sums, totals, entries of tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules_dsl import core
from rules_dsl.explaining.english_names import in_words
from rules_dsl.explaining.english_phrases import Speaker, Speech, events_said

_ARITHMETIC = {"+": "plus", "-": "minus", "*": "times", "/": "divided by"}
_ROUNDED = {
    "up": "rounded up to a multiple of",
    "down": "rounded down to a multiple of",
    "nearest": "rounded to the nearest multiple of",
}
_FUNCTIONS = {
    "rank": "the rank of {}",
    "suit": "the suit of {}",
    "color": "the colour of {}",
    "pip_value": "the pip value of {}",
    "date": "the date of {}",
    "hour": "the hour of {}",
    "size": "the number of cards in {}",
    "larger": "the larger of {} and {}",
    "smaller": "the smaller of {} and {}",
}
WHETHER = "whether "
_OF_HANDS = {
    "blackjack_total": "the blackjack total (an ace counts 11 unless that passes 21)",
    "hard_total": "the blackjack total with every ace as 1",
    "is_soft": f"{WHETHER}an ace counts 11 in the blackjack total",
    "baccarat_points": "the baccarat points",
    "poker_rank": "the best poker hand",
    "low_poker_rank": "the best low poker hand",
    "poker_class": "the class of the poker hand",
}
_OF_MANY = {
    "sum": "the sum of the {value} of all {events}",
    "distinct": "how many different values the {value} has in {events}",
    "smallest": "the smallest {value} of all {events}",
    "largest": "the largest {value} of all {events}",
    "average": "the average of the {value} of all {events}",
    "median": "the median of the {value} of all {events}",
    "count": "the number of {events}",
}


def _const(english: Speaker, expr: core.Const, speech: Speech) -> str:
    if expr.kind == "text":
        return f"“{expr.text}”"
    return in_words(expr.text)


def _field(english: Speaker, expr: core.Field, speech: Speech) -> str:
    return f"{speech.owner(expr.var)} {english.names.field(expr.name)}"


def _option(english: Speaker, expr: core.OptionValue, speech: Speech) -> str:
    when = "" if expr.at == core.TRIGGER else f" at the time of {speech.called_by(expr.at)}"
    return f"the table's option {english.names.quoted(expr.name)}{when}"


def _reading(english: Speaker, expr: core.ReadingValue, speech: Speech) -> str:
    found = english.rulebook.interpretations.get(expr.name)
    title = "" if found is None else found.title
    return f"the chosen reading of {english.names.titled(expr.name, title)}"


def _setting(english: Speaker, expr: core.SettingValue, speech: Speech) -> str:
    setting = english.rulebook.settings.get(expr.name)
    now = f" (now {setting.value.text})" if setting is not None else ""
    return f"the setting {english.names.quoted(expr.name)}{now}"


def _arithmetic(english: Speaker, expr: core.Arithmetic, speech: Speech) -> str:
    left, right = english.value(expr.left, speech), english.value(expr.right, speech)
    return f"{left} {_ARITHMETIC[expr.sign]} {right}"


def _rounding(english: Speaker, expr: core.Rounding, speech: Speech) -> str:
    value, unit = english.value(expr.value, speech), english.value(expr.unit, speech)
    return f"{value} {_ROUNDED[expr.way]} {unit}"


def _apply(english: Speaker, expr: core.Apply, speech: Speech) -> str:
    arguments = [english.said(argument, speech) for argument in expr.arguments]
    form = _FUNCTIONS.get(expr.function) or f"{_OF_HANDS[expr.function]} of {{}}"
    return form.format(*arguments)


def _lookup(english: Speaker, expr: core.Lookup, speech: Speech) -> str:
    table = english.rulebook.tables.get(expr.table)
    title = "" if table is None else table.title
    keys = [english.said(key, speech) for key in expr.keys]
    places = [f"in the row for {keys[0]}", *(f"the column for {key}" for key in keys[1:])]
    name = english.names.titled(expr.table, title)
    return f"what the table {name} says {' and '.join(places)}"


def _choice(english: Speaker, expr: core.If, speech: Speech) -> str:
    condition = english.holds(expr.condition, speech)
    then, otherwise = english.said(expr.then, speech), english.said(expr.otherwise, speech)
    return f"(if {condition}: {then}; otherwise: {otherwise})"


# ---- values taken from events --------------------------------------------------------------


def _aggregate(english: Speaker, expr: core.Aggregate, speech: Speech) -> str:
    noun = events_said(expr.events, speech, english, expr)
    value = "" if expr.value is None else english.said(expr.value, noun.inside).removeprefix("its ")
    if expr.function in _OF_MANY:
        return _OF_MANY[expr.function].format(value=value, events=noun.many)
    if expr.function in _OF_HANDS:
        return f"{_OF_HANDS[expr.function]} made of the {value} of all {noun.many}"
    which = expr.function
    if which == "last" and expr.events.window.reach == "past":
        which = "latest"
    elif which == "first" and expr.events.window.reach == "future":
        which = "next"
    return f"the {value} of the {which} {noun.name}{noun.rest}"


def _next_seat(english: Speaker, expr: core.NextSeat, speech: Speech) -> str:
    noun = events_said(expr.events, speech, english, expr)
    value = english.said(expr.value, noun.inside).removeprefix("its ")
    start = english.value(expr.start, speech)
    among = f"the {value} of one of the {noun.many}"
    return f"the first seat {expr.direction} after {start} that is {among}"


VALUES: dict[type, Callable[[Speaker, Any, Speech], str]] = {
    core.Const: _const,
    core.Field: _field,
    core.OptionValue: _option,
    core.ReadingValue: _reading,
    core.SettingValue: _setting,
    core.Arithmetic: _arithmetic,
    core.Rounding: _rounding,
    core.Apply: _apply,
    core.Lookup: _lookup,
    core.If: _choice,
    core.Aggregate: _aggregate,
    core.NextSeat: _next_seat,
}
