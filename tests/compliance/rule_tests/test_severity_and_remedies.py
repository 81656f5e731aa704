"""What docs/severity.md promises: grave breaches have a remedy, and messages name who and what."""

from __future__ import annotations

from functools import cache

import pytest

from event_schemas import builtin_schema
from rules_dsl import core
from rules_dsl.bundled import bundled_rulebook
from rules_dsl.rulebook import load
from rules_dsl.traverse import all_parts

SCHEMA = builtin_schema()
WHO = frozenset({"seat", "player", "hand", "stack", "position"})
AT_A_SEAT = frozenset(
    {
        "wager_placed",
        "wager_increased",
        "wager_withdrawn",
        "wager_paid",
        "wager_collected",
        "wager_returned",
        "decision",
    }
)
"""Events that are somebody's: a breach at one of them has an address."""
OF_THE_WHOLE_TABLE = frozenset(
    {
        # The turn of all seats together, seen at the first event after it.
        "second-cards-dealt-clockwise",
        # The dealer lacks a card; whoever decides next has nothing to do with it.
        "missed-dealers-card-is-made-up",
        # The pay option of one table against that of another.
        "same-suit-pays-alike-at-all-tables",
    }
)


@cache
def rules() -> tuple[core.Rule, ...]:
    return load([bundled_rulebook()], SCHEMA, examples=False).rulebook.rules


def editions() -> list[tuple[str, core.Rule, core.Edition]]:
    return [(f"{r.name} from {e.since}", r, e) for r in rules() for e in r.editions]


def named_in(edition: core.Edition) -> set[str]:
    """The fields that a message takes from the log."""
    parts = [part.value for part in edition.message if part.value is not None]
    return {node.name for part in parts for node in all_parts(part) if isinstance(node, core.Field)}


def test_every_major_and_critical_rule_has_a_remedy() -> None:
    lacking = [name for name, rule, e in editions() if rule.severity != "minor" and not e.remedy]
    assert lacking == []


def test_a_remedy_is_one_to_three_whole_sentences() -> None:
    odd = [
        name
        for name, _, e in editions()
        if e.remedy
        and not (e.remedy[0].isupper() and e.remedy.endswith(".") and len(e.remedy) < 200)
    ]
    assert odd == []


def test_what_happens_at_one_seat_names_the_seat_the_player_or_the_hand() -> None:
    lacking = [
        name
        for name, rule, e in editions()
        if set(e.trigger.pattern.types) <= AT_A_SEAT
        and not named_in(e) & WHO
        and rule.name not in OF_THE_WHOLE_TABLE
    ]
    assert lacking == []


@pytest.mark.parametrize("name", sorted(OF_THE_WHOLE_TABLE))
def test_an_exception_names_a_rule_that_needs_it(name: str) -> None:
    (rule,) = (rule for rule in rules() if rule.name == name)
    assert any(not named_in(edition) & WHO for edition in rule.editions)


def test_every_rule_says_how_grave_a_breach_is_by_one_of_three_words() -> None:
    assert {rule.severity for rule in rules()} == {"minor", "major", "critical"}
