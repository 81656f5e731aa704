"""`compliance rules coverage --mutated`: what came of breaches that were made by machine."""

from __future__ import annotations

from collections import Counter

import pytest

from compliance.cli.mutated_coverage import mutated_data
from compliance.mutated_nights.clause_table import ClauseRow, Escape, MutatedCoverage
from compliance.mutated_nights.outcomes import Subject
from rules_dsl.clauses import Clause
from tests.compliance.cli.test_json_keys import documented, keys
from tests.compliance.simulate.checking import bundled_rulebook
from tests.compliance.small_rulebook import answer

CLAUSE = Clause("19:47-6.5(i)1", ("1996",), "19:47-6.5", "Play", "red_dog", "Pay.", "payout")
SUBJECT = Subject("red-dog-pays-by-the-spread", "given back", "wager_paid")


def test_the_table_has_a_row_for_a_clause_and_a_column_for_a_kind_of_mutation(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ("rules", "coverage", "--mutated", "--sample", "--section", "19:47-6.3")
    code, out, _ = answer(capsys, *words)
    lines = out.splitlines()
    head = next(line for line in lines if line.startswith("clause"))
    assert head.split()[1:4] == ["unpaid", "back", "omit"]
    assert any(line.startswith("19:47-6.3(c)#1 ") for line in lines)
    assert lines[-1].endswith("0 escapes without a reason.")
    assert code == 0


def test_the_documented_keys_are_those_of_the_answer() -> None:
    row = ClauseRow(CLAUSE, {"given back": Counter(escaped=1)})
    escape = Escape(SUBJECT, None, (CLAUSE.clause,), 1, 1, "An example.")
    coverage = MutatedCoverage((row,), (escape,), {"repeated": 1}, 2)
    found = ClauseRow(CLAUSE, {"omitted": Counter(found=1)})
    data = [
        mutated_data(bundled_rulebook(), coverage),
        mutated_data(bundled_rulebook(), MutatedCoverage((found,), (), {}, 1)),
    ]
    told = {key for item in data for key in keys(item)}
    assert told == documented("rules coverage --mutated")
