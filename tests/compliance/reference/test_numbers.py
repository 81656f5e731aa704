"""Numbers are exact as long as they are told, and one that is too large is missing, never wrong."""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction

import pytest

from compliance.judgement.circumstances import Absent
from compliance.reference.answers import Bounds, Truth
from compliance.reference.numbers import compared, divided, minus, plus, rounded, times, total
from compliance.values.codes import LARGEST
from tests.compliance.reference_run import verdicts

M = Absent.MISSING
LONGEST = timedelta(microseconds=LARGEST)


def test_the_largest_number_is_told_and_the_next_one_is_missing() -> None:
    assert plus(LARGEST - 1, 1) == LARGEST
    assert plus(LARGEST, 1) is M
    assert times(LARGEST, -1) == -LARGEST
    assert times(2**32, 2**31) is M
    assert plus(LONGEST, timedelta()) == LONGEST
    assert plus(LONGEST, timedelta(microseconds=1)) is M
    assert times(LONGEST, 2) is M


def test_what_stands_below_the_bar_is_limited_as_well() -> None:
    assert divided(1, LARGEST) == Fraction(1, LARGEST)
    assert times(Fraction(1, LARGEST), Fraction(1, 2)) is M
    assert times(Fraction(1, LARGEST), Fraction(2, 2)) == Fraction(1, LARGEST)


def test_rounding_is_limited_only_in_its_result() -> None:
    assert rounded(LARGEST, "nearest", Fraction(1, 3)) == LARGEST
    assert rounded(LARGEST, "up", 2) is M
    assert rounded(LONGEST, "down", timedelta(seconds=1)) == LONGEST - LONGEST % timedelta(
        seconds=1
    )
    assert rounded(5, "up", 0) is M


def test_a_total_of_whole_numbers_may_pass_the_largest_on_the_way_and_one_of_fractions_not() -> (
    None
):
    assert total([LARGEST, LARGEST, -LARGEST], "number") == LARGEST
    assert total([LARGEST, 1], "money") is M
    assert total([Fraction(LARGEST, 2), Fraction(LARGEST, 2)], "number") == LARGEST
    assert total([LARGEST, Fraction(1, 2), Fraction(-1, 2)], "number") is M
    assert total([LONGEST, LONGEST, -LONGEST], "duration") == LONGEST
    assert total([LONGEST] * 20, "duration") is M


def test_a_rule_about_a_number_that_is_too_large_is_undetermined() -> None:
    rule = f"when cards_cut\nrequire position * {10**15} * 9000 is more than 1"
    assert verdicts(rule, "20:00 cards_cut position=1") == ["complied"]
    assert verdicts(rule, "20:00 cards_cut position=2") == ["undetermined"]


def test_a_moment_that_no_calendar_has_is_missing() -> None:
    rule = "when cards_cut\nrequire ts + 9000 * 365 days is more than ts"
    assert verdicts(rule, "20:00 cards_cut") == ["undetermined"]


# ---- limits


@pytest.mark.parametrize(
    ("left", "sign", "right", "answer"),
    [
        (Bounds(2, 4), "<", 5, True),
        (Bounds(2, 4), "<", 4, M),
        (Bounds(2, 4), "<", 2, False),
        (Bounds(2, 4), "<=", 4, True),
        (Bounds(2, 4), "<=", 1, False),
        (Bounds(2, 4), ">", 1, True),
        (Bounds(2, 4), ">", 4, False),
        (Bounds(2, 4), ">=", 2, True),
        (Bounds(2, 4), ">=", 3, M),
        (Bounds(2, 4), "=", 5, False),
        (Bounds(2, 4), "=", 4, M),
        (Bounds(2, 4), "!=", 1, True),
        (Bounds(3, 3), "=", 3, True),
        (Bounds(3, 3), "!=", 3, False),
        (Bounds(2, None), ">", 1, True),
        (Bounds(2, None), "<", 9, M),
        (Bounds(None, 2), "<", 3, True),
        (Bounds(2, 4), "<", Bounds(5, None), True),
        (Bounds(2, 4), "<=", Bounds(4, 6), True),
        (Bounds(2, 4), "=", Bounds(4, 6), M),
        (3, ">", Bounds(None, 2), True),
    ],
)
def test_a_comparison_is_decided_where_all_values_in_the_limits_agree(
    left: object, sign: str, right: object, answer: Truth
) -> None:
    assert compared(left, sign, right) is answer


def test_limits_are_added_and_subtracted() -> None:
    assert plus(Bounds(1, 2), 3) == Bounds(4, 5)
    assert minus(9, Bounds(1, 2)) == Bounds(7, 8)
    assert minus(Bounds(1, 5), Bounds(1, 2)) == Bounds(-1, 4)
    assert minus(Bounds(1, None), Bounds(2, 3)) == Bounds(-2, None)
    assert plus(Bounds(1, None), Bounds(2, 3)) == Bounds(3, None)
    assert plus(Bounds(1, None), Bounds(None, 3)) is M


def test_a_limit_that_is_too_large_to_be_told_leaves_nothing() -> None:
    assert plus(Bounds(1, LARGEST), 1) is M
