"""The events of one table that rules across tables can look at: all others stay with the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO

import numpy as np
import polars as pl

from compliance.coded_texts import uncoded
from compliance.columnar.contexts import Contexts
from compliance.columnar.evaluate import Evaluator
from compliance.columnar.intervals_used import run_types
from compliance.columnar.plan import ITSELF
from compliance.columnar.scene import Table
from compliance.columns import Flags, Integers
from compliance.options import ELECTIONS, ElectedOptions
from compliance.reference.scene import circumstances
from compliance.table_check import Job
from compliance.table_frame import FIXED, table_log
from compliance.together import ACROSS, Together, together
from rules_dsl import core
from rules_dsl.traverse import all_parts


@dataclass(frozen=True)
class Shared:
    """Events of one table that are looked at together with those of others, packed."""

    where: Together
    content: bytes

    def events(self) -> pl.DataFrame:
        """The events themselves."""
        return pl.read_ipc(BytesIO(self.content))


def shared_events(job: Job, frame: pl.DataFrame) -> Iterator[Shared]:
    """What rules across tables need of this one, for each casino and pit that they are for."""
    for across, kept in _kept(job, frame).items():
        for where, part in together(frame.filter(pl.Series(kept)), across):
            content = BytesIO()
            uncoded(_without_empty_columns(part)).write_ipc(content, compression="zstd")
            yield Shared(where, content.getvalue())


def crossing_events(job: Job, frame: pl.DataFrame) -> pl.DataFrame:
    """What the other tables have to know of this one, whatever the rule."""
    kept = list(_kept(job, frame).values())
    return (
        _without_empty_columns(frame.filter(pl.Series(np.any(kept, axis=0))))
        if kept
        else (frame.clear())
    )


def _without_empty_columns(frame: pl.DataFrame) -> pl.DataFrame:
    said = [column.name for column in frame if column.null_count() < len(frame)]
    return frame.select(name for name in frame.columns if name in FIXED or name in said)


def _kept(job: Job, frame: pl.DataFrame) -> dict[str, Flags]:
    """Which events the rules for each casino and the rules for each pit can look at."""
    if not job.across_tables or not len(frame):
        return {}
    options = ElectedOptions(job.schema, (), {})
    surroundings = circumstances(job.rulebook, job.schema, options, job.choices)
    table = Table(table_log(job.schema, frame), surroundings, job.plan)
    found = {}
    for across in ACROSS:
        kept = np.zeros(len(frame), dtype=np.bool_)
        for rule in job.rules_across(across):
            kept[table.whole.rows_of(ELECTIONS)] = True
            # How far the log goes says what can still come.
            kept[int(table.log.ts.argmax())] = True
            for edition in rule.editions:
                for rows in _looked_at(table, edition):
                    kept[rows] = True
        if kept.any():
            found[across] = kept
    table.release()
    return found


def _looked_at(table: Table, edition: core.Edition) -> Iterator[Integers]:
    """The rows at which an edition can look."""
    whole, rulebook, plan = table.whole, table.circumstances.rulebook, table.plan
    types = plan.remember("run types", edition, lambda: tuple(sorted(run_types(rulebook, edition))))
    yield whole.rows_of(types)
    if edition.slice.keys:
        # Which players or seats there are is learned from every event that the rule speaks of.
        yield whole.rows_of(edition.slice.relevant)
        return
    for pattern in plan.once(_patterns, edition):
        yield _possible(table, pattern)


def _patterns(edition: core.Edition) -> list[core.Pattern]:
    """All that an edition speaks of, its message included."""
    said = (message.value for message in edition.message if message.value is not None)
    parts = (part for node in (edition, *said) for part in all_parts(node))
    return [part for part in parts if isinstance(part, core.Pattern)]


def _possible(table: Table, pattern: core.Pattern) -> Integers:
    """The events that a pattern may mean, by what their own fields say."""
    split = table.plan.pattern(pattern)
    rows = table.whole.rows_of(split.types)
    evaluator = Evaluator(table.whole)
    for condition in split.local:
        # What was elected is known only where all that was said of the tables comes together.
        if len(rows) and not table.plan.once(_asks_for_options, condition):
            contexts = Contexts({ITSELF: rows}, len(rows))
            rows = rows[~evaluator.vector(condition, contexts).spread(len(rows)).false]
    return rows


def _asks_for_options(condition: core.Expr) -> bool:
    return any(isinstance(part, core.OptionValue) for part in all_parts(condition))
