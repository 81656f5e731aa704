"""The events of one table that rules across tables can look at: all others stay with the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO

import numpy as np
import polars as pl

from compliance.engine.bindings import LogBindings
from compliance.engine.judging import JudgedLog
from compliance.table_check.casino_group import CasinoGroup, casino_groups, lost_in_any_pit
from compliance.table_check.settings import Settings
from compliance.table_log.coded_texts import uncoded
from compliance.table_log.columns import Flags
from compliance.table_log.frame import FIXED
from compliance.table_log.table_log import TableLog, table_log
from compliance.values.elected_options import ELECTIONS


@dataclass(frozen=True)
class CrossTableEvents:
    """Events of one table that are looked at together with those of others, packed."""

    where: CasinoGroup
    content: bytes

    def events(self) -> pl.DataFrame:
        """The events themselves."""
        return pl.read_ipc(BytesIO(self.content))


def cross_table_events(
    settings: Settings, log: TableLog, frame: pl.DataFrame
) -> Iterator[CrossTableEvents]:
    """What rules across tables need of this one, for each casino and pit that they are for."""
    kept = _kept(settings, log)
    if not kept:
        return
    rows = np.flatnonzero(np.any(list(kept.values()), axis=0))
    some = uncoded(frame[rows])
    for across, flags in kept.items():
        own = some.filter(pl.Series(flags[rows]))
        for where, part in casino_groups(own, across):
            yield _packed(where, part)
        anywhere = lost_in_any_pit(own)
        if across == "pit" and len(anywhere):
            yield _packed((across, anywhere["casino"][0], ""), anywhere)


def _packed(where: CasinoGroup, part: pl.DataFrame) -> CrossTableEvents:
    content = BytesIO()
    _without_empty_columns(part).write_ipc(content, compression="lz4")
    return CrossTableEvents(where, content.getvalue())


def rows_for_other_tables(settings: Settings, frame: pl.DataFrame) -> pl.DataFrame:
    """What the other tables have to know of this one, whatever the rule."""
    kept = list(_kept(settings, table_log(settings.schema, frame)).values())
    return (
        _without_empty_columns(frame.filter(pl.Series(np.any(kept, axis=0))))
        if kept
        else (frame.clear())
    )


def _without_empty_columns(frame: pl.DataFrame) -> pl.DataFrame:
    said = {column.name for column in frame if column.null_count() < len(frame)}
    return frame.select([name for name in frame.columns if name in FIXED or name in said])


def _kept(settings: Settings, log: TableLog) -> dict[str, Flags]:
    """Which events the rules for each casino and the rules for each pit can look at."""
    if not settings.across_tables or not len(log):
        return {}
    surroundings = settings.circumstances()
    elections = [log.type_names.index(name) for name in ELECTIONS if name in log.type_names]
    bound = LogBindings(settings.bindings, log, surroundings)
    found = {}
    for across in settings.across_tables:
        editions = settings.editions(across, log.table_names[0][0])
        judged = JudgedLog(settings.bindings, log, surroundings, editions, bound)
        kept = judged.rows_spoken_of()
        kept |= np.isin(log.types, elections)
        if log.lost is not None:
            kept[log.lost.rows] = True
        # How far the log goes says what can still come.
        kept[int(log.ts.argmax())] = True
        found[across] = kept
    return found
