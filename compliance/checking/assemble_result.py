"""Puts the result of a run together: what a log shows about every rule.

`assemble` makes it from what an engine found, whichever engine it was. `run` does the whole with
the reference engine, each rule straight from its definition, for logs of modest size:

    result = run(rulebook, schema, events, inputs)
    result.exit_code, result.findings(FindingKind.VIOLATION)
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from importlib.metadata import version
from pathlib import PurePath
from zoneinfo import ZoneInfo

from compliance.checking.evaluable_rules import Sources
from compliance.checking.needs_of_rulebook import options_asked
from compliance.findings.clause_statements import clause_statements
from compliance.findings.finding import finding, title
from compliance.findings.table_findings import SHOWN_UNDECIDED, Undecided, lost_witness, undecided
from compliance.integrity import defect_outcomes
from compliance.judgement.circumstances import Circumstances, circumstances, edition_on
from compliance.reference import apply_rule
from compliance.values.elected_options import ElectedOptions
from compliance.values.event_texts import value_text
from event_schemas import Event, Schema
from event_schemas.lost_record import LOST_RECORD, NO_LIMIT, LostRecord
from reports.model import (
    Check,
    Counts,
    Finding,
    Input,
    Rulebook,
    RuleOutcome,
    Run,
    Scope,
    in_reading_order,
)
from reports.packed import Packed
from reports.verdicts import FindingKind, RuleStatus, Severity, Verdict, status_of
from reports.wording import counted, day
from rules_dsl import core


@dataclass(frozen=True)
class Evidence:
    """What an engine found in a log, whichever engine it was."""

    scope: Scope
    days: set[date]
    """The days of the log in the casino's zone."""
    elections: Sequence[Event]
    """The events that elected options."""
    counts: Mapping[str, Mapping[Verdict, int]]
    findings: Mapping[str, Packed[Finding]]
    """By rule: what was found at every breach."""
    undecided: Mapping[str, Undecided]
    """By rule: where the first checks stand that were excused or not decided."""
    defects: Mapping[str, Packed[Finding]] = field(default_factory=dict)
    """What is wrong with the evidence itself, by the name of the defect."""
    sources: Sources = field(default_factory=Sources)
    """What the sources of the log record."""
    unsettled: Mapping[str, Mapping[Verdict, int]] = field(default_factory=dict)
    """Of the checks that are counted, those of which the next log will speak again."""
    lost_records: int = 0
    """Records that are known to be lost."""
    undecided_by_loss: int = 0
    """Checks that could not be decided because of them."""


def run(
    rulebook: core.Rulebook,
    schema: Schema,
    events: Sequence[Event],
    inputs: Sequence[Input],
    *,
    options: Mapping[str, object] | None = None,
    profile: str | None = None,
    quarantined: int = 0,
    notes: Sequence[str] = (),
) -> Run:
    """Check a log. `options` is what the licensee elected for all tables before the log began."""
    choices = rulebook.profiles[profile].choices if profile else ()
    surroundings = circumstances(rulebook, schema, ElectedOptions(schema, events, options), choices)
    zone = ZoneInfo(rulebook.time_zone)
    checks = {rule.name: list(apply_rule(rule, surroundings, events)) for rule in rulebook.rules}
    triggers = {(event.casino, event.table, event.id): event for event in events}
    evidence = Evidence(
        _scope(events),
        {event.ts.astimezone(zone).date() for event in events},
        events,
        {name: Counter(check.verdict for check in found) for name, found in checks.items()},
        {
            rule.name: Packed.of(
                Finding,
                in_reading_order(
                    finding(check, rule, _edition(rule, check), triggers[_name(check)], schema)
                    for check in checks[rule.name]
                    if check.verdict is Verdict.VIOLATED
                ),
            )
            for rule in rulebook.rules
        },
        {name: undecided(found) for name, found in checks.items()},
        lost_records=sum(
            1 if event.times == NO_LIMIT else event.times
            for event in events
            if isinstance(event, LostRecord) and event.type == LOST_RECORD
        ),
        undecided_by_loss=sum(
            lost_witness(check) is not None for found in checks.values() for check in found
        ),
    )
    return assemble(
        surroundings,
        evidence,
        inputs,
        options=options,
        profile=profile,
        quarantined=quarantined,
        notes=notes,
    )


