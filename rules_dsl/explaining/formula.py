"""Writes a rule as a formula of metric first-order temporal logic, for those who check its meaning.

Notation. A log is a row of events; a formula holds at an event, which is called *now*. Inside an
operator that binds an event e, that event is now.

    e₀, e₁, ...        events: e₀ is the trigger, the others are bound by the operators below
    event(e₁)          e₁ is any event
    card_dealt(e₁)     e₁ is of this type; seat(e₁) is its field; shuffle@e₀ an option at that time
    ◆< e. φ            some event e before now makes φ true          (now is excluded)
    ◆≤ e. φ            some event e up to now makes φ true           (now is included)
    ◇> e. φ            some event e after now makes φ true           (now is excluded)
    ◈ e. φ             some event e, before, now or after, makes φ true
    ■<  ■≤  □>  ▣      the same, for all events e instead of some
    □ e₀. φ            every event e₀ of the log makes φ true
    φ S< e. ψ          some e before now makes ψ true, and φ holds at e and at all between e and now
    φ S≤ e. ψ          the same, or now itself is such an e (then φ is not asked)
    φ U> e. ψ          some e after now makes ψ true, and φ holds at e and at all between now and e
    [e: φ]             holds at an event when that event, as e, makes φ true
    @e φ               φ, with e as now
    ↾after e₁          only after the event e₁
    ↾round             only in the run of the interval around now (↾previous round, ↾next round)
    [0, 30 minutes]    no further from now than that; [30 minutes, ∞) at least so far; with a round
                       bracket the instant itself does not count: (30 minutes, ∞)
    count(e | φ)       how many events e make φ true; sum, first, last, ... (t | φ) take t from each
    latest⟨seat⟩ φ     of the events that make φ true, only the latest of each seat
    v₁ ≔ t             a value that occurs more than once, written out once
    known(t)           the log records t; missing(t): it does not; none: there is no such event
    ⌈t⌉u  ⌊t⌋u  ⌊t⌉u   t rounded up, down, or to the nearest multiple of u
    (φ ? t : u)        t if φ holds, else u; table⟦r, c⟧ is an entry of a printed table
    ∧ ∨ ¬ → ∀          and, or, not, if-then, for each

The log is finite: what a later event could still decide is open, and a comparison with a field that
the log does not record is neither true nor false.
"""

# The signs of logic are meant, not the letters that look like them.
# ruff: noqa: RUF001, RUF002

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rules_dsl import core
from rules_dsl.conditions import is_type_test
from rules_dsl.explaining.repeated_values import repeated_values

WIDTH = 96
_INDENT = "  "
_SIGNS = {"=": "=", "!=": "≠", "<": "<", "<=": "≤", ">": ">", ">=": "≥"}
_BOUNDS = {"at least": "≥", "at most": "≤", "exactly": "="}
_SOME = {"past": "◆<", "so far": "◆≤", "future": "◇>", "whole": "◈"}
_ALL = {"past": "■<", "so far": "■≤", "future": "□>", "whole": "▣"}
_TIMES = {"+": "+", "-": "−", "*": "·", "/": "/"}
_ROUNDED = {"up": ("⌈", "⌉"), "down": ("⌊", "⌋"), "nearest": ("⌊", "⌉")}
_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


@dataclass(frozen=True)
class Names:
    """The name of each event variable and of each value that has one, and which event is now."""

    events: Mapping[int, str]
    now: str
    values: Mapping[core.Expr, str] = field(default_factory=dict)

    def event(self, var: int) -> str:
        return self.events.get(var, "e")

    def binding(self, var: int) -> Names:
        """The same inside an operator that binds an event, which is now there."""
        name = "e" + _subscript(var)
        return replace(self, events={**self.events, var: name}, now=name)


_AT_TRIGGER = Names({core.TRIGGER: "e₀"}, "e₀")
_AT_ANOTHER = Names({core.TRIGGER: "e′"}, "e′")


