"""Says what is wrong with a name that means nothing here, and what may have been meant."""

from __future__ import annotations

from collections.abc import Iterable

from event_schemas import FIELD_SYNONYMS, SYNONYMS, TEXT, EnumType, Kind, ValueProblem
from rules_dsl import syntax
from rules_dsl.diagnostics import listed, nearest
from rules_dsl.functions import AGGREGATES, OF_CARDS, POINTWISE
from rules_dsl.resolve.names import Alias, Desk, Typed, Use, View
from rules_dsl.resolve.resolver import Resolver
from rules_dsl.syntax import Span

_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_OTHER_WORDS = {
    "true": "yes",
    "false": "no",
    "null": "none",
    "nothing": "none",
    **{word: str(number) for number, word in enumerate(_NUMBERS)},
}
_THIS_EVENT = frozenset({"it", "now", "that", "this"})
_MOST_EVENTS = 3


def report_unknown_name(r: Resolver, expr: syntax.Name, view: View, expect: Kind | None) -> Typed:
    """A bare word that is no field of the event in hand, and nothing else that is known."""
    word, desk = expr.name, r.desk
    used_at = _wrong_use(r, view) if word in desk.field_names else None
    if used_at is not None:
        lacking = [t for t in view.types if word not in desk.schema.events[t].fields]
        return r.report(
            "unknown-field",
            f"`{used_at.name}` is used here at `{lacking[0]}`, which has no field `{word}`.",
            used_at.span,
            used_at.view,
            f"`{used_at.name}` needs an event that has `{word}`",
        )
    if word in desk.field_names:
        return r.phrases.report_missing_field(word, view.types, expr.span, view)
    fields = own_fields(desk, r.phrases.fields_of(view.types))
    return r.report(
        "unknown-name",
        f"`{word}` is neither a field of {some_of(view.types)} nor a definition.",
        expr.span,
        view,
        field_meant(word, fields)
        or _meant(r, word, view)
        or (f'a text is written in quotation marks: `"{word}"`' if expect == TEXT else "")
        or (f"the fields of the event are {_all_listed(fields)}" if fields else ""),
    )


def _wrong_use(r: Resolver, view: View) -> Use | None:
    """The outermost place that brought a definition to the event in hand, if one did."""
    found = None
    for use in reversed(r.expanding):
        if use.view.var != view.var or use.view.types != view.types:
            break
        found = use
    return found


def _meant(r: Resolver, word: str, view: View) -> str:
    """What a word that means nothing was probably meant to be."""
    desk, symbols = r.desk, r.desk.symbols
    if word in _OTHER_WORDS:
        return f"write `{_OTHER_WORDS[word]}`"
    if word in desk.schema.options:
        return f"write `option {word}` for what the licensee elected"
    if word in symbols.interpretations:
        symbols.used.add(("interpretation", word))
        return f"write `reading {word}`"
    if word in symbols.tables:
        symbols.used.add(("table", word))
        return f"a table is read with its keys in brackets: `{word}(...)`"
    if word in POINTWISE or word in AGGREGATES or word in OF_CARDS:
        return f"write `{word} of ...`"
    fields = own_fields(desk, r.phrases.fields_of(view.types))
    near = [*fields, *view.names, *symbols.definitions, *symbols.settings]
    return nearest(word, near) or nearest(word, [*symbols.groups, *desk.schema.events])


def missing_field(
    desk: Desk, word: str, types: tuple[str, ...], span: Span, view: View
) -> tuple[str, str]:
    """What to say of a field that an event lacks, and what to do about it."""
    lacking = [t for t in types if word not in desk.schema.events[t].fields]
    having = [t for t in types if t not in lacking]
    shared = set.intersection(*(set(desk.schema.events[t].fields) for t in types))
    fields = own_fields(desk, [f for f in desk.schema.events[types[0]].fields if f in shared])
    trigger = view.names.get("trigger")
    if not lacking:
        return (
            f"`{word}` is not the same kind of value in all of {some_of(types, 'and')}.",
            "speak of these events one by one",
        )
    message = f"`{lacking[0]}` has no field `{word}`."
    if having:
        message = f"`{lacking[0]}` has no field `{word}`, although `{having[0]}` has one."
    if rule := desk.rule_behind(view.file, span):
        return message, f"the rule `{rule}` speaks of `{lacking[0]}` here"
    if having:
        return message, "speak only of events that have it"
    if isinstance(trigger, Alias) and trigger.types != types and _all_have(desk, word, trigger):
        return message, f"for the event at which the rule is applied, write `trigger.{word}`"
    hint = field_meant(word, fields) or nearest(word, fields)
    return message, hint or (f"its fields are {_all_listed(fields)}" if fields else "")


