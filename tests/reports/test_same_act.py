"""A report tells breaches of one act together: the gravest names the others, they name it."""

from __future__ import annotations

from reports import render_html
from reports.finding_rows import finding_rows
from reports.model import Counts, Finding, RuleOutcome, Run, SameAct
from reports.pdf_findings import finding_groups
from reports.shown import going_with, groups
from reports.verdicts import FindingKind, RuleStatus, Severity
from reports.zone import Clock
from tests.reports.sample import burn_outcome, full_run, run_of, unburned

LEADING = unburned()
OTHER = "dealer-announces-the-burn"


def with_another_breach() -> Run:
    """The invented night in which the missing burn breaks a second rule."""
    also = LEADING.model_copy(
        update={
            "rule": OTHER,
            "title": "The dealer announces the burn",
            "sentence": "D7 announced no burn.",
            "fingerprint": "f" * 64,
            "same_act": SameAct(rule=LEADING.rule, fingerprint=LEADING.fingerprint),
        }
    )
    outcome = RuleOutcome(
        rule=OTHER,
        title=also.title,
        severity=Severity.MAJOR,
        status=RuleStatus.VIOLATED,
        counts=Counts(violated=1),
        findings=(also,),
    )
    return run_of(burn_outcome(LEADING), outcome)


def shown(run: Run) -> dict[str, list[tuple[str, Finding]]]:
    return going_with(groups(run, FindingKind.VIOLATION), FindingKind.VIOLATION)


def test_the_others_are_found_under_the_gravest_with_their_numbers() -> None:
    listed = shown(with_another_breach())
    assert list(listed) == [LEADING.fingerprint]
    assert [(number, item.rule) for number, item in listed[LEADING.fingerprint]] == [
        ("V2.1", OTHER)
    ]


def test_the_page_links_both_ways() -> None:
    page = render_html(with_another_breach())
    assert f'same act as <a href="#finding-{LEADING.fingerprint[:16]}">' in page
    assert f'<a href="#finding-{"f" * 16}">V2.1</a> The dealer announces the burn' in page
    assert "The same act broke 1 further rule:" in page


def test_a_page_without_such_breaches_does_not_speak_of_them() -> None:
    page = render_html(full_run())
    assert "same act" not in page
    assert "Also broken" not in page


def test_paper_says_the_same() -> None:
    run = with_another_breach()
    first, second = finding_groups(run, FindingKind.VIOLATION, Clock(run.time_zone))
    assert first["findings"][0]["others"] == "V2.1 The dealer announces the burn"
    assert second["findings"][0]["others"] == ""
    assert f"same act as in {LEADING.rule}" in second["findings"][0]["where"]


def test_a_table_of_findings_names_the_gravest() -> None:
    rows = list(finding_rows(with_another_breach()))
    assert [row["same_act_rule"] for row in rows] == ["", LEADING.rule]
    assert [row["same_act"] for row in rows] == ["", LEADING.fingerprint]
