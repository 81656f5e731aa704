"""A run in a word and a few numbers: the same in every format, with an honest exit code."""

from __future__ import annotations

import re

import pytest

from reports.formats import FORMATS
from reports.model import Counts, RuleOutcome, Run
from reports.summary import RunVerdict
from reports.summing_up import exit_code, extent_sentence, summary_of, verdict_sentence
from reports.verdicts import Concern, ExitCode, FindingKind, RuleStatus, Severity
from tests.reports.sample import burn_outcome, full_run, run_of, unburned


def whole(*outcomes: RuleOutcome) -> Run:
    """A run in which nothing was set aside."""
    return run_of(*outcomes).model_copy(update={"quarantined": 0, "lost_records": 0})


def rule(status: RuleStatus, **counts: int) -> RuleOutcome:
    return RuleOutcome(
        rule="another",
        title="Another rule",
        severity=Severity.MINOR,
        status=status,
        counts=Counts(**counts),
    )


def defect(severity: Severity) -> RuleOutcome:
    (found,) = (item for item in full_run().outcomes if item.kind is FindingKind.DATA_DEFECT)
    findings = [item.model_copy(update={"severity": severity}) for item in found.findings]
    return found.model_copy(update={"severity": severity, "findings": tuple(findings)})


CLEAN = whole(burn_outcome())
UNDETERMINED = whole(burn_outcome(), rule(RuleStatus.UNDETERMINED, undetermined=2))
QUARANTINE = CLEAN.model_copy(update={"quarantined": 3})
DEFECT = whole(burn_outcome(), defect(Severity.MAJOR))
NOTHING = whole(rule(RuleStatus.OPEN, open=4))


def test_a_violation_makes_the_exit_code_one() -> None:
    assert exit_code(whole(burn_outcome(unburned()))) is ExitCode.VIOLATIONS


def test_a_whole_log_without_violation_is_clean() -> None:
    assert exit_code(CLEAN) is ExitCode.CLEAN
    assert summary_of(CLEAN).verdict is RunVerdict.CLEAN


@pytest.mark.parametrize(
    ("run", "concern", "says"),
    [
        (UNDETERMINED, Concern.UNDETERMINED, "2 checks of 1 rule could not be decided"),
        (QUARANTINE, Concern.QUARANTINE, "3 lines of the log were not readable"),
        (DEFECT, Concern.DEFECT, "1 defect of the evidence"),
    ],
)
def test_evidence_that_is_not_whole_does_not_support_a_clean_verdict(
    run: Run, concern: Concern, says: str
) -> None:
    assert exit_code(run) is ExitCode.NOT_SUPPORTED
    summary = summary_of(run)
    assert "does not support a clean verdict" in verdict_sentence(summary)
    assert says in " ".join(summary.doubts)
    assert exit_code(run, {concern}) is ExitCode.NOT_SUPPORTED
    assert exit_code(run, set(Concern) - {concern}) is ExitCode.CLEAN


def test_a_record_that_was_only_sent_twice_takes_nothing_from_the_evidence() -> None:
    assert exit_code(whole(burn_outcome(), defect(Severity.MINOR))) is ExitCode.CLEAN


@pytest.mark.parametrize("run", [NOTHING, whole(), whole(rule(RuleStatus.NOT_EVALUABLE))])
def test_a_log_from_which_nothing_could_be_decided_is_never_clean(run: Run) -> None:
    assert exit_code(run, {Concern.VIOLATION}) is ExitCode.NOT_SUPPORTED
    assert summary_of(run).doubts[0].startswith("No check of any rule")


def test_violations_outweigh_doubts_about_the_evidence() -> None:
    run = whole(burn_outcome(unburned()), rule(RuleStatus.UNDETERMINED, undetermined=1))
    assert exit_code(run) is ExitCode.VIOLATIONS
    assert summary_of(run).doubts
    assert exit_code(run, {Concern.DEFECT}) is ExitCode.CLEAN


def test_indicators_break_no_law() -> None:
    others = [item for item in full_run().outcomes if item.kind is FindingKind.INDICATOR]
    assert {item.status for item in others} == {RuleStatus.VIOLATED}
    assert exit_code(whole(burn_outcome(), *others)) is ExitCode.CLEAN


def test_rules_that_were_never_applied_are_counted() -> None:
    run = whole(burn_outcome(), rule(RuleStatus.NOT_EXERCISED), rule(RuleStatus.NOT_IN_FORCE))
    assert extent_sentence(summary_of(run)) == "212 checks of 1 rule; 2 of 3 rules never applied"


@pytest.mark.parametrize("form", ["html", "mail", "pdf"])
def test_every_format_tells_the_same_numbers(form: str) -> None:
    run = full_run()
    summary = summary_of(run)
    if form == "pdf":
        from reports.pdf_content import pdf_content

        told = str(pdf_content(run)["page"])
    else:
        told = FORMATS[form].render(run).decode()
    told = re.sub(r"\s+", " ", told)
    assert verdict_sentence(summary) in told
    assert extent_sentence(summary) in told
