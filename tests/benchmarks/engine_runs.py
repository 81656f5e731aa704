"""What the engine is measured at: all rules of a rulebook on all tables of a night."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import islice
from pathlib import Path

import polars as pl

import rules_dsl.rulebook
from compliance.log.tables import TableFrame
from compliance.table_check.casino_group import CasinoGroup
from compliance.table_check.check_table import RuleCount, check_group, check_table, order
from compliance.table_check.cross_table_events import cross_table_events
from compliance.table_check.settings import Settings
from compliance.table_log.frame import FrameEvents
from compliance.table_log.table_log import TableLog, table_log
from event_schemas import builtin_schema
from reports.verdicts import Verdict
from rules_dsl import core
from tests.benchmarks.found import Found, Violation

EIGHT_RULES = Path(__file__).with_name("eight_rules.rules")
NEW_JERSEY = Path(rules_dsl.rulebook.__file__).parent / "rulebooks" / "nj"
UNSETTLED = set(Verdict) - {Verdict.COMPLIED, Verdict.VIOLATED}


@cache
def rulebook(path: Path) -> core.Rulebook:
    """A rulebook that loads without any remark."""
    loaded = rules_dsl.rulebook.load([path], builtin_schema())
    assert [str(remark.message) for remark in loaded.diagnostics] == []
    return loaded.rulebook


def check(
    book: core.Rulebook, frames: Sequence[TableFrame], logs: Sequence[TableLog] | None = None
) -> list[RuleCount]:
    """Every check with its verdict, and where the evidence stands for all that did not comply.

    `logs` are the tables as rules are applied to them, where they were made before."""
    settings = Settings(book, builtin_schema())
    results: list[RuleCount] = []
    shared: dict[CasinoGroup, list[pl.DataFrame]] = {}
    for number, table in enumerate(frames):
        frame = table.small()
        log = logs[number] if logs else table_log(settings.schema, frame)
        results += check_table(settings, frame, log)
        for where, events in cross_table_events(settings, log, frame):
            shared.setdefault(where, []).append(events)
    for where, parts in shared.items():
        row = order(settings.schema, pl.concat(parts, how="diagonal_relaxed"))
        results += check_group(settings, where[0], row)
    return results


def findings(results: Sequence[RuleCount]) -> Found:
    """The same in the form that all tools share, where every check complied or was violated."""
    checks: Counter[str] = Counter()
    violations = set()
    for result in results:
        assert not any(result.counts.get(verdict) for verdict in UNSETTLED)
        checks[result.rule] += sum(result.counts.values())
        violations |= _violations(result)
    return Found(dict(checks), frozenset(violations))


def _violations(result: RuleCount) -> set[Violation]:
    if not result.found:
        return set()
    # All checks of a result stand in one table's log: their events are named in one go.
    events = result.found[0].log.source
    assert isinstance(events, FrameEvents)
    witnesses = [sorted({place for place, _ in check.witnesses}) for check in result.found]
    triggers = [check.row for check in result.found]
    ids = events.frame["id"][[*triggers, *(place for places in witnesses for place in places)]]
    names = iter(ids.to_list())
    named_triggers = list(islice(names, len(triggers)))
    violations = set()
    for check, trigger, places in zip(result.found, named_triggers, witnesses, strict=True):
        assert check.verdict is Verdict.VIOLATED
        # One phrase of the eight rules ends at its own trigger, which is then named twice.
        others = frozenset(islice(names, len(places))) - {trigger}
        player = check.keys.get("player")
        violations.add(
            Violation(result.rule, trigger, None if player is None else str(player), others)
        )
    return violations
