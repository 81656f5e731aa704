"""How the benchmarks measure: side by side in one run, in turns, the best of several rounds.

Machines are noisy, so nothing is promised in seconds. Every promise is a ratio of two times that
met the same weather; a ratio that does not hold at once is measured again, but not for ever.
"""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

Times = dict[str, float]

PROPERTY: Final = "ratio"
"""Under this name a test hands its ratios to the table at the end of the run."""


@dataclass(frozen=True)
class Limit:
    """What a ratio has to reach, and what it is hoped to reach."""

    most: float | None = None
    least: float | None = None
    goal: str = ""

    def met(self, ratio: float) -> bool:
        """Whether the ratio keeps the promise."""
        if self.most is not None and ratio > self.most:
            return False
        return self.least is None or ratio >= self.least

    def __str__(self) -> str:
        parts = [
            f"at most {self.most:g}" if self.most is not None else "",
            f"at least {self.least:g}" if self.least is not None else "",
            self.goal and f"goal: {self.goal}",
        ]
        return ", ".join(part for part in parts if part)


@dataclass(frozen=True)
class Ratio:
    """One measured ratio with its promise, for the table at the end."""

    part: str
    """The row of the table of promises (promises.py), or `also` for what stands beside it."""
    what: str
    value: float
    limit: Limit
    unit: str = ""

    @property
    def met(self) -> bool:
        return self.limit.met(self.value)

    def row(self) -> tuple[str, str, str, str]:
        """The texts of its row."""
        return self.part, self.what, f"{self.value:.3g}{self.unit}", str(self.limit)


Record = Callable[..., None]
"""Takes ratios, puts them into the table at the end of the run, and fails if one is not kept."""


def processor_time() -> float:
    """Seconds of all processors that this process has used, with all its threads."""
    return time.process_time()


def wall_time() -> float:
    """Seconds by the clock on the wall: only where waiting is the point."""
    return time.perf_counter()


def measured(
    work: Mapping[str, Callable[[], object]],
    ratios: Callable[[Times], list[Ratio]],
    *,
    rounds: int = 5,
    attempts: int = 3,
    clock: Callable[[], float] = processor_time,
) -> list[Ratio]:
    """The ratios of the best times so far; while one does not keep its promise, measure on."""
    best: Times = {}
    found: list[Ratio] = []
    # What is there already stays: to look through it each time would take the longest. Nor is
    # garbage looked for while the clock runs, as in a command of its own.
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        for _attempt in range(attempts):
            for _round in range(rounds):
                for name, each in work.items():
                    gc.collect(1)
                    start = clock()
                    each()
                    spent = clock() - start
                    best[name] = min(spent, best.get(name, spent))
            found = ratios(best)
            if all(ratio.met for ratio in found):
                break
    finally:
        gc.enable()
        gc.unfreeze()
    return found


def ratio_lines(properties: Iterable[tuple[str, object]]) -> list[str]:
    """The table of all ratios that tests have handed over, as lines of text."""
    rows = [json.loads(str(value)) for name, value in properties if name == PROPERTY]
    rows.sort(key=lambda row: (len(row[0]), row))
    if not rows:
        return []
    rows.insert(0, ["", "what was measured", "ratio", "promise"])
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    return [
        f"{part:{widths[0]}}  {what:{widths[1]}}  {value:>{widths[2]}}  {limit}".rstrip()
        for part, what, value, limit in rows
    ]