def formula_of_edition(edition: core.Edition) -> str:
    """What an edition demands of every log, on several lines where it is long."""
    repeated = repeated_values(edition)
    values = {value: f"v{_subscript(n)}" for n, value in enumerate(repeated, start=1)}
    names = replace(_AT_TRIGGER, values=values)
    definitions = [
        f"{name} ≔ {_FORMULAS[type(value)](value, names)}\n" for value, name in values.items()
    ]
    before = [*_in_force(edition), *_trigger(edition.trigger, names)]
    before += [formula(part, names) for part in edition.only_if]
    demands = [formula(part.condition, names) for part in edition.requirements]
    demand = _joined("∧", demands)
    if edition.exemptions:
        excuses = [_excuse(exemption, names) for exemption in edition.exemptions]
        demand = _joined("∨", [_bracketed(demand), *excuses])
    body = _spread(_joined("∧", before), "→", demand)
    return f"{''.join(definitions)}{_slices(edition.slice)}□ e₀. {body}"


def formula(expr: core.Expr, names: Names | None = None) -> str:
    """One condition or value as a formula or term."""
    known = names or _AT_TRIGGER
    named = known.values.get(expr) if known.values else None
    return named or _FORMULAS[type(expr)](expr, known)


# ---- layout --------------------------------------------------------------------------------


def _joined(sign: str, parts: list[str]) -> str:
    """Formulas joined by a sign, each on its own line where they are too long for one."""
    if not parts:
        return "true" if sign == "∧" else "false"
    if len(parts) == 1:
        return parts[0]
    inner = [_bracketed(part) for part in parts]
    short = f" {sign} ".join(inner)
    if len(short) <= WIDTH and "\n" not in short:
        return short
    return f"\n{sign} ".join([inner[0], *(_indented(part) for part in inner[1:])])


def _spread(left: str, sign: str, right: str) -> str:
    left, right = _bracketed(left), _bracketed(right)
    short = f"({left} {sign} {right})"
    if len(short) <= WIDTH and "\n" not in short:
        return short
    return _bracketed(f"{left}\n{sign} {_indented(right)}", always=True)


def _bracketed(text: str, always: bool = False) -> str:
    """Brackets around a formula that is made of several."""
    if always or not _is_whole(text):
        if "\n" in text:
            return f"(\n{_INDENT}{_indented(text)}\n)"
        return f"({text})"
    return text


def _indented(text: str) -> str:
    return text.replace("\n", "\n" + _INDENT)


def _is_whole(text: str) -> bool:
    """Whether a formula needs no brackets: it has no sign outside of its own brackets."""
    depth = 0
    for index, character in enumerate(text):
        if character in "([{⟨⟦":
            depth += 1
        elif character in ")]}⟩⟧":
            depth -= 1
        elif depth == 0:
            after = text[index + 1 : index + 2]
            binds = character == "." and after == " "
            if character in "∧∨→\n" or binds or (character in "SU" and after in ("<", "≤", ">")):
                return False
    return True


# ---- the frame of a rule -------------------------------------------------------------------


def _slices(slice_: core.Slice) -> str:
    keys = [slice_.across, *slice_.keys]
    if slice_.interval is not None:
        keys.append(f"run of {slice_.interval}")
    return f"∀ {', '.join(keys)}: "


def _in_force(edition: core.Edition) -> list[str]:
    first = f"{edition.since} ≤ " if edition.since is not None else ""
    last = f" < {edition.until}" if edition.until is not None else ""
    return [f"{first}date(e₀){last}"] if first or last else []


def _trigger(trigger: core.Trigger, names: Names) -> list[str]:
    found = _pattern_parts(trigger.pattern, names)
    if trigger.ends is not None:
        found.append(f"ends_{trigger.ends}(e₀)")
    if trigger.since is not None:
        again = f"¬{_at_a_position(trigger.pattern, _AT_ANOTHER)}"
        inner = names.binding(trigger.since.var)
        since = _pattern(trigger.since, inner)
        if set(trigger.since.types) & set(trigger.pattern.types):
            # The other event may itself be one that triggers.
            again = f"({again} ∨ {_at_a_position(trigger.since, inner)})"
        name = inner.now
        found.append(f"{again} S< {name}. {_bracketed(since)}")
    return found


