"""Puts the result of a run together: what a log shows about every rule."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date, timedelta
from importlib.metadata import version

from compliance.checking.clauses_to_open import clauses_to_open
from compliance.checking.evaluable_rules import RuleChecks, Sources
from compliance.checking.log_answer import LogAnswer
from compliance.checking.rulebook_identity import rulebook_hash, rulebook_name
from compliance.findings.clause_statements import clause_statements
from compliance.findings.finding import title
from compliance.findings.table_findings import SHOWN_UNDECIDED, Undecided
from compliance.integrity import defect_outcomes, records_lost
from compliance.judgement.circumstances import Circumstances, edition_for
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
from reports.verdicts import FindingKind, RuleStatus, Severity, Verdict
from reports.wording import counted, day
from rules_dsl import core
from rules_dsl.clauses.model import ANY_TABLE


def assemble(
    settings: Settings, answer: LogAnswer, log: ReadLog, earlier_notes: Sequence[str] = ()
) -> Run:
    """The whole result, from what the log shows."""
    rulebook, schema, surroundings = settings.rulebook, settings.schema, settings.circumstances()
    sources = Sources(
        settings.manifests,
        answer.occurs,
        settings.suits_unknown,
        settings.mapping,
        settings.in_part_of_casino,
    )
    scope = answer.scope
    found = answer.found.findings()
    games = _games(settings, answer, scope)
    elsewhere = _rules_of_other_games(rulebook, games)
    outcomes = [
        _outcome(rule, answer, found, sources, surroundings, rule.name in elsewhere)
        for rule in rulebook.rules
    ]
    statements = clause_statements(rulebook, outcomes, scope, games, surroundings.readings)
    closed = {item.rule for item in outcomes if item.status is RuleStatus.NOT_EVALUABLE}
    wanted = {
        rule.name: sources.wanted(_held(rule, answer, rulebook), surroundings)
        for rule in rulebook.rules
        if rule.name in closed
    }
    return Run(
        rulebook=Rulebook(name=rulebook_name(rulebook), sha256=rulebook_hash(rulebook)),
        inputs=log.inputs,
        scope=scope,
        profile=settings.profile or "",
        law_of=date.fromisoformat(rulebook.law_of) if rulebook.law_of else None,
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
            *_law_applied(outcomes, rulebook, answer.days),
            *_assumptions(surroundings),
        ),
        quarantined=log.quarantine.total,
        set_aside=_set_aside(log.quarantine.reasons),
        lost_records=records_lost((table.loss for table in answer.tables), log.quarantine.total),
        undecided_by_loss=answer.undecided_by_loss,
        time_zone=rulebook.time_zone,
        outcomes=(*outcomes, *defect_outcomes(answer.defects.findings())),
        statements=statements,
        not_recorded=clauses_to_open(wanted, statements),
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
    elsewhere: bool,
) -> RuleOutcome:
    counts: Mapping[Verdict, int] = answer.counts.get(rule.name, {})
    unsettled: Mapping[Verdict, int] = answer.unsettled.get(rule.name, {})
    held = _held(rule, answer, surroundings.rulebook)
    unchosen = {_reading_not_chosen(edition, surroundings) for edition in held}
    if answer.days and not held and not any(counts.values()):
        status, reason = RuleStatus.NOT_IN_FORCE, _in_force(rule)
    elif unchosen and "" not in unchosen:
        status, reason = RuleStatus.NOT_IN_FORCE, " ".join(sorted(unchosen))
        counts = unsettled = {}
    else:
        checks = RuleChecks(counts, answer.by_loss[rule.name])
        status, reason = sources.status(held, checks, surroundings)
        if status in (RuleStatus.NOT_EXERCISED, RuleStatus.NOT_EVALUABLE) and elsewhere:
            status, reason = RuleStatus.NOT_PLAYED, "The game was not played."
        if status in (RuleStatus.NOT_EVALUABLE, RuleStatus.NOT_PLAYED):
            # Checks of which none could be decided are no checks.
            counts = unsettled = {}
        undecided = _undecided(answer.undecided.get(rule.name, {}), counts)
        reason = " ".join(part for part in (reason, *undecided) if part)
    outcome = RuleOutcome(
        rule=rule.name,
        title=title(rule),
        citations=tuple(dict.fromkeys(c for e in held or rule.editions for c in e.citations)),
        severity=Severity(rule.severity),
        kind=FindingKind(rule.kind),
        status=status,
        reason=reason,
        counts=Counts.of(counts),
        unsettled=Counts.of(unsettled),
    )
    breaches = found.get(rule.name)
    return outcome.with_findings(breaches) if breaches else outcome


def _held(rule: core.Rule, answer: LogAnswer, rulebook: core.Rulebook) -> list[core.Edition]:
    """The editions that are applied to some day of the log."""
    return [
        edition
        for edition in rule.editions
        if any(edition_for(rule, moment, rulebook) is edition for moment in answer.days)
    ]


def _reading_not_chosen(edition: core.Edition, surroundings: Circumstances) -> str:
    """Why an edition is applied only by a reading of the law that was not chosen; or empty."""
    for part in edition.only_if:
        match part:
            case core.Compare("=", core.ReadingValue(name), core.Const(_, reading)):
                chosen = surroundings.readings[name]
                if chosen != reading:
                    item = surroundings.rulebook.interpretations[name]
                    text = next(each.text for each in item.readings if each.name == chosen)
                    return f"{item.title} {text[:1].upper()}{text[1:]}."
    return ""


def _undecided(found: Undecided, counts: Mapping[Verdict, int]) -> Iterator[str]:
    """Where a rule was excused or could not be decided: no finding, but worth a look."""
    for verdict in (Verdict.EXCUSED, Verdict.OPEN, Verdict.UNDETERMINED):
        places = list(found.get(verdict, ())[:SHOWN_UNDECIDED])
        if not places or not counts:
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
    ended = next((f" {edition.ended}." for edition in rule.editions if edition.ended), "")
    return f"In force {', and '.join(spans)}.{ended}"


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


def _games(settings: Settings, answer: LogAnswer, scope: Scope) -> frozenset[str] | None:
    """The games that were played, or none where the game of some table is not told."""
    played: dict[str, set[str]] = {}
    for event in answer.elections:
        for name, text in _elections(event):
            if name == "game":
                played.setdefault(event.table, set()).add(text)
    games = {game for told in played.values() for game in told}
    for table in answer.tables:
        manifest = settings.manifests.of(table.casino)
        given = settings.given_at(table.casino, table.table).get("game")
        if given is not None:
            games.add(value_text(settings.schema.options["game"].kind.name, given))
        elif manifest is not None and manifest.games:
            games.update(manifest.games)
        elif table.table in scope.tables and table.table not in played:
            return None
    return frozenset(games)


def _rules_of_other_games(rulebook: core.Rulebook, games: frozenset[str] | None) -> frozenset[str]:
    """The rules that stand only for clauses of games that were not played."""
    if games is None:
        return frozenset()
    of_rule: dict[str, set[str]] = {}
    for clause in rulebook.clauses:
        for name in clause.rules:
            of_rule.setdefault(name, set()).add(clause.game)
    here = games | {ANY_TABLE}
    return frozenset(name for name, played in of_rule.items() if not played & here)


def _elections(event: Event) -> Iterator[tuple[str, str]]:
    if event.type == "option_elected":
        yield str(event.get("option_name")), str(event.get("value"))
    elif event.type == "table_opened" and event.get("game") is not None:
        yield "game", str(event.get("game"))


def _law_applied(
    outcomes: Sequence[RuleOutcome], rulebook: core.Rulebook, days: Collection[date]
) -> Iterator[str]:
    """Where the law of the events' own days was not applied, or is no longer at hand."""
    if rulebook.law_of is not None:
        told = day(date.fromisoformat(rulebook.law_of))
        yield f"Every event was judged by the law as it stood on {told}, whatever its own day."
        return
    unapplied = {item.rule for item in outcomes if item.status is RuleStatus.NOT_IN_FORCE}
    for chapter in rulebook.chapters:
        if days and date.fromisoformat(chapter.until) > max(days):
            continue  # it was law until the end of the log
        ended = sum(
            rule.name in unapplied and rule.editions[-1].ended == chapter.told
            for rule in rulebook.rules
        )
        if ended:
            last = date.fromisoformat(chapter.until) - timedelta(days=1)
            yield (
                f"{counted(ended, 'rule')} of {chapter.citation} ended on {day(last)}: "
                f"{chapter.why}. `--law-of {last}` applies the law of that day."
            )


def _assumptions(surroundings: Circumstances) -> Iterator[str]:
    """The settings on which verdicts rest, said aloud."""
    for name, setting in surroundings.rulebook.settings.items():
        value = value_text(setting.value.kind, surroundings.settings[name])
        yield f"Assumed: {name} is {value}. {setting.why}".strip()
