"""`compliance rules explain`: one rule in plain English, as a formula, on two short logs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

import msgspec

from compliance.api.opening import RulePath, chosen_rules, open_rules, open_schema
from compliance.api.refusal import Refused
from compliance.cli.rules_list import citations, in_force, rule_data
from compliance.cli.screen import Screen, Styled
from compliance.judgement.circumstances import edition_on
from compliance.plan.text import plan_data, plan_lines, planned
from compliance.rule_tests.text_timeline import Timeline, timelines
from event_schemas import Schema, parse_date
from rules_dsl import core
from rules_dsl.explaining.explain import Explanation, explain


def explain_rule(
    name: str,
    paths: Sequence[RulePath],
    schema_file: Path | None,
    formula: bool,
    plan: bool,
    day: str | None,
    form: str,
) -> int:
    """Say what a rule asks; with `formula` its formula alone, with `plan` how it is run."""
    on = _date(day) if day else None
    schema = open_schema(schema_file)
    loaded = open_rules(paths, schema)
    (rule,) = chosen_rules(loaded.rulebook, [name])
    if plan:
        return _show_plan(rule, loaded.rulebook, schema, on, form)
    explanation = explain(rule, loaded.rulebook, schema, on)
    screen = Screen()
    if form == "json":
        screen.json(
            {
                "schema_version": "1",
                "rule": rule_data(rule),
                "english": explanation.english,
                "formula": explanation.formula,
                "timelines": [
                    {"title": drawn.title, "lines": drawn.lines, "legend": drawn.legend}
                    for drawn in timelines(_under_the_law_of(rule, on), loaded.rulebook, schema)
                ],
            }
        )
    elif formula:
        _paragraphs(screen, explanation.formula)
    else:
        _show(screen, rule, explanation)
        for drawn in timelines(_under_the_law_of(rule, on), loaded.rulebook, schema):
            _show_timeline(screen, drawn)
    return 0


def _show_plan(
    rule: core.Rule, rulebook: core.Rulebook, schema: Schema, on: date | None, form: str
) -> int:
    """How the engine runs the rule, and what it works out once for several rules."""
    plans = planned(rule, rulebook, schema)
    if on is not None:
        edition = edition_on(rule, on)
        plans = [p for p, e in zip(plans, rule.editions, strict=True) if e is edition]
    screen = Screen()
    if form == "json":
        data = [plan_data(plan) for plan in plans]
        screen.json({"schema_version": "1", "rule": rule.name, "editions": data})
        return 0
    screen.line(Styled(rule.name, "bold cyan"))
    screen.line(Styled(rule.title, "bold"))
    if not plans:
        screen.line(f"No edition of this rule is in force on {on}.")
    for plan in plans:
        screen.line()
        for line in plan_lines(plan):
            indent = len(line) - len(line.lstrip())
            screen.line(line.lstrip(), indent=indent)
    return 0


def _date(text: str) -> date:
    try:
        return parse_date(text)
    except ValueError as problem:
        raise Refused(str(problem)) from None


def _under_the_law_of(rule: core.Rule, day: date | None) -> core.Rule:
    """The rule with only those examples that play under the edition of a day."""
    if day is None:
        return rule
    edition = edition_on(rule, day)
    examples = tuple(
        example
        for example in rule.examples
        if edition is not None and edition_on(rule, date.fromisoformat(example.date)) is edition
    )
    return msgspec.structs.replace(rule, examples=examples)


def _show(screen: Screen, rule: core.Rule, explanation: Explanation) -> None:
    screen.line(Styled(rule.name, "bold cyan"))
    screen.line(Styled(rule.title, "bold"))
    screen.line()
    _paragraphs(screen, explanation.english)
    screen.line()
    for label, text in (
        ("Law", "; ".join(citations(rule))),
        ("In force", in_force(rule)),
        ("Severity", f"{rule.severity} {rule.kind}"),
        ("Section", rule.section),
    ):
        if text:
            screen.line(Styled(f"{label:<9} ", "dim"), text)
    screen.line()
    screen.line(Styled("Formula", "dim"))
    _paragraphs(screen, explanation.formula, indent=2)


def _paragraphs(screen: Screen, text: str, indent: int = 0) -> None:
    for line in text.splitlines():
        screen.line(line.rstrip(), indent=indent)


def _show_timeline(screen: Screen, drawn: Timeline) -> None:
    screen.line()
    screen.line(Styled(drawn.title, "dim"))
    for line in drawn.lines:
        screen.line(line, indent=2)
    screen.line(Styled(drawn.legend, "dim"), indent=2)
