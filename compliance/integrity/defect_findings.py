"""Turns defects of the evidence into findings, kept apart from violations of the law."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from compliance.integrity.defects import Defect, DefectKind, severity_of
from reports.fingerprint import fingerprint
from reports.model import Counts, Finding, RuleOutcome, Witness
from reports.packed import Packed
from reports.verdicts import FindingKind, RuleStatus

TITLES: Final = {
    DefectKind.RETRANSMISSION: "Every record comes once",
    DefectKind.ID_CONFLICT: "An id stands for one record only",
    DefectKind.SEQ_REPEATED: "Every event of a table has its own sequence number",
    DefectKind.SEQ_GAP: "No sequence number of a table is missing",
    DefectKind.CLOCK_BACK: "The clock of a table does not go back",
    DefectKind.CLOCK_FORWARD: "The clock of an open table does not leap",
    DefectKind.CORRECTION: "Records that were corrected later",
    DefectKind.CANCELLATION: "Records that were cancelled later",
    DefectKind.CORRECTION_UNCLEAR: "It is clear what every correction is about",
    DefectKind.CARD_TOO_OFTEN: "No card comes more often than the decks hold it",
    DefectKind.SHOE_OVERRUN: "No more cards come than the decks hold",
    DefectKind.ROUND_WITHOUT_END: "Every round ends before the next one begins",
    DefectKind.LATE_RECORD: "Every record comes before its time is judged",
    DefectKind.NIGHTS_DISAGREE: "Logs that overlap tell the same",
    DefectKind.LATE_RESULT: "Results come before their round ends",
    DefectKind.RESULT_AFTER_SHOE_CHANGE: "Results come before the cards are changed",
}


def rule_name(kind: DefectKind) -> str:
    """The name under which a report lists defects of a kind."""
    return f"evidence-{kind.value}"


def defect_findings(defects: Iterable[Defect], casino: str, table: str) -> list[Finding]:
    """One finding for each defect of a table's log, in the same order."""
    return [_finding(item, casino, table) for item in defects]


def _finding(item: Defect, casino: str, table: str) -> Finding:
    about = {str(number): part for number, part in enumerate(item.about)}
    return Finding(
        kind=FindingKind.DATA_DEFECT,
        rule=rule_name(item.kind),
        title=TITLES[item.kind],
        severity=item.severity,
        sentence=item.sentence,
        where={"casino": casino, "table": table},
        trigger=Witness(
            event_id=item.event_id,
            ts=item.ts,
            type=item.event_type,
            casino=casino,
            table=table,
            seq=item.seq,
            line_text=f"{item.file}, line {item.line}",
            part="trigger",
        ),
        # Neither the file nor the line, which change when a log is exported again.
        fingerprint=fingerprint(
            rule=rule_name(item.kind),
            edition=None,
            casino=casino,
            table=table,
            slice=about,
            trigger=item.event_id,
        ),
    )


def defect_outcomes(findings: Mapping[str, Packed[Finding]]) -> tuple[RuleOutcome, ...]:
    """One outcome for each kind of defect that occurred, in the order of the kinds.

    The findings come by the names under which a report lists them.
    """
    return tuple(
        RuleOutcome(
            rule=name,
            title=TITLES[kind],
            severity=severity_of(kind),
            kind=FindingKind.DATA_DEFECT,
            status=RuleStatus.VIOLATED,
            counts=Counts(violated=len(findings[name])),
        ).with_findings(findings[name])
        for kind in DefectKind
        if findings.get(name := rule_name(kind))
    )
