"""Judges nights by all rules at once, and many spoilt copies of one night in one process."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
import polars as pl

from compliance.engine.judging import JudgedLog, Question, WrittenCheck
from compliance.engine.shown_checks import VERDICTS
from compliance.log.layout import Layout, layout_of
from compliance.log.single_records import row_of_record
from compliance.simulate.night import TablePlan, play_night
from compliance.simulate.table import Chapter, Record
from compliance.simulate.writing import flattened, log_records
from compliance.table_check.settings import Settings
from compliance.table_log.elections_in_log import elections_in_log
from compliance.table_log.table_log import table_log
from compliance.values.elected_options import ElectedOptions
from reports.verdicts import Verdict

COMPLIED, VIOLATED, UNDETERMINED, OPEN = (
    VERDICTS.index(word)
    for word in (Verdict.COMPLIED, Verdict.VIOLATED, Verdict.UNDETERMINED, Verdict.OPEN)
)
_COUNTED: Final = len(VERDICTS)


class NotLawful(Exception):
    """A simulated night that ought to be lawful gives something to find."""


@dataclass(frozen=True)
class LawfulNight:
    """A night in which every rule is kept, ready to be spoilt again and again."""

    settings: Settings
    plan: TablePlan

    @cached_property
    def records(self) -> list[Record]:
        """Its events in order."""
        return flattened(play_night(self.plan))

    @cached_property
    def editions(self) -> tuple[int, ...]:
        """The editions that look at one table."""
        return self.settings.editions("table", self.plan.place.casino)

    @cached_property
    def counts(self) -> Any:
        """How often each edition ends in each verdict."""
        counts = self._judged(self._frame).judge(Question()).counts[:, :_COUNTED]
        broken = np.flatnonzero(counts[:, VIOLATED])
        if len(broken):
            names = ", ".join(self.rule_name(place) for place in broken.tolist())
            raise NotLawful(f"A lawful night breaks {names}: {self.plan}")
        return counts

    @cached_property
    def complied(self) -> list[WrittenCheck]:
        """Every check that ended well, with its witnesses."""
        found = self._judged(self._frame).judge(Question(everything=True)).checks
        return [check for check in found if check.verdict == COMPLIED]

    def judgement(self, records: Sequence[Record]) -> Any | None:
        """The counts of a spoilt copy; none where it holds something that is no event."""
        frame = self._spoilt(records)
        if frame is None:
            return None
        return self._judged(frame).judge(Question()).counts[:, :_COUNTED]

    def verdicts_at(self, records: Sequence[Record], row: int, edition: int) -> set[int]:
        """How one edition judges one event of a spoilt copy, in all slices that it belongs to."""
        frame = self._spoilt(records)
        assert frame is not None
        asked = np.zeros(len(frame), dtype=np.bool_)
        asked[row] = True
        judged = self._judged(frame, self.editions[edition : edition + 1])
        found = judged.judge(Question(asked=asked, everything=True)).checks
        return {check.verdict for check in found if check.row == row}

    def rule_name(self, place: int) -> str:
        """The rule of one of the editions."""
        planned = self.settings.plan.editions[self.editions[place]]
        return self.settings.rulebook.rules[planned.rule].name

    # ---- events as columns ---------------------------------------------------------------------

    @cached_property
    def _layout(self) -> Layout:
        return layout_of(self.settings.schema)

    @cached_property
    def _rows(self) -> dict[int, int]:
        return {id(record): row for row, record in enumerate(self.records)}

    @cached_property
    def _frame(self) -> pl.DataFrame:
        frame = self._columns(self.records)
        assert frame is not None
        return frame

    def _columns(self, records: Iterable[Record]) -> pl.DataFrame | None:
        rows = []
        for line in log_records(self.plan.place, [Chapter("", list(records))]):
            row = row_of_record(self._layout, line)
            if isinstance(row, str):
                return None
            rows.append(row)
        names = sorted({name for row in rows for name in row}, key=self._layout.order.__getitem__)
        return pl.DataFrame(
            {
                name: pl.Series([row.get(name) for row in rows], dtype=self._layout.type_of(name))
                for name in names
            }
        )

    def _spoilt(self, records: Sequence[Record]) -> pl.DataFrame | None:
        """The columns of a spoilt copy: those of the lawful night, and of the few new events."""
        known = self._rows
        new = [record for record in records if id(record) not in known]
        whole = self._frame
        places = known
        if new:
            added = self._columns(new)
            if added is None:
                return None
            ids = pl.Series("id", [f"new-{number}" for number in range(len(new))])
            whole = pl.concat([whole, added.with_columns(ids)], how="diagonal")
            places = known | {id(r): len(self.records) + n for n, r in enumerate(new)}
        order = [places[id(record)] for record in records]
        # Numbered anew: something is left out, nothing is lost.
        numbers = pl.Series("seq", np.arange(1, len(order) + 1, dtype=np.int64))
        return whole[order].with_columns(numbers)

    def _judged(self, frame: pl.DataFrame, editions: Sequence[int] | None = None) -> JudgedLog:
        settings = self.settings
        place = self.plan.place
        given = settings.given_at(place.casino, place.table)
        elected = ElectedOptions(
            settings.schema, (), given, elections_in_log(settings.schema, frame)
        )
        log = table_log(settings.schema, frame)
        asked = self.editions if editions is None else editions
        return JudgedLog(settings.bindings("table"), log, settings.circumstances(elected), asked)
