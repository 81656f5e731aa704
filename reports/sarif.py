"""A run as SARIF 2.1.0, the exchange format of checkers, for tools that gather such results.

Violations are failures with a level; patterns and damaged evidence are marked for review. A rule
without findings has one result that says how it ended, so that nothing is lost.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from reports.hidden_characters import visible
from reports.json_in_pieces import with_items
from reports.model import Finding, RuleOutcome, Run, Witness
from reports.run_hash import run_hash
from reports.verdicts import FindingKind, RuleStatus, Severity
from reports.wording import counted, label
from reports.zone import Clock

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
FINGERPRINT = "finding/v1"
_LEVELS = {Severity.CRITICAL: "error", Severity.MAJOR: "error", Severity.MINOR: "warning"}
_ENDED = {
    RuleStatus.COMPLIED: "pass",
    RuleStatus.EXCUSED: "pass",
    RuleStatus.OPEN: "open",
    RuleStatus.UNDETERMINED: "open",
    RuleStatus.VIOLATED: "fail",
}
_NOT_APPLICABLE = "notApplicable"
_FAILED = "fail"
_REVIEW = "review"
_WITHOUT_LINES = (".parquet", ".gz", ".zst", ".xes")


def sarif_pieces(run: Run) -> Iterator[str]:
    """The whole run as one SARIF log."""
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [_run(run)]}
    results = ([_written(result)] for result in _results(run, Clock(run.time_zone)))
    yield from with_items(_written(log), "results", "   ", " ", results)
    yield "\n"


def _written(part: dict[str, Any]) -> str:
    return json.dumps(part, indent=1, ensure_ascii=True)


def _run(run: Run) -> dict[str, Any]:
    artifacts = [
        {
            "location": {"uri": quote(source.name)},
            "hashes": {"sha-256": source.sha256},
            "roles": ["analysisTarget"],
        }
        for source in run.inputs
    ]
    driver = {
        "name": "table-compliance",
        "rules": [_rule(outcome) for outcome in run.outcomes],
    }
    if "table-compliance" in run.versions:
        driver["version"] = run.versions["table-compliance"]
    return {
        "tool": {"driver": driver},
        "artifacts": artifacts,
        "columnKind": "unicodeCodePoints",
        # Written one by one, because they can be very many.
        "results": [],
        "properties": {
            "resultSha256": run_hash(run),
            "rulebook": visible(run.rulebook.name),
            "rulebookSha256": run.rulebook.sha256,
            "timeZone": run.time_zone,
            "linesSetAside": run.quarantined,
            "recordsLost": run.lost_records,
            "checksUndecidedByLoss": run.undecided_by_loss,
            "notes": [visible(note) for note in run.notes],
        },
    }


def _rule(outcome: RuleOutcome) -> dict[str, Any]:
    level = _LEVELS[outcome.severity] if outcome.kind is FindingKind.VIOLATION else "none"
    return {
        "id": visible(outcome.rule),
        "shortDescription": {"text": _message(outcome.title)},
        "defaultConfiguration": {"level": level},
        "properties": {
            "kind": outcome.kind.value,
            "severity": outcome.severity.value,
            "citations": [visible(text) for text in outcome.citations],
            "status": outcome.status.value,
            "counts": outcome.counts.model_dump(),
            **({"reason": visible(outcome.reason)} if outcome.reason else {}),
        },
    }


def _results(run: Run, clock: Clock) -> Iterator[dict[str, Any]]:
    for index, outcome in enumerate(run.outcomes):
        for found in outcome.findings:
            yield {"ruleId": visible(outcome.rule), "ruleIndex": index} | _finding(
                found, run, clock
            )
        if not outcome.findings:
            yield {"ruleId": visible(outcome.rule), "ruleIndex": index} | _ended(outcome)


def _ended(outcome: RuleOutcome) -> dict[str, Any]:
    """How a rule ended that found nothing."""
    words = label(outcome.status, outcome.kind).word
    text = f"{words}, {counted(outcome.counts.total, 'check')}"
    text = f"{text}: {outcome.reason}" if outcome.reason else text
    kind = _ENDED.get(outcome.status, _NOT_APPLICABLE)
    return {
        "kind": kind,
        "level": _LEVELS[outcome.severity] if kind == _FAILED else "none",
        "message": {"text": _message(text)},
    }


def _finding(found: Finding, run: Run, clock: Clock) -> dict[str, Any]:
    broken = found.kind is FindingKind.VIOLATION
    result: dict[str, Any] = {
        "kind": _FAILED if broken else _REVIEW,
        # A result that is no failure has no level: so the standard demands.
        "level": _LEVELS[found.severity] if broken else "none",
        "message": {"text": _message(found.sentence)},
        "locations": [_location(found, run)],
        "partialFingerprints": {FINGERPRINT: found.fingerprint},
        "properties": {
            "kind": found.kind.value,
            "severity": found.severity.value,
            "where": {name: visible(value) for name, value in found.where.items()},
            **({"time": clock.machine(found.trigger.ts)} if found.trigger else {}),
            **({"remedy": visible(found.remedy)} if found.remedy else {}),
        },
    }
    if found.witnesses:
        result["relatedLocations"] = [
            _witness(number, event, clock) for number, event in enumerate(found.witnesses)
        ]
    if found.waiver is not None:
        result["suppressions"] = [
            {
                "kind": "external",
                "status": "accepted",
                "justification": visible(f"{found.waiver.authority}: {found.waiver.reason}"),
            }
        ]
    return result


def _location(found: Finding, run: Run) -> dict[str, Any]:
    place = [f"{name} {value}" for name, value in found.where.items()]
    shown: dict[str, Any] = {
        "logicalLocations": [
            {"fullyQualifiedName": visible("/".join(place) or "log"), "kind": "table"}
        ]
    }
    names = [source.name for source in run.inputs]
    if found.file in names:
        uri = {"uri": quote(found.file), "index": names.index(found.file)}
        shown["physicalLocation"] = {"artifactLocation": uri}
        # Of a file without lines, such as Parquet, there is nothing to open at one.
        if found.line and not found.file.endswith(_WITHOUT_LINES):
            shown["physicalLocation"]["region"] = {"startLine": found.line}
    elif len(names) == 1:
        shown["physicalLocation"] = {"artifactLocation": {"uri": quote(names[0]), "index": 0}}
    return shown


def _witness(number: int, event: Witness, clock: Clock) -> dict[str, Any]:
    text = f"{event.part}: {event.type} {event.event_id}, {clock.moment(event.ts)}"
    name = f"table {event.table}/event {event.event_id}"
    return {
        "id": number,
        "message": {"text": _message(text)},
        "logicalLocations": [{"fullyQualifiedName": visible(name), "kind": "event"}],
    }


def _message(text: str) -> str:
    """Text of a message: no placeholder, no link, whatever stands in the log."""
    shown = visible(text).replace("{", "{{").replace("}", "}}")
    return shown.replace("](", "] (")
