"""Gathers what a person wants to know around every breach of a table: who, how long, what else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import polars as pl

from compliance.engine.shown_checks import FoundCheck
from compliance.findings.exposure import exposure
from compliance.findings.missing_events import MissingEvents, missing_events
from compliance.findings.table_facts import TableFacts
from compliance.findings.timelines import timeline
from compliance.table_check.check_table import RuleCount
from compliance.table_check.earliest_breaches import EarliestBreaches, Moment
from compliance.table_check.settings import Settings
from compliance.table_log.table_log import TableLog
from reports.model import Witness
from reports.surroundings import CURE, Exposure, Timeline

TIMELINES = 25
"""How many findings of one rule carry a timeline."""
MEASURED = 1_000
"""How many findings of one rule at one table have their exposure measured."""


@dataclass(frozen=True)
class BreachContext:
    """What the log tells around one breach."""

    places: Mapping[str, str] = field(default_factory=dict)
    """Dealer, round and player, where the trigger itself does not name them."""
    amount_cents: int | None = None
    """The money concerned."""
    exposure: Exposure | None = None
    timeline: Timeline | None = None


def breach_contexts(
    settings: Settings,
    frame: pl.DataFrame,
    results: Iterable[RuleCount],
    fresh_from: int = 0,
    earliest: EarliestBreaches | None = None,
) -> dict[int, BreachContext]:
    """What surrounds every violated check, by its identity.

    Of what lies in an earlier log, before `fresh_from`, too little is kept to count. `earliest`
    knows the breaches of other tables: what cannot be one of the first findings of a rule gets no
    timeline.
    """
    broken = {result.rule: result.breaches for result in results if result.breaches}
    if not broken:
        return {}
    logs = {id(item.log): item.log for found in broken.values() for item, _ in found}
    facts_of = {
        key: TableFacts(settings.schema, log.source, settings.rulebook) for key, log in logs.items()
    }
    last_of = {key: _last_rows_of_lost(log) for key, log in logs.items()}
    surroundings = settings.circumstances()
    one_table = frame["table"].n_unique() == 1
    known = earliest or EarliestBreaches(TIMELINES)
    contexts: dict[int, BreachContext] = {}
    for name, breaches in broken.items():
        demands: dict[object, MissingEvents | None] = {}
        first = known.among_first(
            name, [_moment(check.trigger) for _, check in breaches[:TIMELINES]]
        )
        for number, (item, check) in enumerate(breaches):
            here, facts = item.row, facts_of[id(item.log)]
            asked = item.edition.since, item.unmet
            if asked not in demands:
                demands[asked] = missing_events(item.edition, item.unmet)
            missing = demands[asked]
            measured = one_table and number < MEASURED and here >= fresh_from
            drawn = number < TIMELINES and first[number] and here >= fresh_from
            at_stake, cure = (
                exposure(facts, check, item.edition, missing, here, surroundings)
                if measured
                else (None, None)
            )
            parts = _parts(item, last_of[id(item.log)])
            if cure is not None:
                parts.setdefault(cure, CURE)
            contexts[id(check)] = BreachContext(
                _where(facts, here) if one_table else {},
                facts.concerned(here) if one_table else None,
                at_stake,
                timeline(facts.events, parts, here, missing) if drawn else None,
            )
    return contexts


def _moment(trigger: Witness) -> Moment:
    return trigger.ts.timestamp(), trigger.table, trigger.seq


def _where(facts: TableFacts, row: int) -> dict[str, str]:
    known = {
        "dealer": facts.dealer(row),
        "round": facts.round_number(row),
        "player": facts.player(row),
    }
    return {name: value for name, value in known.items() if value is not None}


def _parts(item: FoundCheck, last_rows: Mapping[int, int]) -> dict[int, str]:
    """What the witnesses showed, by their row in the log."""
    parts: dict[int, list[str]] = {item.row: ["trigger"]}
    for row, part in sorted(item.witnesses - {(item.row, "found")}):
        words = parts.setdefault(last_rows.get(row, row), [])
        if part not in words:
            words.append(part)
    return {row: ", ".join(words) for row, words in parts.items()}


def _last_rows_of_lost(log: TableLog) -> dict[int, int]:
    """Where several tables stand together, a lost record has several rows: the last of them."""
    if log.lost is None or len(log.table_names) == 1:
        return {}
    rows = log.lost.rows.tolist()
    last = {(log.tables[row], log.seq[row]): row for row in rows}
    return {row: last[log.tables[row], log.seq[row]] for row in rows}
