"""`compliance rules explain`: one rule in plain English, as a formula, and its place in law."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

from compliance.cli.opening import chosen_rules, open_rules, open_schema
from compliance.cli.refused import Refused
from compliance.cli.rules_list import citations, in_force, rule_data
from compliance.cli.screen import Screen, Styled
from event_schemas import parse_date
from rules_dsl import core
from rules_dsl.explain import Explanation, explain


def explain_rule(
    name: str,
    paths: Sequence[Path],
    schema_file: Path | None,
    formula: bool,
    day: str | None,
    form: str,
) -> int:
    """Say what a rule asks; with `formula`, its formula and nothing else."""
    on = _date(day) if day else None
    schema = open_schema(schema_file)
    loaded = open_rules(paths, schema)
    (rule,) = chosen_rules(loaded.rulebook, [name])
    explanation = explain(rule, loaded.rulebook, schema, on)
    screen = Screen()
    if form == "json":
        screen.json(
            {
                "schema_version": "1",
                "rule": rule_data(rule),
                "english": explanation.english,
                "formula": explanation.formula,
            }
        )
    elif formula:
        _paragraphs(screen, explanation.formula)
    else:
        _show(screen, rule, explanation)
    return 0


def _date(text: str) -> date:
    try:
        return parse_date(text)
    except ValueError as problem:
        raise Refused(str(problem)) from None


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
