"""What the checks of a rule add up to."""

from __future__ import annotations

import pytest

from reports.verdicts import RuleStatus, Verdict, status_of


@pytest.mark.parametrize(
    ("counts", "status"),
    [
        ({Verdict.COMPLIED: 9, Verdict.VIOLATED: 1}, RuleStatus.VIOLATED),
        ({Verdict.COMPLIED: 9, Verdict.UNDETERMINED: 1}, RuleStatus.UNDETERMINED),
        ({Verdict.COMPLIED: 9, Verdict.OPEN: 1}, RuleStatus.OPEN),
        ({Verdict.OPEN: 1, Verdict.UNDETERMINED: 1}, RuleStatus.UNDETERMINED),
        ({Verdict.COMPLIED: 1, Verdict.EXCUSED: 9}, RuleStatus.COMPLIED),
        ({Verdict.EXCUSED: 2, Verdict.VIOLATED: 0}, RuleStatus.EXCUSED),
        ({}, RuleStatus.NOT_EXERCISED),
    ],
)
def test_the_gravest_verdict_is_the_status_of_the_rule(
    counts: dict[Verdict, int], status: RuleStatus
) -> None:
    assert status_of(counts) is status
