"""The e-mail text: short, plain, and with nothing that a log could add."""

from __future__ import annotations

import pytest

from reports.mail_text import WIDTH, render_mail
from reports.model import Run
from reports.run_hash import run_hash
from reports.verdicts import RuleStatus
from tests.reports.many_findings import many
from tests.reports.payloads import LINES, attacked
from tests.reports.sample import full_run

LINES_AT_MOST = 40


def lines(run: Run) -> list[str]:
    return render_mail(run).decode().splitlines()


def test_the_verdict_and_its_counts_come_first() -> None:
    told = "\n".join(lines(full_run())[:8])
    assert "VERDICT: 2 violations of 1 rule; 1 of them waived." in told
    assert "2 major." in told


def test_the_worst_finding_is_told_with_time_and_table() -> None:
    told = " ".join(lines(full_run()))
    assert "2024-03-09 20:00:09 -05:00: D7 dealt 9♠ to seat 1 without burning a card." in told


def test_what_could_not_be_judged_is_named() -> None:
    told = "\n".join(lines(full_run()))
    assert "1 rule undetermined" in told
    assert "1 rule not evaluable" in told


def test_it_names_the_result_that_the_report_carries() -> None:
    assert run_hash(full_run())[:16] in lines(full_run())[-1]


@pytest.mark.parametrize("run", [full_run(), many(200, 5), attacked("long words " * 500)])
def test_it_stays_short(run: Run) -> None:
    assert len(lines(run)) <= LINES_AT_MOST


def test_its_lines_fit_into_a_mail() -> None:
    assert max(map(len, lines(many(200, 5)))) <= WIDTH


def test_a_line_break_in_a_log_adds_no_line() -> None:
    assert not [line for line in lines(attacked(LINES)) if line.strip() == "two"]


def test_a_clean_run_in_which_nothing_was_checked_is_not_called_compliant() -> None:
    night = full_run()
    idle = [item for item in night.outcomes if item.status is RuleStatus.NOT_EXERCISED]
    told = lines(night.model_copy(update={"outcomes": tuple(idle)}))
    assert "VERDICT: Nothing could be checked." in told
