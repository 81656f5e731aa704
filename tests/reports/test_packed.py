"""Findings that are packed come back as they were, and take little room until then."""

from __future__ import annotations

import tracemalloc

import pytest

from reports.model import Finding, RuleOutcome
from reports.packed import Packed
from tests.reports.many_findings import many
from tests.reports.sample import full_run

SIZE = 200
"""More than are packed together."""
KIBIBYTE = 1024


def outcome() -> RuleOutcome:
    return many(rules=1, findings=SIZE).outcomes[0]


@pytest.mark.parametrize("outcome", full_run().outcomes, ids=lambda outcome: outcome.rule)
def test_what_is_unpacked_is_what_was_packed(outcome: RuleOutcome) -> None:
    found = tuple(outcome.findings)
    assert tuple(Packed.of(Finding, found)) == found


@pytest.mark.parametrize("place", [0, 63, 64, SIZE - 1, -1, -SIZE])
def test_one_finding_is_taken_out_by_its_place(place: int) -> None:
    findings = outcome().findings
    assert findings[place] == tuple(findings)[place]


@pytest.mark.parametrize(
    "part", [slice(3), slice(60, 70), slice(-3, None), slice(None, None, 50), slice(500, 600)]
)
def test_a_part_is_the_same_as_of_all_findings(part: slice) -> None:
    findings = outcome().findings
    assert findings[part] == tuple(findings)[part]


def test_there_is_nothing_behind_the_last_finding() -> None:
    with pytest.raises(IndexError):
        outcome().findings[SIZE]


def test_findings_that_differ_anywhere_are_not_equal() -> None:
    found = tuple(outcome().findings)
    other = (*found[:-1], found[-1].model_copy(update={"sentence": "Something else."}))
    assert Packed.of(Finding, found) != Packed.of(Finding, other)


def test_a_packed_finding_takes_less_than_a_kibibyte() -> None:
    found = [item.model_copy(update={"timeline": None}) for item in outcome().findings]
    tracemalloc.start()
    packed = Packed.of(Finding, found)
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size < len(packed) * KIBIBYTE


def test_all_findings_of_a_run_are_taken_rule_by_rule() -> None:
    run = many(rules=3, findings=2)
    found = run.findings(run.outcomes[0].kind)
    assert len(found) == 6
    assert [item.rule for item in found] == [o.rule for o in run.outcomes for _ in range(2)]
    assert found[-1] == run.outcomes[-1].findings[1]
