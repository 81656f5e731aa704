"""Explains a rule: in plain English for compliance officers, and as a formula for logicians.

explanation = explain(rule, rulebook, builtin_schema())
print(explanation.english)
print(explanation.formula)
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from event_schemas import Schema
from rules_dsl import core
from rules_dsl.conditions import both_ends
from rules_dsl.explaining.english import English
from rules_dsl.explaining.english_names import article, listed
from rules_dsl.explaining.english_phrases import Speech, bound_said, pattern_said
from rules_dsl.explaining.formula import formula_of_edition
from rules_dsl.explaining.outcomes_said import needed_fields, outcomes_said
from rules_dsl.explaining.repeated_values import repeated_values
from rules_dsl.traverse import all_parts

_AT_TRIGGER = Speech()
_FOR_AUTHORS = "equivalent mutant:"


@dataclass(frozen=True)
class EditionExplanation:
    """One edition of a rule, explained; `needs` names the events and fields that it reads."""

    since: date | None
    until: date | None
    label: str
    english: str
    formula: str
    needs: dict[str, list[str]]


@dataclass(frozen=True)
class Explanation:
    """A whole rule, explained."""

    rule: str
    english: str
    formula: str
    editions: tuple[EditionExplanation, ...]


def explain(
    rule: core.Rule, rulebook: core.Rulebook, schema: Schema, on: date | None = None
) -> Explanation:
    """The rule in all its editions, or only in the one that is in force on a day."""
    editions = tuple(
        _explained(edition, rulebook, schema)
        for edition in rule.editions
        if on is None or _in_force_on(edition, on)
    )
    said = [edition.english for edition in editions]
    if not editions:
        said.append(f"No edition of this rule is in force on {on}.")
    elif rule.kind == "indicator":
        said.append("It is an indicator: a pattern worth a look, no breach in itself.")
    return Explanation(
        rule.name,
        "\n\n".join(said),
        "\n\n".join(edition.formula for edition in editions),
        editions,
    )


def _in_force_on(edition: core.Edition, day: date) -> bool:
    text = day.isoformat()
    begun = edition.since is None or edition.since <= text
    return begun and (edition.until is None or text < edition.until)


def _explained(
    edition: core.Edition, rulebook: core.Rulebook, schema: Schema
) -> EditionExplanation:
    english = English(rulebook)
    lines = [
        _dates(edition),
        _slice(edition, schema, english),
        _trigger(edition.trigger, english),
        *(english.explained(value, _AT_TRIGGER) for value in repeated_values(edition)),
        *_conditions(edition, english),
        *_requirements(edition, english),
        *_exceptions(edition.exemptions, english),
        *outcomes_said(edition, schema, english),
        *_remarks(edition, rulebook, schema, english),
    ]
    return EditionExplanation(
        None if edition.since is None else date.fromisoformat(edition.since),
        None if edition.until is None else date.fromisoformat(edition.until),
        edition.label,
        "\n".join(lines),
        formula_of_edition(edition),
        needed_fields(edition, schema),
    )


# ---- what the rule says --------------------------------------------------------------------


def _dates(edition: core.Edition) -> str:
    label = f"“{edition.label}”, in force" if edition.label else "In force"
    text = f"{label} at all times"
    if edition.since is not None:
        text = f"{label} from {edition.since}"
    if edition.until is not None:
        last = date.fromisoformat(edition.until) - timedelta(days=1)
        text = f"{text if edition.since else label} to {last}, the last day"
    citations = f" ({listed(edition.citations)})" if edition.citations else ""
    return f"{text}{citations}."


def _slice(edition: core.Edition, schema: Schema, english: English) -> str:
    slice_ = edition.slice
    whole = {
        "table": "each table",
        "pit": "each pit with all its tables",
        "casino": "each casino with all its tables",
    }
    parts = [whole[slice_.across]]
    trigger = [schema.events[name].fields for name in edition.trigger.pattern.types]
    for key in slice_.keys:
        name = english.names.field(key)
        seen = "" if all(key in fields for fields in trigger) else " seen so far"
        parts.append(f"each {name}{seen}")
    if slice_.interval is not None:
        parts.append(f"each {slice_.interval}")
    return f"The rule is applied separately to {listed(parts)}."


def _trigger(trigger: core.Trigger, english: English) -> str:
    noun = pattern_said(trigger.pattern, Speech(core.TRIGGER), english)
    what = f"each {noun.name}{noun.where}"
    if trigger.since is not None:
        since = bound_said(trigger.since, _AT_TRIGGER, english)
        what = f"the first {noun.name}{noun.where} after {article(since)}"
    if trigger.ends is not None:
        what += f" that ends a {trigger.ends}"
    return f"It is checked at {what}. In what follows, that is “this event”."


def _conditions(edition: core.Edition, english: English) -> list[str]:
    conditions: list[core.Expr] = []
    for part in edition.only_if:
        conditions += part.parts if isinstance(part, core.And) and not both_ends(part) else [part]
    if not conditions:
        return []
    if len(conditions) == 1:
        return _sentence("It applies only if", conditions[0], english)
    lines = ["It applies only if all of these hold:"]
    for part in conditions:
        lines += _item(english.lines(part, _AT_TRIGGER))
    return lines


def _requirements(edition: core.Edition, english: English) -> list[str]:
    if len(edition.requirements) == 1:
        return _sentence("Required:", edition.requirements[0].condition, english, must=True)
    lines = ["Required are all of these:"]
    for requirement in edition.requirements:
        lines += _item(english.lines(requirement.condition, _AT_TRIGGER, must=True))
    return lines


def _exceptions(
    exemptions: tuple[core.Exemption, ...], english: English, depth: int = 0
) -> list[str]:
    head = "This exception does not count" if depth else "Exception"
    lines: list[str] = []
    for exemption in exemptions:
        opening = f"{head}, under {exemption.authority}, if"
        lines += ["  " * depth + line for line in _sentence(opening, exemption.condition, english)]
        lines += _exceptions(exemption.but_not, english, depth + 1)
    return lines


def _sentence(
    opening: str, condition: core.Expr, english: English, *, must: bool = False
) -> list[str]:
    first, *rest = english.lines(condition, _AT_TRIGGER, must=must)
    if not rest:
        return [f"{opening} {first}."]
    return [f"{opening} {first}", *rest]


def _item(lines: list[str]) -> list[str]:
    first, *rest = lines
    return [f"  - {first}", *(f"    {line}" for line in rest)]


# ---- what else there is to know ------------------------------------------------------------


def _remarks(
    edition: core.Edition, rulebook: core.Rulebook, schema: Schema, english: English
) -> list[str]:
    lines = []
    needs = [
        f"{name} ({', '.join(fields)})" if fields else name
        for name, fields in needed_fields(edition, schema).items()
        if fields or len(edition.slice.relevant) < len(schema.events)
    ]
    parts = list(all_parts(edition))
    if len(edition.slice.relevant) == len(schema.events):
        needs.insert(0, "events of every type")
    lines.append(f"Needs from the log: {', '.join(needs)}.")
    if any(isinstance(part, core.Window) and part.since is not None for part in parts):
        lines.append(
            "“Since the latest” event of a kind reaches back to the start of the log "
            "where there is none."
        )
    named = {part.interval for part in parts if isinstance(part, core.Window | core.Slice)}
    named.add(edition.trigger.ends)
    for name in sorted(name for name in named if name is not None):
        lines.append(_interval(rulebook.intervals[name], english))
    if edition.remedy:
        lines.append(f"Remedy: {edition.remedy}")
    # What makes no difference to a mutant is for the authors of rules, not for their readers.
    lines += [f"Note: {n}" for n in edition.notes if not n.lower().startswith(_FOR_AUTHORS)]
    return lines


def _interval(interval: core.Interval, english: English) -> str:
    opens = bound_said(interval.opens, _AT_TRIGGER, english)
    closes = bound_said(interval.closes, _AT_TRIGGER, english)
    return f"A {interval.name} runs from {article(opens)} to the next {closes}, both included."
