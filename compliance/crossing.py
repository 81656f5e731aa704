"""The events of one table that rules across tables can look at: all others stay with the table."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from compliance.columnar.contexts import Contexts
from compliance.columnar.evaluate import Evaluator
from compliance.columnar.intervals_used import run_types
from compliance.columnar.plan import ITSELF
from compliance.columnar.scene import Table
from compliance.columns import Integers
from compliance.options import ELECTIONS, ElectedOptions
from compliance.reference.scene import circumstances
from compliance.table_check import Job
from compliance.table_frame import FIXED, table_log
from rules_dsl import core
from rules_dsl.traverse import all_parts


def crossing_events(job: Job, frame: pl.DataFrame) -> pl.DataFrame:
    """What the other tables have to know of this one, without columns that say nothing."""
    if not job.across_tables or not len(frame):
        return frame.clear()
    options = ElectedOptions(job.schema, (), {})
    surroundings = circumstances(job.rulebook, job.schema, options, job.choices)
    table = Table(table_log(job.schema, frame), surroundings, job.plan)
    kept = np.zeros(len(frame), dtype=np.bool_)
    kept[table.whole.rows_of(ELECTIONS)] = True
    # How far the log goes says what can still come.
    kept[int(table.log.ts.argmax())] = True
    for rule in job.across_tables:
        for edition in rule.editions:
            for rows in _looked_at(table, edition):
                kept[rows] = True
    table.release()
    part = frame.filter(pl.Series(kept))
    said = [column.name for column in part if column.null_count() < len(part)]
    return part.select(name for name in part.columns if name in FIXED or name in said)


def _looked_at(table: Table, edition: core.Edition) -> Iterator[Integers]:
    """The rows at which an edition can look."""
    whole = table.whole
    yield whole.rows_of(tuple(sorted(run_types(table.circumstances.rulebook, edition))))
    if edition.slice.keys:
        # Which players or seats there are is learned from every event that the rule speaks of.
        yield whole.rows_of(edition.slice.relevant)
        return
    said = (message.value for message in edition.message if message.value is not None)
    for node in (edition, *said):
        for part in all_parts(node):
            if isinstance(part, core.Pattern):
                yield _possible(table, part)


def _possible(table: Table, pattern: core.Pattern) -> Integers:
    """The events that a pattern may mean, by what their own fields say."""
    split = table.plan.pattern(pattern)
    rows = table.whole.rows_of(split.types)
    evaluator = Evaluator(table.whole)
    for condition in split.local:
        # What was elected is known only where all that was said of the tables comes together.
        if len(rows) and not _asks_for_options(condition):
            contexts = Contexts({ITSELF: rows}, len(rows))
            rows = rows[~evaluator.vector(condition, contexts).spread(len(rows)).false]
    return rows


def _asks_for_options(condition: core.Expr) -> bool:
    return any(isinstance(part, core.OptionValue) for part in all_parts(condition))
