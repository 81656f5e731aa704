"""The result of a run holds together and survives being written down."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from pydantic import ValidationError

from reports.model import Check, Counts, RuleOutcome, Run
from reports.verdicts import FindingKind, RuleStatus, Severity, Verdict
from tests.reports.sample import ARRIVED, DEALT, EDITION, burn_outcome, full_run, unburned
from tests.reports.sample import witness as event


def test_a_run_comes_back_from_json_unchanged() -> None:
    run = full_run()
    assert Run.model_validate_json(run.model_dump_json()) == run


def test_the_offset_of_a_time_survives_json() -> None:
    text = full_run().model_dump_json()
    assert "2024-03-09T20:00:09-05:00" in text
    assert Run.model_validate_json(text).model_dump_json() == text


def test_the_order_in_which_findings_were_made_leaves_no_trace() -> None:
    made = [unburned(), unburned(event("e-9", "20:00:09", "card_dealt", 7, "trigger", table="A"))]
    made.append(unburned(event("e-2", "23:00:00", "card_dealt", 1, "trigger", table="A")))
    texts = {burn_outcome(*order).model_dump_json() for order in permutations(made)}
    assert len(texts) == 1


def test_the_order_of_inputs_and_of_entries_leaves_no_trace() -> None:
    run = full_run()
    data = run.model_dump()
    data["inputs"] = data["inputs"][::-1]
    data["options"] = dict(reversed(data["options"].items()))
    assert Run.model_validate(data).model_dump_json() == run.model_dump_json()


def test_places_read_from_the_widest_to_the_narrowest() -> None:
    assert list(unburned().where) == ["casino", "table", "round", "dealer", "seat"]


def test_a_check_and_its_finding_have_the_same_fingerprint() -> None:
    check = Check(
        rule="burn-by-each-new-dealer",
        edition=EDITION,
        verdict=Verdict.VIOLATED,
        trigger=DEALT,
        slice={"table": "BJ-12"},
        witnesses=(ARRIVED,),
    )
    assert check.fingerprint == unburned().fingerprint


@pytest.mark.parametrize(
    ("verdict", "excused_by"),
    [(Verdict.EXCUSED, None), (Verdict.COMPLIED, "N.J.A.C. 19:47-2.6(c)")],
)
def test_an_exception_is_named_where_it_applied_and_only_there(
    verdict: Verdict, excused_by: str | None
) -> None:
    with pytest.raises(ValidationError, match="names the exception"):
        Check(rule="r", verdict=verdict, trigger=DEALT, excused_by=excused_by)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"status": RuleStatus.COMPLIED}, "do not add up"),
        ({"counts": Counts(), "findings": ()}, "has no checks"),
        ({"kind": FindingKind.INDICATOR}, "another rule or kind"),
        ({"rule": "another"}, "another rule or kind"),
    ],
)
def test_an_outcome_that_contradicts_itself_is_refused(
    change: dict[str, Any], message: str
) -> None:
    data = burn_outcome(unburned()).model_dump()
    with pytest.raises(ValidationError, match=message):
        RuleOutcome.model_validate(data | change)


def test_a_rule_without_checks_may_be_not_evaluable() -> None:
    outcome = RuleOutcome(
        rule="r", title="R", severity=Severity.MINOR, status=RuleStatus.NOT_EVALUABLE
    )
    assert outcome.counts.total == 0


def test_an_unknown_field_is_refused() -> None:
    data = full_run().model_dump() | {"finished_at": "2024-03-10T00:00:00Z"}
    with pytest.raises(ValidationError, match="finished_at"):
        Run.model_validate(data)


def test_a_time_without_offset_is_refused() -> None:
    data = DEALT.model_dump() | {"ts": "2024-03-09T20:00:09"}
    with pytest.raises(ValidationError, match="timezone"):
        type(DEALT).model_validate(data)


def test_counts_per_verdict_come_back_as_given() -> None:
    given = {Verdict.COMPLIED: 3, Verdict.OPEN: 1}
    assert Counts.of(given).by_verdict() == dict.fromkeys(Verdict, 0) | given
