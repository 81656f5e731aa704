"""Leaves out at once the rules that cannot apply to a table, such as those of another game."""

from __future__ import annotations

from datetime import date, datetime
from datetime import time as clock
from functools import lru_cache
from zoneinfo import ZoneInfo

import numpy as np

from compliance.columnar.absent import fails_for_lack_of_events
from compliance.columnar.contexts import Contexts
from compliance.columnar.evaluate import Evaluator
from compliance.columnar.scene import Table
from compliance.columns import Integers
from compliance.moments import microseconds
from rules_dsl import core

_LONG_AGO, _FAR_AHEAD = -(2**62), 2**62


def in_force(edition: core.Edition, zone: str) -> tuple[int, int]:
    """From which moment on an edition is law, and from which on it no longer is."""
    return _dates(edition.since, edition.until, zone)


@lru_cache(maxsize=4096)
def _dates(since: str | None, until: str | None, zone: str) -> tuple[int, int]:
    return (
        _LONG_AGO if since is None else _midnight(since, zone),
        _FAR_AHEAD if until is None else _midnight(until, zone),
    )


def _midnight(day: str, zone: str) -> int:
    return microseconds(datetime.combine(date.fromisoformat(day), clock(), ZoneInfo(zone)))


def not_here(table: Table, edition: core.Edition) -> bool:
    """Whether an edition is not law on the dates of the log, or has no event to begin with."""
    since, until = in_force(edition, table.circumstances.rulebook.time_zone)
    first, last = table.moments
    if last < since or first >= until:
        return True
    return table.types_seen.isdisjoint(edition.trigger.pattern.types)


def never_applies(table: Table, edition: core.Edition) -> bool:
    """Whether an edition has no trigger at all, or an `only if` that always fails."""
    if not_here(table, edition):
        return True
    if any(_fails_by_options(table, condition) for condition in edition.only_if):
        return True
    evaluator = Evaluator(table.whole)
    if evaluator.is_absent(edition.trigger.pattern):
        return True
    return any(_lacks_events(table, evaluator, condition) for condition in edition.only_if)


def _fails_by_options(table: Table, condition: core.Expr) -> bool:
    """Conditions on options alone change only when something is elected: look at those moments."""
    names = table.plan.once(options_in, condition)
    if names is None:
        return False
    key = ("fails by options", table.plan.number(condition))
    if key not in table.memo:
        table.memo[key] = _fails_throughout(table, condition, names)
    return bool(table.memo[key])


def _lacks_events(table: Table, evaluator: Evaluator, condition: core.Expr) -> bool:
    """Whether a condition needs events that this log does not have."""
    key = ("lacks events", table.plan.number(condition))
    if key not in table.memo:
        table.memo[key] = fails_for_lack_of_events(evaluator, condition)
    return bool(table.memo[key])


def _fails_throughout(table: Table, condition: core.Expr, names: frozenset[str]) -> bool:
    rows = _moments(table, names)
    contexts = Contexts({core.TRIGGER: rows}, len(rows))
    return bool(Evaluator(table.whole).vector(condition, contexts).false.all())


def _moments(table: Table, names: frozenset[str]) -> Integers:
    """Of each table the first row, and the first one at which each election holds."""
    log, whole = table.log, table.whole
    if table.interleaved:
        return np.arange(len(log), dtype=np.int64)
    rows = set(whole.starts.tolist())
    for code, (casino, name) in enumerate(log.table_names):
        start, end = int(whole.starts[code]), int(whole.ends[code])
        for option in names:
            for seq, since, _ in table.options.elections(casino, name, option):
                held = (log.seq[start:end] >= seq) & (log.ts[start:end] >= since)
                if held.any():
                    rows.add(start + int(held.argmax()))
    return np.array(sorted(rows), dtype=np.int64)


def options_in(node: object) -> frozenset[str] | None:
    """The options that a condition asks for, or None when it asks for anything else."""
    if isinstance(node, core.OptionValue):
        return frozenset({node.name}) if node.at == core.TRIGGER else None
    if isinstance(node, core.Const | core.ReadingValue | core.SettingValue):
        return frozenset()
    parts: tuple[object, ...]
    if isinstance(node, core.Compare):
        parts = (node.left, node.right)
    elif isinstance(node, core.And | core.Or):
        parts = node.parts
    elif isinstance(node, core.Not):
        parts = (node.part,)
    else:
        return None
    found: frozenset[str] = frozenset()
    for part in parts:
        inner = options_in(part)
        if inner is None:
            return None
        found |= inner
    return found
