"""A house with a vocabulary of its own is never told to write the words of table games."""

from __future__ import annotations

from pathlib import Path

import pytest

from event_schemas import Schema, builtin_schema, load_schema
from rules_dsl.rulebook import load_text

ORDERS = Path(__file__).parents[1] / "event_schemas" / "data" / "ordering_desk.toml"


def orders() -> Schema:
    schema, problems = load_schema(ORDERS)
    assert schema is not None, problems
    return schema


def suggestions(clause: str, schema: Schema) -> list[str]:
    """What a rule with such a clause is told to write."""
    rule = f'rule a\n  "A."\n  cite "Example"\n  {clause}\n'
    return [d.suggestion for d in load_text(rule, schema).diagnostics if d.level == "error"]


@pytest.mark.parametrize(
    ("clause", "suggestion"),
    [
        ("when first order_sent", "write it like `when first order_taken since order_approved`"),
        ("when", "write it like `when order_taken`"),
        ("when card dealt", ""),
        ("when card_drawn", ""),
    ],
)
def test_suggestions_name_events_that_the_log_has(clause: str, suggestion: str) -> None:
    assert suggestion in suggestions(clause, orders())


def test_at_a_gaming_table_the_examples_are_those_of_the_table() -> None:
    found = suggestions("when first card_dealt", builtin_schema())
    assert "write it like `when first card_dealt since dealer_arrived`" in found
