"""Which checks of a log are asked for: those whose trigger lies in a time, or at some tables.

Everything is read all the same. Rules look back and ahead and across tables, so that a part of a
log gets the same verdicts as in the whole.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

import numpy as np
import polars as pl

from compliance.table_log.columns import Flags
from compliance.values.moments import microseconds
from reports.wording import moment


@dataclass(frozen=True)
class Selection:
    """Times (the second one excluded) and tables."""

    since: datetime | None = None
    until: datetime | None = None
    tables: frozenset[str] = frozenset()

    @property
    def everything(self) -> bool:
        """Whether nothing was left out."""
        return self.since is None and self.until is None and not self.tables

    def asks(self, table: str) -> bool:
        """Whether a table was asked for."""
        return not self.tables or table in self.tables

    def asked(self, frame: pl.DataFrame) -> Flags | None:
        """Which events may be triggers; None means all of them."""
        if self.everything:
            return None
        found = np.ones(len(frame), dtype=np.bool_)
        ts = frame["ts"].to_numpy()
        if self.since is not None:
            found &= ts >= microseconds(self.since)
        if self.until is not None:
            found &= ts < microseconds(self.until)
        if self.tables:
            found &= frame["table"].is_in(list(self.tables)).to_numpy()
        return found

    def unknown(self, tables: Iterable[str]) -> list[str]:
        """The tables that were asked for, but that the log does not have."""
        return sorted(self.tables - set(tables))

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know of a report on a part of a log."""
        if self.everything:
            return ()
        parts = []
        if self.since is not None:
            parts.append(f"from {moment(self.since)} on")
        if self.until is not None:
            parts.append(f"before {moment(self.until)}")
        if self.tables:
            parts.append(f"at {', '.join(sorted(self.tables))}")
        return (
            f"Only what happened {', '.join(parts)} was judged. The rest of the log was read as "
            "well, so that rules that look back or ahead see what there was.",
        )
