"""Rules that begin alike share parts of a plan and the answers to them, and each says its own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reports.model import Check
from rules_dsl import core
from tests.property.both_engines import checks_of_engine, checks_of_reference
from tests.property.random_logs import SCHEMA, random_log
from tests.property.random_rulebook import rulebook
from tests.property.random_rules import RuleDrawer

LONG = int(os.environ.get("ENGINE_CASES", "50000")) // 10


def _relatives(rule: core.Rule) -> Iterator[core.Rule]:
    """A rule, itself once more, and others with fewer conditions, more of them, other duties or
    other numbers."""
    yield rule
    for change in (
        *(_the_same, _the_contrary, _fewer_conditions, _more_conditions),
        *(_smaller_numbers, _larger_numbers, _the_same),
    ):
        editions = tuple(change(edition) for edition in rule.editions)
        yield msgspec.structs.replace(rule, editions=editions)


def _the_same(edition: core.Edition) -> core.Edition:
    return msgspec.structs.replace(edition)


def _the_contrary(edition: core.Edition) -> core.Edition:
    duties = tuple(
        msgspec.structs.replace(item, condition=core.Not(item.condition))
        for item in edition.requirements
    )
    return msgspec.structs.replace(edition, requirements=duties)


def _fewer_conditions(edition: core.Edition) -> core.Edition:
    return msgspec.structs.replace(edition, only_if=edition.only_if[:-1])


def _more_conditions(edition: core.Edition) -> core.Edition:
    more = tuple(core.Not(item.condition) for item in edition.requirements)
    return msgspec.structs.replace(edition, only_if=(*edition.only_if, *more))


NUMBERS = {
    "number": ("0", "1", "1.5", "2", "3"),
    "seat": ("1", "2", "3", "7"),
    "money": ("$0.25", "$1", "$5", "$10", "$25"),
    "duration": ("0 seconds", "10 seconds", "30 seconds", "1 minute", "5 minutes"),
}


def _with_other_numbers(part: Any, step: int) -> Any:
    """The same part of a rule with numbers that stand before or after its own in the lists."""
    if isinstance(part, core.Const) and part.text in NUMBERS.get(part.kind, ()):
        texts = NUMBERS[part.kind]
        return core.Const(part.kind, texts[(texts.index(part.text) + step) % len(texts)])
    if isinstance(part, tuple):
        return tuple(_with_other_numbers(item, step) for item in part)
    if isinstance(part, core.Core):
        names = part.__struct_fields__
        other = {name: _with_other_numbers(getattr(part, name), step) for name in names}
        return msgspec.structs.replace(part, **other)
    return part


def _smaller_numbers(edition: core.Edition) -> core.Edition:
    return _edition_with_other_numbers(edition, -1)


def _larger_numbers(edition: core.Edition) -> core.Edition:
    return _edition_with_other_numbers(edition, 1)


def _edition_with_other_numbers(edition: core.Edition, step: int) -> core.Edition:
    return msgspec.structs.replace(
        edition,
        only_if=_with_other_numbers(edition.only_if, step),
        requirements=_with_other_numbers(edition.requirements, step),
    )


def disagreement(seed: int) -> tuple[list[Check], list[Check]] | None:
    """What a rule and its relatives say in one plan and one by one, where it is not the same."""
    random = Random(seed)
    rule = RuleDrawer(random).rule()
    events = random_log(random, random.choice((8, 25, 40)))
    relatives = tuple(
        msgspec.structs.replace(relative, name=f"relative-{number}")
        for number, relative in enumerate(_relatives(rule))
    )
    book = msgspec.structs.replace(rulebook(rule), rules=relatives)
    slow, fast = checks_of_reference(book, SCHEMA, events), checks_of_engine(book, SCHEMA, events)
    return None if slow == fast else (slow, fast)


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**48))
def test_rules_that_begin_alike_find_what_each_finds_without_the_others(seed: int) -> None:
    assert disagreement(seed) is None


@pytest.mark.long
def test_they_do_in_the_long_run() -> None:
    for seed in range(LONG):
        assert disagreement(seed) is None, f"seed {seed}"
