"""`compliance rules try`: own rules on a lawful invented night, and on one full of breaches.

A lawful night breaks no law, so a rule that finds something there either is wrong or asks for more
than the law does: its author decides. What it finds on the other night is set beside what the
bundled law finds at the same events.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from compliance.api.opening import RulePath, open_rules, open_rules_to_judge, open_schema
from compliance.api.refusal import Refused
from compliance.checking.check_log import check_log
from compliance.cli.screen import Screen, Styled
from compliance.simulate.breaches import BREACHES
from compliance.simulate.elections import FIRST_DAY
from compliance.simulate.floor import plan_floor, simulate_floor
from compliance.table_check.settings import Settings
from event_schemas import Schema, parse_date
from reports.model import Finding, RuleOutcome, Run
from reports.verdicts import ExitCode
from reports.wording import counted
from rules_dsl import core
from rules_dsl.bundled import DEFAULT, home_of
from rules_dsl.traverse import all_parts

NEAREST_BREACHES = 6
"""How many kinds of breach the second night has for each rule: the most about the same events."""
SHOWN_FINDINGS = 3
_PLACES = ("table", "round", "seat")
_PASSED, _FAILED, _SILENT = (
    Styled("✓ ", "bold green"),
    Styled("✗ ", "bold red"),
    Styled("— ", "dim"),
)


@dataclass(frozen=True)
class NightRequest:
    """How large the invented nights are, and on what day they play."""

    day: str
    tables: int
    rounds: int
    seed: int


@dataclass(frozen=True)
class TriedNight:
    """What the own rules said of a night, and which rules of the law found something where."""

    events: int
    own: Run
    law: dict[str, frozenset[str]]
    """By event: the rules of the bundled law that were broken there."""


def try_rules(
    paths: Sequence[RulePath], schema_file: Path | None, wanted: NightRequest, form: str
) -> int:
    """Try rules on both nights; a finding on the lawful one counts as a violation."""
    day = _day(wanted)
    schema = open_schema(schema_file)
    loaded = open_rules(paths, schema)
    rules = _own_rules(loaded.rulebook)
    if not rules:
        raise Refused("There is no rule of your own in these files.")
    law = open_rules_to_judge([DEFAULT], schema)
    with tempfile.TemporaryDirectory() as folder:
        nights = [
            _tried(Path(folder) / name, loaded.rulebook, law, schema, day, wanted, breaches)
            for name, breaches in (("lawful", ()), ("breached", _breaches_near(rules, law, day)))
        ]
    lawful, breached = nights
    names = [rule.name for rule in rules]
    found = sum(len(outcome.findings) for outcome in _outcomes(lawful.own, names))
    screen = Screen()
    if form == "json":
        screen.json(_data(lawful, breached, names))
    else:
        _show(screen, lawful, breached, names)
    return ExitCode.VIOLATIONS if found else ExitCode.CLEAN


def _day(wanted: NightRequest) -> date:
    for name, number in (("tables", wanted.tables), ("rounds", wanted.rounds)):
        if number <= 0:
            raise Refused(f"--{name} must be more than 0.")
    try:
        day = parse_date(wanted.day)
    except ValueError as problem:
        raise Refused(str(problem)) from None
    first = min(FIRST_DAY.values())
    if day < first:
        raise Refused(f"No game's law is known on {day}; the first is blackjack's of {first}.")
    return day


def _own_rules(rulebook: core.Rulebook) -> tuple[core.Rule, ...]:
    """The rules that do not come with the product: a file may use the bundled law."""
    own = [home_of(Path(file.name).resolve()) is None for file in rulebook.files]
    return tuple(r for r in rulebook.rules if r.place is None or own[r.place.file])


def _breaches_near(rules: Sequence[core.Rule], law: core.Rulebook, day: date) -> tuple[str, ...]:
    """The breaches of the law's rules that speak of the same events as the rules to be tried."""
    lawful = {rule.name: _event_types(rule) for rule in law.rules}
    possible = [name for name, breach in BREACHES.items() if breach.possible_on(day)]

    def distance(name: str, own: frozenset[str]) -> float:
        broken = [lawful[rule] for rule in set(BREACHES[name].rules.values()) if rule in lawful]
        return -max((len(own & other) / len(own | other) for other in broken), default=0.0)

    near: dict[str, None] = {}
    for rule in rules:
        own = _event_types(rule)
        ordered = sorted(possible, key=lambda name: (distance(name, own), name))
        near |= dict.fromkeys(ordered[:NEAREST_BREACHES])
    return tuple(near)


def _event_types(rule: core.Rule) -> frozenset[str]:
    patterns = (
        part
        for edition in rule.editions
        for part in all_parts(edition)
        if isinstance(part, core.Pattern)
    )
    return frozenset(name for pattern in patterns for name in pattern.types)


