"""Defects reach the report as data defects, under names that outlive the lines of a file."""

from __future__ import annotations

from compliance.integrity import DefectKind, defect_findings, defect_outcomes, examine
from compliance.integrity.defect_findings import TITLES
from reports.model import Finding
from reports.packed import Packed
from reports.verdicts import FindingKind, RuleStatus, Severity
from tests.compliance.integrity.small_tables import SCHEMA, Record, an, dealt, frame_of

DAMAGED = (dealt(seq=1), dealt(seq=1), dealt(seq=4))


def findings(*records: Record, table: str = "T1", name: str = "log.jsonl") -> list[Finding]:
    return defect_findings(examine(SCHEMA, frame_of(*records, name=name)).defects, "C1", table)


def test_a_defect_is_a_data_defect_with_its_file_and_line() -> None:
    again, gap = findings(*DAMAGED)
    assert {again.kind, gap.kind} == {FindingKind.DATA_DEFECT}
    assert (again.rule, again.severity) == ("evidence-retransmission", Severity.MINOR)
    assert (gap.rule, gap.severity) == ("evidence-seq-gap", Severity.MAJOR)
    assert "log.jsonl, line 3" in gap.sentence
    assert gap.where == {"casino": "C1", "table": "T1"}


def test_the_fingerprint_survives_other_lines_and_files() -> None:
    moved = findings(an("player_seated", seq=0), *DAMAGED, name="other.jsonl")
    assert [f.fingerprint for f in moved] == [f.fingerprint for f in findings(*DAMAGED)]


def test_defects_of_other_tables_and_kinds_have_other_fingerprints() -> None:
    both = [*findings(*DAMAGED), *findings(*DAMAGED, table="T2")]
    assert len({found.fingerprint for found in both}) == 4


def test_each_kind_of_defect_that_occurred_is_one_outcome() -> None:
    by_name: dict[str, list[Finding]] = {}
    for found in [*findings(*DAMAGED), *findings(*DAMAGED, table="T2")]:
        by_name.setdefault(found.rule, []).append(found)
    packed = {name: Packed.of(Finding, found) for name, found in by_name.items()}
    outcomes = defect_outcomes(packed)
    assert [(item.rule, item.counts.violated) for item in outcomes] == [
        ("evidence-retransmission", 2),
        ("evidence-seq-gap", 2),
    ]
    assert {item.status for item in outcomes} == {RuleStatus.VIOLATED}


def test_every_kind_has_a_title() -> None:
    assert set(TITLES) == set(DefectKind)