def _edition(rule: core.Rule, check: Check) -> core.Edition:
    """The edition of a rule that a check applied."""
    since = check.edition.isoformat() if check.edition else None
    return next(edition for edition in rule.editions if edition.since == since)


def _name(check: Check) -> tuple[str, str, str]:
    return check.trigger.casino, check.trigger.table, check.trigger.event_id


def assemble(
    surroundings: Circumstances,
    evidence: Evidence,
    inputs: Sequence[Input],
    *,
    options: Mapping[str, object] | None = None,
    profile: str | None = None,
    quarantined: int = 0,
    set_aside: Mapping[str, int] | None = None,
    notes: Sequence[str] = (),
) -> Run:
    """The whole result, from what an engine found."""
    rulebook, schema = surroundings.rulebook, surroundings.schema
    outcomes = [_outcome(rule, evidence, surroundings) for rule in rulebook.rules]
    return Run(
        rulebook=Rulebook(name=rulebook.title or "rules", sha256=rulebook_hash(rulebook)),
        inputs=tuple(inputs),
        scope=evidence.scope,
        profile=profile or "",
        interpretations={
            item.title: next(r.text for r in item.readings if r.name == chosen)
            for name, item in rulebook.interpretations.items()
            for chosen in [surroundings.readings[name]]
        },
        options=_options(rulebook, schema, evidence.elections, options or {}),
        versions={
            "table-compliance": version("table-compliance"),
            "Python": f"{sys.version_info.major}.{sys.version_info.minor}",
        },
        notes=(*notes, *_assumptions(surroundings)),
        quarantined=quarantined,
        set_aside=dict(set_aside or {}),
        lost_records=evidence.lost_records,
        undecided_by_loss=evidence.undecided_by_loss,
        time_zone=rulebook.time_zone,
        outcomes=(*outcomes, *defect_outcomes(evidence.defects)),
        statements=clause_statements(
            rulebook, outcomes, evidence.scope, _games(schema, evidence, options or {})
        ),
    )


def rulebook_hash(rulebook: core.Rulebook) -> str:
    """One proof of all rule files: their names inside the rulebook's folder, and their hashes."""
    paths = [os.path.abspath(file.name) for file in rulebook.files]
    # Where the folder lies differs from machine to machine, what is in it does not.
    root = os.path.commonpath([os.path.dirname(path) for path in paths]) if paths else ""
    names = [PurePath(os.path.relpath(path, root)).as_posix() for path in paths]
    parts = sorted(zip(names, (file.sha256 for file in rulebook.files), strict=True))
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


# ---- one rule ------------------------------------------------------------------------------


def _outcome(rule: core.Rule, evidence: Evidence, surroundings: Circumstances) -> RuleOutcome:
    counts = evidence.counts.get(rule.name, {})
    days = evidence.days
    status = status_of(counts)
    reason = " ".join(_undecided(evidence.undecided.get(rule.name, {}), counts))
    held = [e for e in rule.editions if any(edition_on(rule, moment) is e for moment in days)]
    if days and not held and not any(counts.values()):
        status, reason = RuleStatus.NOT_IN_FORCE, _in_force(rule)
    else:
        violated = counts.get(Verdict.VIOLATED, 0)
        always = violated > 0 and violated == sum(counts.values())
        status, source = evidence.sources.status(held, status, always, surroundings)
        reason = " ".join(part for part in (source, reason) if part)
    outcome = RuleOutcome(
        rule=rule.name,
        title=title(rule),
        citations=tuple(dict.fromkeys(c for e in held or rule.editions for c in e.citations)),
        severity=Severity(rule.severity),
        kind=FindingKind(rule.kind),
        status=status,
        reason=reason,
        counts=Counts.of(counts),
        unsettled=Counts.of(evidence.unsettled.get(rule.name, {})),
    )
    found = evidence.findings.get(rule.name)
    return outcome.with_findings(found) if found else outcome


