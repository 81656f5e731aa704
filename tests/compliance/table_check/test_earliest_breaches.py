"""Promises about which breaches may still be among the first of their rule."""

from __future__ import annotations

import random

from compliance.table_check.earliest_breaches import EarliestBreaches, Moment

MOST = 5


def breach(second: int, table: str = "BJ-1", seq: int = 0) -> Moment:
    return float(second), table, seq


def test_the_first_breaches_are_never_ruled_out() -> None:
    tables = [
        [breach(random.Random(f"{table}/{n}").randrange(40), f"T-{table}", n) for n in range(12)]
        for table in range(9)
    ]
    earliest = EarliestBreaches(MOST)
    kept = [
        moment
        for table in tables
        for moment, first in zip(table, earliest.among_first("a", table), strict=True)
        if first
    ]
    assert sorted(kept)[:MOST] == sorted(moment for table in tables for moment in table)[:MOST]


def test_a_breach_after_enough_others_is_ruled_out() -> None:
    earliest = EarliestBreaches(MOST)
    earliest.among_first("a", [breach(second) for second in range(MOST)])
    assert earliest.among_first("a", [breach(MOST), breach(2, "BJ-2")]) == [False, True]


def test_breaches_of_one_moment_are_not_told_apart() -> None:
    earliest = EarliestBreaches(MOST)
    assert earliest.among_first("a", [breach(1)] * (MOST + 2)) == [True] * (MOST + 2)


def test_rules_do_not_rule_each_other_out() -> None:
    earliest = EarliestBreaches(MOST)
    earliest.among_first("a", [breach(second) for second in range(MOST)])
    assert earliest.among_first("b", [breach(99)]) == [True]
