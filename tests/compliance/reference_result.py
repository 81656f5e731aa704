"""The result of a run in which the reference interpreter judges, each rule from its definition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from zoneinfo import ZoneInfo

from compliance.checking.assemble_result import assemble
from compliance.checking.log_answer import LogAnswer, TableAnswer
from compliance.findings.finding import finding
from compliance.findings.table_findings import TableFindings, named_undecided, packed_findings
from compliance.log.manifest import Manifest
from compliance.log.problems import Quarantine
from compliance.log.tables import ReadLog
from compliance.reference import apply_rule
from compliance.table_check.check_table import RuleCount
from compliance.table_check.settings import Manifests, Settings
from compliance.values.elected_options import ElectedOptions
from event_schemas import Event, Schema
from reports.model import Check, Input, Run
from reports.verdicts import Verdict
from rules_dsl import core


def reference_result(
    rulebook: core.Rulebook,
    schema: Schema,
    events: Sequence[Event],
    inputs: Sequence[Input],
    options: Mapping[str, object] | None = None,
    profile: str | None = None,
) -> Run:
    """What the events of one table show, from a source that records everything."""
    everything = Manifest({name: frozenset(event.fields) for name, event in schema.events.items()})
    said = Manifests({None: everything})
    settings = Settings(rulebook, schema, profile, options or {}, manifests=said)
    history = ElectedOptions(schema, events, options)
    surroundings = settings.circumstances(history)
    triggers = {event.id: event for event in events}
    zone = ZoneInfo(rulebook.time_zone)
    answer = LogAnswer(elections=list(events))
    answer.days = {event.ts.astimezone(zone).date() for event in events}
    if events:
        span = min(event.ts for event in events), max(event.ts for event in events)
        days = frozenset(answer.days)
        where = events[0].casino, events[0].table
        answer.tables.append(TableAnswer(*where, len(events), span, days, (), TableFindings()))
    for rule in rulebook.rules:
        checks = list(apply_rule(rule, surroundings, events))
        found = packed_findings(
            finding(check, rule, _edition(rule, check), triggers[check.trigger.event_id], schema)
            for check in checks
            if check.verdict is Verdict.VIOLATED
        )
        counts = RuleCount(rule.name, Counter(check.verdict for check in checks))
        answer.add([counts], TableFindings({rule.name: found}, {rule.name: _undecided(checks)}))
    return assemble(settings, answer, ReadLog(tuple(inputs), Quarantine(), ()))


def _edition(rule: core.Rule, check: Check) -> core.Edition:
    """The edition of a rule that a check applied."""
    since = check.edition.isoformat() if check.edition else None
    return next(edition for edition in rule.editions if edition.since == since)


def _undecided(checks: Sequence[Check]) -> dict[Verdict, list[str]]:
    found: dict[Verdict, list[str]] = {}
    for check in checks:
        if check.verdict in (Verdict.EXCUSED, Verdict.OPEN, Verdict.UNDETERMINED):
            doubtful = check.verdict is Verdict.UNDETERMINED
            witnesses = check.witnesses if doubtful else ()
            named = named_undecided(check.trigger, check.excused_by, witnesses)
            found.setdefault(check.verdict, []).append(named)
    return found