def _tried(
    folder: Path,
    own: core.Rulebook,
    law: core.Rulebook,
    schema: Schema,
    day: date,
    wanted: NightRequest,
    breaches: tuple[str, ...],
) -> TriedNight:
    games = [game for game, first in FIRST_DAY.items() if day >= first]
    floor = plan_floor(
        tables=wanted.tables,
        games=games,
        day=day,
        seed=wanted.seed,
        rounds=wanted.rounds,
        breaches=breaches,
        rate=1.0,
    )
    simulated = simulate_floor(floor, folder, "jsonl", workers=1)
    by_event: dict[str, set[str]] = {}
    for outcome in _checked(folder, law, schema).outcomes:
        for found in outcome.findings:
            for event in _events(found):
                by_event.setdefault(event, set()).add(outcome.rule)
    return TriedNight(
        simulated.events,
        _checked(folder, own, schema),
        {event: frozenset(rules) for event, rules in by_event.items()},
    )


def _checked(folder: Path, rulebook: core.Rulebook, schema: Schema) -> Run:
    run = check_log([str(folder)], Settings(rulebook, schema)).run
    if run is None:
        raise Refused("The invented night could not be read.")
    return run


def _events(found: Finding) -> Iterator[str]:
    if found.trigger is not None:
        yield found.trigger.event_id


def _outcomes(run: Run, names: Sequence[str]) -> list[RuleOutcome]:
    return [outcome for outcome in run.outcomes if outcome.rule in names]


# ---- text ----------------------------------------------------------------------------------


def _show(screen: Screen, lawful: TriedNight, breached: TriedNight, names: Sequence[str]) -> None:
    tables = len(lawful.own.scope.tables)
    screen.line(
        Styled("On a lawful night", "bold"),
        f" ({counted(lawful.events, 'event')} of {counted(tables, 'table')}), where a rule "
        "should find nothing:",
    )
    for outcome in _outcomes(lawful.own, names):
        _show_rule(screen, outcome, lawful, _FAILED if outcome.findings else _PASSED)
    screen.line()
    screen.line(
        Styled("On a night with breaches of the law around such events", "bold"),
        f" ({counted(breached.events, 'event')}):",
    )
    for outcome in _outcomes(breached.own, names):
        _show_rule(screen, outcome, breached, _PASSED if outcome.findings else _SILENT)
    screen.line()
    wrong = [o.rule for o in _outcomes(lawful.own, names) if o.findings]
    idle = [
        a.rule
        for a, b in zip(_outcomes(lawful.own, names), _outcomes(breached.own, names), strict=True)
        if not a.counts.total and not b.counts.total
    ]
    if idle:
        screen.line(
            Styled("Never applied on either night: ", "yellow"),
            ", ".join(idle),
            ". Invented nights do not show everything; its examples must speak for it.",
        )
    if wrong:
        screen.line(
            _FAILED,
            f"{counted(len(wrong), 'rule')} found something on a night that breaks no law: a "
            "mistake in the rule, or more than the law asks.",
        )
    else:
        screen.line(_PASSED, "Nothing was found on the lawful night.")


def _show_rule(screen: Screen, outcome: RuleOutcome, night: TriedNight, mark: Styled) -> None:
    checks = outcome.counts.total
    applied = f"applied {counted(checks, 'time')}" if checks else "never applied"
    if outcome.findings:
        said = f"{applied}, {counted(len(outcome.findings), 'finding')}"
    elif checks:
        said = f"{applied}, nothing found"
    else:
        said = applied
    screen.line(mark if checks else _SILENT, Styled(outcome.rule, "cyan"), f"  {said}", indent=2)
    for found in outcome.findings[:SHOWN_FINDINGS]:
        at = f"{found.trigger.ts:%H:%M:%S}  " if found.trigger else ""
        places = ", ".join(f"{k} {v}" for k, v in found.where.items() if k in _PLACES)
        screen.line(Styled(at, "dim"), found.sentence, Styled(f"  {places}", "dim"), indent=6)
    if len(outcome.findings) > SHOWN_FINDINGS:
        screen.line(f"and {len(outcome.findings) - SHOWN_FINDINGS:,} more", indent=6)
    law = _law_there(outcome, night)
    if outcome.findings and law:
        rules = ", ".join(f"{rule} ({number:,})" for rule, number in law.most_common(3))
        screen.line(Styled(f"there the law finds too: {rules}", "dim"), indent=6)
    elif outcome.findings:
        screen.line(Styled("there no rule of the law finds anything", "dim"), indent=6)


def _law_there(outcome: RuleOutcome, night: TriedNight) -> Counter[str]:
    """How often each rule of the law finds something at an event where this rule does."""
    return Counter(
        rule
        for found in outcome.findings
        for event in _events(found)
        for rule in sorted(night.law.get(event, ()))
    )


# ---- data ----------------------------------------------------------------------------------


def _data(lawful: TriedNight, breached: TriedNight, names: Sequence[str]) -> dict[str, Any]:
    return {
        "schema_version": "1",
        "lawful": _night_data(lawful, names),
        "breached": _night_data(breached, names),
    }


def _night_data(night: TriedNight, names: Sequence[str]) -> dict[str, Any]:
    return {
        "events": night.events,
        "rules": [
            {
                "rule": outcome.rule,
                "checks": outcome.counts.total,
                "findings": [found.model_dump(mode="json") for found in outcome.findings],
                "law_there": dict(_law_there(outcome, night)),
            }
            for outcome in _outcomes(night.own, names)
        ],
    }