def _undecided(found: Undecided, counts: Mapping[Verdict, int]) -> Iterator[str]:
    """Where a rule was excused or could not be decided: no finding, but worth a look."""
    for verdict in (Verdict.EXCUSED, Verdict.OPEN, Verdict.UNDETERMINED):
        places = list(found.get(verdict, ())[:SHOWN_UNDECIDED])
        if not places:
            continue
        # An engine may count more checks than it shows.
        more = counts[verdict] - len(places)
        if more > 0:
            places.append(f"{more:,} more")
        yield f"{verdict.value.capitalize()}: {', '.join(places)}."


def _in_force(rule: core.Rule) -> str:
    spans = []
    for edition in rule.editions:
        begin = f"from {day(date.fromisoformat(edition.since))}" if edition.since else ""
        end = f"until {day(date.fromisoformat(edition.until))}" if edition.until else ""
        spans.append(" ".join(part for part in (begin, end) if part))
    return f"In force {', and '.join(spans)}."


# ---- the run as a whole --------------------------------------------------------------------


def _scope(events: Sequence[Event]) -> Scope:
    return Scope(
        casinos=tuple(sorted({event.casino for event in events})),
        tables=tuple(sorted({event.table for event in events})),
        first=min((event.ts for event in events), default=None),
        last=max((event.ts for event in events), default=None),
    )


def _options(
    rulebook: core.Rulebook,
    schema: Schema,
    events: Sequence[Event],
    given: Mapping[str, object],
) -> dict[str, str]:
    """What the licensee elected, where some rule asks for it; by table where tables differ."""
    asked = options_asked(rulebook)
    elected: dict[str, dict[str, dict[str, None]]] = {}
    for event in events:
        for name, text in _elections(event):
            if name in asked:
                elected.setdefault(name, {}).setdefault(text, {}).setdefault(event.table)
    shown = {
        name: value_text(schema.options[name].kind.name, value)
        for name, value in given.items()
        if name in asked
    }
    for name, tables in elected.items():
        parts = [f"{text} ({', '.join(sorted(at))})" for text, at in tables.items()]
        shown[name] = parts[0] if len(parts) == 1 else "; ".join(parts)
    return shown


def _games(
    schema: Schema, evidence: Evidence, given: Mapping[str, object]
) -> frozenset[str] | None:
    """The games that were played, or none where the game of some table is not told."""
    played: dict[str, set[str]] = {}
    for event in evidence.elections:
        for name, text in _elections(event):
            if name == "game":
                played.setdefault(event.table, set()).add(text)
    games = {game for told in played.values() for game in told}
    if "game" in given:
        games.add(value_text(schema.options["game"].kind.name, given["game"]))
    elif not played.keys() >= set(evidence.scope.tables):
        return None
    return frozenset(games)


def _elections(event: Event) -> Iterator[tuple[str, str]]:
    if event.type == "option_elected":
        yield str(event.get("option_name")), str(event.get("value"))
    elif event.type == "table_opened" and event.get("game") is not None:
        yield "game", str(event.get("game"))


def _assumptions(surroundings: Circumstances) -> Iterator[str]:
    """The settings on which verdicts rest, said aloud."""
    for name, setting in surroundings.rulebook.settings.items():
        value = value_text(setting.value.kind, surroundings.settings[name])
        yield f"Assumed: {name} is {value}. {setting.why}".strip()


def summary(result: Run) -> str:
    """The result in one line: how many rules, checks and findings of each kind."""
    rules = [item for item in result.outcomes if item.kind is not FindingKind.DATA_DEFECT]
    checks = sum(outcome.counts.total for outcome in rules)
    violations = result.findings(FindingKind.VIOLATION)
    broken = len({found.rule for found in violations})
    return (
        f"{counted(len(violations), 'violation')} of {counted(broken, 'rule')} in "
        f"{counted(checks, 'check')} of {counted(len(rules), 'rule')}"
    )
