"""Leaves out at once the rules that cannot apply to a table, such as those of another game."""

from __future__ import annotations

import numpy as np

from compliance.columnar.contexts import Contexts
from compliance.columnar.evaluate import Evaluator
from compliance.columnar.scene import Table
from compliance.columns import Integers
from rules_dsl import core


def never_applies(table: Table, edition: core.Edition) -> bool:
    """Whether an edition has no trigger here, or an `only if` that fails at every moment."""
    types = table.whole.rows_of(edition.trigger.pattern.types)
    if not len(types):
        return True
    return any(_always_fails(table, condition) for condition in edition.only_if)


def _always_fails(table: Table, condition: core.Expr) -> bool:
    """Conditions on options alone change only when something is elected: look at those moments."""
    key = ("always fails", table.plan.number(condition))
    if key not in table.memo:
        names = _options_in(condition)
        table.memo[key] = names is not None and _fails_throughout(table, condition, names)
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


def _options_in(node: object) -> frozenset[str] | None:
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
        inner = _options_in(part)
        if inner is None:
            return None
        found |= inner
    return found