def _all_have(desk: Desk, word: str, alias: Alias) -> bool:
    return all(word in desk.schema.events[t].fields for t in alias.types)


def unknown_event(desk: Desk, word: str, others: Iterable[str] = ()) -> tuple[str, str]:
    """What to say of a name that is not an event."""
    symbols = desk.symbols
    known = [*others, *symbols.groups, *desk.schema.events]
    if word in SYNONYMS:
        return f"There is no event `{word}`.", f"did you mean `{SYNONYMS[word]}`?"
    if word in _THIS_EVENT:
        return f"There is no event `{word}`.", "write `earlier` for what came before this event"
    if word in symbols.intervals:
        return f"`{word}` is an interval, not an event.", f"write `in the {word}`"
    if word in symbols.definitions:
        return f"`{word}` is a definition, not an event.", nearest(word, known)
    if word in desk.field_names:
        return f"`{word}` is a field, not an event.", nearest(word, known)
    return f"There is no event `{word}`.", nearest(word, known)


def unknown_option(desk: Desk, word: str) -> tuple[str, str]:
    """What to say of an option that no table can elect."""
    options = desk.schema.options
    shared = [name for name in options if set(name.split("_")) & set(word.split("_"))]
    near = nearest(word, options) or (f"there is {listed(shared)}" if shared else "")
    return (
        f"There is no table option `{word}`.",
        near or "`compliance schema list` names those that there are",
    )


def not_a_word(word: str, enum: EnumType) -> tuple[str, str]:
    """What to say of a word that is not in its list, and what may have been meant."""
    sort, _, name = enum.name.rpartition(" ")
    where = {
        "table": f"`{word}` does not stand in the table `{name}`.",
        "reading": f"`{word}` is not a reading of `{name}`.",
    }.get(sort, f"`{word}` is not a word of `{name}`.")
    return where, nearest(word, enum.values) or f"it can be {listed(enum.values)}"


def sentence(problem: ValueProblem, text: str) -> str:
    """What is wrong with a value, quoted as everything is quoted in messages about rules."""
    return problem.message.replace(f'"{text}"', f"`{text}`")


def hint(problem: ValueProblem) -> str:
    return f"did you mean `{problem.suggestion}`?" if problem.suggestion else ""


def field_meant(word: str, fields: Iterable[str]) -> str:
    """A field that is called otherwise here, or whose name is a part of what was written."""
    known = list(fields)
    parts = [FIELD_SYNONYMS.get(part, part) for part in (word, *reversed(word.split("_")))]
    return next((f"did you mean `{part}`?" for part in parts if part in known), "")


def _all_listed(fields: list[str]) -> str:
    """Every field: a list that is cut short hides the one that is looked for."""
    return listed(fields, limit=len(fields), joined_by="and")


def own_fields(desk: Desk, fields: Iterable[str]) -> list[str]:
    """Fields without those that every event has, those that few events have first."""
    events = desk.schema.events.values()
    own = [name for name in fields if name not in desk.shared_fields]
    return sorted(own, key=lambda name: sum(name in event.fields for event in events))


def some_of(types: Iterable[str], joined_by: str = "or") -> str:
    """A few event types as words of a sentence."""
    names = [f"`{name}`" for name in types]
    if len(names) > _MOST_EVENTS:
        names = [*names[:_MOST_EVENTS], f"{len(names) - _MOST_EVENTS} other events"]
    if len(names) < 2:
        return "".join(names)
    return ", ".join(names[:-1]) + f" {joined_by} {names[-1]}"
