"""A run as JUnit XML, for build servers: a test case for every rule, grouped by section of the law.

A violated rule is a failure. What could not be judged is skipped, with the reason. Indicators and
defects of the evidence never fail, because they break no law; what they found stands in the output.
"""

from __future__ import annotations

from xml.etree import ElementTree as ET

from reports.hidden_characters import visible
from reports.model import Finding, RuleOutcome, Run
from reports.run_hash import run_hash
from reports.verdicts import FindingKind, RuleStatus
from reports.wording import MEANING, counted, label
from reports.zone import Clock

SHOWN_FINDINGS = 100
"""How many findings of a rule are listed; the rest are counted."""
_JUDGED = {RuleStatus.COMPLIED, RuleStatus.EXCUSED, RuleStatus.VIOLATED}
_GROUPS = {
    FindingKind.INDICATOR: "Indicators",
    FindingKind.DATA_DEFECT: "Integrity of the evidence",
}


def render_junit(run: Run) -> bytes:
    """The run as one XML document."""
    clock = Clock(run.time_zone)
    proofs = {"run": run_hash(run), "rulebook": run.rulebook.sha256}
    suites: dict[str, list[RuleOutcome]] = {}
    for outcome in run.outcomes:
        suites.setdefault(_section(outcome), []).append(outcome)
    root = ET.Element("testsuites", {"name": "compliance", **_counts(run.outcomes)})
    for name, outcomes in suites.items():
        suite = ET.SubElement(root, "testsuite", {"name": visible(name), **_counts(outcomes)})
        properties = ET.SubElement(suite, "properties")
        for key, value in proofs.items():
            ET.SubElement(properties, "property", {"name": key, "value": value})
        for outcome in outcomes:
            _case(suite, visible(name), outcome, clock)
    ET.indent(root)
    text: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def _section(outcome: RuleOutcome) -> str:
    if outcome.kind in _GROUPS:
        return _GROUPS[outcome.kind]
    return outcome.citations[0].split("(")[0].strip() if outcome.citations else "No citation"


def _failed(outcome: RuleOutcome) -> bool:
    return outcome.kind is FindingKind.VIOLATION and outcome.status is RuleStatus.VIOLATED


def _counts(outcomes: tuple[RuleOutcome, ...] | list[RuleOutcome]) -> dict[str, str]:
    return {
        "tests": str(len(outcomes)),
        "failures": str(sum(_failed(outcome) for outcome in outcomes)),
        "errors": "0",
        "skipped": str(sum(outcome.status not in _JUDGED for outcome in outcomes)),
        "time": "0",
    }


def _case(suite: ET.Element, section: str, outcome: RuleOutcome, clock: Clock) -> None:
    names = {"classname": section, "name": visible(outcome.rule), "time": "0"}
    case = ET.SubElement(suite, "testcase", names)
    if _failed(outcome):
        number = counted(outcome.counts.violated, "violation")
        message = visible(f"{outcome.title}: {number} in {counted(outcome.counts.total, 'check')}")
        failure = ET.SubElement(
            case, "failure", {"message": message, "type": outcome.severity.value}
        )
        failure.text = _listed(outcome, clock)
    elif outcome.status not in _JUDGED:
        words = label(outcome.status, outcome.kind).word
        reason = outcome.reason or MEANING[outcome.status]
        ET.SubElement(case, "skipped", {"message": visible(f"{words}: {reason}")})
    elif outcome.findings:
        ET.SubElement(case, "system-out").text = _listed(outcome, clock)


def _listed(outcome: RuleOutcome, clock: Clock) -> str:
    lines = [_line(found, clock) for found in outcome.findings[:SHOWN_FINDINGS]]
    more = len(outcome.findings) - len(lines)
    if more > 0:
        lines.append(f"and {more:,} more")
    return visible("\n".join(["", *lines, ""]))


def _line(found: Finding, clock: Clock) -> str:
    when = f"{clock.moment(found.trigger.ts)}  " if found.trigger else ""
    table = f" [table {found.where['table']}]" if "table" in found.where else ""
    waived = f" (waived by {found.waiver.authority})" if found.waiver else ""
    return f"{when}{found.sentence}{table}{waived} {found.fingerprint[:16]}"