def _excuse(exemption: core.Exemption, names: Names) -> str:
    condition = formula(exemption.condition, names)
    limits = [f"¬({_indented(_excuse(limit, names))})" for limit in exemption.but_not]
    return _joined("∧", [condition, *limits])


# ---- events --------------------------------------------------------------------------------


def _subscript(number: int) -> str:
    return str(number).translate(_SUBSCRIPTS)


def _pattern(pattern: core.Pattern, names: Names, *more: str) -> str:
    """What makes an event one that is meant, with further conditions on it."""
    return _joined("∧", [*_pattern_parts(pattern, names), *more])


def _pattern_parts(pattern: core.Pattern, names: Names) -> list[str]:
    name = names.event(pattern.var)
    named = ("event",) if pattern.any_event else pattern.types
    types = [f"{kind}({name})" for kind in named]
    parts = [_joined("∨", types)]
    if pattern.where is not None:
        where = pattern.where
        conditions = where.parts if isinstance(where, core.And) else (where,)
        parts += [formula(part, names) for part in conditions]
    return parts


def _at_a_position(pattern: core.Pattern, names: Names) -> str:
    return f"[{names.event(pattern.var)}: {_pattern(pattern, names)}]"


def _some(events: core.Events, names: Names, *more: str) -> str:
    """There is such an event; `more` are further conditions on it."""
    inner = names.binding(events.pattern.var)
    body = _bracketed(_pattern(events.pattern, inner, *more))
    name = inner.now
    window = events.window
    limits = _limits(window, names)
    if window.since is not None:
        until = _at_a_position(window.since, names.binding(window.since.var))
        text = f"¬{until} S{'≤' if window.inclusive else '<'}{limits} {name}. {body}"
    elif window.before is not None:
        until = _at_a_position(window.before, names.binding(window.before.var))
        text = f"¬{until} U>{limits} {name}. {body}"
    else:
        text = f"{_SOME[_reach(window)]}{limits} {name}. {body}"
    if events.per is not None:
        text = f"{events.per}⟨{', '.join(events.per_fields)}⟩ {_bracketed(text)}"
    return _seen_from(events, text, names)


def _all(expr: core.Every, names: Names) -> str:
    events = expr.events
    inner = names.binding(events.pattern.var)
    condition = formula(expr.condition, inner)
    window = events.window
    if events.per is not None:
        # The latest of each key is chosen first, and only then asked for the condition.
        chosen = _some(events, names)
        failing = f"{_bracketed(chosen)} ∧ ¬{_bracketed(condition, always=True)}"
        return f"count({inner.now} | {failing}) = 0"
    if window.since is not None or window.before is not None:
        failing = f"¬{_bracketed(condition, always=True)}"
        return f"¬{_bracketed(_some(events, names, failing), always=True)}"
    name = inner.now
    body = _spread(_pattern(events.pattern, inner), "→", condition)
    text = f"{_ALL[_reach(window)]}{_limits(window, names)} {name}. {body}"
    return _seen_from(events, text, names)


def _seen_from(events: core.Events, text: str, names: Names) -> str:
    """The event that a phrase looks from is said where it is not now already."""
    name = names.event(events.at)
    return text if name == names.now else f"@{name} {_bracketed(text)}"


def _reach(window: core.Window) -> str:
    return "so far" if window.reach == "past" and window.inclusive else window.reach


def _limits(window: core.Window, names: Names) -> str:
    """The interval and the lengths of time that an operator is confined to."""
    text = "" if window.after is None else f"↾after {names.event(window.after)} "
    if window.interval is not None:
        which = "" if window.which == "this" else f"{window.which} "
        text += f"↾{which}{window.interval} "
    if window.within is not None or window.at_least is not None:
        low = "0" if window.at_least is None else formula(window.at_least, names)
        high = "∞" if window.within is None else formula(window.within, names)
        opening = "(" if window.more_than else "["
        closing = ")" if window.within is None or window.less_than else "]"
        text += f"{opening}{low}, {high}{closing}"
    return text.rstrip()


