"""Numbers that are too large to be kept in few bytes are told from small ones all the same."""

from __future__ import annotations

import pytest

from compliance.columnar.plan import Plan
from compliance.columnar.rules import apply_rule
from compliance.columnar.scene import Table
from compliance.columns import from_events
from reports.verdicts import Verdict
from tests.compliance.first_look.compiled import compiled_only
from tests.compliance.reference_run import SCHEMA, events, rulebook, surroundings

pytestmark = compiled_only

TWICE = """
    when cards_shuffled
    only if sum of vigorish_marked.amount earlier is more than {less}
    require sum of vigorish_marked.amount earlier is {sign} {number}
"""


def _counts(clauses: str, amount: str) -> dict[Verdict, int]:
    """How often each verdict is reached after an amount was marked."""
    book = rulebook(clauses)
    happened = events(
        f"""
        20:00:00 vigorish_marked player=P1 amount={amount}
        20:00:01 cards_shuffled
        20:00:02 cards_shuffled
        """
    )
    table = Table(from_events(SCHEMA, happened), surroundings(book, happened), Plan())
    counts = apply_rule(book.rules[0], table).counts
    return {verdict: number for verdict, number in counts.items() if number}


@pytest.mark.parametrize("dollars", [2**29 // 100 - 1, 2**29 // 100 + 1, 2**29, 2**31, 2**33])
def test_a_sum_that_is_asked_for_twice_is_the_same_the_second_time(dollars: int) -> None:
    enough = TWICE.format(less="$0", sign="at most", number=f"${dollars}")
    too_little = TWICE.format(less="$0", sign="less than", number=f"${dollars}")
    assert _counts(enough, f"${dollars}") == {Verdict.COMPLIED: 2}
    assert _counts(too_little, f"${dollars}") == {Verdict.VIOLATED: 2}


@pytest.mark.parametrize("parts", [2**31 - 1, 2**31 + 1, 2**32 + 1])
def test_a_small_part_of_a_sum_is_less_than_the_whole(parts: int) -> None:
    clauses = f"""
        when cards_shuffled
        require sum of vigorish_marked.amount earlier / {parts} is at least $1
    """
    assert _counts(clauses, "$1") == {Verdict.VIOLATED: 2}
