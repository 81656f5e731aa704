"""A cell of the table says the worst of what escapes, and otherwise the best that can be said."""

from __future__ import annotations

from collections import Counter

import pytest

from compliance.mutated_nights.clause_table import ClauseRow
from rules_dsl.clauses import Clause

CLAUSE = Clause("19:47-2.6(c)", ("2010",), "19:47-2.6", "Dealing", "blackjack", "Burn.", "duty")


@pytest.mark.parametrize(
    ("counted", "mark"),
    [
        ({"found": 3, "escaped": 1}, "escaped"),
        ({"found": 1, "elsewhere": 4, "lawful": 2}, "found"),
        ({"elsewhere": 1, "doubt": 3}, "elsewhere"),
        ({"doubt": 1, "lawful": 3}, "doubt"),
        ({"lawful": 1}, "lawful"),
    ],
)
def test_a_cell_says_what_counts_most(counted: dict[str, int], mark: str) -> None:
    assert ClauseRow(CLAUSE, {"omitted": Counter(counted)}).mark("omitted") == mark


def test_a_kind_that_was_never_made_is_not_tried() -> None:
    assert ClauseRow(CLAUSE).mark("omitted") == "not tried"
