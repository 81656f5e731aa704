"""Gathers what a person wants to know around every breach of a table: who, how long, what else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import polars as pl

from compliance.findings.exposure import exposure
from compliance.findings.missing_events import MissingEvents, missing_events
from compliance.findings.table_facts import TableFacts
from compliance.findings.timelines import timeline
from compliance.table_check.check_table import RuleCount
from compliance.table_check.earliest_breaches import EarliestBreaches, Moment
from compliance.table_check.settings import Settings
from reports.model import Check, Witness
from reports.surroundings import Exposure, Timeline
from rules_dsl import core

TIMELINES = 25
"""How many findings of one rule carry a timeline."""
MEASURED = 1_000
"""How many findings of one rule at one table have their exposure measured."""


_Name = tuple[str, str, str, int]
"""Casino, table and id of an event."""


@dataclass(frozen=True)
class BreachContext:
    """What the log tells around one breach."""

    places: Mapping[str, str] = field(default_factory=dict)
    """The dealer and the round, where the trigger itself does not name them."""
    exposure: Exposure | None = None
    timeline: Timeline | None = None


def breach_contexts(
    settings: Settings,
    frame: pl.DataFrame,
    results: Iterable[RuleCount],
    earliest: EarliestBreaches | None = None,
) -> dict[int, BreachContext]:
    """What surrounds every violated check, by its identity.

    `earliest` knows the breaches of other tables: what cannot be one of the first findings of a
    rule gets no timeline.
    """
    broken = {result.rule: result.violated for result in results if result.violated}
    if not broken:
        return {}
    facts = TableFacts(settings.schema, frame, settings.rulebook)
    surroundings = settings.circumstances()
    places = _places(frame, broken.values())
    one_table = frame["table"].n_unique() == 1
    rules = {rule.name: rule for rule in settings.rulebook.rules}
    known = earliest or EarliestBreaches(TIMELINES)
    found: dict[int, BreachContext] = {}
    for name, checks in broken.items():
        demands = _Demands(rules[name])
        first = known.among_first(name, [_moment(check.trigger) for check in checks[:TIMELINES]])
        for number, check in enumerate(checks):
            here = places[_name(check.trigger)]
            edition, missing = demands.of(check)
            measured = one_table and number < MEASURED
            drawn = number < TIMELINES and first[number]
            found[id(check)] = BreachContext(
                _where(facts, here) if one_table else {},
                exposure(facts, check, edition, missing, here, surroundings) if measured else None,
                timeline(facts.events, _parts(check, places), here, missing) if drawn else None,
            )
    return found


class _Demands:
    """What the editions of a rule ask for, found once for all breaches that lack the same."""

    def __init__(self, rule: core.Rule) -> None:
        self._rule = rule
        self._known: dict[object, tuple[core.Edition, MissingEvents | None]] = {}

    def of(self, check: Check) -> tuple[core.Edition, MissingEvents | None]:
        name = check.edition, check.unmet
        if name not in self._known:
            edition = edition_of(self._rule, check)
            self._known[name] = edition, missing_events(edition, check.unmet)
        return self._known[name]


def _moment(trigger: Witness) -> Moment:
    return trigger.ts.timestamp(), trigger.table, trigger.seq


def _where(facts: TableFacts, place: int) -> dict[str, str]:
    known = {"dealer": facts.dealer(place), "round": facts.round_number(place)}
    return {name: value for name, value in known.items() if value is not None}


def _parts(check: Check, places: Mapping[_Name, int]) -> dict[int, str]:
    """What the witnesses showed, by their place in the log."""
    parts: dict[int, list[str]] = {}
    for witness in (check.trigger, *check.witnesses):
        # A witness of an earlier log may no longer be there.
        place = places.get(_name(witness))
        if place is not None and witness.part not in parts.setdefault(place, []):
            parts[place].append(witness.part)
    return {place: ", ".join(words) for place, words in parts.items()}


def _places(frame: pl.DataFrame, checks: Iterable[Iterable[Check]]) -> dict[_Name, int]:
    ids = {
        witness.event_id
        for found in checks
        for check in found
        for witness in (check.trigger, *check.witnesses)
    }
    chosen = (
        frame.select("casino", "table", "id", "seq")
        .with_row_index("place")
        .filter(pl.col("id").is_in(list(ids)))
    )
    return {
        (casino, table, name, seq): place for place, casino, table, name, seq in chosen.iter_rows()
    }


def _name(witness: Witness) -> _Name:
    # A lost record has no id: its number tells it from others.
    return witness.casino, witness.table, witness.event_id, witness.seq


def edition_of(rule: core.Rule, check: Check) -> core.Edition:
    """The edition of a rule that a check applied."""
    since = check.edition.isoformat() if check.edition else None
    return next(edition for edition in rule.editions if edition.since == since)
