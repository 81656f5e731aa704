"""What the engine is measured at: all rules of a rulebook on all tables of a night."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import polars as pl

import rules_dsl.rulebook
from compliance.coded_texts import uncoded
from compliance.crossing import crossing_events
from compliance.log.tables import TableFrame
from compliance.table_check import Job, RuleCount, check_table, check_together, order
from event_schemas import builtin_schema
from reports.model import Check
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


def check(book: core.Rulebook, frames: Sequence[TableFrame]) -> list[RuleCount]:
    """Every check with its verdict, and evidence for all that did not comply."""
    job = Job(book, builtin_schema(), {})
    results = [result for table in frames for result in check_table(job, table.frame)]
    if job.across_tables:
        parts = [uncoded(crossing_events(job, table.frame)) for table in frames]
        results += check_together(job, order(pl.concat(parts, how="diagonal_relaxed")))
    return results


def findings(results: Sequence[RuleCount]) -> Found:
    """The same in the form that all tools share, where every check complied or was violated."""
    checks: Counter[str] = Counter()
    violations = set()
    for result in results:
        assert not any(result.counts.get(verdict) for verdict in UNSETTLED)
        checks[result.rule] += sum(result.counts.values())
        violations |= {_violation(check) for check in result.checks}
    return Found(dict(checks), frozenset(violations))


def _violation(check: Check) -> Violation:
    # One phrase of the eight rules ends at its own trigger, which is then named twice.
    others = {witness.event_id for witness in check.witnesses} - {check.trigger.event_id}
    assert check.verdict is Verdict.VIOLATED
    return Violation(
        check.rule, check.trigger.event_id, check.slice.get("player"), frozenset(others)
    )