def _how_many(expr: core.HowMany, names: Names) -> str:
    found = _some(expr.events, names)
    number = formula(expr.number, names)
    if (expr.bound, number) == ("at least", "1"):
        return found
    if (expr.bound, number) == ("at most", "0"):
        return f"¬{_bracketed(found, always=True)}"
    name = names.binding(expr.events.pattern.var).now
    return f"count({name} | {found}) {_BOUNDS[expr.bound]} {number}"


def _from_events(expr: Any, names: Names) -> str:
    """The value that is taken from each event, and the events."""
    inner = names.binding(expr.events.pattern.var)
    value = inner.now if expr.value is None else formula(expr.value, inner)
    return f"{value} | {_some(expr.events, names)}"


def _in_order(expr: core.InOrder, names: Names) -> str:
    start = "" if expr.start is None else f"; from {formula(expr.start, names)}"
    return f"{expr.direction}({_from_events(expr, names)}{start})"


# ---- conditions and values -----------------------------------------------------------------


def _field(expr: core.Field, names: Names) -> str:
    return f"{expr.name}({names.event(expr.var)})"


def _const(expr: core.Const, names: Names) -> str:
    return f"“{expr.text}”" if expr.kind == "text" else expr.text


def _compare(expr: core.Compare, names: Names) -> str:
    left, right = formula(expr.left, names), formula(expr.right, names)
    if is_type_test(expr):
        return left.replace("type", right.strip("“”"), 1)
    return f"{left} {_SIGNS[expr.sign]} {right}"


def _about(expr: core.About, names: Names) -> str:
    target = formula(expr.target, names)
    share = f" · |{target}|" if expr.relative else ""
    return f"|{formula(expr.value, names)} − {target}| ≤ {formula(expr.tolerance, names)}{share}"


def _arithmetic(expr: core.Arithmetic, names: Names) -> str:
    sides = [
        f"({formula(side, names)})" if isinstance(side, core.Arithmetic) else formula(side, names)
        for side in (expr.left, expr.right)
    ]
    return f"{sides[0]} {_TIMES[expr.sign]} {sides[1]}"


def _rounding(expr: core.Rounding, names: Names) -> str:
    opening, closing = _ROUNDED[expr.way]
    return f"{opening}{formula(expr.value, names)}{closing}{formula(expr.unit, names)}"


def _arguments(parts: tuple[core.Expr, ...], names: Names) -> str:
    return ", ".join(formula(part, names) for part in parts)


def _choice(expr: core.If, names: Names) -> str:
    parts = (_bracketed(formula(e, names)) for e in (expr.condition, expr.then, expr.otherwise))
    return "({} ? {} : {})".format(*parts)


_FORMULAS: dict[type, Callable[[Any, Names], str]] = {
    core.Const: _const,
    core.Field: _field,
    core.OptionValue: lambda e, names: f"{e.name}@{names.event(e.at)}",
    core.ReadingValue: lambda e, names: f"reading({e.name})",
    core.SettingValue: lambda e, names: str(e.name),
    core.Arithmetic: _arithmetic,
    core.Rounding: _rounding,
    core.Apply: lambda e, names: f"{e.function}({_arguments(e.arguments, names)})",
    core.Lookup: lambda e, names: f"{e.table}⟦{_arguments(e.keys, names)}⟧",
    core.If: _choice,
    core.Compare: _compare,
    core.Recorded: lambda e, names: (
        f"{'known' if e.known else 'missing'}({formula(e.value, names)})"
    ),
    core.About: _about,
    core.And: lambda e, names: _joined("∧", [formula(part, names) for part in e.parts]),
    core.Or: lambda e, names: _joined("∨", [formula(part, names) for part in e.parts]),
    core.Not: lambda e, names: f"¬{_bracketed(formula(e.part, names), always=True)}",
    core.HowMany: _how_many,
    core.Every: _all,
    core.Aggregate: lambda e, names: f"{e.function}({_from_events(e, names)})",
    core.InOrder: _in_order,
    core.NextSeat: lambda e, names: (
        f"next_{e.direction}({formula(e.start, names)}; {_from_events(e, names)})"
    ),
}
