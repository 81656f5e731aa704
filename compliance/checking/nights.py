"""What is kept of a log so that the next one goes on where it ended.

Checks that are open at the end of a night are decided by the next one, and the rules of the next
night look back at this one. So the events that they can still look at are kept, together with the
names of the open checks and with what shows damage at the seam. The result is that of one long log.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

import polars as pl

from compliance.integrity import Seam
from compliance.log.problems import LogProblem
from compliance.table_check.check_table import EarlierNight
from compliance.values.moments import moment
from reports.wording import counted
from reports.wording import moment as shown

Place = tuple[str, str]
"""A casino and one of its tables."""


@dataclass(frozen=True)
class KeptTable:
    """What is kept of one table."""

    earlier: EarlierNight
    seam: Seam

    @property
    def last(self) -> datetime:
        """When the log that was checked ends."""
        row = self.seam.recent.row(len(self.seam.recent) - 1, named=True)
        return moment(row["ts"], row["offset"])

    def already_checked(self, casino: str, table: str, frame: pl.DataFrame) -> LogProblem | None:
        """Why a table's log cannot go on from what is kept of it."""
        if len(self.seam.fresh(frame)):
            return None
        if not len(frame):
            return LogProblem(
                "the log",
                f"Every record of table {table} of {casino} was checked before, up to "
                f"{shown(self.last)}.",
            )
        ends = int(frame["seq"].max())  # type: ignore[arg-type]
        return LogProblem(
            "the log",
            f"Table {table} of {casino} was checked up to sequence number "
            f"{self.seam.last_seq} ({shown(self.last)}), and this log ends with number {ends}: it "
            "was checked before, or it is older.",
        )


@dataclass(frozen=True)
class Nights:
    """What is kept of all tables, and of the events that rules across tables look at."""

    tables: Mapping[Place, KeptTable] = field(default_factory=dict)
    across_tables: EarlierNight = field(default_factory=EarlierNight)
    remark: str = ""
    """What a reader has to know about where this comes from."""

    @property
    def pending(self) -> int:
        """How many checks wait for the next log."""
        parts = [self.across_tables, *(table.earlier for table in self.tables.values())]
        return sum(len(names) for part in parts for names in part.pending.values())

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know of a result that goes on from an earlier one."""
        if not self.tables:
            return ()
        last = max(table.last for table in self.tables.values())
        waiting = counted(self.pending, "unsettled check was", "unsettled checks were")
        goes_on = (
            f"This goes on from a log that was checked before and ended at {shown(last)}; "
            f"{waiting} judged again."
        )
        return (goes_on, self.remark) if self.remark else (goes_on,)
