"""Puts the result of a run together: what a log shows about every rule."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from importlib.metadata import version

from compliance.checking.evaluable_rules import Sources
from compliance.checking.log_answer import LogAnswer
from compliance.checking.rulebook_identity import rulebook_hash, rulebook_name
from compliance.findings.clause_statements import clause_statements
from compliance.findings.finding import title
from compliance.findings.table_findings import SHOWN_UNDECIDED, Undecided
from compliance.integrity import defect_outcomes, records_lost
from compliance.judgement.circumstances import Circumstances, edition_on
from compliance.log.tables import ReadLog
from compliance.table_check.needs_of_rulebook import options_asked
from compliance.table_check.settings import Settings
from compliance.values.event_texts import value_text
from event_schemas import Event, Schema
from reports.model import (
    Counts,
    Finding,
    Rulebook,
    RuleOutcome,
    Run,
    Scope,
)
from reports.packed import Packed
from reports.verdicts import FindingKind, RuleStatus, Severity, Verdict, status_of
from reports.wording import day
from rules_dsl import core


def assemble(
    settings: Settings, answer: LogAnswer, log: ReadLog, earlier_notes: Sequence[str] = ()
) -> Run:
    """The whole result, from what the log shows."""
    rulebook, schema, surroundings = settings.rulebook, settings.schema, settings.circumstances()
    sources = Sources(settings.manifests, answer.occurs)
    scope = answer.scope
    found = answer.found.findings()
    outcomes = [_outcome(rule, answer, found, sources, surroundings) for rule in rulebook.rules]
    return Run(
        rulebook=Rulebook(name=rulebook_name(rulebook), sha256=rulebook_hash(rulebook)),
        inputs=log.inputs,
        scope=scope,
        profile=settings.profile or "",
        interpretations={
            item.title: next(r.text for r in item.readings if r.name == chosen)
            for name, item in rulebook.interpretations.items()
            for chosen in [surroundings.readings[name]]
        },
        options=_options(rulebook, schema, answer.elections, settings.given),
        versions={
            "table-compliance": version("table-compliance"),
            "Python": f"{sys.version_info.major}.{sys.version_info.minor}",
        },
        notes=(
            *settings.selection.notes,
            *earlier_notes,
            *answer.notes,
            *log.notes,
            *sources.notes(rulebook.time_zone, answer.times),
            *_assumptions(surroundings),
        ),
        quarantined=log.quarantine.total,
        set_aside=_set_aside(log.quarantine.reasons),
        lost_records=records_lost((table.loss for table in answer.tables), log.quarantine.total),
        undecided_by_loss=answer.undecided_by_loss,
        time_zone=rulebook.time_zone,
        outcomes=(*outcomes, *defect_outcomes(answer.defects.findings())),
        statements=clause_statements(
            rulebook, outcomes, scope, _games(schema, answer.elections, scope, settings.given)
        ),
    )


def _set_aside(reasons: Mapping[str, int]) -> dict[str, int]:
    """Why lines were set aside, the most frequent reason first."""
    return dict(sorted(reasons.items(), key=lambda item: (-item[1], item[0]))[:20])


# ---- one rule ------------------------------------------------------------------------------


def _outcome(
    rule: core.Rule,
    answer: LogAnswer,
    found: Mapping[str, Packed[Finding]],
    sources: Sources,
    surroundings: Circumstances,
) -> RuleOutcome:
    counts: Mapping[Verdict, int] = answer.counts.get(rule.name, {})
    days = answer.days
    status = status_of(counts)
    reason = " ".join(_undecided(answer.undecided.get(rule.name, {}), counts))
    held = [e for e in rule.editions if any(edition_on(rule, moment) is e for moment in days)]
    if days and not held and not any(counts.values()):
        status, reason = RuleStatus.NOT_IN_FORCE, _in_force(rule)
    else:
        violated = counts.get(Verdict.VIOLATED, 0)
        always = violated > 0 and violated == sum(counts.values())
        status, source = sources.status(held, status, always, surroundings)
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
        unsettled=Counts.of(answer.unsettled.get(rule.name, {})),
    )
    breaches = found.get(rule.name)
    return outcome.with_findings(breaches) if breaches else outcome


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
    schema: Schema, elections: Sequence[Event], scope: Scope, given: Mapping[str, object]
) -> frozenset[str] | None:
    """The games that were played, or none where the game of some table is not told."""
    played: dict[str, set[str]] = {}
    for event in elections:
        for name, text in _elections(event):
            if name == "game":
                played.setdefault(event.table, set()).add(text)
    games = {game for told in played.values() for game in told}
    if "game" in given:
        games.add(value_text(schema.options["game"].kind.name, given["game"]))
    elif not played.keys() >= set(scope.tables):
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
