"""Rules on a log: what the reference says of them, and what the compiled engine says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from compliance.engine.bindings import PlanBindings
from compliance.engine.judging import JudgedLog, Judgement, Question
from compliance.engine.shown_checks import VERDICTS, ShownChecks
from compliance.judgement.circumstances import Circumstances, circumstances
from compliance.plan.builder import build_plan
from compliance.plan.plan import PlannedEdition
from compliance.reference import apply_rule
from compliance.reference.groups import groups
from compliance.table_log.table_log import TableLog
from compliance.values.elected_options import ElectedOptions
from event_schemas import Event, Schema
from reports.model import Check
from reports.verdicts import Verdict
from rules_dsl import core
from tests.columns_of_events import from_events

EVERYTHING = Question(everything=True)


def checks_of_reference(
    rulebook: core.Rulebook, schema: Schema, events: Sequence[Event]
) -> list[Check]:
    """The checks of all rules, in an order that does not depend on who reached them."""
    around = circumstances(rulebook, schema, ElectedOptions(schema, events))
    return _in_order(check for rule in rulebook.rules for check in apply_rule(rule, around, events))


def checks_of_engine(
    rulebook: core.Rulebook, schema: Schema, events: Sequence[Event]
) -> list[Check]:
    """The same from the compiled engine, which is asked for every check."""
    around = circumstances(rulebook, schema, ElectedOptions(schema, events))
    plan = build_plan(rulebook, schema)
    found = []
    for log, editions, judgement in _judgements(PlanBindings(plan, around), around, events):
        shown = ShownChecks(plan, log, around)
        found += [shown.check(editions[item.edition], item).written() for item in judgement.checks]
    return _in_order(found)


def counts_of_engine(
    rulebook: core.Rulebook, schema: Schema, events: Sequence[Event]
) -> Counter[Verdict]:
    """How often the compiled engine reaches each verdict when few checks are written down."""
    around = circumstances(rulebook, schema, ElectedOptions(schema, events))
    bound = PlanBindings(build_plan(rulebook, schema), around)
    counts: Counter[Verdict] = Counter()
    for _, _, judgement in _judgements(bound, around, events, Question()):
        counts.update(dict(zip(VERDICTS, judgement.counts.sum(axis=0).tolist(), strict=False)))
    return +counts


def judged(
    bound: PlanBindings,
    log: TableLog,
    around: Circumstances,
    editions: Sequence[int],
    question: Question = EVERYTHING,
) -> Judgement:
    """What the engine says of one log by some editions of a plan; every check, unless less is
    asked for."""
    return JudgedLog(bound, log, around, editions).judge(question)


def _judgements(
    bound: PlanBindings,
    around: Circumstances,
    events: Sequence[Event],
    question: Question = EVERYTHING,
) -> Iterator[tuple[TableLog, list[PlannedEdition], Judgement]]:
    """What the engine says of each table, pit and casino, by the editions that look at such."""
    for across in ("table", "pit", "casino"):
        planned = bound.plan.editions
        places = [place for place, edition in enumerate(planned) if edition.across == across]
        if not places:
            continue
        for group in groups(events, across):
            log = from_events(around.schema, group)
            found = judged(bound, log, around, places, question)
            yield log, [planned[place] for place in places], found


def _in_order(checks: Iterable[Check]) -> list[Check]:
    return sorted(
        checks,
        key=lambda check: (check.rule, check.trigger.event_id, sorted(check.slice.items())),
    )
