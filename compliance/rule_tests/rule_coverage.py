"""Says which conditions of a rule its examples never put to the test.

A condition that was never true, or never false, in any example could be wrong without anybody
noticing. What a section demands of all its rules counts as tested when the examples of any of these
rules test it, or those of another section that demands the same: files follow the sections of the
law, and each says anew which game it is about.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from compliance.rule_tests.example_runs import run_example
from event_schemas import Schema
from rules_dsl import core
from rules_dsl.conditions import (
    always_recorded,
    holds_by_slice,
    is_type_test,
    same_field,
    single_conditions,
)
from rules_dsl.places import Places
from rules_dsl.possible import possible
from rules_dsl.source import Source
from rules_dsl.traverse import Types

NEVER_EVALUATED = "never evaluated"
_NEVER = {True: "never true", False: "never false"}
_SIGNS = {"=": "is", "!=": "is not", "<": "less", "<=": "at most", ">": "more", ">=": "at least"}

_Key = tuple[core.Place, str, str]


@dataclass(frozen=True)
class Unexercised:
    """A condition of a rule that no example tests, and what is missing, in words."""

    rule: str
    text: str
    file: str
    line: int
    column: int
    missing: str


@dataclass
class _Condition:
    """A condition as it is written, with the core parts that come from it and their answers."""

    place: core.Place
    detail: str
    shared: bool
    expr: core.Expr
    possible: set[bool] = field(default_factory=set)
    answers: set[bool] = field(default_factory=set)
    evaluated: bool = False

    @property
    def lacks(self) -> list[str]:
        missing = sorted(self.possible - self.answers, reverse=True)
        if missing and not self.evaluated:
            return [NEVER_EVALUATED]
        return [_NEVER[side] for side in missing]


def condition_coverage(
    rulebook: core.Rulebook,
    schema: Schema,
    sources: Sequence[Source],
    rules: Collection[str] | None = None,
) -> list[Unexercised]:
    """Every condition that the examples leave untested, for all rules or for those named."""
    places = Places(sources)
    runs: dict[str, dict[_Key, _Condition]] = {}

    def tested(rule: core.Rule) -> dict[_Key, _Condition]:
        if rule.name not in runs:
            runs[rule.name] = _tested_conditions(rule, rulebook, schema, places)
        return runs[rule.name]

    found: list[Unexercised] = []
    reported: set[core.Expr] = set()
    for rule in rulebook.rules:
        if rules is not None and rule.name not in rules:
            continue
        conditions = tested(rule)
        for key, condition in conditions.items():
            if condition.shared and condition.lacks:
                if condition.expr in reported:
                    continue
                reported.add(condition.expr)
                _pool(condition, (other for r in rulebook.rules for other in tested(r).values()))
            found += _unexercised(rule, key, condition, conditions, places)
    return found


def _pool(condition: _Condition, others: Iterator[_Condition]) -> None:
    """Add what the examples of other rules show about a condition that they share."""
    for other in others:
        if other.shared and other.expr == condition.expr:
            condition.answers |= other.answers
            condition.evaluated = condition.evaluated or other.evaluated
        if not condition.lacks:
            return


def _unexercised(
    rule: core.Rule,
    key: _Key,
    condition: _Condition,
    conditions: dict[_Key, _Condition],
    places: Places,
) -> Iterator[Unexercised]:
    text = places.text(condition.place)
    twins = [other for other in conditions if other[:2] == key[:2]]
    if condition.detail.startswith("same ") or len(twins) > 1:
        text = f"{text} ({condition.detail})"
    spot = places.position(condition.place)
    for missing in condition.lacks:
        yield Unexercised(rule.name, text, spot.file, spot.line, spot.column, missing)


# ---- running the examples ------------------------------------------------------------------


def _tested_conditions(
    rule: core.Rule, rulebook: core.Rulebook, schema: Schema, places: Places
) -> dict[_Key, _Condition]:
    """The conditions of a rule, with what its examples made of them."""
    conditions: dict[_Key, _Condition] = {}
    # The evaluator hands over the very parts of the rule, so that they are known by identity.
    by_part: dict[int, _Condition] = {}
    for edition in rule.editions:
        shared = [part.place for part in edition.only_if if places.is_section_condition(part.place)]
        for expr, types in single_conditions(edition):
            if expr.place is None or is_type_test(expr):
                continue
            detail = _detail(expr)
            key = (expr.place, type(expr).__name__, detail)
            in_section = any(_lies_in(expr.place, place) for place in shared)
            condition = conditions.setdefault(key, _Condition(expr.place, detail, in_section, expr))
            condition.possible |= {
                side for side in (True, False) if _can_be(expr, side, edition, types, schema)
            }
            by_part[id(expr)] = condition

    def watch(part: core.Core, answer: object) -> None:
        condition = by_part.get(id(part))
        if condition is not None:
            condition.evaluated = True
            if isinstance(answer, bool):
                condition.answers.add(answer)

    for example in rule.examples:
        run_example(rule, example, rulebook, schema, watch)
    return conditions


def _detail(expr: core.Expr) -> str:
    """What tells conditions apart that are written at the same place."""
    field_name = same_field(expr)
    if field_name is not None:
        return f"same {field_name}"
    return _SIGNS[expr.sign] if isinstance(expr, core.Compare) else ""


def _lies_in(inner: core.Place, outer: core.Place | None) -> bool:
    return (
        outer is not None
        and inner.file == outer.file
        and outer.start <= inner.start
        and inner.end <= outer.end
    )


def _can_be(
    expr: core.Expr, side: bool, edition: core.Edition, types: Types, schema: Schema
) -> bool:
    """Whether some log can give this answer at all; if not, no example has to show it."""
    if not side and holds_by_slice(expr, edition.slice, types, schema):
        return False
    if (
        isinstance(expr, core.Recorded)
        and side is not expr.known
        and isinstance(expr.value, core.Field)
        and always_recorded(expr.value, types, schema)
    ):
        return False
    return possible([(expr, side)], schema.enums)
