"""One changed rule on a night that is prepared already, against Polars reading the night: what the
writer of a rule waits for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import median

import msgspec
import polars as pl
import pytest

from compliance.log.tables import TableFrame
from compliance.table_log.table_log import table_log
from event_schemas import builtin_schema
from tests.benchmarks.engine_runs import NEW_JERSEY, check, rulebook
from tests.benchmarks.measuring import Ratio, Record, Times, measured
from tests.benchmarks.nights import frames_of
from tests.benchmarks.promises import CHANGED_RULE, WORST_CHANGED_RULE


def _ratios(night: Path, frames: Sequence[TableFrame], rounds: int) -> list[Ratio]:
    book = rulebook(NEW_JERSEY)
    size = sum(len(table.frame) for table in frames)
    logs = [table_log(builtin_schema(), table.small()) for table in frames]

    def judge(number: int) -> None:
        # Another rulebook each time, so that its plan is made anew.
        check(msgspec.structs.replace(book, rules=(book.rules[number],)), frames, logs)

    def ratios(best: Times) -> list[Ratio]:
        spent = [time for name, time in best.items() if name != "read"]
        worst = max((name for name in best if name != "read"), key=lambda name: best[name])
        what = f"one changed rule, {size:,} events / Polars' read"
        return [
            Ratio("10", f"{what}, median", median(spent) / best["read"], CHANGED_RULE),
            Ratio("10", f"{what}, worst ({worst})", best[worst] / best["read"], WORST_CHANGED_RULE),
        ]

    rules = {rule.name: lambda n=number: judge(n) for number, rule in enumerate(book.rules)}
    return measured({"read": lambda: pl.read_parquet(night), **rules}, ratios, rounds=rounds)


def test_one_changed_rule_is_judged_in_a_small_part_of_the_reading(
    night: Path, frames: Sequence[TableFrame], record: Record
) -> None:
    record(*_ratios(night, frames, rounds=1))


@pytest.mark.long
def test_one_changed_rule_is_judged_in_a_small_part_of_the_reading_of_millions_of_events(
    third_of_long_night: Path, record: Record
) -> None:
    record(*_ratios(third_of_long_night, frames_of(third_of_long_night), rounds=2))
