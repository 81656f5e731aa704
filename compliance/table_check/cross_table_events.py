"""The events of one table that rules across tables can look at: all others stay with the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO

import numpy as np
import polars as pl

from compliance.engine.judging import rows_spoken_of
from compliance.table_check.casino_group import CasinoGroup, casino_groups, lost_in_any_pit
from compliance.table_check.settings import Settings
from compliance.table_log.coded_texts import uncoded
from compliance.table_log.columns import Flags, Integers
from compliance.table_log.event_columns import columns_of_type
from compliance.table_log.frame import FIXED, columns_of
from compliance.table_log.lost_rows import LOST_COLUMNS
from compliance.table_log.table_log import TableLog, table_log
from compliance.values.elected_options import ELECTIONS


@dataclass(frozen=True)
class CrossTableEvents:
    """Events of one table that are looked at together with those of others, packed."""

    where: CasinoGroup
    content: bytes

    @classmethod
    def packed(cls, where: CasinoGroup, events: pl.DataFrame) -> CrossTableEvents:
        """In little memory: they wait until all tables are checked."""
        content = BytesIO()
        events.write_ipc_stream(content, compression="lz4")
        return cls(where, content.getvalue())

    def events(self) -> pl.DataFrame:
        """The events themselves."""
        return pl.read_ipc_stream(BytesIO(self.content))


def cross_table_events(
    settings: Settings, log: TableLog, frame: pl.DataFrame
) -> Iterator[tuple[CasinoGroup, pl.DataFrame]]:
    """What rules across tables need of this one, for each casino and pit that they are for."""
    for across, flags in _kept(settings, log).items():
        own = _rows(log, np.flatnonzero(flags), frame)
        for where, part in casino_groups(own, across):
            yield where, _without_empty_columns(part)
        if across == "pit" and len(anywhere := lost_in_any_pit(own)):
            yield (across, anywhere["casino"][0], ""), _without_empty_columns(anywhere)


def _rows(log: TableLog, rows: Integers, frame: pl.DataFrame) -> pl.DataFrame:
    """Some events, with plain texts: lists of two tables cannot be joined."""
    return uncoded(frame[:, _columns(log, rows, frame)][rows])


def _columns(log: TableLog, rows: Integers, frame: pl.DataFrame) -> list[str]:
    """The columns in which some events can have values: a whole frame has many more."""
    names = columns_of(frame).in_order
    types = np.flatnonzero(np.bincount(log.types[rows], minlength=1)[: len(log.type_names)])
    wanted = {*FIXED, "pit:text", *LOST_COLUMNS}
    for number in types.tolist():
        wanted.update(columns_of_type(log.schema, log.type_names[number], names).names)
    return [name for name in names if name in wanted]


def rows_for_other_tables(settings: Settings, frame: pl.DataFrame) -> pl.DataFrame:
    """What the other tables have to know of this one, whatever the rule."""
    log = table_log(settings.schema, frame)
    kept = list(_kept(settings, log).values())
    if not kept:
        return frame.clear()
    rows = np.flatnonzero(np.any(kept, axis=0))
    return _without_empty_columns(_rows(log, rows, frame))


def _without_empty_columns(frame: pl.DataFrame) -> pl.DataFrame:
    said = {column.name for column in frame if column.null_count() < len(frame)}
    return frame[:, [name for name in frame.columns if name in FIXED or name in said]]


def _kept(settings: Settings, log: TableLog) -> dict[str, Flags]:
    """Which events the rules for each casino and the rules for each pit can look at."""
    if not settings.across_tables or not len(log):
        return {}
    always = np.array([name in ELECTIONS for name in (*log.type_names, "")])[log.types]
    # How far the log goes says what can still come.
    always[int(log.ts.argmax())] = True
    if log.lost is not None:
        always[log.lost.rows] = True
        # The records beside a lost one tell between which events of other tables it lies.
        always[_beside(log.lost.rows, len(log))] = True
    casino = log.table_names[0][0]
    return {
        across: rows_spoken_of(settings.bindings(across), log, settings.editions(across, casino))
        | always
        for across in settings.across_tables
    }


def _beside(lost: Integers, length: int) -> Integers:
    """The nearest rows before and after those that are lost."""
    is_there = np.ones(length, dtype=np.bool_)
    is_there[lost] = False
    there = np.flatnonzero(is_there)
    after = np.searchsorted(there, lost)
    return np.append(there[after[after > 0] - 1], there[after[after < len(there)]])
