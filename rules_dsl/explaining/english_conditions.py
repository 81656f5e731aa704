"""Says conditions in plain English: comparisons, lists of conditions, and what events there are.

Each can be said as it is (`its seat is 1`) or as a demand (`its seat must be 1`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules_dsl import core
from rules_dsl.conditions import OPPOSITE, both_ends, choices, is_type_test
from rules_dsl.explaining.english_names import article, in_words, listed
from rules_dsl.explaining.english_phrases import Noun, Speaker, Speech, events_said

_SIGNS = {
    "=": "",
    "<": "less than ",
    "<=": "at most ",
    ">": "more than ",
    ">=": "at least ",
}
_MOMENTS = {"<": "before ", "<=": "no later than ", ">": "after ", ">=": "no earlier than "}
_RANKS = {
    "<": "ranked below ",
    "<=": "ranked no higher than ",
    ">": "ranked above ",
    ">=": "ranked no lower than ",
}


def _is(must: bool, negated: bool = False) -> str:
    if negated:
        return "must not be" if must else "is not"
    return "must be" if must else "is"


# ---- conditions on values ------------------------------------------------------------------


def _compare(english: Speaker, expr: core.Compare, speech: Speech, must: bool) -> str:
    if is_type_test(expr) and isinstance(expr.left, core.Field):
        # Written by nobody: it comes from `any of (a_group, an_event)`.
        name = expr.right.text if isinstance(expr.right, core.Const) else ""
        return f"{speech.event(expr.left.var)} is {article(english.names.event(name))}"
    if isinstance(expr.left, core.ReadingValue) and isinstance(expr.right, core.Const):
        return _read_as(english, expr.left, expr.right, expr.sign == "!=", speech)
    left, right = english.value(expr.left, speech), english.value(expr.right, speech)
    if isinstance(expr.right, core.Const) and expr.right.kind == "none":
        if expr.sign == "=":
            return f"{left} {'must not exist' if must else 'does not exist'}"
        return f"{left} {'must exist' if must else 'exists'}"
    if expr.sign in ("=", "!=") and not isinstance(expr.right, core.Const):
        if expr.sign == "=":
            return f"{left} {'must equal' if must else 'equals'} {right}"
        return f"{left} {'must differ' if must else 'differs'} from {right}"
    if expr.sign == "!=":
        return f"{left} {_is(must, True)} {right}"
    kind = getattr(expr.left, "kind", "")
    words = _MOMENTS if kind in ("time", "date") else _RANKS if expr.order else {}
    return f"{left} {_is(must)} {words.get(expr.sign) or _SIGNS[expr.sign]}{right}"


def _read_as(
    english: Speaker, left: core.ReadingValue, right: core.Const, negated: bool, speech: Speech
) -> str:
    """Which reading of a doubtful passage the profile has chosen, with what it says."""
    found = english.rulebook.interpretations.get(left.name)
    readings = found.readings if found is not None else ()
    texts = [reading.text for reading in readings if reading.name == right.text and reading.text]
    means = f" (“{texts[0]}”)" if texts else ""
    subject = english.said(left, speech)
    return f"{subject} {_is(False, negated)} “{in_words(right.text)}”{means}"


def _recorded(english: Speaker, expr: core.Recorded, speech: Speech, must: bool) -> str:
    return f"{english.value(expr.value, speech)} {_is(must, not expr.known)} recorded"


def _about(english: Speaker, expr: core.About, speech: Speech, must: bool) -> str:
    parts = (expr.value, expr.target, expr.tolerance)
    value, target, tolerance = (english.value(part, speech) for part in parts)
    share = " of it" if expr.relative else ""
    return f"{value} {_is(must)} {target}, give or take {tolerance}{share}"


def _if(english: Speaker, expr: core.If, speech: Speech, must: bool) -> str:
    condition = english.holds(expr.condition, speech)
    then, otherwise = (english.holds(e, speech, must=must) for e in (expr.then, expr.otherwise))
    return f"if {condition}, then {then}, otherwise {otherwise}"


def _and(english: Speaker, expr: core.And, speech: Speech, must: bool) -> str:
    between = _between(english, expr, speech, _is(must))
    if between:
        return between
    said = [_bracketed(part, english.holds(part, speech, must=must)) for part in expr.parts]
    return " and ".join(said)


def _or(english: Speaker, expr: core.Or, speech: Speech, must: bool) -> str:
    choice = _one_of(english, expr, speech, _is(must))
    if choice:
        return choice
    implication = as_implication(expr)
    if implication is not None:
        condition, then = implication
        if_said = english.holds(condition, speech)
        return f"if {if_said}, then {english.holds(then, speech, must=must)}"
    said = [_bracketed(part, english.holds(part, speech, must=must)) for part in expr.parts]
    return f"either {' or '.join(said)}"


def _bracketed(expr: core.Expr, text: str) -> str:
    simple = both_ends(expr) or choices(expr)
    return f"({text})" if isinstance(expr, core.And | core.Or) and not simple else text


def as_implication(expr: core.Or) -> tuple[core.Expr, core.Expr] | None:
    """`not a, or b` is said as `if a, then b`."""
    if len(expr.parts) == 2 and isinstance(expr.parts[0], core.Not):
        return expr.parts[0].part, expr.parts[1]
    return None


def _between(english: Speaker, expr: core.Expr, speech: Speech, verb: str) -> str:
    ends = both_ends(expr)
    if ends is None:
        return ""
    low, high = (english.value(end.right, speech) for end in ends)
    left = english.value(ends[0].left, speech)
    return f"{left} {verb} between {low} and {high} (both included)"


def _one_of(english: Speaker, expr: core.Expr, speech: Speech, verb: str) -> str:
    tests = choices(expr)
    if not tests or any(map(is_type_test, tests)):
        return ""
    values = listed([english.value(test.right, speech) for test in tests], "or")
    return f"{english.value(tests[0].left, speech)} {verb} {values}"


def _not(english: Speaker, expr: core.Not, speech: Speech, must: bool) -> str:
    part = expr.part
    if isinstance(part, core.Not):
        return english.holds(part.part, speech, must=must)
    turned = opposite(part)
    if turned is not None:
        return english.holds(turned, speech, must=must)
    verb = _is(must, True)
    said = _between(english, part, speech, verb) or _one_of(english, part, speech, verb)
    if said:
        return said
    if type(part) not in CONDITIONS:
        return f"{english.said(part, speech)} {_is(must)} no"
    be = "must not be" if must else "is not"
    return f"it {be} so that {english.holds(part, speech)}"


def opposite(expr: core.Expr) -> core.Expr | None:
    """The same condition turned round, where that is simple to say."""
    if isinstance(expr, core.Compare):
        return core.Compare(OPPOSITE[expr.sign], expr.left, expr.right, expr.order)
    if isinstance(expr, core.HowMany) and isinstance(expr.number, core.Const):
        number = expr.number.text
        if expr.bound != "exactly" and number.isdecimal():
            more = expr.bound == "at most"
            bound: core.Bound = "at least" if more else "at most"
            turned = core.Const("number", str(int(number) + (1 if more else -1)))
            return core.HowMany(bound, turned, expr.events) if turned.text != "-1" else None
    return None


# ---- conditions on events ------------------------------------------------------------------


def _how_many(english: Speaker, expr: core.HowMany, speech: Speech, must: bool) -> str:
    noun = events_said(expr.events, speech, english, expr)
    return f"{quantity_said(english, expr, speech, noun, must)}{noun.rest}"


def quantity_said(
    english: Speaker, expr: core.HowMany, speech: Speech, noun: Noun, must: bool
) -> str:
    """How many events there are, and of which types; without where, and without conditions."""
    number = expr.number
    plain = number.text if isinstance(number, core.Const) else None
    if (expr.bound, plain) == ("at least", "1"):
        return f"{'there must be' if must else 'there is'} {article(noun.name)}"
    if (expr.bound, plain) == ("at most", "0"):
        return f"{'there must be' if must else 'there is'} no {noun.name}"
    bound: str = expr.bound
    if isinstance(number, core.Arithmetic) and number.right.place is None:
        # `more than x` is at least x plus 1, and `fewer than x` at most x minus 1.
        bound = "more than" if number.sign == "+" else "fewer than"
        number = number.left
    single = plain == "1"
    are = "there must be" if must else "there is" if single else "there are"
    if single and noun.plural.startswith(noun.name):
        events = f"{noun.name} event"
    else:
        events = noun.name if single else noun.plural
    return f"{are} {bound} {english.value(number, speech)} {events}"


def _every(english: Speaker, expr: core.Every, speech: Speech, must: bool) -> str:
    noun = events_said(expr.events, speech, english, expr)
    condition = english.holds(expr.condition, noun.inside, must=must)
    return f"for each {noun.name}{noun.rest}, {condition}"


def _in_order(english: Speaker, expr: core.InOrder, speech: Speech, must: bool) -> str:
    noun = events_said(expr.events, speech, english, expr)
    value = english.said(expr.value, noun.inside).removeprefix("its ")
    start = ""
    if expr.start is not None:
        start = f", counted from {english.value(expr.start, speech)}"
    go = "must go" if must else "go"
    seats = f"the {value}s of the {noun.many}, one after the other,"
    return f"{seats} {go} {expr.direction} round the table{start}"


CONDITIONS: dict[type, Callable[[Speaker, Any, Speech, bool], str]] = {
    core.Compare: _compare,
    core.Recorded: _recorded,
    core.About: _about,
    core.If: _if,
    core.And: _and,
    core.Or: _or,
    core.Not: _not,
    core.HowMany: _how_many,
    core.Every: _every,
    core.InOrder: _in_order,
}
