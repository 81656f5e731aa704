"""What became of a batch: of each night, and in one code for the shell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta

from compliance.store.night_record import NightChanges
from reports.verdicts import ExitCode
from reports.wording import counted


@dataclass(frozen=True)
class NightOutcome:
    """What became of one night."""

    casino: str
    day: date
    cause: str
    code: int
    changes: NightChanges | None = None
    sentence: str = ""
    seconds: float = 0.0
    events: int = 0


@dataclass
class BatchOutcome:
    """What became of all of them."""

    nights: list[NightOutcome] = field(default_factory=list)
    missing: list[tuple[str, date]] = field(default_factory=list)
    published: int = 0
    untold: bool = False
    """Whether a message could not be brought to somebody."""

    @property
    def exit_code(self) -> int:
        """What the shell is told: what could not be judged comes before what was found."""
        codes = {night.code for night in self.nights}
        if self.missing or self.untold:
            codes.add(int(ExitCode.BAD_INPUT))
        order = (
            ExitCode.INTERNAL_ERROR,
            ExitCode.BAD_RULES,
            ExitCode.BAD_INPUT,
            ExitCode.VIOLATIONS,
            ExitCode.NOT_SUPPORTED,
        )
        return int(next((code for code in order if code in codes), ExitCode.CLEAN))


def missing_sentences(missing: Iterable[tuple[str, date]]) -> Iterator[str]:
    """Days without a log, those in a row told together."""
    rows: list[tuple[str, date, date]] = []
    for casino, day in missing:
        if rows and rows[-1][0] == casino and rows[-1][2] == day - timedelta(days=1):
            rows[-1] = (casino, rows[-1][1], day)
        else:
            rows.append((casino, day, day))
    for casino, first, last in rows:
        number = (last - first).days + 1
        if number == 1:
            yield f"{casino}, {first}: there is no log of this day."
        else:
            yield f"{casino}, {first} to {last}: there are no logs of {counted(number, 'day')}."
